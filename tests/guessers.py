"""Small deterministic learners that can be shown any instance: what adversaries are tried on."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from littlestone.base.chunks import Instances, Row
from littlestone.base.features import Features
from littlestone.base.learner import Learner


class Anything(Features):
    """Instances as they come."""

    width = 0

    def __call__(self, x):
        return x

    def read_chunk(self, chunk):
        return Instances([chunk[t] for t in range(len(chunk))], chunk.labels)


class Seen(NamedTuple):
    rounds: list


@dataclass(frozen=True)
class Guesser(Learner):
    """Remembers every round as (x, y); subclasses guess from that."""

    def start(self, size, seed=0):
        return Seen([])

    def update(self, state, x, y, guess):
        state.rounds.append((x, y))

    def moves(self, state):
        return len(state.rounds)

    def features(self):
        return Anything()


@dataclass(frozen=True)
class Always(Guesser):
    label: int = 0

    def predict(self, state, x):
        return self.label


@dataclass(frozen=True)
class Alternating(Guesser):
    def predict(self, state, x):
        return len(state.rounds) % 2


@dataclass(frozen=True)
class LastLabel(Guesser):
    def predict(self, state, x):
        return state.rounds[-1][1] if state.rounds else 1


@dataclass(frozen=True)
class Majority(Guesser):
    def predict(self, state, x):
        return int(2 * sum(y for _, y in state.rounds) > len(state.rounds))


@dataclass(frozen=True)
class Scrambled(Guesser):
    """Guesses that follow no pattern, and are the same every time."""

    salt: int = 0

    def predict(self, state, x):
        t = len(state.rounds) + 1
        return (t * t * 2654435761 + self.salt * 40503 + sum(y for _, y in state.rounds)) >> 7 & 1


@dataclass(frozen=True)
class Between(Guesser):
    """A learner of real thresholds: positive from the middle between the last negative and the first positive."""

    def predict(self, state, x):
        place = x[0] if isinstance(x, tuple) else x
        points = [(x[0] if isinstance(x, tuple) else x, y) for x, y in state.rounds]
        low = max((x for x, y in points if not y), default=Fraction(0))
        high = min((x for x, y in points if y), default=Fraction(1))
        return int(2 * place >= low + high)


def shown(x):
    """An instance as a value that can be compared."""
    if not isinstance(x, Row):
        return x
    return tuple(x.values.tolist()) if x.indices is None else (tuple(x.indices.tolist()), x.values)


GUESSERS = (Always(0), Always(1), Alternating(), LastLabel(), Majority(), Scrambled(), Scrambled(3))
