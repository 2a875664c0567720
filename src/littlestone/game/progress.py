"""Progress: a line on standard error while a long game is played, on a terminal only."""

import sys
from collections.abc import Callable
from typing import Any, Self

from littlestone.base.bound import Bound
from littlestone.base.printed_numbers import format_most
from littlestone.base.printed_text import find_terminal


class Progress:
    """A bar that counts rounds and mistakes, and how many mistakes are still possible.

    Args:
        wanted: Whether to show it, if standard error is a terminal.
        total: How many rounds there will be; None: it is not known.
        left: Gives the bound on the mistakes that are still possible, or None where there is none.
    """

    def __init__(self, wanted: bool, total: int | None, left: Callable[[], Bound | None] | None = None) -> None:
        self._bar: Any = None
        self._mistakes = 0
        self._left = left
        if wanted:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            console = Console(file=find_terminal(sys.stderr))
            if console.is_terminal:
                words = TextColumn("{task.fields[mistakes]:,} mistakes ({task.fields[rate]:.2%}){task.fields[left]}")
                columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), words, TimeElapsedColumn())
                self._bar = Bar(*columns, console=console, transient=True)
                self._task = self._bar.add_task("", total=total, mistakes=0, rate=0.0, left="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, rounds: int, mistakes: int) -> None:
        """Count rounds that were played, and the mistakes among them."""
        if self._bar is not None:
            self._mistakes += mistakes
            done = self._bar.tasks[0].completed + rounds
            rate = self._mistakes / done
            still = self._left() if self._left is not None else None
            left = "" if still is None else f", at most {format_most(still.value, still.counts)} more"
            self._bar.update(self._task, advance=rounds, mistakes=self._mistakes, rate=rate, left=left)
