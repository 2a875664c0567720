"""Winnow's theory: what its theorems allow, in exact arithmetic, before a game, in the middle of it and after it.

Winnow with promotion b promotes below `above` and demotes from `below` on (both are the threshold, unless there is a
margin); `strict` moves both ends by what a tie is. The theorems are in `learners/winnow.py`; here are their numbers.
Integers are used to the full: u is rounded down and v, which is strictly below its bound, to the next integer below.

After a game a witness is a vector of whole numbers m >= 0 and two more, p > q: m.x >= p on promotions and m.x <= q on
demotions, up to slacks that are summed.

>>> bound_disjunction(Setting(Fraction(2), Fraction(100), Fraction(100)), attributes=100, relevant=5)
(35, 71)
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import round_up
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import Theorem
from littlestone.base.traits import PlanEntry

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
        exponent = exponent + 1
        reached = reached * factor
    return exponent


def bound_demotions(setting: Setting, weight: Fraction | int, promoted: int) -> int:
    """The most demotions beside these promotions: the sum of all weights, `weight` at first, stays positive."""
    b = setting.promotion
    total = weight + promoted * (setting.promotion - 1) * setting.above
    if setting.eliminate:
        return math.floor(total / setting.below)
    return max(0, math.ceil(total * b / ((b - 1) * setting.below)) - 1)


def bound_disjunction(setting: Setting, attributes: int, relevant: int) -> Updates:
    """Promotions and demotions if every label is the OR of `relevant` attributes."""
    promoted = relevant * find_least_power(setting.promotion, setting.above, setting.strict)
    return promoted, bound_demotions(setting, attributes, promoted)


def bound_rest_of_disjunction(setting: Setting, exponents: list[int], chosen: list[int]) -> int:
    """The updates still possible if an OR of attributes with the `chosen` exponents labels every round.

    There are p = sum of (E - e) promotions left, and demotions as the sum of all weights plus p (b - 1) t allows.
    """
    b = setting.promotion
    threshold = setting.above
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
    needs = f"a margin of {float(margin):g} needs a smaller promotion or learning margin"
    product = f"promotion {float(b):g} times (1 - margin) times {setting.above}/{setting.below}"
    require(left > 0, f"{needs}: {product} must be below 1", NotCertified)
    fixed = slack + (1 - margin) * b / (b - 1) * attributes / setting.below

    def bound_promotions(promoted: int) -> int:
        if not real:
            highest = Fraction(find_least_power(b, setting.above, setting.strict))
        else:
            total = attributes + (b - 1) * setting.above * promoted
            highest = round_up(math.log(total) / math.log(b))
        return math.floor((norm * highest + fixed) / left)

    promoted = 1
    while bound_promotions(promoted) >= promoted:
        promoted *= 2
    while bound_promotions(promoted) < promoted:
        promoted = bound_promotions(promoted)
    return promoted, bound_demotions(setting, attributes, promoted)


def bound_drifting(attributes: int, additions: int) -> int:
    """Mistakes of Winnow-R on a disjunction to which variables are added `additions` times, the first ones included.

    Each addition permits ceil(lg 2n) promotions, from at least 1/2 to at least n; a demotion takes at least (n + 1)/4
    of a sum that stays above n/2, so at most 4u + 1 go with u promotions.
    """
    return 5 * additions * (2 * attributes - 1).bit_length() + 1


class PromotionFacts(NamedTuple):
    """What a witness shows about the updates of a run."""

    setting: Setting
    attributes: int  # that occur in updates
    exponent: int  # the largest that a weight can have
    total: int  # the sum of the witness
    promoted: int  # p
    demoted: int  # q
    slack: int
    excess: Fraction = Fraction(0)  # what decisions on the wrong side of a threshold added to the sum of all weights


class ScheduleFacts(NamedTuple):
    """What a schedule of disjunctions shows about the updates of Winnow-R."""

    attributes: int
    threshold: Fraction
    promoted: int  # promotions that its additions permit


def _allows_separated(f: PromotionFacts, m: int) -> bool:
    b, above, below = f.setting[:3]
    left = f.promoted - b * f.demoted * above / below
    if left <= 0:
        return m < 2**63  # no bound: never the smallest
    fixed = f.demoted * b / (b - 1) * (f.attributes + f.excess) / below
    promoted = math.floor((f.total * f.exponent + f.slack + fixed) / left)
    return m <= promoted + bound_demotions(f.setting, f.attributes + f.excess, promoted)


def _allows_scheduled(f: ScheduleFacts, m: int) -> bool:
    n = f.attributes
    theta = f.threshold
    return m <= f.promoted + math.floor((2 * n + 4 * f.promoted * theta) / (2 * theta - n + 1))


OR = Theorem(
    "Winnow, disjunction (Littlestone 1988)",
    "the label of every update round is the OR of some attributes",
    _allows_separated,
    "promotions",
)
MARGIN = Theorem(
    "Winnow, margin (Littlestone 1988)",
    "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    _allows_separated,
    "promotions",
)
SLACK = Theorem(
    "Winnow, margin with slack (Littlestone 1991)",
    "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    _allows_separated,
    "promotions",
    losses="hinge",
)
ELIMINATION = Theorem(
    "Winnow, elimination (Littlestone 1988)",
    "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    _allows_separated,
    "promotions",
    losses="hinge",
)
DRIFT = Theorem(
    "Winnow-R, drifting disjunction (Blum 1998)",
    "the label of every update round is the OR of the variables that a schedule names for it",
    _allows_scheduled,
    "promotions",
)


def list_promises(make: Callable[..., Any], assumptions: Assumptions) -> Iterator[PlanEntry]:
    """The promises of learners that `make` builds with Winnow's parameters."""
    a = assumptions
    n = assumptions.attributes
    if a.margin is not None or (a.drift and a.flips):
        return
    drifting = make(floor=0.5)
    eliminating = make(eliminate=True)
    if a.drift:
        bound = drifting.bound(n, additions=a.relevant + a.drift)
        formula = "5 c ceil(lg 2n) + 1, c = relevant + drift"
        yield PlanEntry(drifting, bound.value, bound.counts, formula, float(a.most), float(n))
    elif a.flips:
        slack = Fraction(min(a.relevant, a.most) * a.flips)
        setting = Setting(Fraction(2), Fraction(n), Fraction(n))
        updates = bound_separated(setting, n, Fraction(1), Fraction(a.relevant), slack)
        formula = "3 (k ceil(lg n) + k F) + 1, F wrong labels"
        yield PlanEntry(make(), sum(updates), "mistakes", formula, a.most, float(n))
    else:
        bound = make().bound(n, relevant=a.relevant)
        yield PlanEntry(make(), bound.value, bound.counts, "3 k ceil(lg n) + 1", float(a.most), float(n))
        bound = eliminating.bound(n, relevant=a.relevant)
        yield PlanEntry(eliminating, bound.value, bound.counts, "2 k ceil(lg n) + 1", float(a.most), 4.0 * n)
