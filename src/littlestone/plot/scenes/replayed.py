"""Replayed: the rounds of a game once more, one at a time, with the player as it was after each.

A game keeps counts, not states. Its stream can be read again, and a game against anybody else may have kept a
transcript; a player that starts anew and plays the same rounds goes through the same states.
"""

import copy
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from littlestone.base.errors import BadParameter, require
from littlestone.base.learner import Size
from littlestone.game.player import Player


class Turn(NamedTuple):
    """One round: the instance as the learner sees it, the label's class number, and what the round did."""

    number: int
    x: Any
    y: int
    mistake: bool
    moved: bool


def until(game: Any, round: int | None) -> int:
    """The round that a picture is about: the one that was asked for, or the last."""
    last = int(game.rounds)
    require(round is None or 0 <= round <= last, f"round must be in [0, {last}], got {round}")
    return last if round is None else round


def beginning(game: Any) -> Player:
    """A player as it was before the first round of the game."""
    require(game.before.rounds == 0, f"this player had played {game.before.rounds} rounds before: show its first game")
    who = game.player
    player = Player(
        who.learner, copy.deepcopy(who.features), tuple(who.labels.names) if who.labels.closed else (), who.seed
    )
    player.seat(game.environment.size() if game.environment.size().attributes else Size())
    return player


def turns(game: Any, player: Player, round: int | None = None) -> Iterator[Turn]:
    """Play the game's rounds again, up to the given one, with a player that is at its beginning."""
    for number, (x, y) in enumerate(islice(_rounds(game), until(game, round)), 1):
        seen, before = player.see(x), player.learner.moves(player.state)
        guess = player.guess(seen)
        mistake = player.learn(seen, y, guess)
        moved = player.learner.moves(player.state) > before
        yield Turn(number, seen, int(player.labels.known(y) or 0), mistake, moved)


def _rounds(game: Any) -> Iterator[tuple[Any, Any]]:
    if game.transcript is not None:
        yield from ((one.x, one.y) for one in game.transcript)
    elif hasattr(game.environment, "chunks"):
        for chunk in game.environment.chunks():
            yield from ((chunk[t], chunk.labels[t]) for t in range(len(chunk)))
    else:
        raise BadParameter("the rounds of this game are gone: play(..., transcript=True) keeps what a picture needs")
