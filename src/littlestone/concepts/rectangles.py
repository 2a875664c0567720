"""Rectangles: x is positive inside a box with sides along the axes.

Instances are the points of the grid {0..m-1}^d. A box is an interval on each axis, B = m(m+1)/2 of them, numbered as
in `Intervals` without the empty one; the box with interval number i_k on axis k is box i_1 + i_2 B + ... + i_d B^(d-1).
There are B^d boxes. With `empty` one more concept, number 0, contains no point, and the boxes follow it.

>>> Rectangles(3, 2).size, Rectangles(3, 2, empty=False).size, Rectangles(3, 2).name(1 + 4 + 6 * 0)
(37, 36, '[1, 2] x [0, 0]')
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import rule
from littlestone.concepts.concept import read_grid
from littlestone.concepts.intervals import contains, find_ends
from littlestone.concepts.packed import Packed, compile_by_concept


@rule
def contains_point(concept: int, code: Array) -> Any:
    rest = concept - code[0]
    base = code[1]
    if rest < 0:
        return False
    for axis in range(code[2]):
        if not contains(rest % base, code[3 + axis]):
            return False
        rest //= base
    return True


@final
@dataclass(frozen=True)
class Rectangles(Packed):
    """The boxes of the grid {0..m-1}^d.

    Args:
        m: Points on each axis, >= 1.
        d: The number of axes, >= 1.
        empty: Also have the concept that contains no point, under the number 0.
    """

    m: int
    d: int
    empty: bool = True

    sweeps = compile_by_concept(contains_point)

    def __post_init__(self) -> None:
        require(self.m >= 1, f"m must be at least 1, got {self.m}")
        require(self.d >= 1, f"d must be at least 1, got {self.d}")

    @property
    def base(self) -> int:
        """The number of intervals of an axis."""
        return self.m * (self.m + 1) // 2

    @property
    def size(self) -> int:
        return int(self.base**self.d) + int(self.empty)

    def __call__(self, x: Any) -> tuple[int, ...]:
        return read_grid(x, self.d, self.m - 1, str(self))

    def instances(self) -> Iterator[tuple[int, ...]]:
        return product(range(self.m), repeat=self.d)

    def encode(self, x: tuple[int, ...]) -> Array:
        return np.array([self.empty, self.base, self.d, *x], np.int64)

    def sides(self, index: int) -> list[tuple[int, int]]:
        """List the interval of a concept on each axis; there are none for the empty one."""
        rest = index - int(self.empty)
        return [find_ends(rest // self.base**axis % self.base) for axis in range(self.d)] if rest >= 0 else []

    def label(self, index: int, x: tuple[int, ...]) -> int:
        sides = self.sides(index)
        return int(bool(sides) and all(a <= place <= b for (a, b), place in zip(sides, x, strict=True)))

    def name(self, index: int) -> str:
        return " x ".join(f"[{a}, {b}]" for a, b in self.sides(index)) or "empty"

    def is_affordable(self, room: int) -> bool:
        return self.d <= 1 << 16 and self.m < 2**31
