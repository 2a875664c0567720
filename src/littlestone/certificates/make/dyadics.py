"""Dyadics: vectors of whole numbers times a power of two, in which witnesses are written down."""

from fractions import Fraction
from math import frexp
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array

BITS = 20  # of a witness's largest entry


class Dyadic(NamedTuple):
    """A vector of whole numbers times 2^exponent."""

    numerators: Array
    exponent: int

    @property
    def floats(self) -> Array:
        """The same numbers as floats, exactly."""
        return np.ldexp(self.numerators.astype(np.float64), self.exponent)

    @property
    def short(self) -> Array:
        """The same numbers, exactly, as short floats if these can hold them: half as much memory to look through."""
        floats = self.floats
        halved = floats.astype(np.float32) if abs(self.exponent) < 100 else floats
        return halved if np.array_equal(halved, floats) else floats

    @property
    def norm(self) -> Fraction:
        """The squared length, exactly."""
        squares = self.numerators.astype(np.int64) ** 2  # below 2^41, so that a million of them add up exactly
        parts = (int(squares[first : first + 2**20].sum()) for first in range(0, len(squares), 2**20))
        return Fraction(sum(parts)) * Fraction(4) ** self.exponent


def round_dyadic(u: Array, bits: int = BITS) -> Dyadic:
    """The vector rounded so that its largest entry has `bits` bits."""
    exponent = frexp(float(np.abs(u).max(initial=0.0)))[1] - bits
    return Dyadic(np.rint(np.ldexp(u, -exponent)).astype(np.int64), exponent)
