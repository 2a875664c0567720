"""Apple tasting: its twin, its identity over all coins, its bound, labels that it never sees, and its certificate."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.coins import draw_bits
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import fingerprint
from littlestone.environments import Withheld
from reference import apple_tasting
from row_games import noisy


def coins_of(seed, rounds):
    return [Fraction(draw_bits(seed, ~t) >> 11, 2**53) for t in range(rounds)]


def make_game(seed, rounds=300, wide=6):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (rounds, wide)).astype(float)
    return X, X @ rng.normal(size=wide) + rng.normal(size=rounds) > 0


def mark(player):
    return fingerprint(player.state.inner.weights[:6]), fingerprint(player.state.counts)


@given(st.integers(1, 4).flatmap(noisy), st.sampled_from([Fraction(1, 8), Fraction(1, 2), Fraction(1)]),
       st.integers(0, 9))  # fmt: skip
def test_agrees_with_its_twin_exactly_on_integers(rounds, exploring, seed):
    learner = ls.AppleTasting(ls.Perceptron(bias=0), float(exploring))
    X, y = np.array([x for x, _ in rounds], float), np.array([label > 0 for _, label in rounds])
    game = ls.play(learner, ls.Recorded(X, y), seed=seed, transcript=True)
    weights, accepted, estimate = apple_tasting(rounds, coins_of(seed, len(rounds)), exploring)
    assert [bool(one.guess) for one in game.transcript] == accepted or game.transcript[0].guess is None
    assert game.player.state.inner.weights.tolist() == weights
    assert learner.asked(game.player.state) == sum(accepted)
    assert learner.estimate_mistakes(game.player.state) == pytest.approx(float(estimate))
    assert ls.play(learner, ls.Recorded(X, y), seed=seed).mistakes == game.mistakes


@pytest.mark.parametrize("exploring", [Fraction(1, 4), Fraction(2, 3)])
def test_the_identity_holds_exactly_over_all_coins(exploring):
    """Every way in which the coins of seven rounds can fall, by its chance: an exact expectation on both sides."""
    rng = np.random.default_rng(5)
    rounds = [(rng.integers(-2, 3, 2).tolist(), int(rng.choice([-1, 1]))) for _ in range(7)]
    made = estimated = Fraction(0)
    for falls in product((True, False), repeat=7):
        chance = math.prod(exploring if fall else 1 - exploring for fall in falls)
        coins = [Fraction(0) if fall else Fraction(99, 100) for fall in falls]
        _, accepted, estimate = apple_tasting(rounds, coins, exploring)
        made += chance * sum(took != (y > 0) for took, (_, y) in zip(accepted, rounds, strict=True))
        estimated += chance * estimate
    assert made == estimated > 0


def test_the_expected_mistakes_stay_below_the_bound_of_separable_rows():
    """Against rows of margin g the Perceptron errs at most R^2 / g^2 times on what it sees."""
    X, y = make_game(2, 400, 3)
    u = np.linalg.lstsq(X, np.where(y, 1.0, -1.0), rcond=None)[0]
    X = X[np.abs(X @ u) > 0.4]
    y = X @ u > 0
    allowed = ls.separable(ls.Recorded(X, y), bias=0).updates
    negatives = int(np.count_nonzero(~y))
    learner = ls.AppleTasting.tuned(ls.Perceptron(bias=0), allowed, negatives)
    assert learner.exploring == pytest.approx(math.sqrt(allowed / negatives))
    mean = np.mean([ls.play(learner, ls.Recorded(X, y), seed=seed).mistakes for seed in range(60)])
    assert 0.05 < mean / (allowed / learner.exploring + learner.exploring * negatives) <= 1


def test_labels_that_were_not_accepted_change_nothing():
    """Live play that looks up no other label ends where a game ends that had them all, or had lies for them."""
    X, y = make_game(1)
    learner = ls.AppleTasting(ls.Perceptron(), 0.1)
    whole = ls.play(learner, ls.Recorded(X, y, [False, True]), seed=5).player
    live, lies, unseen = ls.Player(learner, classes=[False, True], seed=5), y.copy(), 0
    for t, x in enumerate(X):
        assert live.wants_label(x) == live.predict(x)
        if live.wants_label(x):
            live.update(x, bool(y[t]))
        else:
            live.skip(x)
            lies[t], unseen = not y[t], unseen + 1
    assert unseen > 50
    assert mark(live) == mark(whole)
    assert mark(ls.play(learner, ls.Recorded(X, lies, [False, True]), seed=5).player) == mark(whole)
    assert mark(ls.play(learner, ls.Recorded(X, y, [False, True]), seed=6).player) != mark(whole)
    game = ls.play(learner, Withheld(ls.Recorded(X, y), [False, True]), seed=5)
    assert mark(game.player) == mark(whole)
    assert game.environment.looked_up == learner.asked(whole.state) == 300 - unseen
    assert game.tally == whole.tally


def test_the_estimate_is_unbiased_over_the_coins():
    X, y = make_game(3, rounds=150)
    gaps = []
    for seed in range(300):
        game = ls.play(ls.AppleTasting(ls.Perceptron(), 0.2), ls.Recorded(X, y), seed=seed)
        gaps.append(game.mistakes - game.player.learner.estimate_mistakes(game.player.state))
    assert abs(np.mean(gaps)) <= 4 * np.std(gaps) / math.sqrt(300)
    assert np.std(gaps) > 0


INSIDE = [ls.Perceptron(), ls.Perceptron(margin=1, bias=0), ls.AveragedPerceptron(), ls.PassiveAggressive(),
          ls.AggressivePerceptron(), ls.VotedPerceptron(), ls.Alma()]  # fmt: skip


@pytest.mark.parametrize("inside", INSIDE, ids=str)
def test_its_certificate_is_that_of_the_learner_inside_on_what_was_accepted(inside):
    X, y = make_game(4, 120)
    for labels in (y, np.where(y, "spam", "ham")):
        stream = ls.Recorded(X, labels)
        player = ls.play(ls.AppleTasting(inside, 0.2), stream, seed=3).player
        certificate = ls.certify(player, stream)
        report = ls.verify(ls.Certificate.from_json(certificate.to_json()), stream)
        assert report.replayed
        assert certificate.mistakes == player.tally.mistakes
        assert certificate.updates == player.tally.updates == len(certificate.updated)
        assert certificate.witness["shown"]["rounds"] == player.learner.asked(player.state)


def test_every_word_of_its_certificate_is_checked():
    X, y = make_game(4, 150)
    stream = ls.Recorded(X, y)
    c = ls.certify(ls.play(ls.AppleTasting(ls.Perceptron(), 0.2), stream, seed=3).player, stream)
    about, inner = c.learner, ls.Certificate.from_json(json.dumps(c.witness["shown"]))

    def hold(**changes):
        return {"witness": {"shown": json.loads(replace(inner, **changes).to_json())}}

    forged = [
        {"learner": about | {"seed": 4}}, {"learner": about | {"exploring": 0.3}}, {"learner": about | {"more": 1}},
        {"learner": about | {"learner": about["learner"] | {"bias": 0.5}}}, {"learner": about | {"real": "float32"}},
        {"learner": about | {"classes": [True, False]}}, {"learner": about | {"name": "Conservative"}},
        {"updated": c.updated[1:], "updates": c.updates - 1}, {"updates": c.updates + 1}, {"mistakes": c.mistakes + 1},
        {"bound": c.bound - 1}, {"bound": c.bound + 1}, {"bound": float(c.bound)}, {"theorem": inner.theorem},
        {"promise": "none"}, {"counts": "mistakes"}, {"count": c.updates}, {"scope": "expectation"}, {"exact": False},
        {"marks": (1,) * c.updates}, {"rows": None}, {"version": None}, {"rounds": c.rounds - 1}, {"stream": "0" * 64},
        {"witness": {}}, {"witness": c.witness | {"more": 1}}, hold(bound=inner.bound + 1),
        hold(rounds=inner.rounds - 1),
        hold(updated=inner.updated[1:], updates=inner.updates - 1), hold(mistakes=inner.mistakes + 1),
        hold(learner=inner.learner | {"bias": 0.5}), hold(stream="0" * 64),
    ]  # fmt: skip
    assert ls.verify(c, stream)
    for change in forged:
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(c, **change), stream))


def test_over_a_finite_class_its_certificate_counts_what_was_accepted():
    points = [2, 5, 3, 6, 1, 4, 0] * 4
    stream = ls.Recorded(points, [x >= 3 for x in points])
    for inside in (ls.Halving(ls.Thresholds(6)), ls.Conservative(ls.StandardOptimal(ls.Thresholds(6)))):
        learner = ls.AppleTasting(inside, 0.3)
        player = ls.play(learner, stream, seed=8).player
        certificate = ls.certify(player, stream)
        assert ls.verify(ls.Certificate.from_json(certificate.to_json()), stream, learner)
        assert certificate.counts == "mistakes where accepted"
        assert certificate.count <= certificate.bound <= inside.bound().value
        for change in ({"count": certificate.count + 1}, {"bound": certificate.bound + 1},
                       {"learner": certificate.learner | {"seed": 9}},
                       {"learner": certificate.learner | {"exploring": 0.9}}, {"mistakes": 99}):  # fmt: skip
            with pytest.raises(NotCertified):
                print(change, ls.verify(replace(certificate, **change), stream, learner))
        bound = learner.bound(negatives=100)
        assert float(bound.value) == pytest.approx(inside.bound().value / 0.3 + 0.3 * 100)
        assert bound.counts == "expected mistakes"


def test_what_has_no_sense_is_refused_in_words():
    for exploring in (0, -1, 1.5, math.nan):
        with pytest.raises(BadParameter, match="exploring"):
            ls.AppleTasting(ls.Perceptron(), exploring)
    with pytest.raises(BadParameter, match="asks"):
        ls.AppleTasting(ls.SelectiveSampling())
    with pytest.raises(BadParameter, match="two classes"):
        ls.AppleTasting(ls.Ridge())
    with pytest.raises(NotCertified, match="depend on what is accepted"):
        ls.AppleTasting(ls.RandomizedHalving(ls.Thresholds(6))).bound(negatives=9)
    stream = ls.Recorded([[0.0], [0.0]], [False, False])
    with pytest.raises(NotCertified, match="nothing to certify"):
        ls.certify(ls.AppleTasting(ls.Perceptron(bias=0), 1e-6), stream)
