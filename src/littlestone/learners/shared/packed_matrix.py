"""Packed matrix: a symmetric one by its lower half, multiplied and changed in one pass.

Rows come eight at a time: rows 8b to 8b + 7 list columns 0 to 8b + 7, so that every row starts and ends with a full
vector, the tiles on the diagonal are stored whole, and a larger matrix begins with the smaller one. Rank-one changes
wait until there are four; then one pass over the memory applies them and multiplies at once.

A large matrix is swept in ranges of rows, cut at the same places whatever its size: a range is of the same rows in the
smaller matrix and in the larger one.

The pass itself, `sweep_symmetric`, is written in vectors: a strict sum of products is no loop that a compiler
may turn into vectors.

>>> matrix = identity(3)
>>> product(matrix, padded([1.0, 2.0, 3.0]))[:3]
array([1., 2., 3.])
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import PENDING, TILE, Band, Changes, U, kernel, rule, sweep_symmetric

ZERO, ONE, EIGHT, HALF_TILES = U(0), U(1), U(TILE), U(TILE * TILE // 2)
FIRST, FURTHER = 1024, 256  # rows of the first range and of every other one


def make_identity(size: int, entry: float = 1.0) -> Array:
    """`entry` times the identity, at least as large as asked for."""
    return enlarge(np.zeros(0), size, entry)


def enlarge(matrix: Array, size: int, entry: float = 1.0) -> Array:
    """The matrix in the corner of a larger one that is `entry` times the identity elsewhere."""
    rows = round_up_rows(size)
    larger = np.zeros(int(start_of(U(rows))))
    larger[: len(matrix)] = matrix
    for i in range(rows):
        if start_of(U(i)) >= len(matrix):
            larger[int(start_of(U(i))) + i] = entry
    return larger


def round_up_rows(size: int) -> int:
    """How many rows a matrix of this many attributes needs."""
    return -(-size // TILE) * TILE


def cut_rows(rows: int) -> list[int]:
    """Where ranges begin and end; a matrix of up to FIRST rows is one range."""
    return [0, *range(FIRST, rows, FURTHER), rows]


def pad(z: Any) -> Array:
    """The vector with as many entries as its matrix has rows."""
    vector = np.zeros(round_up_rows(len(z)))
    vector[: len(z)] = z
    return vector


def unpack(matrix: Array, size: int) -> Array:
    """The leading rows and columns as a square array."""
    square = np.zeros((size, size))
    for i in range(size):
        start = int(start_of(U(i)))
        square[i, : i + 1] = square[: i + 1, i] = matrix[start : start + i + 1]
    return square


@rule
def start_of(i: Any) -> Any:
    """Where row i begins."""
    b = i // EIGHT
    return HALF_TILES * b * (b + ONE) + (i % EIGHT) * EIGHT * (b + ONE)


@rule
def multiply(matrix: Array, z: Array, h: Array, begin: Any, end: Any) -> None:
    """Add to h what the rows from `begin` to `end`, as far as they are kept, and their mirror images give times z."""
    first = start_of(begin)
    for i in range(begin, end, EIGHT):
        width = i + EIGHT
        sweep_symmetric(matrix, Band(first, width, i, i), z, h, None)
        for r in range(i, i + EIGHT):
            for c in range(i, i + EIGHT):
                h[r] += matrix[first + c] * z[c]
            first += width


@rule
def settle_and_multiply(
    matrix: Array, z: Array, h: Array, begin: Any, end: Any, pending: Array, shrink: Array, scale: float
) -> None:
    """Turn these rows into those of scale (matrix - sum of shrink[q] pending[q] pending[q]'), then multiply."""
    first, half, changes = start_of(begin), U(PENDING), Changes(pending, shrink, scale)
    for i in range(begin, end, EIGHT):
        width = i + EIGHT
        sweep_symmetric(matrix, Band(first, width, i, i), z, h, changes)
        sweep_symmetric(matrix, Band(first + half * width, width, i, i + half), z, h, changes)
        for r in range(i, i + EIGHT):
            for c in range(i, i + EIGHT):
                lost = 0.0
                for q in range(PENDING):
                    lost += (shrink[q] * pending[q, r]) * pending[q, c]
                matrix[first + c] = scale * (matrix[first + c] - lost)
                h[r] += matrix[first + c] * z[c]
            first += width


@rule
def add_column(matrix: Array, c: Any, value: float, h: Array) -> None:
    """Add `value` times column c of the matrix to h."""
    first, above = start_of(c), c // EIGHT * EIGHT
    for i in range(above):
        h[i] += value * matrix[first + i]
    for i in range(above, U(h.size)):
        h[i] += value * matrix[start_of(i) + c]


@kernel
def multiply_vector(matrix: Array, z: Array) -> Any:
    """The matrix times a padded vector."""
    h = np.zeros(z.size)
    multiply(matrix, z, h, ZERO, U(z.size))
    return h
