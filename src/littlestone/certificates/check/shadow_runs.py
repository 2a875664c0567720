"""What second-order learners do on the rows that moved them, in float64 and in plain order, whatever their own run did.

With the rows z = y x of the updates one after another, s = w.z:

    ridge             h = S z, v = z.h, w grows by h (1 - s) / (v + r), S shrinks by h h' / (v + r), S = I at first
    diagonal AROW     the same with S_i = r / (r + L_i) alone, and (1 - s)+; then L_i grows by z_i^2
    diagonal second   s = sum of z_i t_i / (r + L_i + z_i^2); then t grows by z, and L_i by z_i^2

Sums over a row go entry by entry from 0 on. Of the last, s is rounded up by all that floats may have taken from it.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.step_rows import StepRows
from littlestone.compiled import kernel

LAST = 2.0**-52


class DiagonalRun(NamedTuple):
    """A run of diagonal AROW: its losses and spreads, and by column what its theorem needs."""

    losses: Array
    spreads: Array
    weights: Array
    squares: Array  # L
    drift: Array  # the sum of z_i^2 w_i, w after the update
    drift_squares: Array  # of each update, the sum of z_i^2 w_i^2


@kernel
def play_ridge(indptr: Array, columns: Array, values: Array, r: float, out: Any) -> None:
    """Go through the rows with a whole matrix; `out` are losses, spreads and weights."""
    losses, spreads, weights = out
    size = weights.size
    matrix = np.eye(size)
    h = np.zeros(size)
    for t in range(losses.size):
        h[:] = 0.0
        score = 0.0
        spread = 0.0
        for k in range(indptr[t], indptr[t + 1]):
            score += weights[columns[k]] * values[k]
            for i in range(size):
                h[i] += matrix[columns[k], i] * values[k]
        for k in range(indptr[t], indptr[t + 1]):
            spread += h[columns[k]] * values[k]
        losses[t], spreads[t] = 1.0 - score, spread
        part = 1.0 / (spread + r)
        for i in range(size):
            weights[i] += ((1.0 - score) * part) * h[i]
            for j in range(size):
                matrix[i, j] -= part * (h[i] * h[j])


def follow_ridge(rows: StepRows, r: float) -> tuple[Array, Array, Array]:
    """1 - s and v of every update, and the last weights."""
    out = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(rows.width)
    play_ridge(rows.indptr, rows.columns, rows.values, r, out)
    return out


@kernel
def play_diagonal_arow(indptr: Array, columns: Array, values: Array, r: float, out: Any) -> None:
    """Go through the rows with a variance for each column."""
    losses, spreads, weights, squares, drift, drift_squares = out
    for t in range(losses.size):
        score = 0.0
        spread = 0.0
        for k in range(indptr[t], indptr[t + 1]):
            j = columns[k]
            z = values[k]
            score += weights[j] * z
            spread += z * z * (r / (r + squares[j]))
        loss = max(0.0, 1.0 - score)
        losses[t], spreads[t] = loss, spread
        for k in range(indptr[t], indptr[t + 1]):
            j = columns[k]
            z = values[k]
            weights[j] += (loss / (spread + r)) * (r / (r + squares[j])) * z
            squares[j] += z * z
            drift[j] += z * z * weights[j]
            drift_squares[t] += z * z * (weights[j] * weights[j])


def follow_diagonal_arow(rows: StepRows, r: float) -> DiagonalRun:
    """The run of diagonal AROW on the rows of the updates."""
    many = len(rows)
    width = rows.width
    run = DiagonalRun(*(np.zeros(size) for size in (many, many, width, width, width, many)))
    play_diagonal_arow(rows.indptr, rows.columns, rows.values, r, run)
    return run


@kernel
def play_diagonal_second_order(indptr: Array, columns: Array, values: Array, r: float, out: Any) -> None:
    """Go through the rows with a sum and a sum of squares for each column; `out` are agreements, at least 0."""
    agreements, sums, squares, ways = out
    for t in range(agreements.size):
        score = 0.0
        size = 0.0
        for k in range(indptr[t], indptr[t + 1]):
            j = columns[k]
            z = values[k]
            below = (r + squares[j]) + z * z
            score += z * sums[j] / below
            size += abs(z) * ways[j] / below
        error = LAST * (indptr[t + 1] - indptr[t] + t + 8.0) * size
        agreements[t] = max(0.0, score + error)
        for k in range(indptr[t], indptr[t + 1]):
            j = columns[k]
            z = values[k]
            sums[j] += z
            squares[j] += z * z
            ways[j] += abs(z)


def follow_diagonal_second_order(rows: StepRows, r: float) -> Array:
    """s of every update where it is positive, rounded up; 0 elsewhere."""
    out = tuple(np.zeros(size) for size in (len(rows), rows.width, rows.width, rows.width))
    play_diagonal_second_order(rows.indptr, rows.columns, rows.values, r, out)
    return out[0]
