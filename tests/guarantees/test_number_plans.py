"""Plans for numbers: what Ridge and CoinRegression promise before the first round, and games that attack it."""

import json
import math

import numpy as np
import pytest

from littlestone import CoinRegression, NumberAssumptions, Recorded, Ridge, estimate, plan, play
from littlestone.base.errors import BadLabel, BadParameter

KNOWN = {"attributes": 20, "labels": (-5.0, 5.0), "examples": 100_000, "relevant": 5, "error": 0.5, "growth": 10.0}


def find(name, **changes):
    return next(e for e in plan(**KNOWN | changes).entries if type(e.learner).__name__ == name)


def test_ridge_promises_what_its_theorem_with_logarithms_gives():
    logarithms = 21 * math.log(1 + 1e5 * 4 / (0.1 * 21)) + 2 * 20 * math.log(10)
    total = 1e5 * 0.25 + 0.1 * (5 * 4 + 100) + 25 + 100 * logarithms
    assert find("Ridge", weights=2.0, active=3).guarantee == pytest.approx(math.sqrt(total / 1e5), rel=1e-8)
    assert find("Ridge").guarantee == find("Ridge", weights=10.0, active=20).guarantee


def test_bets_promise_the_worst_of_all_distances_that_labels_may_have():
    """The loss is at most the smaller one of what two rules allow, and labels may be nearer than they are said."""
    for T, error in ((1e5, 0.5), (1e7, 0.01), (50, 0.0)):
        r, more = math.sqrt(T + 1), math.log2((T + 1) * 100) / 2 - 0.75

        def by_rule(distance, T=T, error=error, r=r, more=more):
            charges = [(1, 2 * 10 * r), (5, 2 * 2 * r)]
            logs = sum(k * v * max(0.0, math.log(v * 10 / distance) + more) for k, v in charges)
            return T * error + 5 + 21 * distance + logs

        worst = max(min(by_rule(d), T * d + 5 + 21 * d) for d in np.geomspace(1e-6, 10, 20_000))
        found = find("CoinRegression", weights=2.0, examples=int(T), error=error).guarantee
        assert worst / T <= found <= worst / T * (1 + 1e-3)


def play_against(learner, seed):
    """A game in which labels are far from what is said, or near a rule, in columns of any units; rows and labels."""
    rng = np.random.default_rng(seed)
    n, T = int(rng.integers(1, 4)), int(rng.integers(2, 120))
    X = rng.choice([-1.0, 0.0, 0.5, 1.0], (T, n)) * 10.0 ** rng.integers(-5, 6, n)
    if seed % 2:
        X *= np.linspace(0.05, 1, T)[:, None]
    centre, u = rng.normal() * rng.choice([0, 1, 100]), rng.normal(size=n) / np.maximum(np.abs(X).max(axis=0), 1e-9)
    game, y = play(learner, Recorded(X[:0], np.zeros(0))), np.zeros(T)
    kind = seed % 3
    missed = 0.0
    for t in range(T):
        said = game.player.predict(X[t])
        near = centre + X[t] @ u + 0.1 * rng.normal()
        y[t] = near if kind == 0 else centre + (1.0 if said < centre else -1.0) if kind == 1 else centre + rng.normal()
        missed += abs(said - y[t])
        game.player.update(X[t], y[t])
    return X, y, missed / T


def describe(X, y, v, constant):
    """What is true of a game that was played, and of a rule."""
    sizes = np.abs(X).max(axis=0)
    firsts = [np.abs(column[column != 0][:1]).sum() for column in X.T]
    far = np.abs(y - y[0])
    growths = [size / first for size, first in zip(sizes, firsts, strict=True) if first]
    growths += [far.max() / far[far > 0][0]] if far.any() else []
    error = math.sqrt(((y - constant - X @ v) ** 2).mean())
    return NumberAssumptions(
        X.shape[1], (float(y.min()), float(y.max())), len(y), max(1, int(np.count_nonzero(v))),
        float((sizes * np.abs(v)).max()), error, max(1, int(np.count_nonzero(X, axis=1).max())),
        max([1.0, *growths]),
    )  # fmt: skip


@pytest.mark.parametrize("learner", [Ridge(), CoinRegression()])
def test_no_game_is_further_off_than_was_promised(learner):
    nearest = 0.0
    for seed in range(40):
        X, y, missed = play_against(learner, seed)
        if y.min() == y.max():
            continue
        sizes = np.where(np.abs(X).max(axis=0) > 0, np.abs(X).max(axis=0), 1.0)
        least = np.linalg.lstsq(X / sizes, y - y.mean(), rcond=None)[0] / sizes
        for v, constant in ((least, y.mean()), (0 * least, np.median(y)), (0 * least, y.mean())):
            found = plan(assumptions=describe(X, y, v, float(np.clip(constant, y.min(), y.max()))))
            entry = next(e for e in found.entries if type(e.learner) is type(learner))
            assert missed <= entry.guarantee
            nearest = max(nearest, missed / entry.guarantee)
    assert nearest > 0.2  # the promise is within reach of these games


def test_what_is_off_as_far_as_the_middle_of_the_labels_is_no_promise():
    assert "promises nothing" not in plan(**KNOWN).reason
    assert plan(**KNOWN).reason.startswith("Ridge(): at most 0.")
    few = plan(**KNOWN | {"examples": 100})
    assert few.reason.endswith("label is never off by more than 5; `race` tries every learner")
    assert min(entry.guarantee for entry in few.entries) >= 5


def test_a_plan_for_numbers_lists_learners_of_numbers_only():
    found = plan(**KNOWN)
    assert [type(e.learner).__name__ for e in found.entries] == ["Ridge", "CoinRegression"]
    assert {e.counts for e in found.entries} == {"mean error"}
    assert found.record()["silent"] == {}
    assert json.loads(found.to_json())["assumptions"]["labels"] == [-5.0, 5.0]
    wide = plan(**KNOWN | {"attributes": 5000})
    assert [type(e.learner).__name__ for e in wide.entries] == ["CoinRegression"]
    assert list(wide.record()["silent"]) == ["Ridge"]
    assert str(found).startswith("labels are from -5 to 5; a constant and weights on 5 of 20 attributes")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": (1.0, 1.0)}, "below the highest"),
        ({"labels": (0.0, 1e200)}, "at most 1e"),
        ({"labels": (0.0, math.inf)}, "finite|at most"),
        ({"relevant": 21}, r"in \[1, 20\], got 21"),
        ({"weights": -1.0}, "got -1"),
        ({"error": -0.1}, "got -0.1"),
        ({"growth": 0.5}, "got 0.5"),
        ({"active": 0}, "got 0"),
        ({"margin": 0.1}, "say one of them"),
    ],
)
def test_impossible_assumptions_about_numbers_are_refused(changes, message):
    with pytest.raises(BadParameter, match=message):
        plan(**KNOWN | changes)


def test_a_plan_for_numbers_needs_the_number_of_rounds():
    with pytest.raises(BadParameter, match="how many examples"):
        plan(attributes=3, labels=(0, 1))


def test_a_rule_for_numbers_is_estimated_from_the_head_of_a_stream():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], (2000, 3)) * [1.0, 1e6, 1e-6]
    y = X @ [2.0, 3e-6, 0.0] + 100 + 0.1 * rng.normal(size=2000)
    found = estimate(Recorded(X, y), rounds=1000, examples=50_000)
    assert found == NumberAssumptions(
        3, found.labels, 50_000, 3, found.weights, found.error, 3, found.growth, estimated=1000
    )
    assert found.labels == (y[:1000].min(), y[:1000].max())
    assert found.weights == pytest.approx(3, abs=0.05)
    assert found.error == pytest.approx(0.1, rel=0.2)
    assert found.growth >= 1
    assert "a guess, nothing is promised" in str(found)
    assert plan(assumptions=found).recommended.learner == Ridge()
    asked = estimate(Recorded(X[:40], np.round(y[:40])), task="regression")
    assert isinstance(asked, NumberAssumptions)
    with pytest.raises(BadLabel, match="all the same"):
        estimate(Recorded(X[:5], np.ones(5)), task="regression")
