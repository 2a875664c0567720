"""Steps: the rounds that moved a learner's state, which are all that its theorems look at."""

from typing import NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.digest import listed


class Steps(NamedTuple):
    """The rounds that moved a state: numbers, classes, marks, and their rows as counts, attributes and values."""

    rounds: Array
    classes: Array
    marks: Array
    counts: Array
    indices: Array
    values: Array
    apart: int  # mistakes on rounds that moved nothing

    @classmethod
    def none(cls) -> Self:
        empty = np.zeros(0, np.int64)
        return cls(empty, empty, np.zeros(0), empty, empty.astype(np.int32), np.zeros(0, np.float32), 0)

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields[:6]}
        return cls(**arrays, apart=sum(part.apart for part in parts))

    def chosen(self, which: Array) -> "Steps":
        """Some of the steps, by number."""
        kept = np.isin(np.repeat(np.arange(len(self.rounds)), self.counts), which)
        rounds, classes, marks, counts = (getattr(self, name)[which] for name in self._fields[:4])
        return Steps(rounds, classes, marks, counts, self.indices[kept], self.values[kept], self.apart)


def alike(chunk: Chunk) -> None:
    """Refuse rounds with weights of their own: a step of another length is another learner's."""
    plain = not isinstance(chunk, Examples) or chunk.importance is None
    require(plain, "no theorem here covers rounds of unequal importance: certify rounds without weights", NotCertified)


def noted(chunk: Chunk, guesses: Array, marks: Array, first: int) -> Steps:
    """The rounds that moved the state, and how many mistakes did not."""
    which = np.flatnonzero(marks > 0)
    apart = int(np.count_nonzero((guesses != chunk.labels) & (marks <= 0)))
    alike(chunk)
    if isinstance(chunk, Examples):
        counts, indices, values = listed(chunk, which)
    else:
        counts, indices, values = np.zeros(len(which), np.int64), np.zeros(0, np.int32), np.zeros(0)
    return Steps(first + which, chunk.labels[which], marks[which], counts, indices, values, apart)
