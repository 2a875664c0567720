"""Rows: the contract of features, and what users write instead of a row of attributes."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances, Row, to_floats
from littlestone.base.errors import BadInstance, require
from littlestone.base.parameters import Checked
from littlestone.compiled import kernel, read_attribute, read_value, rule

# what `inspect_row` may answer instead of a width
UNSORTED = -1
NOT_FINITE = -2
TOP = 2**31  # attribute numbers are below this
WANTED = "an instance is a vector of attributes, such as [0.5, 2.0] or {3: 0.5}"
INT32, FLOAT32, FLOAT64 = np.dtype(np.int32), np.dtype(np.float32), np.dtype(np.float64)


@rule
def measure_row(indices: Any, values: Any, length: Any) -> Any:
    """One more than the highest attribute of a row that lists its attributes in ascending order, or what is wrong."""
    before = np.int64(-1)
    ordered = True
    for k in range(length):
        if not np.isfinite(read_value(values, k)):
            return NOT_FINITE
        here = np.int64(read_attribute(indices, k, 0))  # unsigned, so that a negative one is beyond all
        if here <= before:
            ordered = False
        before = here
    return before + 1 if ordered and before < TOP else UNSORTED


@kernel
def inspect_row(indices: Any, values: Any, length: int) -> Any:
    """What `measure_row` says of a row."""
    return measure_row(indices, values, length)


class Features(metaclass=Checked):
    """How a player reads an instance; `width` is the number of attributes known so far."""

    width: int

    @abstractmethod
    def __call__(self, x: Any) -> Any:
        """The row for one instance, or BadInstance."""

    def record(self) -> dict[str, Any]:
        """What a model file keeps: plain values, lists of them, and arrays, by name."""
        known: Any = self
        return {part.name: getattr(known, part.name) for part in fields(known)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The features of a record; those that write their own must expect it to come from an untrusted file."""
        known: Any = cls
        made = cls(**{part.name: record[part.name] for part in fields(known) if part.init})
        for part in fields(known):
            if not part.init:
                setattr(made, part.name, record[part.name])
        return made

    def read_chunk(self, chunk: Chunk) -> Chunk:
        """The leading rounds that are well-formed, as rows of one kind; if the first is not, its error."""
        rows: list[Row] = []
        for t in range(len(chunk)):
            try:
                row = self(chunk[t])
            except BadInstance:
                if not rows:
                    raise
                break
            if rows and _describe_kind(row) != _describe_kind(rows[0]):
                break
            rows.append(row)
        importance = None if isinstance(chunk, Instances) else chunk.importance
        stacked = stack_rows(rows, chunk.labels[: len(rows)])
        return stacked if importance is None else replace(stacked, importance=importance[: len(rows)])

    def look(self, x: Any) -> Any:
        """The row for an instance that is asked about and not learned."""
        return self(x)

    def look_chunk(self, chunk: Chunk) -> Chunk:
        """What `read_chunk` gives, of instances that are asked about and not learned."""
        return self.read_chunk(chunk)

    def renew(self) -> Self:
        """What knows the same names and has learned from no instance, to read a stream once more from its start."""
        return self

    def mark(self) -> Any:
        """What `undo` needs to forget the instances that are read from now on; a later mark replaces this one."""
        return self.width

    def undo(self, mark: Any) -> None:
        """Forget every instance that was read since the latest `mark`, because the call it came with was refused."""
        if self.width != mark:
            self.width = mark

    def name(self, number: int) -> Any:
        """The name of an attribute; its number where it has none, None where it is forgotten."""
        return number


class OuterFeatures(Features):
    """Features that make attributes of their own, which others, their `features`, number."""

    features: Any

    @property
    def width(self) -> int:  # type: ignore[override]
        return int(self.features.width)

    def mark(self) -> Any:
        return self.features.mark()

    def undo(self, mark: Any) -> None:
        self.features.undo(mark)

    def name(self, number: int) -> Any:
        return self.features.name(number)


def see_rounds(features: Any, chunk: Chunk, learned: bool) -> Any:
    """What a learner sees of leading rounds; a concept class, which reads instances too, learns from none."""
    if learned or not isinstance(features, Features):
        return features.read_chunk(chunk)
    return features.look_chunk(chunk)


def stack_rows(rows: list[Row], labels: Array) -> Examples:
    """Rows one under another: dense if all of them are, and of one length."""
    if rows and all(row.indices is None and row.length == rows[0].length for row in rows):
        width = rows[0].length
        dense = np.concatenate([row.values for row in rows if row.values is not None])
        return Examples(np.arange(len(rows) + 1) * width, None, dense, labels, width)
    listed = [row.to_sparse() for row in rows]
    indptr = np.concatenate(([0], np.cumsum([row.length for row in listed]))).astype(np.int64)
    indices = np.concatenate([np.zeros(0, np.int32), *(row.indices for row in listed if row.indices is not None)])
    values = [np.ones(row.length, np.float32) if row.values is None else row.values for row in listed]
    plain = all(row.values is None for row in listed)
    width = int(indices.max(initial=-1)) + 1
    return Examples(indptr, indices, None if plain else np.concatenate(values), labels, width)


def _describe_kind(row: Row) -> Any:
    """What decides how a row's arithmetic is done, so that a chunk of one kind gives the bits that live play gives."""
    kind = None if row.values is None else row.values.dtype.char
    return (kind, row.length) if row.indices is None else (kind,)


def read_row(x: Any) -> Row:
    """The row that a user's x stands for, not yet looked into."""
    if isinstance(x, Row):
        if x.indices is None:
            return Row(None, np.ascontiguousarray(require_finite(x.values)))
        row = Row(attribute_numbers(x.indices), None if x.values is None else to_floats(x.values))
    elif isinstance(x, tuple) and len(x) == 2 and np.ndim(x[0]) == 1:
        row = Row(attribute_numbers(x[0]), None if x[1] is None else to_floats(x[1]))
    elif isinstance(x, Mapping):
        row = Row(attribute_numbers(list(x)), to_floats(list(x.values())))
    elif hasattr(x, "tocsr"):
        line = x.reshape(1, -1).tocsr() if x.ndim == 1 else x.tocsr()
        require(line.shape[0] == 1, f"one instance is one row, got a matrix of {line.shape[0]} rows", BadInstance)
        row = Row(attribute_numbers(line.indices), to_floats(line.data))
    else:
        if not isinstance(x, list | tuple | str | bytes) and np.ndim(x) == 0:
            raise BadInstance(f"{WANTED}, got {x!r:.60}, of 0 dimensions")
        dense = require_finite(x)
        require(dense.ndim == 1, f"{WANTED}, got one of {dense.ndim} dimensions", BadInstance)
        return Row(None, np.ascontiguousarray(dense))  # compiled sums of dense rows read eight numbers at a time
    require_as_many_values(row.length, "attribute numbers", row.values)
    return row


def require_as_many_values(length: int, what: str, values: Array | None) -> None:
    """Refuse values that are not one for each attribute; None stands for as many ones."""
    shape = (length,) if values is None else values.shape
    told = shape[0] if len(shape) == 1 else f"an array of shape {shape}"
    require(shape == (length,), f"{length} {what} need as many values, got {told}", BadInstance)


def sort_row(row: Row) -> Row:
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
    return Row(listed, require_finite(sums))


def attribute_numbers(indices: Any) -> Array:
    """Attribute numbers as int32."""
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


def require_finite(values: Any) -> Array:
    """Values as floats, none of them infinite or NaN."""
    numbers = to_floats(values)
    if not np.isfinite(numbers).all():
        raise BadInstance(f"attributes must be finite numbers, got {numbers[~np.isfinite(numbers)][0]}")
    return numbers
