"""Vectors in LLVM's language: what the intrinsics of this room share. All of it runs inside the compiler."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils

INT32, WORD = ir.IntType(32), ir.IntType(64)


def find_data(context: Any, builder: Any, kind: Any, array: Any) -> Any:  # pragma: no cover
    """Return the pointer to the first entry of an array of a Numba type."""
    return context.make_array(kind)(context, builder, array).data


def spread(builder: Any, number: Any, lanes: int) -> Any:  # pragma: no cover
    """Return a vector that holds a number in every lane."""
    empty = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(empty, number, INT32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(INT32, lanes), [0] * lanes))


def mask_below(builder: Any, count: Any, lanes: int) -> Any:  # pragma: no cover
    """Return which lanes come before a count: all of them where it is larger, none where it is negative."""
    numbers = ir.Constant(ir.VectorType(INT32, lanes), list(range(lanes)))
    return builder.icmp_signed("<", numbers, spread(builder, builder.trunc(count, INT32), lanes))


def make_zeros(vector: Any) -> Any:  # pragma: no cover
    """Return a vector of zeros."""
    return ir.Constant(vector, [0.0] * vector.count)


def load(builder: Any, pointer: Any, vector: Any, mask: Any = None) -> Any:  # pragma: no cover
    """Return the numbers from a pointer on; zeros in lanes outside of the mask, whose memory is not touched."""
    pointer = builder.bitcast(pointer, vector.as_pointer())
    if mask is None:
        part = builder.load(pointer)
        part.align = _count_bytes(vector)
        return part
    return _call_masked(
        builder, "load", vector, vector, [pointer, INT32(_count_bytes(vector)), mask, make_zeros(vector)]
    )


def store(builder: Any, numbers: Any, pointer: Any, mask: Any = None) -> None:  # pragma: no cover
    """Write a vector from a pointer on, or those of its lanes that are in the mask."""
    vector = numbers.type
    pointer = builder.bitcast(pointer, vector.as_pointer())
    if mask is None:
        builder.store(numbers, pointer).align = _count_bytes(vector)
    else:
        _call_masked(builder, "store", vector, ir.VoidType(), [numbers, pointer, INT32(_count_bytes(vector)), mask])


def sum_lanes(builder: Any, numbers: Any) -> Any:  # pragma: no cover
    """Return the sum of all lanes: the upper half is added to the lower one until one is left."""
    half = numbers.type.count // 2
    while half:
        places = ([first + j for j in range(half)] for first in (0, half))
        parts = [ir.Constant(ir.VectorType(INT32, half), part) for part in places]
        numbers = builder.fadd(*(builder.shuffle_vector(numbers, numbers, part) for part in parts))
        half //= 2
    return builder.extract_element(numbers, INT32(0))


def _count_bytes(vector: Any) -> int:  # pragma: no cover
    return 4 if isinstance(vector.element, ir.FloatType) else 8


def _call_masked(builder: Any, what: str, vector: Any, result: Any, given: list[Any]) -> Any:  # pragma: no cover
    name = f"llvm.masked.{what}.v{vector.count}f{8 * _count_bytes(vector)}.p0"
    kind = ir.FunctionType(result, [one.type for one in given])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
