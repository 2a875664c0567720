"""Forecast bench: what the loops of learners for log-loss work on, row after row, and what they find."""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import exponential, logarithm, long_rule, rule
from littlestone.learners.shared.forecaster_state import CLASSES, EXPECTED, SAID, Forecaster, Members
from littlestone.learners.shared.newton_members import Newton
from littlestone.learners.shared.scale_free import RowReading

LEAST_CHANCE = 1e-300  # a member that gave the label less is charged for this


class ForecastParams(NamedTuple):
    """What the loops read of a learner."""

    rates: Any  # of AdaGrad members
    wealths: Any  # of coins
    kappas: Any  # of Newton members
    ridge: float
    limit: int  # attributes up to which there are Newton members
    guard: bool
    share: bool
    constant: bool


class Found(NamedTuple):
    """What is found about a row: of each block its members' scores and chances, and what their mixture says."""

    scores: Any
    high: Any  # the chance of yes, or of the class
    low: Any  # the chance of no
    pulls: Any
    yes: Any
    no: Any
    parts: Any  # of each class: its chance is its part of all parts
    ahead: Any
    spread: Any


class ScaledRows(NamedTuple):
    """The table, or a copy of some of its rows: as reals, and the same memory as float64, where the sizes are."""

    reals: Any
    sizes: Any
    lead: Any  # reals that a size takes
    shift: Any  # the logarithm of that
    stride: Any  # reals of a row

    @classmethod
    def of(cls, reals: Array, stride: int) -> Self:
        """The rows of some memory."""
        return cls(reals, reals.view(np.float64), 8 // reals.itemsize, np.uint64(reals.itemsize == 4), stride)


class Bench(NamedTuple):
    """What a row is played on."""

    rows: ScaledRows
    newton: Newton
    reading: RowReading
    found: Found

    @classmethod
    def of(cls, members: Members, state: Forecaster, longest: int) -> Self:
        """Room for rows of up to `longest` entries, and for all blocks."""
        blocks = len(state.weights)
        newton = len(state.centres)
        sizes = [blocks * (members.first + len(members.kappas))] * 4 + [blocks] * 2 + [blocks + 1] + [newton] * 2
        rows = ScaledRows.of(state.table, members.stride(blocks))
        along = Newton(state.centres, state.matrices, np.zeros_like(state.centres))
        return cls(rows, along, RowReading.of(longest), Found(*map(np.zeros, sizes)))

    def copy_state(self) -> Self:
        """Room for copies of all that a row may change."""
        rows = ScaledRows.of(
            np.zeros(len(self.reading.values) * self.rows.stride, self.rows.reals.dtype), self.rows.stride
        )
        centres, matrices, along = self.newton
        return self._replace(rows=rows, newton=Newton(np.empty_like(centres), np.empty_like(matrices), along))


@rule
def count_units(state: Any) -> Any:
    """How many units there are: one for two classes, else one for each class met."""
    return 1 if state.weights.shape[0] == 1 else state.counts[CLASSES]


@long_rule
def add_compensated(losses: Array, row: Any, value: Any) -> Any:
    """Add a value to a sum, and what rounding takes from it to the number beside it (Neumaier)."""
    total = losses[row, 0]
    new = total + value
    losses[row, 1] += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
    losses[row, 0] = new


@long_rule
def charge(losses: Array, chance: Any, importance: Any) -> Any:
    """Add what was lost in a round whose label was given a chance: its log-loss, and mistakes of a coin."""
    add_compensated(losses, SAID, -importance * logarithm(max(chance, LEAST_CHANCE)))
    add_compensated(losses, EXPECTED, importance * (1.0 - chance))


@rule
def lessen(weight: Any, chance: Any, importance: Any) -> Any:
    """The weight of one that gave the label a chance, before all are made to add up to 1."""
    chance = max(chance, LEAST_CHANCE)
    return weight * (chance if importance == 1.0 else exponential(importance * logarithm(chance)))


@long_rule
def weigh(weights: Array, row: Any, chances: Array, at: Any, active: Any, importance: Any, part: Any) -> Any:
    """Let members that gave the label little chance lose weight, and share a part of all weight among all.

    `weights` has a row for each mixture; the chances of this one's members are found from `at` on.
    """
    total = 0.0
    for k in range(active):
        weights[row, k] = lessen(weights[row, k], chances[at + k], importance)
        total += weights[row, k]
    for k in range(active):
        weights[row, k] = (1.0 - part) * (weights[row, k] / total) + part / active
    for k in range(active, weights.shape[1]):
        weights[row, k] = 0.0


@long_rule
def choose(parts: Any, classes: Any) -> Any:
    """The class that is most likely, the first of those that are."""
    best = 0
    for c in range(1, classes):
        if parts[c] > parts[best]:
            best = c
    return best


@long_rule
def find_chance(parts: Any, blocks: Any, classes: Any, label: Any) -> Any:
    """The chance that was given to a label, one of the classes met before."""
    if blocks == 1:
        return parts[label]
    total = 0.0
    for c in range(classes):
        total += parts[c]
    return parts[label] / total
