"""Signals: a run is stopped between two calls that learn, or at once while it waits for data."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

from littlestone.game.turns import stop_asked

T = TypeVar("T")


class StoppedWaiting(BaseException):
    """A signal came while data were waited for; no handler of errors on the way may take it for one."""


class Signals:
    """What was asked of this process from outside while it ran.

    The first signal is noted, and ends a wait for data; a second one ends all. `number` is that of the signal, 0 before
    one came; `cut_short` says whether data were left unread for it.
    """

    def __init__(self) -> None:
        self.number = 0
        self.cut_short = False
        self._waits = False

    def listen(self, stack: ExitStack) -> None:
        """Take interrupts, requests to end and hang-ups from now on, until the stack is left."""
        stack.callback(stop_asked.clear)
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            unwanted = name == "SIGHUP" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # as `nohup` wants it
            if number is not None and not unwanted:
                stack.callback(signal.signal, number, signal.signal(number, self._note))

    def read(self, items: Iterator[T]) -> Iterator[T]:
        """The items, until one that a signal came before."""
        while True:
            try:
                self._waits = True
                if self.number:
                    raise StoppedWaiting
                item = next(items, None)
            except StoppedWaiting:
                self.cut_short = True
                return
            finally:
                self._waits = False
            if item is None:
                return
            yield item

    def _note(self, number: int, frame: Any) -> None:
        if self.number:
            raise KeyboardInterrupt
        self.number = number
        stop_asked.set()
        if self._waits:
            raise StoppedWaiting
