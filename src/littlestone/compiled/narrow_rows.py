"""Weights of narrow dense rows, kept in registers while a chunk is played.

A row of twenty attributes is scored in less time than an updated weight takes to come back from memory. So four vectors
of eight are held from the first round of a chunk to the last. Sums are those of `dense_dot`, in its order.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

from littlestone.compiled.llvm_vectors import load, spread, store, total, up_to, zeros

LANES, VECTORS = 8, 4
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


class _Parts:  # pragma: no cover - runs in the compiler
    """The four vectors of an array from a place on, and which lanes of each come before a count."""

    def __init__(self, context: Any, builder: Any, kind: Any, array: Any, first: Any, count: Any) -> None:
        data = context.make_array(kind)(context, builder, array).data
        self.vector, word = ir.VectorType(context.get_value_type(kind.dtype), LANES), ir.IntType(64)
        starts = [word(LANES * k) for k in range(VECTORS)]
        self.pointers = [builder.gep(data, [builder.add(first, start)]) for start in starts]
        self.here = [up_to(builder, builder.sub(count, start), LANES) for start in starts]
        self.builder = builder

    def load(self) -> list[Any]:
        places = zip(self.pointers, self.here, strict=True)
        return [load(self.builder, pointer, self.vector, here) for pointer, here in places]


def _registers(weights: Any) -> Any:
    return types.UniTuple(Register(weights.dtype), VECTORS)


@intrinsic
def _hold(typingctx: Any, weights: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.make_array(weights)(context, builder, arguments[0]).nitems
        parts = _Parts(context, builder, weights, arguments[0], size.type(0), size)
        return context.make_tuple(builder, signature.return_type, parts.load())

    return _registers(weights)(weights), generate


@intrinsic
def _release(typingctx: Any, held: Any, weights: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.make_array(weights)(context, builder, arguments[1]).nitems
        parts = _Parts(context, builder, weights, arguments[1], size.type(0), size)
        numbers = cgutils.unpack_tuple(builder, arguments[0], VECTORS)
        for part, pointer, here in zip(numbers, parts.pointers, parts.here, strict=True):
            store(builder, part, pointer, here)
        return context.get_dummy_value()

    return types.void(held, weights), generate


@intrinsic
def _held_dot(typingctx: Any, held: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        parts = _Parts(context, builder, values, *arguments[1:])
        numbers = cgutils.unpack_tuple(builder, arguments[0], VECTORS)
        a, b, c, d = (
            builder.select(here, builder.fmul(w, x), zeros(parts.vector))
            for w, x, here in zip(numbers, parts.load(), parts.here, strict=True)
        )
        return total(builder, builder.fadd(builder.fadd(a, c), builder.fadd(b, d)))

    return values.dtype(held, values, types.uint64, types.uint64), generate


@intrinsic
def _held_step(typingctx: Any, held: Any, delta: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        parts = _Parts(context, builder, values, *arguments[2:])
        numbers, along = cgutils.unpack_tuple(builder, arguments[0], VECTORS), spread(builder, arguments[1], LANES)
        moved = [builder.fadd(w, builder.fmul(along, x)) for w, x in zip(numbers, parts.load(), strict=True)]
        return context.make_tuple(builder, held, moved)

    return held(held, values.dtype, values, types.uint64, types.uint64), generate


def load_registers(weights: Any, indices: Any, values: Any) -> Any:
    """At most 32 weights in registers, or None: weights of sparse rows, or of rows of another type, stay in memory.

    In plain Python they always do.
    """


@overload(load_registers)
def _hold_compiled(weights: Any, indices: Any, values: Any) -> Any:  # pragma: no cover - runs in the compiler
    def taken(weights: Any, indices: Any, values: Any) -> Any:
        return _hold(weights)

    def left(weights: Any, indices: Any, values: Any) -> Any:
        return None

    dense = isinstance(indices, types.NoneType) and isinstance(values, types.Array)
    return taken if dense and values.dtype == weights.dtype else left


def dot_registers(held: Any, values: Any, first: Any, count: Any) -> Any:
    """The sum of what is held times `values[first : first + count]`; plain Python holds nothing."""
    raise NotImplementedError


@overload(dot_registers, jit_options={"forceinline": True})
def _held_dot_compiled(held: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    def compiled(held: Any, values: Any, first: Any, count: Any) -> Any:
        return _held_dot(held, values, first, count)

    return compiled


def step_registers(held: Any, delta: Any, values: Any, first: Any, count: Any) -> Any:
    """What is held plus delta times `values[first : first + count]`; plain Python holds nothing."""
    raise NotImplementedError


@overload(step_registers, jit_options={"forceinline": True})
def _held_step_compiled(held: Any, delta: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    def compiled(held: Any, delta: Any, values: Any, first: Any, count: Any) -> Any:
        return _held_step(held, delta, values, first, count)

    return compiled


def store_registers(held: Any, weights: Any) -> None:
    """Write what was held back to memory; plain Python holds nothing."""
    raise NotImplementedError


@overload(store_registers)
def _release_compiled(held: Any, weights: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(held: Any, weights: Any) -> Any:
        _release(held, weights)

    return compiled
