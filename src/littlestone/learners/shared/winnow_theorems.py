"""Winnow's theorems as predicates on the promotions and demotions of a run; `learners/winnow.py` has the proofs.

A witness is a vector of whole numbers m >= 0 and two more, p > q: m.x >= p on promotions and m.x <= q on demotions, up
to slacks that are summed.
"""

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from littlestone.base.theorem import Theorem
from littlestone.learners.shared.winnow_bounds import Setting


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


def most_demotions(f: PromotionFacts, promoted: int) -> int:
    """The most demotions beside this number of promotions: the sum of all weights stays positive."""
    b, above, below = f.setting[:3]
    total = f.attributes + f.excess + promoted * (b - 1) * above
    if f.setting.eliminate:
        return floor(total / below)
    return max(0, ceil(total * b / ((b - 1) * below)) - 1)


def _separated(f: PromotionFacts, m: int) -> bool:
    b, above, below = f.setting[:3]
    left = f.promoted - b * f.demoted * above / below
    if left <= 0:
        return m < 2**63  # no bound: never the smallest
    fixed = f.demoted * b / (b - 1) * (f.attributes + f.excess) / below
    promoted = floor((f.total * f.exponent + f.slack + fixed) / left)
    return m <= promoted + most_demotions(f, promoted)


def _scheduled(f: ScheduleFacts, m: int) -> bool:
    n, theta = f.attributes, f.threshold
    return m <= f.promoted + floor((2 * n + 4 * f.promoted * theta) / (2 * theta - n + 1))


OR = Theorem(
    "Winnow, disjunction (Littlestone 1988)",
    "the label of every update round is the OR of some attributes",
    _separated,
    "promotions",
)
MARGIN = Theorem(
    "Winnow, margin (Littlestone 1988)",
    "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    _separated,
    "promotions",
)
SLACK = Theorem(
    "Winnow, margin with slack (Littlestone 1991)",
    "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    _separated,
    "promotions",
    losses="hinge",
)
ELIMINATION = Theorem(
    "Winnow, elimination (Littlestone 1988)",
    "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    _separated,
    "promotions",
    losses="hinge",
)
DRIFT = Theorem(
    "Winnow-R, drifting disjunction (Blum 1998)",
    "the label of every update round is the OR of the variables that a schedule names for it",
    _scheduled,
    "promotions",
)
