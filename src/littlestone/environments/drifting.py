"""Drifting: a disjunction of variables that changes while the game goes on, by chance.

Before a round a variable may be removed, which is free, or added, at a cost of 1; the cost c counts the variables of
the initial disjunction too. Winnow with weights kept at 1/2 or more makes O(1 + c log n) mistakes whatever the
changes, without being told of them. The witness is the schedule: which disjunction labelled which round.

Here `members` variables start, and each further addition, in rounds drawn at random, replaces one of them. Each bit of
an instance is 1 with the probability that makes both labels equally likely.

>>> environment = Drifting(n=20, additions=5, rounds=100)
>>> environment.start(seed=0)
>>> environment.schedule.cost, environment.plan.cost
(0, 5)
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.base.coins import draw_bits
from littlestone.base.environment import Environment
from littlestone.base.errors import require, require_count
from littlestone.base.learner import Size


@dataclass(frozen=True)
class Schedule:
    """Disjunctions, each with the round from which it holds; before the first one the disjunction is empty.

    Args:
        changes: Pairs of a round, counted from 1, and the variables of the disjunction from then on.
    """

    changes: tuple[tuple[int, frozenset[int]], ...] = ()

    def at(self, round: int) -> frozenset[int]:
        """The variables of the disjunction that labels a round; rounds count from 1."""
        held = [members for first, members in self.changes if first <= round]
        return held[-1] if held else frozenset()

    def label(self, round: int, x: Any) -> bool:
        """The label of an instance in a round."""
        return any(x[i] for i in self.at(round))

    def until(self, round: int) -> "Schedule":
        """What of it has happened by the end of a round."""
        return Schedule(tuple(change for change in self.changes if change[0] <= round))

    @property
    def cost(self) -> int:
        """How many variables were added, those of the first disjunction included."""
        before = [frozenset[int](), *(members for _, members in self.changes)]
        return sum(len(after - held) for held, (_, after) in zip(before, self.changes, strict=False))


class Drifting(Environment):
    """A disjunction of some of n bits that changes by chance.

    Args:
        n: How many bits an instance has, at least 1.
        additions: How many variables are added in all, those of the first disjunction included.
        rounds: How many rounds, more than there are additions after the first disjunction.
        members: How many variables the disjunction has at any time, from 0 to n.
    """

    chooses = True

    def __init__(self, n: int, additions: int, rounds: int, members: int = 1) -> None:
        require_count(1, n=n, rounds=rounds)
        require(0 <= members <= n, f"members must be in [0, {n}], got {members}")
        moves = additions - members
        require(moves >= 0, f"additions must count the {members} initial members, got {additions}")
        require(moves == 0 or 0 < members < n, f"{members} of {n} variables leave none to exchange for another")
        require(rounds > moves, f"rounds must be more than the {moves} later additions, got {rounds}")
        self.n = n
        self.additions = additions
        self.members = members
        self.rounds: int = rounds
        self.start(0)

    def start(self, seed: int) -> None:
        self._rng = np.random.default_rng(draw_bits(seed, 0))
        self.plan = self._make_plan()
        self.played = 0

    def _make_plan(self) -> Schedule:
        """The whole schedule; no guess changes it."""
        members = [int(i) for i in self._rng.permutation(self.n)[: self.members]]
        changes = [(1, frozenset(members))]
        rounds = 2 + self._rng.permutation(self.rounds - 1)[: self.additions - self.members]
        for first in sorted(int(t) for t in rounds):
            others = [i for i in range(self.n) if i not in members]
            members[int(self._rng.integers(len(members)))] = others[int(self._rng.integers(len(others)))]
            changes.append((first, frozenset(members)))
        return Schedule(tuple(changes))

    @property
    def schedule(self) -> Schedule:
        """The disjunctions of the rounds asked so far: the witness."""
        return self.plan.until(self.played)

    @property
    def cost(self) -> int:
        """How many variables were added so far."""
        return self.schedule.cost

    def size(self) -> Size:
        return Size(self.n)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def ask(self) -> tuple[int, ...] | None:
        if self.played == self.rounds:
            return None
        self.played += 1
        one = 1 - 0.5 ** (1 / self.members) if self.members else 0.5
        self._x = tuple((self._rng.random(self.n) < one).astype(int).tolist())
        return self._x

    def answer(self, guess: Any) -> bool:
        return self.plan.label(self.played, self._x)

    def __repr__(self) -> str:
        return f"Drifting({self.n}, {self.additions}, {self.rounds}, members={self.members})"
