"""Small concept classes by their truth tables, and exact worst cases, without the library's own classes and search."""

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.errors import BadInstance, NotRealizable, require
from littlestone.base.learner import copy_state
from littlestone.concepts.concept import ConceptClass


class Alive(NamedTuple):
    flags: Any
    counts: Any


@dataclass(frozen=True)
class Table(ConceptClass):
    """`rows[h][k]` is the class number that concept h gives to instance k; instances are `points`, or 0, 1, 2, ..."""

    rows: tuple[tuple[int, ...], ...]
    labels: tuple[Any, ...] = (False, True)
    points: tuple[Any, ...] = ()

    @property
    def size(self):
        return len(self.rows)

    def __call__(self, x):
        require(x in tuple(self.instances()), f"an instance is one of {list(self.instances())}, got {x!r}", BadInstance)
        return x

    def instances(self):
        return iter(self.points or range(len(self.rows[0])))

    def label(self, index, x):
        return self.rows[index][self.points.index(x) if self.points else x]

    def name(self, index):
        return f"concept {index}"

    def start(self):
        return Alive(np.ones(self.size, bool), np.array([0]))

    def votes(self, space, x):
        given = [self.label(index, x) for index in np.flatnonzero(space.flags)]
        return tuple(given.count(y) for y in range(len(self.labels)))

    def keep(self, space, x, y):
        agree = np.array([self.label(index, x) == y for index in range(self.size)]) & space.flags
        if not agree.any():
            raise NotRealizable(f"no concept labels {x} as {self.labels[y]}")
        space.counts[0] += bool((agree != space.flags).any())
        space.flags[:] = agree

    def survivors(self, space):
        return int(space.flags.sum())

    def survivor(self, space, rank):
        return int(np.flatnonzero(space.flags)[rank])

    def cuts(self, space):
        return int(space.counts[0])


def of(concepts, points, labels=(False, True)):
    """The table of some functions on some points."""
    rows = tuple(tuple(int(concept(x)) for x in points) for concept in concepts)
    return Table(rows, labels, tuple(points))


def cube(n):
    return tuple(product((0, 1), repeat=n))


def conjunctions(n):
    """All 3^n satisfiable conjunctions of literals: each variable is wanted 0, wanted 1, or free."""
    wants = product((0, 1, None), repeat=n)
    return of([lambda x, w=w: all(a in (None, b) for a, b in zip(w, x, strict=True)) for w in wants], cube(n))


def boxes(m, d, empty=True):
    """Axis-aligned boxes on an m^d grid."""
    sides = [(low, high) for low in range(m) for high in range(low, m)]
    every = [
        lambda x, box=box: all(a <= c <= b for (a, b), c in zip(box, x, strict=True))
        for box in product(sides, repeat=d)
    ]
    return of(every + [lambda x: False] * empty, tuple(product(range(m), repeat=d)))


def disjunctions(n, k):
    """Monotone disjunctions of exactly k of n variables."""
    return of([lambda x, s=s: any(x[i] for i in s) for s in combinations(range(n), k)], cube(n))


def singletons(n):
    """Exactly one of n points is positive."""
    return of([lambda x, h=h: x == h for h in range(n)], tuple(range(n)))


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
                after = copy_state(state)
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
