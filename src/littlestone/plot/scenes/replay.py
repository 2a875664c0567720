"""Replay: the rounds of a game once more, one at a time, with the player as it was after each.

A game keeps counts, not states. Its stream can be read again, and a game against any other environment may have kept a
transcript; a player that starts again and plays the same rounds goes through the same states.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadParameter, require
from littlestone.game.certify import start_player
from littlestone.game.player import Player


class PlayedRound(NamedTuple):
    """One round: the instance as the learner sees it, the label's class number, and what the round did."""

    number: int
    x: Any
    y: int
    mistake: bool
    moved: bool


def choose_last_round(game: Any, round: int | None) -> int:
    """Choose the round that a picture is about: the one that was asked for, or the last."""
    last = int(game.rounds)
    require(round is None or 0 <= round <= last, f"round must be in [0, {last}], got {round}")
    return last if round is None else round


def start_again(game: Any) -> Player:
    """Make a player as it was before the first round of the game."""
    require(game.before.rounds == 0, f"this player had played {game.before.rounds} rounds before: show its first game")
    return start_player(game.player, game.environment)


def replay_rounds(game: Any, player: Player, round: int | None = None) -> Iterator[PlayedRound]:
    """Play the game's rounds again, up to the given one, with a player that has not begun."""
    for number, (x, y) in enumerate(islice(_read_rounds(game), choose_last_round(game, round)), 1):
        seen = player.see(x)
        before = player.learner.moves(player.state)
        guess = player.guess(seen)
        mistake = player.learn(seen, y, guess)
        moved = player.learner.moves(player.state) > before
        yield PlayedRound(number, seen, int(player.labels.find(y) or 0), mistake, moved)


def fill_row(x: Any, width: int) -> Array:
    """Write an example as numbers, one for each of the attributes."""
    row = x.to_sparse()
    values = np.zeros(width)
    values[row.indices] = 1.0 if row.values is None else row.values
    return values


def _read_rounds(game: Any) -> Iterator[tuple[Any, Any]]:
    """Read the instances and labels of a game again."""
    if game.transcript is not None:
        yield from ((one.x, one.y) for one in game.transcript)
    elif hasattr(game.environment, "chunks"):
        for chunk in game.environment.chunks():
            yield from ((chunk[t], chunk.labels[t]) for t in range(len(chunk)))
    else:
        raise BadParameter("the rounds of this game are gone: play(..., transcript=True) keeps what a picture needs")
