"""Surviving concepts: those that agree with every round so far, found without a learner's version space.

The checker trusts what a concept class says of itself: its `size`, its `labels`, how it reads an instance, and the
`label` that a concept gives to an instance. Some classes are too large to ask every concept in Python, so what their
docstrings say of their numbering is worked out here once more:

- Thresholds that agree with some rounds are all those from one number to another.
- Parities that agree with some rounds are the solutions of linear equations modulo 2: one of them, and a basis of the
  differences between two.
- Conjunctions, disjunctions, intervals and boxes are labelled many at a time, from the digits of their numbers.

All other classes are asked one concept after another.

>>> from littlestone.concepts import Parities
>>> parities = find_survivors(Parities(3))
>>> parities.keep((1, 1, 0), 1), parities.count, [parities.find(rank) for rank in range(4)]
(True, 4, [1, 2, 5, 6])
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from math import comb
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.concepts import Conjunctions, Disjunctions, Intervals, Parities, Rectangles, Thresholds
from littlestone.concepts.concept import ConceptClass

MOST = 2**33  # concepts that are gone through one by one
BLOCK = 2**20  # concepts that are labelled at a time
LARGEST = 2**62  # larger binomials are not told apart


class Survivors(ABC):
    """The concepts that agree with the rounds so far, in the order of their numbers."""

    count: int

    @abstractmethod
    def count_votes(self, x: Any) -> tuple[int, ...]:
        """How many survivors give each label to x."""

    @abstractmethod
    def find(self, rank: int) -> int:
        """The number of the survivor that has `rank` smaller ones."""

    @abstractmethod
    def drop(self, x: Any, y: int) -> None:
        """Leave only the survivors that label x as y, of which there are some, but not all."""

    def list_numbers(self) -> Array:
        """The numbers of all survivors, in ascending order."""
        return np.array([self.find(rank) for rank in range(self.count)])

    def keep(self, x: Any, y: int) -> bool:
        """Leave only the survivors that label x as y, and return whether any was dropped; refuse to leave none."""
        votes = self.count_votes(x)
        require(votes[y] > 0, f"no concept that agrees with the rounds before gives {x} this label", NotCertified)
        if votes[y] == self.count:
            return False
        self.drop(x, y)
        self.count = votes[y]
        return True


class SurvivingThresholds(Survivors):
    """Concept j labels x positive if x >= j: the survivors are those from `low` on."""

    def __init__(self, concepts: Thresholds) -> None:
        self.low = 0
        self.count = concepts.size

    def count_votes(self, x: int) -> tuple[int, ...]:
        positive = min(max(x - self.low + 1, 0), self.count)
        return self.count - positive, positive

    def find(self, rank: int) -> int:
        return self.low + rank

    def drop(self, x: int, y: int) -> None:
        self.low = self.low if y else x + 1


class SurvivingParities(Survivors):
    """Concept c sums the bits of x that are set in c: the survivors are `least` plus any sum of the `basis`.

    The highest bit of each vector of the basis is in no other one and not in `least`, and the vectors are in ascending
    order; so the bits of a rank say which of them to add.
    """

    def __init__(self, concepts: Parities) -> None:
        self.least, self.basis, self.count = 0, [1 << place for place in range(concepts.n)], concepts.size

    def count_votes(self, x: tuple[int, ...]) -> tuple[int, ...]:
        if any(_sum_bits(vector, x) for vector in self.basis):
            return self.count // 2, self.count // 2
        return (0, self.count) if _sum_bits(self.least, x) else (self.count, 0)

    def find(self, rank: int) -> int:
        number = self.least
        for place, vector in enumerate(self.basis):
            number ^= vector * (rank >> place & 1)
        return number

    def drop(self, x: tuple[int, ...], y: int) -> None:
        odd = [vector for vector in self.basis if _sum_bits(vector, x)]
        self.least ^= odd[0] * (_sum_bits(self.least, x) != y)
        self.basis = [vector ^ odd[0] * (vector in odd) for vector in self.basis if vector != odd[0]]


def _sum_bits(number: int, x: tuple[int, ...]) -> int:
    """The sum modulo 2 of the bits of x that are set in a number."""
    return sum(bit for place, bit in enumerate(x) if number >> place & 1) % 2


class ListedSurvivors(Survivors):
    """The survivors of any class, a bit for each concept, in blocks of which the empty ones are left out."""

    def __init__(self, concepts: ConceptClass) -> None:
        size = concepts.size
        require(size <= MOST, f"{concepts} has {size} concepts, too many to be asked one by one", NotCertified)
        self.count, self.labels, self.label = size, len(concepts.labels), find_labeller(concepts)
        firsts = range(0, size, BLOCK)
        self.blocks = {first: np.packbits(np.ones(min(BLOCK, size - first), bool)) for first in firsts}
        self.votes: dict[str, tuple[int, ...]] = {}  # by instance, since a concept was dropped

    def list_members(self) -> Iterator[tuple[int, Array]]:
        """The first number of each block, and the numbers of its survivors."""
        for first, bits in self.blocks.items():
            yield first, first + np.flatnonzero(np.unpackbits(bits))

    def list_numbers(self) -> Array:
        return np.concatenate([members for _, members in self.list_members()])

    def count_votes(self, x: Any) -> tuple[int, ...]:
        key = repr(x)
        if key not in self.votes:
            votes = np.zeros(self.labels, np.int64)
            for _, members in self.list_members():
                votes += np.bincount(self.label(members, x), minlength=self.labels)
            self.votes[key] = tuple(votes.tolist())
        return self.votes[key]

    def find(self, rank: int) -> int:
        for first, bits in self.blocks.items():
            here = int(np.bitwise_count(bits).sum())
            if rank < here:
                return first + int(np.flatnonzero(np.unpackbits(bits))[rank])
            rank -= here
        raise NotCertified("there are fewer survivors than that")

    def drop(self, x: Any, y: int) -> None:
        blocks = {}
        for first, members in self.list_members():
            left = members[self.label(members, x) == y] - first
            if len(left):
                flags = np.zeros(BLOCK, bool)
                flags[left] = True
                blocks[first] = np.packbits(flags)
        self.blocks = blocks
        self.votes = {}


def find_survivors(concepts: ConceptClass) -> Survivors:
    """All concepts of a class, none of which has been dropped yet."""
    if isinstance(concepts, Thresholds):
        return SurvivingThresholds(concepts)
    return SurvivingParities(concepts) if isinstance(concepts, Parities) else ListedSurvivors(concepts)


def find_labeller(concepts: ConceptClass) -> Callable[[Array, Any], Array]:
    """A function from numbers of concepts and an instance to the labels that these concepts give to it."""
    if isinstance(concepts, Conjunctions):
        return lambda numbers, x: _label_conjunctions(concepts, numbers, x).astype(np.int64)
    if isinstance(concepts, Disjunctions):  # by De Morgan
        dual = Conjunctions(concepts.n, concepts.k, concepts.monotone)
        return lambda numbers, x: 1 - _label_conjunctions(dual, numbers, tuple(1 - bit for bit in x)).astype(np.int64)
    if isinstance(concepts, Intervals):
        return lambda numbers, x: _label_boxes(numbers - 1, concepts.size - 1, (x,)).astype(np.int64)
    if isinstance(concepts, Rectangles):
        intervals, skipped = concepts.m * (concepts.m + 1) // 2, int(concepts.empty)
        return lambda numbers, x: _label_boxes(numbers - skipped, intervals, x).astype(np.int64)
    return lambda numbers, x: np.array([concepts.label(number, x) for number in numbers.tolist()], np.int64)


def _label_conjunctions(concepts: Conjunctions, numbers: Array, x: tuple[int, ...]) -> Array:
    """Whether the conjunctions with these numbers are true of x."""
    true = np.ones(len(numbers), bool)
    k = concepts.k
    if k is None and concepts.monotone:  # a bit asks for the attribute
        return np.asarray(numbers & sum((1 - bit) << place for place, bit in enumerate(x)) == 0)
    if k is None:
        rest = numbers
        for bit in x:  # a digit of 1 asks for the attribute, one of 2 for its negation
            true &= rest % 3 != 1 + bit
            rest = rest // 3
        return true
    signs = 0 if concepts.monotone else k
    values = np.array(x, np.int64)
    rest = numbers >> signs
    for place in range(k, 0, -1):  # the attributes asked for, the highest first
        sets = np.array([min(comb(attribute, place), LARGEST) for attribute in range(concepts.n)], np.int64)
        attributes = np.searchsorted(sets, rest, side="right") - 1
        rest = rest - sets[attributes]
        true &= values[attributes] != (numbers >> (place - 1) & 1 if signs else 0)
    return true


def _label_boxes(numbers: Array, intervals: int, x: tuple[int, ...]) -> Array:
    """Whether x lies in the boxes with these numbers, -1 being empty; `intervals` is how many an axis has."""
    true = numbers >= 0
    rest = np.maximum(numbers, 0)
    for place in x:
        number = rest % intervals
        rest = rest // intervals
        high = ((np.sqrt(8.0 * number + 1) - 1) / 2).astype(np.int64)
        high += (high + 1) * (high + 2) // 2 <= number  # where the root was rounded
        high -= high * (high + 1) // 2 > number
        true &= (number - high * (high + 1) // 2 <= place) & (place <= high)
    return true
