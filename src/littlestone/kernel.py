"""Compiled code: the one place that knows Numba.

A `rule` is a scalar function that is inlined into a loop; a `kernel` is a loop over arrays, compiled on its first
call. Arithmetic is strict IEEE: no fastmath, because a comparison of two sums decides a mistake.

Machine code is kept on disk in a folder named by a hash of every source of the package and of the versions of
Python, Numba and NumPy, so changed code never meets old machine code: Numba's own index looks at one file and misses
a change in a callee elsewhere. Where no such folder can be written, each process compiles for itself.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

F = TypeVar("F", bound=Callable[..., Any])


def _cache_folder() -> str | None:
    """The folder for this very code, or None where it cannot be made."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(f"\n{source.relative_to(root)}\n".encode())
        digest.update(source.read_bytes())
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "littlestone" / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        usable = os.access(folder, os.W_OK)
    except (OSError, RuntimeError):  # a read-only or missing home
        return None
    return str(folder) if usable else None


FOLDER = _cache_folder()


def _named(function: F) -> F:
    """Give a function that closes over others a name of its own.

    Numba names machine code by module, function and a number that starts anew in every process. Two closures of one
    factory, compiled in different processes, would carry one name, and whichever is loaded second would run the
    other's code.
    """
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    if cells:
        parts = [f"{cell.__module__}.{cell.__qualname__}" if callable(cell) else repr(cell) for cell in cells]
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
        function.__qualname__ = f"{function.__qualname__}_{digest}"
    return function


def rule(function: F) -> F:
    """A scalar rule: plain Python here, part of every kernel that calls it."""
    return cast(F, register_jitable(forceinline=True)(_named(function)))


def kernel(function: F) -> F:
    """Compile strictly on the first call, release the interpreter lock, keep the machine code on disk."""
    theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, FOLDER or ""
    try:
        return cast(F, numba.njit(nogil=True, cache=FOLDER is not None, error_model="numpy")(_named(function)))
    finally:
        numba.config.CACHE_DIR = theirs


@intrinsic
def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:  # pragma: no cover - runs in the compiler
    """Ask the memory for `array[index]` ahead of its use."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name=name)
        builder.call(function, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def prefetch(array: Any, index: Any) -> Any:
    """A hint to the memory; it changes no value, so plain Python has nothing to do."""


@overload(prefetch, jit_options={"forceinline": True})
def _prefetch_compiled(array: Any, index: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(array: Any, index: Any) -> Any:
        return _prefetch(array, index)

    return compiled


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def popcount(word: Any) -> Any:
    """How many of the 64 bits are set."""
    return np.uint64(int(word).bit_count())


@overload(popcount, jit_options={"forceinline": True})
def _popcount_compiled(word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(word: Any) -> Any:
        return _popcount(word)

    return compiled


def entry(values: Any, k: Any) -> Any:
    """`values[k]`, or 1 where there are no values because every one of them is 1."""
    return np.float32(1.0) if values is None else values[k]


@overload(entry, jit_options={"forceinline": True})
def _entry_compiled(values: Any, k: Any) -> Any:  # pragma: no cover - runs in the compiler
    def ones(values: Any, k: Any) -> Any:
        return np.float32(1.0)

    def listed(values: Any, k: Any) -> Any:
        return values[k]

    return ones if isinstance(values, types.NoneType) else listed


def note(marks: Any, t: Any, what: Any) -> Any:
    """`marks[t] = what`, or nothing where nobody keeps marks."""
    if marks is not None:
        marks[t] = what


@overload(note)
def _note_compiled(marks: Any, t: Any, what: Any) -> Any:  # pragma: no cover - runs in the compiler
    def nobody(marks: Any, t: Any, what: Any) -> Any:
        pass

    def kept(marks: Any, t: Any, what: Any) -> Any:
        marks[t] = what

    return nobody if isinstance(marks, types.NoneType | types.Omitted) else kept


def place(indices: Any, k: Any, first: Any) -> Any:
    """The attribute of entry k of a row that starts at `first`: listed, or by position where a row is dense."""
    return np.uint64(k - first) if indices is None else np.uint64(indices[k])


@overload(place, jit_options={"forceinline": True})
def _place_compiled(indices: Any, k: Any, first: Any) -> Any:  # pragma: no cover - runs in the compiler
    def dense(indices: Any, k: Any, first: Any) -> Any:
        return np.uint64(k - first)

    def listed(indices: Any, k: Any, first: Any) -> Any:
        return np.uint64(np.uint32(indices[k]))  # unsigned: no test for indices that count from the end

    return dense if isinstance(indices, types.NoneType) else listed


def is_dense(indices: Any) -> bool:
    """Whether rows are dense: no attribute is listed, each stands at its place."""
    return indices is None


@overload(is_dense, jit_options={"forceinline": True})
def _is_dense_compiled(indices: Any) -> Any:  # pragma: no cover - runs in the compiler
    def yes(indices: Any) -> Any:
        return True

    def no(indices: Any) -> Any:
        return False

    return yes if isinstance(indices, types.NoneType) else no


def same_type(one: Any, other: Any) -> bool:
    """Whether two arrays hold the same type of number; decided by the compiler."""
    return bool(one.dtype == other.dtype)


@overload(same_type)
def _same_type_compiled(one: Any, other: Any) -> Any:  # pragma: no cover - runs in the compiler
    def yes(one: Any, other: Any) -> Any:
        return True

    def no(one: Any, other: Any) -> Any:
        return False

    return yes if one.dtype == other.dtype else no


LANES = 16  # a dense dot product keeps this many partial sums in each of two vectors


@intrinsic
def _lanes_dot(typingctx: Any, weights: Any, values: Any, first: Any, count: Any) -> Any:  # pragma: no cover
    """The part of a dense dot product that fills whole vectors; see `dense_dot`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(weights.dtype)
        vector, size = ir.VectorType(kind, LANES), context.get_constant(types.uint64, LANES)
        w, x = (context.make_array(signature.args[i])(context, builder, arguments[i]).data for i in (0, 1))
        first, count = arguments[2], arguments[3]
        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES)) for _ in range(2)]

        def add(k: Any, into: Any) -> None:
            parts = []
            for pointer in (builder.gep(w, [k]), builder.gep(x, [builder.add(first, k)])):
                part = builder.load(builder.bitcast(pointer, vector.as_pointer()))
                part.align = context.get_abi_sizeof(kind)
                parts.append(part)
            builder.store(builder.fadd(builder.load(into), builder.fmul(*parts)), into)

        zero, pair = context.get_constant(types.uint64, 0), context.get_constant(types.uint64, 2 * LANES)
        in_pairs = builder.and_(count, context.get_constant(types.uint64, 2**64 - 2 * LANES))
        with cgutils.for_range_slice(builder, zero, in_pairs, pair, intp=in_pairs.type) as (k, _):
            add(k, sums[0])
            add(builder.add(k, size), sums[1])
        with builder.if_then(builder.icmp_unsigned(">=", builder.sub(count, in_pairs), size)):
            add(in_pairs, sums[0])
        total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
        half = LANES // 2
        while half:
            low, high = (
                ir.Constant(ir.VectorType(ir.IntType(32), half), [first + j for j in range(half)])
                for first in (0, half)
            )
            total = builder.fadd(*(builder.shuffle_vector(total, total, part) for part in (low, high)))
            half //= 2
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return weights.dtype(weights, values, types.uint64, types.uint64), generate


def _lanes_dot_plain(weights: Any, values: Any, first: Any, count: Any) -> Any:
    """The same sums in the same order, lane by lane."""
    sums = np.zeros((2, LANES), weights.dtype)
    whole, start = int(count) // LANES, int(first)
    for k in range(whole):
        turn = k % 2 if k < whole - whole % 2 else 0
        sums[turn] += weights[k * LANES : (k + 1) * LANES] * values[start + k * LANES : start + (k + 1) * LANES]
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
    total = _lanes_dot_plain(weights, values, first, count)
    for k in range(int(count) - int(count) % LANES, int(count)):
        total += weights[k] * values[int(first) + k]
    return total


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
        total = _lanes_dot(weights, values, first, count)
        for k in range(count - count % np.uint64(LANES), count):
            total += weights[k] * values[first + k]
        return total

    if not isinstance(values, types.Array):
        return never
    return compiled if values.dtype == weights.dtype else mixed


@intrinsic
def _bits_of_compiled(typingctx: Any, value: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def _float_of_compiled(typingctx: Any, bits: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


def bits_of(value: Any) -> Any:
    """The 64 bits of a float, as an integer."""
    return np.float64(value).view(np.int64)


def float_of(bits: Any) -> Any:
    """The float that has these 64 bits."""
    return np.int64(bits).view(np.float64)


@overload(bits_of, jit_options={"forceinline": True})
def _bits_of(value: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(value: Any) -> Any:
        return _bits_of_compiled(value)

    return compiled


@overload(float_of, jit_options={"forceinline": True})
def _float_of(bits: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(bits: Any) -> Any:
        return _float_of_compiled(bits)

    return compiled


@intrinsic
def _fma_compiled(typingctx: Any, a: Any, b: Any, c: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


def fma(a: Any, b: Any, c: Any) -> Any:
    """a b + c rounded once, which is one instruction where the processor has it and the same number where not."""
    return np.float64(float(Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))))


@overload(fma, jit_options={"forceinline": True})
def _fma(a: Any, b: Any, c: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(a: Any, b: Any, c: Any) -> Any:
        return _fma_compiled(a, b, c)

    return compiled


ROUNDER = 1.5 * 2.0**52  # adding it leaves a number rounded to an integer, in the low bits of the sum


@rule
def exponential(x: Any) -> Any:
    """e^x to about one unit in the last place, for x clamped to [-700, 700]: no branch and no call, so loops vectorise.

    x = n ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts so that r is as exact as x; e^r by its Taylor series, whose
    remainder r^13 / 13! is below 2^-52; 2^n by writing n into the exponent's bits.
    """
    x = min(max(x, -700.0), 700.0)
    shifted = fma(x, 1.4426950408889634, ROUNDER)
    n = shifted - ROUNDER
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, x))
    series = fma(1.0 / 479001600.0, r, 1.0 / 39916800.0)
    series = fma(series, r, 1.0 / 3628800.0)
    series = fma(series, r, 1.0 / 362880.0)
    series = fma(series, r, 1.0 / 40320.0)
    series = fma(series, r, 1.0 / 5040.0)
    series = fma(series, r, 1.0 / 720.0)
    series = fma(series, r, 1.0 / 120.0)
    series = fma(series, r, 1.0 / 24.0)
    series = fma(series, r, 1.0 / 6.0)
    series = fma(series, r, 0.5)
    series = fma(series, r, 1.0)
    series = fma(series, r, 1.0)
    return series * float_of((bits_of(shifted) + np.int64(1023)) << np.int64(52))


TILE = 8  # entries of a symmetric matrix that are worked on at once
PENDING = 4  # rank-one changes that wait to be applied at once


@intrinsic
def _symmetric_sweep(
    typingctx: Any,
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> Any:  # pragma: no cover - runs in the compiler
    """See `symmetric_sweep`."""
    changes = 0 if isinstance(pending, types.NoneType) else PENDING

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        real, lane = context.get_value_type(matrix.dtype), ir.IntType(32)
        vector, rows = ir.VectorType(real, TILE), PENDING if changes else TILE
        first, width, columns, at = arguments[1:5]

        def number(value: int) -> Any:
            return context.get_constant(types.uint64, value)

        def data(position: int) -> Any:
            return context.make_array(signature.args[position])(context, builder, arguments[position]).data

        def scalar(pointer: Any, k: Any) -> Any:
            return builder.load(builder.gep(pointer, [k]))

        def splat(value: Any) -> Any:
            undefined = ir.Constant(vector, ir.Undefined)
            one = builder.insert_element(undefined, value, lane(0))
            return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(lane, TILE), [0] * TILE))

        def load(pointer: Any, k: Any) -> Any:
            part = builder.load(builder.bitcast(builder.gep(pointer, [k]), vector.as_pointer()))
            part.align = context.get_abi_sizeof(real)
            return part

        def store(value: Any, pointer: Any, k: Any) -> None:
            part = builder.store(value, builder.bitcast(builder.gep(pointer, [k]), vector.as_pointer()))
            part.align = context.get_abi_sizeof(real)

        def total(parts: list[Any]) -> Any:
            while len(parts) > 1:
                parts = [builder.fadd(parts[k], parts[k + 1]) for k in range(0, len(parts), 2)]
            return parts[0]

        m, x, product = data(0), data(5), data(6)
        own, starts, lost, changed = [], [], [], []
        if changes:
            length = cgutils.unpack_tuple(builder, context.make_array(pending)(context, builder, arguments[7]).shape)[1]
            changed = [builder.gep(data(7), [builder.mul(length, number(q))]) for q in range(changes)]
            factor = splat(arguments[9])
        for r in range(rows):
            row = builder.add(at, number(r))
            starts.append(builder.add(first, builder.mul(width, number(r))))
            own.append(splat(scalar(x, row)))
            lost.append(
                [splat(builder.fmul(scalar(data(8), number(q)), scalar(changed[q], row))) for q in range(changes)]
            )
        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * TILE)) for _ in range(rows)]
        with cgutils.for_range_slice(builder, number(0), columns, number(TILE), intp=columns.type) as (k, _):
            here, moved, parts = load(x, k), [load(pointer, k) for pointer in changed], []
            for r in range(rows):
                place = builder.add(starts[r], k)
                entries = load(m, place)
                if changes:
                    loss = total([builder.fmul(lost[r][q], moved[q]) for q in range(changes)])
                    entries = builder.fmul(factor, builder.fsub(entries, loss))
                    store(entries, m, place)
                builder.store(builder.fadd(builder.load(sums[r]), builder.fmul(entries, here)), sums[r])
                parts.append(builder.fmul(entries, own[r]))
            store(builder.fadd(load(product, k), total(parts)), product, k)
        for r in range(rows):
            lanes = [builder.extract_element(builder.load(sums[r]), lane(k)) for k in range(TILE)]
            row = builder.gep(product, [builder.add(at, number(r))])
            builder.store(builder.fadd(builder.load(row), total(lanes)), row)
        return context.get_dummy_value()

    u64 = types.uint64
    return types.void(matrix, u64, u64, u64, u64, z, h, pending, shrink, scale), generate


def symmetric_sweep(
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> None:
    """Add to `h` what some rows of a symmetric matrix, left of its diagonal, and their mirror images give times `z`.

    Row `at` starts at `matrix[first]`, the next ones `width` further each; `columns`, a multiple of TILE, are taken.
    Without `pending` these are TILE rows. With it they are PENDING rows, and each entry first becomes
    scale (entry - sum of shrink[q] pending[q, row] pending[q, column]).
    """
    first, width, columns, at = int(first), int(width), int(columns), int(at)
    rows = range(TILE if pending is None else PENDING)
    sums = np.zeros((len(rows), TILE))
    for k in range(0, columns, TILE):
        here, parts = slice(k, k + TILE), []
        for r in rows:
            entries = matrix[first + r * width + k : first + r * width + k + TILE]
            if pending is not None:
                lost = [(shrink[q] * pending[q, at + r]) * pending[q, here] for q in range(PENDING)]
                entries[:] = scale * (entries - _tree_sum(lost))
            sums[r] += entries * z[here]
            parts.append(entries * z[at + r])
        h[here] += _tree_sum(parts)
    for r in rows:
        h[at + r] += _tree_sum(list(sums[r]))


def _tree_sum(parts: list[Any]) -> Any:
    """The sum, neighbours first."""
    while len(parts) > 1:
        parts = [parts[k] + parts[k + 1] for k in range(0, len(parts), 2)]
    return parts[0]


@overload(symmetric_sweep)
def _symmetric_sweep_compiled(
    matrix: Any,
    first: Any,
    width: Any,
    columns: Any,
    at: Any,
    z: Any,
    h: Any,
    pending: Any,
    shrink: Any,
    scale: Any,
) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(
        matrix: Any,
        first: Any,
        width: Any,
        columns: Any,
        at: Any,
        z: Any,
        h: Any,
        pending: Any,
        shrink: Any,
        scale: Any,
    ) -> Any:
        return _symmetric_sweep(matrix, first, width, columns, at, z, h, pending, shrink, scale)

    return compiled
