"""Exact numbers: logarithms in whole numbers and harmonic sums as fractions."""

from fractions import Fraction

from littlestone.base.errors import require


def floor_log2(value: Fraction | int) -> int:
    """The largest k with 2^k <= value, in integers."""
    value = Fraction(value)
    require(value >= 1, f"a logarithm of at least zero needs a value of at least 1, got {value}")
    return (value.numerator // value.denominator).bit_length() - 1


def harmonic(last: int, first: int = 1) -> Fraction:
    """1/first + ... + 1/last, exactly, by halves so that the numbers stay short."""
    if last < first:
        return Fraction(0)
    if last - first < 8:
        return sum((Fraction(1, k) for k in range(first, last + 1)), Fraction(0))
    middle = (first + last) // 2
    return harmonic(middle, first) + harmonic(last, middle + 1)
