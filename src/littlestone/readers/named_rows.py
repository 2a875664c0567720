"""Named rows: the records of a table in text as rows of named attributes.

A number that is not 0 is an attribute named as its column, and a nominal cell one named `column=cell`; a missing cell
is no attribute. Names are written once a block, however often they occur. Rows of which a batch knows everything are
taken from it; any other is read cell by cell.
"""

from typing import Any

import numpy as np

from littlestone.examples import Array
from littlestone.hashing import key
from littlestone.kernel import kernel, light
from littlestone.readers.batches import DOUBLE, SINGLE, batch
from littlestone.readers.cells import LF, ONE, U, cell, is_empty_line, line_end, sizes
from littlestone.readers.names import NEW, ODD, SLOTS, VOID, entered, found_in, looked_up
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
)


@light
def taken(
    data: Array,
    known: Array,
    row: Any,
    rows: Any,
    roles: Array,
    read: Array,
    kinds: Array,
    at: Any,
    entries: Array,
    words: Array,
    ends: Array,
    text: Array,
    starts: Array,
    lengths: Array,
    keys: Array,
    memo: Array,
    table: Array,
    counts: Array,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
    t: Any,
) -> Any:
    """Take rows of a batch, from one on, as long as they are plain and their numbers clear: how many.

    Their numbers are those from `at` on.
    """
    columns, long, i, k = U(roles.size), sizes(ends), U(at), U(indptr[t])
    w = U(row) * columns - i
    for r in range(rows - row):
        for j in range(columns):
            role = roles[j]
            if role == NUMBER:
                value = read[i]
                if kinds[i] < SINGLE:
                    return r
                i += ONE
                which[k], values[k] = j, value
                k += U(value != 0)
            elif role == NUMBER_LABEL:
                if kinds[i] != DOUBLE:
                    return r
                labels[t + r] = read[i]
                i += ONE
            else:
                entry = np.int64(entries[w])
                w += ONE
                if entry == ODD or (entry == VOID and role == NOMINAL_LABEL):
                    return r
                if role == IGNORED or entry == VOID:
                    continue
                if entry == NEW:
                    c = U(row + r) * columns + j
                    first = U(known[c]) + ONE
                    tag = (line_end(data, first, known[c + ONE]) - first) << U(32) | j << U(2)
                    slot, entry, head, tail = found_in(data, first, tag, memo, table, U(counts[SLOTS]))
                    if entry == 0:
                        entry = entered(
                            data, first, tag, (slot, head, tail), words, ends, long, text, starts, lengths, keys, memo,
                            table, counts,
                        )  # fmt: skip
                        if entry < 0:
                            return r
                if role == NOMINAL:
                    which[k], values[k] = entry, 1
                    k += U(lengths[entry] > 0)
                elif lengths[entry] > 0:
                    told[t + r] = entry
                else:
                    return r
        indptr[t + r + 1] = k
    return rows - row


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
    text: Array,
    starts: Array,
    lengths: Array,
    keys: Array,
    memo: Array,
    table: Array,
    counts: Array,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
) -> Any:
    """Rows of named attributes as long as they are plain: how many, and the place after them.

    Entry k has name `which[k]` of a dictionary, of which Tokens say what it holds. It starts with one name a column:
    its own if it holds numbers, what its attributes' names begin with if it is nominal. There is room for as many names
    as there are cells; `memo` says which cell a name was met in first (its place, its tag, both ends of a short one),
    and the table finds names by cells (0: none) in as many of its slots as are needed. Labels are cells of the
    dictionary too, `told`, though no row has their names.
    """
    p, stop, columns, others = U(start), U(end), roles.size, 0
    known, read, kinds, entries = room[0], room[3], room[4], room[7]
    memo[1], indptr[0] = 0, 0
    table[: counts[SLOTS]] = 0
    for j in range(columns):
        keys[j] = key(text, starts[j], lengths[j])
        others += roles[j] not in (NUMBER, NUMBER_LABEL)
    t, rows, done = np.int64(0), 1, 1
    while p < stop and done == rows and done > 0:
        rows, none = batch(data, p, stop, delimiter, columns, room), np.int64(0)
        looked_up(data, known, room[5][: rows * others], room[6], memo, table, counts[SLOTS], entries)
        done = taken(
            data, known, none, rows, roles, read, kinds, none, entries, words, ends, text, starts, lengths, keys, memo,
            table, counts, indptr, which, values, labels, told, t,
        )  # fmt: skip
        t += done
        p = U(known[done * columns]) + ONE
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
    text: Array,
    starts: Array,
    lengths: Array,
    keys: Array,
    memo: Array,
    table: Array,
    counts: Array,
    indptr: Array,
    which: Array,
    values: Array,
    labels: Array,
    told: Array,
    doubts: Array,
) -> Any:
    """Any rows of named attributes, after `t` plain ones: returned is what `dense` returns."""
    known, _, _, read, kinds, others, tags, entries = room
    columns, numerics, long, k = roles.size, 0, sizes(ends), indptr[t]
    for j in range(columns):
        numerics += roles[j] in (NUMBER, NUMBER_LABEL)
    p, stop, doubtful, begun, problem, j, first = U(start), U(end), 0, 0, FINE, 0, U(0)
    rows, c, i = 0, 0, np.int64(0)
    while p < stop and problem == FINE:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        if c == rows * columns or p != U(known[c]) + ONE:
            rows, c, i = batch(data, p, stop, delimiter, columns, room), 0, np.int64(0)
            listed = others[: rows * (columns - numerics)]
            looked_up(data, known, listed, tags, memo, table, counts[SLOTS], entries)
        done = 0
        if rows > 0:
            done = taken(
                data, known, c // columns, rows, roles, read, kinds, i, entries, words, ends, text, starts, lengths,
                keys, memo, table, counts, indptr, which, values, labels, told, t,
            )  # fmt: skip
        if done > 0:
            t, c, i = t + done, c + done * columns, i + done * numerics
            p, k = U(known[c]) + ONE, indptr[t]
            continue
        begun = doubtful
        for j in range(columns):
            role, is_known = roles[j], rows > 0 and p == U(known[c]) + ONE
            c += rows > 0
            if role in (NUMBER, NUMBER_LABEL):
                i += rows > 0
                if is_known and (kinds[i - 1] >= SINGLE if role == NUMBER else kinds[i - 1] == DOUBLE):
                    p, value = U(known[c]) + ONE, read[i - 1]
                    if role == NUMBER_LABEL:
                        labels[t] = value
                    elif value != 0:
                        which[k], values[k] = j, value
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
                if role == NOMINAL_LABEL and problem == FINE and first == last:
                    problem = NO_LABEL
                elif role != IGNORED and problem == FINE and first < last:
                    tag = (last - first) << U(32) | U(4 * j + kind)
                    slot, entry, head, tail = found_in(data, first, tag, memo, table, U(counts[SLOTS]))
                    if entry == 0:
                        entry = entered(
                            data, first, tag, (slot, head, tail), words, ends, long, text, starts, lengths, keys, memo,
                            table, counts,
                        )  # fmt: skip
                    if entry < 0:
                        problem = BINARY
                    elif role == NOMINAL:
                        which[k], values[k] = entry, 1
                        k += lengths[entry] > 0  # a word for what is missing has no name
                    else:
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
    return t, begun, problem, np.int64(first), j
