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

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlestone.base.bound import Bound, Certificate, Number, Tally
from littlestone.base.bound import format_number as worded
from littlestone.base.chunks import Array, Chunk
from littlestone.base.environment import Environment, Stream
from littlestone.base.errors import BadParameter, LittlestoneError, NotCertified, require
from littlestone.base.learner import Learner, Size, copy_state
from littlestone.environments.recorded import Recorded
from littlestone.game.player import Player, choose_features
from littlestone.game.progress import Progress
from littlestone.readers.reading import read
from littlestone.readers.source import is_source

if TYPE_CHECKING:
    from littlestone.certificates.risk import Risk
    from littlestone.game.exchangeability import Drift


class Round(NamedTuple):
    """One round as it was played, in the user's labels."""

    number: int
    x: Any
    guess: Any
    y: Any
    mistake: bool

    def __str__(self) -> str:
        return f"{self.number:4d}  {'x' if self.mistake else '.'}  {self.x!s} -> {self.guess}, was {self.y}"


class Curve:
    """Mistakes after evenly spaced rounds: at most 1024 points, whatever the length and chunking of the game."""

    CAPACITY = 1024

    def __init__(self) -> None:
        self.every, self.rounds, self.mistakes = 1, 0, 0
        self._points: list[int] = []

    def extend(self, wrong: Any) -> None:
        """Add rounds, each a mistake or not."""
        totals = self.mistakes + np.cumsum(wrong)
        while len(totals):
            first = self.every - 1 - self.rounds % self.every
            taken = min(len(totals), first + 1 + (self.CAPACITY - len(self._points) - 1) * self.every)
            self._points.extend(totals[first : taken : self.every].tolist())
            self.rounds, self.mistakes = self.rounds + taken, int(totals[taken - 1])
            totals = totals[taken:]
            if len(self._points) == self.CAPACITY:
                self._points, self.every = self._points[1::2], 2 * self.every

    @property
    def points(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Round numbers and the mistakes up to each."""
        rounds = [self.every * (k + 1) for k in range(len(self._points))]
        last = [] if self.rounds == (rounds[-1] if rounds else 0) else [self.rounds]
        return np.array(rounds + last), np.array(self._points + [self.mistakes] * len(last))


@dataclass(repr=False)
class Game:
    """The record of a game: who played, what was counted, and what the theorem says about it."""

    player: Player
    environment: Environment
    tally: Tally = field(default_factory=Tally)
    curve: Curve = field(default_factory=Curve)
    transcript: list[Round] | None = None
    before: Tally = field(default_factory=Tally)  # what the player had counted before
    moved: Array | None = None  # of the rounds told last: positive where the state moved, if the game is traced
    begun: Any = None  # the state before the first round, where a learner from advice had played before

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def mistakes(self) -> int:
        return self.tally.mistakes

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

    def certificate(self, theorem: str | None = None) -> Certificate:
        """What the theorem allowed over all rounds this player has played, with a witness.

        Some learners' states hold a witness. For the others the rounds are read again (`certify`): those of an
        environment that is no stream are known if the game kept a transcript.
        """
        from littlestone.game.certify import certify, covered

        stream = self.environment if isinstance(self.environment, Stream) else None
        if self.transcript:
            classes = tuple(self.player.labels.names) if self.player.labels.closed else ()
            stream = Recorded([one.x for one in self.transcript], [one.y for one in self.transcript], classes)
        if stream is None or self.player.tally.rounds != self.rounds or not covered(self.player.learner):
            return self.player.certificate()
        return certify(self.player, stream, theorem)

    def risk(self, confidence: float = 0.99, new: bool = False) -> "Risk":
        """What the mistakes of this pass say about new data, if its rounds were drawn independently from one source.

        It does not speak for a second pass over the same rows: of a player that had played before, somebody must
        vouch that all rounds are `new` to it. Nor for an adversary, whose rounds are not drawn.
        """
        from littlestone.certificates.risk import independent, risk

        independent(self.environment)
        numbers = f"{self.player.learner} predicts numbers: there are no mistakes to count"
        require(not self.player.learner.numeric, numbers, NotCertified)
        met = self.before.rounds
        again = f"this player had played {met:,} rounds before, and rows met twice say nothing about new ones"
        require(new or not met, f"{again}: new=True if none of them came again", NotCertified)
        return risk(self.rounds, self.mistakes, confidence)

    def drift(self, alarm: float = 0.01, shuffles: int = 99) -> "Drift":
        """Whether the order of the stream's rounds mattered, so that its risk says nothing: they are played again."""
        from littlestone.game.exchangeability import ROUNDS, drift

        if not isinstance(self.environment, Stream):
            raise NotCertified(f"{self.environment} is no stream: its rounds cannot be played in another order")
        reads = copy.deepcopy(self.player.features)
        return drift(self.player.learner, self.environment, min(self.rounds, ROUNDS), shuffles, alarm, features=reads)

    def _facts(self) -> list[tuple[str, str]]:
        rate = f" ({self.mistakes / self.rounds:.2%})" if self.rounds else ""
        numeric = self.player.learner.numeric
        facts = [
            ("learner", str(self.player.learner)),
            ("against", str(self.environment)),
            ("rounds", f"{self.rounds:,}"),
            ("loss", f"{float(self.expected or 0):.6g}") if numeric else ("mistakes", f"{self.mistakes:,}{rate}"),
            ("updates", f"{self.updates:,}"),
        ]
        if self.expected is not None and not numeric:
            facts.append(("expected", f"{float(self.expected):.6g} mistakes over the learner's coins"))
        still = _left(self.player) if self.player.tally.rounds else None
        if still is not None and still.value > 0:
            facts.append(("left", f"at most {worded(still.value)} more {still.counts}, if {still.promise}"))
        if self.target is not None:
            facts.append(("target", str(self.target)))
        try:
            facts.append(("certificate", str(self.player.certificate()).replace("\n", "\n" + " " * 13)))
        except NotCertified:
            pass  # no theorem can be checked from the state alone: the counts stand for themselves
        return facts

    def __repr__(self) -> str:
        return "\n".join(f"{name:>11}  {value}" for name, value in self._facts())

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th style='text-align:right'>{name}</th><td style='text-align:left;white-space:pre-line'>"
            f"{escape(value)}</td></tr>"
            for name, value in self._facts()
        )
        return f"<table>{''.join(rows)}</table>"


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

    `rounds` caps the number of rounds; an environment without an end of its own needs it. `seed` feeds the coins of
    both sides. `watch` is told of rounds as they are played and ends the game by answering True; in a `traced` game
    of a stream `game.moved` says which of them moved the state. A round that either side refuses raises its error,
    with the game so far as the error's `game`.
    """
    require(rounds is None or rounds >= 0, f"rounds must be at least 0, got {rounds}")
    if not isinstance(environment, Environment) and is_source(environment):
        environment = read(environment)
    if not isinstance(environment, Environment):
        raise BadParameter(f"the other side must be an Environment such as Recorded(X, y), got {environment!r}")
    require(
        rounds is not None or environment.rounds is not None or isinstance(environment, Stream),
        f"{environment} has no end of its own: say how many rounds",
    )
    other = copy.copy(environment)  # so that the one that was passed in can be played again
    other.start(seed or 0)
    if isinstance(learner, Player):
        player = learner
    else:
        player = Player(learner, choose_features(learner, other.features()), other.classes(), seed or 0)
    if other.size().attributes:
        player.seat(other.size())
    game = Game(player, other, transcript=[] if transcript else None, before=player.tally)
    if game.before.rounds and hasattr(player.learner, "follower"):
        game.begun = copy_state(player.state)
    total = rounds if rounds is not None else other.rounds
    with Progress(progress, total, lambda: _left(player)) as shown:
        try:
            if isinstance(other, Stream) and not transcript:
                _replay(game, other, rounds, shown, watch, traced)
            else:
                _live(game, rounds, shown, watch)
        except LittlestoneError as problem:
            problem.game = game
            raise
        finally:
            game.tally = _since(game.before, player)
    return game


def proceed(game: Game, chunk: Chunk) -> None:
    """Play more rounds into the record of a game that a stream began."""
    try:
        _chunk(game, chunk, len(chunk), None, None)
    finally:
        game.tally = _since(game.before, game.player)


def _live(game: Game, rounds: int | None, shown: Progress, watch: Watch | None) -> None:
    """Round by round, the environment hearing each guess."""
    player, other = game.player, game.environment
    while rounds is None or game.curve.rounds < rounds:
        x = other.ask()
        if x is None:
            break
        seen = player.see(x)
        guess = player.guess(seen)
        said = player.labels.name(guess)
        y = other.answer(said)
        mistake = player.learn(seen, y, guess)
        game.curve.extend([mistake])
        if game.transcript is not None:
            game.transcript.append(Round(game.curve.rounds, x, said, y, mistake))
        shown.advance(1, mistake)
        if watch is not None and watch(game, np.array([guess]), np.array([player.labels.known(y)])):
            break


def _replay(game: Game, stream: Stream, rounds: int | None, shown: Progress, watch: Watch | None, traced: bool) -> None:
    """Chunk by chunk: no guess changes a stream, so the learner may play many rounds in one compiled call."""
    for chunk in stream.chunks():
        left = len(chunk) if rounds is None else min(len(chunk), rounds - game.curve.rounds)
        if _chunk(game, chunk, left, shown, watch, traced) or (rounds is not None and game.curve.rounds >= rounds):
            break


def _chunk(
    game: Game, chunk: Chunk, left: int, shown: Progress | None, watch: Watch | None, traced: bool = False
) -> bool:
    """The first so many rounds of a chunk; whether a watcher ended the game."""
    played = 0
    while played < left:
        marks = np.zeros(left - played) if traced else None
        guesses, codes = game.player.replay(chunk[played:left], marks)
        game.moved = None if marks is None else marks[: len(codes)]
        wrong = guesses != codes
        game.curve.extend(wrong)
        played += len(guesses)
        if shown is not None:
            shown.advance(len(guesses), int(np.count_nonzero(wrong)))
        if watch is not None and watch(game, guesses, codes):
            return True
    return False


def _left(player: Player) -> Bound | None:
    """The mistakes that are still possible, where the state alone can say so."""
    from littlestone.game.budgets import left

    return left(player.learner, player.state)


def _since(before: Tally, player: Player) -> Tally:
    """What a player has counted since an earlier tally."""
    player.seat(Size())
    after = player.tally
    expected = None if after.expected is None else after.expected - (before.expected or 0)
    rounds, mistakes, updates = (late - early for late, early in zip(after[:3], before[:3], strict=True))
    return Tally(rounds, mistakes, updates, expected)
