"""Compile events: how long compiling takes, and what is done before the first of it."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Self

from numba.core.event import Listener, TimingListener, register, unregister


class CompileClock:
    """A context that measures the seconds within it in which something was compiled."""

    def __enter__(self) -> Self:
        self._listener = TimingListener()
        register("numba:compile", self._listener)
        return self

    def __exit__(self, *problem: object) -> None:
        unregister("numba:compile", self._listener)

    @property
    def seconds(self) -> float:
        """How long compiling has taken so far."""
        return float(self._listener.duration) if self._listener.done else 0.0


class _FirstCompile(Listener):  # type: ignore[misc]
    """Calls a function when something is compiled, once."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Any) -> None:
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Any) -> None:
        """Do nothing."""


def tell_first_compile(tell: Callable[[], None]) -> None:
    """Call a function before the first thing that this process compiles from now on."""
    register("numba:compile", _FirstCompile(tell))


def skip_scipy() -> None:
    """Compile without SciPy's linear algebra, in a process that runs nothing else, before its first kernel runs.

    Numba imports it for products of matrices in compiled code, of which there are none here, and that takes a quarter
    of a second.
    """
    tell_first_compile(_import_without_scipy)


def _import_without_scipy() -> None:
    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
        try:
            import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]
