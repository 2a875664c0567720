"""Intervals: x is positive between two points of a grid, or nowhere.

Instances are the points 0..n-1. Concept 0 is the empty interval, concept 1 + b(b+1)/2 + a the closed interval [a, b],
for 0 <= a <= b < n: n(n+1)/2 + 1 concepts, and a version space of as many bits.

>>> Intervals(4).size, Intervals(4).name(1 + 6 + 2), Intervals(4).concept(9)(1)
(11, '[2, 3]', False)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import rule
from littlestone.concepts.concept import read_whole_number
from littlestone.concepts.packed import Packed, compile_by_concept


@rule
def contains(number: int, x: int) -> Any:
    """Whether the interval with this number, not counting the empty one, contains x."""
    b = np.int64((np.sqrt(8.0 * number + 1.0) - 1.0) / 2.0)  # exact below 2^49: an error of one would need 1/b
    return number - b * (b + 1) // 2 <= x <= b


def find_ends(number: int) -> tuple[int, int]:
    """Find the two ends of the interval with this number, not counting the empty one."""
    b = (isqrt(8 * number + 1) - 1) // 2
    return number - b * (b + 1) // 2, b


@rule
def contains_point(concept: int, code: Array) -> Any:
    return concept > 0 and contains(concept - 1, code[0])


@final
@dataclass(frozen=True)
class Intervals(Packed):
    """The closed intervals of the points 0..n-1, and the empty one.

    Args:
        n: The number of points, >= 1.
    """

    n: int

    sweeps = compile_by_concept(contains_point)

    def __post_init__(self) -> None:
        require(self.n >= 1, f"n must be at least 1, got {self.n}")

    @property
    def size(self) -> int:
        return self.n * (self.n + 1) // 2 + 1

    def __call__(self, x: Any) -> int:
        return read_whole_number(x, self.n - 1, str(self))

    def instances(self) -> Iterator[int]:
        return iter(range(self.n))

    def encode(self, x: int) -> Array:
        return np.array([x], np.int64)

    def label(self, index: int, x: int) -> int:
        a, b = find_ends(index - 1) if index else (1, 0)
        return int(a <= x <= b)

    def name(self, index: int) -> str:
        return str(list(find_ends(index - 1))) if index else "empty"
