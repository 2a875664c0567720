"""Roster: the part of a league that knows who its members are, how they stand, and what was counted."""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Tally
from littlestone.base.chunks import Array
from littlestone.base.labels import Labels
from littlestone.base.locks import Shared, locked
from littlestone.game.league.books import (
    CARRY,
    CHARGED,
    COINS,
    KINDS,
    LOSS,
    MISTAKES,
    ROUNDS,
    Books,
    Layout,
    Rules,
    weigh_members,
)

POINTS = 512  # of the history of weights


class Standing(NamedTuple):
    """How a member stands: its mistakes, the log-loss of its best reading, its weight, how often it slept, and why."""

    name: str
    says: str
    mistakes: int
    log_loss: float
    weight: float
    slept: int
    excuse: str


class History(NamedTuple):
    """How much members weighed: after each of `rounds`, a row of `weights` with a column for each of `names`."""

    rounds: Array
    names: list[str]
    weights: Array


class Roster(Shared):
    """Members and the books about them; see `League`."""

    members: list[Any]
    features: Any
    books: Books
    labels: Labels
    rates: tuple[float, ...]
    switching: bool
    most: float
    seed: int
    follows: bool = True  # a member that is clearly ahead of the largest chance; earlier versions did not
    _history: list[tuple[int, Array]]

    def list_names(self) -> list[str]:
        """The names of all that members say."""
        return [join_name(one.name, saying.name) for one in self.members for saying in one.sayings]

    @property
    def kinds(self) -> Array:
        """What each thing that members say is, by its number."""
        return np.array([KINDS.index(saying.kind) for one in self.members for saying in one.sayings], np.int64)

    @property
    def layout(self) -> Layout:
        """Where what members say is."""
        return Layout.of(self.kinds, len(self.labels))

    @property
    def rules(self) -> Rules:
        """How weights are shared."""
        rates = (0.0, *self.rates) if self.switching else (0.0,)
        return Rules(np.array(rates), not self.switching, self.most, self.seed, self.follows)

    @property
    def rounds(self) -> int:
        return int(self.books.counts[ROUNDS])

    @property
    def mistakes(self) -> int:
        """Rounds whose served guess differed from the label."""
        return int(self.books.counts[MISTAKES])

    @property
    def coins(self) -> int:
        """Rounds whose guess a coin chose."""
        return int(self.books.counts[COINS])

    @property
    @locked
    def tally(self) -> Tally:
        """Rounds, mistakes of what was served, and rounds that moved weights."""
        return Tally(self.rounds, self.mistakes, int(self.books.counts[CHARGED]))

    @property
    @locked
    def log_loss(self) -> float:
        """The sum of -ln of the chances that labels were given, over the rounds that are charged."""
        return float(self.books.sums[LOSS] + self.books.sums[CARRY])

    @property
    @locked
    def weights(self) -> dict[str, float]:
        """How much each member weighs in the mixture, over all its readings."""
        return dict(zip(self.list_names(), weigh_members(self.books, self.layout).tolist(), strict=True))

    @property
    @locked
    def history(self) -> History:
        """How much members weighed, at up to 512 rounds at equal distances."""
        names = self.list_names()
        rows = [np.pad(weights, (0, len(names) - len(weights))) for _, weights in self._history]
        rounds = np.array([at for at, _ in self._history], np.int64)
        return History(rounds, names, np.array(rows).reshape(len(rows), len(names)))

    @locked
    def standings(self) -> list[Standing]:
        """How each member stands, in the order in which they joined."""
        books = self.books
        layout = self.layout
        found = list[Standing]()
        losses = books.losses
        weights = weigh_members(books, layout)
        excuses = [one.excuse for one in self.members for _ in one.sayings]
        for i, name in enumerate(self.list_names()):
            spent = losses[layout.readings[i] : layout.readings[i + 1]]
            wrong, slept = books.missed[i].tolist()
            told = (KINDS[int(layout.kinds[i])], wrong, float(spent.min()), float(weights[i]), slept, excuses[i])
            found.append(Standing(name, *told))
        return found

    def restore_history(self, rounds: Array, weights: Array) -> None:
        """Take up a history that was saved."""
        self._history = list(zip(rounds.tolist(), weights, strict=True))

    def note_history(self, first: int, rounds: int, stride: int, weights: Array) -> None:
        """Keep the weights after rounds that are multiples of the stride, and no others."""
        noted = range(first - first % stride + stride, first + rounds + 1, stride)
        self._history = [(at, kept) for at, kept in self._history if at % stride == 0]
        self._history += [(at, weights[k].copy()) for k, at in enumerate(noted)]


def join_name(member: str, saying: str) -> str:
    """The name of one of the things that a member says."""
    return f"{member}, {saying}" if saying else member


def find_stride(rounds: int) -> int:
    """The distance of rounds at which weights are noted: the least power of two that gives few points."""
    stride = 1
    while rounds > POINTS * stride:
        stride *= 2
    return stride
