"""Thresholds on a grid: x is positive from some point on. Halving needs two integers and constant time.

Instances are the grid points 0..n; concept j, for j = 0..n+1, labels i positive exactly when i >= j: n + 2 concepts,
both constants included (the lecture notes' log(n+1) counts one too few). The survivors are always an interval a..b of
concepts, of which i - a + 1 label a point i inside it positive and b - i negative.

>>> Thresholds(6).size, Thresholds(6).concept(4)(3)
(8, False)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotRealizable, require
from littlestone.concepts.concept import ConceptClass, read_whole_number


class ThresholdSpace(NamedTuple):
    """The surviving concepts `ends[0]..ends[1]`, and in `counts` the number of rounds that removed some."""

    ends: Array
    counts: Array


@final
@dataclass(frozen=True, slots=True)
class Thresholds(ConceptClass):
    """The n + 2 thresholds on the points 0..n.

    Args:
        n: The largest point, in [0, 2^62).
    """

    n: int

    def __post_init__(self) -> None:
        require(0 <= self.n < 2**62, f"n must be in [0, 2^62), got {self.n}")

    @property
    def size(self) -> int:
        return self.n + 2

    def __call__(self, x: Any) -> int:
        return read_whole_number(x, self.n, str(self))

    def instances(self) -> Iterator[int]:
        return iter(range(self.n + 1))

    def label(self, index: int, x: int) -> int:
        return int(x >= index)

    def name(self, index: int) -> str:
        return f"x >= {index}"

    def start(self) -> ThresholdSpace:
        return ThresholdSpace(np.array([0, self.n + 1]), np.array([0]))

    def votes(self, space: ThresholdSpace, x: int) -> tuple[int, int]:
        a = int(space.ends[0])
        b = int(space.ends[1])
        positive = min(max(x - a + 1, 0), b - a + 1)
        return b - a + 1 - positive, positive

    def keep(self, space: ThresholdSpace, x: int, y: int) -> None:
        votes = self.votes(space, x)
        if votes[y] == 0:
            raise NotRealizable(f"no concept of {self} that agrees with the rounds before labels {x} as {bool(y)}")
        if votes[1 - y]:
            space.ends[1 if y else 0] = x if y else x + 1
            space.counts[0] += 1

    def survivors(self, space: ThresholdSpace) -> int:
        return int(space.ends[1] - space.ends[0]) + 1

    def survivor(self, space: ThresholdSpace, rank: int) -> int:
        return int(space.ends[0]) + rank

    def cuts(self, space: ThresholdSpace) -> int:
        return int(space.counts[0])

    def check_space(self, space: ThresholdSpace) -> bool:
        low, high = (int(end) for end in space.ends)
        return bool(0 <= low <= high <= self.n + 1)
