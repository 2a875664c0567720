"""Halfspaces with weights on a grid: x is positive when w.x > 0, for w in {-1, -1 + 1/n, ..., 1}^d.

There are (2n+1)^d weight vectors; digit i of a concept's number in base 2n + 1, from the lowest, is n w_i + n. Weights
that are multiples of one another are concepts of their own with equal labels. Instances are d finite real numbers.

The sign of w.x is exact whatever the numbers: they are brought to whole numbers over one denominator, cut into limbs
of 30 bits, and the limbs of the sum carry. Small whole numbers are one limb, and cost one multiplication each.

>>> Halfspaces(2, 2).size, Halfspaces(2, 2).name(4 + 5 * 1), Halfspaces(2, 2).concept(9)((1, 2.5))
(25, '2 x1 - x2 > 0', False)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isfinite, lcm
from numbers import Rational
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.compiled import rule
from littlestone.concepts.concept import read_attributes
from littlestone.concepts.packed import Packed, compile_by_concept

LIMB = 30  # bits: with n d below 2^32, as packed bits demand, no sum leaves 64 bits
Number = int | float | Fraction


@rule
def is_positive(concept: int, code: Array) -> Any:
    """Whether n w.x > 0; `code` is n, d, how many limbs, and the limbs of each coordinate, lowest first."""
    n = code[0]
    d = code[1]
    limbs = code[2]
    carry = 0
    below = 0
    for limb in range(limbs):
        rest = concept
        total = carry
        for axis in range(d):
            total += (rest % (2 * n + 1) - n) * code[3 + limb * d + axis]
            rest //= 2 * n + 1
        if limb + 1 == limbs:
            return total > 0 or (total == 0 and below != 0)
        carry = total >> LIMB
        below |= total - (carry << LIMB)
    return False


@final
@dataclass(frozen=True)
class Halfspaces(Packed):
    """The (2n+1)^d halfspaces through the origin with weights in {-1, -1 + 1/n, ..., 1}^d.

    Args:
        n: Steps of a weight from 0 to 1, >= 1. More make a finer class.
        d: The number of attributes, >= 1.
    """

    n: int
    d: int

    sweeps = compile_by_concept(is_positive)

    def __post_init__(self) -> None:
        require(self.n >= 1, f"n must be at least 1, got {self.n}")
        require(self.d >= 1, f"d must be at least 1, got {self.d}")

    @property
    def size(self) -> int:
        return int((2 * self.n + 1) ** self.d)

    def __call__(self, x: Any) -> tuple[Number, ...]:
        given = read_attributes(x, self.d, str(self))
        values = [value.item() if isinstance(value, np.generic) else value for value in given]
        for value in values:
            good = isinstance(value, Rational) or (isinstance(value, float) and isfinite(value))
            require(good, f"an instance of {self} is {self.d} finite numbers, got {value!r} among them", BadInstance)
        return tuple(int(value) if value == int(value) else value for value in values)

    def instances(self) -> Iterator[tuple[Number, ...]]:
        remedy = "choose some, as in Concepts.of(functions, points)"
        raise TooLarge(f"the instances of {self} are all of R^{self.d}: {remedy}")

    def encode(self, x: tuple[Number, ...]) -> Array:
        exact = [Fraction(value) for value in x]
        scale = lcm(*(value.denominator for value in exact))
        whole = [int(value * scale) for value in exact]
        shared = gcd(*whole) or 1
        whole = [value // shared for value in whole]
        limbs = max(1, *(-(-value.bit_length() // LIMB) for value in whole))
        mask = (1 << LIMB) - 1
        parts = [(abs(v) >> LIMB * limb & mask) * (1 if v > 0 else -1) for limb in range(limbs) for v in whole]
        return np.array([self.n, self.d, limbs, *parts], np.int64)

    def weights(self, index: int) -> list[int]:
        """List n times the weights of a concept, whole numbers in [-n, n]."""
        return [index // (2 * self.n + 1) ** axis % (2 * self.n + 1) - self.n for axis in range(self.d)]

    def label(self, index: int, x: tuple[Number, ...]) -> int:
        return int(sum(w * Fraction(value) for w, value in zip(self.weights(index), x, strict=True)) > 0)

    def name(self, index: int) -> str:
        words = ""
        for axis, w in enumerate(self.weights(index)):
            if w:
                words += f" {'-' if w < 0 else '+'} {'' if abs(w) == 1 else f'{abs(w)} '}x{axis + 1}"
        sign = "-" if words.startswith(" -") else ""
        return f"{sign}{words[3:] or 0} > 0"

    def is_affordable(self, room: int) -> bool:
        return self.d <= 1 << 16 and self.n < 2**31
