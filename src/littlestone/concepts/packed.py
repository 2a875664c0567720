"""Version spaces in packed bits: 64 concepts to a word, and the compiled sweeps that every packed class shares.

A class supplies one scalar rule, and picks the maker of sweeps that fits it:

    by_word      word(k, code)          the labels of concepts 64 k to 64 k + 63 by a trick, without a branch
    by_living    word(k, code, alive)   the same where it is dear: asked only for words that still hold a survivor,
                                        and only the bits that are set in `alive` have to be right
    by_concept   says(concept, code)    the label of one concept, asked only for survivors

The sweeps count votes, keep the survivors, and play halving with the filter of one round fused with the vote of the
next, so that each round passes over memory once. Every loop is written out of rules: a kernel that called another
would be compiled again in every process.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import NotRealizable, TooLarge, require
from littlestone.compiled import kernel, popcount, rule
from littlestone.concepts.concept import ConceptClass

LIMIT = 2**33  # concepts in a packed version space: one gigabyte of bits
ROOM = 2**20  # words of encoded instances that halving holds at a time


class Space(NamedTuple):
    """Survivors as bits, and in `counts` how many survive and how many rounds removed some."""

    alive: Array
    counts: Array


class Sweeps(NamedTuple):
    """The compiled passes over a version space of one class.

    `vote` counts the survivors that label an instance 1. `keep` leaves those that label it y and counts them; where
    there are none it changes nothing. `halve` plays leading rounds, round t on `codes[order[t]]`, up to one whose
    label no survivor gives, and says how many it played. `label` is the label that one concept gives.
    """

    vote: Callable[..., int]
    keep: Callable[..., int]
    halve: Callable[..., int]
    label: Callable[..., bool]


def by_word(word: Any) -> Sweeps:
    """The sweeps of a class that labels 64 concepts at once."""

    @rule
    def ones(alive: Array, code: Array) -> Any:
        votes = np.uint64(0)
        for k in range(alive.size):
            votes += popcount(alive[k] & word(k, code))
        return np.int64(votes)

    @rule
    def narrow(alive: Array, code: Array, flip: Any) -> Any:
        left = np.uint64(0)
        for k in range(alive.size):
            survivors = alive[k] & (word(k, code) ^ flip)
            alive[k] = survivors
            left += popcount(survivors)
        return np.int64(left)

    @rule
    def narrow_and_count(alive: Array, code: Array, flip: Any, after: Array) -> Any:
        votes = np.uint64(0)
        for k in range(alive.size):
            survivors = alive[k] & (word(k, code) ^ flip)
            alive[k] = survivors
            votes += popcount(survivors & word(k, after))
        return np.int64(votes)

    @kernel
    def vote(alive: Array, code: Array) -> Any:
        return ones(alive, code)

    @kernel
    def keep(alive: Array, code: Array, y: int) -> Any:
        flip = np.uint64(0) if y else ~np.uint64(0)
        for k in range(alive.size):
            if alive[k] & (word(k, code) ^ flip):
                return narrow(alive, code, flip)
        return np.int64(0)

    @kernel
    def halve(alive: Array, counts: Array, codes: Array, order: Array, labels: Array, guesses: Array) -> Any:
        votes = ones(alive, codes[order[0]])
        for t in range(labels.size):
            if not settle(counts, votes, labels, guesses, t):
                return t
            flip = np.uint64(0) if labels[t] else ~np.uint64(0)
            if t + 1 < labels.size:
                votes = narrow_and_count(alive, codes[order[t]], flip, codes[order[t + 1]])
            else:
                narrow(alive, codes[order[t]], flip)
        return labels.size

    @kernel
    def label(index: int, code: Array) -> Any:
        return (word(index >> 6, code) >> np.uint64(index & 63)) & np.uint64(1) == np.uint64(1)

    return Sweeps(vote, keep, halve, label)


def by_living(word: Any) -> Sweeps:
    """The sweeps of a class whose labels are dear: dead words are skipped, and no label is worked out twice."""

    @rule
    def ask(alive: Array, code: Array, said: Array) -> Any:
        votes = np.uint64(0)
        for k in range(alive.size):
            said[k] = np.uint64(0)
            if alive[k]:
                said[k] = alive[k] & word(k, code, alive[k])
                votes += popcount(said[k])
        return np.int64(votes)

    @rule
    def narrow(alive: Array, said: Array, y: int) -> Any:
        for k in range(alive.size):
            alive[k] = said[k] if y else alive[k] & ~said[k]

    @kernel
    def vote(alive: Array, code: Array) -> Any:
        votes = np.uint64(0)
        for k in range(alive.size):
            if alive[k]:
                votes += popcount(alive[k] & word(k, code, alive[k]))
        return np.int64(votes)

    @kernel
    def keep(alive: Array, code: Array, y: int) -> Any:
        said, total = np.empty_like(alive), np.uint64(0)
        for k in range(alive.size):
            total += popcount(alive[k])
        votes = ask(alive, code, said)
        left = votes if y else np.int64(total) - votes
        if left > 0:
            narrow(alive, said, y)
        return left

    @kernel
    def halve(alive: Array, counts: Array, codes: Array, order: Array, labels: Array, guesses: Array) -> Any:
        said = np.empty_like(alive)
        votes = ask(alive, codes[order[0]], said)
        for t in range(labels.size):
            if not settle(counts, votes, labels, guesses, t):
                return t
            narrow(alive, said, labels[t])
            if t + 1 < labels.size:
                votes = ask(alive, codes[order[t + 1]], said)
        return labels.size

    @kernel
    def label(index: int, code: Array) -> Any:
        bit = np.uint64(1) << np.uint64(index & 63)
        return word(index >> 6, code, bit) & bit != np.uint64(0)

    return Sweeps(vote, keep, halve, label)


def by_concept(says: Any) -> Sweeps:
    """The sweeps of a class that labels one concept at a time."""

    @rule
    def word(k: int, code: Array, alive: Any) -> Any:
        packed, rest = np.uint64(0), alive
        while rest:
            lowest = rest & (~rest + np.uint64(1))
            if says(64 * k + np.int64(popcount(lowest - np.uint64(1))), code):
                packed |= lowest
            rest ^= lowest
        return packed

    return by_living(word)


@rule
def settle(counts: Array, votes: Any, labels: Array, guesses: Array, t: int) -> Any:
    """Guess round t by the votes and count who survives its label; False, and no count, if nobody does."""
    total = counts[0]
    guesses[t] = 1 if 2 * votes > total else 0
    left = votes if labels[t] else total - votes
    if left > 0:
        counts[0] = left
        counts[1] += left < total
    return left > 0


class Packed(ConceptClass):
    """A class whose version space is packed bits; it supplies `code` and its sweeps."""

    @property
    @abstractmethod
    def sweeps(self) -> Sweeps:
        """The passes compiled from the class's rule; most classes assign them in their body."""

    @abstractmethod
    def code(self, x: Any) -> Array:
        """An instance as the array that the rule reads; zeros may follow where others are longer."""

    def codes(self, chunk: Chunk) -> tuple[Array, Array]:
        """Encoded instances, one a row, and for leading rounds which row is theirs; repeated instances share one."""
        rows: dict[Any, int] = {}
        encoded: list[Array] = []
        order: list[int] = []
        words = 0
        for t in range(len(chunk)):
            x = chunk[t]
            if x not in rows:
                code = self.code(x)
                words = max(words, code.size)
                if t and words * (len(rows) + 1) > ROOM:
                    break
                rows[x] = len(rows)
                encoded.append(code)
            order.append(rows[x])
        codes = np.zeros((len(encoded), words), encoded[0].dtype)
        for row, code in zip(codes, encoded, strict=True):
            row[: code.size] = code
        return codes, np.array(order)

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
        self.kept(space, x, y, int(self.sweeps.keep(space.alive, self.code(x), y)))

    def kept(self, space: Space, x: Any, y: int, left: int) -> None:
        """Count a round that left so many survivors, or refuse it."""
        if left == 0:
            label = self.labels[y]
            raise NotRealizable(f"no concept of {self} that agrees with the rounds before labels {x} as {label}")
        space.counts[:] = left, space.counts[1] + (left < space.counts[0])

    def survivors(self, space: Space) -> int:
        return int(space.counts[0])

    def survivor(self, space: Space, rank: int) -> int:
        return int(select(space.alive, rank))

    def cuts(self, space: Space) -> int:
        return int(space.counts[1])

    def halve(self, space: Space, chunk: Chunk, guesses: Array) -> int:
        """Play halving over leading rounds in one compiled call; how many. None: the first one is refused."""
        codes, order = self.codes(chunk)
        played = len(order)
        labels = chunk.labels[:played]
        return int(self.sweeps.halve(space.alive, space.counts, codes, order, labels, guesses[:played]))


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
