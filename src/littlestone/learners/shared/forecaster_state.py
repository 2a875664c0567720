"""The state of learners for log-loss: a table of the attributes met, with room for members, units and attributes.

Room is made for twice as many attributes at a time, and for each new class. Two classes share a unit; when a third one
comes, the unit of the first class becomes the mirror image of that of the second, which has played the same game.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array

ROUNDS, UPDATES, CLASSES, MET, PLAYS, MATRICES, WANTED = range(7)  # what `counts` of a state holds
SAID, EXPECTED, UNITS = range(3)  # rows of `losses`: what was said in all, mistakes of a coin, then the units
SMALLEST = 16  # rows of a table


class Forecaster(NamedTuple):
    """What a learner for log-loss has learned."""

    places: Any  # of each attribute its row in the table; 0: it was not met, row 0 being the constant's
    table: Any  # for each row the largest size, as a float64, then the numbers of each unit
    weights: Any  # units by members: how much each member weighs
    centres: Any  # Newton members of all units by attributes
    matrices: Any  # Newton members of all units by attributes twice
    spent: Any  # Newton members of all units by two: what their theorem charges, and its simpler form
    losses: Any  # rows of a sum and what rounding took from it
    labels: Any  # where these are numbers: a unit for them, and their largest size in it; zeros elsewhere
    counts: Any  # rounds, updates, classes, rows in use, plays, whether there are matrices, rows that were wanted


class Members(NamedTuple):
    """Of which members each unit is a mixture, and how numbers are kept."""

    rates: tuple[float, ...] = ()
    wealths: tuple[float, ...] = ()
    kappas: tuple[float, ...] = ()
    ridge: float = 0.1
    limit: int = 0  # attributes up to which there are Newton members
    bytes: int = 4  # of a number in the table

    @property
    def first(self) -> int:
        """How many are of first order."""
        return len(self.rates) + len(self.wealths)

    @property
    def width(self) -> int:
        """How many numbers of the table belong to an attribute and unit."""
        return 2 * self.first + len(self.wealths)

    @property
    def lead(self) -> int:
        """How many numbers of the table a size takes."""
        return 8 // self.bytes

    def stride(self, units: int) -> int:
        """How many numbers of the table belong to an attribute."""
        return (1 + -(-units * self.width // self.lead)) * self.lead

    def start(self, attributes: int, classes: int) -> Forecaster:
        """The state before the first round."""
        counts = np.array([0, 0, classes, 1, 0, len(self.kappas) > 0, 0], np.int64)
        state = self._make_empty(np.zeros(attributes, np.int32), counts, SMALLEST, count_units(classes))
        state.table.view(np.float64)[0] = 1.0  # the constant's size
        return state

    def _make_empty(self, places: Array, counts: Array, rows: int, units: int) -> Forecaster:
        """A state with room for `rows` attributes and `units` units, that has learned nothing."""
        table = np.zeros((rows, self.stride(units)), f"f{self.bytes}")
        for unit in range(units):
            self.find_block(table, unit)[:, 2 * self.first :] = self.wealths
        newton, side = units * len(self.kappas), min(rows, self.limit) if counts[MATRICES] else 0
        return Forecaster(
            places,
            table.ravel(),
            np.full((units, self.first + len(self.kappas)), 1.0 / (self.first + len(self.kappas))),
            np.zeros((newton, side)),
            np.tile(np.eye(side) / self.ridge, (newton, 1, 1)),
            np.zeros((newton, 2)),
            np.zeros((UNITS + units, 2)),
            np.zeros(2),
            counts,
        )

    def find_block(self, table: Array, unit: int) -> Array:
        """The numbers of one unit in all rows of a table."""
        start = self.lead + unit * self.width
        return table[:, start : start + self.width]

    def count_rows(self, state: Forecaster) -> int:
        """For how many attributes a state has room."""
        return len(state.table) // self.stride(len(state.weights))

    def resize(self, state: Forecaster, rows: int, units: int) -> Forecaster:
        """The state with room for `rows` attributes and `units` units."""
        new, old, met = self._make_empty(state.places, state.counts, rows, units), len(state.weights), state.counts[MET]
        table, kept = new.table.reshape(rows, -1), state.table.reshape(-1, self.stride(old))[:met]
        table[:met, : self.lead], new.losses[:UNITS] = kept[:, : self.lead], state.losses[:UNITS]
        new.labels[:] = state.labels
        mirrored = old == 1 and units > 1
        for source, target, sign in [(0, 1, 1), (0, 0, -1)] if mirrored else [(u, u, 1) for u in range(old)]:
            block = self.find_block(table[:met], target)
            block[:] = self.find_block(kept, source)
            block[:, : self.first] *= sign
            new.weights[target], new.losses[UNITS + target] = state.weights[source], state.losses[UNITS + source]
            for k in range(len(self.kappas)):
                own, theirs = target * len(self.kappas) + k, source * len(self.kappas) + k
                side = min(new.centres.shape[1], state.centres.shape[1])
                new.spent[own], new.centres[own, :side] = state.spent[theirs], sign * state.centres[theirs, :side]
                new.matrices[own, :side, :side] = state.matrices[theirs, :side, :side]
        return new


def count_units(classes: int) -> int:
    """Two classes share a unit."""
    return 1 if classes <= 2 else classes
