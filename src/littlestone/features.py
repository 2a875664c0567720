"""Features: what names an attribute. They turn a user's x into the row a learner sees.

`Indexed` takes attributes by number, `Named` by name, giving each new name the next number. Attributes listed twice in
one instance are summed; NaN and infinities are refused.

>>> Named()({"free": 1, "money": 2.0})
Row(indices=array([0, 1], dtype=int32), values=array([1., 2.]))
>>> Indexed()({7: 1.0, 3: 0.5})
Row(indices=array([3, 7], dtype=int32), values=array([0.5, 1. ]))
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy import ndarray

from littlestone.errors import BadInstance, BadModel, require
from littlestone.examples import Array, Chunk, Examples, Row, real
from littlestone.kernel import entry, kernel

UNSORTED, NOT_FINITE = -1, -2  # what `inspect` may answer instead of a width
TOP = 2**31  # attribute numbers are below this
INT32, FLOAT32, FLOAT64 = np.dtype(np.int32), np.dtype(np.float32), np.dtype(np.float64)


@kernel
def inspect(indices: Any, values: Any, length: int) -> Any:
    """One more than the highest attribute of a row that lists its attributes in ascending order, or what is wrong."""
    ascending = True
    for k in range(length):
        if not np.isfinite(entry(values, k)):
            return NOT_FINITE
        if k > 0 and indices[k] <= indices[k - 1]:
            ascending = False
    if length == 0:
        return 0
    return np.int64(indices[length - 1]) + 1 if ascending and indices[0] >= 0 else UNSORTED


class Features(ABC):
    """How a player reads an instance; `width` is the number of attributes known so far."""

    width: int

    @abstractmethod
    def __call__(self, x: Any) -> Any:
        """The row for one instance, or BadInstance."""

    def chunk(self, chunk: Chunk) -> Chunk:
        """The leading rounds that are well-formed, as rows of one kind; if the first is not, its error."""
        rows: list[Row] = []
        for t in range(len(chunk)):
            try:
                row = self(chunk[t])
            except BadInstance:
                if not rows:
                    raise
                break
            if rows and _kind(row) != _kind(rows[0]):
                break
            rows.append(row)
        return stacked(rows, chunk.labels[: len(rows)])

    def record(self) -> dict[str, Any]:
        """What a model file keeps: plain values, lists of them, and arrays, by name."""
        known: Any = self
        return {part.name: getattr(known, part.name) for part in fields(known)}

    @classmethod
    def restored(cls, record: dict[str, Any]) -> Self:
        """The features of a record; those that write their own must expect it to come from anybody."""
        known: Any = cls
        made = cls(**{part.name: record[part.name] for part in fields(known) if part.init})
        for part in fields(known):
            if not part.init:
                setattr(made, part.name, record[part.name])
        return made


@dataclass(slots=True)
class Indexed(Features):
    """Attributes by number: dense vectors, {number: value}, (numbers, values), SciPy rows; None: as many as come."""

    attributes: int | None = None
    width: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        require(self.attributes is None or self.attributes >= 0, f"attributes must be >= 0, got {self.attributes}")
        self.width = self.attributes or 0

    def __call__(self, x: Any) -> Row:
        if type(x) is tuple and len(x) == 2:  # the form made for speed: a pair of arrays
            indices, values = x
            if type(indices) is ndarray and type(values) is ndarray and indices.dtype is INT32:
                kind, shape = values.dtype, indices.shape
                if (kind is FLOAT32 or kind is FLOAT64) and values.shape == shape and len(shape) == 1:
                    width = inspect(indices, values, shape[0])
                    if 0 <= width <= self.width:
                        return Row(indices, values)
        row = _row(x)
        if row.indices is None:
            return self._measured(row, row.length)
        width = inspect(row.indices, row.values, row.length)
        if width == NOT_FINITE:
            raise BadInstance("attributes must be finite numbers, got NaN or infinity")
        if width == UNSORTED:
            row = _ascending(row)
            width = int(row.indices[-1]) + 1  # type: ignore[index]
        return self._measured(row, width)

    def chunk(self, chunk: Chunk) -> Chunk:
        if not isinstance(chunk, Examples):
            return Features.chunk(self, chunk)
        if self.attributes is None or chunk.width <= self.attributes:
            self._measured(Row(None, None), chunk.width)
            return chunk
        entries = slice(chunk.indptr[0], chunk.indptr[-1])
        beyond = None if chunk.indices is None else np.flatnonzero(chunk.indices[entries] >= self.attributes)
        if beyond is not None and not len(beyond):
            return chunk
        place = 0 if beyond is None else beyond[0]
        first = int(np.searchsorted(chunk.indptr, chunk.indptr[0] + place, side="right")) - 1
        if first == 0 and len(chunk):
            self(chunk[0])  # raises
        return chunk[:first]

    def _measured(self, row: Row, width: int) -> Row:
        if width > self.width:
            top = TOP if self.attributes is None else self.attributes
            require(width <= top, f"attribute numbers must be below {top}, got {width - 1}", BadInstance)
            self.width = width
        return row


class Numbering(dict[Any, int]):
    """Names to numbers, a new name getting the next number when it is first looked up."""

    def __missing__(self, name: Any) -> int:
        self[name] = number = len(self)
        return number


@dataclass(slots=True)
class Named(Features):
    """Attributes by name, from dicts of numbers; each new name becomes the next attribute."""

    numbers: Numbering = field(default_factory=Numbering)

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.numbers)

    def __call__(self, x: Any) -> Row:
        require(isinstance(x, Mapping), f"named attributes come as a dict, got a {type(x).__name__}", BadInstance)
        values, numbers = _values(list(x.values())), self.numbers
        return Row(np.fromiter(map(numbers.__getitem__, x), np.int32, len(x)), values)

    def name(self, number: int) -> Any:
        """The name of an attribute."""
        return list(self.numbers)[number]

    def record(self) -> dict[str, Any]:
        return {"names": list(self.numbers)}

    @classmethod
    def restored(cls, record: dict[str, Any]) -> Self:
        numbers = Numbering((name, number) for number, name in enumerate(record["names"]))
        require(len(numbers) == len(record["names"]), "names of attributes must differ from one another", BadModel)
        return cls(numbers)


def stacked(rows: list[Row], labels: Array) -> Examples:
    """Rows one under another: dense if all of them are, and of one length."""
    if rows and all(row.indices is None and row.length == rows[0].length for row in rows):
        width = rows[0].length
        dense = np.concatenate([row.values for row in rows if row.values is not None])
        return Examples(np.arange(len(rows) + 1) * width, None, dense, labels, width)
    listed = [row.sparse() for row in rows]
    indptr = np.concatenate(([0], np.cumsum([row.length for row in listed]))).astype(np.int64)
    indices = np.concatenate([np.zeros(0, np.int32), *(row.indices for row in listed if row.indices is not None)])
    values = [np.ones(row.length, np.float32) if row.values is None else row.values for row in listed]
    plain = all(row.values is None for row in listed)
    width = int(indices.max(initial=-1)) + 1
    return Examples(indptr, indices, None if plain else np.concatenate(values), labels, width)


def _kind(row: Row) -> Any:
    """What decides how a row's arithmetic is done, so that a chunk of one kind gives the bits that live play gives."""
    kind = None if row.values is None else row.values.dtype.char
    return (kind, row.length) if row.indices is None else (kind,)


def _row(x: Any) -> Row:
    """The row that a user's x stands for, not yet looked into."""
    if isinstance(x, Row):
        if x.indices is None:
            return Row(None, _values(x.values))
        row = Row(_numbers(x.indices), None if x.values is None else real(x.values))
    elif isinstance(x, tuple) and len(x) == 2 and np.ndim(x[0]) == 1:
        row = Row(_numbers(x[0]), None if x[1] is None else real(x[1]))
    elif isinstance(x, Mapping):
        row = Row(_numbers(list(x)), real(list(x.values())))
    elif hasattr(x, "tocsr"):
        line = x.reshape(1, -1).tocsr() if x.ndim == 1 else x.tocsr()
        require(line.shape[0] == 1, f"one instance is one row, got a matrix of {line.shape[0]} rows", BadInstance)
        row = Row(_numbers(line.indices), real(line.data))
    else:
        dense = _values(x)
        require(dense.ndim == 1, f"an instance is a vector of attributes, got {dense.ndim} dimension(s)", BadInstance)
        return Row(None, dense)
    entries = row.length if row.values is None else len(row.values)
    require(entries == row.length, f"{row.length} attribute numbers need as many values, got {entries}", BadInstance)
    return row


def _ascending(row: Row) -> Row:
    """The row with its attributes in order and duplicates summed."""
    assert row.indices is not None
    low = int(row.indices.min())
    require(low >= 0, f"attribute numbers must be at least 0, got {low}", BadInstance)
    listed, where = np.unique(row.indices, return_inverse=True)
    if row.values is None and len(listed) == row.length:
        return Row(listed, None)
    values = np.ones(row.length, np.float32) if row.values is None else row.values
    sums = np.zeros(len(listed), values.dtype)
    with np.errstate(over="ignore"):
        np.add.at(sums, where, values)
    return Row(listed, _values(sums))


def _numbers(indices: Any) -> Array:
    numbers = np.asarray(indices)
    if numbers.dtype == np.int32:
        return numbers
    require(
        numbers.size == 0 or numbers.dtype.kind in "iu",
        f"attributes are numbered here, got {numbers.ravel()[:1].tolist()}: use Player(..., features=Named())",
        BadInstance,
    )
    high = int(numbers.max(initial=0))
    require(high < TOP, f"attribute numbers must be below {TOP}, got {high}", BadInstance)
    return numbers.astype(np.int32)


def _values(values: Any) -> Array:
    numbers = real(values)
    if not np.isfinite(numbers).all():
        raise BadInstance(f"attributes must be finite numbers, got {numbers[~np.isfinite(numbers)][0]}")
    return numbers
