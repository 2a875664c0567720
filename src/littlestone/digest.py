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

import numpy as np

from littlestone.examples import Array, Chunk, Examples


class Digest:
    """Add chunks in order, then read `text()`."""

    def __init__(self) -> None:
        self.rounds = self._entries = 0
        self._parts = [hashlib.sha256() for _ in range(5)]  # each apart, so that it does not matter where chunks end

    def add(self, chunk: Chunk) -> None:
        """More rounds, their labels as class numbers."""
        lengths, attributes, places, values, labels = self._parts
        if isinstance(chunk, Examples):
            counts, indices, numbers = listed(chunk, np.arange(len(chunk)))
            lengths.update(counts.astype("<i8").tobytes())
            attributes.update(indices.astype("<i4").tobytes())
            other = np.flatnonzero(numbers != 1)
            places.update((self._entries + other).astype("<i8").tobytes())  # of values that are not 1
            values.update(numbers[other].astype("<f8").tobytes())
            self._entries += len(indices)
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


def listed(chunk: Examples, which: Array) -> tuple[Array, Array, Array]:
    """Some rows by their entries that are not 0: how many in each row, their attributes, their values."""
    if chunk.indices is None:
        assert chunk.values is not None
        dense = chunk.values[chunk.indptr[0] : chunk.indptr[-1]].reshape(len(chunk), -1)[which]
        rows, columns = np.nonzero(dense)
        return np.bincount(rows, minlength=len(which)), columns, dense[rows, columns]
    starts, counts = chunk.indptr[:-1][which], np.diff(chunk.indptr)[which]
    if len(which) == len(chunk):
        entries: Array = np.arange(chunk.indptr[0], chunk.indptr[-1])
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
