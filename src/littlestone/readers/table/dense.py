"""Rows: the records of a table in text as dense rows of numbers, each at its column's place, a missing one being 0."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, array_rule, kernel
from littlestone.readers.decimals import decimal, double, single
from littlestone.readers.table.batch import DOUBLE, NOMINAL_LABEL, NUMBER, NUMBER_LABEL, SINGLE, batch
from littlestone.readers.table.cells import (
    CR,
    LF,
    ONE,
    PLAIN,
    cell,
    has_zero,
    is_among,
    is_empty_line,
    is_missing,
    is_plain,
    line_end,
    sizes,
)

FOUND, MISSING = 1, 2  # what a cell holds, besides the problems
FINE, NOT_A_NUMBER, NO_LABEL, TOO_LARGE, TOO_FEW, TOO_MANY, BINARY = 0, -3, -4, -5, -6, -7, -8  # and those of `cells`


@kernel
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


@array_rule
def ended(data: Array, stop: Any, j: Any, columns: Any) -> Any:
    """Whether a record has as many cells as there are columns, as far as cell j tells."""
    if j + 1 < columns:
        return TOO_FEW if data[stop] == LF else FINE
    return FINE if data[stop] == LF else TOO_MANY


@array_rule
def look_at(
    data: Array,
    known: Array,
    others: Array,
    rows: Any,
    roles: Array,
    words: Array,
    ends: Array,
    plain: Array,
    cells: Array,
    t: Any,
) -> None:
    """Look at the cells of a batch that are no numbers: at labels, and whether they are plain; `t` rows come before."""
    columns, long = U(roles.size), sizes(ends)
    for k in range(others.size // plain.size * rows):
        c = U(others[k])
        first, r, j = U(known[c - ONE]) + ONE, (c - ONE) // columns, (c - ONE) % columns
        last = line_end(data, first, known[c])
        if not is_plain(data, first, last):
            plain[r] = False
        elif roles[j] == NOMINAL_LABEL:
            is_label = first < last and not is_missing(data, first, last, words, ends, long)
            plain[r] &= is_label and not has_zero(data, first, last)
            cells[t + r, 0], cells[t + r, 1], cells[t + r, 2] = first, last, PLAIN


@array_rule
def take_values(row: Any, rows: Any, width: Any, room: Any, values: Array, labels: Array, t: Any) -> Any:
    """Take rows of a batch, from one on, as long as they are plain: how many."""
    plain, read = room.plain, room.values
    i, k, told = U(row) * U(width), U(t) * U(width), plain.size * width
    for r in range(row, rows):
        if not plain[r]:
            return r - row
        for _ in range(width):
            values[k] = read[i]
            k, i = k + ONE, i + ONE
        if told < read.size:
            labels[t + r - row] = read[told + r]
    return rows - row


@kernel
def dense_plain(
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    room: Any,
    values: Array,
    labels: Array,
    cells: Array,
) -> Any:
    """Rows of numbers as long as they are plain, as most are: how many, and the place after them."""
    p, stop, known, plain, others = U(start), U(end), room.ends, room.plain, room.others
    t, width, enough = np.int64(0), np.int64(0), SINGLE if values.itemsize == 4 else DOUBLE
    for j in range(roles.size):
        width += roles[j] == NUMBER
    rows = done = 1
    while p < stop and done == rows and done > 0:
        rows = batch(data, p, stop, delimiter, roles, enough, room)
        look_at(data, known, others, rows, roles, words, ends, plain, cells, t)
        done = take_values(np.int64(0), rows, width, room, values, labels, t)
        t += done
        p = U(known[done * roles.size]) + ONE
    return t, np.int64(p)


@kernel
def dense(
    t: int,
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    room: Any,
    values: Array,
    labels: Array,
    cells: Array,
    doubts: Array,
) -> Any:
    """Any rows of numbers, after `t` plain ones.

    How many rows there are then, how many numbers Python must read, what is wrong, where, and in which column.
    """
    p, stop, doubtful, begun, rows, c, width = U(start), U(end), 0, 0, 0, 0, np.int64(0)
    known, plain, read, kinds, others = room.ends, room.plain, room.values, room.kinds, room.others
    for j in range(roles.size):
        width += roles[j] == NUMBER
    enough = SINGLE if values.itemsize == 4 else DOUBLE
    while p < stop:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        if c == rows * roles.size or p != U(known[c]) + ONE:
            rows, c = batch(data, p, stop, delimiter, roles, enough, room), 0
            look_at(data, known, others, rows, roles, words, ends, plain, cells, t)
        row = c // roles.size
        done = take_values(row, rows, width, room, values, labels, t)
        if done > 0:
            t, c = t + done, c + done * roles.size
            p = U(known[c]) + ONE
            continue
        begun, k, i, told = doubtful, t * width, row * width, plain.size * width + row
        for j in range(roles.size):
            role, is_known = roles[j], rows > 0 and p == U(known[c]) + ONE
            c += rows > 0
            if role in (NUMBER, NUMBER_LABEL):
                i += role == NUMBER
                if is_known and (kinds[i - 1] >= enough if role == NUMBER else kinds[told] == DOUBLE):
                    p = U(known[c]) + ONE
                    if role == NUMBER:
                        values[k] = read[i - 1]
                        k += 1
                    else:
                        labels[t] = read[told]
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
                    elif kind >= PLAIN and has_zero(data, first, last):
                        kind = BINARY
                if kind < PLAIN:
                    return t, begun, kind, np.int64(first), j
            problem = ended(data, p, j, roles.size)
            if problem != FINE:
                return t, begun, problem, np.int64(p), j
            p += ONE
        t += 1
    return t, doubtful, FINE, 0, 0
