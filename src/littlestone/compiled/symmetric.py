"""One pass over rows of a symmetric matrix: apply what is pending, and multiply."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

TILE = 8  # entries of a symmetric matrix that are worked on at once
PENDING = 4  # rank-one changes that wait to be applied at once


@intrinsic
def _symmetric_sweep(
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
    """See `sweep_symmetric`."""
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


def sweep_symmetric(
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
                entries[:] = scale * (entries - _tree_sum(lost))
            sums[r] += entries * z[here]
            parts.append(entries * z[at + r])
        h[here] += _tree_sum(parts)
    for r in rows:
        h[at + r] += _tree_sum(list(sums[r]))


def _tree_sum(parts: list[Any]) -> Any:
    """The sum, neighbours first."""
    while len(parts) > 1:
        parts = [parts[k] + parts[k + 1] for k in range(0, len(parts), 2)]
    return parts[0]


@overload(sweep_symmetric)
def _symmetric_sweep_compiled(
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
        return _symmetric_sweep(matrix, first, width, columns, at, z, h, pending, shrink, scale)

    return compiled
