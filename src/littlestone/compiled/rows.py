"""Entries of a row inside a compiled loop: listed or dense, with values or all ones, asked for ahead of their use.

Which of these a row has is a matter of types: the compiler decides it once for each kernel, and not in every round.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import INT32, find_data


@intrinsic
def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, byte = find_data(context, builder, array, arguments[0]), ir.IntType(8).as_pointer()
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
        return _prefetch(array, index)

    def nothing(array: Any, index: Any) -> Any:
        pass

    return compiled if isinstance(array, types.Array) else nothing


def read_value(values: Any, k: Any) -> Any:
    """Return `values[k]`, or 1 where there are no values because every one of them is 1."""
    return np.float32(1.0) if values is None else values[k]


@overload(read_value, jit_options={"forceinline": True})
def _read_value_compiled(values: Any, k: Any) -> Any:  # pragma: no cover - runs in the compiler
    def ones(values: Any, k: Any) -> Any:
        return np.float32(1.0)

    def listed(values: Any, k: Any) -> Any:
        return values[k]

    return ones if isinstance(values, types.NoneType) else listed


def write_mark(marks: Any, t: Any, what: Any) -> Any:
    """Set `marks[t]`, or do nothing where there are no marks."""
    if marks is not None:
        marks[t] = what


@overload(write_mark)
def _write_mark_compiled(marks: Any, t: Any, what: Any) -> Any:  # pragma: no cover - runs in the compiler
    def nothing(marks: Any, t: Any, what: Any) -> Any:
        pass

    def listed(marks: Any, t: Any, what: Any) -> Any:
        marks[t] = what

    return nothing if isinstance(marks, types.NoneType | types.Omitted) else listed


def read_attribute(indices: Any, k: Any, first: Any) -> Any:
    """Return the attribute of entry k of a row that starts at `first`: listed, or by position where a row is dense."""
    return np.uint64(k - first) if indices is None else np.uint64(indices[k])


@overload(read_attribute, jit_options={"forceinline": True})
def _read_attribute_compiled(indices: Any, k: Any, first: Any) -> Any:  # pragma: no cover - runs in the compiler
    def dense(indices: Any, k: Any, first: Any) -> Any:
        return np.uint64(k - first)

    def listed(indices: Any, k: Any, first: Any) -> Any:
        return np.uint64(np.uint32(indices[k]))  # unsigned: no test for indices that count from the end

    return dense if isinstance(indices, types.NoneType) else listed


def is_dense(indices: Any) -> bool:
    """Return whether rows are dense: no attribute is listed, each stands at its place."""
    return indices is None


@overload(is_dense, jit_options={"forceinline": True})
def _is_dense_compiled(indices: Any) -> Any:  # pragma: no cover - runs in the compiler
    def yes(indices: Any) -> Any:
        return True

    def no(indices: Any) -> Any:
        return False

    return yes if isinstance(indices, types.NoneType) else no


def have_same_type(one: Any, other: Any) -> bool:
    """Return whether two arrays hold the same type of number."""
    return bool(one.dtype == other.dtype)


@overload(have_same_type)
def _have_same_type_compiled(one: Any, other: Any) -> Any:  # pragma: no cover - runs in the compiler
    def yes(one: Any, other: Any) -> Any:
        return True

    def no(one: Any, other: Any) -> Any:
        return False

    return yes if one.dtype == other.dtype else no
