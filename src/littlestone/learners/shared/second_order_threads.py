"""Second order in threads: products with the matrix of a second-order learner, shared out where it is large.

The rows of a large matrix are cut into ranges. One thread sweeps a range and gives a product of its own; these are
added up in order. Where ranges are cut depends neither on the number of threads nor on how far the matrix has grown, so
the bits are the same on any number of cores, and whether attributes were known beforehand or turned up one by one.

The compiled loop plays by itself as long as no round has to sweep a large matrix. At one that has, it stops before it
has changed anything, and is given the products of the ranges to play that round.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import PENDING, U, array_rule, kernel, read_attribute, read_value, rule
from littlestone.compiled.threads import share_out
from littlestone.learners.shared import packed_matrix
from littlestone.learners.shared.packed_matrix import add_column, cut_rows, multiply, settle_and_multiply, start_of
from littlestone.learners.shared.rounds import ONE, ZERO

SPARSE = 32  # a row of at most this many entries is multiplied column by column, however large the matrix
MANY = 1 << 20  # entries of a matrix from which on sharing them out pays
VECTORS = 2  # where `counts` holds how many vectors wait


@rule
def lay_out(indices: Any, values: Any, a: Any, b: Any, constant: Any, rows: Any) -> Any:
    """Entries a to b as a vector that starts with the constant, if it is not zero; and their places in it."""
    shift = ONE if constant != 0 else ZERO
    z, places = np.zeros(rows), np.zeros(shift + b - a, U)
    z[0] = constant
    for k in range(a, b):
        places[shift + k - a] = shift + read_attribute(indices, k, a)
        z[places[shift + k - a]] = read_value(values, k)
    return z, places


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
def spread_along(state: Any, places: Array, z: Array, h: Array, shared: Any) -> Any:
    """Set h, so far zero, to A x / scale and return x'Ax; x is z, not zero in `places` at most."""
    counts, scale, pending = state.counts, state.scale, state.pending
    given = add_products(shared, h)
    if not given and counts[VECTORS] < PENDING and places.size <= SPARSE:
        for c in places:
            add_column(state.matrix, c, z[c], h)
    elif shared is None:
        sweep_rows(state, z, h, ZERO, U(z.size))
        if counts[VECTORS] == PENDING:
            scale[0], counts[VECTORS] = 1.0, 0
    for q in range(counts[VECTORS]):
        along = 0.0
        for c in places:
            along += z[c] * pending[q, c]
        lost = state.shrink[q] * along
        for i in range(h.size):
            h[i] -= lost * pending[q, i]
    total = 0.0
    for c in places:
        total += z[c] * h[c]
    return scale[0] * total


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
    return None if rows <= packed_matrix.FIRST else np.empty((1, rows))


def multiply_ranges(state: Any, z: Array) -> Array:
    """The vector z and, below it, its products with the ranges; waiting vectors are applied if they must be."""
    cut = cut_rows(z.size)
    shared, ends = np.empty((len(cut), z.size)), np.array(cut)
    shared[0] = z
    sizes = [int(start_of(U(end))) for end in cut[1:]]
    try:
        if state.matrix.size < MANY:
            sweep(state, ends, 0, len(sizes), shared)
        else:
            share_out(lambda first, last: sweep(state, ends, first, last, shared), sizes)
    finally:  # if the user interrupts, too: the matrix has changed
        if state.counts[VECTORS] == PENDING:
            state.scale[0], state.counts[VECTORS] = 1.0, 0
    return shared
