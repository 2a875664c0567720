"""Late kernels: plain Python while there is little to do, machine code once it pays.

Compiling a loop over rows or bytes takes from one second to six; many files take less than that as plain Python. So a
late kernel runs as it is written until that has taken `PATIENCE` seconds, counted over all runs on this machine, or
would take longer by what it took so far; then it is compiled, and kept. What it does is the same, to the bit.

A file beside the machine code of a kernel says how long it has run as plain Python. Where no file can be written, each
process counts for itself. With LITTLESTONE_COMPILE=now everything is compiled at its first call.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np

from littlestone.compiled.decorators import F, find_place, kernel

PATIENCE = 2.0  # seconds that a kernel may run as plain Python before it is compiled
PACE = 3e-6  # seconds for a byte or an entry, before calls have told
BEFORE = 100_000  # bytes or entries that this counts for: the first calls are short, and take longer than others
NOTED = 0.01  # seconds after which the file is written again: less costs too little to be counted
COMPILE_NOW = "LITTLESTONE_COMPILE"


class _Here(threading.local):
    """What is so in this thread."""

    plain = False  # whether a late kernel runs as plain Python: what it calls does the same


here = _Here()


def compile_at_once() -> None:
    """From now on compile every kernel at its first call, in this process."""
    os.environ[COMPILE_NOW] = "now"


class _HeldInterrupt:
    """A context in which an interrupt from the keyboard waits for its end, as it waits for that of machine code."""

    def __enter__(self) -> None:
        self._came = self._holds = False
        if threading.current_thread() is threading.main_thread():
            self._holds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._holds:
            signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *problem: object) -> None:
        if self._holds:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._came:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: Any) -> None:
        self._came = True


class LateKernel:
    """A kernel that is compiled when running it as plain Python has taken long.

    Args:
        compiled: The kernel as Numba has it.
        count: How much there is to do in a call with given arguments, in bytes or entries.
        times: How many times `PATIENCE` it may run as plain Python.
    """

    def __init__(self, compiled: Any, count: Callable[..., Any], times: float = 1.0) -> None:
        self.compiled = compiled
        self.py_func = compiled.py_func
        self._count = count
        self._times = times
        update_wrapper(self, self.py_func)
        self._spent = -1.0
        self._written = 0.0
        self._ready = False
        self._work, self._took = float(BEFORE), PACE * BEFORE

    def __reduce__(self) -> Any:
        """Pickle what Numba can: in another process it is a kernel like others."""
        return _take, (self.compiled,)

    @property
    def _numba_type_(self) -> Any:
        """What a kernel that calls it compiles: the same as if it were one like others."""
        return numba.typeof(self.compiled)

    def __call__(self, *arguments: Any) -> Any:
        if here.plain:
            return self.py_func(*arguments)
        if not self._ready:
            work = self._count(*arguments)
            self._ready = self._must_compile(work)
            if not self._ready:
                return self._run_plainly(work, arguments)
        return self.compiled(*arguments)

    def foresee(self, work: Any) -> None:
        """Decide by how much there is to do in all calls to come, where that is known before the first of them."""
        self._ready = self._ready or self._must_compile(work)

    def _must_compile(self, work: Any) -> bool:
        """Whether there is machine code, or it pays to make it now."""
        if os.environ.get(COMPILE_NOW) == "now":
            return True
        if self._spent < 0:
            self._spent = self._written = self._read_spent()
        return self._spent + self._took / self._work * float(work) > self._times * PATIENCE

    def _run_plainly(self, work: Any, arguments: tuple[Any, ...]) -> Any:
        started = time.thread_time()
        here.plain = True
        try:
            with (
                _HeldInterrupt(),
                np.errstate(all="ignore"),
            ):  # as in machine code: words wrap around, and 1 / 0 is infinite
                return hand_over(self.py_func(*arguments))
        finally:
            here.plain = False
            took = time.thread_time() - started
            self._work, self._took, self._spent = self._work + float(work), self._took + took, self._spent + took
            if self._spent > self._written + NOTED:
                self._write_spent()

    @property
    def _note(self) -> Path | None:
        """The file that says for how long it has run as plain Python."""
        place = find_place(self.py_func)
        return None if place is None else Path(place, "plain")

    def _read_spent(self) -> float:
        """How long earlier runs took as plain Python; for ever, if there is machine code."""
        note = self._note
        if note is None:
            return 0.0
        with suppress(OSError):
            if any(note.parent.glob("*/*.nbi")):
                return np.inf
        with suppress(OSError, ValueError):
            return max(float(note.read_text()), 0.0)
        return 0.0

    def _write_spent(self) -> None:
        note = self._note
        self._written = self._spent
        if note is not None:
            with suppress(OSError):
                note.parent.mkdir(parents=True, exist_ok=True)
                note.write_text(f"{self._spent:.6f}")


def _take(compiled: Any) -> Any:
    return compiled


def hand_over(answer: Any) -> Any:
    """The answer of a kernel as machine code gives it: numbers of Python instead of NumPy's."""
    if isinstance(answer, tuple):
        parts = [hand_over(part) for part in answer]
        return type(answer)(*parts) if hasattr(answer, "_fields") else tuple(parts)
    return answer.item() if isinstance(answer, np.generic) else answer


def late_kernel(
    count: Callable[..., Any], times: float = 1.0, decorate: Callable[[Any], Any] = kernel
) -> Callable[[F], F]:
    """Make a kernel that is compiled once that pays.

    Args:
        count: How much a call has to do, in bytes or entries.
        times: How many times `PATIENCE` it may run as plain Python, if compiling takes longer than that of others.
        decorate: What makes it a kernel: `kernel` or `array_kernel`.
    """

    def make(function: F) -> F:
        made: Any = decorate(function)
        if not hasattr(made, "py_func"):  # without Numba's compiler: as it is written
            return cast(F, made)
        return cast(F, LateKernel(made, count, times))

    return make


def foresee(late: Any, work: Any) -> None:
    """Tell a late kernel how much there is to do in all calls to come."""
    if isinstance(late, LateKernel):
        late.foresee(work)
