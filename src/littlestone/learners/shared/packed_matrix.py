"""Packed matrix: a symmetric one by its lower half, multiplied and changed in one pass.

Rows come eight at a time: rows 8b to 8b + 7 list columns 0 to 8b + 7, so that every row starts and ends with a full
vector, the tiles on the diagonal are stored whole, and a larger matrix begins with the smaller one. Rank-one changes
wait until there are four; then one pass over the memory applies them and multiplies at once.

The pass itself, `sweep_symmetric`, is written in vectors: a strict sum of products is no loop that a compiler
may turn into vectors.

The rows of a large matrix are cut into ranges. One thread sweeps a range and gives a product of its own; these are
added up in order. Where ranges are cut depends neither on the number of threads nor on how far the matrix has grown, so
the bits are the same on any number of cores, and whether attributes were known beforehand or turned up one by one. The
compiled loop plays by itself as long as no round has to sweep a large matrix. At one that has, it stops before it has
changed anything, and is given the products of the ranges to play that round.

>>> unpack(make_identity(3), 2)
array([[1., 0.],
       [0., 1.]])
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import (
    PENDING,
    TILE,
    Band,
    Changes,
    U,
    array_rule,
    kernel,
    read_attribute,
    read_value,
    rule,
    sweep_symmetric,
)
from littlestone.compiled.threads import share_out
from littlestone.learners.shared.rounds import UPDATES

ZERO, ONE, EIGHT, HALF_TILES = U(0), U(1), U(TILE), U(TILE * TILE // 2)
# rows of the first range and of every other one
FIRST = 1024
FURTHER = 256
SPARSE = 32  # a row of at most this many entries is multiplied column by column, however large the matrix
MANY = 1 << 20  # entries of a matrix from which on sharing them out pays
DIGITS = 2.0**-47  # of a product A_ii x_i^2 that the rounding of entries leaves in doubt, with room for many updates
VECTORS = 2  # where `counts` holds how many vectors wait


def make_identity(size: int, entry: float = 1.0) -> Array:
    """`entry` times the identity, at least as large as asked for."""
    return enlarge(np.zeros(0), size, entry)


def enlarge(matrix: Array, size: int, entry: float = 1.0) -> Array:
    """The matrix in the corner of a larger one that is `entry` times the identity elsewhere."""
    rows = round_up_rows(size)
    larger = np.zeros(int(find_row_start(U(rows))))
    larger[: len(matrix)] = matrix
    for i in range(rows):
        if find_row_start(U(i)) >= len(matrix):
            larger[int(find_row_start(U(i))) + i] = entry
    return larger


def round_up_rows(size: int) -> int:
    """How many rows a matrix of this many attributes needs."""
    return -(-size // TILE) * TILE


def cut_rows(rows: int) -> list[int]:
    """Where ranges begin and end; a matrix of up to FIRST rows is one range."""
    return [0, *range(FIRST, rows, FURTHER), rows]


def unpack(matrix: Array, size: int) -> Array:
    """The leading rows and columns as a square array."""
    square = np.zeros((size, size))
    for i in range(size):
        start = int(find_row_start(U(i)))
        square[i, : i + 1] = square[: i + 1, i] = matrix[start : start + i + 1]
    return square


@rule
def find_row_start(i: Any) -> Any:
    """Where row i begins."""
    b = i // EIGHT
    return HALF_TILES * b * (b + ONE) + (i % EIGHT) * EIGHT * (b + ONE)


@rule
def multiply(matrix: Array, z: Array, h: Array, begin: Any, end: Any) -> None:
    """Add to h what the rows from `begin` to `end`, as far as they are kept, and their mirror images give times z."""
    first = find_row_start(begin)
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
    first = find_row_start(begin)
    half = U(PENDING)
    changes = Changes(pending, shrink, scale)
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
    first = find_row_start(c)
    above = c // EIGHT * EIGHT
    for i in range(above):
        h[i] += value * matrix[first + i]
    for i in range(above, U(h.size)):
        h[i] += value * matrix[find_row_start(i) + c]


@rule
def lay_out(indices: Any, values: Any, a: Any, b: Any, constant: Any, rows: Any) -> Any:
    """Entries a to b as a vector that starts with the constant, if it is not zero; and their places in it."""
    shift = ONE if constant != 0 else ZERO
    z = np.zeros(rows)
    places = np.zeros(shift + b - a, U)
    z[0] = constant
    for k in range(a, b):
        places[shift + k - a] = shift + read_attribute(indices, k, a)
        z[places[shift + k - a]] = read_value(values, k)
    return z, places


@array_rule
def is_zero(places: Array, z: Array) -> Any:
    """Whether a row has no value but 0."""
    zero = True
    for c in places:
        zero &= z[c] == 0
    return zero


@rule
def sweep_rows(state: Any, z: Array, h: Array, begin: Any, end: Any) -> None:
    """Add to h what some rows of B give times z; if as many vectors wait as may, they are applied first."""
    if state.counts[VECTORS] == PENDING:
        settle_and_multiply(state.matrix, z, h, begin, end, state.pending, state.shrink, state.scale[0])
    else:
        multiply(state.matrix, z, h, begin, end)


@rule
def must_wait(shared: Any, counts: Array, places: Array, z: Array) -> Any:
    """Whether a round must sweep a large matrix and was not given the products of ranges; z is noted for them."""
    if shared is None:
        return False
    if shared.shape[0] > 1 or (counts[VECTORS] < PENDING and places.size <= SPARSE):
        return False
    shared[0] = z
    return True


@rule
def add_products(shared: Any, h: Array) -> Any:
    """Add the products of ranges to h, in order, if they are given; whether they are."""
    if shared is None:
        return False
    for part in range(1, shared.shape[0]):
        for i in range(h.size):
            h[i] += shared[part, i]
    return shared.shape[0] > 1


@array_rule
def subtract_waiting(state: Any, places: Array, z: Array, h: Array) -> Any:
    """Make A x / scale of h, so far B x, and return x'Ax; x is z, not zero in `places` at most."""
    for q in range(state.counts[VECTORS]):
        along = 0.0
        for c in places:
            along += z[c] * state.pending[q, c]
        lost = state.shrink[q] * along
        for i in range(h.size):
            h[i] -= lost * state.pending[q, i]
    total = 0.0
    for c in places:
        total += z[c] * h[c]
    return state.scale[0] * total


@array_rule
def foresee_spread(state: Any, places: Array, z: Array, h: Array) -> Any:
    """Return x'Ax as `spread_along` does, but change nothing; h is zero before and after."""
    multiply(state.matrix, z, h, ZERO, U(z.size))
    spread = subtract_waiting(state, places, z, h)
    for i in range(h.size):
        h[i] = 0.0
    return spread


@array_rule
def find_rounding(state: Any, places: Array, z: Array) -> Any:
    """How much of x'Ax rounding may have made up: DIGITS of the sum of A_ii x_i^2."""
    total = 0.0
    for c in places:
        entry = state.matrix[find_row_start(c) + c]
        for q in range(state.counts[VECTORS]):
            entry -= state.shrink[q] * state.pending[q, c] * state.pending[q, c]
        total += z[c] * z[c] * entry
    return DIGITS * state.scale[0] * total


@array_rule
def spread_along(state: Any, places: Array, z: Array, h: Array, shared: Any) -> Any:
    """Set h, so far zero, to A x / scale and return x'Ax; x is z, not zero in `places` at most."""
    counts = state.counts
    scale = state.scale
    given = add_products(shared, h)
    if not given and counts[VECTORS] < PENDING and places.size <= SPARSE:
        for c in places:
            add_column(state.matrix, c, z[c], h)
    elif shared is None:
        sweep_rows(state, z, h, ZERO, U(z.size))
        if counts[VECTORS] == PENDING:
            scale[0], counts[VECTORS] = 1.0, 0
    return subtract_waiting(state, places, z, h)


@kernel
def sweep(state: Any, ends: Array, first: int, last: int, shared: Array) -> None:
    """Note the products of some ranges."""
    for part in range(first, last):
        h = shared[part + 1]
        h[:] = 0.0
        sweep_rows(state, shared[0], h, U(ends[part]), U(ends[part + 1]))


def prepare_sharing(pending: Array) -> Any:
    """What a loop is given beside the matrix: nothing if it is one range, else room for the row it stops at."""
    rows = pending.shape[1]
    return None if rows <= FIRST else np.empty((1, rows))


def multiply_ranges(state: Any, z: Array) -> Array:
    """The vector z and, below it, its products with the ranges; waiting vectors are applied if they must be."""
    cut = cut_rows(z.size)
    shared, ends = np.empty((len(cut), z.size)), np.array(cut)
    shared[0] = z
    sizes = [int(find_row_start(U(end))) for end in cut[1:]]
    try:
        if state.matrix.size < MANY:
            sweep(state, ends, 0, len(sizes), shared)
        else:
            share_out(lambda first, last: sweep(state, ends, first, last, shared), sizes)
    finally:  # if the user interrupts, too: the matrix has changed
        if state.counts[VECTORS] == PENDING:
            state.scale[0], state.counts[VECTORS] = 1.0, 0
    return shared


@array_rule
def apply_step(state: Any, h: Array, y: Any, moved: Any, shift: Any) -> None:
    """Step the weights along A x, and let the change of A wait; A's first row is the bias if `shift` is 1."""
    weights = state.weights
    scale = state.scale
    counts = state.counts
    delta = y * moved.along * scale[0]
    state.bias[0] += delta * h[0] if shift == ONE else 0.0
    for i in range(weights.size):
        weights[i] += delta * h[np.int64(shift) + i]
    pending = state.pending[counts[VECTORS]]
    for i in range(U(h.size)):
        pending[i] = h[i]
    state.shrink[counts[VECTORS]] = moved.shrink * scale[0]
    scale[0] *= moved.stretch
    counts[UPDATES] += 1
    counts[VECTORS] += 1
