"""Named rows: the records of a table in text as rows of named attributes.

A number that is not 0 is an attribute named as its column, and a nominal cell one named `column=cell`; a missing cell
is no attribute. Names are written once a block, however often they occur.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.arena import empty
from littlestone.examples import Array
from littlestone.hashing import key
from littlestone.kernel import eight_bytes, kernel, not_digits, put_eight_bytes, rule
from littlestone.readers.cells import (
    ALL,
    DOUBLED,
    EIGHT,
    HIGHS,
    LF,
    ONE,
    ONES,
    PLAIN,
    QUOTE,
    SHORT,
    SPACE,
    ZERO,
    U,
    both_ends,
    cell,
    is_empty_line,
    is_missing,
    mixed,
    near,
    same,
    scattered,
    sizes,
    text_of,
)
from littlestone.readers.format import PADDING
from littlestone.readers.numbers import double, single
from littlestone.readers.rows import (
    BINARY,
    FINE,
    IGNORED,
    MISSING,
    NO_LABEL,
    NOMINAL,
    NOMINAL_LABEL,
    NUMBER,
    NUMBER_LABEL,
    TOO_LARGE,
    ended,
    numeric,
    usual,
)

FEW = U(1 << 15)  # slots of a table to begin with


@rule
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


@rule
def slot_of(data: Array, first: Any, tag: Any, slots: Any) -> Any:
    """Where the search in the table begins for a cell of a length, column and kind, which its tag says."""
    return mixed(data, first, tag >> U(32), tag & U(2**32 - 1)) >> U(32) & slots - ONE


@kernel
def named(
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    text: Array,
    starts: Array,
    lengths: Array,
    keys: Array,
    memo: Array,
    table: Array,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
    doubts: Array,
) -> Any:
    """Rows of named attributes: entry k has name `which[k]` of a dictionary, of which Tokens say what it holds.

    The dictionary starts with one name a column: its own if it holds numbers, what its attributes' names begin with if
    it is nominal. Returned besides what `dense` returns: how many names there are, and bytes of them. There is room for
    as many names as there are cells; `memo` says which cell a name was met in first (its place, its tag, both ends of a
    short one), and the table finds names by cells (0: none) in as many of its slots as are needed. Labels are cells of
    the dictionary too, `told`, though no row has their names.
    """
    columns = roles.size
    p, stop, t, k, doubtful, begun, problem, j, first = U(start), U(end), 0, 0, 0, 0, FINE, 0, U(0)
    met, slots = columns, min(FEW, U(table.size))
    used = U(starts[columns - 1] + lengths[columns - 1])
    slot: Any = ZERO
    entry: Any = np.int64(0)
    last, kind = ZERO, PLAIN
    for slot in range(slots):
        table[slot] = 0
    for j in range(columns):
        keys[j] = key(text, starts[j], lengths[j])
    indptr[0], base, others, long = 0, p, not_digits(data, p), sizes(ends)
    while p < stop and problem == FINE:
        if is_empty_line(data, p):
            base, others = ZERO, ZERO
            p += ONE if data[p] == LF else ONE + ONE
            continue
        for j in range(columns):
            role = roles[j]
            if role in (NUMBER, NUMBER_LABEL):
                after, value, exact, base, others = usual(data, p, delimiter, base, others)
                if after > p and (role == NUMBER or exact) and (data[after] == LF) == (j + 1 == columns):
                    if role == NUMBER_LABEL:
                        labels[t] = value
                    elif value != 0:
                        which[k], values[k] = j, value
                        k += 1
                    p = after + ONE
                    continue
                first, p, negative, mantissa, power, inexact, found = numeric(data, p, stop, delimiter, words, ends)
                base, others = ZERO, ZERO
                problem, is_label = min(found, FINE), role == NUMBER_LABEL
                value, sure = double(mantissa, power, inexact) if is_label else single(mantissa, power)
                value = -value if negative else value
                if is_label:
                    labels[t] = value
                    problem = NO_LABEL if found == MISSING else problem
                elif not np.isfinite(np.float32(value)):
                    problem = TOO_LARGE
                if problem == FINE and not sure:
                    doubts[doubtful, 0], doubts[doubtful, 1] = -1 - t if is_label else k, first
                    doubtful += 1
                if not is_label and (value != 0 or not sure):
                    which[k], values[k] = j, value
                    k += 1
            else:
                base, others, looked = ZERO, ZERO, False
                if role != IGNORED:  # the usual cell first: short, without quotes or spaces around it
                    length = near(data, p, delimiter)
                    after = p + length
                    plain = length - ONE < SHORT and data[p] > QUOTE and data[after - ONE] > SPACE
                    if plain and (data[after] == LF) == (j + 1 == columns):
                        head, tail = both_ends(data, p, length)
                        slot = scattered(head, tail, length, 4 * j) >> U(32) & slots - ONE
                        entry = np.int64(table[slot])
                        while entry > 0 and (
                            U(memo[entry, 1]) != length << U(32) | U(4 * j)
                            or U(memo[entry, 2]) != head
                            or U(memo[entry, 3]) != tail
                        ):
                            slot = slot + ONE & slots - ONE
                            entry = np.int64(table[slot])
                        if entry > 0 and (role == NOMINAL or lengths[entry] > 0):
                            if role == NOMINAL:
                                which[k], values[k] = entry, 1
                                k += lengths[entry] > 0  # a word for what is missing has no name
                            else:
                                told[t] = entry
                            p = after + ONE
                            continue
                        first, last, p, kind, looked = p, after, after, PLAIN, True
                if not looked:
                    first, last, p, kind = cell(data, p, stop, delimiter)
                    problem = min(kind, FINE)
                if role == NOMINAL_LABEL and problem == FINE and first == last:
                    problem = NO_LABEL
                elif role != IGNORED and problem == FINE and first < last:
                    length = last - first
                    tag = length << U(32) | U(4 * j + kind)
                    if not looked:
                        slot = slot_of(data, first, tag, slots)
                        entry = np.int64(table[slot])
                        while entry > 0 and (
                            U(memo[entry, 1]) != tag or not same(data, U(memo[entry, 0]), data, first, length)
                        ):
                            slot = slot + ONE & slots - ONE
                            entry = np.int64(table[slot])
                    if entry == 0:
                        entry, table[slot] = met, met
                        met += 1
                        memo[entry, 0], memo[entry, 1] = first, tag
                        if length <= SHORT:
                            head, tail = both_ends(data, first, length)
                            memo[entry, 2], memo[entry, 3] = np.int64(head), np.int64(tail)
                        starts[entry], lengths[entry] = used, 0
                        if not is_missing(data, first, last, words, ends, long):
                            after = used
                            for place in range(ZERO, U(lengths[j]), EIGHT):
                                put_eight_bytes(text, used + place, eight_bytes(text, U(starts[j]) + place))
                            after = used + U(lengths[j])
                            after = written(data, first, last, kind, text, after)
                            problem = BINARY if after == U(0) else FINE
                            used = max(after, used)
                            lengths[entry] = used - U(starts[entry])
                            keys[entry] = key(text, starts[entry], lengths[entry])
                        if U(2 * met) > slots and slots < U(table.size):
                            slots *= U(4)
                            for slot in range(slots):
                                table[slot] = 0
                            for other in range(columns, met):
                                slot = slot_of(data, U(memo[other, 0]), U(memo[other, 1]), slots)
                                while table[slot] != 0:
                                    slot = slot + ONE & slots - ONE
                                table[slot] = other
                    if role == NOMINAL:
                        which[k], values[k] = entry, 1
                        k += lengths[entry] > 0
                    elif problem == FINE:
                        told[t], problem = entry, FINE if lengths[entry] > 0 else NO_LABEL
            if problem == FINE:
                problem = ended(data, p, j, columns)
                first = p if problem != FINE else first
            if problem != FINE:
                break
            p += ONE
        if problem == FINE:
            t, begun = t + 1, doubtful
            indptr[t] = k
    return t, begun, problem, np.int64(first), j, met, np.int64(used)


class Dictionary(NamedTuple):
    """The names of a block's attributes, each written once; room that is not used is never touched."""

    text: Array
    starts: Array
    lengths: Array
    keys: Array
    memo: Array
    table: Array

    def cells(self, data: Array, which: Array) -> Array:
        """What the cells said in which some names were met."""
        said = np.empty(int(which.max(initial=-1)) + 1, object)
        for e in np.flatnonzero(np.bincount(which)):
            first, tag = self.memo[e, :2].tolist()
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
        return cls(text, starts, lengths, empty(entries, np.uint64), empty(4 * entries, np.int64).reshape(-1, 4), table)
