"""Apart: one state for each class, for networks whose units have no attribute-major loops.

Every unit learns its own class against all others by its own rule, one row at a time; that is slower than the loops of
`units.py` but asks of a unit only that it can score a row.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.learner import Learner, Size


class Apart(NamedTuple):
    """The units' states by class; `counts` are rounds, updates and classes met."""

    units: tuple[Any, ...]
    counts: Array


def start(unit: Learner, size: Size, seed: int) -> Apart:
    return Apart(tuple(unit.start(size, seed) for _ in range(size.classes)), np.array([0, 0, size.classes]))


def grow(unit: Learner, state: Apart, size: Size) -> Apart:
    """Room for what turned up; a new class starts where the rule starts."""
    grown = tuple(unit.grow(part, size) for part in state.units)
    return state._replace(units=grown + tuple(unit.start(size) for _ in range(size.classes - len(grown))))


def scores(unit: Any, state: Apart, x: Any) -> Array:
    """The scores of the classes met so far."""
    return np.array([unit.score(part, x) for part in state.units[: int(state.counts[2])]])


def update(unit: Learner, state: Apart, x: Row, y: int) -> None:
    state.counts[0] += 1
    state.counts[2] = max(int(state.counts[2]), y + 1)
    taught = state.units[: int(state.counts[2])]
    before = sum(unit.moves(part) for part in taught)
    for c, part in enumerate(taught):
        unit.round(part, x, int(c == y))
    state.counts[1] += sum(unit.moves(part) for part in taught) > before


def full(unit: Learner, state: Apart) -> bool:
    return any(unit.full(part) for part in state.units)
