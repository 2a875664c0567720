"""Powers of a factor, each the float nearest to it: the same on every machine, which what libraries call `pow` is not.

A power is kept as the sum of two floats times a power of two, to about 100 bits; every list of powers is twice as long
as the one before, times its next power. A power so close to the middle between two floats that these bits leave it
open is rounded from a fraction. Where floats have fewer than 53 bits, what is rounded are multiples of the last one.

>>> list_powers(3.0, 36)[-2:].tolist() == [float(3**34), float(3**35)]
True
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array

SPLIT = 2.0**27 + 1  # cuts a float into two halves (Dekker 1971)
OPEN = 2.0**-80  # a product is off by less than 2^-103 of itself, and the k-th power by less than 2 k times that
NORMAL, LAST = -1021, -1074  # the exponent from which on floats have 53 bits, and that of the last bit below
NEAR = 2.0**-50  # so close to half a last bit a sum of two floats does not say which half


class LongPowers(NamedTuple):
    """Numbers (high + low) 2^exponent, with high in [1/2, 1) the nearest float."""

    high: Array
    low: Array
    exponent: Array

    @classmethod
    def of(cls, number: Fraction) -> "LongPowers":
        """A list of one number."""
        high = float(number)
        mantissa, exponent = np.frexp([high])
        return cls(mantissa, np.ldexp([float(number - Fraction(high))], -exponent), exponent)

    def multiply(self, other: "LongPowers") -> "LongPowers":
        """The products of all these with one other number."""
        product = self.high * other.high
        (a, b), (c, d) = _halve(self.high), _halve(other.high)
        rest = ((a * c - product) + a * d + b * c) + b * d  # what the product rounded away
        rest += self.high * other.low + self.low * other.high
        high = product + rest
        mantissa, shift = np.frexp(high)
        low = np.ldexp(rest - (high - product), -shift)
        return LongPowers(mantissa, low, self.exponent + other.exponent + shift)


def _halve(numbers: Array) -> tuple[Array, Array]:
    """The upper and the lower half of the bits of some floats."""
    large = SPLIT * numbers
    upper = large - (large - numbers)
    return upper, numbers - upper


def list_powers(factor: float, count: int, inverse: bool = False) -> Array:
    """factor^k, or if `inverse` factor^-k, for k from 0 to count - 1; infinity beyond the range of floats."""
    exact = 1 / Fraction(factor) if inverse else Fraction(factor)
    powers, step = LongPowers.of(Fraction(1)), LongPowers.of(exact)
    while len(powers.high) < count:
        more = powers.multiply(step)
        powers, step = LongPowers(*map(np.concatenate, zip(powers, more, strict=True))), step.multiply(step)
    high, low, exponent = (part[:count] for part in powers)
    with np.errstate(over="ignore"):
        rounded = np.ldexp(high, exponent)
    vague = high + (low + OPEN * high) != high + (low - OPEN * high)
    small = exponent < NORMAL
    units, rest = (np.ldexp(part[small], exponent[small] - LAST) for part in (high, low))
    whole = np.floor(units)
    rest += units - whole
    rounded[small] = np.ldexp(whole + np.rint(rest), LAST)
    vague[small] = np.rint(rest - NEAR) != np.rint(rest + NEAR)
    for k in np.flatnonzero(vague).tolist():
        rounded[k] = _round(exact**k)
    return rounded


def _round(number: Fraction) -> float:
    """The nearest float."""
    try:
        return float(number)
    except OverflowError:
        return float("inf")
