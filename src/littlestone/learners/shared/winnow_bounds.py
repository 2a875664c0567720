"""Winnow's bounds: how many updates Winnow's theorems allow, in exact arithmetic.

Winnow with promotion b promotes below `above` and demotes from `below` on (both are the threshold, unless there is a
margin); `strict` moves both ends by what a tie is. The theorems are in `learners/winnow.py`; here are their numbers,
for bounds before the game and for certificates after it. Integers are used to the full: u is rounded down and v, which
is strictly below its bound, to the next integer below.

>>> disjunction(Setting(Fraction(2), Fraction(100), Fraction(100)), attributes=100, relevant=5)
(35, 71)
"""

import math
from fractions import Fraction
from typing import NamedTuple

from littlestone.base.bound import round_up
from littlestone.base.errors import NotCertified, require

Updates = tuple[int, int]  # promotions, demotions


class Setting(NamedTuple):
    """What the theorems need to know of a Winnow."""

    promotion: Fraction
    above: Fraction
    below: Fraction
    strict: bool = False
    eliminate: bool = False


def find_least_power(factor: Fraction, goal: Fraction, strict: bool = False) -> int:
    """The least j >= 0 with factor^j >= goal, or > goal if `strict`; a little more where that takes long to find."""
    if goal < 1:
        return 0
    guess = (math.log(goal.numerator) - math.log(goal.denominator)) / math.log(factor)
    if guess > 4096:
        return math.ceil(guess * (1 + 1e-9)) + 1
    exponent = max(0, math.floor(guess) - 1)
    reached = factor**exponent
    while reached < goal or (strict and reached == goal):
        exponent, reached = exponent + 1, reached * factor
    return exponent


def bound_demotions(setting: Setting, attributes: int, promoted: int) -> int:
    """The most demotions there can be beside this number of promotions."""
    b, ratio = setting.promotion, setting.above / setting.below
    if setting.eliminate:
        return math.floor(attributes / setting.below + (b - 1) * ratio * promoted)
    return math.ceil(b / (b - 1) * attributes / setting.below + b * ratio * promoted) - 1


def bound_disjunction(setting: Setting, attributes: int, relevant: int) -> Updates:
    """Promotions and demotions if every label is the OR of `relevant` attributes."""
    promoted = relevant * find_least_power(setting.promotion, setting.above, setting.strict)
    return promoted, bound_demotions(setting, attributes, promoted)


def left_for_disjunction(setting: Setting, exponents: list[int], chosen: list[int]) -> int:
    """The updates still possible if an OR of attributes with the `chosen` exponents labels every round.

    There are p = sum of (E - e) promotions left, and demotions as the sum of all weights plus p (b - 1) t allows.
    """
    b, threshold = setting.promotion, setting.above
    highest = find_least_power(b, threshold, setting.strict)
    raised = sum(max(highest - e, 0) for e in chosen)
    total = sum((b**e for e in exponents), Fraction(0)) + raised * (b - 1) * threshold
    return raised + math.ceil(total / ((1 - 1 / b) * threshold)) - 1


def bound_separated(
    setting: Setting,
    attributes: int,
    margin: Fraction,
    norm: Fraction,
    slack: Fraction = Fraction(0),
    real: bool = False,
) -> Updates:
    """Promotions and demotions if nonnegative weights of sum `norm` separate the classes, up to `slack` in all.

    For real attributes no weight is bounded by the threshold, only their sum is, by what u promotions can add to it:
    the largest u that is consistent with itself is the bound.
    """
    b = setting.promotion
    require(not setting.eliminate, "elimination is covered for disjunctions only", NotCertified)
    left = 1 - b * (1 - margin) * setting.above / setting.below
    require(
        left > 0,
        f"a margin of {float(margin):g} needs a smaller promotion or learning margin: "
        f"promotion {float(b):g} times (1 - margin) times {setting.above}/{setting.below} must be below 1",
        NotCertified,
    )
    fixed = slack + (1 - margin) * b / (b - 1) * attributes / setting.below

    def allowed(promoted: int) -> int:
        if not real:
            highest = Fraction(find_least_power(b, setting.above, setting.strict))
        else:
            total = attributes + (b - 1) * setting.above * promoted
            highest = round_up(math.log(total) / math.log(b))
        return math.floor((norm * highest + fixed) / left)

    promoted = 1
    while allowed(promoted) >= promoted:
        promoted *= 2
    while allowed(promoted) < promoted:
        promoted = allowed(promoted)
    return promoted, bound_demotions(setting, attributes, promoted)


def bound_drifting(attributes: int, additions: int) -> int:
    """Mistakes of Winnow-R on a disjunction to which variables are added `additions` times, the first ones included.

    Each addition permits ceil(lg 2n) promotions, from at least 1/2 to at least n; a demotion takes at least (n + 1)/4
    of a sum that stays above n/2, so at most 4u + 1 go with u promotions.
    """
    return 5 * additions * (2 * attributes - 1).bit_length() + 1
