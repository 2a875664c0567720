"""Rows: the records of a table in text, as dense rows of numbers or as rows of named attributes.

In a dense row each number stands at its column's place, a missing one being 0. In a row of named attributes a number
that is not 0 is an attribute named as its column, and a nominal cell one named `column=cell`; a missing cell is no
attribute. Names are written once a block, however often they occur. Rows of which a batch knows everything are taken
from it; any other is read cell by cell.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, late_kernel, long_rule
from littlestone.readers.decimals import read_float
from littlestone.readers.table.assemble import look_up, settle_names, take_rows
from littlestone.readers.table.batch import (
    DOUBLE,
    IGNORED,
    NOMINAL,
    NOMINAL_LABEL,
    NUMBER,
    NUMBER_LABEL,
    SINGLE,
    is_padded,
    read_batch,
)
from littlestone.readers.table.block_names import NAMES, SLOTS, add_name, find_name, hash_new_names
from littlestone.readers.table.cells import (
    CR,
    LF,
    ONE,
    PLAIN,
    drop_return,
    has_zero,
    is_among,
    is_empty_line,
    is_plain,
    read_cell,
)

# what a cell holds, besides the problems
FOUND = 1
MISSING = 2
# and those of `cells`
FINE = 0
NOT_A_NUMBER = -3
NO_LABEL = -4
TOO_LARGE = -5
TOO_FEW = -6
TOO_MANY = -7
BINARY = -8
PADDED = -9


@late_kernel(lambda *rest: 1)
def read_number(table: Any, p: Any, wide: Any) -> Any:
    """Read the cell of numbers that starts at p, as a float64 (`wide`) or a float32.

    Returns:
        Its first byte.
        Its delimiter or line end.
        The number, 0 if it is missing.
        Whether that is beyond doubt.
        What the cell holds: FOUND, MISSING or a problem.
    """
    data = table.data
    first = p
    last = table.stop
    end = table.stop
    while True:  # first as if the cell were nothing but a number; if it is not, once more between its proper ends
        value, sure, after = read_float(data, first, wide)
        if end < table.stop:
            return first, end, value, sure, FOUND if after == last else NOT_A_NUMBER
        if after > p:
            if data[after] == CR and data[after + ONE] == LF:
                after += ONE
            if data[after] == table.delimiter or data[after] == LF:
                return first, after, value, sure, FOUND
        first, last, end, kind = read_cell(data, p, table.stop, table.delimiter)
        if kind < PLAIN:
            return first, end, 0.0, True, kind
        if first == last or is_among(data, first, last, table.missing):
            return first, end, 0.0, True, MISSING


@long_rule
def check_end(data: Array, stop: Any, j: Any, columns: Any) -> Any:
    """Whether a record has as many cells as there are columns, as far as cell j tells."""
    if j + 1 < columns:
        return TOO_FEW if data[stop] == LF else FINE
    return FINE if data[stop] == LF else TOO_MANY


@long_rule
def check_words(table: Any, room: Any, rows: Any, cells: Array, t: Any) -> None:
    """Look at the cells of a batch that are no numbers: at labels, and whether they are plain; `t` rows come before."""
    data = table.data
    known = room.ends
    others = room.others
    plain = room.plain
    columns = U(table.roles.size)
    for k in range(others.size // plain.size * rows):
        c = U(others[k])
        first = U(known[c - ONE]) + ONE
        r = (c - ONE) // columns
        j = (c - ONE) % columns
        last = drop_return(data, first, known[c])
        if not is_plain(data, first, last):
            plain[r] = False
        elif table.roles[j] == NOMINAL_LABEL:
            is_label = first < last and not is_among(data, first, last, table.missing)
            plain[r] &= is_label and not has_zero(data, first, last)
            row = t + np.int64(r)
            cells[row, 0], cells[row, 1], cells[row, 2] = first, last, PLAIN


@long_rule
def take_values(table: Any, room: Any, row: Any, rows: Any, out: Any, t: Any) -> Any:
    """Copy rows of a batch, from one on, to row t and those after it, and return how many come before one with care."""
    plain = room.plain
    read = room.values
    values = out.values
    width = np.int64(table.numerics)
    i = U(row) * U(width)
    k = U(t) * U(width)
    label = plain.size * width
    for r in range(row, rows):
        if not plain[r]:
            return r - row
        for _ in range(width):
            values[k] = read[i]
            k = k + ONE
            i = i + ONE
        if label < read.size:
            out.labels[t + r - row] = read[label + r]
    return rows - row


@long_rule
def open_batch(table: Any, p: Any, room: Any, out: Any, t: Any, names: Any) -> Any:
    """Read the batch that starts at p, and look at its words.

    Returns:
        How many rows it has.
        Whether one of its numbers is 0, where rows have names.
    """
    rows = read_batch(table, p, SINGLE if out.values.itemsize == 4 else DOUBLE, room)
    if names is None:
        check_words(table, room, rows, out.words, t)
        return rows, False
    return rows, look_up(table, names, rows, room)


@long_rule
def take_plain(table: Any, room: Any, row: Any, rows: Any, has_zeros: Any, out: Any, t: Any, names: Any) -> Any:
    """Copy plain rows of a batch, from one on, to row t and those after it, and return how many there are."""
    if names is None:
        return take_values(table, room, row, rows, out, t)
    done, gaps = settle_names(table, names, row, rows, room)
    take_rows(table, room, row, done, has_zeros or gaps > 0, out, t)
    return done


@late_kernel(lambda table, start, *rest: int(table.stop) - start)
def read_plain_rows(table: Any, start: int, room: Any, out: Any, names: Any) -> Any:
    """Read rows as long as they are plain, as most are.

    Without names they are dense. Otherwise entry k has name `out.which[k]`. The names begin with one a column: its own
    if it holds numbers, what its attributes' names begin with if it is nominal. Labels that are words are names too,
    though no row has them.

    Returns:
        How many rows there are.
        The place after them.
    """
    p = U(start)
    t = np.int64(0)
    columns = table.roles.size
    rows = 1
    done = 1
    if names is not None:
        names.memo[1] = 0
        names.table[: names.counts[SLOTS]] = 0
    while p < table.stop and done == rows and done > 0:
        rows, has_zeros = open_batch(table, p, room, out, t, names)
        done = take_plain(table, room, np.int64(0), rows, has_zeros, out, t, names)
        t += done
        p = U(room.ends[done * columns]) + ONE
    if names is not None:
        hash_new_names(names, 0)
    return t, np.int64(p)


@late_kernel(lambda t, start, doubts, table, *rest: int(table.stop) - start)
def read_any_rows(t: int, start: int, doubts: Array, table: Any, room: Any, out: Any, names: Any) -> Any:
    """Read any rows, after `t` plain ones.

    Returns:
        How many rows there are then.
        How many numbers Python must read: `doubts` lists their places among values, and in the text.
        What is wrong.
        Where that is.
        In which column.
    """
    data = table.data
    roles = table.roles
    columns = table.roles.size
    width = np.int64(table.numerics)
    known = room.ends
    read = room.values
    kinds = room.kinds
    values = out.values
    p = U(start)
    doubtful = 0
    begun = 0
    problem = FINE
    j = 0
    first = U(0)
    rows = 0
    c = 0
    has_zeros = True
    old = 0 if names is None else names.counts[NAMES]
    while p < table.stop and problem == FINE:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        if c == rows * columns or p != U(known[c]) + ONE:
            rows, has_zeros = open_batch(table, p, room, out, t, names)
            c = 0
        row = c // columns
        done = take_plain(table, room, row, rows, has_zeros, out, t, names)
        if done > 0:
            t = t + done
            c = c + done * columns
            p = U(known[c]) + ONE
            continue
        begun = doubtful
        k = out.indptr[t]
        i = row * width
        label = room.plain.size * width + row
        for j in range(columns):
            role = roles[j]
            is_known = rows > 0 and p == U(known[c]) + ONE
            is_label = roles[j] == NUMBER_LABEL
            c += rows > 0
            if role in (NUMBER, NUMBER_LABEL):
                i += not is_label
                wide = is_label or values.itemsize == 8
                kind = kinds[label if is_label else i - 1]
                if is_known and (kind == DOUBLE or (not is_label and kind >= (DOUBLE if wide else SINGLE))):
                    value = read[label if is_label else i - 1]
                    sure = True
                    p = U(known[c])
                else:
                    first, p, value, sure, found = read_number(table, p, wide)
                    problem = NO_LABEL if is_label and found == MISSING else min(found, FINE)
                    if problem == FINE and is_label and table.exact and is_padded(data, first):
                        problem = PADDED
                if is_label:
                    out.labels[t] = value
                elif sure and not np.isfinite(values.dtype.type(value)):
                    problem = TOO_LARGE
                if problem == FINE and not sure:
                    doubts[doubtful, 0], doubts[doubtful, 1] = -1 - t if is_label else k, first
                    doubtful += 1
                if not is_label and (names is None or value != 0 or not sure):
                    values[k] = value
                    if names is not None:
                        out.which[k] = j
                    k += 1
            else:
                first, last, p, quotes = read_cell(data, p, table.stop, table.delimiter)
                problem = min(quotes, FINE)
                if role != IGNORED and problem == FINE:
                    if first == last or is_among(data, first, last, table.missing):
                        problem = NO_LABEL if role == NOMINAL_LABEL else FINE
                    elif names is None:
                        out.words[t, 0], out.words[t, 1], out.words[t, 2] = first, last, quotes
                        problem = BINARY if has_zero(data, first, last) else FINE
                    else:
                        tag = (last - first) << U(32) | U(4 * j + quotes)
                        slot, entry, head, tail = find_name(names, data, first, tag)
                        if entry == 0:
                            entry = add_name(names, data, first, tag, (slot, head, tail))
                        if entry < 0:
                            problem = BINARY
                        elif role == NOMINAL:
                            out.which[k], values[k] = entry, 1
                            k += 1
                        else:
                            out.words[t, 0] = entry
            if problem == FINE:
                problem = check_end(data, p, j, columns)
                first = p if problem != FINE else first
            if problem != FINE:
                break
            p += ONE
        if problem == FINE:
            t = t + 1
            begun = doubtful
            out.indptr[t] = k
    if names is not None:
        hash_new_names(names, old)
    return t, begun, problem, np.int64(first), j
