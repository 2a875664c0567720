"""Racing: many learners on one reading of a stream, side by side.

Each learner plays its own game; a chunk goes to all of them before the next one is read. A learner that refuses a
round (an attribute, a third class) is out of the race, with its reason, and the others go on. Learners over Boolean
attributes see of texts and other named attributes only which occur. Beside its mistakes stands the log-loss of one that
gives chances. Where labels are numbers of many values, learners that predict these race.

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
from typing import Any, Literal

from littlestone.base.chunks import Chunk, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, LittlestoneError, require
from littlestone.base.features import Features, Indexed
from littlestone.base.features.words import mark_presence
from littlestone.base.learner import Learner
from littlestone.base.printed_text import escape
from littlestone.base.traits import RowLearner, ask_takes
from littlestone.game.evaluation import Evaluation
from littlestone.game.game import Game, proceed
from littlestone.game.leading_rounds import open_stream
from littlestone.game.league.of_race import RacedLeague, RacedMember
from littlestone.game.names import build_learner
from littlestone.game.number_evaluation import Errors, NumberEvaluation
from littlestone.game.play import play
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player
from littlestone.game.regressor import FEW, LOOKED_AT, are_numbers
from littlestone.learners import CoinRegression, Ridge, list_learners
from littlestone.learners.network import Network

CLASSES = f"{'mistakes':>12}  {'rate':>7}  {'log-loss':>8}  {'updates':>12}  {'microseconds a round':>20}  learner"
NUMBERS = f"{'RMSE':>12}  {'MAE':>12}  {'microseconds a round':>20}  learner"


@dataclass
class RaceEntry:
    """One learner in a race: its game, what its guesses came to, the seconds it took, and why it left, if it did."""

    game: Game
    seen: Evaluation | NumberEvaluation
    seconds: float = 0.0
    problem: LittlestoneError | None = None

    @property
    def log_loss(self) -> float | None:
        """The mean log-loss of the chances that it gave; None for a learner that gives none."""
        known = isinstance(self.seen, Evaluation) and self.seen.forecasts is not None
        return self.seen.log_loss if known else None  # type: ignore[union-attr]

    @property
    def errors(self) -> Errors | None:
        """The errors of predicted numbers; None where classes are guessed."""
        return self.seen.errors() if isinstance(self.seen, NumberEvaluation) else None

    @property
    def pace(self) -> float:
        """Microseconds a round."""
        return 1e6 * self.seconds / max(1, self.game.rounds)


@dataclass(frozen=True)
class Race:
    """What a race came to, those with the fewest mistakes or the least square error first and those that left last.

    Args:
        stream: What was played.
        entries: The learners with their games, seconds, and reasons to leave.
        mixed: The league of what they said; None where numbers are predicted, or fewer than two played.
    """

    stream: Stream
    entries: tuple[RaceEntry, ...]
    mixed: RacedLeague | None = None

    @property
    def games(self) -> list[Game]:
        """The games of those that did not leave, the best first."""
        return [entry.game for entry in self.entries if entry.problem is None]

    @property
    def best(self) -> Player:
        """The player with the fewest mistakes, or the least square error."""
        require(bool(self.games), f"every learner left the race: {self.entries[0].problem}")
        return self.games[0].player

    @property
    def seconds(self) -> float:
        """What those that did not leave took together."""
        return sum(entry.seconds for entry in self.entries if entry.problem is None)

    def format(self, name: Callable[[Game], str] | None = None) -> str:
        """The race as a table; `name` says what stands for a learner."""
        lines = list[str]()
        for entry in self.entries:
            shown = (name or describe_entry)(entry.game)
            errors = entry.errors
            head = NUMBERS if errors is not None else CLASSES
            lines += [head] if head not in lines else []
            if entry.problem is not None:
                lines.append(f"{'out':>12}  {shown}: {escape(str(entry.problem))}")
            elif errors is not None:
                lines.append(f"{errors.root_square:>12.5g}  {errors.absolute:>12.5g}  {entry.pace:>20.3f}  {shown}")
            else:
                lines.append(_format_mistakes(entry, shown))
        if self.mixed is not None:
            lines.append(self.mixed.format(self.seconds))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.format()


def _format_mistakes(entry: RaceEntry, shown: str) -> str:
    """A line of a table of mistakes."""
    game = entry.game
    wrong = entry.game.judged.mistakes
    lost = "-" if entry.log_loss is None else f"{entry.log_loss:.4f}"
    shown += " (no theorem)" if game.player.learner.lacks_theorem() else ""
    shown += "" if game.served is not None else " (guesses played: what it serves was not counted)"
    rate = wrong / max(1, game.rounds)
    return f"{wrong:>12,}  {rate:>7.2%}  {lost:>8}  {game.updates:>12,}  {entry.pace:>20.3f}  {shown}"


def race(
    stream: Any,
    learners: Iterable[Learner | str] | None = None,
    seed: int = 0,
    features: Callable[[], Features | None] | None = None,
    task: Literal["classification", "regression"] | None = None,
) -> Race:
    """Play learners on a stream, each round judged before it is learned, in one reading.

    Args:
        stream: The rounds: a stream, or whatever `read` can read.
        learners: Who plays, or names as they are typed ("logistic", "perceptron:margin=1"); None: every learner with
            its usual parameters that may play such rows.
        seed: Feeds the coins of all of them.
        features: Makes what reads the stream for each of them, if it must not be what the stream brings along.
        task: Whether labels are classes or numbers to be predicted, where no learners are given; None: what they are.
    """
    stream = open_stream(stream)
    made = stream.features if features is None else features
    named = [build_learner(one) if isinstance(one, str) else one for one in learners or ()]
    chosen = choose_learners(stream, made(), task) if learners is None else named
    entries, mixed = _play_all(stream, chosen, seed, made)
    entries.sort(key=_rank)
    return Race(stream, tuple(entries), mixed)


def describe_entry(game: Game) -> str:
    """A learner in a race, and whether it saw only which attributes occur."""
    presence = not getattr(game.player.features, "counts", True)
    return f"{game.player.learner}{' (attributes that occur count 1)' if presence else ''}"


def _rank(entry: RaceEntry) -> tuple[bool, bool, float]:
    """Those that left last, and before them those that predict numbers; the best first."""
    errors = entry.errors
    judged = entry.game.judged.mistakes if errors is None else errors.root_square
    return entry.problem is not None, errors is not None, judged


def _play_all(
    stream: Stream, learners: list[Learner], seed: int, made: Callable[[], Features | None]
) -> tuple[list[RaceEntry], RacedLeague | None]:
    """Play every learner on the stream in one reading; the entries in the order given, and their league."""
    require(bool(learners), "a race needs at least one learner")
    boolean, leagued = _are_boolean(stream, made()), len(learners) > 1 and not any(one.numeric for one in learners)

    def enter(learner: Learner) -> RaceEntry:
        features = made() if boolean or ask_takes(learner).fractions else mark_presence(made())
        game = play(Player(learner, features, stream.classes(), seed), stream, rounds=0)
        game.player.tells = leagued
        return RaceEntry(game, NumberEvaluation() if learner.numeric else Evaluation())

    entries = [enter(learner) for learner in learners]
    mixed = RacedLeague([one.game.player for one in entries], stream.classes(), seed) if leagued else None
    for number, chunk in enumerate(stream.chunks()):
        for place, (learner, entry) in enumerate(zip(learners, entries, strict=True)):
            if number == 0:  # loading loops counts as no learner's time
                with suppress(LittlestoneError):
                    proceed(enter(learner).game, chunk[:2])
            if entry.problem is None:
                _play_chunk(entry, chunk, None if mixed is None else mixed.members[place])
        if mixed is not None:
            mixed.mix(chunk)
    for entry in entries:
        entry.game.player.tells = False
    return entries, mixed if mixed is not None and mixed.is_worth_a_line else None


def _play_chunk(entry: RaceEntry, chunk: Chunk, member: RacedMember | None) -> None:
    """Let a learner play a chunk until it leaves, judge what it served, and let the league hear what it said."""
    start = time.perf_counter()
    played = list[PlayedRounds]()

    def note(part: PlayedRounds) -> None:
        played.append(part)
        if member is not None:
            member.hear(part)

    try:
        proceed(entry.game, chunk, note)
    except LittlestoneError as problem:
        entry.problem = problem
        if member is not None:
            member.leave(str(problem))
    entry.seconds += time.perf_counter() - start
    for part in played:
        said = part.guesses if part.served is None else part.served
        entry.seen.watch(entry.game, part.judge(said), part.labels, None, part.chances)


def _are_boolean(stream: Stream, features: Features | None) -> bool:
    """Whether the values in a stream's first rows are all 0 or 1: what learners over Boolean attributes take."""
    chunk = next(iter(stream.chunks()), None)
    seen = None if chunk is None else (Indexed() if features is None else features).read_chunk(chunk)
    values = seen.values if isinstance(seen, Examples) else None
    return values is None or bool(((values == 0) | (values == 1)).all())


def choose_learners(stream: Stream, features: Features | None = None, task: str | None = None) -> list[Learner]:
    """Learners with their usual parameters that may play rows such as a stream's first; networks for many classes."""
    chunk = next(iter(stream.chunks()), None)
    require(chunk is not None, f"{stream} has no rounds", BadData)
    assert chunk is not None
    features = Indexed() if features is None else features
    features.read_chunk(chunk)
    if task == "regression" or (task is None and are_numbers(chunk.labels[:LOOKED_AT].tolist())):
        return [Ridge()] * (features.width <= FEW) + [CoinRegression(), CoinRegression("huber")]
    kinds = [kind for kind in list_learners() if issubclass(kind, RowLearner)]
    entries = {kind: kind.race_entries(features.width) for kind in kinds}
    if len(set(chunk.labels.tolist())) <= 2:
        return [learner for learners in entries.values() for learner in learners]
    able = [learner for learners in entries.values() for learner in learners if learner.limit() > 2]
    return able + [
        Network(learners[0], updates) for kind, learners in entries.items() for updates in kind.network_updates
    ]
