"""Features: what names an attribute. They turn a user's x into the row a learner sees.

`Indexed` takes attributes by number, `Named` by name, giving each new name the next number.

>>> Named()({"free": 1, "money": 2.0})
Row(indices=array([0, 1], dtype=int32), values=array([1., 2.]))
>>> Indexed(3)([0, 1, 1]).indices
array([1, 2], dtype=int32)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from littlestone.errors import BadInstance, require
from littlestone.examples import Array, Chunk, Examples, Instances, Row, real


class Features:
    """How a player reads an instance; `width` is the number of attributes known so far."""

    width: int

    def __call__(self, x: Any) -> Any:
        """The row for one instance."""
        raise NotImplementedError

    def chunk(self, chunk: Chunk) -> Chunk:
        """The leading rounds that are well-formed, as rows with values of one type; if the first is not, its error."""
        rows: list[Row] = []
        for t in range(len(chunk)):
            try:
                row = self(chunk[t])
            except BadInstance:
                if not rows:
                    raise
                break
            if rows and _type(row) != _type(rows[0]):  # so that a cut elsewhere gives the state no other type
                break
            rows.append(row)
        return stacked(rows, chunk.labels[: len(rows)])


@dataclass(slots=True)
class Indexed(Features):
    """Attributes by number: dense vectors, {number: value}, (numbers, values), SciPy rows; None: as many as come."""

    attributes: int | None = None
    width: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.width = self.attributes or 0

    def __call__(self, x: Any) -> Row:
        row = _row(x)
        if len(row.indices):
            low, high = int(row.indices.min()), int(row.indices.max())
            top = 2**31 if self.attributes is None else self.attributes
            require(
                0 <= low and high < top, f"attribute numbers must be in [0, {top}), got {low} to {high}", BadInstance
            )
            self.width = max(self.width, high + 1)
        return row

    def chunk(self, chunk: Chunk) -> Chunk:
        if isinstance(chunk, Instances):
            return Features.chunk(self, chunk)
        if self.attributes is not None and chunk.width > self.attributes:
            beyond = chunk.indices[chunk.indptr[0] : chunk.indptr[-1]] >= self.attributes
            if beyond.any():
                first = int(np.searchsorted(chunk.indptr, chunk.indptr[0] + int(beyond.argmax()), side="right")) - 1
                if first == 0:
                    self(chunk[0])
                return chunk[:first]
        self.width = max(self.width, chunk.width if self.attributes is None else 0)
        return chunk


@dataclass(slots=True)
class Named(Features):
    """Attributes by name, from dicts of numbers; each new name becomes the next attribute."""

    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.numbers)

    def __call__(self, x: Any) -> Row:
        require(isinstance(x, Mapping), f"named attributes come as a dict, got a {type(x).__name__}", BadInstance)
        values = _values(list(x.values()))
        numbers = self.numbers
        indices = [numbers.setdefault(name, len(numbers)) for name in x]
        return Row(np.array(indices, np.int32), values)

    def name(self, number: int) -> str:
        return list(self.numbers)[number]


def stacked(rows: list[Row], labels: Array) -> Examples:
    """Rows one under another."""
    lengths = [len(row.indices) for row in rows]
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    indices = np.concatenate([row.indices for row in rows]) if rows else np.zeros(0, np.int32)
    if all(row.values is None for row in rows):
        values = None
    else:
        values = np.concatenate([np.ones(len(r.indices)) if r.values is None else r.values for r in rows])
    return Examples(indptr, indices, values, labels, int(indices.max(initial=-1)) + 1)


def _row(x: Any) -> Row:
    """The row that a user's x stands for, with duplicate attributes summed."""
    if isinstance(x, Row):
        row = Row(_numbers(x.indices), None if x.values is None else _values(x.values))
    elif isinstance(x, Mapping):
        row = Row(_numbers(list(x)), _values(list(x.values())))
    elif hasattr(x, "tocsr"):
        line = x.reshape(1, -1).tocsr() if x.ndim == 1 else x.tocsr()
        require(line.shape[0] == 1, f"one instance is one row, got a matrix of {line.shape[0]} rows", BadInstance)
        row = Row(line.indices, _values(line.data))
    elif isinstance(x, tuple) and len(x) == 2 and np.ndim(x[0]) == 1:
        row = Row(_numbers(x[0]), None if x[1] is None else _values(x[1]))
    else:
        dense = _values(x)
        require(dense.ndim == 1, f"an instance is a vector of attributes, got {dense.ndim} dimension(s)", BadInstance)
        indices = np.flatnonzero(dense)
        row = Row(indices, dense[indices])
    require(
        row.values is None or len(row.values) == len(row.indices),
        f"{len(row.indices)} attribute numbers need as many values",
        BadInstance,
    )
    if len(row.indices):
        low, high = int(row.indices.min()), int(row.indices.max())
        require(0 <= low and high < 2**31, f"attribute numbers must be in [0, 2^31), got {low} to {high}", BadInstance)
    return _merged(Row(row.indices.astype(np.int32), row.values))


def _merged(row: Row) -> Row:
    """The row with duplicate attributes summed."""
    unique, place = np.unique(row.indices, return_inverse=True)
    if len(unique) == len(row.indices):
        return row
    values = np.ones(len(row.indices)) if row.values is None else row.values
    sums = np.zeros(len(unique), values.dtype)
    with np.errstate(over="ignore"):
        np.add.at(sums, place, values)
    return Row(unique, _values(sums))


def _type(row: Row) -> Any:
    """The floating type of a row's values; None for a row of ones."""
    return None if row.values is None else row.values.dtype.char


def _numbers(indices: Any) -> Array:
    numbers = np.asarray(indices)
    require(
        numbers.size == 0 or numbers.dtype.kind in "iu",
        f"attributes are numbered here; got {indices[0] if len(indices) else ''!r}: use Player(..., features=Named())",
        BadInstance,
    )
    return numbers.astype(np.int64)


def _values(values: Any) -> Array:
    numbers = real(values)
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)][0]
        raise BadInstance(f"attributes must be finite numbers, got {bad}")
    return numbers
