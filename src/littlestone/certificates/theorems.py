"""Theorems: the bounds of the Perceptron family as predicates on whole numbers.

Let an additive learner step along z_1, z_2, ... (z = y x, the constant attribute included; in a network x in the
block of the right class and -x in that of its rival), and let w be the sum of the steps in units of the rate. For
any vector u and margin g > 0, with shortfalls (g - u.z)+ over the steps, m steps give

    m g - (sum of shortfalls) <= u.w <= |u| |w|,       |w|^2 <= m reach + excess,

where `reach` is the largest |z|^2 + 2 margin / rate and `excess` is zero unless floats decided a round. Each theorem
below follows from these two lines; it is kept as the question "can there be m steps?", which needs no square root and
is monotone in m. The bound is the largest m that can be: an exact whole number for rational facts.

>>> facts = Facts(norm=Fraction(17), reach=Fraction(3), margin=Fraction(1), length=Fraction(29))
>>> NOVIKOFF.value(facts), RUN.value(facts)
(51, 22)
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from littlestone.base.bound import largest
from littlestone.base.errors import NotCertified, require


class Facts(NamedTuple):
    """What a comparator u shows about the steps taken; each number may be rounded towards a larger bound."""

    norm: Fraction  # |u|^2
    reach: Fraction  # the largest |z|^2 + 2 margin / rate over the steps
    margin: Fraction  # g
    shortfall: Fraction = Fraction(0)  # the sum of (g - u.z)+
    squares: Fraction = Fraction(0)  # the sum of their squares
    length: Fraction | None = None  # |w|^2 after the last step, where it is known
    excess: Fraction = Fraction(0)  # twice by how much rounding let agreements exceed margin / rate before a step


class Theorem(NamedTuple):
    """A theorem by name: what it supposes, and whether it lets m of what it counts happen."""

    name: str
    promise: str
    possible: Callable[[Facts, int], bool]

    def value(self, facts: Facts) -> int:
        """The largest m that is possible."""
        require(facts.margin > 0, f"the margin must be positive, got {facts.margin}", NotCertified)
        return largest(lambda m: self.possible(facts, m))


def _run(f: Facts, m: int) -> bool:
    """m g - D <= |u| |w|"""
    rest = m * f.margin - f.shortfall
    return rest <= 0 or (f.length is not None and rest**2 <= f.norm * f.length)


def _novikoff(f: Facts, m: int) -> bool:
    """m g <= |u| sqrt(m reach + excess)"""
    return (m * f.margin) ** 2 <= f.norm * (f.reach * m + f.excess)


def _hinge(f: Facts, m: int) -> bool:
    """m g - D <= |u| sqrt(m reach + excess)"""
    rest = m * f.margin - f.shortfall
    return rest <= 0 or rest**2 <= f.norm * (f.reach * m + f.excess)


def _readable(f: Facts, m: int) -> bool:
    """m <= L + r sqrt(L) + r^2 with L = D / g and r^2 = |u|^2 (reach + excess) / g^2"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - f.shortfall * f.margin - scale
    return rest <= 0 or rest**2 <= scale * f.shortfall * f.margin


def _deviation(f: Facts, m: int) -> bool:
    """m <= r^2 + 2 L"""
    return m * f.margin**2 <= f.norm * (f.reach + f.excess) + 2 * f.shortfall * f.margin


def _squared(f: Facts, m: int) -> bool:
    """m <= ((|u| sqrt(reach + excess) + D2) / g)^2"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - scale - f.squares
    return rest <= 0 or rest**2 <= 4 * scale * f.squares


ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
RUN = Theorem("Perceptron, run-dependent", f"{ANY}, and the length of the final weights", _run)
NOVIKOFF = Theorem("Perceptron (Novikoff 1962)", "some u has u.z >= g > 0 on every update round", _novikoff)
HINGE = Theorem("Perceptron, hinge loss", ANY, _hinge)
READABLE = Theorem("Perceptron, hinge loss, readable form", ANY, _readable)
DEVIATION = Theorem("Perceptron, total deviation", ANY, _deviation)
SQUARED = Theorem(
    "Perceptron, squared deviation (Freund and Schapire 1999)", ANY.replace("summed", "squared and summed"), _squared
)
PERCEPTRON = (NOVIKOFF, HINGE, SQUARED, RUN, READABLE, DEVIATION)
AGNOSTIC = (HINGE, READABLE, DEVIATION, SQUARED)
SHARPEST = (NOVIKOFF, HINGE, SQUARED)  # the others are larger, or know the run: its best witness gives back the count


class Passive(NamedTuple):
    """What a comparator shows about a run of PassiveAggressive: losses (k - u.z)+ at its margin k, over updates."""

    norm: Fraction  # |u|^2
    reach: Fraction  # the largest |z|^2
    margin: Fraction  # k
    aggressiveness: Fraction  # C
    loss: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)


def passive_aggressive(variant: str, facts: Passive) -> int:
    """The most mistakes of variant "0" (without loss), "I" or "II": each lowers |w - u|^2 by so much at least."""
    norm, reach, k, C, loss, squares = facts
    require(k > 0, f"the margin must be positive, got {k}", NotCertified)
    if variant == "0":
        require(loss == 0, "variant 0 is bounded only where some u has the margin on every update round", NotCertified)
        return reach * norm // k**2
    if variant == "I":
        return max(reach / k**2, 1 / (C * k)) * (norm + 2 * C * loss) // 1
    return (reach + 1 / (2 * C)) * (norm + 2 * C * squares) // k**2


PASSIVE = {
    "0": "Passive-aggressive 0 (Crammer and others 2006)",
    "I": "Passive-aggressive I (Crammer and others 2006)",
    "II": "Passive-aggressive II (Crammer and others 2006)",
}
PASSIVE_PROMISE = {
    "0": "some u has u.z >= k, the learner's margin, on every update round",
    "I": "any comparator u, its losses (k - u.z)+ summed over the update rounds, k being the learner's margin",
    "II": "any comparator u, its losses (k - u.z)+ squared and summed over the update rounds, k the learner's margin",
}

WINNOW_OR = "Winnow, disjunction (Littlestone 1988)"
WINNOW_MARGIN = "Winnow, margin (Littlestone 1988)"
WINNOW_SLACK = "Winnow, margin with slack (Littlestone 1991)"
WINNOW_ELIMINATION = "Winnow, elimination (Littlestone 1988)"
WINNOW_DRIFT = "Winnow-R, drifting disjunction (Blum 1998)"
WINNOW = {
    WINNOW_OR: "the label of every update round is the OR of some attributes",
    WINNOW_MARGIN: "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    WINNOW_SLACK: "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    WINNOW_ELIMINATION: "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    WINNOW_DRIFT: "the label of every update round is the OR of the variables that a schedule names for it",
}
BALANCED = "Balanced Winnow (Littlestone 1989)"
BALANCED_SLACK = "Balanced Winnow, margin with slack (Littlestone 1989)"
BALANCED_PHASES = "Balanced Winnow, phase by phase (Littlestone 1989)"
BALANCED_PROMISE = {
    BALANCED: "some u with |u|_1 = 1 has u.z >= g > 0 on every update round",
    BALANCED_SLACK: "any u with |u|_1 = 1 and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds",
    BALANCED_PHASES: "phases end at their caps; in the last any u with |u|_1 = 1, its shortfalls (g - u.z)+ summed",
}
EACH = "Network, every unit by its own theorem"
EACH_PROMISE = "each unit has a witness of its own for its class against all others; bounds and steps add up"
ELLIPSOID = "Ellipsoid (Khachiyan 1979)"
ELLIPSOID_PROMISE = "some u has u.z >= g > 0 on every update round"
