"""Regret: what a learner from advice lost beyond the best expert, round by round, against what its theorem allows."""

from typing import Any

import numpy as np

from littlestone.base.errors import require
from littlestone.base.printed_numbers import format_up
from littlestone.plot.scenes.mistakes import choose_rows
from littlestone.plot.scenes.scene import Line, Mark, Scene


def compose_regret(game: Any, round: int | None = None, switches: int | None = None) -> Scene:
    """Compose the regret of a game of expert advice, or of a ledger.

    With `switches`, show also the regret against the best sequence of experts with this number of switches.
    """
    ledger, last = find_ledger(game, round)
    rounds = np.arange(1, last + 1).tolist()
    own = ledger.regret[:last].tolist()
    allowed = ledger.bounds[:last]
    marks: list[Mark] = [Line([1, max(len(rounds), 1)], [0, 0], "", "dotted", 6)]
    if np.isfinite(allowed).any():
        marks.append(Line(rounds, allowed.tolist(), "allowed against the best expert", "dashed", 1))
    marks.append(Line(rounds, own, "regret against the best expert", "solid", 0))
    if switches is not None:
        _, sequence = ledger.tracking(switches)
        costs = np.where(np.isnan(ledger.costs), ledger.charges[:, None], ledger.costs)
        followed = np.cumsum(costs[np.arange(len(ledger)), sequence])
        words = f"regret against the best sequence with {switches} switch{'es' * (switches != 1)}"
        marks.append(Line(rounds, (ledger.loss - followed)[:last].tolist(), words, "dashdot", 2))
    rows = [(t + 1, ledger.names[ledger.best[t]], own[t], float(allowed[t])) for t in choose_rows(len(rounds))]
    words = f"{type(ledger.learner).__name__} over {len(ledger.names)} experts"
    if rounds:
        bound = f", {format_up(float(allowed[-1]), 4)} allowed" if np.isfinite(allowed[-1]) else ""
        words += f": regret {own[-1]:.4g} after {len(rounds):,} rounds{bound}"
    header = ("round", "best", "regret", "allowed")
    return Scene("Regret", marks, name_rounds(ledger), "regret", f"{words}.", header, rows)


def find_ledger(game: Any, round: int | None) -> tuple[Any, int]:
    """Find the ledger of a game, unless one was given.

    Returns:
        The ledger.
        The round that a picture is about.
    """
    ledger = getattr(game, "ledger", game)
    require(round is None or 0 <= round <= len(ledger), f"round must be in [0, {len(ledger)}], got {round}")
    return ledger, len(ledger) if round is None else round


def name_rounds(ledger: Any) -> str:
    """Name the horizontal axis: rounds, and from when to when if they have dates."""
    plain = not ledger.dates or ledger.dates[0] == 1
    return "round" if plain else f"round, {ledger.dates[0]} to {ledger.dates[-1]}"
