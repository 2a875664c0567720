"""Steps: the rounds that moved a learner's state, which are all that its theorems look at."""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Tally
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, State
from littlestone.base.theorem import Theorem
from littlestone.certificates.digest import list_entries


class Steps(NamedTuple):
    """The rounds that moved a state: numbers, classes, marks, and their rows as counts, attributes and values."""

    rounds: Array
    classes: Array
    marks: Array
    counts: Array
    indices: Array
    values: Array
    idle_mistakes: int  # mistakes on rounds that moved nothing

    @classmethod
    def empty(cls) -> Self:
        """No steps at all."""
        none = np.zeros(0, np.int64)
        return cls(none, none, np.zeros(0), none, none.astype(np.int32), np.zeros(0, np.float32), 0)

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """The steps of several stretches of rounds, one after another."""
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields[:6]}
        return cls(**arrays, idle_mistakes=sum(part.idle_mistakes for part in parts))

    def select(self, which: Array) -> "Steps":
        """Some of the steps, by number."""
        kept = np.isin(np.repeat(np.arange(len(self.rounds)), self.counts), which)
        rounds, classes, marks, counts = (getattr(self, name)[which] for name in self._fields[:4])
        return Steps(rounds, classes, marks, counts, self.indices[kept], self.values[kept], self.idle_mistakes)


class TracedRun(NamedTuple):
    """A run to be certified: the learner, its state and tally after it, and the rounds that moved the state."""

    learner: Learner
    state: State
    tally: Tally
    steps: Steps
    real: Any  # the floating type of the weights
    classes: int
    wanted: str | None  # part of the name of the only theorem that will do
    sweeps: int  # passes over the steps that the search for a witness may take

    def covering(self) -> list[Theorem]:
        """The learner's theorems that were asked for: by name, or all that are sharp."""
        theorems = self.learner.theorems()
        if self.wanted is None:
            return [theorem for theorem in theorems if theorem.sharp]
        return [theorem for theorem in theorems if self.wanted.lower() in theorem.name.lower()]

    def refuse(self, why: str) -> NotCertified:
        """The error that says why no theorem, or none of that name, gives a certificate."""
        asked = f"no theorem like {self.wanted!r} applies" if self.wanted else "no theorem applies"
        return NotCertified(f"{asked} to {type(self.learner).__name__} here: {why}")


def refuse_importance(chunk: Chunk) -> None:
    """Refuse rounds with weights of their own: a step of another length is another learner's."""
    plain = not isinstance(chunk, Examples) or chunk.importance is None
    require(plain, "no theorem here covers rounds of unequal importance: certify rounds without weights", NotCertified)


def collect_steps(chunk: Chunk, guesses: Array, marks: Array, first: int) -> Steps:
    """The rounds of a chunk whose marks are positive; `first` is the number of the chunk's first round."""
    which = np.flatnonzero(marks > 0)
    idle = int(np.count_nonzero((guesses != chunk.labels) & (marks <= 0)))
    refuse_importance(chunk)
    if isinstance(chunk, Examples):
        counts, indices, values = list_entries(chunk, which)
    else:
        counts, indices, values = np.zeros(len(which), np.int64), np.zeros(0, np.int32), np.zeros(0)
    return Steps(first + which, chunk.labels[which], marks[which], counts, indices, values, idle)
