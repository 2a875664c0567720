"""Every game: a student's learner played against every adversary that keeps to the rules of a graded game.

A *position* is what the adversary has promised so far: the concepts that agree with its labels, or how often each
expert has erred. What can still happen depends on the learner and on the position only. The search goes by rounds: for
each pair that can be reached it keeps the most mistakes, and goes on from a pair when it is reached with more than
before. If nothing gets worse any more, the worst case is known for games of any length. If a game passes through the
same pair twice and errs between, it can err without end. The first game found that errs more often than is
allowed has the fewest rounds of all.

The learner is asked for its guess before the process in which it runs is sent the label, and once for each state and
instance. So whatever that process answers, what is counted are the mistakes of some learner, and no learner makes fewer
than the value of the game; a count below it is refused.
"""

import math
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from littlestone.base.printed_numbers import Number
from littlestone.laws.grading.rules import GradedGame, Move
from littlestone.laws.grading.sandbox import End, Sandbox
from littlestone.laws.grading.value import find_value

POSITIONS = 3_000  # pairs of a learner and a position that one game may reach
MORE = 200  # and how many more once a game has been found that breaks the bound
# long games where not all can be played, and their rounds
GAMES = 6
LONG = 60
NEAR = 1e-9  # what sums of floats may differ by


class GradedRound(NamedTuple):
    """One round of a transcript: the instance, what the learner said, the label, and what it cost."""

    x: Any
    said: Any
    y: Any
    cost: Number


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A pair of a learner and a position, and the game that led there."""

    node: int
    position: Hashable
    mistakes: Number = 0
    depth: int = 0
    last: GradedRound | None = None
    before: "Reached | None" = None

    def list_rounds(self) -> list[GradedRound]:
        """The game from its first round on."""
        return [one.last for one in [*self.walk()][::-1] if one.last is not None]

    def walk(self) -> Iterator["Reached"]:
        """This and all that came before it, back to the start."""
        at: Reached | None = self
        while at is not None:
            yield at
            at = at.before


@dataclass
class Outcome:
    """What came of all games of a part of an exercise.

    Args:
        worst: The most mistakes (or the greatest loss) among the games, beside what was allowed there.
        allowed: What the bound allows where it comes closest to the worst.
        proven: Whether games of every length were played out; otherwise all of at most `depth` rounds were.
        depth: How many rounds the longest games had that were all played.
        positions: How many pairs of a learner and a position were reached.
        rounds: The shortest game that breaks the bound or a law, or that fails.
        words: What is wrong with that game; nothing if all is right.
        again: The round (from 0) from which on the rounds can be repeated, with mistakes, without end.
        shown: Whether worst and allowed were found at all.
        closest: The game that comes closest to the bound.
        shortest: Whether no game of fewer rounds goes wrong.
    """

    worst: Number = 0
    allowed: Number = 0
    proven: bool = True
    depth: int = 0
    positions: int = 0
    rounds: list[GradedRound] = field(default_factory=list)
    words: str = ""
    again: int | None = None
    shown: bool = True
    closest: list[GradedRound] = field(default_factory=list)
    shortest: bool = True

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.words


class EveryGame:
    """The search through all games of one student's learner.

    Args:
        sandbox: Where the learner runs.
        game: The rules.
        until: When to stop, as `time.monotonic()` tells it.
        limit: How many pairs may be reached.
    """

    def __init__(self, sandbox: Sandbox, game: GradedGame, until: float, limit: int = POSITIONS) -> None:
        self.sandbox = sandbox
        self.game = game
        self.until = until
        self.limit = limit
        self.rounds: dict[tuple[int, Any, Any], tuple[Any, int]] = {}  # learner, x, y: what it said, what it became
        self.best: dict[tuple[int, Hashable], Reached] = {}
        self.moves: dict[Hashable, list[Move]] = {}
        self.result = Outcome()

    def play(self) -> Outcome:
        """Play all games and tell what came of them."""
        made = self.sandbox.make(self.game.told)
        if made.wrong:
            return Outcome(words=f"making it failed: {made.wrong}", shown=False)
        start = Reached(made.node, self.game.start())
        self.best[start.node, start.position] = start
        self.tightest = start
        broken: Reached | None = None
        frontier = [start]
        while frontier and self.game.has_round(self.result.depth):
            improved: dict[tuple[int, Hashable], Reached] = {}
            for here in frontier:
                if not self._expand(here, improved):
                    return self.result
            self.result.depth += 1
            for key, there in improved.items():
                if (repeat := self._find_repeat(there)) is not None:
                    return self._tell_endless(broken, there, repeat)
                self.best[key] = there
                if self._slack(there) < self._slack(self.tightest):
                    self.tightest = there
                if broken is None and self._slack(there) < -NEAR:
                    broken = there
                    self.limit = min(self.limit, len(self.best) + MORE)
            frontier = list(improved.values())
            if len(self.best) > self.limit or time.monotonic() > self.until:
                self.result.proven = False
                break
        if not self.result.proven and broken is None:
            return self._play_long_games(start)
        return self._tell(broken)

    def _play_long_games(self, start: Reached) -> Outcome:
        """Where not all games can be played, play some long ones too, against a learner that is denied what it says."""
        lots = Random(0)
        for _ in range(GAMES):
            at = start
            depth = 0
            while depth < LONG and self.game.has_round(depth) and time.monotonic() < self.until:
                found: dict[tuple[int, Hashable], Reached] = {}
                if not self._expand(at, found, every=True):
                    self.result.shortest = False
                    return self.result
                ways = [one for one in found.values() if one.mistakes > at.mistakes] or list(found.values())
                if not ways:
                    break
                at = lots.choice(ways)
                depth = depth + 1
                if self._slack(at) < self._slack(self.tightest):
                    self.tightest = at
                if self._slack(at) < -NEAR:
                    self.result.shortest = False
                    return self._tell(at)
        return self._tell(None)

    def _expand(self, here: Reached, improved: dict[tuple[int, Hashable], Reached], every: bool = False) -> bool:
        """Play every round that the adversary may go on with; whether all went well.

        What is reached with more mistakes than before, or `every` end, is added to `improved`.
        """
        moves = self._list_moves(here.position)
        asked = [move for move in moves if (here.node, move.x, move.y) not in self.rounds]
        if asked:
            guesses = self._ask_guesses(here, asked)
            if guesses is None:
                return False
            ends = self.sandbox.play([(guesses[move.x].node, [("update", move.x, move.y)]) for move in asked])
            for move, end in zip(asked, ends, strict=True):
                said = guesses[move.x].said[0]
                if end.wrong:
                    return self._fail(here, GradedRound(move.x, said, move.y, 0), end.wrong)
                self.rounds[here.node, move.x, move.y] = (said, end.node)
        for move in moves:
            said, node = self.rounds[here.node, move.x, move.y]
            if self.game.contrary and said == move.y:
                continue
            cost = self.game.weigh(said, move.y)
            there = Reached(
                node, move.position, here.mistakes + cost, here.depth + 1, GradedRound(move.x, said, move.y, cost), here
            )
            known = improved.get((node, move.position)) or (None if every else self.best.get((node, move.position)))
            if known is None or there.mistakes > known.mistakes + NEAR:
                improved[node, move.position] = there
        return True

    def _ask_guesses(self, here: Reached, asked: list[Move]) -> dict[Any, End] | None:
        """What the learner says of each instance before a label is sent, and where that leaves it; None if it fails."""
        first = {move.x: move for move in reversed(asked)}
        ends = self.sandbox.play([(here.node, [("predict", x)]) for x in first])
        for (x, move), end in zip(first.items(), ends, strict=True):
            said = end.said[0] if end.said else None
            if problem := end.wrong or self.game.complain(said):
                self._fail(here, GradedRound(x, said, move.y, 0), problem)
                return None
        return dict(zip(first, ends, strict=True))

    def _fail(self, here: Reached, last: GradedRound, problem: str) -> bool:
        """Tell of a round that could not be played."""
        self.result = Outcome(rounds=[*here.list_rounds(), last], words=problem, shown=False)
        return False

    def _list_moves(self, position: Hashable) -> list[Move]:
        """What the adversary may do, found once for each position."""
        if position not in self.moves:
            self.moves[position] = list(self.game.list_moves(position))
        return self.moves[position]

    def _slack(self, there: Reached) -> Number:
        """What is left of the bound."""
        return self.game.allow(there.position) - there.mistakes

    def _find_repeat(self, there: Reached) -> Reached | None:
        """Where the game that led here was in the same pair before, with fewer mistakes."""
        came = there.before.walk() if there.before else iter(())
        return next((one for one in came if (one.node, one.position) == (there.node, there.position)), None)

    def _tell_endless(self, broken: Reached | None, there: Reached, repeat: Reached) -> Outcome:
        """Tell of a game that can be repeated; if a shorter one breaks the bound, that one is shown."""
        result = self.result
        result.worst, result.positions, result.again = math.inf, len(self.best), repeat.depth
        result.allowed = self.game.allow(there.position)
        if broken is not None and broken.depth < there.depth:
            result.rounds = broken.list_rounds()
            result.words = f"{self._count(broken)}; other rounds make it err without end"
        else:
            again = (
                f"round {there.depth} leads"
                if there.depth == repeat.depth + 1
                else (f"rounds {repeat.depth + 1} to {there.depth} lead")
            )
            result.rounds = there.list_rounds()
            result.shortest = False
            result.words = (
                f"{again} back to where it was, with a mistake on the way: played again and again, it errs without end;"
                f" {self.game.explain(there.position)}"
            )
        return result

    def _count(self, broken: Reached) -> str:
        """Say how a game breaks the bound."""
        unit = self.game.unit if broken.mistakes != 1 else self.game.unit.removesuffix("s")
        allowed = show_number(self.game.allow(broken.position))
        fair = self.game.explain(broken.position)
        return f"{show_number(broken.mistakes)} {unit}, and the bound allows {allowed}; {fair}"

    def _tell(self, broken: Reached | None) -> Outcome:
        tight = self.tightest
        result = self.result
        result.worst, result.allowed, result.positions = tight.mistakes, self.game.allow(tight.position), len(self.best)
        result.closest = tight.list_rounds()
        if broken is not None:
            result.rounds, result.words = broken.list_rounds(), self._count(broken)
        elif self._is_impossible(result):
            return Outcome(words=result.words, shown=False)
        else:
            self._check_law()
        return result

    def _is_impossible(self, result: Outcome) -> bool:
        """Whether an adversary forces more on every learner than this one seems to have made; says so."""
        least = find_value(self.game, result.depth, self.until)
        if least is None or result.worst - result.allowed >= least - NEAR:
            return False
        forced = show_number(least + result.allowed)
        worst = show_number(result.worst)
        result.words = (
            f"{worst} {self.game.unit} at most were counted, and an adversary forces {forced} on every learner"
        )
        return True

    def _check_law(self) -> None:
        """Find the shortest game that breaks the law of the game, if it has one."""
        if not self.game.law:
            return
        guesses: dict[int, dict[Any, Any]] = {}
        for (node, x, _), (said, _) in self.rounds.items():
            guesses.setdefault(node, {})[x] = said
        for here in sorted(self.best.values(), key=lambda one: one.depth):
            for move in self._list_moves(here.position):
                said, after = self.rounds.get((here.node, move.x, move.y), (None, None))
                if after is None:
                    continue
                problem = self.game.judge(move, said, guesses.get(here.node, {}), guesses.get(after, {}))
                if problem:
                    cost = self.game.weigh(said, move.y)
                    self.result.rounds = [*here.list_rounds(), GradedRound(move.x, said, move.y, cost)]
                    self.result.words = problem
                    return


def show_number(value: Number) -> str:
    """A count as it is, anything else to four digits."""
    return f"{value}" if isinstance(value, int) else "without end" if value == math.inf else f"{float(value):.4f}"
