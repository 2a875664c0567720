"""Arguments of bounds that no game has are refused in words, for every learner."""

import inspect
import math
from fractions import Fraction
from itertools import product

import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter, LittlestoneError

VALUES = (-3, -0.5, 0, 1, 2, 2.5, Fraction(1, 3), math.nan, math.inf, True, "three", [1])
LEARNERS = [
    ls.AdaHedge(),
    ls.Aggregating(),
    ls.AppleTasting(ls.Winnow()),
    ls.BalancedWinnow(),
    ls.BalancedWinnow(margin=0.5),
    ls.Conservative(ls.Halving(ls.Thresholds(6))),
    ls.Duplicated(ls.Winnow()),
    ls.Elimination(),
    ls.Ellipsoid(),
    ls.FallbackHalving(),
    ls.FixedShare(),
    ls.FollowTheLeader(),
    ls.FollowTheLeader(random=True),
    ls.Halving(ls.Thresholds(6)),
    ls.Hedge(),
    ls.ImprovedMajority(),
    ls.LabelEfficient(),
    ls.Memorizer(),
    ls.PNormPerceptron(),
    ls.Pool(ls.Thresholds(6), ls.WeightedMajority()),
    ls.RandomizedWeightedMajority(),
    ls.Restarting(ls.Winnow()),
    ls.Tracking(ls.Winnow()),
    ls.WeightedMajority(),
    ls.WeightedMajority(0),
    ls.Winnow(),
    ls.Winnow(2, floor=0.5),
]
USUAL = {"attributes": 4, "experts": 3, "rounds": 10, "best_loss": 2, "instances": 3, "negatives": 5}


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_bound_is_a_number_from_zero_up_or_refused_in_words(learner):
    given = inspect.signature(learner.bound).parameters
    names = [name for name, one in given.items() if one.kind is not one.VAR_KEYWORD]
    names += ["relevant", "margin", "norm", "additions"] if len(names) < len(given) else []
    must = {name: USUAL[name] for name, one in given.items() if one.default is one.empty and name in names}
    for name, value in product(names, VALUES):
        for others in ({}, {key: one for key, one in USUAL.items() if key in names}):
            for more in ({}, {"relevant": 2}, {"margin": 0.5, "norm": 2}):
                asked = must | others | {key: one for key, one in more.items() if key in names} | {name: value}
                try:
                    bound = learner.bound(**asked)
                except LittlestoneError:
                    continue
                assert bound.value >= 0, asked
                number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
                assert name == "readable" or (number and 0 <= value < math.inf), asked


def test_what_is_wrong_is_named():
    for learner, asked, words in (
        (ls.Winnow(2, floor=0.5), {"attributes": 4, "additions": -3}, "additions must be at least 0, got -3"),
        (ls.FixedShare(), {"experts": 3, "rounds": 9, "switches": -3}, "switches must be at least 0, got -3"),
        (ls.Hedge(), {"experts": 0, "rounds": 9}, "experts must be at least 1, got 0"),
        (ls.Hedge(), {"experts": 2.5, "rounds": 9}, "experts must be a whole number or None, got 2.5"),
        (ls.AdaHedge(), {"experts": 2, "rounds": 9, "best_loss": 10}, "best_loss must be at most rounds, 9, got 10"),
    ):
        with pytest.raises(BadParameter, match=words):
            learner.bound(**asked)
