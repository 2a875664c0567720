"""Names: the attributes of a table's block, each written once, and found by the cells that have them.

A nominal cell gives its column's prefix and what it says. The first cell that says something is remembered; others are
compared with it, byte by byte. Where the first rows of a block show that hardly any name of a column comes twice, its
names are written without being looked for, and one that does come twice is listed twice.
"""

from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.features.hashing import has_same_bytes, hash_name
from littlestone.compiled import U, load_word, long_rule, store_word
from littlestone.readers.blocks import allocate
from littlestone.readers.format import PADDING
from littlestone.readers.table.batch import UNSOUGHT
from littlestone.readers.table.cells import (
    ALL,
    DOUBLED,
    EIGHT,
    HIGHS,
    ONE,
    ONES,
    QUOTE,
    SHORT,
    ZERO,
    decode_cell,
    hash_cell,
    hash_ends,
    load_both_ends,
)

FEW = 1 << 15  # slots of a table to begin with
TWO, THREE = U(2), U(3)
REFUSED = -3  # a name that has a byte 0
COLUMN = U(2**31 - 1)  # of a tag, four times the number of its column and its kind
NAMES, BYTES, SLOTS, COLUMNS = range(4)  # what is counted of a dictionary: names, their bytes, slots; columns,
HELD, SEEN, MISSED, NEXT = range(4, 8)  # names in slots, rows; of a batch, cells without a name and the next of them


class BlockDictionary(NamedTuple):
    """The names of a block's attributes, each written once; room that is not used is never touched."""

    text: Array  # first of all what the names of each column begin with
    starts: Array  # of names in it
    lengths: Array
    keys: Array
    memo: Array  # four for each name: the cell it was first met in, its tag, both ends if it is short
    table: Array  # of names by cells (0: none), in as many of its slots as are needed
    counts: Array

    def list_columns(self) -> Array:
        """The column of each name."""
        columns, found = self.counts[[COLUMNS, NAMES]]
        return np.concatenate([np.arange(columns), (self.memo[4 * columns + 1 : 4 * found : 4] & int(COLUMN)) >> 2])

    def decode_cells(self, data: Array, which: Array) -> Array:
        """What the cells said in which some names were met."""
        said = np.empty(int(which.max(initial=-1)) + 1, object)
        for e in np.flatnonzero(np.bincount(which)):
            first, tag = self.memo[4 * e : 4 * e + 2].tolist()
            said[e] = decode_cell(data, first, first + (tag >> 32), tag & 3)
        return said.take(which)

    @classmethod
    def of(cls, prefixes: tuple[str, ...], size: int, cells: int) -> Self:
        """Room for the names of a number of cells in a block of a size, after what those of each column begin with.

        The names of a row that is refused may be written twice.
        """
        beginning, first, long = _join_prefixes(prefixes)
        columns = len(prefixes)
        entries = len(prefixes) + cells
        text = allocate(len(beginning) + 2 * size + cells * int(long.max()) + PADDING, np.uint8)
        starts = allocate(entries, np.int64)
        lengths = allocate(entries, np.int32)
        text[: len(beginning)], starts[:columns], lengths[:columns] = beginning, first, long
        table = allocate(max(1024, 1 << (2 * entries - 1).bit_length()), np.int32)
        counts = np.zeros(8, np.int64)
        counts[:4] = columns, len(beginning), min(FEW, len(table)), columns
        return cls(text, starts, lengths, allocate(entries, np.uint64), allocate(4 * entries, np.int64), table, counts)


@lru_cache(maxsize=8)
def _join_prefixes(prefixes: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """Some texts as bytes, where they start, and how many bytes they have."""
    coded = [prefix.encode("utf-8", "surrogateescape") for prefix in prefixes]
    lengths = np.array([len(prefix) for prefix in coded])
    return np.frombuffer(b"".join(coded), np.uint8), np.cumsum(lengths) - lengths, lengths


@long_rule
def copy_cell(data: Array, first: Any, last: Any, kind: Any, text: Array, at: Any) -> Any:
    """Copy a cell into the text, its doubled quotes made single: the place after it, or 0 if a byte is 0."""
    if kind != DOUBLED:
        zeros = ZERO
        length = last - first
        for k in range(ZERO, length, EIGHT):
            word = load_word(data, first + k)
            store_word(text, at + k, word)
            word |= ZERO if length - k >= EIGHT else ALL << (EIGHT * (length - k))
            zeros |= (word - ONES) & ~word & HIGHS
        return at + length if zeros == ZERO else U(0)
    p = first
    while p < last:
        if data[p] == 0:
            return U(0)
        text[at] = data[p]
        p += ONE + ONE if data[p] == QUOTE else ONE
        at += ONE
    return at


@long_rule
def hash_new_names(dictionary: Any, first: Any) -> None:
    """The keys of names, from one on, once they are written: what is still on its way to memory is read slowly."""
    text, starts, lengths, keys, _, _, counts = dictionary
    for entry in range(first, counts[NAMES]):
        keys[entry] = hash_name(text, starts[entry], lengths[entry])


@long_rule
def find_slot(data: Array, first: Any, tag: Any, slots: Any) -> Any:
    """Where the search in the table begins for a cell of a length, column and kind, which its tag says."""
    return hash_cell(data, first, tag >> U(32), tag & U(2**32 - 1)) >> U(32) & slots - ONE


@long_rule
def find_name(dictionary: Any, data: Array, first: Any, tag: Any) -> Any:
    """Where in the table a cell is or belongs, its name (0: none yet), and both its ends if it is short."""
    memo = dictionary.memo
    table = dictionary.table
    slots = U(dictionary.counts[SLOTS])
    length = tag >> U(32)
    seed = tag & U(2**32 - 1)
    if length <= SHORT:
        head, tail = load_both_ends(data, first, length)
        slot = hash_ends(head, tail, length, seed) >> U(32) & slots - ONE
        entry = np.int64(table[slot])
        while entry > 0 and (
            U(memo[4 * entry + 1]) != tag or U(memo[4 * entry + 2]) != head or U(memo[4 * entry + 3]) != tail
        ):
            slot = slot + ONE & slots - ONE
            entry = np.int64(table[slot])
        return slot, entry, head, tail
    slot = find_slot(data, first, tag, slots)
    entry = np.int64(table[slot])
    while entry > 0 and (
        U(memo[4 * entry + 1]) != tag or not has_same_bytes(data, U(memo[4 * entry]), data, first, length)
    ):
        slot = slot + ONE & slots - ONE
        entry = np.int64(table[slot])
    return slot, entry, ZERO, ZERO


@long_rule
def add_name(dictionary: Any, data: Array, first: Any, tag: Any, place: Any) -> Any:
    """Give a cell that is new its name, and its place (slot, both ends) in the table: its number, or REFUSED."""
    text, starts, lengths, _, memo, table, counts = dictionary
    slot, head, tail = place
    entry = counts[NAMES]
    used = U(counts[BYTES])
    last = first + (tag >> U(32))
    j = (tag & COLUMN) >> TWO
    kind = np.int64(tag & THREE)
    for k in range(ZERO, U(lengths[j]), EIGHT):
        store_word(text, used + k, load_word(text, U(starts[j]) + k))
    after = copy_cell(data, first, last, kind, text, used + U(lengths[j]))
    if after == ZERO:
        return np.int64(REFUSED)
    counts[NAMES], counts[BYTES] = entry + 1, np.int64(after)
    memo[4 * entry], memo[4 * entry + 1] = np.int64(first), np.int64(tag)
    starts[entry], lengths[entry] = used, after - used
    if tag & UNSOUGHT != ZERO:
        return entry
    memo[4 * entry + 2], memo[4 * entry + 3] = np.int64(head), np.int64(tail)
    table[slot] = entry
    counts[HELD] += 1
    slots = U(counts[SLOTS])
    if U(2 * counts[HELD]) > slots and slots < U(table.size):
        slots = min(slots * U(4), U(table.size))
        for slot in range(slots):
            table[slot] = 0
        for other in range(counts[COLUMNS], entry + 1):
            if U(memo[4 * other + 1]) & UNSOUGHT == ZERO:
                slot = find_slot(data, U(memo[4 * other]), U(memo[4 * other + 1]), slots)
                while table[slot] != 0:
                    slot = slot + ONE & slots - ONE
                table[slot] = other
        counts[SLOTS] = np.int64(slots)
    return entry
