"""Weights: how much a learner from advice trusted each expert, before each outcome was known."""

from typing import Any

import numpy as np

from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.regret import find_ledger, name_rounds
from littlestone.plot.scenes.scene import DASHES, Line, Scene

TOP = 6  # experts with a line of their own


def compose_weights(game: Any, round: int | None = None, top: int = TOP) -> Scene:
    """Compose the weights over time, in a game of expert advice or a ledger, of the experts with most on average."""
    ledger, last = find_ledger(game, round)
    shares = ledger.weights[:last]
    order = np.argsort(-shares.mean(axis=0), kind="stable")[:top].tolist() if last else []
    rounds = np.arange(1, last + 1).tolist()
    marks = [
        Line(rounds, shares[:, k].tolist(), ledger.names[k], DASHES[tone % len(DASHES)], tone)
        for tone, k in enumerate(order)
    ]
    rows = [(t + 1, *(float(shares[t, k]) for k in order)) for t in choose_rows(last)]
    words = f"{type(ledger.learner).__name__} over {len(ledger.names)} experts"
    if order:
        first = int(np.argmax(shares[-1]))
        words += f": {ledger.names[first]} has {shares[-1, first]:.2%} of the weight before round {last:,}"
    left = len(ledger.names) - len(order)
    words += f"; {left} more are not drawn." if left > 0 else "."
    header = ("round", *(ledger.names[k] for k in order))
    return Scene("Weights of the experts", marks, name_rounds(ledger), "weight before the outcome", words, header, rows)
