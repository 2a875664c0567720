"""Turns: a long chunk is played in calls of a fraction of a second, so that a signal is obeyed soon.

Python looks at signals between two calls of machine code. How many rounds a call plays follows from how long the last
ones took; what is learned does not depend on it. What takes signals sets `stop_asked`: the rounds played by then are
counted, and the rest of the chunk is left.

So it is with an interrupt in a program of a user's own: from the first call that learns until its rounds are counted,
Python's KeyboardInterrupt waits. State and tally agree when it comes.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# rounds times classes of the first call, and how long later ones should take
FIRST = 1 << 14
SECONDS = 0.2

stop_asked = threading.Event()


class _Interrupts:
    """Whether interrupts are held back, and whether one came; of the main thread alone, which gets them."""

    depth = 0  # of `count_first`
    held = False
    came = False

    def note(self, number: int, frame: Any) -> None:
        """Take an interrupt while they are held back."""
        self.came = True


_interrupts = _Interrupts()


def must_stop() -> bool:
    """Whether no more rounds are to be played after the call under way."""
    return stop_asked.is_set() or _interrupts.came


def hold_interrupts() -> None:
    """Hold interrupts back from now on, within `count_first`; a handler of a user's own is left alone."""
    if not _interrupts.depth or threading.current_thread() is not threading.main_thread():
        return
    if not _interrupts.held and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _interrupts.held = True
        signal.signal(signal.SIGINT, _interrupts.note)


@contextmanager
def count_first() -> Iterator[None]:
    """Let an interrupt that was held back come at the end, when the rounds that were learned are counted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _interrupts.depth += 1
    try:
        yield
    finally:
        _interrupts.depth -= 1
        if _interrupts.held and not _interrupts.depth:
            came = _interrupts.came
            _interrupts.held = False
            _interrupts.came = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if came:
                raise KeyboardInterrupt


class Turn:
    """How many rounds to play in one call."""

    def __init__(self, classes: int) -> None:
        self.rounds = max(1, FIRST // classes)
        self._begun = 0.0

    def begin(self) -> None:
        """Look at the clock before a call."""
        self._begun = time.perf_counter()

    def note(self, played: int) -> None:
        """Learn from how long the last call took for the rounds that it played."""
        took = time.perf_counter() - self._begun
        fitting = int(played * SECONDS / max(took, 1e-9))
        self.rounds = max(1, min(fitting, 2 * self.rounds))
