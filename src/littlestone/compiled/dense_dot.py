"""Dense dot products in sixteen lanes, summed in a fixed order."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import WORD, find_data, load, make_zeros, mask_below, sum_lanes

LANES = 16  # a dense dot product keeps this many partial sums in each of two vectors


@intrinsic
def _dot_lanes(typingctx: Any, weights: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    """Return the dot product, the last vector filled up with zeros; see `dense_dot`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(context.get_value_type(weights.dtype), LANES)
        w, x = (find_data(context, builder, signature.args[k], arguments[k]) for k in (0, 1))
        first, count = arguments[2:]
        sums = [cgutils.alloca_once_value(builder, make_zeros(vector)) for _ in range(2)]

        def add(k: Any, into: Any, mask: Any = None) -> None:
            pointers = (builder.gep(w, [k]), builder.gep(x, [builder.add(first, k)]))
            parts = (load(builder, pointer, vector, mask) for pointer in pointers)
            builder.store(builder.fadd(builder.load(into), builder.fmul(*parts)), into)

        in_pairs = builder.and_(count, WORD(2**64 - 2 * LANES))
        with cgutils.for_range_slice(builder, WORD(0), in_pairs, WORD(2 * LANES), intp=WORD) as (k, _):
            add(k, sums[0])
            add(builder.add(k, WORD(LANES)), sums[1])
        with builder.if_then(builder.icmp_unsigned(">=", builder.sub(count, in_pairs), WORD(LANES))):
            add(in_pairs, sums[0])
        whole = builder.and_(count, WORD(2**64 - LANES))
        rest = builder.sub(count, whole)
        with builder.if_then(builder.icmp_unsigned("!=", rest, WORD(0))):
            add(whole, sums[1], mask_below(builder, rest, LANES))
        return sum_lanes(builder, builder.fadd(builder.load(sums[0]), builder.load(sums[1])))

    return weights.dtype(weights, values, types.uint64, types.uint64), generate


def dense_dot(weights: Any, values: Any, first: Any, count: Any) -> Any:
    """Return the sum of `weights[k] * values[first + k]` for k < count.

    Two vectors of partial sums fix the order of summation, so that it does not depend on what the compiler makes of it.
    Where the two arrays are of different types, the terms are added one by one.
    """
    start = int(first)
    size = int(count)
    if weights.dtype != values.dtype:
        total = weights.dtype.type(0)
        for k in range(size):
            total += weights[k] * weights.dtype.type(values[start + k])
        return total
    sums = np.zeros((2, LANES), weights.dtype)
    whole = size // LANES
    for k in range(whole):
        turn = k % 2 if k < whole - whole % 2 else 0
        here = slice(k * LANES, (k + 1) * LANES)
        sums[turn] += weights[here] * values[start:][here]
    rest = slice(whole * LANES, size)
    sums[1, : size % LANES] += weights[rest] * values[start:][rest]
    level = sums[0] + sums[1]
    while len(level) > 1:
        level = level[: len(level) // 2] + level[len(level) // 2 :]
    return level[0]


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
        return _dot_lanes(weights, values, first, count)

    if not isinstance(values, types.Array):
        return never
    return compiled if values.dtype == weights.dtype else mixed
