"""The game: rounds of instance, guess and label between a learner and an environment.

    environment -- x --> learner.predict(state, x) -- guess --> environment
         |                                                          |
         +---------- y --> learner.update(state, x, y, guess) <-----+

>>> from littlestone.concepts import Thresholds
>>> from littlestone.environments import Bisection
>>> from littlestone.learners import Halving
>>> play(Halving(Thresholds(6)), Bisection(Thresholds(6))).mistakes
3
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.environment import Environment, Stream, take_rounds
from littlestone.base.errors import BadParameter, require
from littlestone.base.learner import Learner
from littlestone.environments.withheld import Withheld
from littlestone.game.game import Game, keep_tally, play_events, show_progress, start_game
from littlestone.game.played_rounds import PlayedRounds, Round
from littlestone.game.player import Player
from littlestone.game.progress import Progress
from littlestone.game.sources import can_read, read

Watch = Callable[[Game, Array, Array], bool | None]  # the game, guesses and labels of rounds as class numbers


def play(
    learner: Learner | Player,
    environment: Any,
    rounds: int | None = None,
    seed: int | None = None,
    progress: bool = False,
    transcript: bool = False,
    watch: Watch | None = None,
    traced: bool = False,
) -> Game:
    """Play a game and return its record.

    A round that either side refuses raises its error, with the game so far as the error's `game`.

    Args:
        learner: Who plays: a learner starts anew, a player goes on with what it has learned.
        environment: The other side, or a file, several, or a frame with its labels, that `read` can read.
        rounds: How many rounds to play at most; an environment without an end of its own needs it.
        seed: Feeds the coins of both sides.
        progress: Whether to show a bar on standard error, if that is a terminal.
        transcript: Whether to keep every round; rounds are then played one by one.
        watch: Called with the game, guesses and labels of rounds that were just played; True ends the game.
        traced: Whether `game.moved` tells a watcher which of these rounds moved the state; for streams.
    """
    require(rounds is None or rounds >= 0, f"rounds must be at least 0, got {rounds}")
    if not isinstance(environment, Environment) and can_read(environment):
        environment = read(environment, like=learner.schema if isinstance(learner, Player) else None)
    if not isinstance(environment, Environment):
        raise BadParameter(f"the other side must be an Environment such as Recorded(X, y), got {environment!r}")
    require(
        rounds is not None or environment.rounds is not None or isinstance(environment, Stream),
        f"{environment} has no end of its own: say how many rounds",
    )
    game = start_game(learner, environment, seed, transcript)
    shown = show_progress(progress, environment.rounds if rounds is None else rounds, game.player)
    with keep_tally(game), shown or nullcontext():
        if isinstance(game.environment, Stream) and not transcript:
            _play_stream(game, game.environment, rounds, shown, watch, traced)
        else:
            _play_live(game, rounds, shown, watch)
    return game


def _play_stream(
    game: Game, stream: Stream, rounds: int | None, shown: Progress | None, watch: Watch | None, traced: bool
) -> None:
    """Chunk by chunk: no guess changes a stream, so the learner may play many rounds in one compiled call."""
    for event in play_events(game, take_rounds(stream.chunks(), rounds), traced=traced):
        if isinstance(event, PlayedRounds):
            game.moved = event.moved
            if shown is not None:
                shown.advance(len(event.labels), int(np.count_nonzero(event.guesses != event.labels)))
            if watch is not None and watch(game, event.judge(event.guesses), event.labels):
                break


def _play_live(game: Game, rounds: int | None, shown: Progress | None, watch: Watch | None) -> None:
    """Round by round, the environment hearing each guess."""
    player = game.player
    other = game.environment
    while rounds is None or game.curve.rounds < rounds:
        x = other.ask()
        if x is None:
            break
        hidden = isinstance(other, Withheld) and not player.wants_label(x)
        seen = player.ask(x) if hidden else player.see(x)
        guess = player.guess(seen)
        apart = player.learner.serves_apart
        with player.lock:
            served = player.learner.readout(player.state, seen) if apart else guess
        name = player.labels.name(guess)
        named = player.labels.pair
        if hidden and isinstance(other, Withheld):  # the record counts what the player is not told
            y = other.judge()
            mistake = guess != player.labels.find(y)
            player.skip(x, mistake)
        else:
            y = other.answer(name)
            mistake = player.learn(seen, y, guess)
        code = player.labels.find(y)
        wrong = served != code
        game.note([mistake], None if apart is None else [wrong], None if player.learner.numeric else [code])
        if game.transcript is not None:
            counted = y if name is None and not mistake else name  # a class that goes by this label from now on
            game.transcript.append(Round(game.curve.rounds, x, counted, y, mistake))
        if shown is not None:
            shown.advance(1, mistake)
        told = -1 if guess in (0, 1) and not named[int(guess)] and guess != code else guess
        if watch is not None and watch(game, np.array([told]), np.array([code])):
            break
