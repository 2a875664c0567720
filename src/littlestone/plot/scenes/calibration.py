"""Calibration: how often a class came beside the chance that it was given, by tenths of that chance."""

from collections.abc import Sequence
from typing import Any

from littlestone.base.errors import require
from littlestone.base.printed_text import quote
from littlestone.plot.scenes.scene import Line, Mark, Note, Points, Scene

GUESS = ("the guess", "how often the guess was right")


def compose_calibration(game: Any) -> Scene:
    """Compose the calibration of a game whose learner gives chances to classes."""
    metrics = game.metrics
    require(bool(metrics.calibration), f"{game.player.learner} gives no chances to classes: there is none to draw")
    bins = [(one.rounds, one.said, one.came.value) for one in metrics.calibration]
    return compose_tenths(bins, metrics.labels)


def compose_tenths(bins: Sequence[tuple[int, float, float]], labels: Sequence[Any]) -> Scene:
    """Compose tenths of chances: the rounds of each, the mean chance, and how often it came.

    Of two labels it is the chance of the second, of more that of the guess.
    """
    rounds, said, came = zip(*bins, strict=True)
    off = sum(n * abs(s - c) for n, s, c in bins) / max(1, sum(rounds))
    words = (
        f"Of {sum(rounds):,} rounds; a chance is off by {off:.3f} on the mean. Beside each point stands how many rounds"
    )
    two = len(labels) <= 2
    name, came_true = (quote(labels[1]), f"how often {quote(labels[1])} came") if two else GUESS
    marks: list[Mark] = [
        Line([0, 1], [0, 1], "as often as said", "dotted", 6),
        Line(said, came, "", "solid", 0),
        Points(said, came, "a tenth of the chances"),
        *(Note(s, c, f"{n:,}") for n, s, c in bins),
    ]
    rows = [(f"{s:.3f}", f"{c:.3f}", n) for n, s, c in bins]
    header = ("chance given", "came", "rounds")
    return Scene("Calibration", marks, f"chance given to {name}", came_true, f"{words} it had.", header, rows)
