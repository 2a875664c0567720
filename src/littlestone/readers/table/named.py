"""Named rows: the records of a table in text as rows of named attributes.

A number that is not 0 is an attribute named as its column, and a nominal cell one named `column=cell`; a missing cell
is no attribute. Names are written once a block, however often they occur. Rows of which a batch knows everything are
taken from it; any other is read cell by cell.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel
from littlestone.readers.decimals import double, single
from littlestone.readers.table.assemble import look_up, settle_names, take_rows
from littlestone.readers.table.batch import DOUBLE, IGNORED, NOMINAL, NOMINAL_LABEL, NUMBER, NUMBER_LABEL, SINGLE, batch
from littlestone.readers.table.block_names import NAMES, SLOTS, entered, found_in, keyed
from littlestone.readers.table.cells import LF, ONE, cell, is_empty_line, is_missing, sizes
from littlestone.readers.table.dense import BINARY, FINE, MISSING, NO_LABEL, TOO_LARGE, ended, numeric


@kernel
def named_plain(
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    room: Any,
    dictionary: Any,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
) -> Any:
    """Rows of named attributes as long as they are plain: how many, and the place after them.

    Entry k has name `which[k]` of a dictionary. It starts with one name a column: its own if it holds numbers, what its
    attributes' names begin with if it is nominal. Labels are cells of the dictionary too, `told`, though no row has
    their names.
    """
    p, stop, columns, numerics, known = U(start), U(end), roles.size, np.int64(0), room.ends
    dictionary.memo[1], indptr[0] = 0, 0
    dictionary.table[: dictionary.counts[SLOTS]] = 0
    for j in range(columns):
        numerics += roles[j] == NUMBER
    t, rows, done = np.int64(0), 1, 1
    while p < stop and done == rows and done > 0:
        rows = batch(data, p, stop, delimiter, roles, SINGLE, room)
        has_zeros = look_up(dictionary, data, rows, numerics, room)
        done, gaps = settle_names(dictionary, data, np.int64(0), rows, words, ends, room)
        take_rows(np.int64(0), done, has_zeros or gaps > 0, numerics, room, indptr, which, values, labels, told, t)
        t += done
        p = U(known[done * columns]) + ONE
    keyed(dictionary, 0)
    return t, np.int64(p)


@kernel
def named(
    t: int,
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    room: Any,
    dictionary: Any,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
    doubts: Array,
) -> Any:
    """Any rows of named attributes, after `t` plain ones: returned is what `dense` returns."""
    known, plain, read, kinds = room.ends, room.plain, room.values, room.kinds
    columns, numerics, long, old = roles.size, np.int64(0), sizes(ends), dictionary.counts[NAMES]
    for j in range(columns):
        numerics += roles[j] == NUMBER
    p, stop, doubtful, begun, problem, j, first = U(start), U(end), 0, 0, FINE, 0, U(0)
    rows, c, has_zeros = 0, 0, True
    while p < stop and problem == FINE:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        if c == rows * columns or p != U(known[c]) + ONE:
            rows, c = batch(data, p, stop, delimiter, roles, SINGLE, room), 0
            has_zeros = look_up(dictionary, data, rows, numerics, room)
        row = c // columns
        done, gaps = settle_names(dictionary, data, row, rows, words, ends, room)
        take_rows(row, done, has_zeros or gaps > 0, numerics, room, indptr, which, values, labels, told, t)
        if done > 0:
            t, c = t + done, c + done * columns
            p = U(known[c]) + ONE
            continue
        begun, k, i, label = doubtful, indptr[t], row * numerics, plain.size * numerics + row
        for j in range(columns):
            role, is_known = roles[j], rows > 0 and p == U(known[c]) + ONE
            c += rows > 0
            if role in (NUMBER, NUMBER_LABEL):
                i += role == NUMBER
                if is_known and (kinds[i - 1] >= SINGLE if role == NUMBER else kinds[label] == DOUBLE):
                    p = U(known[c]) + ONE
                    if role == NUMBER_LABEL:
                        labels[t] = read[label]
                    elif read[i - 1] != 0:
                        which[k], values[k] = j, read[i - 1]
                        k += 1
                    continue
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
                if role != IGNORED and problem == FINE:
                    if first == last or is_missing(data, first, last, words, ends, long):
                        problem = NO_LABEL if role == NOMINAL_LABEL else FINE
                    else:
                        tag = (last - first) << U(32) | U(4 * j + kind)
                        slot, entry, head, tail = found_in(dictionary, data, first, tag)
                        if entry == 0:
                            entry = entered(dictionary, data, first, tag, (slot, head, tail))
                        if entry < 0:
                            problem = BINARY
                        elif role == NOMINAL:
                            which[k], values[k] = entry, 1
                            k += 1
                        else:
                            told[t] = entry
            if problem == FINE:
                problem = ended(data, p, j, columns)
                first = p if problem != FINE else first
            if problem != FINE:
                break
            p += ONE
        if problem == FINE:
            t, begun = t + 1, doubtful
            indptr[t] = k
    keyed(dictionary, old)
    return t, begun, problem, np.int64(first), j
