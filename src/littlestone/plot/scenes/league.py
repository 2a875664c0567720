"""League: how much the members of a league weighed over time."""

from typing import Any

import numpy as np

from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.scene import DASHES, Area, Line, Scene

TOP = 7  # members with an area of their own: as many as there are colours


def compose_league(league: Any, top: int = TOP) -> Scene:
    """Compose the weights of a league's members over time, one above the other, of those with most on average."""
    rounds, names, weights = league.history
    order = np.argsort(-weights.mean(axis=0), kind="stable")[:top].tolist() if len(rounds) else []
    tops = np.cumsum(weights[:, order], axis=1)
    marks: list[Any] = []
    for tone, k in enumerate(order):
        low = tops[:, tone] - weights[:, k]
        marks.append(Area(rounds.tolist(), low.tolist(), tops[:, tone].tolist(), names[k], tone))
        marks.append(Line(rounds.tolist(), tops[:, tone].tolist(), "", DASHES[tone % len(DASHES)], tone))
    rows = [(int(rounds[t]), *(float(weights[t, k]) for k in order)) for t in choose_rows(len(rounds))]
    words = f"A league of {len(names)} members"
    if order:
        first = int(np.argmax(weights[-1]))
        words += f": {names[first]} has {weights[-1, first]:.2%} of the weight after round {int(rounds[-1]):,}"
    left = len(names) - len(order)
    words += f"; {left} more are not drawn." if left > 0 else "."
    header = ("round", *(names[k] for k in order))
    return Scene("Weights of the members", marks, "round", "weight, one above the other", words, header, rows)
