"""Separate units: one state for each class, for networks whose units have no attribute-major loops.

Every unit learns its own class against all others by its own rule, one row at a time; that is slower than the loops of
`network_loops.py` but asks of a unit only that it can score a row.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.learner import Learner, Size
from littlestone.learners.shared.network_loops import CLASSES
from littlestone.learners.shared.rounds import ROUNDS, UPDATES


class SeparateUnits(NamedTuple):
    """The units' states by class; `counts` are rounds, updates and classes met."""

    units: tuple[Any, ...]
    counts: Array


def start(unit: Learner, size: Size, seed: int) -> SeparateUnits:
    return SeparateUnits(tuple(unit.start(size, seed) for _ in range(size.classes)), np.array([0, 0, size.classes]))


def grow(unit: Learner, state: SeparateUnits, size: Size) -> SeparateUnits:
    """Room for what turned up; a new class starts where the rule starts."""
    grown = tuple(unit.grow(part, size) for part in state.units)
    return state._replace(units=grown + tuple(unit.start(size) for _ in range(size.classes - len(grown))))


def scores(unit: Any, state: SeparateUnits, x: Any) -> Array:
    """The scores of the classes met so far."""
    return np.array([unit.score(part, x) for part in state.units[: int(state.counts[CLASSES])]])


def update(unit: Learner, state: SeparateUnits, x: Row, y: int) -> None:
    state.counts[ROUNDS] += 1
    state.counts[CLASSES] = max(int(state.counts[CLASSES]), y + 1)
    taught = state.units[: int(state.counts[CLASSES])]
    before = sum(unit.moves(part) for part in taught)
    for c, part in enumerate(taught):
        unit.round(part, x, int(c == y))
    state.counts[UPDATES] += sum(unit.moves(part) for part in taught) > before


def is_full(unit: Learner, state: SeparateUnits) -> bool:
    return any(unit.full(part) for part in state.units)
