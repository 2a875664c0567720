"""The record of a game, and the events of a stream that is played into it.

A program that has more to do between rounds than `play` (save, judge, stop) consumes the events in a loop of its own:

>>> from littlestone.environments import Recorded
>>> from littlestone.learners import Perceptron
>>> stream = Recorded([[1.0, 0.0], [0.0, 1.0]] * 3, ["yes", "no"] * 3)
>>> game = start_game(Perceptron(), stream)
>>> with keep_tally(game):
...     [type(event).__name__ for event in play_events(game, stream.chunks(), following=lambda t: t + 4)]
['Coming', 'PlayedRounds', 'Coming', 'PlayedRounds', 'Ended']
>>> game.rounds, game.mistakes
(6, 1)
"""

import copy
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array, Chunk
from littlestone.base.environment import Environment, Stream, list_pieces, require_independent
from littlestone.base.errors import LittlestoneError, NotCertified, require
from littlestone.base.learner import Learner, Size, copy_state
from littlestone.base.printed_numbers import Number
from littlestone.certificates.risk import LabelOrder
from littlestone.environments.recorded import Recorded
from littlestone.environments.withheld import Withheld
from littlestone.game.evaluation import Curve
from littlestone.game.held_out import refuse_counting
from littlestone.game.played_rounds import PlayedRounds, Round
from littlestone.game.player import Player, choose_features
from littlestone.game.progress import Progress
from littlestone.game.refusal import meet_columns
from littlestone.game.turns import count_first

if TYPE_CHECKING:
    from littlestone.certificates.risk import Risk
    from littlestone.game.exchangeability import Drift
    from littlestone.game.metrics import Metrics


@dataclass(repr=False)
class Game:
    """The record of a game: who played, what was counted, and what the theorem says about it.

    Args:
        player: The learner with what it has learned.
        environment: The other side, as it is after the game.
        tally: Rounds, mistakes, updates and expected mistakes of this game alone.
        curve: Mistakes over time.
        served: Mistakes over time of what was served, that is what `predict` said before each label came: `curve`
            where the learner serves what it plays, None where that was not counted.
        order: The order in which the labels came: whether independent rounds could have given it.
        transcript: Every round, if they were kept.
        before: What the player had counted before this game.
        moved: Of the rounds that a watcher is shown: positive where the state moved, if the game is traced.
        begun: The state before the first round, where a learner from advice had played before.
    """

    player: Player
    environment: Environment
    tally: Tally = field(default_factory=Tally)
    curve: Curve = field(default_factory=Curve)
    served: Curve | None = None
    order: LabelOrder = field(default_factory=LabelOrder)
    transcript: list[Round] | None = None
    before: Tally = field(default_factory=Tally)
    moved: Array | None = None
    begun: Any = None

    def note_played(self, played: PlayedRounds) -> None:
        """Take down rounds that were played."""
        labels = played.labels
        served = played.served
        codes = None if self.player.learner.numeric else labels
        self.note(played.guesses != labels, None if served is None else served != labels, codes)

    def note(self, mistakes: Any, served: Any, codes: Any) -> None:
        """Take down rounds: whether each was a mistake, whether what was served was one, and the classes of labels."""
        self.curve.extend(mistakes)
        if codes is not None:
            self.order.add(codes)
        if served is None:
            self.served = None
        elif self.served is not None and self.served is not self.curve:
            self.served.extend(served)

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def mistakes(self) -> int:
        return self.tally.mistakes

    @property
    def judged(self) -> Curve:
        """The mistakes of what was served; of what was played where that was not counted."""
        return self.curve if self.served is None else self.served

    @property
    def updates(self) -> int:
        return self.tally.updates

    @property
    def expected(self) -> Number | None:
        """The exact expected mistakes over the learner's coins; None for a learner without coins."""
        return self.tally.expected

    @property
    def target(self) -> Any:
        """The concept with which the environment answers for its labels, if it promised one."""
        return self.environment.target()

    @property
    def ledger(self) -> Any:
        """The books of a game of expert advice: who lost how much, regret and bound, round by round."""
        from littlestone.game.ledger import audit

        return audit(self)

    @cached_property
    def metrics(self) -> "Metrics":
        """What the guesses came to, class by class, with intervals; the rounds are read and played once more."""
        from littlestone.game.metrics import measure

        return measure(self)

    def certificate(self, theorem: str | None = None) -> Certificate:
        """What the theorem allowed over all rounds this player has played, with a witness.

        Some learners' states hold a witness. For the others the rounds are read again (`certify`): those of an
        environment that is no stream are known if the game kept a transcript.
        """
        from littlestone.game.certify import certify, is_covered

        stream = self.find_stream()
        if stream is None or self.player.tally.rounds != self.rounds or not is_covered(self.player.learner):
            return self.player.certificate()
        return certify(self.player, stream, theorem)

    def find_stream(self) -> Stream | None:
        """The rounds of the game: as they were taken down, or those of the stream; None if they are not known."""
        if self.transcript:
            classes = tuple(self.player.labels.names) if self.player.labels.closed else ()
            return Recorded([one.x for one in self.transcript], [one.y for one in self.transcript], classes)
        other = self.environment.stream if isinstance(self.environment, Withheld) else self.environment
        return other if isinstance(other, Stream) else None

    def risk(self, confidence: float = 0.99, new: bool = False) -> "Risk":
        """What the mistakes of this pass say about new data, if its rounds were drawn independently from one source.

        It does not speak for a second pass over the same rows: say that all rounds are `new` to a player that had
        played before. Nor does it speak for an adversary, whose rounds are not drawn.
        """
        from littlestone.certificates.risk import risk

        require_independent(self.environment)
        numbers = f"{self.player.learner} predicts numbers: there are no mistakes to count"
        require(not self.player.learner.numeric, numbers, NotCertified)
        met = self.before.rounds
        again = f"this player had played {met:,} rounds before, and rows met twice say nothing about new ones"
        require(new or not met, f"{again}: new=True if none of them came again", NotCertified)
        order = self.order if isinstance(self.environment, Stream) else None  # others of ours draw independently
        if self.served is None:
            return risk(self.rounds, self.mistakes, confidence, order, "played")
        return risk(self.rounds, self.served.mistakes, confidence, order)

    def drift(self, alarm: float = 0.01, shuffles: int = 99) -> "Drift":
        """Whether the order of the stream's rounds mattered, so that its risk says nothing: they are played again."""
        from littlestone.game.exchangeability import ROUNDS, drift

        if not isinstance(self.environment, Stream):
            raise NotCertified(f"{self.environment} is no stream: its rounds cannot be played in another order")
        reads = copy.deepcopy(self.player.features)
        return drift(self.player.learner, self.environment, min(self.rounds, ROUNDS), shuffles, alarm, features=reads)

    def __repr__(self) -> str:
        from littlestone.game.description import format_facts

        return format_facts(self)

    def _repr_html_(self) -> str:
        from littlestone.game.description import format_table

        return format_table(self)


class Coming(NamedTuple):
    """Rounds that come next, those held out included: nothing has been learned from them yet."""

    chunk: Chunk


class Ended(NamedTuple):
    """The stream has no more rounds; `rounds` came, those held out included."""

    rounds: int


Event = Coming | PlayedRounds | Ended


def start_game(
    learner: Learner | Player, environment: Environment, seed: int | None = None, transcript: bool = False
) -> Game:
    """The record of a game before its first round, with a copy of the environment that has been started."""
    other = copy.copy(environment)  # so that the one that was passed in can be played again
    other.start(seed or 0)
    player = learner
    if not isinstance(player, Player):
        player = Player(player, choose_features(player, other.features()), other.classes(), seed or 0)
    elif player.may_choose:
        player.take_features(choose_features(player.learner, other.features()))
    meet_columns(player, other)
    if other.size().attributes:
        player.start_for(other)
    game = Game(player, other, transcript=[] if transcript else None, before=player.tally)
    game.served = game.curve if player.learner.serves_apart is False else Curve()
    if game.before.rounds and hasattr(player.learner, "follower"):
        game.begun = copy_state(player.state)
    return game


@contextmanager
def keep_tally(game: Game) -> Iterator[None]:
    """Count in the record of a game what is played meanwhile; an error of a round has the game as its `game`."""
    try:
        yield
    except LittlestoneError as problem:
        problem.game = game
        raise
    finally:
        game.player.start_state(Size())
        before = game.before
        after = game.player.tally
        expected = None if after.expected is None else after.expected - (before.expected or 0)
        rounds, mistakes, updates = (late - early for late, early in zip(after[:3], before[:3], strict=True))
        game.tally = Tally(rounds, mistakes, updates, expected)


def show_progress(wanted: bool, total: int | None, player: Player) -> Progress | None:
    """A bar on standard error, if that is wanted and standard error is a terminal."""
    visible = wanted and (sys.stderr.isatty() or bool(os.environ.get("FORCE_COLOR")))
    if not visible:
        return None
    from littlestone.game.description import count_left

    return Progress(True, total, lambda: count_left(player))


def play_events(
    game: Game,
    chunks: Iterator[Chunk],
    following: Callable[[int], int] | None = None,
    holdout: int = 0,
    first: int = 0,
    traced: bool = False,
    at_any_cost: bool = False,
) -> Iterator[Event]:
    """Play a stream into the record of a game, piece by piece, and say what happens.

    Args:
        game: The record, from `start_game`; its tally is counted by `keep_tally`.
        chunks: The rounds, with those that are held out.
        following: Gives, for the number of a round, the next one that begins a piece. None: pieces are the chunks.
        holdout: The last of every `holdout` rounds is guessed when it comes and not learned; 0: all are learned.
        first: The number of the first round, if the stream was entered late.
        traced: Whether `PlayedRounds.moved` says which rounds moved the state.
        at_any_cost: Whether to note what is served even where that takes much longer than to play.

    Yields:
        For each piece `Coming`, then `PlayedRounds` for each call that played some; last `Ended`.
    """
    number = first
    refuse_counting(game.player.features, holdout)
    for piece, waiting in list_pieces(chunks, following, first):
        held = (number + np.arange(1, len(piece) + 1)) % holdout == 0 if holdout else None
        number += len(piece)
        yield Coming(piece)
        if waiting and game.player.size is not None:
            game.player.learner.foresee(game.player.state, len(piece) + waiting)
        yield from _note_all(game, game.player.play_chunk(piece, traced, held, at_any_cost))
    yield Ended(number)


def _note_all(game: Game, rounds: Iterator[PlayedRounds]) -> Iterator[PlayedRounds]:
    """Take down rounds as they are played; no interrupt comes between the two."""
    while True:
        with count_first():
            played = next(rounds, None)
            if played is None:
                return
            game.note_played(played)
        yield played


def proceed(game: Game, chunk: Chunk, show: Callable[[PlayedRounds], object] | None = None) -> None:
    """Play more rounds into the record of a game that a stream began, and show them."""
    with keep_tally(game):
        for played in _note_all(game, game.player.play_chunk(chunk)):
            if show is not None:
                show(played)
