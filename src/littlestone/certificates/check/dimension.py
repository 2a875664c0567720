"""Littlestone's dimension of a small class and of its parts, by its definition.

A part of a class has dimension at least d > 0 if some instance has two labels such that the concepts of the part that
give each of them have dimension at least d - 1; at least 0 if it is not empty.

>>> from littlestone.concepts import Thresholds
>>> LittlestoneDimension(Thresholds(6)).find(range(8)), LittlestoneDimension(Thresholds(6)).find(range(3))
(3, 1)
"""

from collections.abc import Iterable
from itertools import islice

import numpy as np

from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.survivors import find_labeller
from littlestone.concepts.concept import ConceptClass

CELLS = 2**24  # of a table: concepts times instances
QUESTIONS = 10**6  # about parts of the class, each answered once


class LittlestoneDimension:
    """The dimension of any part of one class; a part is an integer with a bit for each concept that differs."""

    def __init__(self, concepts: ConceptClass) -> None:
        most = CELLS // concepts.size
        instances = list(islice(concepts.instances(), most + 1))
        small = f"{concepts} is too large: its dimension is worked out from a table of at most {CELLS} labels"
        require(len(instances) <= most, small, NotCertified)
        label = find_labeller(concepts)
        numbers = np.arange(concepts.size)
        table = np.array([label(numbers, x) for x in instances]).reshape(len(instances), concepts.size)
        distinct, which = np.unique(table, axis=1, return_inverse=True)
        self.bits = which.reshape(-1).tolist()  # the bit of each concept; equal ones share one
        codes = range(len(concepts.labels))
        self.splits = {tuple(_pack(row == code) for code in codes) for row in distinct}
        self.answers: dict[tuple[int, int], bool] = {}

    def find(self, members: Iterable[int]) -> int:
        """The dimension of the concepts with these numbers; -1 if there are none."""
        part = sum(1 << bit for bit in {self.bits[number] for number in members})
        dimension = -1
        while self._reaches(part, dimension + 1):
            dimension += 1
        return dimension

    def _reaches(self, part: int, dimension: int) -> bool:
        """Whether a part has at least this dimension."""
        if part.bit_count() < 1 << dimension or dimension < 2:  # two concepts that differ are split by an instance
            return part.bit_count() >= 1 << dimension
        if (part, dimension) not in self.answers:
            require(len(self.answers) < QUESTIONS, "the class is too large to work out its dimension", NotCertified)
            least = 1 << (dimension - 1)
            even = list[tuple[int, ...]]()
            for sides in {tuple(part & side for side in split) for split in self.splits}:
                large = tuple(sorted((side for side in sides if side.bit_count() >= least), key=int.bit_count))
                even += [large] if len(large) > 1 else []
            even.sort(key=lambda large: -large[-2].bit_count())  # the most even first: they are the most likely
            self.answers[part, dimension] = any(self._has_two(large, dimension - 1) for large in even)
        return self.answers[part, dimension]

    def _has_two(self, sides: tuple[int, ...], dimension: int) -> bool:
        """Whether two of some parts have at least this dimension."""
        found = 0
        for left, side in zip(range(len(sides), 0, -1), sides, strict=True):
            if found + left < 2:
                break
            found += self._reaches(side, dimension)
            if found == 2:
                return True
        return False


def _pack(members: np.ndarray) -> int:
    """Booleans as the bits of an integer, the first one lowest."""
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
