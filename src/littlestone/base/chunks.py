"""Chunks of rounds: what streams hand to players, and players to learners.

`Examples` holds rows of attributes, sparse or dense as they came; `values=None` means that all listed ones are 1.
`Tokens` holds rows whose attributes have names, as a reader found them: a player's features number them.
`Instances` holds rounds whose instances are not rows of attributes but points of a concept class's domain.
Labels are the user's own in a chunk that comes from a stream, and class numbers in one that a learner is handed.

>>> chunk = Examples.of([[0, 2.5], [1, 0]], ["spam", "ham"])
>>> chunk[0]
Row(indices=None, values=array([0. , 2.5]))
>>> chunk.to_sparse()[0]
Row(indices=array([1], dtype=int32), values=array([2.5]))
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

from littlestone.base.domain import Span, measure_span
from littlestone.base.errors import BadInstance, BadLabel, require
from littlestone.base.row_entries import list_entries, select_entries

Array = NDArray[Any]


class Row(NamedTuple):
    """One instance over attributes: those listed have the values given (None: all 1), the others are 0.

    Without a list of attributes the row is dense: value k belongs to attribute k.
    """

    indices: Array | None
    values: Array | None

    @property
    def length(self) -> int:
        """How many entries it lists."""
        entries = self.values if self.indices is None else self.indices
        return 0 if entries is None else len(entries)

    @property
    def width(self) -> int:
        """One more than its highest attribute."""
        return self.length if self.indices is None else int(self.indices.max(initial=-1)) + 1

    def to_sparse(self) -> "Row":
        """The same instance with its attributes listed."""
        if self.indices is not None or self.values is None:
            return self
        listed = np.flatnonzero(self.values)
        return Row(listed.astype(np.int32), self.values[listed])


class TableRow(Row):
    """A dense row of a table whose columns have names."""

    names: tuple[str, ...] = ()


class _Rounds:
    """What all rows in CSR form can do, whatever names their attributes."""

    __slots__ = ()
    indptr: Array
    labels: Array
    importance: Array | None

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def with_labels(self, labels: Array) -> Self:
        """The same rows, as many as there are labels, with these labels."""
        return replace(self._cut(slice(len(labels))), labels=labels)  # type: ignore[type-var]

    def _cut(self, at: slice) -> Self:
        """Consecutive rounds, which share the entries of all."""
        start, stop, _ = at.indices(len(self))
        importance = None if self.importance is None else self.importance[start:stop]
        indptr = self.indptr[start : max(start, stop) + 1]
        labels = self.labels[start:stop]
        return replace(self, indptr=indptr, labels=labels, importance=importance)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class Examples(_Rounds):
    """Rows in CSR form with their labels; row t is `indices[indptr[t]:indptr[t + 1]]`.

    Without `indices` the rows are dense. `importance` says how much each round counts (None: all the same).
    """

    indptr: Array
    indices: Array | None
    values: Array | None
    labels: Array
    width: int
    importance: Array | None = None
    span: Span | None = None  # what sizes values have, if that is known
    names: tuple[str, ...] = ()  # of the columns of dense rows, if they have any

    @classmethod
    def of(cls, X: Any, y: Any) -> Self:
        """Rows of a dense or SciPy sparse matrix; float32 stays float32, any other number becomes float64."""
        if hasattr(X, "tocsr"):
            matrix = X.tocsr()
            if not matrix.has_canonical_format:
                matrix = matrix.copy()  # the caller's matrix stays as it is
                matrix.sum_duplicates()
            values = to_floats(matrix.data)
            indptr = matrix.indptr.astype(np.int64, copy=False)
            width = matrix.shape[1]
            indices = _to_int32(matrix.indices, width)
        else:
            dense = to_floats(X)
            require(dense.ndim == 2, f"X must be a matrix, one row a round; got {dense.ndim} dimension(s)", BadInstance)
            (height, width), indices = dense.shape, None
            indptr = np.arange(height + 1) * width
            values = np.ascontiguousarray(dense).ravel()
        span = _measure_finite(values, indptr)
        return cls(indptr, indices, values, _read_labels(y, len(indptr) - 1), width, span=span)

    @classmethod
    def row(cls, x: Row, label: int) -> Self:
        """A chunk of one round."""
        return cls(np.array([0, x.length]), x.indices, x.values, np.array([label], np.int32), x.width)

    def to_sparse(self) -> Self:
        """The same rounds with every row's attributes listed."""
        if self.indices is not None:
            return self
        assert self.values is not None
        dense = self.values[self.indptr[0] : self.indptr[-1]].reshape(len(self), self.width)
        indptr, indices, values = list_entries(dense)
        return replace(self, indptr=indptr, indices=indices, values=values)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: int | slice) -> Row | Self:
        if isinstance(at, slice):
            return self._cut(at)
        if not 0 <= at < len(self):
            raise IndexError(at)
        a = self.indptr[at]
        b = self.indptr[at + 1]
        indices = None if self.indices is None else self.indices[a:b]
        row = (TableRow if self.names else Row)(indices, None if self.values is None else self.values[a:b])
        if isinstance(row, TableRow):
            row.names = self.names
        return row

    def take(self, rows: Array) -> Self:
        """These rows, in this order."""
        indptr, entries = select_entries(self.indptr, rows)
        indices, values = (None if part is None else part[entries] for part in (self.indices, self.values))
        importance = None if self.importance is None else self.importance[rows]
        return replace(
            self, indptr=indptr, indices=indices, values=values, labels=self.labels[rows], importance=importance
        )


@dataclass(frozen=True, slots=True, eq=False)
class Tokens(_Rounds):
    """Rows in CSR form whose attributes have names: name e is `text[starts[e]:starts[e] + lengths[e]]`.

    Names are UTF-8 bytes, `keys` their 64-bit hashes (`hash_name`). Entry k has name `which[k]`, or name k where
    nothing says which; a name that comes often may be listed once. One may come twice in a row: features sum.
    """

    indptr: Array  # int64
    text: Array  # uint8
    starts: Array  # int64
    lengths: Array  # int32
    keys: Array  # uint64
    values: Array | None  # float32; None: all 1
    labels: Array
    importance: Array | None = None
    which: Array | None = None  # int32

    width: ClassVar[int] = 0  # how many attributes there are, only features can say

    @overload
    def __getitem__(self, at: int) -> dict[str, float]: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: int | slice) -> Self | dict[str, float]:
        if isinstance(at, slice):
            return self._cut(at)
        if not 0 <= at < len(self):
            raise IndexError(at)
        row: dict[str, float] = {}
        for k in range(self.indptr[at], self.indptr[at + 1]):
            e = k if self.which is None else self.which[k]
            start = self.starts[e]
            end = self.starts[e] + self.lengths[e]
            name = bytes(self.text[start:end]).decode("utf-8", "surrogateescape")
            row[name] = row.get(name, 0.0) + (1.0 if self.values is None else float(self.values[k]))
        return row

    def __iter__(self) -> Iterator[dict[str, float]]:
        return (self[t] for t in range(len(self)))

    def expand_names(self) -> Self:
        """The same rows with a name listed for every entry."""
        if self.which is None:
            return self
        starts, lengths, keys = (part[self.which] for part in (self.starts, self.lengths, self.keys))
        return replace(self, starts=starts, lengths=lengths, keys=keys, which=None)

    def take(self, rows: Array) -> Self:
        """These rows, in this order, with a name listed for every entry."""
        indptr, entries = select_entries(self.indptr, rows)
        values = None if self.values is None else self.values[entries]
        importance = self.importance
        return replace(
            self,
            indptr=indptr,
            values=values,
            labels=self.labels[rows],
            importance=None if importance is None else importance[rows],
            which=entries if self.which is None else self.which[entries],
        ).expand_names()


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """Rounds over the points of a domain: `points[t]` is labelled `labels[t]`."""

    points: Sequence[Any]
    labels: Array

    @classmethod
    def of(cls, points: Sequence[Any], y: Any) -> Self:
        return cls(points, _read_labels(y, len(points)))

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

    def with_labels(self, labels: Array) -> Self:
        return replace(self, points=self.points[: len(labels)], labels=labels)

    def take(self, rows: Array) -> Self:
        return replace(self, points=[self.points[t] for t in rows.tolist()], labels=self.labels[rows])


Chunk = Examples | Tokens | Instances


def to_floats(values: Any) -> Array:
    """The values as floats: float32 as they are, other numbers and booleans as float64."""
    try:
        numbers = np.asarray(values)
        if numbers.dtype.kind in "biufO":  # strings and complex numbers would convert, but mean something else
            return numbers if numbers.dtype == np.float32 else numbers.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as problem:
        raise BadInstance(f"attributes must be numbers in a vector or a matrix: {problem}") from None
    raise BadInstance(f"attributes must be numbers, got values of type {numbers.dtype}")


def _to_int32(indices: Array, width: int) -> Array:
    """Attribute numbers of a matrix, each below its width; a negative one is huge when read without its sign."""
    if len(indices) and int(indices.view(f"u{indices.itemsize}").max()) >= min(width, 2**31):
        low = int(indices.min())
        high = int(indices.max())
        raise BadInstance(f"attribute numbers must be in [0, {min(width, 2**31)}), got {low} to {high}")
    return indices.astype(np.int32, copy=False)


def _measure_finite(values: Array, indptr: Array) -> Span:
    """What sizes the values have, none of which may be infinite or NaN."""
    span = measure_span(values)
    if span.most == np.inf:
        row = int(np.searchsorted(indptr, place := int(np.argmin(np.isfinite(values))), side="right")) - 1
        raise BadInstance(f"attributes must be finite numbers, got {values[place]} in row {row}")
    return span


def _read_labels(y: Any, rounds: int) -> Array:
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
