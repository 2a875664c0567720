"""PlayedRounds: what a player tells of rounds that it has played in one call; Round: one that a game took down.

Ticket: a guess whose label is still to come.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import require
from littlestone.base.learner import Learner
from littlestone.base.traits import ask_takes
from littlestone.game.held_out import HeldOut


class PlayedRounds(NamedTuple):
    """Rounds that a player has played in one call.

    Args:
        chunk: The rounds as they came, with the user's labels.
        seen: The same rounds as the learner saw them, labelled with class numbers.
        guesses: The classes guessed; -1 where no class was known yet.
        labels: The class numbers of the labels.
        moved: Positive where a round moved the state; None if that was not asked for.
        held: The rounds among them that were held out; None if that was not asked for.
        served: The classes that `predict` would have said before each label was seen; None if they were not counted.
        scores: The scores of what was served, of two classes, where it is not what was played; else None.
        chances: The chance that each label was given before it was seen, where the learner says one; else None.
        sure: The chance that each guess was given, where the learner says one; else None.
        named: Whether the classes 0 and 1 had names before these rounds.
        told: All that the learner said of each round before its label, as `base/telling.py` lays it out, if that was
            asked for.
    """

    chunk: Chunk
    seen: Chunk
    guesses: Array
    labels: Array
    moved: Array | None = None
    held: HeldOut | None = None
    served: Array | None = None
    scores: Array | None = None
    chances: Array | None = None
    sure: Array | None = None
    told: Array | None = None
    named: tuple[bool, bool] = (True, True)

    def judge(self, answers: Array) -> Array:
        """The guesses or what was served, -1 where it was a class that had not come yet and did not come then."""
        for c in (0, 1):
            if not self.named[c]:
                before = int(np.append(self.labels == c, True).argmax())
                answers = np.where((answers == c) & (np.arange(len(answers)) < before), -1, answers)
        return answers

    @property
    def rounds(self) -> int:
        """How many rounds came, those held out included."""
        return len(self.labels) + (0 if self.held is None else len(self.held.labels))

    @property
    def entries(self) -> int:
        """How many entries the rows have that were learned, such as the words of a text; 0 where they are no rows."""
        indptr = getattr(self.seen, "indptr", (0,))
        return int(indptr[-1] - indptr[0])


class Round(NamedTuple):
    """One round as it was played, in the user's labels.

    Args:
        number: Which round it was, from 1 on.
        x: The instance.
        guess: The label that was guessed.
        y: The label that was revealed.
        mistake: Whether they differ.
    """

    number: int
    x: Any
    guess: Any
    y: Any
    mistake: bool

    def __str__(self) -> str:
        return f"{self.number:4d}  {'x' if self.mistake else '.'}  {self.x!s} -> {self.guess}, was {self.y}"


@dataclass(slots=True, eq=False)
class Ticket:
    """A guess whose label is still to come: `guess` is the label that was reported; the rest is for its player."""

    guess: Any
    _player: Any
    _seen: Any
    _class: Any  # that the hypothesis which plays guessed
    _used: bool = False

    def __repr__(self) -> str:
        return f"Ticket(guess={self.guess!r}{', used' if self._used else ''})"


def play_weighed(learner: Learner, state: Any, seen: Any, code: Any, importance: Any) -> Any:
    """Play one round that counts more or less than once; the guess."""
    number = isinstance(importance, int | float | np.number) and 0 <= importance < np.inf
    require(bool(number), f"importance must be a number, at least 0 and finite; got {importance!r}")
    able = isinstance(seen, Row) and ask_takes(learner).importance
    require(able, f"{learner} counts every round once: importance has no meaning for it")
    kind: Any = np.float64 if learner.numeric else np.int32
    guesses = np.zeros(1, kind)
    row = replace(Examples.row(seen, 0), labels=np.array([code], kind), importance=np.array([float(importance)]))
    learner.replay(state, row, guesses)
    return guesses[0].item()
