"""Adversary: what those share that answer the opposite of every guess.

Against a deterministic learner every round is then a mistake, so the whole art is in the questions: each must leave
some concept that agrees with either answer. With fair coins for answers, the same questions make a learner that tosses
coins of its own err in half of the rounds in expectation.
"""

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

from littlestone.base.environment import Environment


class Adversary(Environment):
    """Answers False or True, whichever was not guessed. Subclasses ask, and take note of what they have said."""

    chooses = True

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def answer(self, guess: Any) -> bool:
        y = bool(guess != 1)  # a guess of False, 0 or -1 is the negative class
        self.note(y)
        return y

    @abstractmethod
    def note(self, y: bool) -> None:
        """The instance just asked is labelled y from now on."""
