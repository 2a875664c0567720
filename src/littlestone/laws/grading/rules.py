"""The rules of graded games: what the adversary may ask and answer, what it costs, and what a bound allows.

Each game is small enough to be played in all ways. Positions are hashable values; labels and instances are plain.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log1p
from typing import Any, NamedTuple

from littlestone.base.printed_numbers import Number
from littlestone.base.printed_text import quote

Table = Sequence[Sequence[Any]]


class Move(NamedTuple):
    """A round that an adversary may play, and the position after it."""

    x: Any
    y: Any
    position: Hashable


@dataclass(frozen=True, kw_only=True)
class GradedGame(ABC):
    """What all graded games have.

    Args:
        name: What the game is called in a report.
        told: What the student's class is made with.
        labels: What may be guessed; nothing if a chance in [0, 1] is said instead.
        rounds: How many rounds a game has at most; games of every length if not given.
        contrary: Whether the adversary always answers against the guess.
        law: What must hold of each round besides the bound: nothing, "conservative" or "at once".
        unit: What is counted.
        loss: What a chance costs: its distance from the label, the "square" of that, or "log".
    """

    name: str
    told: dict[str, Any] = field(default_factory=dict)
    labels: tuple[Any, ...] = (False, True)
    rounds: int | None = None
    contrary: bool = False
    law: str = ""
    unit: str = "mistakes"
    loss: str = ""

    @abstractmethod
    def start(self) -> Hashable:
        """Return the first position."""

    @abstractmethod
    def list_moves(self, position: Any) -> Iterator[Move]:
        """List what the adversary may do."""

    @abstractmethod
    def allow(self, position: Any) -> Number:
        """Say what the bound allows when the game ends here."""

    @abstractmethod
    def explain(self, position: Any) -> str:
        """Say why the labels of a game that ended here are fair."""

    def has_round(self, played: int) -> bool:
        """Whether another round may be played."""
        return self.rounds is None or played < self.rounds

    def weigh(self, said: Any, y: Any) -> Number:
        """Return what a round costs."""
        if self.labels:
            return int(said != y)
        far: Number = abs(said - int(y))
        if self.loss == "log":
            return inf if far >= 1 else -log1p(-float(far))
        return far * far if self.loss == "square" else far

    def complain(self, said: Any) -> str:
        """What is wrong with what was said; nothing if nothing is."""
        if not self.labels:
            fair = isinstance(said, int | float | Fraction) and 0 <= said <= 1
            return "" if fair else f"predict returned {said!r}, and a chance from 0 to 1 was asked for"
        fair = isinstance(said, bool | int | float | str) and said in self.labels
        named = " or ".join(map(repr, self.labels))
        return "" if fair else f"predict returned {said!r}, and the labels are {named}"

    def judge(self, move: Move, said: Any, before: dict[Any, Any], after: dict[Any, Any]) -> str:
        """What is wrong with a round by the law: guesses on instances are given before and after it."""
        if self.law == "at once" and after.get(move.x, move.y) != move.y:
            return f"it was told that {show(move.x)} is {show(move.y)}, and asked again it says {show(after[move.x])}"
        if self.law == "conservative" and said == move.y:
            for x in before.keys() & after.keys():
                if before[x] != after[x]:
                    words = f"from {show(before[x])} to {show(after[x])}"
                    return f"the last guess was right, and yet the guess on {show(x)} changed {words}"
        return ""


@dataclass(frozen=True, kw_only=True)
class ClassGame(GradedGame):
    """A game in which some concept of a class agrees with every label.

    Args:
        table: A row of labels for each concept.
        points: The instance of each column.
        bound: What is allowed, or for each concept what is allowed if it agrees.
        names: What the concepts are called.
    """

    table: Table
    points: Sequence[Any]
    bound: Number | Sequence[Number]
    names: Sequence[str] = ()

    def start(self) -> int:
        return (1 << len(self.table)) - 1

    def list_moves(self, position: int) -> Iterator[Move]:
        for column, x in enumerate(self.points):
            left: dict[Any, int] = {}
            for row in self._list_alive(position):
                y = self.table[row][column]
                left[y] = left.get(y, 0) | 1 << row
            for y in sorted(left, key=str):
                yield Move(x, y, left[y])

    def allow(self, position: int) -> Number:
        if not isinstance(self.bound, Sequence):
            return self.bound
        return min((self.bound[row] for row in self._list_alive(position)), default=inf)

    def explain(self, position: int) -> str:
        alive = list(self._list_alive(position))
        if isinstance(self.bound, Sequence):
            alive.sort(key=self.bound.__getitem__)
        row = alive[0]
        values = ", ".join(f"{show(x)} {show(y)}" for x, y in zip(self.points, self.table[row], strict=True))
        named = f'"{self.names[row]}"' if self.names else f"the concept {{{values}}}"
        return f"{named} agrees with every label"

    def _list_alive(self, position: int) -> Iterator[int]:
        return (row for row in range(len(self.table)) if position >> row & 1)


@dataclass(frozen=True, kw_only=True)
class ExpertsGame(GradedGame):
    """A game in which an instance is what each expert says, and any label may come.

    Args:
        advice: What the experts may say in a round, one tuple for each choice.
        charge: What an expert loses by saying something when the label comes.
        allowance: What is allowed if this is what the best expert has lost.
    """

    advice: Sequence[tuple[Any, ...]]
    charge: Callable[[Any, Any], Number] = lambda said, y: int(said != y)
    allowance: Callable[[Number], Number]

    def start(self) -> tuple[Number, ...]:
        return (0,) * len(self.advice[0])

    def list_moves(self, position: tuple[Number, ...]) -> Iterator[Move]:
        for votes in self.advice:
            for y in (0, 1):
                lost = (loss + self.charge(vote, y) for loss, vote in zip(position, votes, strict=True))
                yield Move(votes, y, tuple(round(one, 12) if isinstance(one, float) else one for one in lost))

    def allow(self, position: tuple[Number, ...]) -> Number:
        return self.allowance(min(position))

    def explain(self, position: tuple[Number, ...]) -> str:
        lost = [f"{one}" if isinstance(one, int) else f"{float(one):.4f}" for one in position]
        return f"the experts lost {', '.join(lost)}"


@dataclass(frozen=True, kw_only=True)
class CountGame(GradedGame):
    """A game in which instances say nothing, and what is allowed depends on how often each label came.

    Args:
        allowance: What is allowed after a number of zeros and a number of ones.
        x: The instance of every round.
    """

    allowance: Callable[[int, int], Number]
    x: Any = 0

    def start(self) -> tuple[int, int]:
        return 0, 0

    def list_moves(self, position: tuple[int, int]) -> Iterator[Move]:
        zeros, ones = position
        yield Move(self.x, 0, (zeros + 1, ones))
        yield Move(self.x, 1, (zeros, ones + 1))

    def allow(self, position: tuple[int, int]) -> Number:
        return self.allowance(*position)

    def explain(self, position: tuple[int, int]) -> str:
        return f"there were {position[0]} zeros and {position[1]} ones"


@dataclass(frozen=True, kw_only=True)
class BisectionGame(GradedGame):
    """A game on the thresholds of a long grid: the adversary asks the middle of what is left, or a third, and denies.

    Args:
        n: The last point of the grid 0, 1, ..., n.
        bound: What is allowed.
        share: Which part of what is left lies below the point that is asked.
    """

    n: int
    bound: int
    share: tuple[int, int] = (1, 2)

    def start(self) -> tuple[int, int]:
        return 0, self.n + 1  # thresholds that agree, "x >= j" for each j from the first to the last

    def list_moves(self, position: tuple[int, int]) -> Iterator[Move]:
        low, high = position
        if low < high:
            x = low + (high - low - 1) * self.share[0] // self.share[1]
            yield Move(x, True, (low, x))
            yield Move(x, False, (x + 1, high))

    def allow(self, position: tuple[int, int]) -> int:
        return self.bound

    def explain(self, position: tuple[int, int]) -> str:
        return f'"x >= {position[0]}" agrees with every label'


@dataclass(frozen=True, kw_only=True)
class DriftGame(GradedGame):
    """A game on disjunctions that change: each attribute that joins the target costs the adversary 1.

    A position is for each set of attributes, in the order of their bits, the least cost at which it can be the target.

    Args:
        attributes: How many attributes there are.
        most: What the adversary may spend.
        allowance: What is allowed for each cost.
    """

    attributes: int
    most: int
    allowance: Callable[[int], int]

    def start(self) -> tuple[int, ...]:
        return tuple(target.bit_count() for target in range(1 << self.attributes))

    def list_moves(self, position: tuple[int, ...]) -> Iterator[Move]:
        targets = range(1 << self.attributes)
        reach = [min(position[old] + (new & ~old).bit_count() for old in targets) for new in targets]
        for bits in targets:
            x = tuple(bits >> k & 1 for k in range(self.attributes))
            for y in (False, True):
                left = tuple(
                    cost if bool(new & bits) == y and cost <= self.most else self.most + 1
                    for new, cost in zip(targets, reach, strict=True)
                )
                if min(left) <= self.most:
                    yield Move(x, y, left)

    def allow(self, position: tuple[int, ...]) -> int:
        return self.allowance(min(position))

    def explain(self, position: tuple[int, ...]) -> str:
        return f"a target to which attributes were added {min(position)} times agrees with every label"


def show(value: Any) -> str:
    """An instance or a label as a person writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(show, value))})"
    return f"{value:g}" if isinstance(value, float) else "nothing" if value is None else quote(value)
