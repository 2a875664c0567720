"""The state of learners for log-loss: a table of the attributes met, with room for members, classes and attributes.

Room is made for twice as many attributes at a time, and for each new class. What an attribute has learned for a class
is a block of numbers. With one unit a class, two classes share a unit and its block; when a third one comes, the unit
of the first class becomes the mirror image of that of the second, which has played the same game. A softmax has a block
for each class from the start. With both, each class has two blocks, that of its unit first.
"""

from typing import Any, Literal, NamedTuple

import numpy as np

from littlestone.base.chunks import Array

ROUNDS, UPDATES, CLASSES, MET, PLAYS, MATRICES, WANTED = range(7)  # what `counts` of a state holds
SAID, EXPECTED, UNITS = range(3)  # rows of `losses`: what was said in all, mistakes of a coin, then the units
SMALLEST = 16  # rows of a table
LINE = 64  # bytes of a line of the processor's cache

Form = Literal["units", "softmax", "both"]


class Forecaster(NamedTuple):
    """What a learner for log-loss has learned."""

    places: Any  # of each attribute its row in the table; 0: it was not met, row 0 being the constant's
    table: Any  # for each row the largest size, as a float64, then its blocks
    weights: Any  # blocks by members: how much each member weighs; those of a softmax are beside its first block
    centres: Any  # Newton members of all units by attributes
    matrices: Any  # Newton members of all units by attributes twice
    spent: Any  # Newton members of all units by two: what their theorem charges, and its simpler form
    losses: Any  # rows of a sum and what rounding took from it
    labels: Any  # where these are numbers: their unit, in it the largest and the first; weights of units and softmax
    counts: Any  # rounds, updates, classes, rows in use, plays, whether there are matrices, rows that were wanted


class Members(NamedTuple):
    """Of which members each unit is a mixture, and how numbers are kept."""

    rates: tuple[float, ...] = ()
    wealths: tuple[float, ...] = ()
    kappas: tuple[float, ...] = ()
    ridge: float = 0.1
    limit: int = 0  # attributes up to which there are Newton members
    bytes: int = 4  # of a number in the table
    form: Form = "units"  # how more than two classes are told apart

    @property
    def first(self) -> int:
        """How many are of first order."""
        return len(self.rates) + len(self.wealths)

    @property
    def width(self) -> int:
        """How many numbers a block has."""
        return 2 * self.first + len(self.wealths)

    @property
    def lead(self) -> int:
        """How many numbers of the table a size takes."""
        return 8 // self.bytes

    @property
    def per_class(self) -> int:
        """How many blocks each class has."""
        return 2 if self.form == "both" else 1

    def count_blocks(self, classes: int) -> int:
        """How many blocks there are: two classes share one if each class has a unit and nothing else."""
        return 1 if self.form == "units" and classes <= 2 else self.per_class * max(2, classes)

    def stride(self, blocks: int) -> int:
        """How many numbers of the table belong to an attribute."""
        return (1 + -(-blocks * self.width // self.lead)) * self.lead

    def start(self, attributes: int, classes: int) -> Forecaster:
        """The state before the first round."""
        counts = np.array([0, 0, classes, 1, 0, len(self.kappas) > 0, 0], np.int64)
        state = self._make_empty(np.zeros(attributes, np.int32), counts, SMALLEST, self.count_blocks(classes))
        self._endow(state, 0, SMALLEST)
        state.table.view(np.float64)[0] = 1.0  # the constant's size
        state.labels[:2] = 0.5 if self.form == "both" else 0.0
        return state

    def _make_empty(self, places: Array, counts: Array, rows: int, blocks: int) -> Forecaster:
        """A state with room for `rows` attributes and some blocks, that has learned nothing; coins have no wealth."""
        table = _make_aligned(rows * self.stride(blocks), f"f{self.bytes}")
        newton = blocks // self.per_class * len(self.kappas)
        side = min(rows, self.limit) if counts[MATRICES] else 0
        return Forecaster(
            places,
            table,
            np.full((blocks, self.first + len(self.kappas)), 1.0 / (self.first + len(self.kappas))),
            np.zeros((newton, side)),
            np.tile(np.eye(side) / self.ridge, (newton, 1, 1)),
            np.zeros((newton, 2)),
            np.zeros((UNITS + blocks, 2)),
            np.zeros(4),
            counts,
        )

    def _endow(self, state: Forecaster, first: int, end: int) -> None:
        """Give the coins in some rows the wealths that they start with."""
        blocks = len(state.weights)
        rows = state.table.reshape(-1, self.stride(blocks))[first:end]
        for block in range(blocks):
            self.find_block(rows, block)[:, 2 * self.first :] = self.wealths

    def endow_rest(self, state: Forecaster) -> None:
        """Do so in rows that a larger table has gained, once the smaller one it was made of may be forgotten.

        Zeros take no memory before they are written over: until then the two tables take as much as the larger one.
        """
        met, stride = int(state.counts[MET]), self.stride(len(state.weights))
        rows = state.table.reshape(-1, stride)
        if self.wealths and met < len(rows) and rows[-1, self.lead + 2 * self.first] == 0:
            self._endow(state, met, len(rows))

    def find_block(self, table: Array, block: int) -> Array:
        """The numbers of one block in all rows of a table."""
        start = self.lead + block * self.width
        return table[:, start : start + self.width]

    def count_rows(self, state: Forecaster) -> int:
        """For how many attributes a state has room."""
        return len(state.table) // self.stride(len(state.weights))

    def resize(self, state: Forecaster, rows: int, blocks: int) -> Forecaster:
        """The state with room for `rows` attributes and some blocks."""
        new, old, met = (
            self._make_empty(state.places, state.counts, rows, blocks),
            len(state.weights),
            state.counts[MET],
        )
        self._endow(new, 0, met)
        table, kept = new.table.reshape(rows, -1), state.table.reshape(-1, self.stride(old))[:met]
        table[:met, : self.lead], new.losses[:UNITS] = kept[:, : self.lead], state.losses[:UNITS]
        new.labels[:] = state.labels
        mirrored = old == 1 and blocks > 1
        for source, target, sign in [(0, 1, 1), (0, 0, -1)] if mirrored else [(u, u, 1) for u in range(old)]:
            block = self.find_block(table[:met], target)
            block[:] = self.find_block(kept, source)
            block[:, : self.first] *= sign
            new.weights[target], new.losses[UNITS + target] = state.weights[source], state.losses[UNITS + source]
            if target % self.per_class:
                continue  # the block of a softmax, which has no Newton members
            for k in range(len(self.kappas)):
                own, theirs = (block // self.per_class * len(self.kappas) + k for block in (target, source))
                side = min(new.centres.shape[1], state.centres.shape[1])
                new.spent[own], new.centres[own, :side] = state.spent[theirs], sign * state.centres[theirs, :side]
                new.matrices[own, :side, :side] = state.matrices[theirs, :side, :side]
        return new


def _make_aligned(size: int, kind: str) -> Array:
    """Zeros that start where a line of the processor's cache does: a row of up to 64 bytes is then in one line."""
    room = np.zeros(size * np.dtype(kind).itemsize + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size * np.dtype(kind).itemsize].view(kind)
