"""NaiveBayes: count how often each class shows each attribute, and multiply the odds.

The class with the largest log prior + sum over attributes of value times log likelihood is guessed, a tie going to the
class met first; the likelihood of an attribute in a class is (count + smoothing) / (total + smoothing n), n being one
more than the attributes met so far: a new one has a share too. Every round adds one example to the counts
of its class. Values must not be negative.

It is here as the third kind of unit of the SNoW architecture and as the yardstick that needs no tuning: no mistake
bound holds for it, so it prints none. Counts are exact in float64 up to 2^53.

D. D. Lewis. Naive (Bayes) at forty. European Conference on Machine Learning, 1998.

>>> from littlestone import Recorded, play
>>> game = play(NaiveBayes(), Recorded([[2, 0], [0, 1], [1, 0]], ["spam", "ham", "spam"]))
>>> game.player.predict([1, 0])
'spam'
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, require, require_positive
from littlestone.base.learner import Learner, Size
from littlestone.compiled import U, entry, kernel, place


class Counts(NamedTuple):
    """`shown[i, c]`: how often class c showed attribute i; `totals[c]` over attributes; `met` rounds of each class."""

    shown: Array
    totals: Array
    met: Array
    counts: Array  # rounds, classes met, attributes shown


@kernel
def odds(
    shown: Array,
    totals: Array,
    met: Array,
    counts: Array,
    indices: Any,
    values: Any,
    a: Any,
    b: Any,
    smoothing: float,
    out: Array,
) -> Any:
    """The log odds of every class met so far; the best of them."""
    attributes = smoothing * counts[2]
    for c in range(counts[1]):
        out[c] = np.log((met[c] + 1.0) / (counts[0] + counts[1]))
    for k in range(a, b):
        i, value = place(indices, k, a), np.float64(entry(values, k))
        if value != 0 and i < U(shown.shape[0]):
            for c in range(counts[1]):
                out[c] += value * np.log((shown[i, c] + smoothing) / (totals[c] + attributes + smoothing))
    best = 0
    for c in range(1, counts[1]):
        if out[c] > out[best]:
            best = c
    return best


@kernel
def replay(
    shown: Array,
    totals: Array,
    met: Array,
    counts: Array,
    indptr: Array,
    indices: Any,
    values: Any,
    importance: Any,
    labels: Array,
    guesses: Array,
    smoothing: float,
) -> Any:
    """Guess, then count, round by round, up to one that shows a negative value."""
    out = np.zeros(met.size)
    for t in range(labels.size):
        a, b, y = U(indptr[t]), U(indptr[t + 1]), labels[t]
        for k in range(a, b):
            if entry(values, k) < 0:
                return t
        guesses[t] = odds(shown, totals, met, counts, indices, values, a, b, smoothing, out)
        weight = np.float64(entry(importance, t))
        for k in range(a, b):
            i, value = place(indices, k, a), weight * np.float64(entry(values, k))
            if value > 0:
                counts[2] += not shown[i].any()
                shown[i, y] += value
                totals[y] += value
        met[y] += weight
        counts[1] = max(counts[1], y + 1)
        counts[0] += 1
    return labels.size


@final
@dataclass(frozen=True)
class NaiveBayes(Learner):
    """Multinomial naive Bayes, one round at a time; the module docstring has the rule."""

    smoothing: float = 1.0

    def __post_init__(self) -> None:
        require_positive(smoothing=self.smoothing)

    def limit(self) -> int:
        return 2**31

    def start(self, size: Size, seed: int = 0) -> Counts:
        shown = np.zeros((size.attributes, size.classes))
        return Counts(shown, np.zeros(size.classes), np.zeros(size.classes), np.array([0, size.classes, 0]))

    def grow(self, state: Counts, size: Size) -> Counts:
        rows, columns = state.shown.shape
        more = max(size.attributes - rows, 0), max(size.classes - columns, 0)
        if more == (0, 0):
            return state
        totals, met = (np.pad(part, (0, more[1])) for part in (state.totals, state.met))
        return state._replace(shown=np.pad(state.shown, ((0, more[0]), (0, more[1]))), totals=totals, met=met)

    def predict(self, state: Counts, x: Row) -> int:
        return int(np.argmax(self.score(state, x)))

    def update(self, state: Counts, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Counts, x: Row, y: int) -> int:
        guesses = np.zeros(1, np.int32)
        self.replay(state, Examples.row(x, y), guesses)
        return int(guesses[0])

    def replay(self, state: Counts, chunk: Chunk, guesses: Array) -> int:
        require(isinstance(chunk, Examples), "NaiveBayes learns from rows of attributes", BadInstance)
        assert isinstance(chunk, Examples)
        rows = (chunk.indptr, chunk.indices, chunk.values, chunk.importance)
        done = int(replay(*state, *rows, chunk.labels, guesses, float(self.smoothing)))
        require(done > 0 or not len(chunk), "NaiveBayes counts attributes: values must not be negative", BadInstance)
        return done

    def score(self, state: Counts, x: Row) -> Array:
        """The log odds of each class met so far."""
        out = np.zeros(len(state.met))
        odds(*state, x.indices, x.values, U(0), U(x.length), float(self.smoothing), out)
        return out[: int(state.counts[1])]

    def plane(self, state: Counts) -> tuple[Array, Array]:
        rounds, classes, attributes = state.counts.tolist()
        shown, totals, met = state.shown[:, :classes], state.totals[:classes], state.met[:classes]
        share = (shown + self.smoothing) / (totals + self.smoothing * (attributes + 1))
        return np.log(share), np.log((met + 1) / (rounds + classes))

    def probability(self, state: Counts, x: Row) -> Array:
        """The chance of each class if attributes were independent given the class."""
        scores = self.score(state, x)
        chances = np.exp(scores - scores.max())
        return np.asarray(chances / chances.sum())

    def moves(self, state: Counts) -> int:
        return int(state.counts[0])
