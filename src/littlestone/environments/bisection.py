"""Bisection: ask in the middle, answer the opposite of the guess.

On the grid thresholds 0..n it forces floor(lg(n + 2)) mistakes on every deterministic learner, which is what halving
achieves. The concept it returns agrees with everything it said.

>>> from littlestone.concepts import Thresholds
>>> Bisection(Thresholds(14)).rounds
4
"""

from typing import Any

from littlestone.bound import floor_log2
from littlestone.concept import Concept
from littlestone.concepts.thresholds import Thresholds
from littlestone.environment import Environment


class Bisection(Environment):
    """The adversary that halves the thresholds that remain, against whatever is guessed."""

    def __init__(self, concepts: Thresholds) -> None:
        self.concepts = concepts
        self.rounds = floor_log2(concepts.size)

    def start(self, seed: int) -> None:
        self.low, self.high = 0, self.concepts.n + 1

    def ask(self) -> int | None:
        self.middle = (self.low + self.high - 1) // 2
        return self.middle if self.low < self.high else None

    def answer(self, guess: Any) -> bool:
        if guess:
            self.low = self.middle + 1
        else:
            self.high = self.middle
        return not guess

    def target(self) -> Concept:
        return self.concepts.concept(self.low)

    def __repr__(self) -> str:
        return f"Bisection({self.concepts})"
