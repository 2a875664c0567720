"""Scores of many classes side by side: for every class the sum of its weights times the values of a row.

All classes' weights of an attribute lie next to each other. The sums of up to 32 classes stay in registers while a row
is read; those of even and of odd entries are kept apart, so that one addition need not wait for the last.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import WORD, find_data, load, make_zeros, spread, store

LANES = 8  # classes of a vector
MOST = 4  # vectors of classes that are summed at once


def _make_sum(vectors: int) -> Any:
    """Make the intrinsic that sums this many vectors of classes; see `sum_by_class`.

    Its last argument holds `block`, `a`, `b` and the first class.
    """

    @intrinsic
    def add_up(typingctx: Any, weights: Any, indices: Any, values: Any, out: Any, span: Any) -> Any:  # pragma: no cover
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            vector = ir.VectorType(context.get_value_type(weights.dtype), LANES)
            sums = [[cgutils.alloca_once_value(builder, make_zeros(vector)) for _ in range(vectors)] for _ in range(2)]
            block, a, b, first = cgutils.unpack_tuple(builder, arguments[4], 4)

            def find(i: int) -> Any:
                return find_data(context, builder, signature.args[i], arguments[i])

            def add(k: Any, into: list[Any]) -> None:
                if isinstance(indices, types.NoneType):
                    attribute = builder.sub(k, a)
                else:
                    attribute = builder.zext(builder.load(builder.gep(find(1), [k])), WORD)
                begin = builder.add(builder.mul(attribute, block), first)
                value = None
                if not isinstance(values, types.NoneType):
                    one = builder.load(builder.gep(find(2), [k]))
                    value = spread(builder, context.cast(builder, one, values.dtype, weights.dtype), LANES)
                for m, sum in enumerate(into):
                    part = load(builder, builder.gep(find(0), [builder.add(begin, WORD(m * LANES))]), vector)
                    part = part if value is None else builder.fmul(part, value)
                    builder.store(builder.fadd(builder.load(sum), part), sum)

            pairs = builder.add(a, builder.and_(builder.sub(b, a), WORD(2**64 - 2)))
            with cgutils.for_range_slice(builder, a, pairs, WORD(2), intp=WORD) as (k, _):
                add(k, sums[0])
                add(builder.add(k, WORD(1)), sums[1])
            with builder.if_then(builder.icmp_unsigned("<", pairs, b)):
                add(pairs, sums[0])
            for m, (even, odd) in enumerate(zip(*sums, strict=True)):
                total = builder.fadd(builder.load(even), builder.load(odd))
                store(builder, total, builder.gep(find(3), [builder.add(first, WORD(m * LANES))]))
            return context.get_dummy_value()

        return types.void(weights, indices, values, out, types.UniTuple(types.uint64, 4)), generate

    return add_up


_one, _two, _three, _four = (_make_sum(vectors) for vectors in range(1, MOST + 1))


def sum_by_class(weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any) -> Any:
    """Write to `out[c]` the sum over entries k from a to b of `weights[block * attribute + c]` times their values.

    This is done for c below `width`, a multiple of LANES. Without values all are 1; without indices attributes are
    0, 1, ...
    """
    sums = np.zeros((2, int(width)), weights.dtype)
    real = weights.dtype.type
    size = int(b) - int(a)
    for k in range(size):
        begin = int(block) * (k if indices is None else int(indices[int(a) + k]))
        turn = k % 2 if k < size - size % 2 else 0
        part = weights[begin : begin + int(width)]
        sums[turn] += part if values is None else part * real(values[int(a) + k])
    out[: int(width)] = sums[0] + sums[1]


@overload(sum_by_class, jit_options={"forceinline": True})
def _sum_by_class(
    weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any) -> Any:
        first = np.uint64(0)
        many = np.uint64(4 * LANES)
        three = np.uint64(3 * LANES)
        two = np.uint64(2 * LANES)
        while first + many <= width:
            _four(weights, indices, values, out, (block, a, b, first))
            first += many
        if first + three == width:
            _three(weights, indices, values, out, (block, a, b, first))
        elif first + two == width:
            _two(weights, indices, values, out, (block, a, b, first))
        elif first < width:
            _one(weights, indices, values, out, (block, a, b, first))

    return compiled
