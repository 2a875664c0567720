"""NaiveBayes: count how often each class shows each attribute, and multiply the odds.

The class with the largest log prior + sum over attributes of value times log likelihood is guessed, a tie going to the
class met first; the likelihood of an attribute in a class is (count + smoothing) / (total + smoothing n), n being one
more than the attributes met so far: a new one has a share too. Every round adds one example to the counts
of its class. Values must not be negative.

It is here as the third kind of unit of the SNoW architecture and as the yardstick that needs no tuning. It has no
theorem about mistakes and can have none: twenty copies of an attribute that is right in 80 % of the rounds outvote a
perfect one beside them, so that it errs in every fifth round for ever, where a Perceptron errs a few times in all.
Counts are exact in float64 up to 2^53.

D. D. Lewis. Naive (Bayes) at forty. European Conference on Machine Learning, 1998.

>>> from littlestone import Recorded, play
>>> game = play(NaiveBayes(), Recorded([[2, 0], [0, 1], [1, 0]], ["spam", "ham", "spam"]))
>>> game.player.predict([1, 0])
'spam'
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import BadInstance, require, require_positive
from littlestone.base.learner import UNLIMITED, Learner, Size
from littlestone.base.theorem import Takes
from littlestone.base.traits import Plane, Probabilities, Scores
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value
from littlestone.learners.shared.inside import read_inside
from littlestone.learners.shared.linear import RowPlayer
from littlestone.learners.shared.rounds import ROUNDS, Entries, Rounds, find_entries

# where `counts` holds the classes met and the attributes shown
CLASSES = 1
ATTRIBUTES = 2


class Counts(NamedTuple):
    """`shown[i, c]`: how often class c showed attribute i; `totals[c]` over attributes; `met` rounds of each class."""

    shown: Array
    totals: Array
    met: Array
    counts: Array  # rounds, classes met, attributes shown


@array_rule
def score_classes(state: Any, row: Any, smoothing: Any, out: Array) -> Any:
    """Write the log odds of every class met so far; the best of them."""
    shown = state.shown
    totals = state.totals
    counts = state.counts
    classes = counts[CLASSES]
    attributes = smoothing * counts[ATTRIBUTES]
    for c in range(classes):
        out[c] = np.log((state.met[c] + 1.0) / (counts[ROUNDS] + classes))
    for k in range(row.a, row.b):
        i = read_attribute(row.indices, k, row.a)
        value = np.float64(read_value(row.values, k))
        if value != 0 and i < U(shown.shape[0]):
            for c in range(classes):
                out[c] += value * np.log((shown[i, c] + smoothing) / (totals[c] + attributes + smoothing))
    best = 0
    for c in range(1, classes):
        if out[c] > out[best]:
            best = c
    return best


@array_rule
def count_row(state: Any, row: Any, y: Any, weight: Any) -> None:
    """Add one example to the counts of its class."""
    shown = state.shown
    counts = state.counts
    for k in range(row.a, row.b):
        i = read_attribute(row.indices, k, row.a)
        value = weight * np.float64(read_value(row.values, k))
        if value > 0:
            new = 1
            for c in range(shown.shape[1]):
                new = 0 if shown[i, c] != 0 else new
            counts[ATTRIBUTES] += new
            shown[i, y] += value
            state.totals[y] += value
    state.met[y] += weight
    counts[CLASSES] = max(counts[CLASSES], y + 1)
    counts[ROUNDS] += 1


@array_rule
def play_rounds(state: Any, rounds: Any, guesses: Array, smoothing: Any, out: Array, told: Any) -> Any:
    """Guess, then count, round by round, up to one that shows a negative value; how many rounds."""
    for t in range(rounds.labels.size):
        row = find_entries(rounds, t)
        for k in range(row.a, row.b):
            if read_value(row.values, k) < 0:
                return t
        guesses[t] = score_classes(state, row, smoothing, out)
        if told is not None:
            for c in range(state.counts[CLASSES]):
                told[c, t] = out[c]
        count_row(state, row, rounds.labels[t], np.float64(read_value(rounds.importance, t)))
    return rounds.labels.size


@kernel
def replay(state: Any, rounds: Any, guesses: Array, smoothing: float, told: Any = None) -> Any:
    return play_rounds(state, rounds, guesses, smoothing, np.zeros(state.met.size), told)


@kernel
def score_row(state: Any, indices: Any, values: Any, length: int, smoothing: float, out: Array) -> None:
    """Write the log odds of every class met so far."""
    score_classes(state, Entries(indices, values, U(0), U(length)), smoothing, out)


@final
@dataclass(frozen=True)
class NaiveBayes(RowPlayer, Plane, Probabilities, Scores):
    """Multinomial naive Bayes, one round at a time.

    Args:
        smoothing: What is added to every count, > 0. Larger trusts rare attributes less.
    """

    smoothing: float = 1.0
    unplanned: ClassVar[str] = "no bound on its mistakes is possible"

    def __post_init__(self) -> None:
        require_positive(smoothing=self.smoothing)

    def limit(self) -> int:
        return UNLIMITED

    def lacks_theorem(self) -> str:
        return "twenty copies of an attribute that is right in 80 % of the rounds outvote a perfect one beside them"

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

    def score(self, state: Counts, x: Row) -> Array:
        """The log odds of each class met so far."""
        out = np.zeros(len(state.met))
        score_row(state, x.indices, x.values, x.length, float(self.smoothing), out)
        return out[: int(state.counts[CLASSES])]

    def plane(self, state: Counts) -> tuple[Array, Array]:
        rounds, classes, attributes = state.counts.tolist()
        shown = state.shown[:, :classes]
        totals = state.totals[:classes]
        met = state.met[:classes]
        share = (shown + self.smoothing) / (totals + self.smoothing * (attributes + 1))
        return np.log(share), np.log((met + 1) / (rounds + classes))

    def probability(self, state: Counts, x: Row) -> Array:
        """The chance of each class if attributes were independent given the class."""
        scores = self.score(state, x)
        chances = np.exp(scores - scores.max())
        return np.asarray(chances / chances.sum())

    def tell(self, state: Counts, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and the log odds of all classes before each label."""
        return self.play(state, read_inside(self, state, chunk), guesses, told)

    def play(self, state: Counts, rounds: Rounds, guesses: Array, told: Array | None = None) -> int:
        done = int(replay(state, rounds, guesses, float(self.smoothing), told))
        refused = done == 0 and len(rounds.labels) > 0
        require(not refused, "NaiveBayes counts attributes: values must not be negative", BadInstance)
        return done

    def moves(self, state: Counts) -> int:
        return int(state.counts[ROUNDS])

    def takes(self) -> Takes:
        return Takes(negative=False, importance=True, counts=True)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls()]

    def check_state(self, state: Counts, size: Size) -> bool:
        return bool(1 <= state.counts[CLASSES] <= size.classes)
