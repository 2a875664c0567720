"""Outline: the cells of a table's first records, and which of its columns hold numbers, by reading every cell."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel
from littlestone.readers.decimals import decimal
from littlestone.readers.table.cells import LF, ONE, PLAIN, ZERO, cell, is_empty_line, is_missing, sizes


@kernel
def outline(data: Array, end: int, delimiter: int, records: int, cells: Array) -> Any:
    """List the cells of the first records (first byte, the one after the last, kind, record) as far as there is room.

    How many cells, and the place after the last record that is listed whole; a cell that is no cell ends the list.
    """
    p, stop, found, record, after = ZERO, U(end), 0, 0, ZERO
    while p < stop and record < records:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        while True:
            first, last, p, kind = cell(data, p, stop, delimiter)
            if kind < PLAIN or found == len(cells):
                return found, np.int64(after)
            cells[found, 0], cells[found, 1], cells[found, 2], cells[found, 3] = first, last, kind, record
            found += 1
            p += ONE
            if data[p - ONE] == LF:
                break
        record, after = record + 1, p
    return found, np.int64(after)


@kernel
def survey(data: Array, start: int, end: int, delimiter: int, words: Array, ends: Array, numeric: Array) -> None:
    """Say of columns that are numeric so far if a cell is neither a number nor missing; what is no cell is passed."""
    p, stop, long = U(start), U(end), sizes(ends)
    while p < stop:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        j = 0
        while True:
            first, last, p, kind = cell(data, p, stop, delimiter)
            if j < numeric.size and numeric[j] and kind >= PLAIN and first < last:
                is_number = decimal(data, first)[3] == last
                numeric[j] = is_number or is_missing(data, first, last, words, ends, long)
            j += 1
            if kind < PLAIN or data[p] == LF:
                break
            p += ONE
        while p < stop and data[p] != LF:
            p += ONE
        p += ONE
