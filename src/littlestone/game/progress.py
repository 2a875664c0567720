"""Progress: a line on standard error while a long game is played, on a terminal only."""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from littlestone.base.bound import Bound


class Progress:
    """Counts rounds and mistakes for whoever watches, and how many are still possible; silent unless wanted and on
    a terminal."""

    def __init__(self, wanted: bool, total: int | None, left: Callable[[], Bound | None] | None = None) -> None:
        self._bar: Any = None
        self._mistakes, self._left = 0, left
        if wanted:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            console = Console(stderr=True)
            if console.is_terminal:
                words = TextColumn("{task.fields[mistakes]:,} mistakes ({task.fields[rate]:.2%}){task.fields[left]}")
                columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), words, TimeElapsedColumn())
                self._bar = Bar(*columns, console=console, transient=True)
                self._task = self._bar.add_task("", total=total, mistakes=0, rate=0.0, left="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, rounds: int, mistakes: int) -> None:
        """Some more rounds were played, with so many mistakes among them."""
        if self._bar is not None:
            self._mistakes += mistakes
            done = self._bar.tasks[0].completed + rounds
            rate = self._mistakes / done
            still = self._left() if self._left is not None else None
            left = "" if still is None else f", at most {still.mistakes:,} more"
            self._bar.update(self._task, advance=rounds, mistakes=self._mistakes, rate=rate, left=left)
