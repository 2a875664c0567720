"""Plot: pictures of games, drawn with matplotlib."""

from collections.abc import Iterable
from typing import Any

from littlestone.game import Game


def curves(games: Iterable[Game]) -> Any:
    """Mistakes over rounds, a line for each game; the Axes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = pyplot.subplots()[1]
    for game in games:
        axes.plot(*game.curve.points, label=str(game.player.learner))
    axes.legend()
    return axes
