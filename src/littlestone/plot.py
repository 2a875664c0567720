"""Plot: scenes drawn with matplotlib. Each function takes a game and returns the Axes it drew on."""

from typing import Any

from littlestone.drawing import TONES
from littlestone.errors import BadParameter
from littlestone.scenes import Area, Line, Note, Points, Scene
from littlestone.scenes import mistakes as mistakes_scene

DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
SHAPES = {"circle": "o", "cross": "x", "square": "s", "triangle": "^"}


def draw(scene: Scene, axes: Any = None) -> Any:
    """A scene on the given Axes, or on new ones; the Axes."""
    if axes is None:
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise BadParameter("pictures need matplotlib: pip install 'littlestone[plot]'") from None
        axes = Figure(figsize=(6.4, 4.0), layout="constrained").add_subplot()
    for mark in scene.marks:
        if isinstance(mark, Note):
            axes.annotate(mark.text, (mark.x, mark.y), xytext=(5, 5), textcoords="offset points", fontsize=8)
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
            axes.scatter(mark.xs, mark.ys, marker=SHAPES[mark.shape], label=name, zorder=3, **face, **colour)
    axes.set(title=scene.title, xlabel=scene.x, ylabel=scene.y)
    if scene.logarithmic:
        axes.set_yscale("log")
    if scene.equal:
        axes.set_aspect("equal", adjustable="datalim")
    if any(getattr(mark, "name", "") for mark in scene.marks):
        axes.legend(fontsize=8)
    return axes


def mistakes(games: Any, bounds: Any = (), names: Any = (), axes: Any = None) -> Any:
    """Mistakes over rounds, of one game or several, against what theorems allow."""
    return draw(mistakes_scene(games, bounds, names), axes)
