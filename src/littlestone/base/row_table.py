"""RowTable: an array with a block of numbers for each attribute, of which only the blocks of attributes met are kept.

Attributes are numbered from 1 on as they are met; row 0 is the zeros of all that were not. Compiled loops are handed
the rows and the numbers of attributes instead of the whole array and the attributes. Room is made for twice as many
rows at a time, between the calls of a loop and never inside one.

>>> table = RowTable.make(attributes=1 << 20, block=2, real=np.float64)
>>> numbers, rounds = table.number(np.array([0, 2, 3]), np.array([700_000, 5, 700_000]))
>>> numbers, rounds
(array([1, 2, 1], dtype=int32), 2)
>>> table.rows[2:4] = 0.5, 1.5  # the block of attribute 700,000
>>> table.list_changed()
(array([1400000, 1400001]), array([0.5, 1.5]))
>>> RowTable.from_changed(1 << 20, 2, *table.list_changed()).find(np.array([5, 700_000]))
array([0, 1], dtype=int32)
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.compiled import array_kernel, late_kernel

Array = NDArray[Any]

SMALLEST = 16  # rows
PIECE = 1 << 12  # attributes that are looked through at once


@late_kernel(lambda places, slots, met, indptr, indices, numbers: len(indices), decorate=array_kernel)
def number_entries(places: Array, slots: Array, met: int, indptr: Array, indices: Array, numbers: Array) -> Any:
    """Write the rows of all entries of leading rounds; stop before a round with more new attributes than there is room.

    Every entry is read once, however often the table grows: what comes after the round that stopped is not looked at.

    Returns:
        How many rounds there was room for, how many attributes were met, and how many rows the next round needs.
    """
    first = indptr[0]
    for t in range(indptr.size - 1):
        before = met
        for k in range(indptr[t] - first, indptr[t + 1] - first):
            i = indices[k]
            number = places[i]
            if number == 0:
                met += 1
                number = places[i] = met
                if met < slots.size:
                    slots[met] = i
            numbers[k] = number
        if met >= slots.size:
            for k in range(indptr[t] - first, indptr[t + 1] - first):
                if places[indices[k]] > before:
                    places[indices[k]] = 0
            slots[before + 1 :] = 0
            return t, before, met + 1
    return indptr.size - 1, met, 0


@dataclass(slots=True, eq=False)
class RowTable:
    """Blocks of numbers for the attributes met."""

    places: Array  # int32: of each attribute its row; 0: it was not met
    slots: Array  # int32: of each row its attribute
    rows: Array  # the blocks of all rows, one after another
    block: int  # numbers of a row
    met: int = 0  # how many attributes
    wanted: int = 0  # how many rows were needed when there was no room

    @classmethod
    def make(cls, attributes: int, block: int, real: Any, room: int = SMALLEST) -> Self:
        """A table in which nothing was met, with room for some rows."""
        return cls(np.zeros(attributes, np.int32), np.zeros(room, np.int32), np.zeros(room * block, real), block)

    @classmethod
    def of_slots(cls, attributes: int, slots: Array, block: int, real: Any) -> Self:
        """The table in which these attributes were met, one after another, with zeros for each."""
        room = SMALLEST
        while room <= len(slots):
            room *= 2
        table = cls.make(attributes, block, real, room)
        table.met = len(slots)
        table.slots[1 : table.met + 1] = slots
        table.places[slots] = np.arange(1, table.met + 1)
        return table

    @classmethod
    def from_blocks(cls, attributes: int, slots: Array, blocks: Array) -> Self:
        """The table of these attributes, one after another, with a block for each."""
        table = cls.of_slots(attributes, slots, blocks.shape[1], blocks.dtype)
        table.blocks[1 : table.met + 1] = blocks
        return table

    @classmethod
    def from_dense(cls, dense: Array, block: int) -> Self:
        """The table of an array with a block for each attribute; those that are zeros count as not met."""
        whole = dense.reshape(-1, block)
        pieces = [whole[first : first + PIECE] for first in range(0, len(whole), PIECE)]
        found = [np.flatnonzero(_find_bits(piece).any(axis=1)) + PIECE * k for k, piece in enumerate(pieces)]
        slots = np.concatenate([np.zeros(0, np.int64), *found])
        return cls.from_blocks(len(whole), slots, whole[slots])

    @classmethod
    def from_changed(cls, attributes: int, block: int, places: Array, values: Array) -> Self:
        """The table of an array whose entries at these places, in ascending order, are not zeros."""
        owners = (places // block).astype(np.int32)
        starts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])) if len(owners) else owners
        table = cls.of_slots(attributes, owners[starts], block, values.dtype)
        table.rows[table.places[owners].astype(np.int64) * block + places % block] = values
        return table

    @property
    def blocks(self) -> Array:
        """The rows as a matrix."""
        return self.rows.reshape(-1, self.block)

    @property
    def room(self) -> int:
        """How many rows there may be."""
        return len(self.slots)

    @property
    def attributes(self) -> int:
        """How many attributes the whole array has."""
        return len(self.places)

    @property
    def dtype(self) -> Any:
        """The type of the numbers."""
        return self.rows.dtype

    @property
    def shape(self) -> tuple[int]:
        """The shape of the whole array."""
        return (self.attributes * self.block,)

    @property
    def nbytes(self) -> int:
        """How many bytes it takes."""
        return int(self.places.nbytes + self.slots.nbytes + self.rows.nbytes)

    def find(self, indices: Array) -> Array:
        """The rows of attributes; 0 of those that were not met."""
        found: Array = self.places[indices]
        return found

    def number(self, indptr: Array, indices: Array) -> tuple[Array, int]:
        """The rows of all entries of leading rounds, new attributes getting one, and how many rounds there is room for.

        `indices` are the entries from indptr[0] on; those of later rounds are not looked at.
        Where there is no room, `wanted` says how many rows are needed.
        """
        numbers = np.empty(len(indices), np.int32)
        rounds, self.met, needed = number_entries(self.places, self.slots, self.met, indptr, indices, numbers)
        self.wanted = needed or self.wanted
        return numbers[: indptr[rounds] - indptr[0]], rounds

    def forget(self, met: int) -> None:
        """Have met no more attributes than these, as before a round that was refused."""
        self.places[self.slots[met + 1 : self.met + 1]] = 0
        self.slots[met + 1 : self.met + 1] = 0
        self.met = met

    def lacks_room(self, indices: Array) -> bool:
        """Whether a row has more new attributes than there is room for."""
        if self.met + len(indices) < self.room:
            return False
        self.wanted = self.met + 1 + len(np.unique(indices[self.places[indices] == 0]))
        return self.wanted > self.room

    def resize(self, attributes: int, width: int, parts: int) -> Self:
        """The same table for more attributes, with the room that is wanted, and blocks of `parts` times `width`."""
        room = self.room
        while room < self.wanted:
            room *= 2
        if (attributes, room, width * parts) == (self.attributes, self.room, self.block):
            return self
        table = type(self).make(0, width * parts, self.dtype, room)
        table.places = (
            np.pad(self.places, (0, attributes - self.attributes)) if attributes > self.attributes else self.places
        )
        table.slots[: self.room], table.met = self.slots, self.met
        kept = self.rows.reshape(self.room, parts, -1)[: self.met + 1]
        table.rows.reshape(room, parts, width)[: self.met + 1, :, : kept.shape[2]] = kept
        return table

    def copy(self) -> Self:
        """An independent copy."""
        arrays = (self.places.copy(), self.slots.copy(), self.rows.copy())
        return type(self)(*arrays, self.block, self.met, self.wanted)

    def spread(self) -> Array:
        """The whole array."""
        whole = np.zeros((self.attributes, self.block), self.dtype)
        whole[self.slots[1 : self.met + 1]] = self.blocks[1 : self.met + 1]
        return whole.ravel()

    def list_rows(self) -> tuple[Array, Array]:
        """The attributes met in ascending order, and their blocks."""
        order = np.argsort(self.slots[1 : self.met + 1]) + 1
        return self.slots[order], self.blocks[order]

    def list_changed(self) -> tuple[Array, Array]:
        """The places in the whole array, in ascending order, whose bits are not those of zero, and what is there."""
        order = np.argsort(self.slots[1 : self.met + 1]) + 1
        places = [np.zeros(0, np.int64)]
        values = [np.zeros(0, self.dtype)]
        for first in range(0, self.met, PIECE):
            numbers = order[first : first + PIECE]
            blocks = self.blocks[numbers]
            rows, columns = np.nonzero(_find_bits(blocks))
            places.append(self.slots[numbers[rows]].astype(np.int64) * self.block + columns)
            values.append(blocks[rows, columns])
        return np.concatenate(places), np.concatenate(values)


def spread_weights(state: Any) -> Any:
    """A state whose weights are an array of all, whether it had a table or not."""
    return state._replace(weights=state.weights.spread()) if isinstance(state.weights, RowTable) else state


def _find_bits(numbers: Array) -> Array:
    """The bits of numbers, so that a negative zero is none."""
    return np.ascontiguousarray(numbers).view(f"u{numbers.itemsize}")
