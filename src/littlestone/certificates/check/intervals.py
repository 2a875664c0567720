"""Real numbers between two decimals, every operation rounded outwards.

`decimal` rounds sums, products and quotients in the direction it is told, and logarithms, exponentials and roots
correctly to the nearest: one step further encloses them. So what is proved about an enclosure is proved.

>>> reals = Enclosing(20)
>>> third = reals.of(1) / 3
>>> third.low, third.high
(Decimal('0.33333333333333333333'), Decimal('0.33333333333333333334'))
>>> again = reals.exp(reals.ln(third))
>>> again.low < third.low, third.high < again.high
(True, True)
"""

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from littlestone.base.errors import NotCertified, require

ZERO = Decimal(0)


class Interval:
    """All numbers from `low` to `high`, with the arithmetic of `reals`, also with whole numbers and fractions."""

    __slots__ = ("high", "low", "reals")

    def __init__(self, low: Decimal, high: Decimal, reals: "Enclosing") -> None:
        self.low = low
        self.high = high
        self.reals = reals

    @property
    def positive_part(self) -> "Interval":
        """The larger one of 0 and the number."""
        return Interval(max(self.low, ZERO), max(self.high, ZERO), self.reals)

    def __neg__(self) -> "Interval":
        return Interval(self.high.copy_negate(), self.low.copy_negate(), self.reals)

    def __add__(self, other: "Number") -> "Interval":
        reals = self.reals
        b = self.reals.of(other)
        return Interval(reals.down.add(self.low, b.low), reals.up.add(self.high, b.high), reals)

    def __sub__(self, other: "Number") -> "Interval":
        reals = self.reals
        b = self.reals.of(other)
        return Interval(reals.down.subtract(self.low, b.high), reals.up.subtract(self.high, b.low), reals)

    def __mul__(self, other: "Number") -> "Interval":
        reals = self.reals
        b = self.reals.of(other)
        down = reals.down.multiply
        up = reals.up.multiply
        if self.low >= 0 and b.low >= 0:
            return Interval(down(self.low, b.low), up(self.high, b.high), reals)
        ends = [(p, q) for p in (self.low, self.high) for q in (b.low, b.high)]
        return Interval(min(down(p, q) for p, q in ends), max(up(p, q) for p, q in ends), reals)

    def __truediv__(self, other: "Number") -> "Interval":
        """The quotient by something positive."""
        reals = self.reals
        b = self.reals.of(other)
        require(b.low > 0, "a divisor cannot be told from 0", NotCertified)
        low = reals.down.divide(self.low, b.high if self.low >= 0 else b.low)
        return Interval(low, reals.up.divide(self.high, b.low if self.high >= 0 else b.high), reals)

    def __rsub__(self, other: Fraction | int) -> "Interval":
        return self.reals.of(other) - self

    def __rtruediv__(self, other: Fraction | int) -> "Interval":
        return self.reals.of(other) / self

    __radd__ = __add__
    __rmul__ = __mul__


Number = Interval | Fraction | int


class Enclosing:
    """What intervals are computed with.

    Args:
        digits: Significant digits of the ends, >= 1. More make narrower intervals and take longer.
    """

    def __init__(self, digits: int) -> None:
        self.down = Context(prec=digits, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
        self.up = Context(prec=digits, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)

    def of(self, value: Number) -> Interval:
        """A rational number, or an interval as it is."""
        if isinstance(value, Interval):
            return value
        top = Decimal(value.numerator)
        bottom = Decimal(value.denominator)
        return Interval(self.down.divide(top, bottom), self.up.divide(top, bottom), self)

    def middle(self, a: Interval) -> Interval:
        """A number between the ends, as a point."""
        point = self.down.divide(self.down.add(a.low, a.high), Decimal(2))
        point = min(max(point, a.low), a.high)
        return Interval(point, point, self)

    def total(self, parts: Iterable[Interval]) -> Interval:
        return sum(parts, self.of(0))

    def exp(self, a: Interval) -> Interval:
        low = self.down.exp(a.low)
        high = self.up.exp(a.high)
        return Interval(self.down.next_minus(low), self.up.next_plus(high), self)

    def ln(self, value: Number) -> Interval:
        """The logarithm of something positive; of exactly 1, exactly 0."""
        a = self.of(value)
        if a.low == a.high == 1:
            return self.of(0)
        require(a.low > 0, "a logarithm's argument cannot be told from 0", NotCertified)
        return Interval(self.down.next_minus(self.down.ln(a.low)), self.up.next_plus(self.up.ln(a.high)), self)

    def root(self, a: Interval) -> Interval:
        """The square root, of what is below 0 by rounding being 0."""
        low = self.down.sqrt(a.low) if a.low > 0 else ZERO
        high = self.up.next_plus(self.up.sqrt(a.high)) if a.high > 0 else ZERO
        return Interval(self.down.next_minus(low) if low > 0 else low, high, self)

    def clamp(self, a: Interval, least: Number, most: Number) -> Interval:
        """The nearest number between two others."""
        low = self.of(least)
        high = self.of(most)
        return Interval(min(max(a.low, low.low), high.low), min(max(a.high, low.high), high.high), self)
