"""Exact numbers: logarithms as whole numbers, roots and sums as fractions, and fractions as they are written."""

from fractions import Fraction
from math import isqrt

from littlestone.base.errors import require


def floor_log2(value: Fraction | int) -> int:
    """The largest k with 2^k <= value, in integers."""
    value = Fraction(value)
    require(value >= 1, f"a logarithm of at least zero needs a value of at least 1, got {value}")
    return (value.numerator // value.denominator).bit_length() - 1


def read_fraction(text: str) -> Fraction:
    """A fraction as `str` writes it, such as "13/12"; in any other clothes, such as "1e999999999", refused unread."""
    numerator, _, denominator = text.partition("/")
    plain = text.isascii() and numerator.removeprefix("-").isdigit() and denominator.isdigit()
    fraction = Fraction(int(numerator), int(denominator)) if plain else None
    require(fraction is not None and str(fraction) == text, f"{text[:40]!r} is not a fraction in lowest terms")
    assert fraction is not None
    return fraction


def round_root_up(value: Fraction) -> Fraction:
    """A fraction no less than the square root."""
    return Fraction(isqrt(4**64 * value.numerator // value.denominator) + 1, 2**64)


def harmonic(last: int, first: int = 1) -> Fraction:
    """1/first + ... + 1/last, exactly, by halves so that the numbers stay short."""
    if last < first:
        return Fraction(0)
    if last - first < 8:
        return sum((Fraction(1, k) for k in range(first, last + 1)), Fraction(0))
    middle = (first + last) // 2
    return harmonic(middle, first) + harmonic(last, middle + 1)
