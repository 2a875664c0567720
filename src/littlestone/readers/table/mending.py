"""Mending: cells in columns of numbers that are written otherwise, rewritten in place before a block is read again.

Most blocks have none. Where a block does, or a column has decimal commas, a copy of it is mended: a decimal comma
becomes a point, True and False become 1 and 0, and words become empty cells, which are counted, each only in columns
where that was decided.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, late_kernel
from littlestone.readers.decimals import COLON, PLUS, POINT, read_decimal
from littlestone.readers.table.cells import LF, ONE, PLAIN, SPACE, is_among, is_empty_line, read_cell

# what is mended in a column
COMMAS = 1
BOOLEANS = 2
WORDS = 4
COMMA = ord(",")


@late_kernel(lambda data, start, end, *rest: end - start)
def mend_cells(
    data: Array, start: int, end: int, delimiter: int, missing: Any, true: Any, false: Any, mended: Array
) -> Any:
    """Mend the cells of a block in columns where that was decided, and return how many words became missing."""
    p = U(start)
    stop = U(end)
    words = 0
    while p < stop:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        j = 0
        while True:
            first, last, p, kind = read_cell(data, p, stop, delimiter)
            if j < mended.size and mended[j] and kind >= PLAIN and first < last:
                how = mended[j]
                numeral = False
                if how & COMMAS:  # what is a number with a point, or with several marks, is no word
                    numeral = read_decimal(data, first)[3] == last
                    marks = True
                    for k in range(first, last):
                        byte = data[k]
                        marks &= PLUS <= byte < COLON
                        data[k] = POINT if byte == COMMA else COMMA if byte == POINT else byte
                    numeral |= marks
                if read_decimal(data, first)[3] != last and not is_among(data, first, last, missing):
                    one = how & BOOLEANS and is_among(data, first, last, true)
                    zero = how & BOOLEANS and is_among(data, first, last, false)
                    if one or zero or (how & WORDS and not numeral):
                        words += not (one or zero)
                        around = U(kind != PLAIN)
                        for k in range(first - around, last + around):
                            data[k] = SPACE
                        if one or zero:
                            data[first] = 49 if one else 48
            j += 1
            if kind < PLAIN or data[p] == LF:
                break
            p += ONE
        while p < stop and data[p] != LF:
            p += ONE
        p += ONE
    return np.int64(words)
