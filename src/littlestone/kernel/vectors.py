"""Vectors of machine code: what the rules that write them out share."""

from typing import Any

from llvmlite import ir


def spread(builder: Any, number: Any, lanes: int) -> Any:  # pragma: no cover - runs in the compiler
    """A vector that holds a number in every lane."""
    empty = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(empty, number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))
