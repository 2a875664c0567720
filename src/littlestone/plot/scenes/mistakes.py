"""Mistakes over rounds, against what a theorem allows."""

from collections.abc import Sequence
from typing import Any

from littlestone.base.errors import NotCertified
from littlestone.plot.scenes.replay import choose_last_round
from littlestone.plot.scenes.scene import Dash, Line, Mark, Scene

KINDS: tuple[Dash, ...] = ("solid", "dashed", "dashdot")  # of games; bounds are dotted
SHOWN = 12  # rows of the table


def compose_mistakes(
    games: Any, bounds: Sequence[float | None] | None = None, names: Sequence[str] = (), round: int | None = None
) -> Scene:
    """Compose the mistakes of a game, or of several, up to a round (the last one), with a line for each bound.

    Without `bounds` they are those that the players' states witness. A bound speaks of what is played: where a learner
    serves another hypothesis, both are drawn if the game is the only one, and no bound if there are several.
    """
    played = list(games) if isinstance(games, list | tuple) else [games]
    called = list(names) or [str(game.player.learner) for game in played]
    allowed = [_find_bound(game) for game in played] if bounds is None else list(bounds)
    marks: list[Mark] = []
    tables = []
    for tone, (game, name) in enumerate(zip(played, called, strict=True)):
        last = choose_last_round(game, None if round is None else min(round, game.rounds))
        tables.append(_list_points(game.judged, last))
        marks.append(_draw_curve(tables[-1], name, KINDS[tone % len(KINDS)], tone))
    apart = [game.judged is not game.curve for game in played]
    if apart == [True]:
        learned = _list_points(played[0].curve, choose_last_round(played[0], round))
        marks = [_draw_curve(tables[0], f"{called[0]}: served", "solid", 0)]
        marks.append(_draw_curve(learned, f"{called[0]}: played", "dashed", 1))
    allowed = [None if other and len(played) > 1 else bound for other, bound in zip(apart, allowed, strict=True)]
    for tone, bound in enumerate(allowed):
        if bound is not None:
            ends = tables[tone][-1][0] if tables[tone] else 0
            whose = "played, allowed" if apart[tone] else "allowed"
            marks.append(Line([0, ends], [bound, bound], f"{called[tone]}: {whose}", "dotted", tone + apart[tone]))
    totals = [table[-1] if table else (0, 0) for table in tables]
    best = min(range(len(played)), key=lambda k: totals[k][1])
    words = f"{totals[best][1]:,} mistakes in {totals[best][0]:,} rounds by {called[best]}"
    given = [bound for bound in allowed if bound is not None]
    if apart == [True]:
        words = f"{words} as served, {learned[-1][1] if learned else 0:,} as played"
    words += f"; a theorem allows {min(given):,.6g}{' of these' if apart == [True] else ''}." if given else "."
    rows = [tables[0][k] for k in choose_rows(len(tables[0]))]
    return Scene("Mistakes over rounds", marks, "round", "mistakes so far", words, ("round", "mistakes"), rows)


def _list_points(curve: Any, last: int) -> list[tuple[int, int]]:
    """Rounds up to the last one, and the mistakes up to each."""
    rounds, counts = (part.tolist() for part in curve.points)
    return [(t, m) for t, m in zip(rounds, counts, strict=True) if t <= last]


def _draw_curve(table: list[tuple[int, int]], name: str, kind: Dash, tone: int) -> Line:
    return Line([0, *(t for t, _ in table)], [0, *(m for _, m in table)], name, kind, tone)


def choose_rows(count: int) -> list[int]:
    """Choose which of `count` rows a table shows: about a dozen, evenly, the last one among them."""
    step = max(1, count // SHOWN)
    kept = list(range(step - 1, count, step))
    return kept if not count or kept[-1:] == [count - 1] else [*kept, count - 1]


def _find_bound(game: Any) -> float | None:
    """Find the bound on mistakes that the player's state witnesses; None if there is none."""
    try:
        certificate = game.player.certificate()
    except NotCertified:
        return None
    return float(certificate.bound) if certificate.counts == "mistakes" else None
