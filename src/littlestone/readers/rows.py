"""Rows: the records of a table in text, as dense rows of numbers or as rows of named attributes.

Each column has a role. A number in a dense row stands at its place, a missing one is 0. In a row of named attributes a
number that is not 0 is an attribute named as its column, and a nominal cell one named `column=cell`; a missing cell is
no attribute. Names are written once a block, however often they occur.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.examples import Array
from littlestone.hashing import key
from littlestone.kernel import eight_bytes, kernel, rule
from littlestone.readers.cells import (
    CR,
    DOUBLED,
    EIGHT,
    LF,
    ONE,
    PLAIN,
    QUOTE,
    ZERO,
    U,
    cell,
    is_among,
    is_empty_line,
    mixed,
    same,
)
from littlestone.readers.format import PADDING
from littlestone.readers.numbers import MINUS, POINT, TENS, decimal, double, leading_digits, single, whole

IGNORED, NUMBER, NOMINAL, NUMBER_LABEL, NOMINAL_LABEL = 0, 1, 2, 3, 4  # roles of columns
ROOMS = np.array([10 ** (18 - k) for k in range(9)], np.uint64)  # below these, so many digits more keep it under 10^18
FOUND, MISSING = 1, 2  # what a cell holds, besides the problems
FINE, NOT_A_NUMBER, NO_LABEL, TOO_LARGE, TOO_FEW, TOO_MANY, BINARY = 0, -3, -4, -5, -6, -7, -8  # and those of `cells`


@rule
def numeric(data: Array, p: Any, end: Any, delimiter: Any, words: Array, ends: Array) -> Any:
    """A cell of numbers: its first byte, its delimiter or line end, sign, mantissa, power, loss, and what it holds."""
    first, last, stop = p, end, end
    while True:  # first as if the cell were nothing but a number; if it is not, once more between its proper ends
        negative, mantissa, power, after, inexact = decimal(data, first)
        if stop < end:
            return first, stop, negative, mantissa, power, inexact, FOUND if after == last else NOT_A_NUMBER
        if after > p:
            if data[after] == CR and data[after + ONE] == LF:
                after += ONE
            if data[after] == U(delimiter) or data[after] == LF:
                return first, after, negative, mantissa, power, inexact, FOUND
        first, last, stop, kind = cell(data, p, end, delimiter)
        if kind < PLAIN:
            return first, stop, False, U(0), 0, False, kind
        if first == last or is_among(data, first, last, words, ends):
            return first, stop, False, U(0), 0, False, MISSING


@rule
def usual(data: Array, p: Any, delimiter: Any) -> Any:
    """A number as most are: a sign perhaps, up to 8 digits, perhaps a point and digits, 18 in all, then the cell's end.

    Its delimiter or line end, mantissa and how many digits follow the point; p itself if it is any other cell.
    """
    q = p + ONE if data[p] == MINUS else p
    word = eight_bytes(data, q)
    count = leading_digits(word)
    if count == ZERO:
        return p, ZERO, 0
    scale: Any = 0
    mantissa = whole(word, count)
    q += count
    if data[q] == POINT:
        q += ONE
        word = eight_bytes(data, q)
        count = leading_digits(word)
        if count == ZERO:
            return p, ZERO, 0
        mantissa = mantissa * TENS[count] + whole(word, count)
        q += count
        scale = -np.int64(count)
        while count == EIGHT:
            word = eight_bytes(data, q)
            count = leading_digits(word)
            if count == ZERO:
                break
            if mantissa >= ROOMS[count]:
                return p, ZERO, 0
            mantissa = mantissa * TENS[count] + whole(word, count)
            q += count
            scale -= np.int64(count)
    return (q if data[q] == U(delimiter) or data[q] == LF else p), mantissa, scale


@rule
def ended(data: Array, stop: Any, j: Any, columns: Any) -> Any:
    """Whether a record has as many cells as there are columns, as far as cell j tells."""
    if j + 1 < columns:
        return TOO_FEW if data[stop] == LF else FINE
    return FINE if data[stop] == LF else TOO_MANY


@kernel
def dense(
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    values: Array,
    labels: Array,
    cells: Array,
    doubts: Array,
) -> Any:
    """Rows of numbers: how many, how many numbers Python must read, what is wrong, where, in which column."""
    p, stop, t, k, doubtful, begun = U(start), U(end), 0, 0, 0, 0
    while p < stop:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        begun = doubtful
        for j in range(roles.size):
            role = roles[j]
            if role in (NUMBER, NUMBER_LABEL):
                after, mantissa, power = usual(data, p, delimiter)
                if after > p and role == NUMBER and values.itemsize == 4:
                    value, sure = single(mantissa, power)
                    if sure:
                        values[k] = -value if data[p] == MINUS else value
                        k, p = k + 1, after + ONE
                        if (data[after] == LF) != (j + 1 == roles.size):
                            return t, begun, ended(data, after, j, roles.size), np.int64(after), j
                        continue
                first, p, negative, mantissa, power, inexact, found = numeric(data, p, stop, delimiter, words, ends)
                if found < FINE or (found == MISSING and role == NUMBER_LABEL):
                    return t, begun, found if found < FINE else NO_LABEL, np.int64(first), j
                is_label = role == NUMBER_LABEL
                value, sure = double(mantissa, power, inexact)
                if values.itemsize == 4 and not is_label:
                    value, sure = single(mantissa, power)
                value = -value if negative else value
                if is_label:
                    labels[t] = value
                else:
                    values[k] = value
                if not sure:
                    doubts[doubtful, 0], doubts[doubtful, 1] = -1 - t if is_label else k, first
                    doubtful += 1
                elif not is_label and not np.isfinite(values[k]):
                    return t, begun, TOO_LARGE, np.int64(first), j
                k += not is_label
            else:
                first, last, p, kind = cell(data, p, stop, delimiter)
                if role == NOMINAL_LABEL:
                    cells[t, 0], cells[t, 1], cells[t, 2] = first, last, kind
                    if kind >= PLAIN and (first == last or is_among(data, first, last, words, ends)):
                        kind = NO_LABEL
                if kind < PLAIN:
                    return t, begun, kind, np.int64(first), j
            problem = ended(data, p, j, roles.size)
            if problem != FINE:
                return t, begun, problem, np.int64(p), j
            p += ONE
        t += 1
    return t, doubtful, FINE, 0, 0


@rule
def written(data: Array, first: Any, last: Any, kind: Any, text: Array, at: Any) -> Any:
    """Copy a cell into the text, its doubled quotes made single: the place after it, or 0 if a byte is 0."""
    p = first
    while p < last:
        if data[p] == 0:
            return U(0)
        text[at] = data[p]
        p += ONE + ONE if kind == DOUBLED and data[p] == QUOTE else ONE
        at += ONE
    return at


@rule
def slot_of(data: Array, first: Any, length: Any, tag: Any, slots: Any) -> Any:
    """Where a cell's search in the table begins."""
    return mixed(data, first, length, tag) >> U(32) & slots - ONE


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
    spans: Array,
    memo: Array,
    table: Array,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    cells: Array,
    doubts: Array,
) -> Any:
    """Rows of named attributes. Entry e of the dictionary is called text[a:b], spans[e] being (a, b).

    `which` says the entry of each attribute. The dictionary starts with one entry a column: its name if it holds
    numbers, what its attributes' names begin with if it is nominal. Returned besides what `dense` returns: how many
    entries there are. There is room for as many as there are cells; `memo` says which cell was the first of an entry,
    and the table finds entries by cells (0: none) in as many of its slots as are needed.
    """
    columns = roles.size
    p, stop, t, k, doubtful, begun, problem, j, first = U(start), U(end), 0, 0, 0, 0, FINE, 0, U(0)
    met, used, slots = columns, U(spans[columns - 1, 1]), min(U(1024), U(table.size))
    for slot in range(slots):
        table[slot] = 0
    indptr[0] = 0
    while p < stop and problem == FINE:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        for j in range(columns):
            role = roles[j]
            if role in (NUMBER, NUMBER_LABEL):
                first, p, negative, mantissa, power, inexact, found = numeric(data, p, stop, delimiter, words, ends)
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
                first, last, p, kind = cell(data, p, stop, delimiter)
                problem = min(kind, FINE)
                if role == NOMINAL_LABEL:
                    cells[t, 0], cells[t, 1], cells[t, 2] = first, last, kind
                    if problem == FINE and (first == last or is_among(data, first, last, words, ends)):
                        problem = NO_LABEL
                elif role == NOMINAL and problem == FINE and first < last:
                    length, tag = last - first, 4 * j + kind
                    slot = slot_of(data, first, length, tag, slots)
                    while True:
                        entry: Any = np.int64(table[slot])
                        if entry == 0 or (
                            memo[entry, 2] == tag
                            and U(memo[entry, 1]) == length
                            and same(data, U(memo[entry, 0]), data, first, length)
                        ):
                            break
                        slot = slot + ONE & slots - ONE
                    if entry == 0:
                        entry, table[slot] = met, met
                        met += 1
                        memo[entry, 0], memo[entry, 1], memo[entry, 2] = first, length, tag
                        spans[entry, 0] = spans[entry, 1] = used
                        if not is_among(data, first, last, words, ends):
                            after = used
                            for place in range(U(spans[j, 0]), U(spans[j, 1])):
                                text[after] = text[place]
                                after += ONE
                            after = written(data, first, last, kind, text, after)
                            problem = BINARY if after == U(0) else FINE
                            spans[entry, 1] = used = max(after, used)
                        if U(2 * met) > slots and slots < U(table.size):
                            slots *= U(4)
                            for slot in range(slots):
                                table[slot] = 0
                            for other in range(columns, met):
                                slot = slot_of(data, U(memo[other, 0]), U(memo[other, 1]), memo[other, 2], slots)
                                while table[slot] != 0:
                                    slot = slot + ONE & slots - ONE
                                table[slot] = other
                    if spans[entry, 0] < spans[entry, 1]:  # otherwise it is one of the words for what is missing
                        which[k], values[k] = entry, 1
                        k += 1
            if problem == FINE:
                problem = ended(data, p, j, columns)
                first = p if problem != FINE else first
            if problem != FINE:
                break
            p += ONE
        if problem == FINE:
            t, begun = t + 1, doubtful
            indptr[t] = k
    return t, begun, problem, np.int64(first), j, met


@kernel
def keys_of(text: Array, spans: Array, keys: Array) -> None:
    """The keys of names."""
    for e in range(keys.size):
        keys[e] = key(text, spans[e, 0], spans[e, 1] - spans[e, 0])


class Dictionary(NamedTuple):
    """The names of a block's attributes, each written once; room that is not used is never touched."""

    text: Array
    spans: Array
    memo: Array
    table: Array

    @classmethod
    def of(cls, prefixes: list[str], size: int, cells: int) -> Self:
        """Room for the names of so many cells in a block of a size, after what those of each column begin with."""
        coded = [prefix.encode("utf-8", "surrogateescape") for prefix in prefixes]
        ends = np.cumsum([len(prefix) for prefix in coded])
        entries = len(coded) + cells
        text = np.empty(int(ends[-1]) + size + cells * max(map(len, coded)) + PADDING, np.uint8)
        text[: ends[-1]] = np.frombuffer(b"".join(coded), np.uint8)
        spans = np.empty((entries, 2), np.int64)
        spans[: len(coded), 0], spans[: len(coded), 1] = [0, *ends[:-1]], ends
        table = np.empty(max(1024, 1 << (2 * entries - 1).bit_length()), np.int32)
        return cls(text, spans, np.empty((entries, 3), np.int64), table)

    def spelled(self, met: int, which: Array) -> tuple[Array, Array, Array, Array]:
        """The text, and where the names of attributes start in it, their lengths and keys."""
        spans, keys = self.spans[:met], np.empty(met, np.uint64)
        text = self.text[: spans[:, 1].max()]
        keys_of(text, spans, keys)
        return text, spans[which, 0], (spans[:, 1] - spans[:, 0]).astype(np.int32)[which], keys[which]
