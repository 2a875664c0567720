"""Plot: scenes drawn with matplotlib. Each function takes a game and returns the Axes it drew on.

`round` shows the game as it stood after a round (None: the last one); `axes` draws on Axes that are there already.
"""

from typing import Any

from littlestone.base.errors import BadParameter
from littlestone.plot import scenes
from littlestone.plot.scenes import Area, Line, Note, Points, Scene
from littlestone.plot.svg import TONES

DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
SHAPES = {"circle": "o", "cross": "x", "square": "s", "triangle": "^", "ring": "o"}


def draw(scene: Scene, axes: Any = None) -> Any:
    """A scene on the given Axes, or on new ones; the Axes."""
    if axes is None:
        (axes,) = panels(1)
    for mark in scene.marks:
        if isinstance(mark, Note):
            if mark.centred:
                behind = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none"}
                axes.text(mark.x, mark.y, mark.text, ha="center", va="center", fontsize=8, bbox=behind, zorder=4)
            else:
                beside = (5, 0) if scene.bare else (5, 5)
                axes.annotate(
                    mark.text, (mark.x, mark.y), xytext=beside, textcoords="offset points", fontsize=8,
                    va="center" if scene.bare else "baseline",
                )  # fmt: skip
                axes.update_datalim([(mark.x, mark.y)])
            continue
        tone, name = TONES[mark.tone % len(TONES)], mark.name or None
        if isinstance(mark, Area):
            axes.fill_between(mark.xs, mark.low, mark.high, color=tone, alpha=0.25, linewidth=0, label=name)
        elif isinstance(mark, Line):
            xs, ys = ([*part, part[0]] if mark.closed else part for part in (mark.xs, mark.ys))
            axes.plot(xs, ys, DASHES[mark.dash], color=tone, label=name)
        else:
            assert isinstance(mark, Points)
            face = {} if mark.shape == "cross" else {"facecolors": tone if mark.filled else "none"}
            colour = {"color": tone} if mark.shape == "cross" else {"edgecolors": tone}
            size = {"s": 160, "linewidths": 1.5} if mark.shape == "ring" else {}
            axes.scatter(mark.xs, mark.ys, marker=SHAPES[mark.shape], label=name, zorder=3, **face, **colour, **size)
    axes.set(title=scene.title, xlabel=scene.x, ylabel=scene.y)
    if scene.logarithmic:
        axes.set_yscale("log")
    elif _counts(scene):
        axes.yaxis.get_major_locator().set_params(integer=True)
    if scene.equal:
        axes.set_aspect("equal", adjustable="datalim")
    if scene.bare:
        axes.set_axis_off()
        axes.autoscale_view()
    if any(getattr(mark, "name", "") for mark in scene.marks):
        _legend(axes, beside=scene.equal or any(isinstance(mark, Area) for mark in scene.marks))
    return axes


def panels(count: int) -> list[Any]:
    """New Axes, one above the other."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadParameter("pictures need matplotlib: pip install 'littlestone[plot]'") from None
    figure = Figure(figsize=(6.4, 4.0) if count == 1 else (9, 3 * count), layout="constrained")
    return list(figure.subplots(count, 1, squeeze=False)[:, 0])


def _counts(scene: Scene) -> bool:
    """Whether every line goes through whole numbers only, so that half a mistake on the axis would be odd."""
    heights = [value for mark in scene.marks if isinstance(mark, Line) for value in mark.ys]
    return bool(heights) and all(float(value).is_integer() for value in heights)


def _legend(axes: Any, beside: bool) -> None:
    """The names of the marks: beside a plane, all of which is taken, and where there is room on a curve's page."""
    if beside:
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, frameon=False)
    else:
        axes.legend(fontsize=8)


def mistakes(games: Any, bounds: Any = None, names: Any = (), round: int | None = None, axes: Any = None) -> Any:
    """Mistakes over rounds, of one game or several, against what theorems allow."""
    return draw(scenes.mistakes(games, bounds, names, round), axes)


def plane(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """The examples, the line and the weight vector of a linear learner over two attributes."""
    return draw(scenes.plane(game, round), axes)


def ellipsoids(game: Any, round: int | None = None, target: Any = None, axes: Any = None) -> Any:
    """The shrinking ellipse of a game of Ellipsoid over two attributes."""
    return draw(scenes.ellipsoids(game, round, target), axes)


def thresholds(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """The thresholds on a line that still agree, round by round."""
    return draw(scenes.thresholds(game, round), axes)


def rectangles(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """What the boxes that still agree say about each point of the plane."""
    return draw(scenes.rectangles(game, round), axes)


def trees(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """The mistake tree of a game against MistakeTree, or a tree by itself."""
    return draw(scenes.trees(game, round), axes)


def regret(game: Any, round: int | None = None, switches: int | None = None, axes: Any = None) -> Any:
    """The regret of a game of expert advice against what the theorem allows."""
    return draw(scenes.regret(game, round, switches), axes)


def weights(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """The weights of the experts over time."""
    return draw(scenes.weights(game, round), axes)


def books(game: Any, switches: int | None = None) -> Any:
    """Regret and weights of a game of expert advice, or of a ledger, one above the other; the figure."""
    above, below = panels(2)
    regret(game, switches=switches, axes=above)
    return weights(game, axes=below).figure


def potentials(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """The two sides of Novikoff's proof over the updates of a game of the Perceptron."""
    return draw(scenes.potentials(game, round), axes)


def crossing(games: Any = (), relevant: int = 5, margin: float | None = None, most: int = 200, axes: Any = None) -> Any:
    """Winnow's guarantee against the Perceptron's as irrelevant attributes are added, with games that were played."""
    return draw(scenes.crossing(games, relevant, margin, most), axes)
