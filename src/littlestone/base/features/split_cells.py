"""Split cells: attributes `column=cell` of chosen columns, each replaced by what its cell is made of.

Every reader gives a cell that is no number as one attribute, `column=cell`. Where the cell is a text, its words are
what can be learned from: it becomes `column^word` for each of them, so that words of different columns are different
attributes. A date becomes its year, month, weekday and hour, and the decades elapsed since 2000.

>>> from littlestone.base.features.tokenizer import Tokenizer
>>> row = Tokens(np.array([0, 2]), *pack_names(["title=Free money", "n"]), np.array([1.0, 7.0]), np.zeros(1))
>>> split_cells(row, ["title"], Tokenizer().read_lines)[0]
{'title^free': 1.0, 'title^money': 1.0, 'n': 7.0}
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Tokens
from littlestone.base.features.hashing import has_same_bytes, hash_name
from littlestone.base.features.names import pack_names
from littlestone.base.features.tokenizer import NEWLINE, PADDING, SPACE
from littlestone.compiled import kernel, read_attribute, read_value

EQUALS, HAT = ord("="), ord("^")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
DECADE = 3652.425 * 86400  # seconds

Split = Callable[[Array], Tokens]  # lines, with PADDING bytes after them, to a row of names for each


@kernel
def find_cells(text: Array, starts: Array, lengths: Array, known: Array, bounds: Array, column: Array) -> Any:
    """Write of each name to which of the known columns it belongs, -1 for none; how many bytes their cells have."""
    total = 0
    for e in range(lengths.size):
        column[e] = -1
        for n in range(bounds.size - 1):
            size = bounds[n + 1] - bounds[n]
            named = lengths[e] > size and text[starts[e] + size] == EQUALS
            if named and has_same_bytes(known, bounds[n], text, starts[e], size):
                column[e] = n
                total += lengths[e] - size - 1
                break
    return total


@kernel
def copy_cells(text: Array, starts: Array, lengths: Array, column: Array, bounds: Array, lines: Array) -> Any:
    """Write the cells of known columns, each as a line."""
    at = 0
    for e in range(lengths.size):
        n = column[e]
        if n >= 0:
            for k in range(starts[e] + bounds[n + 1] - bounds[n] + 1, starts[e] + lengths[e]):
                lines[at] = SPACE if text[k] == NEWLINE else text[k]
                at += 1
            lines[at] = NEWLINE
            at += 1


@kernel
def name_parts(cells: Any, columns: Array, known: Array, bounds: Array, out: Any) -> Any:
    """Write the names of the parts of cells, each after the name of its column."""
    (indptr, text, starts, lengths), (out_text, out_starts, out_lengths, out_keys) = cells, out
    at = 0
    for c in range(columns.size):
        n = columns[c]
        for k in range(indptr[c], indptr[c + 1]):
            begun = at
            for j in range(bounds[n], bounds[n + 1]):
                out_text[at] = known[j]
                at += 1
            out_text[at] = HAT
            at += 1
            for j in range(starts[k], starts[k] + lengths[k]):
                out_text[at] = text[j]
                at += 1
            out_starts[k], out_lengths[k] = begun, at - begun
            out_keys[k] = hash_name(out_text, begun, at - begun)


@kernel
def replace_cells(rows: Any, cell: Array, parts: Any, out: Any) -> Any:
    """Write rows in which the parts of a cell stand in its place; without room for them only how many entries."""
    (indptr, which, values), (parts_indptr, parts_values, before) = rows, parts
    out_indptr, out_which, out_values = out
    end = 0
    for t in range(indptr.size - 1):
        for k in range(indptr[t], indptr[t + 1]):
            e = np.int64(read_attribute(which, k, 0))
            c = cell[e]
            first, last = (parts_indptr[c], parts_indptr[c + 1]) if c >= 0 else (0, 1)
            if out_which.size:
                for j in range(first, last):
                    out_which[end + j - first] = before + j if c >= 0 else e
                    worth = read_value(values, k)
                    out_values[end + j - first] = worth * read_value(parts_values, j) if c >= 0 else worth
            end += last - first
        out_indptr[t + 1] = end
    return end


def split_cells(chunk: Tokens, columns: Sequence[str], split: Split) -> Tokens:
    """Rows in which the cells of these columns are split."""
    coded = [name.encode("utf-8", "surrogateescape") for name in columns]
    known = np.frombuffer(b"".join(coded) + b"\0", np.uint8)
    bounds = np.cumsum([0, *map(len, coded)])
    column = np.empty(len(chunk.lengths), np.int64)
    size = find_cells(chunk.text, chunk.starts, chunk.lengths, known, bounds, column)
    found = np.flatnonzero(column >= 0)
    if not len(found):
        return chunk
    lines = np.zeros(size + len(found) + PADDING, np.uint8)
    copy_cells(chunk.text, chunk.starts, chunk.lengths, column, bounds, lines)
    cells = split(lines)
    chosen = column[found]
    counts = np.diff(cells.indptr)
    used = int(cells.lengths.sum() + ((np.diff(bounds)[chosen] + 1) * counts).sum())
    text = np.empty(used, np.uint8)
    total = int(cells.indptr[-1])
    starts = np.empty(total, np.int64)
    lengths = np.empty(total, np.int32)
    keys = np.empty(total, np.uint64)
    spans = (cells.indptr, cells.text, cells.starts, cells.lengths)
    name_parts(spans, chosen, known, bounds, (text, starts, lengths, keys))
    cell = np.full(len(column), -1)
    indptr = np.zeros(len(chunk) + 1, np.int64)
    cell[found] = np.arange(len(found))
    rows = (chunk.indptr, chunk.which, chunk.values)
    parts = (cells.indptr, cells.values, len(column))
    kind = np.float32 if chunk.values is None else chunk.values.dtype
    entries = replace_cells(rows, cell, parts, (indptr, np.empty(0, np.int32), np.empty(0, kind)))
    which = np.empty(max(1, entries), np.int32)
    values = np.empty(max(1, entries), kind)
    replace_cells(rows, cell, parts, (indptr, which, values))
    return replace(
        chunk,
        indptr=indptr,
        text=np.concatenate((chunk.text, text)),
        starts=np.concatenate((chunk.starts, starts + len(chunk.text))),
        lengths=np.concatenate((chunk.lengths, lengths)),
        keys=np.concatenate((chunk.keys, keys)),
        values=None if chunk.values is None and cells.values is None else values[:entries],
        which=which[:entries],
    )


def split_dates(lines: Array) -> Tokens:
    """What dates are made of; a cell that is no date is itself."""
    indptr = [0]
    names = list[str]()
    values = list[float]()
    for line in lines[:-PADDING].tobytes().decode("utf-8", "surrogateescape").split("\n")[:-1]:
        for name, value in list_date_parts(line).items():
            names.append(name)
            values.append(value)
        indptr.append(len(names))
    nothing = np.zeros(len(indptr) - 1, np.int32)
    return Tokens(np.array(indptr), *pack_names(names), np.array(values), nothing)


def list_date_parts(cell: str) -> dict[str, float]:
    """The parts of a date by name, with their values."""
    try:
        when = datetime.fromisoformat(cell.strip().replace("/", "-"))
    except ValueError:
        return {f"other={cell}": 1.0}
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    parts = [f"year={when.year}", f"month={when.month}", f"weekday={WEEKDAYS[when.weekday()]}"]
    parts += [f"hour={when.hour}"] if ":" in cell else []
    return dict.fromkeys(parts, 1.0) | {"elapsed": (when - BEGIN).total_seconds() / DECADE}
