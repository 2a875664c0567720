"""Plane: what a linear learner over two attributes knows, as the line that parts its plane.

The examples so far by label; the line where the score is zero, with the weight vector pointing to the positive side;
and of the round that is shown, the example and the line as it was before. With a `margin` the band is drawn in which
an example is short of it, and how far each such example would have to be moved: what it is short of, over the length of
the weights, which is the hinge loss as a distance.
"""

import math
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.base.learner import copy_state
from littlestone.base.traits import require_plane
from littlestone.plot.scenes.replay import choose_last_round, fill_row, replay_rounds, start_again
from littlestone.plot.scenes.scene import Line, Mark, Points, Scene

AROUND = 0.15  # room around the examples, in parts of their spread
ARROW = 0.22  # the length of the weight vector on the page: it says where to, not how far
Box = tuple[float, float, float, float]


def compose_plane(game: Any, round: int | None = None, margin: float | None = None) -> Scene:
    """Compose the plane after a round (the last one) of a game that a linear learner played over two attributes."""
    require(margin is None or margin > 0, f"margin must be above 0, got {margin}")
    player = start_again(game)
    rows = list[tuple[Any, ...]]()
    last = choose_last_round(game, round)
    places: list[tuple[float, float]] = []
    labels: list[int] = []
    before = copy_state(player.state)
    held = before
    for turn in replay_rounds(game, player, last):
        before = held
        held = copy_state(player.state)
        x1, x2 = fill_row(turn.x, 2).tolist()
        places.append((x1, x2))
        labels.append(turn.y)
        if turn.moved:
            rows.append((turn.number, *places[-1], player.labels.name(turn.y), *_find_line(player, held).tolist()))
    now = _find_line(player, held)
    old = _find_line(player, before)
    box = find_box(places)
    marks: list[Mark] = []
    for code, (shape, filled) in enumerate((("circle", False), ("square", True))):
        own = [place for place, label in zip(places, labels, strict=True) if label == code]
        name = str(player.labels.name(code)) if own else ""
        marks.append(Points([x for x, _ in own], [y for _, y in own], name, shape, code, filled))  # type: ignore[arg-type]
    drawn = find_crossing(now, box)
    if drawn is not None:
        marks.append(Line(*drawn, "score 0", "solid", 6))
        marks.append(_draw_arrow(now, drawn, box))
    if not np.array_equal(now, old) and (former := find_crossing(old, box)) is not None:
        marks.append(Line(*former, "score 0 before the round", "dashed", 6))
    if margin is not None and drawn is not None:
        marks += _draw_band(now, margin, box) + _move_to_margin(now, margin, places, labels)
    words = "Nothing has been learned yet."
    if last:
        x, y = places[-1]
        label = player.labels.name(labels[-1])
        marks.append(Points([x], [y], f"round {last}", "ring", 6, False))
        did = "moves the line" if not np.array_equal(now, old) else "changes nothing"
        words = f"Round {last}: ({x:g}, {y:g}) is {label}, which {did}; score {_format_score(now)}."
    header = ("round", "x1", "x2", "label", "w1", "w2", "constant")
    return Scene("The plane", marks, "x1", "x2", words, header, rows, equal=True)


def find_crossing(line: Array, box: Box) -> tuple[list[float], list[float]] | None:
    """Find the two ends of w1 x1 + w2 x2 + c = 0 inside a box; None if it does not pass through."""
    first, second, constant = line.tolist()
    left, right, low, high = box
    ends = set()
    if second:
        ends |= {(x, -(constant + first * x) / second) for x in (left, right)}
    if first:
        ends |= {(-(constant + second * y) / first, y) for y in (low, high)}
    near = 1e-9 * (right - left + high - low)
    inside = [(x, y) for x, y in ends if left - near <= x <= right + near and low - near <= y <= high + near]
    if len(inside) < 2:
        return None
    far = max(((a, b) for a in inside for b in inside), key=lambda pair: math.dist(*pair))
    one, other = sorted(far)
    return None if math.dist(one, other) <= near else ([one[0], other[0]], [one[1], other[1]])


def _draw_band(line: Array, margin: float, box: Box) -> list[Mark]:
    """Draw where the score is the margin, and minus the margin."""
    edges = [find_crossing(line + np.array([0.0, 0.0, shift]), box) for shift in (-margin, margin)]
    names = (f"score {margin:g}", f"score {-margin:g}")
    return [Line(*edge, name, "dotted", 4) for edge, name in zip(edges, names, strict=True) if edge is not None]


def _move_to_margin(line: Array, margin: float, places: list[tuple[float, float]], labels: list[int]) -> list[Mark]:
    """Draw how far each example that is short of the margin would have to be moved."""
    signs = np.array([1.0 if label else -1.0 for label in labels])
    points = np.array(places)
    short = margin - signs * (points @ line[:2] + line[2])
    moved = points + (signs * short / (line[:2] @ line[:2]))[:, None] * line[:2]
    pairs = [(place, end) for place, end, much in zip(points, moved, short, strict=True) if much > 0]
    lines: list[Mark] = [
        Line([a[0], b[0]], [a[1], b[1]], "short of the margin by" if not k else "", "solid", 5)
        for k, (a, b) in enumerate(pairs)
    ]
    return [*lines, *([Points([b[0] for _, b in pairs], [b[1] for _, b in pairs], "moved to it", "triangle", 5, False)]
                      if pairs else [])]  # fmt: skip


def _draw_arrow(line: Array, drawn: tuple[list[float], list[float]], box: Box) -> Line:
    """Draw an arrow from the middle of the line along the weight vector."""
    towards = line[:2] / np.hypot(*line[:2])
    size = ARROW * min(box[1] - box[0], box[3] - box[2])
    foot = np.array([sum(drawn[0]) / 2, sum(drawn[1]) / 2])
    tip = foot + size * towards
    side = 0.1 * size * np.array([-towards[1], towards[0]])
    back = tip - 0.2 * size * towards
    path = np.array([foot, tip, back + side, tip, back - side])
    return Line(path[:, 0].tolist(), path[:, 1].tolist(), "where the weights point", "solid", 2)


def _find_line(player: Any, state: Any) -> Array:
    """Read the two weights and the constant of a state."""
    weights, constants = require_plane(player.learner).plane(state)
    given = f"a plane needs a learner over two attributes and two classes, got {weights.shape[0]} attributes"
    require(weights.shape[0] == 2 and weights.shape[1] == 1, given)
    return np.array([weights[0, 0], weights[1, 0], constants[0]])


def find_box(places: list[tuple[float, float]]) -> Box:
    """Find the box that holds the examples and zero, with room around."""
    points = np.array([(0.0, 0.0), *places])
    low = points.min(axis=0)
    high = points.max(axis=0)
    room = AROUND * max(float(np.max(high - low)), 1e-9)
    return float(low[0] - room), float(high[0] + room), float(low[1] - room), float(high[1] + room)


def _format_score(line: Array) -> str:
    """Write the score as a formula."""
    first, second, constant = line.tolist()
    return f"{first:.4g} x1 {second:+.4g} x2 {constant:+.4g}"
