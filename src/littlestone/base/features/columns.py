"""Columns: a table that is held column by column, as rows of named attributes.

A number that is not 0 is an attribute called as its column, a nominal cell one called `column=cell`. A missing cell is
no attribute.

>>> columns = [Column("age", numbers=np.array([39.0, 0.0])), Column("colour", codes=np.array([0, -1]), texts=["red"])]
>>> list(rows_from_columns(columns, np.array(["yes", "no"])))
[{'age': 39.0, 'colour=red': 1.0}, {}]
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Tokens
from littlestone.base.features.names import pack_names


class Column(NamedTuple):
    """A column of numbers (NaN: missing), or of cells that are texts by number (-1: missing)."""

    name: str
    numbers: Array | None = None
    codes: Array | None = None
    texts: Sequence[str] = ()


def rows_from_columns(columns: Sequence[Column], labels: Array) -> Tokens:
    """The rows of a table, as many as there are labels."""
    shape = (len(labels), len(columns))
    which = np.empty(shape, np.int64)
    values = np.ones(shape, _choose_real(columns))
    names: list[str] = []
    for j, (name, numbers, codes, texts) in enumerate(columns):
        if numbers is not None:
            values[:, j] = numbers
            which[:, j] = np.where((values[:, j] != 0) & (values[:, j] == values[:, j]), len(names), -1)
            names.append(name)
        else:
            assert codes is not None, "a column holds numbers or codes"
            which[:, j] = np.where(codes >= 0, codes + len(names), -1)
            names.extend(f"{name}={text}" for text in texts)
    text, starts, lengths, keys = pack_names(names)
    there = which >= 0
    indptr = np.concatenate(([0], np.cumsum(there.sum(axis=1)))).astype(np.int64)
    listed = which[there].astype(np.int32)
    weights = values[there] if any(column.numbers is not None for column in columns) else None
    return Tokens(indptr, text, starts, lengths, keys, weights, labels, which=listed)


def encode_cells(cells: Sequence[str | None]) -> tuple[Array, list[str]]:
    """Texts by number, in the order in which they first come; None is -1."""
    numbers: dict[str | None, int] = {None: -1}
    codes = np.empty(len(cells), np.int64)
    for t, cell in enumerate(cells):
        code = numbers.get(cell)
        if code is None:
            code = numbers[cell] = len(numbers) - 1
        codes[t] = code
    return codes, [text for text in numbers if text is not None]


def _choose_real(columns: Sequence[Column]) -> type[np.floating]:
    """float64 if some column of numbers is that wide, or of integers; otherwise float32."""
    kinds = [column.numbers.dtype for column in columns if column.numbers is not None]
    return np.float64 if any(kind != np.float32 for kind in kinds) else np.float32
