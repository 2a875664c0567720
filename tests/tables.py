"""What tests of finite classes share: a class given by its table, and the exact worst case of a small game."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from littlestone.concept import ConceptClass
from littlestone.errors import BadInstance, NotRealizable, require
from littlestone.learner import copied


class Alive(NamedTuple):
    alive: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True)
class Table(ConceptClass):
    """`rows[h][x]` is the class number that concept h gives to instance x, a number or one of `points`."""

    rows: tuple
    labels: tuple = (False, True)
    points: tuple = ()

    @property
    def size(self):
        return len(self.rows)

    def __call__(self, x):
        require(x in self.instances(), f"{x!r} is not in the table", BadInstance)
        return x

    def instances(self):
        return self.points or range(len(self.rows[0]))

    def label(self, index, x):
        return self.rows[index][self.points.index(x) if self.points else x]

    def name(self, index):
        return f"concept {index}"

    def start(self):
        return Alive(np.ones(self.size, bool), np.zeros(1, int))

    def votes(self, space, x):
        said = [self.label(h, x) for h in np.flatnonzero(space.alive)]
        return tuple(said.count(label) for label in range(len(self.labels)))

    def keep(self, space, x, y):
        left = space.alive & np.array([self.label(h, x) == y for h in range(self.size)])
        if not left.any():
            raise NotRealizable(f"no concept labels {x} as {y}")
        space.counts[0] += left.sum() < space.alive.sum()
        space.alive[:] = left

    def survivors(self, space):
        return int(space.alive.sum())

    def survivor(self, space, rank):
        return int(np.flatnonzero(space.alive)[rank])

    def cuts(self, space):
        return int(space.counts[0])


def singletons(n):
    """Concept i is positive on instance i alone."""
    return Table(tuple(tuple(int(i == x) for x in range(n)) for i in range(n)))


def worst_case(learner, state, instances, labels, memo=None):
    """The most mistakes that any sequence forces from this state on; `labels(x)` are those that may be answered.

    A round that changes nothing but counts is left out, so the learner must run out of rounds that change it.
    """
    memo = {} if memo is None else memo
    key = learner.key(state)
    if key not in memo:
        memo[key] = 0
        for x in instances:
            guess = learner.predict(state, x)
            for y in labels(x):
                after = copied(state)
                try:
                    learner.update(after, x, y, guess)
                except NotRealizable:
                    continue
                if learner.key(after) != key:
                    rest = worst_case(learner, after, instances, labels, memo)
                    memo[key] = max(memo[key], (guess != y) + rest)
                else:
                    assert guess == y, "a mistake that teaches nothing could be repeated for ever"
    return memo[key]
