"""Weights of narrow dense rows, kept in registers while a chunk is played.

A row of twenty attributes is scored in less time than an updated weight takes to come back from memory. So four vectors
of eight are kept from the first round of a chunk to the last. Sums are those of `dense_dot`, in its order.

In plain Python weights always stay in memory: `load_registers` returns None, and nothing else here is called.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

from littlestone.compiled.llvm_vectors import WORD, load, make_zeros, mask_below, spread, store, sum_lanes

LANES = 8
VECTORS = 4
NARROW = LANES * VECTORS  # attributes


class Register(types.Type):  # type: ignore[misc]
    """Eight floating numbers in a register."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"Register({dtype})")


@register_model(Register)
class _RegisterModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        number = ir.FloatType() if kind.dtype == types.float32 else ir.DoubleType()
        super().__init__(manager, kind, ir.VectorType(number, LANES))


class _Vectors:  # pragma: no cover - runs in the compiler
    """The four vectors of an array from a place on, and which lanes of each come before a count."""

    def __init__(self, context: Any, builder: Any, kind: Any, array: Any, span: Any = None) -> None:
        entries = context.make_array(kind)(context, builder, array)
        first, count = (WORD(0), entries.nitems) if span is None else span
        starts = [WORD(LANES * k) for k in range(VECTORS)]
        self.builder, self.vector = builder, ir.VectorType(context.get_value_type(kind.dtype), LANES)
        self.pointers = [builder.gep(entries.data, [builder.add(first, start)]) for start in starts]
        self.masks = [mask_below(builder, builder.sub(count, start), LANES) for start in starts]

    def load(self) -> list[Any]:
        places = zip(self.pointers, self.masks, strict=True)
        return [load(self.builder, pointer, self.vector, mask) for pointer, mask in places]


@intrinsic
def _load_registers(typingctx: Any, weights: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vectors = _Vectors(context, builder, weights, arguments[0])
        return context.make_tuple(builder, signature.return_type, vectors.load())

    return types.UniTuple(Register(weights.dtype), VECTORS)(weights), generate


@intrinsic
def store_registers(typingctx: Any, registers: Any, weights: Any) -> Any:  # pragma: no cover
    """Write the weights in registers back to memory."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vectors = _Vectors(context, builder, weights, arguments[1])
        numbers = cgutils.unpack_tuple(builder, arguments[0], VECTORS)
        for part, pointer, mask in zip(numbers, vectors.pointers, vectors.masks, strict=True):
            store(builder, part, pointer, mask)
        return context.get_dummy_value()

    return types.void(registers, weights), generate


@intrinsic
def dot_registers(typingctx: Any, registers: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    """Return the sum of the weights in registers times `values[first : first + count]`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vectors = _Vectors(context, builder, values, arguments[1], arguments[2:])
        numbers = cgutils.unpack_tuple(builder, arguments[0], VECTORS)
        a, b, c, d = (
            builder.select(mask, builder.fmul(w, x), make_zeros(vectors.vector))
            for w, x, mask in zip(numbers, vectors.load(), vectors.masks, strict=True)
        )
        return sum_lanes(builder, builder.fadd(builder.fadd(a, c), builder.fadd(b, d)))

    return values.dtype(registers, values, types.uint64, types.uint64), generate


@intrinsic
def step_registers(
    typingctx: Any, registers: Any, delta: Any, values: Any, first: Any, count: Any
) -> Any:  # pragma: no cover - runs in the compiler
    """Return the weights in registers plus delta times `values[first : first + count]`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vectors = _Vectors(context, builder, values, arguments[2], arguments[3:])
        numbers = cgutils.unpack_tuple(builder, arguments[0], VECTORS)
        along = spread(builder, arguments[1], LANES)
        moved = [builder.fadd(w, builder.fmul(along, x)) for w, x in zip(numbers, vectors.load(), strict=True)]
        return context.make_tuple(builder, registers, moved)

    return registers(registers, values.dtype, values, types.uint64, types.uint64), generate


def load_registers(weights: Any, indices: Any, values: Any) -> Any:
    """Return at most 32 weights in registers, or None: weights of sparse rows, or of rows of another type, stay."""


@overload(load_registers)
def _load_registers_compiled(weights: Any, indices: Any, values: Any) -> Any:  # pragma: no cover
    def loaded(weights: Any, indices: Any, values: Any) -> Any:
        return _load_registers(weights)

    def nothing(weights: Any, indices: Any, values: Any) -> Any:
        return None

    dense = isinstance(indices, types.NoneType) and isinstance(values, types.Array)
    return loaded if dense and values.dtype == weights.dtype else nothing
