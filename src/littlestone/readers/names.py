"""Names: the attributes of a table's block, each written once, and found by the cells that have them.

A nominal cell gives its column's prefix and what it says. The first cell that says something is remembered; others are
compared with it, byte by byte. Where the first rows of a block show that hardly any name of a column comes twice, its
names are written without being looked for, and one that does come twice is listed twice.
"""

from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.arena import empty
from littlestone.examples import Array
from littlestone.hashing import key, leading
from littlestone.kernel import eight_bytes, put_eight_bytes, stage
from littlestone.readers.batches import UNSOUGHT
from littlestone.readers.cells import (
    ALL,
    DOUBLED,
    EIGHT,
    HIGHS,
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
    sizes,
    text_of,
)
from littlestone.readers.format import PADDING

FEW = 1 << 15  # slots of a table to begin with
TWO, THREE = U(2), U(3)
NEW, VOID, ODD, REFUSED = 0, -1, -2, -3  # cells without a name: new, empty, not plain, with a byte 0
SOUGHT = 1  # and those that may have one
BYTE, COLUMN = U(255), U(2**31 - 1)
NAMES, BYTES, SLOTS, COLUMNS = range(4)  # what is counted of a dictionary: names, their bytes, slots; columns,
HELD, SEEN, MISSED, NEXT = range(4, 8)  # names in slots, rows; of a batch, cells without a name and the next of them
FIRST = 256  # rows that show whether a column's names come twice


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
        met = np.zeros(len(said), np.bool_)
        met[which] = True
        for e in np.flatnonzero(met):
            first, tag = self.memo[4 * e : 4 * e + 2].tolist()
            said[e] = text_of(data, first, first + (tag >> 32), tag & 3)
        return said[which]

    @classmethod
    def of(cls, prefixes: tuple[str, ...], size: int, cells: int) -> Self:
        """Room for the names of so many cells in a block of a size, after what those of each column begin with.

        The names of a row that is refused may be written twice.
        """
        beginning, first, long = _beginning(prefixes)
        columns, entries = len(prefixes), len(prefixes) + cells
        text = empty(len(beginning) + 2 * size + cells * int(long.max()) + PADDING, np.uint8)
        starts, lengths = empty(entries, np.int64), empty(entries, np.int32)
        text[: len(beginning)], starts[:columns], lengths[:columns] = beginning, first, long
        table = empty(max(1024, 1 << (2 * entries - 1).bit_length()), np.int32)
        counts = np.zeros(8, np.int64)
        counts[:4] = columns, len(beginning), min(FEW, len(table)), columns
        return cls(text, starts, lengths, empty(entries, np.uint64), empty(4 * entries, np.int64), table, counts)


@lru_cache(maxsize=8)
def _beginning(prefixes: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """Some texts as bytes, where they start, and how many bytes they have."""
    coded = [prefix.encode("utf-8", "surrogateescape") for prefix in prefixes]
    lengths = np.array([len(prefix) for prefix in coded])
    return np.frombuffer(b"".join(coded), np.uint8), np.cumsum(lengths) - lengths, lengths


@stage
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


@stage
def keyed(text: Array, starts: Array, lengths: Array, keys: Array, first: Any, last: Any) -> None:
    """The keys of names, once they are written: a name that is still on its way to memory is read slowly."""
    for entry in range(first, last):
        keys[entry] = key(text, starts[entry], lengths[entry])


@stage
def slot_of(data: Array, first: Any, tag: Any, slots: Any) -> Any:
    """Where the search in the table begins for a cell of a length, column and kind, which its tag says."""
    return mixed(data, first, tag >> U(32), tag & U(2**32 - 1)) >> U(32) & slots - ONE


@stage
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


@stage
def entered(
    data: Array,
    first: Any,
    tag: Any,
    place: Any,
    text: Array,
    starts: Array,
    lengths: Array,
    memo: Array,
    table: Array,
    counts: Array,
) -> Any:
    """Give a cell that is new its name, and its place (slot, both ends) in the table: its number, or REFUSED."""
    slot, head, tail = place
    entry, used = counts[NAMES], U(counts[BYTES])
    last, j, kind = first + (tag >> U(32)), (tag & COLUMN) >> TWO, np.int64(tag & THREE)
    for k in range(ZERO, U(lengths[j]), EIGHT):
        put_eight_bytes(text, used + k, eight_bytes(text, U(starts[j]) + k))
    after = written(data, first, last, kind, text, used + U(lengths[j]))
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
                slot = slot_of(data, U(memo[4 * other]), U(memo[4 * other + 1]), slots)
                while table[slot] != 0:
                    slot = slot + ONE & slots - ONE
                table[slot] = other
        counts[SLOTS] = np.int64(slots)
    return entry


@stage
def ends_of(data: Array, known: Array, n: Any, room: Any) -> None:
    """The first eight bytes of the first n cells of a batch that are no numbers, the last eight, and how many."""
    others, (heads, tails, lengths, _, _) = room[6], room[14]
    for k in range(n):
        c = U(others[k])
        first = U(known[c - ONE]) + ONE
        last = line_end(data, first, known[c])
        length = last - first
        heads[k], tails[k], lengths[k] = eight_bytes(data, first), eight_bytes(data, last - min(length, EIGHT)), length


@stage
def slots_of(n: Any, mask: Any, room: Any) -> None:
    """Where the search for these cells begins, and whether they are to be looked for, or what else they are."""
    tags, (heads, tails, lengths, slots, states) = room[7], room[14]
    for k in range(n):
        head, tail, length = heads[k], tails[k], lengths[k]
        most = min(max(length, ONE), EIGHT)
        head, tail = leading(head, most), leading(tail, most)
        is_odd = (head & BYTE <= QUOTE) | (tail >> (EIGHT * most - EIGHT) <= SPACE)
        state = NEW if (length > SHORT) | (tags[k] >= UNSOUGHT) else SOUGHT
        state = ODD if is_odd else state
        heads[k], tails[k], slots[k] = head, tail, scattered(head, tail, length, tags[k]) >> U(32) & mask
        lengths[k] = length << U(32) | tags[k]
        states[k] = VOID if length == ZERO else state


@stage
def looked_up(
    data: Array, known: Array, rows: Any, numerics: Any, room: Any, memo: Array, table: Array, counts: Array
) -> Any:
    """Seat the cells of a batch, and list those that have no name, or none yet: whether a number is 0."""
    plain, others, seats, names, rest = room[1], room[6], room[9], room[10], room[12]
    read, places, weights, zeros = room[4], room[8], room[11], 0
    for k in range(U(rows * numerics)):
        weights[U(places[k])] = read[k]
        zeros += read[k] == 0
    heads, tails, tags, slots, states = room[14]
    per_row, missed = U(others.size // plain.size), ZERO
    n = per_row * U(rows)
    ends_of(data, known, n, room)
    slots_of(n, U(counts[SLOTS] - 1), room)
    for k in range(n):
        entry = np.int32(states[k])
        if entry == SOUGHT:
            found = table[slots[k]]
            at = U(found) << TWO
            unlike = (U(memo[at + ONE]) ^ tags[k]) | (U(memo[at + TWO]) ^ heads[k]) | (U(memo[at + THREE]) ^ tails[k])
            entry = found if unlike == ZERO else np.int32(NEW)
        names[U(seats[k])] = entry
        rest[missed] = k
        missed += U(entry <= 0)
    for m in range(missed):
        if states[rest[m]] == ODD:
            plain[U(rest[m]) // per_row] = False
    counts[MISSED], counts[NEXT] = np.int64(missed), 0
    return zeros > 0


@stage
def settled(
    data: Array,
    known: Array,
    row: Any,
    rows: Any,
    words: Array,
    ends: Array,
    room: Any,
    text: Array,
    starts: Array,
    lengths: Array,
    memo: Array,
    table: Array,
    counts: Array,
) -> Any:
    """Find or enter the names that are not known in plain rows, from one on: how many rows, how many cells are empty.

    They end before the first that is not plain, so that its names are entered by whoever reads it with care.
    """
    plain, others, tags, seats, names = room[1], room[6], room[7], room[9], room[10]
    rest, fresh, states = room[12], room[13], room[14][4]
    per_row, nowhere, long = others.size // plain.size, names.size - 1, sizes(ends)
    after, m, missed, gaps = row, counts[NEXT], counts[MISSED], 0
    while after < rows and plain[after]:
        after += 1
    while m < missed and rest[m] < row * per_row:
        m += 1
    while m < missed and rest[m] < after * per_row:
        k = rest[m]
        m += 1
        seat, c, tag, entry = seats[k], U(others[k]), tags[k], np.int64(min(states[k], NEW))
        if seat == nowhere:
            continue
        if entry == NEW:
            first = U(known[c - ONE]) + ONE
            last = line_end(data, first, known[c])
            tag |= (last - first) << U(32)
            if is_missing(data, first, last, words, ends, long):
                entry = np.int64(VOID)
            else:
                slot, head, tail = ZERO, ZERO, ZERO
                if tag & UNSOUGHT == ZERO:
                    slot, entry, head, tail = found_in(data, first, tag, memo, table, U(counts[SLOTS]))
                if entry == 0:
                    place = slot, head, tail
                    entry = entered(data, first, tag, place, text, starts, lengths, memo, table, counts)
                    fresh[(tag & COLUMN) >> TWO] += 1
        names[seat] = entry
        gaps += entry == VOID
        if entry == REFUSED or (entry == VOID and seat >= nowhere - plain.size):  # a label must not be missing
            after = k // per_row
            plain[after] = False
    counts[NEXT] = m
    counts[SEEN] += after - row
    if counts[SEEN] - (after - row) < FIRST <= counts[SEEN]:
        for k in range(tags.size):
            if 8 * fresh[(tags[k] & COLUMN) >> TWO] > 7 * counts[SEEN]:
                tags[k] |= UNSOUGHT
    return after - row, gaps
