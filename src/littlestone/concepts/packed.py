"""Version spaces in packed bits: 64 concepts to a word, and the compiled sweeps that every packed class shares.

A class supplies one scalar rule, and the sweeps are compiled from it in one of three ways:

    compile_by_word          label_word(k, code)          the labels of concepts 64 k to 64 k + 63, without a branch
    compile_by_living_word   label_word(k, code, alive)   the same where it costs much: called only for words that still
                                                          hold a survivor; only the bits set in `alive` must be right
    compile_by_concept       label(concept, code)         the label of one concept, called only for survivors

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
from littlestone.compiled import U, count_bits, kernel, rule
from littlestone.concepts.concept import ConceptClass

LIMIT = 2**33  # concepts in a packed version space: one gigabyte of bits
ROOM = 2**20  # words of encoded instances that halving holds at a time


class PackedSpace(NamedTuple):
    """Survivors as bits, and in `counts` the number of survivors and of rounds that removed some."""

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


def compile_by_word(label_word: Any) -> Sweeps:
    """Compile the sweeps of a class that labels 64 concepts at once."""

    @rule
    def count_votes(alive: Array, code: Array) -> Any:
        votes = U(0)
        for k in range(alive.size):
            votes += count_bits(alive[k] & label_word(k, code))
        return np.int64(votes)

    @rule
    def narrow(alive: Array, code: Array, flip: Any) -> Any:
        left = U(0)
        for k in range(alive.size):
            survivors = alive[k] & (label_word(k, code) ^ flip)
            alive[k] = survivors
            left += count_bits(survivors)
        return np.int64(left)

    @rule
    def narrow_and_count(alive: Array, code: Array, flip: Any, after: Array) -> Any:
        votes = U(0)
        for k in range(alive.size):
            survivors = alive[k] & (label_word(k, code) ^ flip)
            alive[k] = survivors
            votes += count_bits(survivors & label_word(k, after))
        return np.int64(votes)

    @kernel
    def vote(alive: Array, code: Array) -> Any:
        return count_votes(alive, code)

    @kernel
    def keep(alive: Array, code: Array, y: int) -> Any:
        flip = U(0) if y else ~U(0)
        for k in range(alive.size):
            if alive[k] & (label_word(k, code) ^ flip):
                return narrow(alive, code, flip)
        return np.int64(0)

    @kernel
    def halve(alive: Array, counts: Array, codes: Array, order: Array, labels: Array, guesses: Array) -> Any:
        votes = count_votes(alive, codes[order[0]])
        for t in range(labels.size):
            if not play_round(counts, votes, labels, guesses, t):
                return t
            flip = U(0) if labels[t] else ~U(0)
            if t + 1 < labels.size:
                votes = narrow_and_count(alive, codes[order[t]], flip, codes[order[t + 1]])
            else:
                narrow(alive, codes[order[t]], flip)
        return labels.size

    @kernel
    def label(index: int, code: Array) -> Any:
        return (label_word(index >> 6, code) >> U(index & 63)) & U(1) == U(1)

    return Sweeps(vote, keep, halve, label)


def compile_by_living_word(label_word: Any) -> Sweeps:
    """Compile the sweeps of a class whose labels cost much: words without survivors are skipped."""

    @rule
    def label_survivors(alive: Array, code: Array, positive: Array) -> Any:
        votes = U(0)
        for k in range(alive.size):
            positive[k] = U(0)
            if alive[k]:
                positive[k] = alive[k] & label_word(k, code, alive[k])
                votes += count_bits(positive[k])
        return np.int64(votes)

    @rule
    def narrow(alive: Array, positive: Array, y: int) -> Any:
        for k in range(alive.size):
            alive[k] = positive[k] if y else alive[k] & ~positive[k]

    @kernel
    def vote(alive: Array, code: Array) -> Any:
        votes = U(0)
        for k in range(alive.size):
            if alive[k]:
                votes += count_bits(alive[k] & label_word(k, code, alive[k]))
        return np.int64(votes)

    @kernel
    def keep(alive: Array, code: Array, y: int) -> Any:
        positive = np.empty_like(alive)
        total = U(0)
        for k in range(alive.size):
            total += count_bits(alive[k])
        votes = label_survivors(alive, code, positive)
        left = votes if y else np.int64(total) - votes
        if left > 0:
            narrow(alive, positive, y)
        return left

    @kernel
    def halve(alive: Array, counts: Array, codes: Array, order: Array, labels: Array, guesses: Array) -> Any:
        positive = np.empty_like(alive)
        votes = label_survivors(alive, codes[order[0]], positive)
        for t in range(labels.size):
            if not play_round(counts, votes, labels, guesses, t):
                return t
            narrow(alive, positive, labels[t])
            if t + 1 < labels.size:
                votes = label_survivors(alive, codes[order[t + 1]], positive)
        return labels.size

    @kernel
    def label(index: int, code: Array) -> Any:
        bit = U(1) << U(index & 63)
        return label_word(index >> 6, code, bit) & bit != U(0)

    return Sweeps(vote, keep, halve, label)


def compile_by_concept(label: Any) -> Sweeps:
    """Compile the sweeps of a class that labels one concept at a time."""

    @rule
    def label_word(k: int, code: Array, alive: Any) -> Any:
        packed = U(0)
        rest = alive
        while rest:
            lowest = rest & (~rest + U(1))
            if label(64 * k + np.int64(count_bits(lowest - U(1))), code):
                packed |= lowest
            rest ^= lowest
        return packed

    return compile_by_living_word(label_word)


@rule
def play_round(counts: Array, votes: Any, labels: Array, guesses: Array, t: int) -> Any:
    """Guess round t by the votes and count the survivors of its label; False, and no count, if there are none."""
    total = counts[0]
    guesses[t] = 1 if 2 * votes > total else 0
    left = votes if labels[t] else total - votes
    if left > 0:
        counts[0] = left
        counts[1] += left < total
    return left > 0


class Packed(ConceptClass):
    """A class whose version space is packed bits; it supplies `encode` and its sweeps."""

    @property
    @abstractmethod
    def sweeps(self) -> Sweeps:
        """The sweeps compiled from the class's rule; most classes assign them in their body."""

    @abstractmethod
    def encode(self, x: Any) -> Array:
        """Encode an instance as the array that the rule reads; zeros may follow where others are longer."""

    def encode_chunk(self, chunk: Chunk) -> tuple[Array, Array]:
        """Encode the instances of leading rounds, as many as fit in `ROOM`.

        Returns:
            The encoded instances, one a row; repeated instances share one.
            For each round, the number of its row.
        """
        rows: dict[Any, int] = {}
        encoded: list[Array] = []
        order: list[int] = []
        words = 0
        for t in range(len(chunk)):
            x = chunk[t]
            if x not in rows:
                code = self.encode(x)
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
        return int(self.sweeps.label(index, self.encode(x)))

    def start(self) -> PackedSpace:
        require(self.size <= LIMIT, f"{self} has {self.size} concepts; packed bits hold {LIMIT}", TooLarge)
        alive = np.full((self.size + 63) // 64, ~U(0))
        if self.size % 64:
            alive[-1] = (U(1) << U(self.size % 64)) - U(1)
        return PackedSpace(alive, np.array([self.size, 0]))

    def votes(self, space: PackedSpace, x: Any) -> tuple[int, ...]:
        ones = int(self.sweeps.vote(space.alive, self.encode(x)))
        return int(space.counts[0]) - ones, ones

    def keep(self, space: PackedSpace, x: Any, y: int) -> None:
        self.count_round(space, x, y, int(self.sweeps.keep(space.alive, self.encode(x), y)))

    def count_round(self, space: PackedSpace, x: Any, y: int, left: int) -> None:
        """Count a round that left this number of survivors, or refuse it if there are none."""
        if left == 0:
            label = self.labels[y]
            raise NotRealizable(f"no concept of {self} that agrees with the rounds before labels {x} as {label}")
        space.counts[:] = left, space.counts[1] + (left < space.counts[0])

    def survivors(self, space: PackedSpace) -> int:
        return int(space.counts[0])

    def survivor(self, space: PackedSpace, rank: int) -> int:
        return int(find_bit(space.alive, rank))

    def cuts(self, space: PackedSpace) -> int:
        return int(space.counts[1])

    def halve(self, space: PackedSpace, chunk: Chunk, guesses: Array) -> int:
        """Play halving over leading rounds in one compiled call and return how many; 0: the first one is refused."""
        codes, order = self.encode_chunk(chunk)
        played = len(order)
        labels = chunk.labels[:played]
        return int(self.sweeps.halve(space.alive, space.counts, codes, order, labels, guesses[:played]))

    def check_space(self, space: PackedSpace) -> bool:
        whole = self.start().alive
        survivors = int(np.bitwise_count(space.alive).sum(dtype=np.int64))
        return 1 <= survivors == space.counts[0] and not (space.alive & ~whole).any() and space.counts[1] >= 0


@kernel
def find_bit(alive: Array, rank: int) -> Any:
    """Find the place of the set bit that has `rank` set bits before it; -1 if there are too few."""
    before = np.int64(rank)
    for k in range(alive.size):
        ones = np.int64(count_bits(alive[k]))
        if before < ones:
            for j in range(64):
                if (alive[k] >> U(j)) & U(1):
                    if before == 0:
                        return np.int64(64 * k + j)
                    before -= 1
        before -= ones
    return np.int64(-1)
