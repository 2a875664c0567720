"""Version spaces in packed bits: 64 concepts to a word, and the compiled sweeps that every packed class shares.

A class supplies one scalar rule, either `says(concept, code)`, the label that a concept gives to an encoded instance,
or, where a trick gives 64 labels at once, `word(k, code)`, the labels of concepts 64 k to 64 k + 63. The sweeps count
votes, keep the survivors, and play halving with the filter of one round fused with the vote of the next, so that each
round passes over memory once.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from littlestone.concept import ConceptClass
from littlestone.errors import NotRealizable, TooLarge, require
from littlestone.examples import Array, Chunk
from littlestone.kernel import kernel, popcount, rule

LIMIT = 2**33  # concepts in a packed version space: one gigabyte of bits


class Space(NamedTuple):
    """Survivors as bits, and in `counts` how many survive and how many rounds removed some."""

    alive: Array
    counts: Array


class Sweeps(NamedTuple):
    """The compiled passes over a version space of one class."""

    vote: Callable[..., int]
    keep: Callable[..., int]
    halve: Callable[..., int]
    label: Callable[..., bool]


def by_word(word: Any) -> Sweeps:
    """The sweeps of a class that labels 64 concepts at once."""

    @kernel
    def vote(alive: Array, code: Array) -> Any:
        """How many survivors label the instance 1."""
        ones = np.uint64(0)
        for k in range(alive.size):
            ones += popcount(alive[k] & word(k, code))
        return np.int64(ones)

    @kernel
    def keep(alive: Array, code: Array, y: int) -> Any:
        """Keep the survivors that label the instance y; how many they are."""
        flip = np.uint64(0) if y else ~np.uint64(0)
        left = np.uint64(0)
        for k in range(alive.size):
            alive[k] &= word(k, code) ^ flip
            left += popcount(alive[k])
        return np.int64(left)

    @kernel
    def halve(alive: Array, counts: Array, codes: Array, labels: Array, guesses: Array) -> Any:
        """Play halving over leading rounds, up to one whose label no survivor gives; how many were played."""
        ones = vote(alive, codes[0])
        for t in range(labels.size):
            total = counts[0]
            guesses[t] = 1 if 2 * ones > total else 0
            left = ones if labels[t] else total - ones
            if left == 0:
                return t
            counts[0] = left
            if left < total:
                counts[1] += 1
            flip = np.uint64(0) if labels[t] else ~np.uint64(0)
            code, after = codes[t], codes[min(t + 1, labels.size - 1)]
            votes = np.uint64(0)
            for k in range(alive.size):
                survivors = alive[k] & (word(k, code) ^ flip)
                alive[k] = survivors
                votes += popcount(survivors & word(k, after))
            ones = np.int64(votes)
        return labels.size

    @kernel
    def label(index: int, code: Array) -> Any:
        """The label that one concept gives."""
        return (word(index >> 6, code) >> np.uint64(index & 63)) & np.uint64(1) == np.uint64(1)

    return Sweeps(vote, keep, halve, label)


def by_concept(says: Any) -> Sweeps:
    """The sweeps of a class that labels one concept at a time."""

    @rule
    def word(k: int, code: Array) -> Any:
        packed = np.uint64(0)
        for j in range(64):
            if says(64 * k + j, code):
                packed |= np.uint64(1) << np.uint64(j)
        return packed

    return by_word(word)


class Packed(ConceptClass):
    """A class whose version space is packed bits; it supplies `code` and its sweeps."""

    sweeps: ClassVar[Sweeps]

    @abstractmethod
    def code(self, x: Any) -> Array:
        """An instance as the array that the rule reads."""

    def label(self, index: int, x: Any) -> int:
        return int(self.sweeps.label(index, self.code(x)))

    def start(self) -> Space:
        require(self.size <= LIMIT, f"{self} has {self.size} concepts; packed bits hold {LIMIT}", TooLarge)
        alive = np.full((self.size + 63) // 64, ~np.uint64(0))
        if self.size % 64:
            alive[-1] = (np.uint64(1) << np.uint64(self.size % 64)) - np.uint64(1)
        return Space(alive, np.array([self.size, 0]))

    def votes(self, space: Space, x: Any) -> tuple[int, ...]:
        ones = int(self.sweeps.vote(space.alive, self.code(x)))
        return int(space.counts[0]) - ones, ones

    def keep(self, space: Space, x: Any, y: int) -> None:
        left = self.votes(space, x)[y]  # counted first, so that a refusal leaves the space as it was
        if left == 0:
            raise NotRealizable(
                f"no concept of {self} that agrees with the rounds before labels {x} as {self.labels[y]}"
            )
        if left < space.counts[0]:
            self.sweeps.keep(space.alive, self.code(x), y)
            space.counts[:] = left, space.counts[1] + 1

    def survivors(self, space: Space) -> int:
        return int(space.counts[0])

    def survivor(self, space: Space, rank: int) -> int:
        return int(select(space.alive, rank))

    def cuts(self, space: Space) -> int:
        return int(space.counts[1])

    def halve(self, space: Space, chunk: Chunk, guesses: Array) -> int:
        """Play halving over leading rounds in one compiled call; a few at a time where codes are long."""
        few = max(1, (1 << 20) // (self.code(chunk[0]).size + 1))
        codes = np.array([self.code(chunk[t]) for t in range(min(few, len(chunk)))])
        played = len(codes)
        return int(self.sweeps.halve(space.alive, space.counts, codes, chunk.labels[:played], guesses[:played]))


@kernel
def select(alive: Array, rank: int) -> Any:
    """The place of the set bit that has `rank` set bits before it; -1 if there are too few."""
    before = np.int64(rank)
    for k in range(alive.size):
        ones = np.int64(popcount(alive[k]))
        if before < ones:
            for j in range(64):
                if (alive[k] >> np.uint64(j)) & np.uint64(1):
                    if before == 0:
                        return np.int64(64 * k + j)
                    before -= 1
        before -= ones
    return np.int64(-1)
