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

    def _make_empty(
        self, places: Array, counts: Array, rows: int, blocks: int, known: Forecaster | None = None
    ) -> Forecaster:
        """A state with room for `rows` attributes and some blocks, that has learned nothing; coins have no wealth.

        Newton members are those of a smaller state that is `known`, where the memory behind it has room for more.
        """
        table = _make_aligned(rows * self.stride(blocks), f"f{self.bytes}")
        newton = blocks // self.per_class * len(self.kappas)
        side = min(rows, self.limit) if counts[MATRICES] else 0
        return Forecaster(
            places,
            table,
            np.full((blocks, self.first + len(self.kappas)), 1.0 / (self.first + len(self.kappas))),
            _extend(None if known is None else known.centres, newton, np.zeros(side)),
            _extend(None if known is None else known.matrices, newton, np.eye(side) / self.ridge),
            np.zeros((newton, 2)),
            np.zeros((UNITS + blocks, 2)),
            np.zeros(4),
            counts,
        )

    def _endow(self, state: Forecaster, first: int, end: int) -> None:
        """Give the coins in some rows the wealths that they start with."""
        blocks = len(state.weights)
        rows = state.table.reshape(-1, self.stride(blocks))[first:end]
        each = rows[:, self.lead : self.lead + blocks * self.width].reshape(len(rows), blocks, self.width)
        each[:, :, 2 * self.first :] = self.wealths

    def endow_rest(self, state: Forecaster) -> None:
        """Do so in rows that a larger table has gained, once the smaller one it was made of may be forgotten.

        Zeros take no memory before they are written over: until then the two tables take as much as the larger one.
        """
        met = int(state.counts[MET])
        stride = self.stride(len(state.weights))
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
        old = len(state.weights)
        met = int(state.counts[MET])
        side = min(rows, self.limit) if state.counts[MATRICES] else 0
        new = self._make_empty(
            state.places, state.counts, rows, blocks, state if side == state.centres.shape[1] else None
        )
        self._endow(new, 0, met)
        table = new.table.reshape(rows, -1)
        kept = state.table.reshape(-1, self.stride(old))[:met]
        known = self.lead + old * self.width
        table[:met, :known] = kept[:, :known]
        new.losses[:UNITS] = state.losses[:UNITS]
        new.labels[:] = state.labels
        units = len(state.spent)
        shared = min(side, state.centres.shape[1])
        new.weights[:old] = state.weights
        new.losses[UNITS : UNITS + old] = state.losses[UNITS : UNITS + old]
        new.spent[:units] = state.spent
        if new.centres.base is not state.centres.base or new.centres.base is None:
            new.centres[:units, :shared] = state.centres[:, :shared]
            new.matrices[:units, :shared, :shared] = state.matrices[:, :shared, :shared]
        if old == 1 and blocks > 1:
            self._mirror(new, table[:met], shared)
        return new

    def _mirror(self, state: Forecaster, table: Array, side: int) -> None:
        """Make the only unit that of the second class, and its mirror image that of the first.

        Newton members know the first `side` attributes.
        """
        first, second = (self.find_block(table, block) for block in range(2))
        second[:] = first
        first[:, : self.first] *= -1
        state.weights[1] = state.weights[0]
        state.losses[UNITS + 1] = state.losses[UNITS]
        many = len(self.kappas)
        state.spent[many : 2 * many] = state.spent[:many]
        state.centres[many : 2 * many] = state.centres[:many]
        state.matrices[many : 2 * many] = state.matrices[:many]
        state.centres[:many, :side] *= -1


def _extend(known: Array | None, rows: int, fresh: Array) -> Array:
    """An array of `rows` times `fresh`: what is known of it, if the memory behind it has room, and all new otherwise.

    Classes come one by one, and matrices are large: room is made for twice as many at a time.
    """
    held = 0 if known is None else len(known)
    room: Any = None if known is None else known.base
    if not _has_room(known, room, rows):
        room = np.empty((max(rows, 2 * held), *fresh.shape))
        held = 0
    room[held:rows] = fresh
    return np.asarray(room[:rows])


def _has_room(known: Any, room: Any, rows: int) -> bool:
    """Whether an array is the beginning of one that was made with room for more."""
    if type(room) is not np.ndarray or not room.flags.owndata or room.dtype != known.dtype:
        return False
    return room.shape[1:] == known.shape[1:] and len(room) >= rows and room.ctypes.data == known.ctypes.data


def _make_aligned(size: int, kind: str) -> Array:
    """Zeros that start where a line of the processor's cache does: a row of up to 64 bytes is then in one line."""
    room = np.zeros(size * np.dtype(kind).itemsize + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size * np.dtype(kind).itemsize].view(kind)
