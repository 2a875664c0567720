"""Small learners and environments for testing the game itself, so that its tests need no real learner over rows."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Examples, Instances
from littlestone.base.environment import Environment, Stream
from littlestone.base.errors import BadInstance, NotRealizable, require
from littlestone.base.learner import Learner, Size


class Weights(NamedTuple):
    """Weights of the attributes, and in `counts` how many rounds changed them."""

    weights: np.ndarray
    counts: np.ndarray


def dot(weights, x):
    x = x.to_sparse()
    values = np.ones(len(x.indices)) if x.values is None else x.values
    return sum(float(weights[i]) * float(value) for i, value in zip(x.indices, values, strict=True))


@dataclass(frozen=True)
class Additive(Learner):
    """A perceptron in plain Python: guess 1 at a positive score, add the row after a mistake."""

    rate: float = 1.0

    def start(self, size, seed=0):
        return Weights(np.zeros(size.attributes, size.real), np.zeros(1, np.int64))

    def grow(self, state, size):
        room = np.zeros(size.attributes - len(state.weights), state.weights.dtype)
        return state._replace(weights=np.concatenate([state.weights, room]))

    def predict(self, state, x):
        return int(dot(state.weights, x) > 0)

    def update(self, state, x, y, guess):
        x = x.to_sparse()
        if guess != y and len(x.indices):
            values = np.ones(len(x.indices)) if x.values is None else x.values
            state.weights[x.indices] += self.rate * (1 if y else -1) * values
            state.counts[0] += 1

    def moves(self, state):
        return int(state.counts[0])

    def key(self, state):
        return state.weights.tobytes()


@dataclass(frozen=True)
class Sized(Additive):
    """One whose rule needs the number of attributes before the first round."""

    def start(self, size, seed=0):
        require(size.attributes > 0, f"the number of attributes must be declared, got {size.attributes}")
        return Weights(np.full(size.attributes, 1 / size.attributes, size.real), np.zeros(1, np.int64))


@dataclass(frozen=True)
class Positive(Additive):
    """One that takes only rows of ones and refuses a negative label on a row that it has seen as positive."""

    def predict(self, state, x):
        values = x.to_sparse().values
        require(values is None or bool((values == 1).all()), f"attributes must be 0 or 1, got {x}", BadInstance)
        return Additive.predict(self, state, x)

    def update(self, state, x, y, guess):
        if guess and not y:
            raise NotRealizable(f"{x} was positive before")
        Additive.update(self, state, x, y, guess)


class Points(Stream):
    """Rounds given as pairs, in chunks of the given lengths; instances are handed over as they are."""

    def __init__(self, rounds, lengths=()):
        self.pairs, self.lengths, self.rounds = list(rounds), list(lengths) or [len(rounds)], len(rounds)

    def chunks(self):
        start = 0
        for length in self.lengths:
            xs, ys = zip(*self.pairs[start : start + length], strict=True)
            yield Instances.of(list(xs), list(ys))
            start += length

    def __repr__(self):
        return f"Points({self.rounds} rounds)"


class Rows(Stream):
    """A matrix as a stream, in one chunk, that tells its size."""

    def __init__(self, X, y):
        self.chunk, self.rounds = Examples.of(X, y), len(y)

    def size(self):
        return Size(self.chunk.width, real=self.chunk.values.dtype.type)

    def chunks(self):
        yield self.chunk


class Contrary(Environment):
    """Without an end: always the same instance, and never the label that was guessed."""

    def __init__(self, x=0):
        self.x = x

    def start(self, seed):
        self.seed, self.asked = seed, 0

    def ask(self):
        self.asked += 1
        return self.x

    def answer(self, guess):
        return not guess


__all__ = ["Additive", "Contrary", "Points", "Positive", "Rows", "Sized", "Weights"]
