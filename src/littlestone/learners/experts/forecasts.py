"""Forecasts: how a player of a learner from advice reads its instances, and panels of them.

A round is a vector with one number for each expert; NaN means that the expert sleeps. A longer vector than before lets
experts join, a shorter one lets the last ones sleep.

>>> Forecasts()([0.5, float("nan"), 1])
Row(indices=None, values=array([0.5, nan, 1. ]))
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, require
from littlestone.base.features import Features
from littlestone.compiled import kernel
from littlestone.concepts.concept import read_points


@dataclass(frozen=True, slots=True, eq=False)
class ForecastChunk(Examples):
    """Rounds of forecasts that were looked through once: all lie in [low, high], and some sleep if `sleepers`."""

    low: float = -inf
    high: float = inf
    sleepers: bool = True

    def is_clean(self, low: float, high: float) -> bool:
        """Whether every expert is awake and in this range in every round."""
        return not self.sleepers and low <= self.low and self.high <= high


@dataclass(slots=True)
class Forecasts(Features):
    """Vectors of forecasts in [low, high], NaN for an expert that sleeps; shorter vectors than before end in sleep.

    Args:
        low: The smallest forecast allowed.
        high: The largest one.
    """

    low: float = -inf
    high: float = inf
    width: int = field(default=0, init=False)

    def __call__(self, x: Any) -> Row:
        if isinstance(x, Row):
            x = x.values if x.indices is None else _to_dense(x)
        require(not isinstance(x, str | Mapping), f"an instance is the experts' forecasts, got {x!r}", BadInstance)
        values = _to_numbers(x)
        require(values.ndim == 1, f"an instance is a vector of forecasts, got {values.ndim} dimension(s)", BadInstance)
        wrong = (values < self.low) | (values > self.high) | np.isinf(values)
        if wrong.any():
            k = int(np.argmax(wrong))
            allowed = f"in [{self.low}, {self.high}], or NaN to sleep"
            raise BadInstance(f"a forecast must be {allowed}; expert {k} says {values[k]}")
        awake = len(values) > 0 and not np.isnan(values).all()
        require(awake, "every expert sleeps: there is none to follow", BadInstance)
        self.width = max(self.width, len(values))
        return Row(None, pad_with_sleep(values[None], self.width)[0])

    def read_chunk(self, chunk: Chunk) -> Chunk:
        if isinstance(chunk, Examples) and chunk.indices is None:
            self.width = max(self.width, chunk.width)
            return chunk
        read = read_points(self, chunk)
        rows = [pad_with_sleep(row.values[None], self.width)[0] for row in read]
        return chunk_forecasts(np.array(rows).reshape(len(rows), self.width), read.labels)


def chunk_forecasts(forecasts: Array, labels: Array) -> ForecastChunk:
    """Rounds of forecasts as dense rows, looked through once; truth values stay one byte each."""
    values = np.ascontiguousarray(_to_numbers(forecasts))
    height, width = values.shape
    flat = values.ravel()
    low, high, awake = find_extent(flat)
    return ForecastChunk(np.arange(height + 1) * width, None, flat, labels, width, None, low, high, awake < flat.size)


@kernel
def find_extent(values: Array) -> Any:
    """Look through values once.

    Returns:
        The least and the greatest of those that are not NaN, and how many are not.
    """
    low = np.inf
    high = -np.inf
    awake = 0
    for k in range(values.size):
        value = np.float64(values[k])
        low = value if value < low else low
        high = value if value > high else high
        awake += 1 if value == value else 0
    return low, high, awake


def to_matrix(chunk: Examples, width: int) -> Array:
    """The forecasts of a dense chunk, a row for each round, padded with sleep to `width` experts."""
    assert chunk.values is not None
    values = chunk.values[chunk.indptr[0] : chunk.indptr[-1]].reshape(len(chunk), chunk.width)
    return pad_with_sleep(values, width)


def _to_numbers(x: Any) -> Array:
    """Forecasts as numbers: truth values stay one byte each, float32 stays, any other type becomes float64."""
    values = np.asarray(x)
    if values.dtype == np.bool_:
        return values.view(np.uint8)
    if values.dtype in (np.float32, np.float64, np.uint8):
        return values
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        raise BadInstance(f"forecasts must be numbers, or NaN to sleep, got {x!r}") from None


def pad_with_sleep(values: Array, width: int) -> Array:
    """Rows of forecasts with sleeping experts added up to a width."""
    missing = width - values.shape[1]
    if missing <= 0:
        return values
    return np.pad(values.astype(np.float64), ((0, 0), (0, missing)), constant_values=np.nan)


def _to_dense(row: Row) -> Array:
    """The values of a sparse row, zeros included."""
    values = np.zeros(int(row.indices[-1]) + 1 if row.length else 0)  # type: ignore[index]
    values[row.indices] = 1.0 if row.values is None else row.values
    return values
