"""Numbered columns: rows of a table put into the order in which a model numbers its columns, by their names.

Columns that the model does not know are left out; one that is missing is refused. Rows of named attributes, such as
dicts, become rows of those columns: what they do not list is 0, and a name that is no column is refused.

>>> number_instance({"b": 2.0}, ("a", "b")).values
array([0., 2.])
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row, TableRow, Tokens
from littlestone.base.errors import BadInstance
from littlestone.base.features.columns import Column, rows_from_columns
from littlestone.base.features.dicts import read_named_values
from littlestone.base.features.names import decode_name
from littlestone.base.features.schema import list_few


def number_instance(x: Any, names: tuple[str, ...]) -> Any:
    """An instance whose attributes have names as a dense row of these columns; any other as it is."""
    if isinstance(x, TableRow) and x.values is not None and x.names != names:
        return Row(None, x.values[_find_places(x.names, names)])
    if isinstance(x, Mapping) and x and all(isinstance(name, str) for name in x):
        named, values = read_named_values(x)
        row = np.zeros(len(names), values.dtype)
        places = {name: j for j, name in enumerate(names)}
        for name, value in zip(named, values, strict=True):
            if name not in places:
                raise _make_error(str(name), names)
            row[places[name]] = value
        return Row(None, row)
    if isinstance(x, np.ndarray | list) and np.ndim(x) == 1:
        _require_width(len(x), names)
    return x


def number_chunk(chunk: Chunk, names: tuple[str, ...]) -> Chunk:
    """Rows of a table with their columns in this order; rows of names, up to the first that has another one."""
    if isinstance(chunk, Examples) and chunk.names and chunk.names != names:
        dense = _fill_rows(chunk)[:, _find_places(chunk.names, names)]
        return _make_rows(chunk, np.ascontiguousarray(dense), names)
    if isinstance(chunk, Examples) and not chunk.names and chunk.indices is None:
        _require_width(chunk.width, names)
    return _number_tokens(chunk, names) if isinstance(chunk, Tokens) else chunk


def name_chunk(chunk: Chunk) -> Chunk:
    """Rows of a table whose columns have names, as rows of named attributes; others as they are."""
    if not isinstance(chunk, Examples) or not chunk.names:
        return chunk
    dense = _fill_rows(chunk)
    columns = [Column(name, numbers=dense[:, j]) for j, name in enumerate(chunk.names)]
    return replace(rows_from_columns(columns, chunk.labels), importance=chunk.importance)


def name_instance(x: Any) -> Any:
    """A row of a table whose columns have names as a dict; any other instance as it is."""
    if isinstance(x, TableRow) and x.values is not None:
        return {name: value for name, value in zip(x.names, x.values, strict=True) if value}
    return x


def add_columns(chunk: Chunk, names: Sequence[str]) -> Chunk:
    """Rows of a table with further columns that hold 0."""
    if not isinstance(chunk, Examples) or not chunk.names or not names:
        return chunk
    dense = np.pad(_fill_rows(chunk), ((0, 0), (0, len(names))))
    return _make_rows(chunk, dense, (*chunk.names, *names))


def _require_width(width: int, names: tuple[str, ...]) -> None:
    """Refuse rows of numbers without names that are more or fewer than the columns."""
    if width != len(names):
        raise BadInstance(f"a row of {width} numbers, where the model knows {len(names)} columns: {list_few(names)}")


def _find_places(columns: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    """Where the columns of these names are."""
    places = {name: j for j, name in enumerate(columns)}
    for name in names:
        if name not in places:
            raise BadInstance(f"column {name!r}, which the model knows, is none of {list_few(columns)}")
    return [places[name] for name in names]


def _fill_rows(chunk: Examples) -> Array:
    """A matrix of the rows."""
    assert chunk.values is not None, "columns with names hold numbers"
    a = chunk.indptr[0]
    b = chunk.indptr[-1]
    if chunk.indices is None:
        return chunk.values[a:b].reshape(len(chunk), chunk.width)
    dense = np.zeros((len(chunk), len(chunk.names)), chunk.values.dtype)
    dense[np.repeat(np.arange(len(chunk)), np.diff(chunk.indptr)), chunk.indices[a:b]] = chunk.values[a:b]
    return dense


def _make_rows(chunk: Examples, dense: Array, names: tuple[str, ...]) -> Examples:
    """The chunk with these rows."""
    indptr = np.arange(len(dense) + 1) * len(names)
    parts: dict[str, Any] = {
        "indptr": indptr,
        "indices": None,
        "values": dense.ravel(),
        "width": len(names),
        "names": names,
    }
    return replace(chunk, **parts, span=None)


def _number_tokens(chunk: Tokens, names: tuple[str, ...]) -> Examples:
    """Rows of names as dense rows."""
    chunk = chunk.expand_names()
    a = chunk.indptr[0]
    b = chunk.indptr[-1]
    places = {name: j for j, name in enumerate(names)}
    _, first, which = np.unique(chunk.keys[a:b], return_index=True, return_inverse=True)
    named = [decode_name(chunk.text, int(chunk.starts[a + k]), int(chunk.lengths[a + k])) for k in first]
    numbers = np.array([places.get(name, -1) for name in named] or [0])[which]
    rows = np.repeat(np.arange(len(chunk)), np.diff(chunk.indptr))
    good = len(chunk)
    if (numbers < 0).any():
        bad = int(np.argmax(numbers < 0))
        good = int(rows[bad])
        if good == 0:
            raise _make_error(named[which[bad]], names)
    values = np.ones(b - a, np.float32) if chunk.values is None else chunk.values[a:b]
    dense = np.zeros((good, len(names)), values.dtype)
    np.add.at(dense, (rows[rows < good], numbers[rows < good]), values[rows < good])
    indptr = np.arange(good + 1) * len(names)
    importance = None if chunk.importance is None else chunk.importance[:good]
    return Examples(indptr, None, dense.ravel(), chunk.labels[:good], len(names), importance, names=names)


def _make_error(name: str, names: tuple[str, ...]) -> BadInstance:
    return BadInstance(f"{name!r} is none of the columns that the model knows: {list_few(names)}")
