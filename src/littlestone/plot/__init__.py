"""Plot: pictures of games, drawn with matplotlib. Each function takes a game and returns the Axes it drew on."""

from io import BytesIO
from pathlib import Path
from typing import Any

from littlestone.base.errors import BadParameter, require
from littlestone.base.files import replace
from littlestone.plot import scenes
from littlestone.plot.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.plot.svg import TONES

DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
SHAPES = {"circle": "o", "cross": "x", "square": "s", "triangle": "^", "ring": "o"}


def draw(scene: Scene, axes: Any = None) -> Any:
    """Draw a scene on the given Axes, or on new ones, and return them."""
    if axes is None:
        (axes,) = make_axes(1)
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
        tone = TONES[mark.tone % len(TONES)]
        name = mark.name or None
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
    elif _has_whole_numbers(scene):
        axes.yaxis.get_major_locator().set_params(integer=True)
    if scene.equal:
        axes.set_aspect("equal", adjustable="datalim")
    if scene.bare:
        axes.set_axis_off()
        axes.autoscale_view()
    if any(getattr(mark, "name", "") for mark in scene.marks):
        crowded = scene.equal or any(isinstance(mark, Area) for mark in scene.marks)  # no corner is free
        outside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
        axes.legend(fontsize=8, **(outside if crowded else {}))
    return axes


def save(figure: Any, path: str, dpi: int) -> None:
    """Write a figure in the format that its name ends in, whole or not at all."""
    kind = Path(path).suffix[1:].lower() or "png"
    known = figure.canvas.get_supported_filetypes()
    require(
        kind in known, f"{path}: no picture is called .{kind}, only {', '.join(f'.{one}' for one in sorted(known))}"
    )
    drawn = BytesIO()
    figure.savefig(drawn, format=kind, dpi=dpi)
    replace(path, [drawn.getbuffer()])


def make_axes(count: int) -> list[Any]:
    """Make new Axes, one above the other."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadParameter("pictures need matplotlib: pip install 'littlestone[plot]'") from None
    figure = Figure(figsize=(6.4, 4.0) if count == 1 else (9, 3 * count), layout="constrained")
    return list(figure.subplots(count, 1, squeeze=False)[:, 0])


def _has_whole_numbers(scene: Scene) -> bool:
    """Whether every line goes through whole numbers only, so that half a mistake on the axis would be odd."""
    heights = [value for mark in scene.marks if isinstance(mark, Line) for value in mark.ys]
    return bool(heights) and all(float(value).is_integer() for value in heights)


def mistakes(games: Any, bounds: Any = None, names: Any = (), round: int | None = None, axes: Any = None) -> Any:
    """Draw mistakes over rounds, of one game or several, against what theorems allow.

    Args:
        games: A game or a list of games.
        bounds: A bound for each game, or None for none; by default those that the players' states witness.
        names: What the games are called; by default by their learners.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_mistakes(games, bounds, names, round), axes)


def errors(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the share of mistakes over rounds: of all so far, of the latest ones, and of a constant guess.

    Args:
        game: A game.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_errors(game, round), axes)


def league(league: Any, top: int = 8, axes: Any = None) -> Any:
    """Draw how much the members of a league weighed over time.

    Args:
        league: A league that has played.
        top: How many members have an area of their own, those with most weight on average.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_league(league, top), axes)


def calibration(game: Any, axes: Any = None) -> Any:
    """Draw how often a class came beside the chance that it was given.

    Args:
        game: A game of two classes by a learner that gives chances; its rounds are played once more.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_calibration(game), axes)


def plane(game: Any, round: int | None = None, margin: float | None = None, axes: Any = None) -> Any:
    """Draw the examples, the line and the weight vector of a linear learner over two attributes.

    Args:
        game: A game of such a learner.
        round: Show the game as it stood after this round; None: after the last one.
        margin: Show where the score is this much, > 0, and how far examples are short of it; None: do not.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_plane(game, round, margin), axes)


def steps(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the way of a linear learner through the plane of its weights.

    Args:
        game: A game of a learner over two attributes with bias=0.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_steps(game, round), axes)


def votes(learners: Any, axes: Any = None) -> Any:
    """Draw how learners from advice make a chance of guessing 1 of the share of the weight that says 1.

    Args:
        learners: Learners that vote, such as [WeightedMajority(), ImprovedMajority()].
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_votes(learners), axes)


def ellipsoids(game: Any, round: int | None = None, target: Any = None, axes: Any = None) -> Any:
    """Draw the shrinking ellipse of a game of Ellipsoid over two attributes.

    Args:
        game: A game of Ellipsoid.
        round: Show the game as it stood after this round; None: after the last one.
        target: A weight vector to be shown in the ellipse; None: none.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_ellipsoids(game, round, target), axes)


def thresholds(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the thresholds on a line that still agree, round by round.

    Args:
        game: A game of a learner over Thresholds.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_thresholds(game, round), axes)


def rectangles(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw how the boxes that still agree label each point of the plane.

    Args:
        game: A game of a learner over Rectangles(m, 2).
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_rectangles(game, round), axes)


def trees(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the mistake tree of a game against MistakeTree, or a tree by itself.

    Args:
        game: A game against MistakeTree, or a Tree.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_trees(game, round), axes)


def regret(game: Any, round: int | None = None, switches: int | None = None, axes: Any = None) -> Any:
    """Draw the regret of a game of expert advice against what the theorem allows.

    Args:
        game: A game of expert advice, or its ledger.
        round: Show the game as it stood after this round; None: after the last one.
        switches: Show also the regret against the best sequence of experts with this number of switches; None: do not.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_regret(game, round, switches), axes)


def weights(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the weights of the experts over time.

    Args:
        game: A game of expert advice, or its ledger.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_weights(game, round), axes)


def books(game: Any, switches: int | None = None) -> Any:
    """Draw regret and weights of a game of expert advice, one above the other, and return the figure.

    Args:
        game: A game of expert advice, or its ledger.
        switches: Show also the regret against the best sequence of experts with this number of switches; None: do not.
    """
    above, below = make_axes(2)
    regret(game, switches=switches, axes=above)
    return weights(game, axes=below).figure


def potentials(game: Any, round: int | None = None, axes: Any = None) -> Any:
    """Draw the two sides of Novikoff's proof over the updates of a game of the Perceptron.

    Args:
        game: A game of Perceptron(normalized=False) on rounds that can be separated.
        round: Show the game as it stood after this round; None: after the last one.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_potentials(game, round), axes)


def crossing(games: Any = (), relevant: int = 5, margin: float | None = None, most: int = 200, axes: Any = None) -> Any:
    """Draw Winnow's guarantee against the Perceptron's as irrelevant attributes are added.

    Args:
        games: Games of BalancedWinnow or Perceptron, shown as points.
        relevant: The number of attributes whose majority is the label.
        margin: The margin of the labels; None: that of the majority.
        most: The largest number of attributes shown.
        axes: Axes to draw on; None: new ones.
    """
    return draw(scenes.compose_crossing(games, relevant, margin, most), axes)
