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
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

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


def rule(function: F) -> F:
    """A scalar rule: plain Python here, inlined where a kernel calls it."""
    return cast(F, register_jitable(inline="always")(function))


def routine(function: F) -> F:
    """A rule with loops or branches of its own: compiled with whichever kernel calls it, and left to LLVM to inline.

    Numba inlines a `rule` itself, before it knows types; a body that branches, inlined twice into one kernel, costs
    seconds of compilation and draws warnings.
    """
    return cast(F, register_jitable(function))


def kernel(function: F) -> F:
    """Compile strictly on the first call, release the interpreter lock, keep the machine code on disk."""
    theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, FOLDER or ""
    try:
        return cast(F, numba.njit(nogil=True, cache=FOLDER is not None, error_model="numpy")(function))
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


@numba.extending.overload(prefetch, inline="always")
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


@numba.extending.overload(popcount, inline="always")
def _popcount_compiled(word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(word: Any) -> Any:
        return _popcount(word)

    return compiled
