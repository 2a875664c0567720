"""Second order: what learners share that keep a symmetric matrix beside their weights.

A second-order learner is one scalar rule. When its score agrees too little with the label, it says how far to step
along A x, how much of (A x)(A x)' to take from A, and by what factor to stretch what remains, given the agreement y s
and the spread x'Ax. Scores need the weights alone, so a round that teaches nothing costs what it costs a perceptron.

A is kept as scale (B - sum of shrink[q] p[q] p[q]') with at most four vectors p waiting: most updates only read B.
With a bias the constant attribute is the first row of A, so that new attributes are new rows at its end.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.learner import Learner, Size
from littlestone.compiled import PENDING, U, is_dense, kernel, place, rule
from littlestone.learners.shared.additive import dot, reach
from littlestone.learners.shared.calibration import BINS, EARLY, logistic, octave, slope
from littlestone.learners.shared.packed_matrix import enlarged, identity, room, unpacked
from littlestone.learners.shared.second_order_threads import laid_out, products, sharing, spread_along, waits

ZERO, ONE = U(0), U(1)
WIDEST = 1 << 15  # attributes of the largest matrix: four gigabytes
WAITING = -2  # instead of a guess: the round must be given the products of slabs


class Confidence(NamedTuple):
    """What a second-order learner has learned; `counts` are rounds, updates and vectors waiting."""

    weights: Array
    bias: Array
    matrix: Array
    pending: Array
    shrink: Array
    scale: Array
    counts: Array
    scores: Array


class Loops(NamedTuple):
    """The compiled loops of one learner."""

    replay: Callable[..., int]
    round: Callable[..., int]
    score: Callable[..., float]


@rule
def fits(weights: Array, indices: Any, a: Any, b: Any) -> Any:
    """Whether every attribute of a row has a weight."""
    if is_dense(indices):
        return b - a <= U(weights.size)
    widest = ZERO
    for k in range(a, b):
        widest = max(widest, place(indices, k, a) + ONE)
    return widest <= U(weights.size)


def second_order(move: Any) -> Loops:
    """The loops of the learner whose rule is `move(agreement, spread, dimension, params)`: step, shrink, factor.

    `params` starts with the agreement at or below which a round teaches and the bias.
    """

    @rule
    def rounds(  # the loop, inlined into both kernels below
        weights: Array,
        bias: Array,
        matrix: Array,
        pending: Array,
        shrink: Array,
        scale: Array,
        counts: Array,
        scores: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        shared: Any,
    ) -> Any:
        enough, constant = params[0], params[1]
        shift = ONE if constant != 0 else ZERO
        last = reach(indptr, weights)
        for t in range(labels.size):
            a, b = U(indptr[t]), U(indptr[t + 1])
            if not fits(weights, indices, a, b):
                return t
            score = dot(weights, ONE, indices, values, a, b, last) + bias[0] * constant
            guesses[t] = 1 if score > 0 else 0
            y = 1.0 if labels[t] else -1.0
            if y * score <= enough:
                z, places = laid_out(indices, values, a, b, constant, pending.shape[1])
                if waits(shared, counts, places, z):
                    return ~t
                h = np.zeros(z.size)
                spread = spread_along(matrix, pending, shrink, scale, counts, places, z, h, shared)
                if spread > 0:
                    step, loss, factor = move(y * score, spread, weights.size + np.int64(shift), params)
                    delta = y * step * scale[0]
                    bias[0] += delta * h[0] if shift == ONE else 0.0
                    for i in range(weights.size):
                        weights[i] += delta * h[np.int64(shift) + i]
                    pending[counts[2]] = h
                    shrink[counts[2]] = loss * scale[0]
                    scale[0] *= factor
                    counts[1] += 1
                    counts[2] += 1
            if counts[0] < EARLY or counts[0] & 15 == 0:
                scores[labels[t], octave(score)] += 1
            counts[0] += 1
        return labels.size

    @kernel
    def replay(
        weights: Array,
        bias: Array,
        matrix: Array,
        pending: Array,
        shrink: Array,
        scale: Array,
        counts: Array,
        scores: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        shared: Any,
    ) -> Any:
        state = (weights, bias, matrix, pending, shrink, scale, counts, scores)
        return rounds(*state, indptr, indices, values, labels, guesses, params, shared)

    @kernel
    def single(
        weights: Array,
        bias: Array,
        matrix: Array,
        pending: Array,
        shrink: Array,
        scale: Array,
        counts: Array,
        scores: Array,
        indices: Any,
        values: Any,
        length: int,
        label: int,
        params: Any,
        shared: Any,
    ) -> Any:
        indptr, labels, guesses = np.array([0, length]), np.array([label], np.int32), np.zeros(1, np.int32)
        state = (weights, bias, matrix, pending, shrink, scale, counts, scores)
        done = rounds(*state, indptr, indices, values, labels, guesses, params, shared)
        return guesses[0] if done == 1 else done - 1  # refused, or WAITING

    @kernel
    def score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
        if not fits(weights, indices, ZERO, U(length)):
            return np.nan
        return dot(weights, ONE, indices, values, ZERO, U(length), ZERO) + bias[0] * constant

    return Loops(replay, single, score)


class SecondOrder(Learner):
    """A learner with a matrix; subclasses are one scalar rule, `loops`, and its `params`."""

    loops: ClassVar[Loops]
    bias: float

    def params(self) -> tuple[float, ...]:
        """The numbers that the rule reads, in its order."""
        raise NotImplementedError

    def variance(self) -> float:
        """What the diagonal of the matrix starts with."""
        return 1.0

    def start(self, size: Size, seed: int = 0) -> Confidence:
        attributes, rows = size.attributes, self._rows(size.attributes)
        matrix, pending = identity(rows, self.variance()), np.zeros((PENDING, room(rows)))
        counts, scores = np.zeros(3, np.int64), np.zeros((2, BINS), np.int64)
        return Confidence(
            np.zeros(attributes), np.zeros(1), matrix, pending, np.zeros(PENDING), np.ones(1), counts, scores
        )

    def grow(self, state: Confidence, size: Size) -> Confidence:
        more = size.attributes - len(state.weights)
        if more <= 0:
            return state
        rows = self._rows(size.attributes)
        pending = np.zeros((PENDING, room(rows)))
        pending[:, : state.pending.shape[1]] = state.pending
        weights = np.concatenate((state.weights, np.zeros(more)))
        return state._replace(weights=weights, matrix=enlarged(state.matrix, rows, self.variance()), pending=pending)

    def predict(self, state: Confidence, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def update(self, state: Confidence, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Confidence, x: Row, y: int) -> int:
        round, shared = self.loops.round, sharing(state.pending)
        while (guess := int(round(*state, x.indices, x.values, x.length, y, self.params(), shared))) == WAITING:
            shared = products(*state[2:7], shared[0])
        return guess if guess >= 0 else self._refuse(state)

    def replay(self, state: Confidence, chunk: Chunk, guesses: Array) -> int:
        name = type(self).__name__
        require(isinstance(chunk, Examples), f"{name} learns from rows of attributes", BadInstance)
        assert isinstance(chunk, Examples)
        require(
            chunk.importance is None, f"{name} counts every round once, got rounds of other importance", BadInstance
        )
        shared, done = sharing(state.pending), 0
        while done < len(chunk):
            rows = (chunk.indptr[done:], chunk.indices, chunk.values, chunk.labels[done:], guesses[done:])
            more = int(self.loops.replay(*state, *rows, self.params(), shared))
            if more >= 0:
                done += more
                break
            done += ~more
            self.round(state, chunk[done], int(chunk.labels[done]))  # the loop has noted what it guesses
            done += 1
        return self._refuse(state) if done == 0 and len(chunk) else done

    def score(self, state: Confidence, x: Row) -> float:
        """The score of the hypothesis that plays: positive for class 1."""
        row = (x.indices, x.values, x.length)
        score = float(self.loops.score(state.weights, state.bias, *row, float(self.bias)))
        return self._refuse(state) if score != score else score

    def plane(self, state: Confidence) -> tuple[Array, Array]:
        return state.weights.astype(np.float64)[:, None], state.bias[:1].astype(np.float64) * self.bias

    def probability(self, state: Confidence, x: Row) -> float:
        """The chance of class 1 by a logistic curve whose slope fits the scores given before each label was seen."""
        return float(logistic(slope(state.scores) * self.score(state, x)))

    def moves(self, state: Confidence) -> int:
        return int(state.counts[1])

    def matrix(self, state: Confidence) -> Array:
        """The matrix A itself, the row of the bias first if there is one."""
        rows = self._rows(len(state.weights))
        square = unpacked(state.matrix, rows)
        for q in range(state.counts[2]):
            square -= state.shrink[q] * np.outer(state.pending[q, :rows], state.pending[q, :rows])
        return np.asarray(state.scale[0] * square)

    def _rows(self, attributes: int) -> int:
        require(
            attributes <= WIDEST,
            f"{type(self).__name__} keeps a matrix of attributes: at most {WIDEST}, got {attributes}",
            TooLarge,
        )
        return attributes + (self.bias != 0)

    def _refuse(self, state: Confidence) -> int:
        raise BadInstance(
            f"this game of {type(self).__name__} is over {len(state.weights)} attributes, fixed when it started; "
            "got a row with more"
        )
