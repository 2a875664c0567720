"""Separate units: a network whose units have states of their own, because they share no loops."""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.learner import Learner, Size
from littlestone.learners.shared.network_loops import CLASSES
from littlestone.learners.shared.rounds import ROUNDS, UPDATES


class SeparateUnits(NamedTuple):
    """The units' states by class, where they have no loops of their own; `counts` are rounds, updates and classes met.

    Every unit learns its own class against all others by its own rule, one row at a time; that is slower than the loops
    below but asks of a unit only that it can score a row.
    """

    units: tuple[Any, ...]
    counts: Array

    @classmethod
    def of(cls, unit: Learner, size: Size, seed: int) -> Self:
        """The units before the first round."""
        return cls(tuple(unit.start(size, seed) for _ in range(size.classes)), np.array([0, 0, size.classes]))

    def grow(self, unit: Learner, size: Size) -> Self:
        """Room for what turned up; a new class starts where the rule starts."""
        grown = tuple(unit.grow(part, size) for part in self.units)
        return self._replace(units=grown + tuple(unit.start(size) for _ in range(size.classes - len(grown))))

    def score(self, unit: Any, x: Any) -> Array:
        """The scores of the classes met so far."""
        return np.array([unit.score(part, x) for part in self.units[: int(self.counts[CLASSES])]])

    def update(self, unit: Learner, x: Row, y: int) -> None:
        """Teach every unit its class against all others."""
        met = max(int(self.counts[CLASSES]), y + 1)
        taught = self.units[:met]
        before = sum(unit.moves(part) for part in taught)
        for c, part in enumerate(taught):
            unit.round(part, x, int(c == y))  # a row that one unit refuses for its values all refuse
        self.counts[ROUNDS] += 1
        self.counts[CLASSES] = met
        self.counts[UPDATES] += sum(unit.moves(part) for part in taught) > before
