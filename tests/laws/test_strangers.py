"""Learners that somebody else wrote: plain objects with `predict` and `update`, held to laws and to theorems."""

import math

import pytest

from littlestone import laws
from littlestone.base.errors import BadParameter
from littlestone.concepts import Thresholds
from littlestone.laws.attacks import play_attacks
from littlestone.learners import (
    Aggregating,
    Consistent,
    FollowTheLeader,
    Halving,
    Hedge,
    Memorizer,
    Network,
    Perceptron,
    RandomizedWeightedMajority,
    WeightedMajority,
    Winnow,
)


class PlainPerceptron:
    """Rosenblatt's rule as anybody would write it, a constant attribute included."""

    def __init__(self):
        self.w = {}

    def score(self, x):
        return sum(self.w.get(i, 0) * v for i, v in enumerate((*x, 1)))

    def predict(self, x):
        return self.score(x) > 0

    def update(self, x, y):
        sign = 1 if y else -1
        if self.teaches(sign * self.score(x)):
            for i, v in enumerate((*x, 1)):
                self.w[i] = self.w.get(i, 0) + sign * v

    def teaches(self, agreement):
        return agreement <= 0


class UpdatesOnCorrectRounds(PlainPerceptron):
    def teaches(self, agreement):
        return True


class PlainWinnow:
    threshold = 4

    def __init__(self):
        self.w = None

    def score(self, x):
        self.w = self.w or [1] * len(x)
        return sum(w for w, v in zip(self.w, x, strict=True) if v)

    def predict(self, x):
        return self.score(x) >= self.threshold

    def update(self, x, y):
        guess = self.predict(x)
        if guess != y:
            self.w = [w * (2 if y else 0.5) if v else w for w, v in zip(self.w, x, strict=True)]


class WrongInequality(PlainWinnow):
    def predict(self, x):
        return self.score(x) > self.threshold


class OppositeInequality(PlainWinnow):
    def predict(self, x):
        return self.score(x) <= self.threshold


class PlainVote:
    def __init__(self):
        self.w = None

    def predict(self, x):
        self.w = self.w or [1.0] * len(x)
        return 2 * sum(w for w, v in zip(self.w, x, strict=True) if v == 1) > sum(self.w)

    def update(self, x, y):
        self.predict(x)
        self.w = [w * (0.5 if (v == 1) != bool(y) else 1) for w, v in zip(self.w, x, strict=True)]


class IgnoresWeights(PlainVote):
    def update(self, x, y):
        pass


class Batched(PlainPerceptron):
    def replay(self, xs, ys):
        guesses = []
        for x, y in zip(xs, ys, strict=True):
            guesses.append(self.predict(x))
            self.update(x, y)
        return guesses


class PeeksAtTheLabel(Batched):
    """It learns the round before it guesses it."""

    def replay(self, xs, ys):
        guesses = []
        for x, y in zip(xs, ys, strict=True):
            self.update(x, y)
            guesses.append(self.predict(x))
        return guesses


class TakesOneStepForTheBatch(Batched):
    def replay(self, xs, ys):
        guesses = [self.predict(x) for x in xs]
        for x, y in zip(xs, ys, strict=True):
            self.update(x, y)
        return guesses


class PlainHedge:
    rate = 0.5

    def __init__(self):
        self.losses = None

    def weights(self, x):
        self.losses = self.losses or [0.0] * len(x)
        raw = [math.exp(-self.rate * loss) for loss in self.losses]
        return [w / sum(raw) for w in raw]

    def predict(self, x):
        return sum(w * v for w, v in zip(self.weights(x), x, strict=True))

    def update(self, x, y):
        self.weights(x)
        self.losses = [loss + abs(v - y) for loss, v in zip(self.losses, x, strict=True)]


class StartsAsASum(PlainHedge):
    """Its weights start at 1 each and are normalised only when it learns."""

    def weights(self, x):
        return PlainHedge.weights(self, x) if self.losses else [1.0] * len(x)

    def update(self, x, y):
        self.losses = self.losses or [0.0] * len(x)
        PlainHedge.update(self, x, y)


HONEST = [
    (PlainPerceptron, Perceptron()),
    (Batched, Perceptron()),
    (PlainWinnow, Winnow(threshold=4.0)),
    (PlainVote, WeightedMajority()),
    (PlainHedge, Hedge(0.5)),
]
GUILTY = [
    (UpdatesOnCorrectRounds, Perceptron(), "it does not guess as Perceptron", "are allowed by the theorem"),
    (WrongInequality, Winnow(threshold=4.0), "it does not guess as Winnow", None),
    (OppositeInequality, Winnow(threshold=4.0), "it does not guess as Winnow", "are allowed by the theorem"),
    (IgnoresWeights, WeightedMajority(), "it does not guess as WeightedMajority", "one honest expert among liars"),
    (PeeksAtTheLabel, Perceptron(), "changed the guess", "changed the guess"),
    (TakesOneStepForTheBatch, Perceptron(), "changed the guess", "changed the guess"),
    (StartsAsASum, Hedge(0.5), "it does not guess as Hedge", "is not between"),
]


@pytest.mark.parametrize(("stranger", "model"), HONEST, ids=str)
def test_an_honest_stranger_passes(stranger, model):
    held = laws.check(stranger, like=model)
    assert {"agrees", "keeps_its_bound"} <= set(held)
    assert "keeps_its_bound" in laws.check(stranger(), claims=model)


@pytest.mark.parametrize(("stranger", "model", "told", "_"), GUILTY, ids=lambda value: str(value)[:40])
def test_a_stranger_that_is_not_what_it_is_said_to_be_is_found(stranger, model, told, _):
    with pytest.raises(laws.BrokenLaw, match=told):
        laws.check(stranger, like=model)


@pytest.mark.parametrize(("stranger", "model", "_", "told"), [row for row in GUILTY if row[3]], ids=str)
def test_a_stranger_that_does_not_have_the_theorem_it_claims_is_found(stranger, model, _, told):
    with pytest.raises(laws.BrokenLaw, match=told):
        laws.check(stranger, claims=model)


def test_another_tie_has_the_theorem_and_is_another_learner():
    """A Winnow that needs more than its threshold makes few mistakes too; only round by round does it differ."""
    assert "keeps_its_bound" in laws.check(WrongInequality, claims=Winnow(threshold=2.0))
    with pytest.raises(laws.BrokenLaw, match="does not guess as"):
        laws.agrees(WrongInequality, [((1, 1, 1, 1), True)], Winnow(threshold=4.0))


@pytest.mark.parametrize(
    "learner",
    [
        Perceptron(),
        Perceptron(rate=0.5, margin=1, bias=0),
        Perceptron(tie="plus"),
        Winnow(),
        Winnow(eliminate=True),
        WeightedMajority(),
        WeightedMajority(0.9),
        FollowTheLeader(),
        Hedge(),
        Hedge(0.5),
        Aggregating(),
        Halving(Thresholds(14)),
        Consistent(Thresholds(6)),
    ],
    ids=str,
)  # fmt: skip
def test_ours_stay_within_the_bounds_that_they_claim(learner):
    trials = list(play_attacks(learner, learner))
    assert all(trial.counted <= trial.allowed and not trial.fault for trial in trials)
    assert max(trial.counted for trial in trials) > 0
    assert laws.keeps_its_bound(learner, learner)


def test_an_adversary_attains_what_is_attained():
    opposite = next(iter(play_attacks(Halving(Thresholds(14)), Halving(Thresholds(14)))))
    assert opposite.counted == opposite.allowed == 4
    assert max(trial.counted for trial in play_attacks(Consistent(Thresholds(6)), Consistent(Thresholds(6)))) == 7


def test_what_no_game_attacks_is_said_when_it_is_claimed_and_passed_over_when_it_is_compared():
    with pytest.raises(BadParameter, match="no games here attack"):
        laws.check(Memorizer(), claims=Memorizer())
    with pytest.raises(BadParameter, match="tosses coins"):
        laws.check(RandomizedWeightedMajority(), claims=RandomizedWeightedMajority())
    assert "keeps_its_bound" not in laws.check(Memorizer(), like=Memorizer())
    assert "agrees" not in laws.check(RandomizedWeightedMajority(), like=RandomizedWeightedMajority())
    assert "agrees" in laws.check(Network(Perceptron()), like=Network(Perceptron()))
