"""Calibration: how often a class came beside the chance that it was given, by tenths of that chance."""

from collections.abc import Sequence
from typing import Any

from littlestone.base.errors import require
from littlestone.base.printed_text import quote
from littlestone.plot.scenes.scene import Line, Mark, Note, Points, Scene


def compose_calibration(game: Any) -> Scene:
    """Compose the calibration of a game whose learner gives chances to two classes."""
    metrics = game.metrics
    require(bool(metrics.calibration), f"{game.player.learner} gives no chances to two classes: there is none to draw")
    bins = [(one.rounds, one.said, one.came.value) for one in metrics.calibration]
    return compose_tenths(bins, metrics.labels[1])


def compose_tenths(bins: Sequence[tuple[int, float, float]], label: Any) -> Scene:
    """Compose tenths of the chance of a label: the rounds of each, the mean chance, and how often the label came."""
    rounds, said, came = zip(*bins, strict=True)
    off = sum(n * abs(s - c) for n, s, c in bins) / max(1, sum(rounds))
    words = (
        f"Of {sum(rounds):,} rounds; a chance is off by {off:.3f} on the mean. Beside each point stands how many rounds"
    )
    name = quote(label)
    marks: list[Mark] = [
        Line([0, 1], [0, 1], "as often as said", "dotted", 6),
        Line(said, came, "", "solid", 0),
        Points(said, came, "a tenth of the chances"),
        *(Note(s, c, f"{n:,}") for n, s, c in bins),
    ]
    rows = [(f"{s:.3f}", f"{c:.3f}", n) for n, s, c in bins]
    header = ("chance given", "came", "rounds")
    return Scene(
        "Calibration", marks, f"chance given to {name}", f"how often {name} came", f"{words} it had.", header, rows
    )
