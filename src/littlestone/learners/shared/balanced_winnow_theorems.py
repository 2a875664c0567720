"""Balanced Winnow's theorem as a predicate on the updates of a run; `learners/balanced_winnow.py` has the proof.

The comparator's entropy sharpens ln(2n), and shortfalls are charged: with h = ln a,

    updates <= (ln(2n) - entropy + h (sum of shortfalls)) / (h g - ln cosh h).
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from littlestone.base.errors import NotCertified
from littlestone.base.theorem import Theorem

DIGITS = 40


class PhaseFacts(NamedTuple):
    """What a comparator with |u|_1 = 1 shows about the updates of one phase."""

    attributes: int
    sizes: tuple[int, ...]  # |u_i| in whole numbers, those that are not 0
    margin: Fraction
    shortfall: Fraction
    factor: Fraction


def to_decimal(value: Fraction) -> Decimal:
    """The fraction in the digits of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


@lru_cache(maxsize=4)
def _find_most(f: PhaseFacts) -> Decimal:
    """The bound: logarithms to forty digits and the rest in fractions; a little is added for rounding."""
    with localcontext() as context:
        context.prec = DIGITS
        log = to_decimal(f.factor).ln()
        size = sum(f.sizes)
        entropy = -sum(Decimal(k) / size * (Decimal(k) / size).ln() for k in f.sizes)
        gain = log * to_decimal(f.margin) - to_decimal((f.factor + 1 / f.factor) / 2).ln()
        if gain <= 0:
            raise NotCertified(f"margin {float(f.margin):.4g} is too small for the factor {float(f.factor):.4g}")
        total = Decimal(2 * f.attributes).ln() - entropy + log * to_decimal(f.shortfall)
        return (total + Decimal("1e-9")) / gain * (1 + Decimal("1e-20"))


def _allows(f: PhaseFacts, m: int) -> bool:
    return m <= _find_most(f)


MARGIN = Theorem(
    "Balanced Winnow (Littlestone 1989)",
    "some u with |u|_1 = 1 has u.z >= g > 0 on every update round",
    _allows,
    "phases",
)
SLACK = Theorem(
    "Balanced Winnow, margin with slack (Littlestone 1989)",
    "any u with |u|_1 = 1 and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds",
    _allows,
    "phases",
    losses="hinge",
)
PHASES = Theorem(
    "Balanced Winnow, phase by phase (Littlestone 1989)",
    "phases end at their caps; in the last any u with |u|_1 = 1, its shortfalls (g - u.z)+ summed",
    _allows,
    "phases",
    losses="hinge",
)
