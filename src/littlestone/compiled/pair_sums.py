"""Sums over a dense row of weights with a number beside each: by the weights, and by their average.

The sum by the average is one chain of additions in float64, and a chain takes its time; what leads to it is done for
four entries at once, so that the processor sees far enough ahead to have the chains of several rows under way.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import INT32, WORD, find_data, load, make_zeros, spread

LANES = 4


def sum_pairs(weights: Any, indices: Any, values: Any, first: Any, count: Any, share: Any, score: Any) -> Any:
    """Add up the first entries of a row, a multiple of four, if it is dense and of the type of the weights.

    In plain Python, and for other rows, nothing is added: the caller does it, entry by entry and with the same result.

    Returns:
        Four partial sums of weight times value, in the type of the weights: entry k is in number k modulo 4.
        `score` and, one after another, (weight - share times the number beside it) times value, in float64.
        How many entries were added.
    """
    real = weights.dtype.type
    return real(0), real(0), real(0), real(0), score, 0 * count


@intrinsic
def _sum_pairs(
    typingctx: Any, weights: Any, values: Any, first: Any, count: Any, share: Any, score: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, double = context.get_value_type(weights.dtype), ir.DoubleType()
        four = ir.VectorType(number, LANES)
        pairs = ir.VectorType(number, 2 * LANES)
        w, x = (find_data(context, builder, signature.args[k], arguments[k]) for k in (0, 1))
        first, count, share, score = arguments[2:]
        sums = cgutils.alloca_once_value(builder, make_zeros(four))
        total = cgutils.alloca_once_value(builder, score)
        shares = spread(builder, share, LANES)

        def widen(numbers: Any) -> Any:
            return numbers if number == double else builder.fpext(numbers, ir.VectorType(double, LANES))

        with cgutils.for_range_slice(builder, WORD(0), count, WORD(LANES), intp=WORD) as (k, _):
            both = load(builder, builder.gep(w, [builder.shl(k, WORD(1))]), pairs)
            places = ([2 * j + side for j in range(LANES)] for side in (0, 1))
            constants = [ir.Constant(ir.VectorType(INT32, LANES), one) for one in places]
            weight, beside = (builder.shuffle_vector(both, both, one) for one in constants)
            value = load(builder, builder.gep(x, [builder.add(first, k)]), four)
            builder.store(builder.fadd(builder.load(sums), builder.fmul(weight, value)), sums)
            mean = builder.fsub(widen(weight), builder.fmul(widen(beside), shares))
            terms = builder.fmul(mean, widen(value))
            chain = builder.load(total)
            for j in range(LANES):
                chain = builder.fadd(chain, builder.extract_element(terms, INT32(j)))
            builder.store(chain, total)
        last = builder.load(sums)
        parts = [builder.extract_element(last, INT32(j)) for j in range(LANES)]
        return context.make_tuple(builder, signature.return_type, [*parts, builder.load(total)])

    real = weights.dtype
    words = (types.uint64, types.uint64, types.float64, types.float64)
    return types.Tuple((real, real, real, real, types.float64))(weights, values, *words), generate


@overload(sum_pairs, jit_options={"forceinline": True})
def _sum_pairs_compiled(
    weights: Any, indices: Any, values: Any, first: Any, count: Any, share: Any, score: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def vectors(weights: Any, indices: Any, values: Any, first: Any, count: Any, share: Any, score: Any) -> Any:
        s0, s1, s2, s3, total = _sum_pairs(weights, values, first, count, share, score)
        return s0, s1, s2, s3, total, count

    dense = isinstance(indices, types.NoneType) and isinstance(values, types.Array)
    return vectors if dense and values.dtype == weights.dtype else sum_pairs
