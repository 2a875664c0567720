"""Entries of a row inside a compiled loop: listed or dense, with values or all ones, asked for ahead of their use.

Which of these a row has is a matter of types: the compiler decides it once for each kernel, and not in every round.
What `is None` rules out is dropped, though it must have a type.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.decorators import rule
from littlestone.compiled.llvm_vectors import INT32, find_data


@intrinsic
def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = find_data(context, builder, array, arguments[0])
        byte = ir.IntType(8).as_pointer()
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, INT32, INT32, INT32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, INT32(0), INT32(3), INT32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def prefetch(array: Any, index: Any) -> Any:
    """Ask the memory for `array[index]` ahead of its use; this changes no value, and does nothing in plain Python."""


@overload(prefetch, jit_options={"forceinline": True})
def _prefetch_compiled(array: Any, index: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(array: Any, index: Any) -> Any:
        if array is not None:
            _prefetch(array, index)

    return compiled


@rule
def read_value(values: Any, k: Any) -> Any:
    """Return `values[k]`, or 1 where there are no values because every one of them is 1."""
    return np.float32(1.0) if values is None else values[k]


@rule
def write_mark(marks: Any, t: Any, what: Any) -> Any:
    """Set `marks[t]`, or do nothing where there are no marks."""
    if marks is not None:
        marks[t] = what


@rule
def read_attribute(indices: Any, k: Any, first: Any) -> Any:
    """Return the attribute of entry k of a row that starts at `first`: listed, or by position where a row is dense."""
    if indices is None:
        return np.uint64(k - first)
    return np.uint64(np.uint32(indices[k]))  # unsigned: no test for indices that count from the end


@rule
def is_dense(indices: Any) -> bool:
    """Return whether rows are dense: no attribute is listed, each stands at its place."""
    return indices is None


@rule
def have_same_type(one: Any, other: Any) -> Any:
    """Return whether two arrays hold the same type of number."""
    return one.dtype == other.dtype
