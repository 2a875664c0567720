"""Potentials: Novikoff's proof, seen: what must grow with every update, and what cannot grow faster.

With u the witness of a certificate, g its margin and R the longest example of an update, k updates leave

    (k rate g)^2 / |u|^2  <=  (u.w)^2 / |u|^2  <=  |w|^2  <=  k (rate^2 R^2 + 2 rate margin):

the floor of u.w, Cauchy and Schwarz, and the ceiling of |w|^2. The floor rises with k^2 and the ceiling with k; where
they meet there can be no further update.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.learners import Perceptron
from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.replay import choose_last_round, replay_rounds, start_again
from littlestone.plot.scenes.scene import Line, Mark, Points, Scene


def compose_potentials(game: Any, round: int | None = None, theorem: str = "Novikoff") -> Scene:
    """Compose both sides of the proof over the updates of a game of the Perceptron on rounds that can be separated."""
    learner = game.player.learner
    last = choose_last_round(game, round)
    given = isinstance(learner, Perceptron) and not learner.normalized
    require(given, f"the potentials are those of a game of Perceptron(normalized=False), got one of {learner}")
    certificate = game.certificate(theorem)
    u = _read_comparator(certificate.witness)
    margin = float(certificate.witness["margin"])
    player = start_again(game)
    steps: list[tuple[int, float, float, float]] = []  # round, u.w, |w|^2, |x|^2
    for turn in replay_rounds(game, player, None):
        if turn.moved:
            w = np.concatenate([player.state.bias, player.state.weights]).astype(float)
            size = max(len(u), len(w))
            along = float(np.pad(u, (0, size - len(u))) @ np.pad(w, (0, size - len(w))))
            values = turn.x.to_sparse()
            length = len(values.indices) if values.values is None else float(values.values @ values.values)
            steps.append((turn.number, along, float(w @ w), length + learner.bias**2))
    radius = max((step[3] for step in steps), default=0.0)
    slope = learner.rate**2 * radius + 2 * learner.rate * learner.margin
    rise = learner.rate * margin
    norm = float(u @ u)
    meet = slope * norm / rise**2
    taken = [step for step in steps if step[0] <= last]
    k = np.arange(len(taken) + 1)
    whole = np.linspace(0, 1.05 * meet, 60)
    reached = np.array([0.0, *(step[1] for step in taken)])
    lengths = np.array([0.0, *(step[2] for step in taken)])
    marks: list[Mark] = [
        Line(whole.tolist(), (slope * whole).tolist(), "ceiling of |w|²", "dashed", 1),
        Line(k.tolist(), lengths.tolist(), "|w|²", "dashdot", 1),
        Line(k.tolist(), (reached**2 / norm).tolist(), "(u.w)² / |u|²", "solid", 0),
        Line(whole.tolist(), (rise**2 / norm * whole**2).tolist(), "floor of (u.w)² / |u|²", "dotted", 0),
        Points([meet], [slope * meet], f"they meet at {meet:.4g} updates", "triangle", 6),
    ]
    rows = [(k + 1, step[0], step[1], (k + 1) * rise, step[2], (k + 1) * slope) for k, step in enumerate(taken)]
    words = f"{len(taken)} updates in {last} rounds; floor and ceiling meet at {meet:.4g}, and there can be no more."
    header = ("updates", "round", "u.w", "floor", "|w|^2", "ceiling")
    shown = [rows[place] for place in choose_rows(len(rows))]
    return Scene("Novikoff's proof", marks, "updates", "squared length", words, header, shown)


def _read_comparator(witness: dict[str, Any]) -> Array:
    """Read the vector u of a certificate, the constant attribute first."""
    places = np.array(witness["attributes"], np.int64) + 1
    u = np.zeros(int(places.max(initial=0)) + 1)
    u[places] = np.array(witness["numerators"], float) * 2.0 ** witness["exponent"]
    return u
