"""Recorded: a stream that is already in memory.

Rows of attributes come as a NumPy or SciPy matrix, a pandas or polars frame, or a list of equally long lists; anything
else in a sequence is a point that the player's features or the concept class read: dicts, strings, tuples, numbers. A
frame's columns are read as those of a CSV file: of categories each cell is an attribute called `column=cell`, of texts
each word one called `column^word`, and a missing cell, NaN among them, is none. Dicts whose keys are strings are read
by name, texts by their words. Labels are anything hashable. It is checked once and can be played as often as wanted.
Arrays that already fit are not copied, so they must not change before the game is over.

>>> Recorded([[1, 0], [0, 1]], ["yes", "no"]).rounds
2
>>> Recorded([{"colour": "red", "size": 2}, {"size": 1}], ["yes", "no"]).features()
Named(limit=None, evict='newest', width=0)
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances, Tokens
from littlestone.base.environment import Stream
from littlestone.base.errors import BadInstance, BadLabel, LittlestoneError, require
from littlestone.base.features import Features, Indexed, Named, Words
from littlestone.base.features.columns import Column, rows_from_columns
from littlestone.base.features.frames import columns_from_frame, is_frame
from littlestone.base.features.schema import BOOLEAN, DATE, TEXT, Schema
from littlestone.base.learner import Size

ROUNDS = 2**16  # of a chunk: enough to be fast, few enough to show progress


class Recorded(Stream):
    """Rounds that are in memory.

    Args:
        X: A row for each round: a matrix, a data frame, or any sequence of instances.
        y: A label for each round: anything that can be hashed and is not missing.
        classes: The labels in the order of their class numbers, to declare them before the first round.
        types: What columns of a frame hold, if it must not be guessed: number, category, text, date or ignore.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        classes: Iterable[Hashable] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> None:
        labels = _read_labels(y)
        self._schema = None
        require(types is None or is_frame(X), f"types are those of a frame's columns, got a {type(X).__name__}")
        if is_frame(X) and X.shape[1] and all(isinstance(name, str) for name in X.columns):
            columns = columns_from_frame(X, types)
            kinds = tuple((name, kind) for name, (_, kind) in columns.items())
            self._schema = Schema("frame", None, kinds, label_kind=BOOLEAN if labels.dtype == bool else None)
            require(len(X) == len(labels), f"{len(X)} rows need as many labels, got {len(labels)}", BadLabel)
            self._chunk: Chunk = _make_chunk([column for column, _ in columns.values()], labels)
        else:
            instances = _read_instances(X)
            self._chunk = (Examples.of if _is_matrix(instances) else Instances.of)(instances, labels)
        self._classes = () if classes is None else tuple(classes)
        self.rounds: int = len(self._chunk)

    def features(self) -> Features | None:
        """By name for nominal columns and for dicts, by words for texts; by number, with names, for other columns."""
        chunk = self._chunk
        if isinstance(chunk, Examples):
            return Indexed(names=chunk.names) if chunk.names else None
        texts, dates = ((self._schema.list_columns(kind) if self._schema else ()) for kind in (TEXT, DATE))
        if texts or dates:
            return Words(Named(), columns=texts, dates=dates)
        if isinstance(chunk, Instances) and len(chunk) and all(isinstance(x, str) for x in chunk):
            return Words()
        return Named() if isinstance(chunk, Tokens) or _have_names(chunk) else None

    def size(self) -> Size:
        chunk = self._chunk
        if isinstance(chunk, Examples) and chunk.values is not None:
            return Size(chunk.width, real=chunk.values.dtype.type)
        return Size(chunk.width)

    def classes(self) -> tuple[Hashable, ...]:
        return self._classes

    def schema(self) -> Schema | None:
        return self._schema

    def chunks(self) -> Iterator[Chunk]:
        for first in range(0, self.rounds, ROUNDS):
            yield self._chunk[first : first + ROUNDS]

    def __repr__(self) -> str:
        chunk = self._chunk
        rows = f"{chunk.width} attributes" if isinstance(chunk, Examples) else "named attributes"
        return f"Recorded({self.rounds} rounds of {'points' if isinstance(chunk, Instances) else rows})"


def _make_chunk(columns: list[Column], labels: Array) -> Examples | Tokens:
    """The rows of a frame: dense if all its columns are of numbers, a missing one being 0."""
    if any(column.numbers is None for column in columns):
        return rows_from_columns(columns, labels)
    dense = np.stack([np.asarray(column.numbers) for column in columns], axis=1)
    dense[np.isnan(dense)] = 0
    return replace(Examples.of(dense, labels), names=tuple(column.name for column in columns))


def _have_names(points: Instances) -> bool:
    """Whether every instance is a dict whose keys are strings, and some has a key."""
    dicts = len(points) > 0 and all(isinstance(x, Mapping) and all(isinstance(key, str) for key in x) for x in points)
    return dicts and any(points)


def _is_matrix(instances: Any) -> bool:
    return hasattr(instances, "tocsr") or (isinstance(instances, np.ndarray) and instances.ndim == 2)


def _read_instances(X: Any) -> Any:
    """A numeric matrix, or a sequence of points that can be sliced."""
    if hasattr(X, "tocsr"):
        require(X.ndim == 2, f"X must be a matrix, one row a round; got {X.ndim} dimension(s)", BadInstance)
        require(X.dtype.kind in "biuf", f"attributes must be numbers, got a sparse matrix of {X.dtype}", BadInstance)
        return X
    _require_sequence(X, "X", BadInstance)
    if hasattr(X, "to_numpy"):
        names = list(getattr(X, "columns", ()))
        array = X.to_numpy()
        return _require_numbers(array, names) if array.ndim == 2 else array
    if isinstance(X, np.ndarray) or hasattr(X, "__array__"):
        array = np.asarray(X)
        fields = array.dtype.names
        require(not fields, f"X is a structured array of {fields}: give its fields as a data frame", BadInstance)
        require(array.ndim in (1, 2), f"X is rows or points, got an array of {array.ndim} dimension(s)", BadInstance)
        return _require_numbers(array, []) if array.ndim == 2 else array
    points = X if isinstance(X, list | tuple | range) else list(X)
    if points and all(isinstance(x, list) or (isinstance(x, np.ndarray) and x.ndim) for x in points):
        return _require_numbers(_stack_rows(points), [])
    return points


def _require_sequence(values: Any, what: str, error: type[LittlestoneError]) -> None:
    """Refuse what is not a sequence in memory: a generator could be played only once, or for ever."""
    whole = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping | Set)
    found = f"{what} must be a sequence held in memory, one entry a round, got a {type(values).__name__}"
    require(whole, found + (f": list({what}) holds one that ends" if isinstance(values, Iterator) else ""), error)


def _stack_rows(rows: Sequence[Any]) -> Array:
    """Lists one under another; rows that differ in length, or hold rows again, are named."""
    width = len(rows[0])
    for t, row in enumerate(rows):
        require(len(row) == width, f"row {t} has {len(row)} attributes, the rows before have {width}", BadInstance)
    try:
        array = np.array(rows)
    except ValueError:
        raise BadInstance("X must be rows of numbers, got rows of rows") from None
    require(array.ndim == 2, f"X must be rows of numbers, got {array.ndim} dimensions", BadInstance)
    return array if array.dtype.kind not in "SU" else np.array(rows, object)  # so that a number stays one


def _require_numbers(array: Array, names: list[Any]) -> Array:
    """The matrix if it is numeric; otherwise its first bad cell is named."""
    if array.dtype.kind in "biuf":
        return array
    for t, row in enumerate(array.tolist()):
        for j, cell in enumerate(row):
            number = isinstance(cell, Real | np.bool_)
            column = f"column {names[j]!r}" if names else f"column {j}"
            require(number, f"attributes must be numbers, got {cell!r} in row {t}, {column}", BadInstance)
    return array.astype(np.float64)


def _read_labels(y: Any) -> Array:
    """Labels as they are, none of them missing or unhashable."""
    _require_sequence(y, "y", BadLabel)
    array = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y) if hasattr(y, "__array__") else None
    if array is not None:
        require(array.ndim == 1, f"y must be one label a round, got {array.ndim} dimension(s)", BadLabel)
    else:
        array = np.empty(len(y), object)
        array[:] = list(y)  # of a list, NumPy would turn 1 and "spam" into "1" and "spam"
    if array.dtype.kind in "biuSU":
        return array
    for t, label in enumerate(array.tolist()):
        try:
            present = hash(label) is not None and label is not None and bool(label == label)
        except TypeError:  # a list has no hash, and pandas' missing value no truth
            present = False
        require(present, f"a label must be hashable and not missing, got {label!r} in row {t}", BadLabel)
    return array
