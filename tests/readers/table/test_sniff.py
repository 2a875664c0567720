"""The first records of a table, found by a regular expression as the compiled reader finds cells one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from littlestone.readers.table.cells import LF, ONE, PLAIN, is_empty_line, pad, read_cell
from littlestone.readers.table.sniff import outline_records


def outline_slowly(data, delimiter, records, room):
    padded, p, stop, cells, record, after = pad(data), np.uint64(0), np.uint64(len(data)), [], 0, 0
    while p < stop and record < records:
        if is_empty_line(padded, p):
            p += ONE if padded[p] == LF else ONE + ONE
            continue
        while True:
            first, last, p, kind = read_cell(padded, p, stop, ord(delimiter))
            if kind < PLAIN or len(cells) == room:
                return cells, after
            cells.append((int(first), int(last), kind, record))
            p += ONE
            if padded[p - ONE] == LF:
                break
        record, after = record + 1, int(p)
    return cells, after


@given(st.text('ab "\r\n,;\t1', max_size=40), st.sampled_from("\t;,"), st.sampled_from((1, 3, 100)), st.integers(1, 12))
def test_cells_of_the_first_records_are_those_of_the_compiled_reader(text, delimiter, records, room):
    data = text.encode() + b"\n"
    with np.errstate(over="ignore"):  # words of eight bytes wrap around
        expected = outline_slowly(data, delimiter, records, room)
    assert outline_records(data, delimiter, records, room) == expected
