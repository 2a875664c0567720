"""One pass over rows of a symmetric matrix that is kept as its lower triangle: apply what is pending, and multiply."""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import INT32, WORD, find_data, load, make_zeros, spread, store

TILE = 8  # entries of a symmetric matrix that are worked on at once
PENDING = 4  # rank-one changes that wait to be applied at once


class Band(NamedTuple):
    """Some rows of a packed matrix, left of its diagonal; all of it in unsigned numbers."""

    first: Any  # place of the first entry of the first row
    width: Any  # entries from one row to the next
    columns: Any  # that are multiplied: a multiple of TILE
    at: Any  # number of the first row


class Changes(NamedTuple):
    """What each entry of a matrix becomes: scale (entry - sum of shrink[q] pending[q, row] pending[q, column])."""

    pending: Any
    shrink: Any
    scale: Any


@intrinsic
def _sweep_symmetric(
    typingctx: Any, matrix: Any, band: Any, z: Any, h: Any, changes: Any
) -> Any:  # pragma: no cover - runs in the compiler
    """See `sweep_symmetric`."""
    count = 0 if isinstance(changes, types.NoneType) else PENDING

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(context.get_value_type(matrix.dtype), TILE)
        rows = PENDING if count else TILE
        first, width, columns, at = cgutils.unpack_tuple(builder, arguments[1], 4)
        m, x, product = (find_data(context, builder, signature.args[k], arguments[k]) for k in (0, 2, 3))

        def read(pointer: Any, k: Any) -> Any:
            return builder.load(builder.gep(pointer, [k]))

        def read_vector(pointer: Any, k: Any) -> Any:
            return load(builder, builder.gep(pointer, [k]), vector)

        def add_pairs(parts: list[Any]) -> Any:
            while len(parts) > 1:
                parts = [builder.fadd(parts[k], parts[k + 1]) for k in range(0, len(parts), 2)]
            return parts[0]

        own = []
        starts = []
        lost = []
        changed = []
        if count:
            pending, shrink, scale = cgutils.unpack_tuple(builder, arguments[4], 3)
            array = context.make_array(changes.types[0])(context, builder, pending)
            length = cgutils.unpack_tuple(builder, array.shape)[1]
            changed = [builder.gep(array.data, [builder.mul(length, WORD(q))]) for q in range(count)]
            factors = find_data(context, builder, changes.types[1], shrink)
            factor = spread(builder, scale, TILE)
        for r in range(rows):
            row = builder.add(at, WORD(r))
            starts.append(builder.add(first, builder.mul(width, WORD(r))))
            own.append(spread(builder, read(x, row), TILE))
            parts = [builder.fmul(read(factors, WORD(q)), read(changed[q], row)) for q in range(count)]
            lost.append([spread(builder, part, TILE) for part in parts])
        sums = [cgutils.alloca_once_value(builder, make_zeros(vector)) for _ in range(rows)]
        with cgutils.for_range_slice(builder, WORD(0), columns, WORD(TILE), intp=WORD) as (k, _):
            here = read_vector(x, k)
            moved = [read_vector(pointer, k) for pointer in changed]
            parts = []
            for r in range(rows):
                place = builder.add(starts[r], k)
                entries = read_vector(m, place)
                if count:
                    loss = add_pairs([builder.fmul(lost[r][q], moved[q]) for q in range(count)])
                    entries = builder.fmul(factor, builder.fsub(entries, loss))
                    store(builder, entries, builder.gep(m, [place]))
                builder.store(builder.fadd(builder.load(sums[r]), builder.fmul(entries, here)), sums[r])
                parts.append(builder.fmul(entries, own[r]))
            store(builder, builder.fadd(read_vector(product, k), add_pairs(parts)), builder.gep(product, [k]))
        for r in range(rows):
            lanes = [builder.extract_element(builder.load(sums[r]), INT32(k)) for k in range(TILE)]
            row = builder.gep(product, [builder.add(at, WORD(r))])
            builder.store(builder.fadd(builder.load(row), add_pairs(lanes)), row)
        return context.get_dummy_value()

    return types.void(matrix, band, z, h, changes), generate


def sweep_symmetric(matrix: Any, band: Band, z: Any, h: Any, changes: Changes | None) -> None:
    """Add to `h` what the rows of a band and their mirror images give times `z`.

    Without changes the band has TILE rows. With them it has PENDING rows, and each entry is changed first.
    """
    first, width, columns, at = (int(part) for part in band)
    rows = range(TILE if changes is None else PENDING)
    sums = np.zeros((len(rows), TILE))
    for k in range(0, columns, TILE):
        here = slice(k, k + TILE)
        parts = []
        for r in rows:
            entries = matrix[first + r * width + k : first + r * width + k + TILE]
            if changes is not None:
                pending, shrink, scale = changes
                lost = [(shrink[q] * pending[q, at + r]) * pending[q, here] for q in range(PENDING)]
                entries[:] = scale * (entries - _sum_pairs(lost))
            sums[r] += entries * z[here]
            parts.append(entries * z[at + r])
        h[here] += _sum_pairs(parts)
    for r in rows:
        h[at + r] += _sum_pairs(list(sums[r]))


def _sum_pairs(parts: list[Any]) -> Any:
    """Return the sum, neighbours first."""
    while len(parts) > 1:
        parts = [parts[k] + parts[k + 1] for k in range(0, len(parts), 2)]
    return parts[0]


@overload(sweep_symmetric)
def _sweep_symmetric_compiled(
    matrix: Any, band: Any, z: Any, h: Any, changes: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(matrix: Any, band: Any, z: Any, h: Any, changes: Any) -> Any:
        return _sweep_symmetric(matrix, band, z, h, changes)

    return compiled
