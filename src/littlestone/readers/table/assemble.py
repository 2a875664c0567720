"""Seats: the cells of a batch put where they belong in rows of named attributes.

Numbers go to their seats as they are. Words are looked up, all those of a batch in each of three steps: what their two
ends are, where in the table they may be, and whether they are there. Those that are not are settled one by one.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.features.hashing import keep_bytes
from littlestone.compiled import U, load_word, long_rule
from littlestone.readers.table.batch import UNSOUGHT
from littlestone.readers.table.block_names import (
    COLUMN,
    MISSED,
    NEXT,
    REFUSED,
    SEEN,
    SLOTS,
    THREE,
    TWO,
    add_name,
    find_name,
)
from littlestone.readers.table.cells import (
    EIGHT,
    ONE,
    QUOTE,
    SHORT,
    SPACE,
    ZERO,
    drop_return,
    hash_ends,
    is_among,
)

# cells without a name: new ones, empty ones, those that are not plain
NEW = 0
VOID = -1
ODD = -2
SOUGHT = 1  # and those that may have one
BYTE = U(255)
FIRST = 256  # rows that show whether a column's names come twice


@long_rule
def load_ends(data: Array, n: Any, room: Any) -> None:
    """The first eight bytes of the first n cells of a batch that are no numbers, the last eight, and how many."""
    known, others, (heads, tails, lengths, _, _) = room.ends, room.others, room.texts
    for k in range(n):
        c = U(others[k])
        first = U(known[c - ONE]) + ONE
        last = drop_return(data, first, known[c])
        length = last - first
        heads[k], tails[k], lengths[k] = load_word(data, first), load_word(data, last - min(length, EIGHT)), length


@long_rule
def find_slots(n: Any, mask: Any, room: Any) -> None:
    """Where the search for these cells begins, and whether they are to be looked for, or what else they are."""
    tags, (heads, tails, lengths, slots, states) = room.tags, room.texts
    for k in range(n):
        head = heads[k]
        tail = tails[k]
        length = lengths[k]
        most = min(max(length, ONE), EIGHT)
        head = keep_bytes(head, most)
        tail = keep_bytes(tail, most)
        is_odd = (head & BYTE <= QUOTE) | (tail >> (EIGHT * most - EIGHT) <= SPACE)
        state = NEW if (length > SHORT) | (tags[k] >= UNSOUGHT) else SOUGHT
        state = ODD if is_odd else state
        heads[k], tails[k], slots[k] = head, tail, hash_ends(head, tail, length, tags[k]) >> U(32) & mask
        lengths[k] = length << U(32) | tags[k]
        states[k] = VOID if length == ZERO else state


@long_rule
def look_up(table: Any, dictionary: Any, rows: Any, room: Any) -> Any:
    """Seat the cells of a batch, and list those that have no name, or none yet: whether a number is 0."""
    plain = room.plain
    others = room.others
    seats = room.seats
    names = room.names
    rest = room.rest
    read = room.values
    places = room.places
    weights = room.weights
    zeros = 0
    for k in range(U(rows * table.numerics)):
        weights[U(places[k])] = read[k]
        zeros += read[k] == 0
    memo = dictionary.memo
    known = dictionary.table
    counts = dictionary.counts
    heads, tails, tags, slots, states = room.texts
    per_row = U(others.size // plain.size)
    missed = ZERO
    n = per_row * U(rows)
    load_ends(table.data, n, room)
    find_slots(n, U(counts[SLOTS] - 1), room)
    for k in range(n):
        entry = np.int32(states[k])
        if entry == SOUGHT:
            found = known[slots[k]]
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


@long_rule
def settle_names(table: Any, dictionary: Any, row: Any, rows: Any, room: Any) -> Any:
    """Find or enter the names that are not known in plain rows, from one on: how many rows, how many cells are empty.

    They end before the first that is not plain, so that careful reading enters its names.
    """
    plain = room.plain
    others = room.others
    tags = room.tags
    seats = room.seats
    names = room.names
    known = room.ends
    rest = room.rest
    fresh = room.fresh
    states = room.texts[4]
    counts = dictionary.counts
    data = table.data
    per_row = others.size // plain.size
    nowhere = names.size - 1
    after = row
    m = counts[NEXT]
    missed = counts[MISSED]
    gaps = 0
    while after < rows and plain[after]:
        after += 1
    while m < missed and rest[m] < row * per_row:
        m += 1
    while m < missed and rest[m] < after * per_row:
        k = rest[m]
        m += 1
        seat = seats[k]
        c = U(others[k])
        tag = tags[k]
        entry = np.int64(min(states[k], NEW))
        if seat == nowhere:
            continue
        if entry == NEW:
            first = U(known[c - ONE]) + ONE
            last = drop_return(data, first, known[c])
            tag |= (last - first) << U(32)
            if is_among(data, first, last, table.missing):
                entry = np.int64(VOID)
            else:
                slot = ZERO
                head = ZERO
                tail = ZERO
                if tag & UNSOUGHT == ZERO:
                    slot, entry, head, tail = find_name(dictionary, data, first, tag)
                if entry == 0:
                    entry = add_name(dictionary, data, first, tag, (slot, head, tail))
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


class TableRows(NamedTuple):
    """Rows of a table, dense or of named attributes."""

    indptr: Array
    values: Array
    labels: Array  # that are numbers
    which: Any  # the entries' names, by number; None: rows are dense
    words: Array  # labels that are words: a name's number, or of dense rows first byte, the one after the last, kind


@long_rule
def take_rows(table: Any, room: Any, row: Any, done: Any, has_gaps: Any, out: Any, t: Any) -> None:
    """Copy some rows of a batch, from one on, to row t and those after it."""
    plain = room.plain
    read = room.values
    names = room.names
    weights = room.weights
    before = names.size - 1 - plain.size  # entries of attributes; labels come after them
    width = U(before // plain.size)
    k = U(out.indptr[t])
    i = U(row) * width
    size = U(done) * width
    if has_gaps:
        for r in range(done):
            for _ in range(width):
                out.which[k], out.values[k] = names[i], weights[i]
                k = k + U((weights[i] != 0) & (names[i] >= 0))
                i = i + ONE
            out.indptr[t + r + 1] = k
    else:
        for e in range(size):
            out.which[k + e], out.values[k + e] = names[i + e], weights[i + e]
        for r in range(done):
            out.indptr[t + r + 1] = k + (U(r) + ONE) * width
    for r in range(done):
        out.words[t + r, 0] = names[before + row + r]
    numbers = plain.size * table.numerics
    if numbers < read.size:
        for r in range(done):
            out.labels[t + r] = read[numbers + row + r]
