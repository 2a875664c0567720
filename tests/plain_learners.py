"""Learners too simple for the library, for tests that need one with a known behaviour."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.learner import Learner, copy_state
from littlestone.concepts.concept import ConceptClass
from littlestone.learners.shared.version_space import pack_survivors


@dataclass(frozen=True)
class Constant(Learner):
    """Always guesses the same class."""

    guess: int = 0
    domain: Any = None

    def start(self, size, seed=0):
        return np.array([0])

    def predict(self, state, x):
        return self.guess

    def update(self, state, x, y, guess):
        pass

    def moves(self, state):
        return 0

    def features(self):
        return self.domain if self.domain is not None else Learner.features(self)

    def limit(self):
        return 3


@dataclass(frozen=True)
class Echo(Learner):
    """Guesses the label of the round before."""

    domain: Any

    def start(self, size, seed=0):
        return np.array([0])

    def predict(self, state, x):
        return int(state[0])

    def update(self, state, x, y, guess):
        state[0] = y

    def moves(self, state):
        return 0

    def features(self):
        return self.domain


@dataclass(frozen=True)
class Exponents(Learner):
    """Winnow with promotion 2 and threshold n over rows of attributes, its weights kept as exponents."""

    def start(self, size, seed=0):
        return np.zeros(size.attributes, np.int64)

    def predict(self, state, x):
        return int(sum(Fraction(2) ** int(state[i]) for i in x.to_sparse().indices) >= len(state))

    def update(self, state, x, y, guess):
        if guess != y:
            state[x.to_sparse().indices] += 1 if y else -1

    def moves(self, state):
        return 0


class Drawn(NamedTuple):
    space: Any
    expected: list[Fraction]


@dataclass(frozen=True)
class Gibbs(Learner):
    """Guesses as a random consistent concept would, and keeps the exact expected mistakes. Its coin is stuck at 0."""

    concepts: ConceptClass

    def start(self, size, seed=0):
        return Drawn(self.concepts.start(), [Fraction(0)])

    def predict(self, state, x):
        return self.concepts.label(self.concepts.survivor(state.space, 0), x)

    def update(self, state, x, y, guess):
        after = copy_state(state.space)
        self.concepts.keep(after, x, y)
        state.expected[0] += 1 - Fraction(self.concepts.survivors(after), self.concepts.survivors(state.space))
        self.concepts.keep(state.space, x, y)

    def moves(self, state):
        return 0

    def expected(self, state):
        return state.expected[0]

    def key(self, state):
        return pack_survivors(self.concepts, state.space)

    def features(self):
        return self.concepts
