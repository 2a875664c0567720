"""Names: the attributes of a table's block, each written once, and found by the cells that have them.

A nominal cell gives its column's prefix and what it says. The first cell that says something is remembered; others are
compared with it, byte by byte.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.arena import empty
from littlestone.examples import Array
from littlestone.hashing import key
from littlestone.kernel import eight_bytes, light, put_eight_bytes
from littlestone.readers.cells import (
    ALL,
    DOUBLED,
    EIGHT,
    HIGHS,
    LF,
    ONE,
    ONES,
    QUOTE,
    SHORT,
    SPACE,
    ZERO,
    U,
    both_ends,
    is_missing,
    line_end,
    mixed,
    same,
    scattered,
    text_of,
)
from littlestone.readers.format import PADDING

FEW = 1 << 15  # slots of a table to begin with
TWO, THREE = U(2), U(3)
NEW, VOID, ODD = 0, -1, -2  # cells without a name: new ones, empty ones, and those that are not plain
NAMES, BYTES, SLOTS, COLUMNS = range(4)  # what is counted of a dictionary: names, their bytes, slots; columns


class Dictionary(NamedTuple):
    """The names of a block's attributes, each written once; room that is not used is never touched."""

    text: Array
    starts: Array
    lengths: Array
    keys: Array
    memo: Array
    table: Array
    counts: Array

    def cells(self, data: Array, which: Array) -> Array:
        """What the cells said in which some names were met."""
        said = np.empty(int(which.max(initial=-1)) + 1, object)
        for e in np.flatnonzero(np.bincount(which)):
            first, tag = self.memo[4 * e : 4 * e + 2].tolist()
            said[e] = text_of(data, first, first + (tag >> 32), tag & 3)
        return said[which]

    @classmethod
    def of(cls, prefixes: list[str], size: int, cells: int) -> Self:
        """Room for the names of so many cells in a block of a size, after what those of each column begin with."""
        coded = [prefix.encode("utf-8", "surrogateescape") for prefix in prefixes]
        ends = np.cumsum([len(prefix) for prefix in coded])
        entries = len(coded) + cells
        text = empty(int(ends[-1]) + size + cells * max(map(len, coded)) + PADDING, np.uint8)
        text[: ends[-1]] = np.frombuffer(b"".join(coded), np.uint8)
        starts, lengths = empty(entries, np.int64), empty(entries, np.int32)
        starts[: len(coded)], lengths[: len(coded)] = [0, *ends[:-1]], [len(prefix) for prefix in coded]
        table = empty(max(1024, 1 << (2 * entries - 1).bit_length()), np.int32)
        counts = np.array([len(coded), ends[-1], min(FEW, len(table)), len(coded)], np.int64)
        return cls(text, starts, lengths, empty(entries, np.uint64), empty(4 * entries, np.int64), table, counts)


@light
def written(data: Array, first: Any, last: Any, kind: Any, text: Array, at: Any) -> Any:
    """Copy a cell into the text, its doubled quotes made single: the place after it, or 0 if a byte is 0."""
    if kind != DOUBLED:
        zeros, length = ZERO, last - first
        for k in range(ZERO, length, EIGHT):
            word = eight_bytes(data, first + k)
            put_eight_bytes(text, at + k, word)
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


@light
def slot_of(data: Array, first: Any, tag: Any, slots: Any) -> Any:
    """Where the search in the table begins for a cell of a length, column and kind, which its tag says."""
    return mixed(data, first, tag >> U(32), tag & U(2**32 - 1)) >> U(32) & slots - ONE


@light
def found_in(data: Array, first: Any, tag: Any, memo: Array, table: Array, slots: Any) -> Any:
    """Where in the table a cell is or belongs, its name (0: none yet), and both its ends if it is short."""
    length, seed = tag >> U(32), tag & U(2**32 - 1)
    if length <= SHORT:
        head, tail = both_ends(data, first, length)
        slot = scattered(head, tail, length, seed) >> U(32) & slots - ONE
        entry = np.int64(table[slot])
        while entry > 0 and (
            U(memo[4 * entry + 1]) != tag or U(memo[4 * entry + 2]) != head or U(memo[4 * entry + 3]) != tail
        ):
            slot = slot + ONE & slots - ONE
            entry = np.int64(table[slot])
        return slot, entry, head, tail
    slot = slot_of(data, first, tag, slots)
    entry = np.int64(table[slot])
    while entry > 0 and (U(memo[4 * entry + 1]) != tag or not same(data, U(memo[4 * entry]), data, first, length)):
        slot = slot + ONE & slots - ONE
        entry = np.int64(table[slot])
    return slot, entry, ZERO, ZERO


@light
def entered(
    data: Array,
    first: Any,
    tag: Any,
    place: Any,
    words: Array,
    ends: Array,
    long: Any,
    text: Array,
    starts: Array,
    lengths: Array,
    keys: Array,
    memo: Array,
    table: Array,
    counts: Array,
) -> Any:
    """Give a cell that is new its name, and its place (slot, both ends) in the table: its number, -1 for a byte 0."""
    slot, head, tail = place
    entry, used = counts[NAMES], U(counts[BYTES])
    last, j, kind = first + (tag >> U(32)), (tag & U(2**32 - 1)) >> U(2), np.int64(tag & U(3))
    after = used
    if not is_missing(data, first, last, words, ends, long):
        for k in range(ZERO, U(lengths[j]), EIGHT):
            put_eight_bytes(text, used + k, eight_bytes(text, U(starts[j]) + k))
        after = written(data, first, last, kind, text, used + U(lengths[j]))
        if after == ZERO:
            return np.int64(-1)
    table[slot] = entry
    counts[NAMES], counts[BYTES] = entry + 1, np.int64(after)
    memo[4 * entry], memo[4 * entry + 1] = np.int64(first), np.int64(tag)
    memo[4 * entry + 2], memo[4 * entry + 3] = np.int64(head), np.int64(tail)
    starts[entry], lengths[entry] = used, after - used
    keys[entry] = key(text, starts[entry], lengths[entry])
    slots = U(counts[SLOTS])
    if U(2 * entry) > slots and slots < U(table.size):
        slots = min(slots * U(4), U(table.size))
        for slot in range(slots):
            table[slot] = 0
        for other in range(counts[COLUMNS], entry + 1):
            slot = slot_of(data, U(memo[4 * other]), U(memo[4 * other + 1]), slots)
            while table[slot] != 0:
                slot = slot + ONE & slots - ONE
            table[slot] = other
        counts[SLOTS] = np.int64(slots)
    return entry


@light
def looked_up(
    data: Array, known: Array, others: Array, tags: Array, memo: Array, table: Array, slots: int, entries: Array
) -> None:
    """Look some cells of a batch up: their names, NEW if there is none, or what else they are."""
    mask = U(slots - 1)
    for k in range(U(others.size)):
        c = U(others[k])
        first, last = U(known[c - ONE]) + ONE, U(known[c])
        if data[last] == LF:
            last = line_end(data, first, last)
        length, entry = last - first, NEW
        if length == ZERO:
            entry = VOID
        elif (data[first] <= QUOTE) | (data[last - ONE] <= SPACE):
            entry = ODD
        elif length <= SHORT:
            head, tail = both_ends(data, first, length)
            found = table[scattered(head, tail, length, tags[k]) >> U(32) & mask]
            at = U(found) << U(2)
            unlike = (U(memo[at + ONE]) ^ (length << U(32) | tags[k])) | (U(memo[at + TWO]) ^ head)
            entry = found if unlike | (U(memo[at + THREE]) ^ tail) == ZERO else NEW
        entries[k] = entry
