"""Racing: many learners on one reading of a stream, side by side.

Each learner plays its own game; a chunk goes to all of them before the next one is read. A learner that refuses a
round (an attribute, a third class) is out of the race, with its reason, and the others go on.

>>> from littlestone import Perceptron, Recorded, Winnow
>>> stream = Recorded([[1, 0, 1], [0, 1, 0]] * 4, [True, False] * 4)
>>> found = race(stream, [Perceptron(), Winnow(threshold=2.0)])
>>> [(type(game.player.learner).__name__, game.mistakes) for game in found.games]
[('Winnow', 0), ('Perceptron', 2)]
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, LittlestoneError, require
from littlestone.base.features import Features, Indexed
from littlestone.base.learner import Learner
from littlestone.base.printed_text import escape
from littlestone.base.traits import RowLearner
from littlestone.game.game import Game, proceed
from littlestone.game.leading_rounds import open_stream
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


@dataclass(frozen=True)
class Race:
    """What a race came to, those with the fewest mistakes first and those that left last.

    Args:
        stream: What was played.
        entries: The learners with their games, seconds, and reasons to leave.
    """

    stream: Stream
    entries: tuple[RaceEntry, ...]

    @property
    def games(self) -> list[Game]:
        """The games of those that did not leave, the best first."""
        return [entry.game for entry in self.entries if entry.problem is None]

    @property
    def best(self) -> Player:
        """The player with the fewest mistakes."""
        require(bool(self.games), f"every learner left the race: {self.entries[0].problem}")
        return self.games[0].player

    def format(self, name: Callable[[Game], str] = lambda game: str(game.player.learner)) -> str:
        """The race as a table; `name` says what stands for a learner."""
        lines = [f"{'mistakes':>12}  {'rate':>7}  {'updates':>12}  {'microseconds a round':>20}  learner"]
        for entry in self.entries:
            game, wrong, shown = entry.game, entry.game.judged.mistakes, name(entry.game)
            rate, pace = wrong / max(1, game.rounds), 1e6 * entry.seconds / max(1, game.rounds)
            if entry.problem is not None:
                lines.append(f"{'out':>12}  {shown}: {escape(str(entry.problem))}")
                continue
            shown += "" if game.served is not None else " (guesses played: what it serves was not counted)"
            lines.append(f"{wrong:>12,}  {rate:>7.2%}  {game.updates:>12,}  {pace:>20.3f}  {shown}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.format()


def race(
    stream: Any,
    learners: Iterable[Learner] | None = None,
    seed: int = 0,
    features: Callable[[], Features | None] | None = None,
) -> Race:
    """Play learners on a stream, each round judged before it is learned, in one reading.

    Args:
        stream: The rounds: a stream, or whatever `read` can read.
        learners: Who plays; None: every learner with its usual parameters that may play such rows.
        seed: Feeds the coins of all of them.
        features: Makes what reads the stream for each of them, if it must not be what the stream brings along.
    """
    stream = open_stream(stream)
    made = stream.features if features is None else features
    chosen = choose_learners(stream, made()) if learners is None else list(learners)
    entries = _play_all(stream, chosen, seed, made)
    entries.sort(key=lambda entry: (entry.problem is not None, entry.game.judged.mistakes))
    return Race(stream, tuple(entries))


def _play_all(
    stream: Stream, learners: list[Learner], seed: int, made: Callable[[], Features | None]
) -> list[RaceEntry]:
    """Play every learner on the stream in one reading; the entries in the order given."""
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
