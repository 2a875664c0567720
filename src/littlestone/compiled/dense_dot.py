"""Dense dot products in sixteen lanes, summed in a fixed order."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import load, total, up_to, zeros

LANES = 16  # a dense dot product keeps this many partial sums in each of two vectors


@intrinsic
def _lanes_dot(typingctx: Any, weights: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    """Dense dot products in vectors, the last one filled up with zeros; see `dense_dot`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(weights.dtype)
        vector, size = ir.VectorType(kind, LANES), context.get_constant(types.uint64, LANES)
        w, x = (context.make_array(signature.args[i])(context, builder, arguments[i]).data for i in (0, 1))
        first, count = arguments[2], arguments[3]
        sums = [cgutils.alloca_once_value(builder, zeros(vector)) for _ in range(2)]

        def add(k: Any, into: Any, here: Any = None) -> None:
            pointers = (builder.gep(w, [k]), builder.gep(x, [builder.add(first, k)]))
            parts = (load(builder, pointer, vector, here) for pointer in pointers)
            builder.store(builder.fadd(builder.load(into), builder.fmul(*parts)), into)

        zero, pair = context.get_constant(types.uint64, 0), context.get_constant(types.uint64, 2 * LANES)
        in_pairs = builder.and_(count, context.get_constant(types.uint64, 2**64 - 2 * LANES))
        with cgutils.for_range_slice(builder, zero, in_pairs, pair, intp=in_pairs.type) as (k, _):
            add(k, sums[0])
            add(builder.add(k, size), sums[1])
        with builder.if_then(builder.icmp_unsigned(">=", builder.sub(count, in_pairs), size)):
            add(in_pairs, sums[0])
        whole = builder.and_(count, context.get_constant(types.uint64, 2**64 - LANES))
        rest = builder.sub(count, whole)
        with builder.if_then(builder.icmp_unsigned("!=", rest, zero)):
            add(whole, sums[1], up_to(builder, rest, LANES))
        return total(builder, builder.fadd(builder.load(sums[0]), builder.load(sums[1])))

    return weights.dtype(weights, values, types.uint64, types.uint64), generate


def _lanes_dot_plain(weights: Any, values: Any, first: Any, count: Any) -> Any:
    """The same sums in the same order, lane by lane."""
    sums = np.zeros((2, LANES), weights.dtype)
    whole, start = int(count) // LANES, int(first)
    for k in range(whole):
        turn = k % 2 if k < whole - whole % 2 else 0
        sums[turn] += weights[k * LANES : (k + 1) * LANES] * values[start + k * LANES : start + (k + 1) * LANES]
    rest = int(count) - whole * LANES
    if rest:
        sums[1, :rest] += weights[whole * LANES : int(count)] * values[start + whole * LANES : start + int(count)]
    level = sums[0] + sums[1]
    while len(level) > 1:
        level = level[: len(level) // 2] + level[len(level) // 2 :]
    return level[0]


def dense_dot(weights: Any, values: Any, first: Any, count: Any) -> Any:
    """The sum of `weights[k] * values[first + k]` for k < count, both of one floating type.

    Vectors of partial sums fix the order of summation, so that it does not depend on what the compiler makes of it.
    Where the two types differ, the terms are added one by one.
    """
    if weights.dtype != values.dtype:
        total = weights.dtype.type(0)
        for k in range(int(count)):
            total += weights[k] * weights.dtype.type(values[int(first) + k])
        return total
    return _lanes_dot_plain(weights, values, first, count)


@overload(dense_dot, jit_options={"forceinline": True})
def _dense_dot_compiled(weights: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    def never(weights: Any, values: Any, first: Any, count: Any) -> Any:
        return weights[0]  # dense rows always have values; this only has to type

    def mixed(weights: Any, values: Any, first: Any, count: Any) -> Any:
        real = weights.dtype.type
        total = real(0)
        for k in range(count):
            total += weights[k] * real(values[first + k])
        return total

    def compiled(weights: Any, values: Any, first: Any, count: Any) -> Any:
        return _lanes_dot(weights, values, first, count)

    if not isinstance(values, types.Array):
        return never
    return compiled if values.dtype == weights.dtype else mixed
