"""Ellipsoids: the shrinking ellipse in which every good weight vector of two attributes lies.

The unit ball of the start, the ellipse before and after the round that is shown, its centre, and the cut: the line of
weight vectors that score the example zero, moved to the centre where cuts are central.
"""

import math
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.base.learner import copy_state
from littlestone.learners import Ellipsoid
from littlestone.plot.scenes.replay import choose_last_round, fill_row, replay_rounds, start_again
from littlestone.plot.scenes.scene import Line, Mark, Points, Scene

CORNERS = 120  # of an ellipse on the page


def compose_ellipsoids(game: Any, round: int | None = None, target: Any = None) -> Scene:
    """Compose the ellipse after a round (the last that cut) of a game of Ellipsoid, with the vector `target` in it.

    A round that did not cut shows the last cut before it.
    """
    learner = game.player.learner
    require(isinstance(learner, Ellipsoid), f"an ellipse is drawn of a game of Ellipsoid, got one of {learner}")
    player = start_again(game)
    last = choose_last_round(game, round)
    centre, shape = _read_ellipse(player)
    require(len(centre) == 2, f"an ellipse has two attributes, the bias counted; got {len(centre)}")
    rows: list[tuple[Any, ...]] = [(0, *centre.tolist(), measure_area(shape))]
    before = (centre, shape)
    cut = None
    number = 0
    for turn in replay_rounds(game, player, last):
        if turn.moved:
            before, (centre, shape) = (centre, shape), _read_ellipse(player)
            cut = copy_state(turn.x)
            number = turn.number
            rows.append((number, *centre.tolist(), measure_area(shape)))
    marks: list[Mark] = [_draw_outline(np.zeros(2), np.eye(2), "at the start", "dotted", 6)]
    if cut is not None:
        if len(rows) > 2:
            marks.append(_draw_outline(*before, f"before round {number}", "dashed", 1))
        row = np.array([learner.bias, *fill_row(cut, 1)]) if learner.bias else fill_row(cut, 2)
        ends = find_chord(*before, row, float(before[0] @ row) if learner.cuts == "central" else 0.0)
        if ends is not None:
            marks.append(Line(*ends, "the cut", "dashdot", 2))
        marks.append(_draw_outline(centre, shape, f"after round {number}", "solid", 0))
    marks.append(Points([centre[0]], [centre[1]], "its centre: the weights", "cross", 0))
    if target is not None:
        marks.append(Points([float(target[0])], [float(target[1])], "target", "triangle", 6))
    words = f"{len(rows) - 1} cuts leave {measure_area(shape) / math.pi:.3g} of the unit ball's area."
    names = ("w1", "w2") if not learner.bias else ("constant", "w1")
    return Scene("The ellipsoid", marks, *names, words, ("round", *names, "area"), rows, equal=True)


def measure_area(shape: Array) -> float:
    """Measure the area of an ellipse."""
    return math.pi * math.sqrt(max(float(np.linalg.det(shape)), 0.0))


def find_chord(centre: Array, shape: Array, x: Array, level: float) -> tuple[list[float], list[float]] | None:
    """Find the two ends, on the ellipse, of the line of all v with v.x = level; None if it misses the ellipse."""
    root = np.linalg.cholesky(shape)
    along = root.T @ x
    length = float(np.hypot(*along))
    depth = (level - float(centre @ x)) / length if length else math.inf
    if abs(depth) >= 1:
        return None
    unit = along / length
    half = math.sqrt(1 - depth * depth) * np.array([-unit[1], unit[0]])
    one = centre + root @ (depth * unit - half)
    other = centre + root @ (depth * unit + half)
    return [float(one[0]), float(other[0])], [float(one[1]), float(other[1])]


def _draw_outline(centre: Array, shape: Array, name: str, dash: Any, tone: int) -> Line:
    turn = np.linspace(0, 2 * math.pi, CORNERS, endpoint=False)
    edge = centre[:, None] + np.linalg.cholesky(shape) @ np.array([np.cos(turn), np.sin(turn)])
    return Line(edge[0].tolist(), edge[1].tolist(), name, dash, tone, closed=True)


def _read_ellipse(player: Any) -> tuple[Array, Array]:
    """Read the centre and the shape of the ellipse, the constant attribute first as in the matrix."""
    learner = player.learner
    state = player.state
    centre = np.concatenate([state.bias, state.weights]) if learner.bias else state.weights.copy()
    return centre.astype(float), learner.matrix(state)
