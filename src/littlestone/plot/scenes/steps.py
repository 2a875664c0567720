"""Steps: the way of a linear learner through the plane of its weights, where an example is a line.

In the plane of the examples a weight vector is a line, and in that of the weights an example is one: the vectors w with
w.x = 0. Its own side are the weights that label it rightly. An update is a step across, or towards, the line of the
example that teaches.
"""

from typing import Any

import numpy as np

from littlestone.base.errors import require
from littlestone.base.traits import require_plane
from littlestone.plot.scenes.plane import find_box, find_crossing
from littlestone.plot.scenes.replay import choose_last_round, fill_row, replay_rounds, start_again
from littlestone.plot.scenes.scene import DASHES, Line, Mark, Note, Points, Scene

SHOWN = 6  # lines of examples


def compose_steps(game: Any, round: int | None = None) -> Scene:
    """Compose the weights after each update up to a round (the last one) of a learner of two weights, no constant."""
    player = start_again(game)
    last = choose_last_round(game, round)
    path = [(0.0, 0.0)]
    rows = list[tuple[Any, ...]]()
    taught = list[tuple[float, float]]()
    for turn in replay_rounds(game, player, last):
        if turn.moved:
            weights, constants = require_plane(player.learner).plane(player.state)
            right = weights.shape == (2, 1) and not constants.any()
            require(right, "steps need a learner over two attributes and two classes, without a constant (bias=0)")
            x1, x2 = fill_row(turn.x, 2).tolist()
            path.append((float(weights[0, 0]), float(weights[1, 0])))
            rows.append((turn.number, x1, x2, player.labels.name(turn.y), *path[-1]))
            if (x1, x2) not in taught:
                taught.append((x1, x2))
    box = find_box(path)
    marks: list[Mark] = []
    for k, (x1, x2) in enumerate(taught[-SHOWN:]):
        drawn = find_crossing(np.array([x1, x2, 0.0]), box)
        if drawn is not None:
            marks.append(Line(*drawn, f"w.x = 0 for ({x1:g}, {x2:g})", DASHES[1 + k % 3], 3 + k))
    xs = [x for x, _ in path]
    ys = [y for _, y in path]
    marks += [Line(xs, ys, "the weights", "solid", 0), Points(xs, ys, "after each update", "circle", 0)]
    marks += [Note(x, y, f"{k}") for k, (x, y) in enumerate(path)]
    words = f"{len(path) - 1} updates take the weights from (0, 0) to ({xs[-1]:.4g}, {ys[-1]:.4g})."
    header = ("round", "x1", "x2", "label", "w1", "w2")
    return Scene("The plane of weights", marks, "w1", "w2", words, header, rows, equal=True)
