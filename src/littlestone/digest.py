"""Digest: a fingerprint of the rounds of a stream, as a learner sees them.

Rows count by their attributes that are not 0 and labels by their class numbers, so neither the cutting into chunks nor
dense or sparse storage matters. Other instances count by their `repr`.

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


class Digest:
    """Add chunks in order, then read `text()`."""

    def __init__(self) -> None:
        self.rounds = self._entries = self._kind = 0
        self._parts = [hashlib.sha256() for _ in range(6)]  # each apart, so that it does not matter where chunks end

    def add(self, chunk: Chunk) -> None:
        """More rounds, their labels as class numbers."""
        lengths, attributes, places, values, longs, labels = self._parts
        if isinstance(chunk, Examples):
            counts, indices, numbers = listed(chunk, np.arange(len(chunk)))
            lengths.update(_bytes(counts, "<i8"))
            attributes.update(_bytes(indices, "<i4"))
            with np.errstate(over="ignore"):  # of three kinds: ones, numbers that are short floats, and the others
                ones, short = numbers == 1, numbers.astype(np.float32, copy=False)
            kinds = np.where(ones, 0, 1).astype(np.int8) if ones.any() else np.ones(len(numbers), np.int8)
            if short is not numbers:
                kinds[short != numbers] = 2
            turns = np.flatnonzero(np.diff(kinds, prepend=np.int8(self._kind)))
            places.update(
                _bytes(3 * (self._entries + turns) + kinds[turns], "<i8")
            )  # where ones, short, long take turns
            alike = len(kinds) > 0 and kinds[0] == 1 and len(turns) == int(self._kind != 1)
            values.update(_bytes(short if alike else short[kinds == 1], "<f4"))
            longs.update(_bytes(numbers[:0] if alike else numbers[kinds == 2], "<f8"))
            self._entries += len(indices)
            self._kind = int(kinds[-1]) if len(kinds) else self._kind
        else:
            for x in chunk:
                attributes.update(f"{x!r}\n".encode())
        given = np.asarray(chunk.labels)
        labels.update(given.astype("<f8" if given.dtype.kind == "f" else "<i8").tobytes())  # outcomes may be numbers
        self.rounds += len(chunk)

    def text(self) -> str:
        """The fingerprint of all rounds so far."""
        whole = hashlib.sha256(f"{self.rounds}".encode())
        for part in self._parts:
            whole.update(part.digest())
        return whole.hexdigest()


def advised_digest(digest: Digest, experts: int) -> str:
    """The fingerprint of rounds of advice: one that says 0 is not one that is not there."""
    return hashlib.sha256(f"{experts} {digest.text()}".encode()).hexdigest()


def _bytes(numbers: Array, kind: str) -> Any:
    """The numbers in a fixed type, little end first, without a copy where they have it."""
    return np.ascontiguousarray(numbers, kind).data


def listed(chunk: Examples, which: Array) -> tuple[Array, Array, Array]:
    """Some rows by their entries that are not 0: how many in each row, their attributes, their values."""
    if chunk.indices is None:
        assert chunk.values is not None
        dense = chunk.values[chunk.indptr[0] : chunk.indptr[-1]].reshape(len(chunk), -1)[which]
        rows, columns = np.nonzero(dense)
        return np.bincount(rows, minlength=len(which)), columns, dense[rows, columns]
    starts, counts = chunk.indptr[:-1][which], np.diff(chunk.indptr)[which]
    if len(which) == len(chunk):
        entries: Any = slice(chunk.indptr[0], chunk.indptr[-1])
    else:
        first = np.concatenate(([0], np.cumsum(counts)))
        entries = np.repeat(starts - first[:-1], counts) + np.arange(first[-1])
    indices = chunk.indices[entries]
    if chunk.values is None:
        return counts, indices, np.ones(len(indices), np.float32)
    values = chunk.values[entries]
    kept = values != 0
    if kept.all():
        return counts, indices, values
    rows = np.repeat(np.arange(len(which)), counts)[kept]
    return np.bincount(rows, minlength=len(which)), indices[kept], values[kept]
