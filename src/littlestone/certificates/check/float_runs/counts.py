"""What a run did, noted while it is played again."""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk, ArrangedRows


class FloatState(NamedTuple):
    """Weights by attribute, and that of the constant; of a network, with a column for each class."""

    weights: Array
    bias: Array


class FloatRun(NamedTuple):
    """What a run did: how often its guess was wrong, which rounds moved its state, and the mark of each."""

    mistakes: int
    updated: tuple[int, ...]
    marks: tuple[int, ...]
    idle: int = 0  # mistakes that moved nothing
    end: FloatState | None = None  # the weights after the last round, where another run may start from them
    scores: Array | None = None  # of each round, where the run is one of two classes with one score


@dataclass
class FloatCounts:
    """The same while it is counted."""

    rows: ArrangedRows
    mistakes: int = 0
    updated: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    idle: int = 0
    scores: list[Array] = field(default_factory=list)

    def note_guesses(self, chunk: ArrangedChunk, guesses: Array, scores: Array | None = None) -> None:
        """Count the guesses of a chunk that were wrong, after its updates; the first of all may be so in any case."""
        self.scores += [] if scores is None else [scores]
        wrong = guesses != chunk.codes
        moved = np.zeros(len(guesses), bool)
        if chunk.first == 0 and len(guesses):
            wrong[0] |= self.rows.surprise
        place = len(self.updated)
        while place > 0 and self.updated[place - 1] >= chunk.first:
            place -= 1
        moved[[number - chunk.first for number in self.updated[place:]]] = True
        self.mistakes += int(np.count_nonzero(wrong))
        self.idle += int(np.count_nonzero(wrong & ~moved))

    def note_update(self, number: int, mark: int = 1) -> None:
        """A round moved the state."""
        self.updated.append(number)
        self.marks.append(mark)

    def conclude(self, end: FloatState | None = None) -> FloatRun:
        """What was counted."""
        scores = np.concatenate(self.scores) if self.scores else None
        return FloatRun(self.mistakes, tuple(self.updated), tuple(self.marks), self.idle, end, scores)


class Showing(Protocol):
    """A player that shows some rounds only to the learner whose run is played again."""

    def show(self, number: int, guess: int, code: int) -> bool:
        """Whether the learner is shown a round, by its number, its guess and the label."""
        ...

    def note(self, chunk: ArrangedChunk, guesses: Array) -> Array:
        """What is played in the rounds of a chunk where the learner guesses so; those that it was shown are noted."""
        ...
