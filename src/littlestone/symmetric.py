"""Symmetric: a matrix by its lower half, multiplied and changed in one pass.

Rows come eight at a time: rows 8b to 8b + 7 list columns 0 to 8b + 7, so that every row starts and ends with a full
vector, the tiles on the diagonal are stored whole, and a larger matrix begins with the smaller one. Rank-one changes
wait until there are four; then one pass over the memory applies them and multiplies at once.

The passes are written in vectors because a strict sum of products is no loop that a compiler may turn into vectors;
the settings of the compiler stay in `kernel.py`.

>>> matrix = identity(3)
>>> product(matrix, padded([1.0, 2.0, 3.0]))[:3]
array([1., 2., 3.])
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.examples import Array
from littlestone.kernel import kernel, rule

TILE = 8  # entries of a symmetric matrix that are worked on at once
PENDING = 4  # rank-one changes that wait to be applied at once
U = np.uint64
ZERO, ONE, EIGHT, HALF_TILES = U(0), U(1), U(TILE), U(TILE * TILE // 2)


@intrinsic
def _sweep(
    typingctx: Any,
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> Any:  # pragma: no cover - runs in the compiler
    """See `sweep`."""
    changes = 0 if isinstance(pending, types.NoneType) else PENDING

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        real, lane = context.get_value_type(matrix.dtype), ir.IntType(32)
        vector, rows = ir.VectorType(real, TILE), PENDING if changes else TILE
        first, width, columns, at = arguments[1:5]

        def number(value: int) -> Any:
            return context.get_constant(types.uint64, value)

        def data(position: int) -> Any:
            return context.make_array(signature.args[position])(context, builder, arguments[position]).data

        def scalar(pointer: Any, k: Any) -> Any:
            return builder.load(builder.gep(pointer, [k]))

        def splat(value: Any) -> Any:
            undefined = ir.Constant(vector, ir.Undefined)
            one = builder.insert_element(undefined, value, lane(0))
            return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(lane, TILE), [0] * TILE))

        def load(pointer: Any, k: Any) -> Any:
            part = builder.load(builder.bitcast(builder.gep(pointer, [k]), vector.as_pointer()))
            part.align = context.get_abi_sizeof(real)
            return part

        def store(value: Any, pointer: Any, k: Any) -> None:
            part = builder.store(value, builder.bitcast(builder.gep(pointer, [k]), vector.as_pointer()))
            part.align = context.get_abi_sizeof(real)

        def total(parts: list[Any]) -> Any:
            while len(parts) > 1:
                parts = [builder.fadd(parts[k], parts[k + 1]) for k in range(0, len(parts), 2)]
            return parts[0]

        m, x, product = data(0), data(5), data(6)
        own, starts, lost, changed = [], [], [], []
        if changes:
            length = cgutils.unpack_tuple(builder, context.make_array(pending)(context, builder, arguments[7]).shape)[1]
            changed = [builder.gep(data(7), [builder.mul(length, number(q))]) for q in range(changes)]
            factor = splat(arguments[9])
        for r in range(rows):
            row = builder.add(at, number(r))
            starts.append(builder.add(first, builder.mul(width, number(r))))
            own.append(splat(scalar(x, row)))
            lost.append(
                [splat(builder.fmul(scalar(data(8), number(q)), scalar(changed[q], row))) for q in range(changes)]
            )
        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * TILE)) for _ in range(rows)]
        with cgutils.for_range_slice(builder, number(0), columns, number(TILE), intp=columns.type) as (k, _):
            here, moved, parts = load(x, k), [load(pointer, k) for pointer in changed], []
            for r in range(rows):
                place = builder.add(starts[r], k)
                entries = load(m, place)
                if changes:
                    loss = total([builder.fmul(lost[r][q], moved[q]) for q in range(changes)])
                    entries = builder.fmul(factor, builder.fsub(entries, loss))
                    store(entries, m, place)
                builder.store(builder.fadd(builder.load(sums[r]), builder.fmul(entries, here)), sums[r])
                parts.append(builder.fmul(entries, own[r]))
            store(builder.fadd(load(product, k), total(parts)), product, k)
        for r in range(rows):
            lanes = [builder.extract_element(builder.load(sums[r]), lane(k)) for k in range(TILE)]
            row = builder.gep(product, [builder.add(at, number(r))])
            builder.store(builder.fadd(builder.load(row), total(lanes)), row)
        return context.get_dummy_value()

    u64 = types.uint64
    return types.void(matrix, u64, u64, u64, u64, z, h, pending, shrink, scale), generate


def sweep(
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> None:
    """Add to `h` what some rows of a symmetric matrix, left of its diagonal, and their mirror images give times `z`.

    Row `at` starts at `matrix[first]`, the next ones `width` further each; `columns`, a multiple of TILE, are taken.
    Without `pending` these are TILE rows. With it they are PENDING rows, and each entry first becomes
    scale (entry - sum of shrink[q] pending[q, row] pending[q, column]).
    """
    first, width, columns, at = int(first), int(width), int(columns), int(at)
    rows = range(TILE if pending is None else PENDING)
    sums = np.zeros((len(rows), TILE))
    for k in range(0, columns, TILE):
        here, parts = slice(k, k + TILE), []
        for r in rows:
            entries = matrix[first + r * width + k : first + r * width + k + TILE]
            if pending is not None:
                lost = [(shrink[q] * pending[q, at + r]) * pending[q, here] for q in range(PENDING)]
                entries[:] = scale * (entries - _total(lost))
            sums[r] += entries * z[here]
            parts.append(entries * z[at + r])
        h[here] += _total(parts)
    for r in rows:
        h[at + r] += _total(list(sums[r]))


def _total(parts: list[Any]) -> Any:
    """The sum, neighbours first."""
    while len(parts) > 1:
        parts = [parts[k] + parts[k + 1] for k in range(0, len(parts), 2)]
    return parts[0]


@overload(sweep)
def _sweep_compiled(
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(
        matrix: Any,
        first: Any,
        width: Any,
        columns: Any,
        at: Any,
        z: Any,
        h: Any,
        pending: Any,
        shrink: Any,
        scale: Any,
    ) -> Any:
        return _sweep(matrix, first, width, columns, at, z, h, pending, shrink, scale)

    return compiled


def identity(size: int, entry: float = 1.0) -> Array:
    """`entry` times the identity, at least as large as asked for."""
    return enlarged(np.zeros(0), size, entry)


def enlarged(matrix: Array, size: int, entry: float = 1.0) -> Array:
    """The matrix in the corner of a larger one that is `entry` times the identity elsewhere."""
    rows = room(size)
    larger = np.zeros(int(start_of(U(rows))))
    larger[: len(matrix)] = matrix
    for i in range(rows):
        if start_of(U(i)) >= len(matrix):
            larger[int(start_of(U(i))) + i] = entry
    return larger


def room(size: int) -> int:
    """How many rows a matrix needs for so many."""
    return -(-size // TILE) * TILE


def padded(z: Any) -> Array:
    """The vector with as many entries as its matrix has rows."""
    vector = np.zeros(room(len(z)))
    vector[: len(z)] = z
    return vector


def unpacked(matrix: Array, size: int) -> Array:
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
def multiply(matrix: Array, z: Array, h: Array) -> None:
    """Add the product of matrix and z to h."""
    first = ZERO
    for i in range(ZERO, U(z.size), EIGHT):
        width = i + EIGHT
        sweep(matrix, first, width, i, i, z, h, None, None, 1.0)
        for r in range(i, i + EIGHT):
            for c in range(i, i + EIGHT):
                h[r] += matrix[first + c] * z[c]
            first += width


@rule
def settle_and_multiply(matrix: Array, z: Array, h: Array, pending: Array, shrink: Array, scale: float) -> None:
    """Turn the matrix into scale (matrix - sum of shrink[q] pending[q] pending[q]'), then add its product to h."""
    first, half = ZERO, U(PENDING)
    for i in range(ZERO, U(z.size), EIGHT):
        width = i + EIGHT
        sweep(matrix, first, width, i, i, z, h, pending, shrink, scale)
        sweep(matrix, first + half * width, width, i, i + half, z, h, pending, shrink, scale)
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
def product(matrix: Array, z: Array) -> Any:
    """The matrix times a padded vector."""
    h = np.zeros(z.size)
    multiply(matrix, z, h)
    return h
