"""PlayedRounds: what a player tells of rounds that it has played in one call; Round: one that a game took down."""

from typing import Any, NamedTuple

from littlestone.base.chunks import Array, Chunk
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

    @property
    def rounds(self) -> int:
        """How many rounds came, those held out included."""
        return len(self.labels) + (0 if self.held is None else len(self.held.labels))


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
