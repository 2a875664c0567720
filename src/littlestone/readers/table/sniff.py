"""Head: what the first records of a table in text tell: its delimiter, its header, its label, the types of its columns.

Whatever is guessed here is fixed for the rest of the stream, and said by the format.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadData
from littlestone.base.features.names import find_repeated
from littlestone.base.features.schema import tell_unknown
from littlestone.compiled import U, late_kernel
from littlestone.readers.decimals import read_decimal
from littlestone.readers.format import PADDING
from littlestone.readers.headers import FEWEST
from littlestone.readers.table.cells import (
    DOUBLED,
    LF,
    ONE,
    PLAIN,
    QUOTED,
    KnownWords,
    decode_cell,
    is_among,
    is_empty_line,
    pad,
    read_cell,
)

DELIMITERS = ("\t", ";", ",")
NEAR = 1 << 16  # bytes that are looked at first
# that are looked at
RECORDS = 100
CELLS = 1 << 16
LABELS = ("label", "class", "target", "y")  # names of columns that are the label unless told otherwise
INSIDE = rb'(?:[^"]|"")*+'  # of quotes
EMPTY_LINE = re.compile(rb"\r*\n")
MARK = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of some files


def outline_records(data: bytes, delimiter: str, records: int, room: int) -> tuple[list[tuple[int, ...]], int]:
    """List the cells of the first records (first byte, the one after the last, kind, record), `room` of them at most.

    Returns:
        The cells; a cell that is no cell ends the list.
        The place after the last record that is listed whole.
    """
    mark = re.escape(delimiter.encode())
    cell = re.compile(rb' *+(?:"(%b)" *+(?:\r++(?=\n))?|(?!")([^\n%b]*))([\n%b])' % (INSIDE, mark, mark))
    cells: list[tuple[int, ...]] = []
    p = record = after = 0
    while p < len(data) and record < records:
        if empty := EMPTY_LINE.match(data, p):
            p = empty.end()
            continue
        end = b""
        while end != b"\n":
            found = cell.match(data, p)
            if found is None or len(cells) == room:
                return cells, after
            (first, last), inside, end = found.span(1), found[1], found[3]
            kind = QUOTED if inside is not None and b'""' not in inside else DOUBLED
            if inside is None:
                text = found[2]
                first = found.start(2)
                kind = PLAIN
                last = first + len((text.rstrip(b"\r") if end == b"\n" else text).rstrip(b" "))
            cells.append((first, last, kind, record))
            p = found.end()
        record = record + 1
        after = p
    return cells, after


@late_kernel(lambda data, start, end, *rest: end - start)
def find_words(data: Array, start: int, end: int, delimiter: int, missing: KnownWords, numeric: Array) -> None:
    """Say of columns that are numeric so far if a cell is neither a number nor missing; what is no cell is passed."""
    p = U(start)
    stop = U(end)
    while p < stop:
        if is_empty_line(data, p):
            p += ONE if data[p] == LF else ONE + ONE
            continue
        j = 0
        while True:
            first, last, p, kind = read_cell(data, p, stop, delimiter)
            if j < numeric.size and numeric[j] and kind >= PLAIN and first < last:
                is_number = read_decimal(data, first)[3] == last
                numeric[j] = is_number or is_among(data, first, last, missing)
            j += 1
            if kind < PLAIN or data[p] == LF:
                break
            p += ONE
        while p < stop and data[p] != LF:
            p += ONE
        p += ONE


def keep_whole_lines(head: bytes) -> bytes:
    """The whole lines of a head, without the mark of UTF-8; a head of one line gets its end."""
    head = head.removeprefix(MARK)
    return head[: head.rfind(b"\n") + 1] or head + b"\n"


@lru_cache(maxsize=8)  # a head is asked about several times
def find_records(head: bytes, delimiter: str, most: int) -> tuple[bytes, Array, int]:
    """Bytes that hold the first records, their cells (first byte, the one after the last, kind, record), the end."""
    near = head[: head.rfind(b"\n", 0, NEAR) + 1] or head  # as a rule they are among the first bytes
    cells, after = outline_records(near, delimiter, most, room := CELLS)
    if len(near) < len(head) and (not cells or cells[-1][3] + 1 < most):
        near = head
        cells, after = outline_records(near, delimiter, most, room)
    while len(cells) == room and cells[-1][3] < FEWEST:  # not even these records have room
        cells, after = outline_records(near, delimiter, most, room := 2 * room)
    listed = np.array(cells, np.int64).reshape(-1, 4)
    return near, listed[listed[:, 1] <= after], after


def read_records(head: bytes, delimiter: str, most: int = RECORDS) -> tuple[list[list[str]], int]:
    """The cells of the first records, and the place after those."""
    near, cells, after = find_records(head, delimiter, most)
    table: list[list[str]] = []
    for first, last, kind, record in cells.tolist():
        if record == len(table):
            table.append([])
        table[-1].append(decode_cell(near, first, last, kind))
    return table, after


def guess_delimiter(head: bytes) -> str | None:
    """The delimiter that cuts the first records into equally many cells, more than one; of several, the busiest."""
    best = None
    widest = 1
    for delimiter in DELIMITERS:
        widths = np.bincount(find_records(head, delimiter, RECORDS)[1][:, 3])  # cells of each record
        if len(widths) and (widths == widths[0]).all() and widths[0] > widest:
            best = delimiter
            widest = widths[0]
    return best


def is_table(head: bytes) -> bool:
    """Whether the first lines look like a table: not like objects, namespaces, or a label and a text after a tab."""
    lines = head.split(b"\n", RECORDS)[:RECORDS]
    delimiter = guess_delimiter(head)
    if (
        delimiter is None
        or b"\0" in head
        or head.lstrip()[:1] in (b"{", b"[")
        or all(b"|" in one for one in lines if one)
    ):
        return False
    table = read_records(head, delimiter)[0]
    return delimiter != "\t" or len(table[0]) > 2 or not any(" " in row[1] for row in table)


def name_columns(header: list[str] | None, width: int) -> tuple[str, ...]:
    """The names of the columns, those without one called c and their position."""
    names = tuple(name or f"c{j}" for j, name in enumerate(header or [""] * width))
    twice = find_repeated(names)
    if twice is not None:
        raise BadData(f"two columns are called {twice!r}: names must differ, or say header=False", line=1)
    return names


def find_column(which: str | int, names: Sequence[str], what: str) -> int:
    """The position of a column given by name or by position, from the end if negative."""
    if str(which) in names:  # which may be a number, such as pandas gives to columns without a name
        return names.index(str(which))
    try:
        at = int(which)
    except ValueError:
        at = len(names)
    if not -len(names) <= at < len(names):
        raise BadData(f"{what} {tell_unknown(which, names)}", line=1)
    return at % len(names)


def is_numeric(head: bytes, start: int, delimiter: str, width: int, missing: KnownWords) -> list[bool]:
    """For each column whether all its cells are numbers or missing."""
    numeric = np.ones(width, np.bool_)
    find_words(pad(head), start, len(head), ord(delimiter), missing, numeric)
    return cast(list[bool], numeric.tolist())


def terminate(data: Array, start: int, end: int) -> tuple[Array, int]:
    """A block with a line end as its last byte: itself, or a copy that has one."""
    if end == start or data[end - 1] == LF:
        return data, end
    return np.concatenate((data[:end], np.array([LF] + PADDING * [0], np.uint8))), end + 1


def quote_cell(data: Array, at: int, delimiter: str) -> str:
    """A cell, from a place inside it on, for a message."""
    said = bytes(data[at : at + 41])
    end = min([k for k in map(said.find, (b"\n", b"\r", delimiter.encode())) if k >= 0], default=len(said))
    shown = repr(said[: min(end, 40)].decode("utf-8", "replace"))
    return shown if end <= 40 else f"{shown}..."
