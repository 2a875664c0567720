"""Mistakes over rounds, against what a theorem allows."""

from collections.abc import Sequence
from typing import Any

from littlestone.scenes.scene import Dash, Line, Mark, Scene

DASHES: tuple[Dash, ...] = ("solid", "dashed", "dotted", "dashdot")
SHOWN = 12  # rows of the table


def mistakes(games: Any, bounds: Sequence[float | None] = (), names: Sequence[str] = ()) -> Scene:
    """The mistakes of a game, or of several, round by round; a level line for each bound that is given."""
    played = list(games) if isinstance(games, list | tuple) else [games]
    called = list(names) or [str(game.player.learner) for game in played]
    marks: list[Mark] = []
    for tone, (game, name) in enumerate(zip(played, called, strict=True)):
        rounds, counts = game.curve.points
        marks.append(Line([0, *rounds.tolist()], [0, *counts.tolist()], name, DASHES[tone % len(DASHES)], tone))
    for tone, bound in enumerate(bounds):
        if bound is not None:
            last = played[tone].rounds
            marks.append(Line([0, last], [bound, bound], f"{called[tone]}: allowed", "dashed", tone))
    rounds, counts = played[0].curve.points
    step = max(1, len(rounds) // SHOWN)
    rows = list(zip(rounds.tolist(), counts.tolist(), strict=True))
    kept = rows[step - 1 :: step]
    best = min(played, key=lambda game: int(game.mistakes))
    words = f"{best.mistakes:,} mistakes in {best.rounds:,} rounds by {called[played.index(best)]}"
    allowed = [bound for bound in bounds if bound is not None]
    words += f"; a theorem allows {min(allowed):,.6g}." if allowed else "."
    return Scene(
        "Mistakes over rounds",
        marks,
        "round",
        "mistakes so far",
        words,
        ("round", "mistakes"),
        kept if kept[-1:] == rows[-1:] else [*kept, *rows[-1:]],
    )
