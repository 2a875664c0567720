"""Description: what a game shows of itself, in a terminal and in a notebook."""

from contextlib import suppress
from html import escape
from typing import Any

from littlestone.base.bound import Bound
from littlestone.base.errors import NotCertified
from littlestone.base.printed_numbers import format_up
from littlestone.base.traits import ask_remaining
from littlestone.game.player import Player

ROW = "<tr><th style='text-align:right'>{}</th><td style='text-align:left;white-space:pre-line'>{}</td></tr>"


def list_facts(game: Any) -> list[tuple[str, str]]:
    """What there is to say about a game, as names and words."""
    rate = f" ({game.mistakes / game.rounds:.2%})" if game.rounds else ""
    numeric = game.player.learner.numeric
    facts = [
        ("learner", str(game.player.learner)),
        ("against", str(game.environment)),
        ("rounds", f"{game.rounds:,}"),
        ("loss", f"{float(game.expected or 0):.6g}") if numeric else ("mistakes", f"{game.mistakes:,}{rate}"),
        ("updates", f"{game.updates:,}"),
    ]
    if game.served is not None and game.served is not game.curve:
        rate = f" ({game.served.mistakes / game.rounds:.2%})" if game.rounds else ""
        facts.append(("served", f"{game.served.mistakes:,} mistakes{rate} by what `predict` said before each label"))
    if game.expected is not None and not numeric:
        facts.append(("expected", f"{float(game.expected):.6g} mistakes over the learner's coins"))
    still = count_left(game.player) if game.player.tally.rounds else None
    if still is not None and still.value > 0:
        facts.append(("left", f"at most {format_up(still.value)} more {still.counts}, if {still.promise}"))
    if game.target is not None:
        facts.append(("target", str(game.target)))
    with suppress(NotCertified):  # where no theorem can be checked from the state, the counts stand for themselves
        facts.append(("certificate", str(game.player.certificate()).replace("\n", "\n" + " " * 13)))
    return facts


def format_facts(game: Any) -> str:
    """A game for people, a fact a line."""
    return "\n".join(f"{name:>11}  {value}" for name, value in list_facts(game))


def format_table(game: Any) -> str:
    """A game for a notebook, as a table in HTML."""
    return f"<table>{''.join(ROW.format(name, escape(value)) for name, value in list_facts(game))}</table>"


def count_left(player: Player) -> Bound | None:
    """The mistakes that are still possible, where the state alone can say so."""
    with suppress(NotCertified):
        return ask_remaining(player.learner, player.state)
    return None
