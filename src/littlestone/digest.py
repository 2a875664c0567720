"""Digest: a fingerprint of the rounds of a stream, as a learner sees them.

Rows count by their attributes that are not 0 and labels by their class numbers, so neither the cutting into chunks nor
dense or sparse storage matters. Other instances count by their `repr`.

A digest says which rounds are meant. That a certificate is true of them does not rest on it: `verify` reads them all.
So it need only tell one stream from another that nobody made to look the same, and large arrays go through four lanes
of the mixing step of Appleby's MurmurHash3 (64 bits each), several times as fast; the SHA-256 of all parts is the text.

>>> from littlestone.examples import Examples
>>> one, other = Digest(), Digest()
>>> one.add(Examples.of([[0, 2], [1, 0]], [1, 0]))
>>> other.add(Examples.of([[0, 2]], [1])); other.add(Examples.of([[1, 0]], [0]))
>>> one.text() == other.text()
True
"""

import hashlib
from typing import Any

import numpy as np

from littlestone.examples import Array, Chunk, Examples
from littlestone.kernel import kernel, rule, times

U = np.uint64
LANES, WORDS = 4, 8  # each lane takes two words at a time
FIRST, SECOND, THIRD = U(0x87C37B91114253D5), U(0x4CF5AD432745937F), U(0x52DCE729)
ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (U(k) for k in range(8))
WORD, LEFT, RIGHT, ON, BACK = U(32), U(31), U(33), U(27), U(37)


@rule
def mixed(lane: Any, low: Any, high: Any) -> Any:
    """A lane after two more words of 32 bits: for each lane another value, and so for each pair of words."""
    word = times(U(low) | (U(high) << WORD), FIRST)
    lane = lane ^ times((word << LEFT) | (word >> RIGHT), SECOND)
    return times((lane << ON) | (lane >> BACK), FIVE) + THIRD


@kernel
def absorb(words: Array, lanes: Array) -> Any:
    """Mix all words, a multiple of eight, into the four lanes."""
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    for k in range(ZERO, U(words.size), U(WORDS)):
        a, b = mixed(a, words[k], words[k + ONE]), mixed(b, words[k + TWO], words[k + THREE])
        c, d = mixed(c, words[k + FOUR], words[k + FIVE]), mixed(d, words[k + SIX], words[k + SEVEN])
    lanes[0], lanes[1], lanes[2], lanes[3] = a, b, c, d


class Fingerprint:
    """Add numbers in order, however cut, then read `bytes()`."""

    def __init__(self) -> None:
        self._lanes, self._rest, self._size = np.arange(LANES, dtype=np.uint64), np.zeros(0, np.uint32), 0

    def add(self, numbers: Array, kind: str) -> None:
        """More numbers, in a fixed type of 32 or 64 bits, little end first, without a copy where they have it."""
        words = np.ascontiguousarray(numbers, kind).view(np.uint32)
        self._size += len(words)
        if len(self._rest):
            missing = WORDS - len(self._rest)
            words, self._rest = words[missing:], np.concatenate((self._rest, words[:missing]))
            if len(self._rest) < WORDS:
                return
            absorb(self._rest, self._lanes)
        whole = len(words) // WORDS * WORDS
        absorb(words[:whole], self._lanes)
        self._rest = words[whole:].copy()

    def bytes(self) -> bytes:
        """The lanes, the words that wait for others, and how many there were."""
        return self._lanes.astype("<u8").tobytes() + self._rest.astype("<u4").tobytes() + b"%d" % self._size


class Digest:
    """Add chunks in order, then read `text()`."""

    def __init__(self) -> None:
        self.rounds = self._entries = self._kind = 0
        self._parts = [Fingerprint() for _ in range(6)]  # each apart, so that it does not matter where chunks end
        self._points = hashlib.sha256()

    def add(self, chunk: Chunk) -> None:
        """More rounds, their labels as class numbers."""
        lengths, attributes, places, values, longs, labels = self._parts
        if isinstance(chunk, Examples):
            counts, indices, numbers = listed(chunk, np.arange(len(chunk)))
            lengths.add(counts, "<i8")
            attributes.add(indices, "<i4")
            with np.errstate(over="ignore"):  # of three kinds: ones, numbers that are short floats, and the others
                short = numbers.astype(np.float32, copy=False)
            alike = short is numbers and not (numbers == 1).any()
            kinds = np.ones(min(len(numbers), 1) if alike else len(numbers), np.int8)  # alike, the first speaks for all
            if not alike:
                kinds[numbers == 1] = 0
                kinds[short != numbers] = 2
            turns = np.flatnonzero(np.diff(kinds, prepend=np.int8(self._kind)))  # where ones, short, long take turns
            places.add(3 * (self._entries + turns) + kinds[turns], "<i8")
            values.add(short if alike else short[kinds == 1], "<f4")
            longs.add(numbers[:0] if alike else numbers[kinds == 2], "<f8")
            self._entries += len(indices)
            self._kind = int(kinds[-1]) if len(kinds) else self._kind
        else:
            for x in chunk:
                self._points.update(f"{x!r}\n".encode())
        given = np.asarray(chunk.labels)
        labels.add(given, "<f8" if given.dtype.kind == "f" else "<i8")  # outcomes may be numbers
        self.rounds += len(chunk)

    def text(self) -> str:
        """The fingerprint of all rounds so far."""
        whole = hashlib.sha256(f"{self.rounds}".encode())
        for part in self._parts:
            whole.update(part.bytes() + b"\n")
        whole.update(self._points.digest())
        return whole.hexdigest()


def advised_digest(digest: Digest, experts: int) -> str:
    """The fingerprint of rounds of advice: one that says 0 is not one that is not there."""
    return hashlib.sha256(f"{experts} {digest.text()}".encode()).hexdigest()


@kernel
def gather(starts: Array, counts: Array, numbers: Array, out: Array) -> Any:
    """Stretches of some numbers, one after another."""
    last = ZERO
    for i in range(starts.size):
        here = U(starts[i])
        for k in range(U(counts[i])):
            out[last + k] = numbers[here + k]
        last += U(counts[i])


def listed(chunk: Examples, which: Array) -> tuple[Array, Array, Array]:
    """Some rows by their entries that are not 0: how many in each row, their attributes, their values."""
    if chunk.indices is None:
        assert chunk.values is not None
        dense = chunk.values[chunk.indptr[0] : chunk.indptr[-1]].reshape(len(chunk), -1)[which]
        rows, columns = np.nonzero(dense)
        return np.bincount(rows, minlength=len(which)), columns, dense[rows, columns]
    starts, counts = chunk.indptr[:-1][which], np.diff(chunk.indptr)[which]

    def taken(numbers: Array) -> Array:
        if len(which) == len(chunk):
            return numbers[chunk.indptr[0] : chunk.indptr[-1]]
        out = np.empty(int(counts.sum()), numbers.dtype)
        gather(starts, counts, numbers, out)
        return out

    indices = taken(chunk.indices)
    if chunk.values is None:
        return counts, indices, np.ones(len(indices), np.float32)
    values = taken(chunk.values)
    kept = values != 0
    if kept.all():
        return counts, indices, values
    rows = np.repeat(np.arange(len(which)), counts)[kept]
    return np.bincount(rows, minlength=len(which)), indices[kept], values[kept]
