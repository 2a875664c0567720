"""Slabs: products with the matrix of a second-order learner, shared out among threads where it is large.

Each slab of a large matrix is swept by one thread and gives a product of its own; these are added up in order. Where
slabs are cut depends neither on the number of threads nor on how far the matrix has grown, so the bits are the same on
any number of cores, and whether attributes were known beforehand or turned up one by one.

The compiled loop plays by itself as long as no round has to sweep a large matrix. At one that has, it stops before it
has changed anything, and is given the products of the slabs to play that round.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import PENDING, U, entry, kernel, place, rule
from littlestone.compiled.threads import share_out
from littlestone.learners.shared import packed_matrix as symmetric
from littlestone.learners.shared.packed_matrix import add_column, cuts, multiply, settle_and_multiply, start_of

ZERO, ONE = U(0), U(1)
SPARSE = 32  # a row of at most so many entries is multiplied column by column, however large the matrix
MANY = 1 << 20  # entries of a matrix from which on sharing them out pays


@rule
def laid_out(indices: Any, values: Any, a: Any, b: Any, constant: Any, rows: Any) -> Any:
    """Entries a to b as a vector that starts with the constant, if it is not zero; and their places in it."""
    shift = ONE if constant != 0 else ZERO
    z, places = np.zeros(rows), np.zeros(shift + b - a, U)
    z[0] = constant
    for k in range(a, b):
        places[shift + k - a] = shift + place(indices, k, a)
        z[places[shift + k - a]] = entry(values, k)
    return z, places


@rule
def swept(
    matrix: Array, pending: Array, shrink: Array, scale: Array, counts: Array, z: Array, h: Array, begin: Any, end: Any
) -> None:
    """Add to h what some rows of B give times z; vectors are applied first if as many wait as may."""
    if counts[2] == PENDING:
        settle_and_multiply(matrix, z, h, begin, end, pending, shrink, scale[0])
    else:
        multiply(matrix, z, h, begin, end)


@rule
def waits(shared: Any, counts: Array, places: Array, z: Array) -> Any:
    """Whether a round must sweep a large matrix and was not given the products of its slabs; z is noted for them."""
    if shared is None:
        return False
    if shared.shape[0] > 1 or (counts[2] < PENDING and places.size <= SPARSE):
        return False
    shared[0] = z
    return True


@rule
def gathered(shared: Any, h: Array) -> Any:
    """Whether the products of slabs are given, which are added to h in order."""
    if shared is None:
        return False
    for slab in range(1, shared.shape[0]):
        for i in range(h.size):
            h[i] += shared[slab, i]
    return shared.shape[0] > 1


@rule
def spread_along(
    matrix: Array, pending: Array, shrink: Array, scale: Array, counts: Array, places: Array, z: Array, h: Array,
    shared: Any,
) -> Any:  # fmt: skip
    """Set h, so far zero, to A x / scale and return x'Ax; x is z, not zero in `places` at most."""
    given = gathered(shared, h)
    if not given and counts[2] < PENDING and places.size <= SPARSE:
        for c in places:
            add_column(matrix, c, z[c], h)
    elif shared is None:
        swept(matrix, pending, shrink, scale, counts, z, h, ZERO, U(z.size))
        if counts[2] == PENDING:
            scale[0], counts[2] = 1.0, 0
    for q in range(counts[2]):
        along = 0.0
        for c in places:
            along += z[c] * pending[q, c]
        lost = shrink[q] * along
        for i in range(h.size):
            h[i] -= lost * pending[q, i]
    total = 0.0
    for c in places:
        total += z[c] * h[c]
    return scale[0] * total


@kernel
def sweep(
    matrix: Array, pending: Array, shrink: Array, scale: Array, counts: Array, ends: Array, first: int, last: int,
    shared: Array,
) -> None:  # fmt: skip
    """Note the products of some slabs."""
    for slab in range(first, last):
        h = shared[slab + 1]
        h[:] = 0.0
        swept(matrix, pending, shrink, scale, counts, shared[0], h, U(ends[slab]), U(ends[slab + 1]))


def sharing(pending: Array) -> Any:
    """What a loop is given beside the matrix: nothing if it is one slab, else room for the row it stops at."""
    rows = pending.shape[1]
    return None if rows <= symmetric.FIRST else np.empty((1, rows))


def products(matrix: Array, pending: Array, shrink: Array, scale: Array, counts: Array, z: Array) -> Array:
    """The vector z and, below it, its products with the slabs, to which waiting vectors are applied if they must be."""
    ends = cuts(z.size)
    shared = np.empty((len(ends), z.size))
    shared[0] = z
    given = (matrix, pending, shrink, scale, counts, np.array(ends))
    sizes = [int(start_of(U(end))) for end in ends[1:]]
    try:
        if matrix.size < MANY:
            sweep(*given, 0, len(sizes), shared)
        else:
            share_out(lambda first, last: sweep(*given, first, last, shared), sizes)
    finally:  # if the user interrupts, too: the matrix has changed
        if counts[2] == PENDING:
            scale[0], counts[2] = 1.0, 0
    return shared
