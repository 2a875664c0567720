"""Crossing: two guarantees as irrelevant attributes are added: Winnow's grows with their logarithm only."""

from collections.abc import Sequence
from typing import Any

from littlestone.base.errors import require
from littlestone.guarantees.planner import crossing as guarantees
from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.scene import Line, Mark, Points, Scene

KINDS = {"BalancedWinnow": ("square", 0), "Perceptron": ("circle", 1)}


def compose_crossing(games: Any = (), relevant: int = 5, margin: float | None = None, most: int = 200) -> Scene:
    """Compose the guarantees of Balanced Winnow and the Perceptron on attributes of -1 or 1, with games as points.

    Without a margin it is that of the majority of `relevant` attributes.
    """
    curves = guarantees(relevant, margin, most)
    grid = curves.attributes.tolist()
    marks: list[Mark] = [
        Line(grid, curves.perceptron.tolist(), "Perceptron: allowed", "dashed", 1),
        Line(grid, curves.winnow.tolist(), "BalancedWinnow: allowed", "solid", 0),
    ]
    played: Sequence[Any] = list(games) if isinstance(games, list | tuple) else [games]
    for name, (shape, tone) in KINDS.items():
        own = [(game.player.size.attributes, game.updates) for game in played if _name_learner(game) == name]
        if own:
            marks.append(Points([n for n, _ in own], [m for _, m in own], f"{name}: made", shape, tone))  # type: ignore[arg-type]
    strange = [_name_learner(game) for game in played if _name_learner(game) not in KINDS]
    require(not strange, f"games must be of {' or '.join(KINDS)}, got {', '.join(strange)}")
    words = f"The majority of {relevant} attributes" if margin is None else f"A margin of {margin:g}"
    at = curves.at
    words += (
        f": from {at} attributes on Winnow's guarantee is the smaller one." if at else f": no crossing up to {most}."
    )
    if at:
        level = float(curves.winnow[curves.attributes.searchsorted(at).clip(0, len(grid) - 1)])
        marks.append(Points([at], [level], f"they cross at {at}", "ring", 6, False))
    rows = [(grid[k], int(curves.winnow[k]), int(curves.perceptron[k])) for k in choose_rows(len(grid))]
    header = ("attributes", "BalancedWinnow", "Perceptron")
    return Scene("Winnow and the Perceptron", marks, "attributes", "updates", words, header, rows)


def _name_learner(game: Any) -> str:
    """Name the class of the learner that played."""
    return type(game.player.learner).__name__
