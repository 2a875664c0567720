"""Certificates of leagues: made, written, verified, and forged."""

import json
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from league_vectors import make_vectors, play_game
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.league import _multiply, hash_floats
from littlestone.game.league.saving import restore
from littlestone.game.saving import container


def draw_stream(rounds=160, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, 4)), 3)
    return ls.Recorded(X, np.where(X[:, 0] + 0.6 * rng.normal(size=rounds) > 0, "yes", "no"))


def make_league(**given):
    return ls.League({"perceptron": ls.Perceptron(), "averaged": ls.AveragedPerceptron(), "arow": ls.Arow()}, **given)


@pytest.fixture(scope="module")
def stream():
    return draw_stream()


@pytest.fixture(scope="module")
def league(stream):
    return make_league().play(stream)


@pytest.mark.parametrize("given", [{}, {"rates": ()}, {"switching": False}])
def test_every_league_certifies_its_log_loss(given, stream):
    league = make_league(**given).play(stream)
    certificate = league.certificate("log loss")
    assert float(certificate.count) == pytest.approx(league.log_loss, rel=1e-9)
    assert certificate.holds
    again = ls.Certificate.from_json(certificate.to_json())
    assert "log-loss" in str(ls.verify(again, stream))


def test_the_bound_is_the_best_reading_plus_the_theorem(league, stream):
    certificate = league.certificate()
    readings, charged = league.books.weights.shape[1], league.tally.updates
    allowed = float(certificate.bound) - np.log(readings * 5 * charged**2)
    best = min(one.log_loss for one in league.standings())
    assert allowed == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("rounds", [(1, 160), (40, 90), (160, 160), (100, 160)])
def test_every_stretch_is_certified(league, stream, rounds):
    certificate = league.certificate("log loss", rounds)
    assert certificate.witness["stretch"] == list(rounds)
    assert ls.verify(certificate, stream)


def test_mistakes_are_certified(league, stream):
    certificate = league.certificate("mistakes")
    assert certificate.count == league.mistakes == certificate.mistakes
    best = min(one.mistakes for one in league.standings())
    assert certificate.witness["phases"][0][4] == best
    assert certificate.witness["phases"][0][5] <= certificate.bound
    assert "mistakes" in str(ls.verify(ls.Certificate.from_json(certificate.to_json()), stream))


def test_a_league_with_newcomers_and_a_newcomer_alone(stream):
    league = ls.League({"perceptron": ls.Perceptron()})
    (chunk,) = stream.chunks()
    list(league.play_chunk(chunk[:60]))
    league.join(ls.Arow(), "arow")
    list(league.play_chunk(chunk[60:]))
    for certificate in (
        league.certificate("mistakes", stream=stream),
        league.certificate("log loss", stream=stream),
        league.certificate("log loss", (61, 160), stream=stream),
    ):
        assert ls.verify(certificate, stream)
    assert [phase[:3] for phase in league.certificate("mistakes", stream=stream).witness["phases"]] == [
        [1, 60, 1],
        [61, 160, 2],
    ]


def test_foreign_forecasts_are_data_and_the_report_says_so(stream):
    asked = []

    def third(x):
        asked.append(1)
        return {0: "yes", 1: "no"}[len(asked) % 3]

    league = ls.League({"perceptron": ls.Perceptron(), "third": third}, keep=True).play(stream)
    certificate = league.certificate("log loss")
    report = ls.verify(certificate, stream, forecasts=league.forecasts)
    assert "of the forecasts that were given for third" in str(report)
    with pytest.raises(NotCertified, match="forecasts"):
        ls.verify(certificate, stream)
    other = {"third": np.where(np.isnan(league.forecasts["third"]), 0.0, league.forecasts["third"])}
    with pytest.raises(NotCertified):
        ls.verify(certificate, stream, forecasts=other)
    with pytest.raises(NotCertified, match="keep=True"):
        ls.League({"third": third}).play(stream).certificate()


def test_importance_is_certified(stream):
    (chunk,) = stream.chunks()
    weighed = replace(chunk, importance=np.random.default_rng(2).choice([0.5, 1.0, 2.0], len(chunk)))

    class Weighed(ls.Recorded):
        def chunks(self):
            yield weighed

    rounds = Weighed(np.zeros((1, 1)), ["no"])
    league = ls.League({"perceptron": ls.Perceptron(), "averaged": ls.AveragedPerceptron()}, most=2.0).play(rounds)
    assert ls.verify(league.certificate(), rounds)


FORGERIES = {
    "panel": lambda c: replace(c, witness=c.witness | {"panel": hash_floats(np.zeros(3))}),
    "served chances": lambda c: replace(c, witness=c.witness | {"served": hash_floats(np.zeros(3))}),
    "flags": lambda c: replace(c, witness=c.witness | {"guesses": hash_floats(np.zeros(3))}),
    "mistakes": lambda c: replace(c, mistakes=c.mistakes - 1),
    "bound": lambda c: replace(c, bound=c.bound - 1),
    "count": lambda c: replace(c, count=c.count - 1),
    "scope": lambda c: replace(c, scope="class"),
    "exact": lambda c: replace(c, exact=True),
    "theorem": lambda c: replace(c, theorem="another"),
    "seed of a member": lambda c: replace(c, learner=_change_member(c, "learner", {"name": "Arow"})),
    "member name": lambda c: replace(c, learner=_change_member(c, "name", "another")),
    "rates": lambda c: replace(c, learner=c.learner | {"rates": [0.5]}),
    "further word": lambda c: replace(c, witness=c.witness | {"more": 1}),
    "rounds": lambda c: replace(c, rounds=c.rounds - 1),
}
OF_LOSSES = {
    "best member": lambda c: replace(c, witness=c.witness | {"member": "perceptron"}, promise=_claim("perceptron")),
    "reading": lambda c: replace(c, witness=c.witness | {"reading": c.witness["reading"] - 1}),
    "readings": lambda c: replace(c, witness=c.witness | {"readings": 10**6}),
    "stretch": lambda c: replace(c, witness=c.witness | {"stretch": [1, 100]}),
}


def _claim(member):
    return f"a reading of {member} loses what it does in rounds 1 to 160"


def _change_member(certificate, word, value):
    about = json.loads(json.dumps(certificate.learner))
    about["members"][0][word] = value
    return about


@pytest.mark.parametrize("name", [*FORGERIES, *OF_LOSSES])
def test_forged_log_loss_is_refused(name, league, stream):
    forged = (FORGERIES | OF_LOSSES)[name](league.certificate("log loss"))
    with pytest.raises(NotCertified):
        ls.verify(forged, stream)


def test_forged_mistakes_are_refused(league, stream):
    true = league.certificate("mistakes")
    forgeries = [forge(true) for forge in FORGERIES.values()]
    phases = [list(true.witness["phases"][0])]
    for place in range(6):
        phases[0] = list(true.witness["phases"][0])
        phases[0][place] += 1
        forgeries.append(replace(true, witness=true.witness | {"phases": [list(phases[0])]}))
    for forged in forgeries:
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)


def test_another_stream_is_refused(league):
    with pytest.raises(NotCertified):
        ls.verify(league.certificate(), draw_stream(seed=9))


def test_products_of_floats_are_exact():
    numbers = np.array([0.1, 0.75, 1e-6, 0.999999, 0.3])
    from fractions import Fraction
    from math import prod

    top, bits = _multiply(numbers)
    assert Fraction(top, 2**bits) == prod(map(Fraction, numbers.tolist()))


def draw_members():
    return {
        "perceptron": ls.Perceptron(),
        "averaged": ls.AveragedPerceptron(),
        "aggressive": ls.PassiveAggressive(),
        "power": ls.PNormPerceptron(power=4.0),
        "diagonal": ls.Arow(diagonal=True, bias=1),
        "whole": ls.Arow(bias=1),
        "second": ls.SecondOrderPerceptron(bias=1),
        "squares": ls.DiagonalSecondOrder(margin=0.5),
        "balanced": ls.BalancedWinnow(),
        "bayes": ls.NaiveBayes(),
    }


@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_the_check_works_out_the_scores_of_members_that_it_knows(real):
    rows = np.abs(np.random.default_rng(1).normal(size=(90, 4)))
    stream = ls.Recorded(rows.astype(real), rows[:, 0] > rows[:, 1])
    report = ls.verify(ls.League(draw_members()).play(stream).certificate(), stream)
    known = ("perceptron", "averaged, played", "aggressive", "power", "diagonal", "whole", "second", "squares")
    assert report.confirmed == known
    assert "the check's own rules give the scores of perceptron, averaged, played" in str(report)


def test_a_member_that_scores_otherwise_than_its_rule_is_refused(stream, monkeypatch):
    """As if the learner's compiled loop were another one: the panel alone cannot tell."""
    from littlestone.game.league.members import OwnMember

    plays = OwnMember.play

    def turn(self, chunk, codes, labels, first):
        said = plays(self, chunk, codes, labels, first)
        said[-1, 5] += 1e-9 * (self.name == "perceptron")
        return said

    with monkeypatch.context() as patched:
        patched.setattr(OwnMember, "play", turn)
        certificate = make_league().play(stream).certificate()
        with pytest.raises(NotCertified, match="perceptron scores round 6 other than it told"):
            ls.verify(certificate, stream)


def test_vectors_are_honest_or_refused_with_a_reason():
    vectors = dict(make_vectors())
    assert len(vectors) == 6 * (16 + 15)
    for name, record in vectors.items():
        assert bool(record["refused"]) != name.endswith("honest"), (name, record["refused"])


def test_leagues_of_earlier_versions_guess_as_they_did_and_their_certificates_hold(tmp_path):
    stream, league = play_game("nothing shared")
    assert league.rates == ()
    old = ls.League({"perceptron": ls.Perceptron(), "averaged": ls.AveragedPerceptron()}, switching=False)
    old.follows = False
    old.play(stream)
    certificate = old.certificate("mistakes")
    assert "follows" not in certificate.learner
    assert ls.verify(certificate, stream)
    written = replace(certificate, learner=certificate.learner | {"rates": [0.0625]})  # as they were written
    assert ls.verify(written, stream)
    old.save(tmp_path / "l.lst")
    document, arrays = container.read(tmp_path / "l.lst")
    del document["league"]["follows"]
    del arrays["books.apart"]
    again = restore(document, arrays, {})
    assert not again.follows
    assert again.tally == old.tally
