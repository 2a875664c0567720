"""Chunks of rounds: the only currency between whatever supplies a stream and whoever learns from it.

`Examples` holds rows of attributes in compressed sparse form; `values=None` means that every listed attribute is 1.
`Instances` holds rounds whose instances are not rows of attributes but points of a concept class's domain.
Labels are the user's own in a chunk that comes from a stream, and class numbers in one that a learner is handed.

>>> chunk = Examples.of([[0, 2.5], [1, 0]], ["spam", "ham"])
>>> chunk[0]
Row(indices=array([1], dtype=int32), values=array([2.5]))
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

from littlestone.errors import BadInstance, BadLabel, require

Array = NDArray[Any]


class Row(NamedTuple):
    """One instance over attributes: the listed ones have the given values (None: all 1), the others are 0."""

    indices: Array
    values: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows in CSR form with their labels; row t is `indices[indptr[t]:indptr[t + 1]]`."""

    indptr: Array
    indices: Array
    values: Array | None
    labels: Array
    width: int

    @classmethod
    def of(cls, X: Any, y: Any) -> Self:
        """Rows of a dense or SciPy sparse matrix; float32 stays float32, any other number becomes float64."""
        if hasattr(X, "tocsr"):
            matrix = X.tocsr(copy=True)
            matrix.sum_duplicates()
            values = real(matrix.data)
            _finite(values)
            indptr, indices, width = matrix.indptr.astype(np.int64), _int32(matrix.indices), matrix.shape[1]
        else:
            dense = real(X)
            require(dense.ndim == 2, f"X must be a matrix, one row a round; got {dense.ndim} dimension(s)", BadInstance)
            _finite(dense)
            rows, columns = np.nonzero(dense)
            indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(dense))))).astype(np.int64)
            indices, values, width = columns.astype(np.int32), dense[rows, columns], dense.shape[1]
        return cls(indptr, indices, values, _labels(y, len(indptr) - 1), width)

    @classmethod
    def row(cls, x: Row, label: int = 0) -> Self:
        """A chunk of one round."""
        indptr = np.array([0, len(x.indices)])
        width = int(x.indices.max()) + 1 if len(x.indices) else 0
        return cls(indptr, x.indices, x.values, np.array([label], np.int32), width)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: int | slice) -> Row | Self:
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            return replace(self, indptr=self.indptr[start : max(start, stop) + 1], labels=self.labels[start:stop])
        if not 0 <= at < len(self):
            raise IndexError(at)
        a, b = self.indptr[at], self.indptr[at + 1]
        return Row(self.indices[a:b], None if self.values is None else self.values[a:b])

    def labelled(self, labels: Array) -> Self:
        """The same rows, as many as there are labels, with these labels."""
        return replace(self, indptr=self.indptr[: len(labels) + 1], labels=labels)


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """Rounds over the points of a domain: `points[t]` is labelled `labels[t]`."""

    points: Sequence[Any]
    labels: Array

    @classmethod
    def of(cls, points: Sequence[Any], y: Any) -> Self:
        return cls(points, _labels(y, len(points)))

    width: int = 0

    def __len__(self) -> int:
        return len(self.labels)

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return replace(self, points=self.points[at], labels=self.labels[at])
        return self.points[at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.points)

    def labelled(self, labels: Array) -> Self:
        return replace(self, points=self.points[: len(labels)], labels=labels)


Chunk = Examples | Instances


def real(values: Any) -> Array:
    """The values as floats: float32 as they are, other numbers and booleans as float64."""
    try:
        numbers = np.asarray(values)
        if numbers.dtype == np.float32:
            return numbers
        require(
            numbers.dtype.kind in "biufO", f"attributes must be numbers, got values of {numbers.dtype}", BadInstance
        )
        return numbers.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        if isinstance(problem, BadInstance):
            raise
        raise BadInstance(f"attributes must be numbers in a vector or a matrix: {problem}") from None


def _int32(indices: Array) -> Array:
    if len(indices):
        low, high = int(indices.min()), int(indices.max())
        require(0 <= low and high < 2**31, f"attribute numbers must be in [0, 2^31), got {low} to {high}", BadInstance)
    return indices.astype(np.int32)


def _finite(values: Array) -> None:
    if not np.isfinite(values).all():
        bad = values.ravel()[~np.isfinite(values.ravel())][0]
        raise BadInstance(f"attributes must be finite numbers, got {bad}")


def _labels(y: Any, rounds: int) -> Array:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        labels = y
    else:
        require(hasattr(y, "__len__"), f"labels come as a sequence, one a round, got a {type(y).__name__}", BadLabel)
        each = list(y)
        labels = np.empty(len(each), object)
        for t, label in enumerate(each):  # one by one, so that tuples stay labels and 1 next to "a" stays a number
            labels[t] = label
        if {type(label) for label in each} in ({bool}, {int}, {float}, {str}) and np.array(each).tolist() == each:
            labels = np.array(each)
    require(len(labels) == rounds, f"{rounds} rows need as many labels, got {len(labels)}", BadLabel)
    return labels
