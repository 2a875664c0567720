"""Rows as scikit-learn gives them, made into chunks that a player takes; and scores as scikit-learn takes them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import require
from littlestone.base.learner import Size

CLASSES = "biuU"  # kinds of arrays whose entries can only be classes
CLOSE = 2**16  # whole numbers among which a table finds the classes sooner than sorting
REALS = (np.float64, np.float32)


class RepeatedRows(Stream):
    """Rows in memory, played several times over.

    Args:
        chunk: The rows.
        passes: How often they are played.
    """

    def __init__(self, chunk: Examples, passes: int) -> None:
        self._chunk, self._passes, self.rounds = chunk, passes, passes * len(chunk)

    def size(self) -> Size:
        return find_size(self._chunk)

    def chunks(self) -> Iterator[Examples]:
        for _ in range(self._passes):
            yield self._chunk


def find_size(chunk: Examples) -> Size:
    """Find what rows tell a learner before the first round."""
    assert chunk.values is not None
    return Size(chunk.width, real=chunk.values.dtype.type)


def are_plain(X: Any, y: Any, width: int) -> bool:
    """Whether rows and labels are arrays of the usual kind, which need no further check than that of `Examples`."""
    if type(y) is not np.ndarray or not (type(X) is np.ndarray or getattr(X, "format", None) == "csr"):
        return False
    labels = y.ndim == 1 and y.size > 0 and y.dtype.kind in CLASSES
    return labels and X.dtype in REALS and X.shape == (y.size, width)


def make_writable(chunk: Examples) -> Examples:
    """Copy arrays that are read-only, for which every loop would be compiled once more."""
    names = ("indptr", "indices", "values", "labels")
    parts = {name: getattr(chunk, name) for name in names if getattr(chunk, name) is not None}
    if all(part.flags.writeable for part in parts.values()):
        return chunk
    return replace(chunk, **{name: np.require(part, requirements="W") for name, part in parts.items()})


def weigh_rows(chunk: Examples, sample_weight: Any) -> Examples:
    """Give every row its importance; the chunk stays as it is if all are 1."""
    weights = np.asarray(sample_weight, np.float64)
    fits = weights.shape == (len(chunk),) and bool((np.isfinite(weights) & (weights >= 0)).all())
    require(fits, f"sample_weight must be {len(chunk)} numbers, at least 0 and finite; got {sample_weight!r}")
    return chunk if (weights == 1).all() else replace(chunk, importance=weights)


def list_classes(y: Array) -> Array:
    """List the classes among the labels, in their order; whole numbers close together need not be sorted."""
    if y.dtype.kind in "iu" and len(y) > CLOSE:
        low = int(y.min())
        if int(y.max()) - low < CLOSE:
            return np.asarray(np.flatnonzero(np.bincount(y.astype(np.int64) - low)) + low, y.dtype)
    return np.unique(y)


def break_ties(values: Array, columns: Array) -> Array:
    """Raise the entry in the given column of each row to the next float, where another entry is as large or larger."""
    for t in np.flatnonzero(values.argmax(axis=1) != columns):
        values[t, columns[t]] = np.nextafter(values[t].max(), np.inf)
    return values
