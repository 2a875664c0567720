"""Rules, kernels, and a disk cache that cannot be stale.

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
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])


def _cache_folder() -> str | None:
    """The folder for this very code, or None where it cannot be made."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    root = Path(__file__).parents[1]
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
