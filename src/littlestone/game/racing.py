"""Racing: many learners on one reading of a stream, side by side.

Each learner plays its own game; a chunk goes to all of them before the next one is read. A learner that refuses a
round (an attribute, a third class) is out of the race, with its reason, and the others go on.

>>> from littlestone import Perceptron, Recorded, Winnow
>>> stream = Recorded([[1, 0, 1], [0, 1, 0]] * 4, [True, False] * 4)
>>> [(entry.game.mistakes, entry.problem) for entry in race([Perceptron(), Winnow(threshold=2.0)], stream)]
[(2, None), (0, None)]
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, LittlestoneError, require
from littlestone.base.features import Features, Indexed
from littlestone.base.learner import Learner
from littlestone.base.traits import RowLearner
from littlestone.game.game import Game, proceed
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import list_learners
from littlestone.learners.network import Network


@dataclass
class RaceEntry:
    """One learner in a race: its game, the seconds it took, and why it left, if it did."""

    game: Game
    seconds: float = 0.0
    problem: LittlestoneError | None = None


def race(
    learners: Iterable[Learner], stream: Stream, seed: int = 0, features: Callable[[], Features | None] | None = None
) -> list[RaceEntry]:
    """Play every learner on the stream in one reading; the entries in the order given.

    `features` makes what reads the stream for each of them, if it must not be what the stream brings along.
    """
    made, learners = stream.features if features is None else features, list(learners)
    require(bool(learners), "a race needs at least one learner")

    def enter(learner: Learner) -> RaceEntry:
        return RaceEntry(play(Player(learner, made(), stream.classes(), seed), stream, rounds=0))

    entries = [enter(learner) for learner in learners]
    for number, chunk in enumerate(stream.chunks()):
        for learner, entry in zip(learners, entries, strict=True):
            if number == 0:  # loading loops counts as no learner's time
                with suppress(LittlestoneError):
                    proceed(enter(learner).game, chunk[:2])
            if entry.problem is None:
                start = time.perf_counter()
                try:
                    proceed(entry.game, chunk)
                except LittlestoneError as problem:
                    entry.problem = problem
                entry.seconds += time.perf_counter() - start
    return entries


def choose_learners(stream: Stream, features: Features | None = None) -> list[Learner]:
    """Learners with their usual parameters that may play rows such as a stream's first; networks for many classes."""
    chunk = next(iter(stream.chunks()), None)
    require(chunk is not None, f"{stream} has no rounds", BadData)
    assert chunk is not None
    features = Indexed() if features is None else features
    features.read_chunk(chunk)
    kinds = [kind for kind in list_learners() if issubclass(kind, RowLearner)]
    entries = {kind: kind.race_entries(features.width) for kind in kinds}
    if len(set(chunk.labels.tolist())) <= 2:
        return [learner for learners in entries.values() for learner in learners]
    able = [learner for learners in entries.values() for learner in learners if learner.limit() > 2]
    return able + [
        Network(learners[0], updates) for kind, learners in entries.items() for updates in kind.network_updates
    ]
