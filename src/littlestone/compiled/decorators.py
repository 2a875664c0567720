"""Rules, kernels, and a disk cache that cannot be stale.

A `rule` is a function that is inlined into the kernels that call it; a `kernel` is a loop over arrays that Python
calls, compiled on its first call. Arithmetic is strict IEEE: no fastmath, because a comparison of two sums decides a
mistake.

Machine code is kept on disk, for each kernel in a folder named by a hash of everything that it is made of: its own
code, that of every rule and kernel it calls, the constants they read, this package, and the versions of Python, Numba
and NumPy. So changed code never meets old machine code (Numba's own index looks at one file and misses a change in a
callee elsewhere), and a change elsewhere compiles nothing again. No path is part of the name: all clones of the source
on one machine share what any of them compiled. The files are pickles, so a folder that belongs to another user or that
others may write to is not used. Where no folder can be used, each process compiles for itself.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.runtime import rtsys
from numba.extending import overload, register_jitable

F = TypeVar("F", bound=Callable[..., Any])


def _find_folder() -> tuple[str | None, bool]:
    """Find or make the folder for machine code.

    Returns:
        The folder, or None where it cannot be written.
        Whether it is new, so that everything will have to be compiled.
    """
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "littlestone"
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        usable = os.access(folder, os.W_OK) and _is_private(folder)
    except (OSError, RuntimeError):  # a read-only or missing home
        return None, True
    return (str(folder), fresh) if usable else (None, True)


def _is_private(folder: Path) -> bool:
    """Whether the folder belongs to this user and no other user may write to it; its files are pickles."""
    if not hasattr(os, "getuid"):  # Windows: a folder below the user's home
        return True
    found = folder.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def _hash_versions() -> bytes:
    """Hash what all machine code depends on: versions, and the sources of what this package adds to Numba."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.digest()


COMMON = _hash_versions()
VERSIONED = ("numba", "numpy", "llvmlite")  # packages whose version stands for their code
FOLDER, FRESH = _find_folder()


class _Fingerprint:
    """A hash of everything that a function is made of: its code and, in turn, that of all functions it calls."""

    def __init__(self, function: Any) -> None:
        self._digest = hashlib.sha256(COMMON)
        self._met = set[int]()
        self._add(function)
        self.text = self._digest.hexdigest()[:24]

    def _add(self, value: Any) -> None:
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, tuple):
            for part in value:
                self._add(part)
        elif isinstance(value, np.ndarray):
            self._digest.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
        elif isinstance(value, int | float | complex | str | bytes | NoneType | np.generic):
            self._digest.update(f"{type(value).__name__} {value!r}".encode())
        else:  # a module, a type, a function of Numba or NumPy: its version is known
            self._digest.update(str(getattr(value, "__name__", type(value).__name__)).encode())

    def _add_function(self, function: FunctionType) -> None:
        if id(function) in self._met or function.__module__.partition(".")[0] in VERSIONED:
            return
        self._met.add(id(function))
        self._digest.update(getattr(function, "rule_options", "").encode())  # how a rule is inlined changes its code
        names = self._add_code(function.__code__)
        for name in sorted(names):
            value = function.__globals__.get(name)
            self._digest.update(name.encode())
            self._add(value)
            if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "littlestone":
                for attribute in sorted(names & set(vars(value))):
                    self._add(vars(value)[attribute])
        for cell in function.__closure__ or ():
            self._add(cell.cell_contents)
        self._add(function.__defaults__)

    def _add_code(self, code: CodeType) -> set[str]:
        """Add code, and return the global names that it reads."""
        names = set(code.co_names)
        self._digest.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names |= self._add_code(constant)
            else:
                self._add(tuple(sorted(constant, key=repr)) if isinstance(constant, frozenset) else constant)
        return names


def _rename_closure(function: F) -> F:
    """Give a function that closes over others a name of its own, and return it.

    Numba names machine code by module, function and a number that starts anew in every process. Two closures of one
    factory, compiled in different processes, would carry one name, and the one that is loaded second would run the
    code of the other.
    """
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    if cells:
        parts = [f"{cell.__module__}.{cell.__qualname__}" if callable(cell) else repr(cell) for cell in cells]
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
        function.__qualname__ = f"{function.__qualname__}_{digest}"
    return function


class _ContentLocator:
    """Tells Numba where the machine code of a kernel is: in the folder named by the hash of its content.

    Numba's own locators add a hash of the path of the source file, and discard what is older than that file, so that
    every clone would compile everything again.
    """

    def __init__(self, function: Any) -> None:
        self._function = function

    @classmethod
    def from_function(cls, function: Any, path: str) -> "_ContentLocator":
        return cls(function)

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), mode=0o700, exist_ok=True)

    def get_cache_path(self) -> str:
        return find_place(self._function) or ""

    def get_source_stamp(self) -> str:
        return ""  # the name of the folder says all

    def get_disambiguator(self) -> str:
        return str(self._function.__module__)


class _MachineCode(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_ContentLocator,)


class _DiskCache(FunctionCache):  # type: ignore[misc]
    """Machine code on disk, found by the types of its arguments and by the machine.

    Numba's own key also has a hash of what a function closes over, which differs between a process that compiled a
    module and one that loaded its bytecode; here the name of the folder covers all of that. An index names types: one
    that names a type which no longer exists, or that is damaged, is thrown away. Whatever happens to these files costs
    time, and nothing else.
    """

    _impl_class = _MachineCode

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple()

    def __init__(self, function: Any) -> None:
        self._function = function
        self._open = False

    def _find_files(self) -> None:
        """Find the files when they are first needed: of the kernels of a module, most are never called."""
        if not self._open:
            super().__init__(self._function)
            self._impl.locator.ensure_cache_path()
            self._open = True

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            self._find_files()
            rtsys.initialize(target)  # all that machine code needs: the rest of what Numba can load is for compiling
            return self._load_overload(signature, target)
        except Exception:  # damaged bytes raise whatever they happen to look like
            self._throw_away()
            return None

    def save_overload(self, *given: Any) -> None:
        try:
            self._find_files()
            super().save_overload(*given)
        except Exception:  # a full disk, or a damaged index: the next process compiles again
            self._throw_away()

    def _throw_away(self) -> None:
        if self._open:
            with suppress(OSError):
                self.flush()


def rule(function: F) -> F:
    """Make a function a part of every kernel that calls it; in Python it stays what it is."""
    return _inline(function)


def array_rule(function: F) -> F:
    """Make a rule of a function that reads and writes arrays, but neither makes nor returns one.

    References to its arrays are then not counted. Where a function has loops or several ends, Numba cannot tell by
    itself that they need not be, and counting costs more than most rules.
    """
    return _inline(function, _nrt=False)


def long_rule(function: F) -> F:
    """Make an array rule of a long function, such as a stage of reading: only the kernels it is in are optimised.

    Numba optimises a rule by itself, in every rule that calls it, and in the kernel. For short rules that pays, since
    what is simple already is inlined better; for long ones it is a good part of the time that compiling takes.
    """
    return _inline(function, _nrt=False, pipeline_class=_LongRuleCompiler)


class _LongRuleCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a long rule, to be linked into that of others and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return what Numba takes for a function that Python cannot call."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "_LongRuleCode":
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: there is no machine code whose environment could be set."""


class _LongRuleCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with a library of the other kind."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _LongRuleCode(target.codegen(), "long rule"), *rest)


def _inline(function: F, **options: Any) -> F:
    known: Any = _rename_closure(function)
    known.rule_options = repr(sorted(options))  # part of what is hashed
    known.inlined = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    return cast(F, register_jitable(**known.inlined)(known))


def in_plain_python(plain: Any) -> Callable[[F], F]:
    """Let plain Python run another function in the place of a rule: the same to the bit, but made to be fast there.

    Loops over the entries of a row are slow in plain Python; operations of NumPy on all of them at once are not.
    """

    def make(function: F) -> F:
        known: Any = function
        # what is compiled, and so what is hashed
        plain.py_func = known
        plain.__qualname__ = known.__qualname__
        overload(plain, jit_options=known.inlined, strict=False)(lambda *given: known)
        return cast(F, plain)

    return make


@cache
def find_place(function: Any) -> str | None:
    """The folder with the machine code of a kernel, given as plain Python; None where none can be written."""
    return None if FOLDER is None else os.path.join(FOLDER, _Fingerprint(function).text)


def kernel(function: F) -> F:
    """Compile strictly on the first call, release the interpreter lock, keep the machine code on disk."""
    return _compile(function)


def array_kernel(function: F) -> F:
    """Make a kernel of a function that reads and writes arrays, but neither makes nor returns one: see `array_rule`."""
    return _compile(function, _nrt=False)


def _compile(function: F, **more: Any) -> F:
    known: Any = _rename_closure(function)
    known.rule_options = repr(sorted(more))  # part of what is hashed
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **more)(known)
    if FOLDER is not None and not numba.config.DISABLE_JIT:
        dispatcher._cache = _DiskCache(dispatcher.py_func)
    return cast(F, dispatcher)
