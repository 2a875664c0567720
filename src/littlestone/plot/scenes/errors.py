"""Errors over rounds: of all rounds so far, of the latest ones, and of a constant guess."""

from typing import Any

import numpy as np

from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.replay import choose_last_round
from littlestone.plot.scenes.scene import Line, Mark, Scene

WINDOW = 1000  # the fewest rounds that the latest ones are
SETTLED = 50  # the mean over all rounds is drawn after this part of them: one mistake moves it much before


def compose_errors(game: Any, round: int | None = None) -> Scene:
    """Compose the share of mistakes of a game over its rounds, beside that of guessing the most frequent label."""
    rounds, mistakes = game.judged.points
    kept = rounds <= choose_last_round(game, round)
    counts = game.order.counts
    constant = 1 - int(counts.max()) / int(counts.sum()) if counts.sum() else None
    return compose_running_error((rounds[kept], mistakes[kept]), constant)


def compose_running_error(
    points: tuple[Any, Any],
    constant: float | None = None,
    name: str = "mistakes",
    percent: bool = True,
    root: bool = False,
    best: tuple[str, float] | None = None,
) -> Scene:
    """Compose the mean error over rounds, from what errors add up to after some of them.

    Args:
        points: Numbers of rounds, evenly spaced but for the last one, and what the errors up to each add up to.
        constant: The mean error of a constant guess over all rounds; None: not drawn.
        name: What the errors are.
        percent: Whether errors are shares, to be shown in percent.
        root: Whether errors are squares, of whose mean the root is shown.
        best: The name and the mean error over all rounds of the best member of a league; None: not drawn.
    """
    unit, form = (100.0, ".2f") if percent else (1.0, ".4g")
    rounds = np.asarray(points[0], np.int64)
    totals = unit * np.asarray(points[1], float)
    means = totals / np.maximum(rounds, 1)
    axis = f"{name}, %" if percent else name
    means = np.sqrt(means) if root else means
    if not len(rounds):
        return Scene("Error over rounds", [], "round", axis, "No round was played.", ("round", name))
    sign, last, (ends, latest) = "%" if percent else "", int(rounds[-1]), _find_latest(rounds, totals)
    latest = np.sqrt(latest) if root else latest
    drawn = rounds * SETTLED >= last
    marks: list[Mark] = [Line([0, last], [0.0, 0.0], "", "dotted", 6)]
    marks.append(Line(rounds[drawn].tolist(), means[drawn].tolist(), "all rounds so far", "solid", 0))
    words = f"{means[-1]:{form}}{sign} over all {last:,} rounds"
    if len(latest):
        marks.append(Line(ends.tolist(), latest.tolist(), f"the latest {ends[0]:,}", "dashed", 1))
        words += f", {latest[-1]:{form}}{sign} over the {ends[0]:,} up to round {ends[-1]:,}"
    if constant is not None:
        marks.append(Line([0, last], [unit * constant] * 2, "a constant guess", "dashdot", 2))
        words += f"; a constant guess {unit * constant:{form}}{sign}"
    if best is not None:
        marks.append(Line([0, last], [unit * best[1]] * 2, "the best member", "dotted", 3))
        words += f"; the best member, {best[0]}, {unit * best[1]:{form}}{sign}"
    rows = [(int(rounds[k]), f"{means[k]:{form}}{sign}") for k in choose_rows(len(rounds))]
    return Scene("Error over rounds", marks, "round", axis, f"{words}.", ("round", name), rows)


def _find_latest(rounds: Any, totals: Any) -> tuple[Any, Any]:
    """The rounds before which there were enough, and the mean error of the latest ones up to each.

    These are as many as the spacing allows: the least multiple of it that is at least WINDOW, the first of the rounds.
    """
    spacing = int(rounds[0])
    steps = -(-WINDOW // spacing)
    evenly = int((np.diff(rounds, prepend=0) == spacing).sum())
    sums = np.append(0.0, totals[:evenly])
    means = (sums[steps:] - sums[: max(0, len(sums) - steps)]) / (steps * spacing)
    return rounds[steps - 1 : evenly], means
