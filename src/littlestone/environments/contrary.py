"""Contrary: a new instance every round, and the opposite of the guess.

A learner that knows nothing beforehand about the concept can be wrong for ever: on 0, 1, 2, ... every deterministic
learner errs in every round, and some function agrees with all labels, since none was given twice. So a mistake bound
always needs prior knowledge: a class of concepts, or finitely many instances, where a memorizer errs once on each.

>>> environment = Contrary()
>>> environment.start(seed=0)
>>> environment.ask(), environment.answer(True), environment.ask()
(0, False, 1)
"""

from dataclasses import dataclass
from typing import Any

from littlestone.environments.adversary import Adversary


@dataclass(frozen=True)
class ListedLabels:
    """The function with these labels on 0, 1, 2, ... and False afterwards."""

    labels: tuple[bool, ...]

    def __call__(self, x: Any) -> bool:
        return self.labels[x] if x < len(self.labels) else False

    def __str__(self) -> str:
        return f"the function with the {len(self.labels)} labels given"


class Contrary(Adversary):
    """The adversary of a learner without prior knowledge: the instances are the natural numbers, in order."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, seed: int) -> None:
        self.labels: list[bool] = []

    def ask(self) -> int:
        return len(self.labels)

    def note(self, y: bool) -> None:
        self.labels.append(y)

    def target(self) -> ListedLabels:
        return ListedLabels(tuple(self.labels))

    def __repr__(self) -> str:
        return "Contrary()"
