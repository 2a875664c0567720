"""Labels that a coin picks: the twin of label-efficient experts, the expected regret, and the certificate."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.coins import draw_bits
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.environments import Withheld
from reference import label_efficient


def make_panel(seed, rounds=200, experts=4):
    rng = np.random.default_rng(seed)
    X, y = rng.random((rounds, experts)).round(2), (rng.random(rounds) < 0.5).astype(float)
    X[:, 1] = np.where(rng.random(rounds) < 0.8, y, 1 - y)
    return X, y


def asked_of(seed, rounds, asking):
    return [(draw_bits(seed, ~t) >> 11) / 2**53 < asking for t in range(rounds)]


@pytest.mark.parametrize("seed", range(4))
def test_experts_are_weighed_by_their_losses_over_the_chance(seed):
    X, y = make_panel(seed, 60)
    eta, asking = 0.2, 0.3
    game = ls.play(ls.LabelEfficient(ls.Hedge(eta / asking), asking), ls.Panel(X, y), seed=seed, transcript=True)
    guesses, estimate = label_efficient(X.tolist(), y.tolist(), asked_of(seed, 60, asking), eta, asking)
    assert [one.guess for one in game.transcript] == pytest.approx(guesses, abs=1e-9)
    assert game.player.learner.estimate_mistakes(game.player.state) == pytest.approx(estimate)
    assert game.player.learner.asked(game.player.state) == sum(asked_of(seed, 60, asking))


@pytest.mark.long
def test_the_expected_regret_stays_below_its_bound_and_the_estimate_is_unbiased():
    """Outcomes at random and experts that say 0 or 1: the regret of one pass, over 200 seeds of the coins."""
    rng = np.random.default_rng(1)
    X, y = (rng.random((300, 8)) < 0.5).astype(float), (rng.random(300) < 0.5).astype(float)
    asking = 0.2
    learner, best = ls.LabelEfficient.tuned(8, 300, asking), np.abs(X - y[:, None]).sum(axis=0).min()
    regrets, gaps = [], []
    for seed in range(200):
        game = ls.play(learner, ls.Panel(X, y), seed=seed, transcript=True)
        lost = sum(abs(one.guess - one.y) for one in game.transcript)
        regrets.append(lost - best)
        gaps.append(lost - learner.estimate_mistakes(game.player.state))
    bound = learner.bound(experts=8, rounds=300)
    assert bound.value == pytest.approx(math.sqrt(300 * math.log(8) / (2 * asking)))
    assert bound.counts == "regret"
    assert 0.2 < np.mean(regrets) / bound.value <= 1
    assert bound.value <= math.sqrt(2 * 300 * math.log(8) / asking)  # the constant of the paper
    assert abs(np.mean(gaps)) <= 4 * np.std(gaps) / math.sqrt(200)


GAMES = [ls.Hedge(0.5), ls.Hedge(0.5, draws=True), ls.AdaHedge(), ls.Aggregating(), ls.FixedShare()]


@pytest.mark.parametrize("inside", GAMES, ids=str)
def test_its_certificate_is_that_of_the_experts_on_the_outcomes_asked_for(inside):
    X, y = make_panel(2, 90)
    stream = ls.Panel(X, y)
    player = ls.play(ls.LabelEfficient(inside, 0.3), stream, seed=5).player
    c = ls.certify(player, stream)
    assert ls.verify(ls.Certificate.from_json(c.to_json()), stream).counted == c.counted
    assert c.counts == "loss where asked"
    assert c.updates == player.learner.asked(player.state)
    inner = ls.Certificate.from_json(json.dumps(c.witness["shown"]))

    def hold(**changes):
        return {"witness": {"shown": json.loads(replace(inner, **changes).to_json())}}

    forged = [
        {"learner": c.learner | {"seed": 6}}, {"learner": c.learner | {"asking": 0.4}}, {"updates": c.updates + 1},
        {"learner": c.learner | {"learner": c.learner["learner"] | {"loss": "Square(low=0.0, high=1.0)"}}},
        {"bound": c.bound / 2}, {"bound": 2 * c.bound}, {"count": c.count / 2}, {"counts": "loss"},
        {"theorem": inner.theorem}, {"mistakes": 1},
         {"rounds": c.rounds - 1}, {"stream": "0" * 64}, {"version": None}, {"witness": {}},
        hold(bound=2 * inner.bound), hold(count=inner.count / 2), hold(rounds=inner.rounds - 1), {"updated": (1,)},
        {"learner": c.learner | {"more": 1}}, {"exact": not c.exact}, {"scope": "iid"},
    ]  # fmt: skip
    if isinstance(inside, ls.Aggregating):
        forged.pop(3)
    for change in forged:
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(c, **change), stream))


def test_over_rows_it_is_the_learner_inside_on_the_labels_asked_for():
    rng = np.random.default_rng(3)
    X = rng.integers(-2, 3, (200, 4)).astype(float)
    y = X @ rng.normal(size=4) + rng.normal(size=200) > 0
    stream, learner = ls.Recorded(X, y, [False, True]), ls.LabelEfficient(ls.Perceptron(), 0.3)
    game = ls.play(learner, stream, seed=7)
    asked = np.flatnonzero(asked_of(7, 200, 0.3))
    alone = ls.play(ls.Perceptron(), ls.Recorded(X[asked], y[asked], [False, True]))
    assert np.array_equal(game.player.state.inner.weights, alone.player.state.weights)
    hidden = ls.play(learner, Withheld(stream), seed=7)
    assert (hidden.tally, hidden.environment.looked_up) == (game.tally, len(asked))
    certificate = ls.certify(game.player, stream)
    assert ls.verify(certificate, stream).replayed
    assert certificate.witness["shown"]["updates"] == alone.updates
    for change in ({"learner": certificate.learner | {"asking": 0.31}}, {"updates": certificate.updates - 1},
                   {"learner": certificate.learner | {"seed": 8}}):  # fmt: skip
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **change), stream)


def test_what_it_promises_of_other_learners_and_what_has_no_sense():
    halving = ls.Halving(ls.Thresholds(6))
    assert ls.LabelEfficient(halving, 0.25).bound().value == halving.bound().value / 0.25
    for asking in (0, 1.1, math.nan):
        with pytest.raises(BadParameter, match="asking"):
            ls.LabelEfficient(ls.Hedge(), asking)
    with pytest.raises(BadParameter, match="asks"):
        ls.LabelEfficient(ls.SelectiveSampling())
    with pytest.raises(NotCertified, match="how many"):
        ls.LabelEfficient().bound()
    with pytest.raises(NotCertified):
        ls.certify(ls.LabelEfficient(ls.WeightedMajority(), 0.5), ls.Panel(*[np.eye(4), [0.0, 1.0, 0.0, 1.0]]))
