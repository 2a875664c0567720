"""Real numbers between two decimals, every operation rounded outwards.

`decimal` rounds sums, products and quotients in the direction it is told, and logarithms, exponentials and roots
correctly to the nearest: one step further encloses them. So what is proved about an enclosure is proved.

>>> reals = Enclosing(20)
>>> third = reals.of(Fraction(1, 3))
>>> third.low, third.high
(Decimal('0.33333333333333333333'), Decimal('0.33333333333333333334'))
>>> reals.within(reals.exp(reals.ln(third)), third.low, third.high)
False
"""

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from littlestone.base.errors import NotCertified, require


class Interval(NamedTuple):
    """All numbers from `low` to `high`."""

    low: Decimal
    high: Decimal


ZERO, ONE = Interval(Decimal(0), Decimal(0)), Interval(Decimal(1), Decimal(1))


class Enclosing:
    """Arithmetic on intervals.

    Args:
        digits: Significant digits of the ends, >= 1. More make narrower intervals and take longer.
    """

    def __init__(self, digits: int) -> None:
        self.down = Context(prec=digits, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
        self.up = Context(prec=digits, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)

    def of(self, value: Fraction | int) -> Interval:
        """A rational number."""
        top, bottom = Decimal(value.numerator), Decimal(value.denominator)
        return Interval(self.down.divide(top, bottom), self.up.divide(top, bottom))

    def add(self, a: Interval, b: Interval) -> Interval:
        return Interval(self.down.add(a.low, b.low), self.up.add(a.high, b.high))

    def subtract(self, a: Interval, b: Interval) -> Interval:
        return Interval(self.down.subtract(a.low, b.high), self.up.subtract(a.high, b.low))

    def multiply(self, a: Interval, b: Interval) -> Interval:
        if a.low >= 0 and b.low >= 0:
            return Interval(self.down.multiply(a.low, b.low), self.up.multiply(a.high, b.high))
        ends = [(p, q) for p in a for q in b]
        low, high = min(self.down.multiply(p, q) for p, q in ends), max(self.up.multiply(p, q) for p, q in ends)
        return Interval(low, high)

    def divide(self, a: Interval, b: Interval) -> Interval:
        """The quotient by something positive."""
        require(b.low > 0, "a divisor cannot be told from 0", NotCertified)
        low = self.down.divide(a.low, b.high if a.low >= 0 else b.low)
        return Interval(low, self.up.divide(a.high, b.low if a.high >= 0 else b.high))

    def total(self, parts: Iterable[Interval]) -> Interval:
        sum_ = ZERO
        for part in parts:
            sum_ = self.add(sum_, part)
        return sum_

    def exp(self, a: Interval) -> Interval:
        low, high = self.down.exp(a.low), self.up.exp(a.high)
        return Interval(self.down.next_minus(low), self.up.next_plus(high))

    def ln(self, a: Interval) -> Interval:
        """The logarithm of something positive; of exactly 1, exactly 0."""
        if a == ONE:
            return ZERO
        require(a.low > 0, "a logarithm's argument cannot be told from 0", NotCertified)
        return Interval(self.down.next_minus(self.down.ln(a.low)), self.up.next_plus(self.up.ln(a.high)))

    def root(self, a: Interval) -> Interval:
        """The square root, of what is below 0 by rounding being 0."""
        low = self.down.sqrt(a.low) if a.low > 0 else Decimal(0)
        high = self.up.next_plus(self.up.sqrt(a.high)) if a.high > 0 else Decimal(0)
        return Interval(self.down.next_minus(low) if low > 0 else low, high)

    def clamp(self, a: Interval, low: Interval, high: Interval) -> Interval:
        """The nearest number between two others."""
        return Interval(min(max(a.low, low.low), high.low), min(max(a.high, low.high), high.high))

    def within(self, a: Interval, low: Decimal, high: Decimal) -> bool:
        """Whether all of it lies between two decimals."""
        return low <= a.low and a.high <= high
