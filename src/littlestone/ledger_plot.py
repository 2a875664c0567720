"""Drawing a ledger with matplotlib: regret against its bound, and the weights that were trusted."""

from typing import Any

import numpy as np

TOP = 6  # experts with a line of their own


def draw(ledger: Any, path: Any = None, switches: int | None = None) -> Any:
    """Two panels over the rounds; the experts with most weight over time have a line of their own."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    rounds = np.arange(1, len(ledger) + 1)
    above.plot(rounds, ledger.regret, color="black", label="regret against the best expert")
    if np.isfinite(ledger.bounds).any():
        above.plot(rounds, ledger.bounds, color="firebrick", linestyle="--", label="what the theorem allows")
    if switches is not None:
        _, sequence = ledger.tracking(switches)
        costs = np.where(np.isnan(ledger.costs), ledger.charges[:, None], ledger.costs)
        followed = np.cumsum(costs[np.arange(len(ledger)), sequence])
        words = f"regret against the best sequence with {switches} switches"
        above.plot(rounds, ledger.loss - followed, color="steelblue", label=words)
    above.axhline(0, color="grey", linewidth=0.5)
    above.set_ylabel("regret")
    above.set_title(f"{type(ledger.learner).__name__} over {len(ledger.names)} experts")
    above.legend(loc="best", frameon=False)
    for k in np.argsort(-ledger.weights.mean(axis=0))[:TOP]:
        below.plot(rounds, ledger.weights[:, k], label=ledger.names[k], linewidth=1)
    below.set_ylabel("weight before the outcome")
    plain = not ledger.dates or ledger.dates[0] == 1
    below.set_xlabel("round" if plain else f"round, {ledger.dates[0]} to {ledger.dates[-1]}")
    below.set_ylim(0, 1.02)
    below.legend(loc="best", frameon=False, fontsize="small")
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure
