"""Vectors of machine code: what the rules that write them out share. All of it runs in the compiler."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils

INT32 = ir.IntType(32)


def spread(builder: Any, number: Any, lanes: int) -> Any:  # pragma: no cover
    """A vector that holds a number in every lane."""
    empty = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(empty, number, INT32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(INT32, lanes), [0] * lanes))


def up_to(builder: Any, count: Any, lanes: int) -> Any:  # pragma: no cover
    """Which lanes come before a count, all of them where it is larger, none where it is negative."""
    numbers = ir.Constant(ir.VectorType(INT32, lanes), list(range(lanes)))
    return builder.icmp_signed("<", numbers, spread(builder, builder.trunc(count, INT32), lanes))


def zeros(vector: Any) -> Any:  # pragma: no cover
    return ir.Constant(vector, [0.0] * vector.count)


def load(builder: Any, pointer: Any, vector: Any, here: Any = None) -> Any:  # pragma: no cover
    """The numbers from `pointer` on; zeros in the lanes that are not `here`, whose memory is left alone."""
    pointer = builder.bitcast(pointer, vector.as_pointer())
    if here is None:
        part = builder.load(pointer)
        part.align = _bytes(vector)
        return part
    return _masked(builder, "load", vector, vector, [pointer, INT32(_bytes(vector)), here, zeros(vector)])


def store(builder: Any, numbers: Any, pointer: Any, here: Any) -> None:  # pragma: no cover
    """Write the lanes that are `here`."""
    pointer = builder.bitcast(pointer, numbers.type.as_pointer())
    _masked(builder, "store", numbers.type, ir.VoidType(), [numbers, pointer, INT32(_bytes(numbers.type)), here])


def total(builder: Any, numbers: Any) -> Any:  # pragma: no cover
    """The sum of all lanes: the upper half is added to the lower one until one is left."""
    half = numbers.type.count // 2
    while half:
        places = ([first + j for j in range(half)] for first in (0, half))
        parts = [ir.Constant(ir.VectorType(INT32, half), part) for part in places]
        numbers = builder.fadd(*(builder.shuffle_vector(numbers, numbers, part) for part in parts))
        half //= 2
    return builder.extract_element(numbers, INT32(0))


def _bytes(vector: Any) -> int:  # pragma: no cover
    return 4 if isinstance(vector.element, ir.FloatType) else 8


def _masked(builder: Any, what: str, vector: Any, result: Any, given: list[Any]) -> Any:  # pragma: no cover
    name = f"llvm.masked.{what}.v{vector.count}f{8 * _bytes(vector)}.p0"
    kind = ir.FunctionType(result, [one.type for one in given])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
