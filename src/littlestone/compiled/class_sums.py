"""Scores of many units side by side: for every class the sum of its weights times the values of a row.

All classes' weights of an attribute lie next to each other. The sums of up to 32 classes stay in registers while a row
is read; those of even and of odd entries are kept apart, so that one addition need not wait for the last.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import spread

LANES = 8  # classes of a vector
MOST = 4  # vectors of classes that are summed at once


def _summing(vectors: int) -> Any:
    @intrinsic
    def sums(  # pragma: no cover - runs in the compiler
        typingctx: Any, weights: Any, block: Any, indices: Any, values: Any, a: Any, b: Any, first: Any, out: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind, word = context.get_value_type(weights.dtype), ir.IntType(64)
            vector, bytes = ir.VectorType(kind, LANES), context.get_abi_sizeof(kind)
            zeros = ir.Constant(vector, [0.0] * LANES)
            stores = [[cgutils.alloca_once_value(builder, zeros) for _ in range(vectors)] for _ in range(2)]
            block, a, b, first = (arguments[i] for i in (1, 4, 5, 6))

            def data(i: int) -> Any:
                return context.make_array(signature.args[i])(context, builder, arguments[i]).data

            def at(pointer: Any, place: Any) -> Any:
                return builder.bitcast(builder.gep(pointer, [place]), vector.as_pointer())

            def add(k: Any, into: list[Any]) -> None:
                if isinstance(indices, types.NoneType):
                    attribute = builder.sub(k, a)
                else:
                    attribute = builder.zext(builder.load(builder.gep(data(2), [k])), word)
                begin = builder.add(builder.mul(attribute, block), first)
                value = None
                if not isinstance(values, types.NoneType):
                    one = builder.load(builder.gep(data(3), [k]))
                    one = context.cast(builder, one, values.dtype, weights.dtype)
                    value = spread(builder, one, LANES)
                for m, sum in enumerate(into):
                    part = builder.load(at(data(0), builder.add(begin, word(m * LANES))))
                    part.align = bytes
                    part = part if value is None else builder.fmul(part, value)
                    builder.store(builder.fadd(builder.load(sum), part), sum)

            pairs = builder.add(a, builder.and_(builder.sub(b, a), word(2**64 - 2)))
            with cgutils.for_range_slice(builder, a, pairs, word(2), intp=word) as (k, _):
                add(k, stores[0])
                add(builder.add(k, word(1)), stores[1])
            with builder.if_then(builder.icmp_unsigned("<", pairs, b)):
                add(pairs, stores[0])
            for m, (even, odd) in enumerate(zip(*stores, strict=True)):
                total = builder.fadd(builder.load(even), builder.load(odd))
                builder.store(total, at(data(7), builder.add(first, word(m * LANES)))).align = bytes
            return context.get_dummy_value()

        whole = (weights, types.uint64, indices, values, types.uint64, types.uint64, types.uint64, out)
        return types.void(*whole), generate

    return sums


_one, _two, _three, _four = (_summing(vectors) for vectors in range(1, MOST + 1))


def sum_by_class(weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any) -> Any:
    """`out[c]`: the sum over entries k from a to b of `weights[block * attribute + c]` times their values.

    For c below `width`, a multiple of LANES; without values all are 1, without indices attributes are 0, 1, ...
    """
    sums = np.zeros((2, int(width)), weights.dtype)
    real, size = weights.dtype.type, int(b) - int(a)
    for k in range(size):
        begin = int(block) * (k if indices is None else int(indices[int(a) + k]))
        turn = k % 2 if k < size - size % 2 else 0
        part = weights[begin : begin + int(width)]
        sums[turn] += part if values is None else part * real(values[int(a) + k])
    out[: int(width)] = sums[0] + sums[1]


@overload(sum_by_class, jit_options={"forceinline": True})
def _column_sums(
    weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(weights: Any, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Any) -> Any:
        first, many, three, two = np.uint64(0), np.uint64(4 * LANES), np.uint64(3 * LANES), np.uint64(2 * LANES)
        while first + many <= width:
            _four(weights, block, indices, values, a, b, first, out)
            first += many
        if first + three == width:
            _three(weights, block, indices, values, a, b, first, out)
        elif first + two == width:
            _two(weights, block, indices, values, a, b, first, out)
        elif first < width:
            _one(weights, block, indices, values, a, b, first, out)

    return compiled
