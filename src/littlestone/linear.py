"""Linear: what additive learners share, the compiled loops over rows of attributes above all.

An additive learner is one scalar rule: how far to step along y x, given how much the score agrees with the label and
the entries of x (for their squared length). The loop computes scores, decides guesses and ties, steps, and averages;
it is written once, and live play is a replay of one row, so both agree by construction.

Weights are kept attribute by attribute with `stride` numbers each: the weight, and for an averaged learner the running
sum that yields the average beside it, so that one cache line serves both. The bias is the weight of a constant
attribute of value `bias`, kept outside the others: adding a column of that value gives the same game.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy import ndarray

from littlestone.errors import BadInstance, require
from littlestone.examples import Array, Chunk, Examples, Row
from littlestone.features import FLOAT32, FLOAT64, INT32, measured
from littlestone.kernel import (
    NARROW,
    bits_of,
    dense_dot,
    entry,
    held_dot,
    held_step,
    hold,
    is_dense,
    kernel,
    note,
    place,
    prefetch,
    release,
    rule,
)
from littlestone.learner import Learner, Size

Tie = Literal["strict", "plus", "minus"]
TIES: dict[str, float] = {"strict": -1.0, "minus": 0.0, "plus": 1.0}

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR = U(0), U(1), U(2), U(3), U(4)
AHEAD = U(128)  # entries between asking for a weight and using it
FAR = U(1 << 19)  # weights beyond which asking ahead pays
LONG, PAGES = U(256), U(1536)  # entries of a dense row that is long, and those between asking and using in such rows
EARLY = 1024  # rounds whose scores all enter the histogram; later every sixteenth does
MANTISSA, ROOT = 2**52 - 1, 0x6A09E667F3BCD  # the bits of a fraction, and those of the root of a half
BINS = 128  # of a histogram of scores: half octaves from 2^-16 to 2^16, for each sign


class Weights(NamedTuple):
    """What an additive learner has learned; `counts` are rounds and updates, `scores` the scores it gave each label."""

    weights: Array
    bias: Array
    counts: Array
    scores: Array


class Loops(NamedTuple):
    """The compiled loops of one learner."""

    replay: Callable[..., int]
    round: Callable[..., int]
    score: Callable[..., float]


@rule
def dot(weights: Array, stride: Any, indices: Any, values: Any, a: Any, b: Any, last: Any) -> Any:
    """The sum of weight times value over entries a to b; four partial sums, so that the order is fixed."""
    real = weights.dtype.type
    if is_dense(indices) and stride == ONE:
        if b - a >= LONG:  # what the hardware asks for ahead ends with a page
            prefetch(values, np.int64(a + PAGES))
        return real(dense_dot(weights, values, a, b - a))
    s0, s1, s2, s3 = real(0), real(0), real(0), real(0)
    fours = a + ((b - a) & ~THREE)
    if b < last:
        for k in range(a, fours, FOUR):
            prefetch(weights, np.int64(stride * place(indices, k + AHEAD, a)))
            prefetch(weights, np.int64(stride * place(indices, k + AHEAD + ONE, a)))
            prefetch(weights, np.int64(stride * place(indices, k + AHEAD + TWO, a)))
            prefetch(weights, np.int64(stride * place(indices, k + AHEAD + THREE, a)))
            s0 += weights[stride * place(indices, k, a)] * entry(values, k)
            s1 += weights[stride * place(indices, k + ONE, a)] * entry(values, k + ONE)
            s2 += weights[stride * place(indices, k + TWO, a)] * entry(values, k + TWO)
            s3 += weights[stride * place(indices, k + THREE, a)] * entry(values, k + THREE)
    else:
        for k in range(a, fours, FOUR):
            s0 += weights[stride * place(indices, k, a)] * entry(values, k)
            s1 += weights[stride * place(indices, k + ONE, a)] * entry(values, k + ONE)
            s2 += weights[stride * place(indices, k + TWO, a)] * entry(values, k + TWO)
            s3 += weights[stride * place(indices, k + THREE, a)] * entry(values, k + THREE)
    for k in range(fours, b):
        s0 += weights[stride * place(indices, k, a)] * entry(values, k)
    return (s0 + s1) + (s2 + s3)


@rule
def squared_norm(values: Any, a: Any, b: Any, params: Any) -> Any:
    """The squared length of a step's direction: `params[3]` times that of the row with its constant attribute."""
    total = params[2] * params[2]
    for k in range(a, b):
        total += np.float64(entry(values, k)) * np.float64(entry(values, k))
    return total * params[3]


@rule
def reach(indptr: Array, weights: Array) -> Any:
    """The entry up to which weights are asked for ahead; 0 where they lie close anyway."""
    entries = U(indptr[indptr.size - 1])
    return entries - AHEAD - FOUR if U(weights.size) > FAR and entries > AHEAD + FOUR else ZERO


@rule
def full_and_narrow(indptr: Array, weights: Array) -> Any:
    """Whether every row of a dense chunk has all attributes, and these are few."""
    return weights.size <= NARROW and indptr[indptr.size - 1] - indptr[0] == (indptr.size - 1) * weights.size


@rule
def octave(score: Any) -> Any:
    """The bin of a score: its sign, then its size in half octaves, read from the bits of the float without a call."""
    bits = bits_of(abs(np.float64(score)))
    half = 2 * ((bits >> 52) - 1022) + (1 if bits & MANTISSA > ROOT else 0)
    size = min(max(half + BINS // 4, 0), BINS // 2 - 1) if score != 0 else 0
    return size + (BINS // 2 if score > 0 else 0)


def additive(step: Any, stride: int = 1) -> Loops:
    """The loops of the learner that moves by `step(agreement, values, a, b, params)` times y x.

    `params` starts with the agreement at or below which a round teaches, the tie rule, the bias, and how many times x
    a step moves along (1; 2 in a network, where one unit steps towards x and another away); what follows belongs to
    the rule. With `stride=2` each weight has beside it the sum over updates of round times movement, from
    which the average over rounds follows.
    """
    per_weight, averaged = U(stride), stride == 2

    @rule
    def rounds(  # the loop, inlined into both kernels below; `held` are weights in registers, or None
        held: Any,
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        importance: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        marks: Any,
    ) -> Any:
        real = weights.dtype.type
        enough, tie, constant, beyond = params[0], params[1], real(params[2]), real(params[0])
        cut = np.nextafter(real(0), real(-1)) if tie > 0 else real(0)  # scores above it are of class 1
        first, last, offset, kept, size = counts[0], reach(indptr, weights), bias[0], held, U(weights.size)
        due = first if first < EARLY else (first + 15) & ~15  # the next round whose score enters the histogram
        for t in range(labels.size):
            a, b = U(indptr[t]), U(indptr[t + 1])
            if held is None:
                product = dot(weights, per_weight, indices, values, a, b, last)
            else:
                product = held_dot(kept, values, a, size)
            score = product + offset * constant
            guess = 1 if score > cut else 0
            guesses[t] = guess
            now = first + t
            if now >= due:
                due = now + 1 if now < EARLY else (now | 15) + 1
                scores[labels[t], octave(score)] += 1
            if (guess == labels[t]) & (abs(score) > beyond):  # one branch: nobody can foresee where mistakes fall
                continue
            y = 1.0 if labels[t] else -1.0
            agreement = y * np.float64(score)
            if agreement <= enough and (tie < 0 or enough > 0 or guess != labels[t]):
                delta = real(y * step(agreement, values, a, b, params) * entry(importance, t))
                if delta != 0:
                    counts[1] += 1
                    note(marks, t, abs(delta))
                    offset += delta * constant
                    if averaged:
                        bias[1] += real(now) * (delta * constant)
                    if held is None:
                        for k in range(a, b):
                            i = per_weight * place(indices, k, a)
                            move = delta * entry(values, k)
                            weights[i] += move
                            if averaged:
                                weights[i + ONE] += real(now) * move
                    else:
                        kept = held_step(kept, delta, values, a, size)
        if held is not None:
            release(kept, weights)
        bias[0], counts[0] = offset, first + labels.size
        return labels.size

    @kernel
    def replay(
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        importance: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        marks: Any = None,
    ) -> Any:
        state, rows = (weights, bias, counts, scores), (indptr, indices, values, importance, labels)
        if indices is None and not averaged and full_and_narrow(indptr, weights):
            return rounds(hold(weights, values), *state, *rows, guesses, params, marks)
        return rounds(None, *state, *rows, guesses, params, marks)

    @kernel
    def single(
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        indices: Any,
        values: Any,
        length: int,
        importance: Any,
        label: int,
        params: Any,
        width: int,
    ) -> Any:
        """One round; -1, and nothing happened, for a row that does not list attributes below `width` in order.

        A negative `width` says that somebody has looked.
        """
        if width >= 0 and not 0 <= measured(indices, values, length) <= width:
            return -1
        indptr, labels, guesses = np.array([0, length]), np.array([label], np.int32), np.zeros(1, np.int32)
        rounds(None, weights, bias, counts, scores, indptr, indices, values, importance, labels, guesses, params, None)
        return guesses[0]

    @kernel
    def score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
        real = weights.dtype.type
        total = dot(weights, per_weight, indices, values, ZERO, U(length), ZERO)
        return np.float64(total + bias[0] * real(constant))

    return Loops(replay, single, score)


def reader(stride: int, averaged: bool) -> Callable[..., None]:
    """The loop that scores rows for a player: by the last weights, or by the average that lies beside them."""
    per_weight = U(stride)

    @kernel
    def read(
        weights: Array, bias: Array, rounds: int, indptr: Array, indices: Any, values: Any, constant: float, out: Array
    ) -> None:
        real, share, last = weights.dtype.type, 1.0 / max(rounds, 1), reach(indptr, weights)
        for t in range(out.size):
            a, b = U(indptr[t]), U(indptr[t + 1])
            if averaged:  # in float64, since the average is a difference of large numbers
                total = (np.float64(bias[0]) - np.float64(bias[1]) * share) * constant
                for k in range(a, b):
                    i = per_weight * place(indices, k, a)
                    average = np.float64(weights[i]) - np.float64(weights[i + ONE]) * share
                    total += average * np.float64(entry(values, k))
                out[t] = total
            else:
                out[t] = np.float64(dot(weights, per_weight, indices, values, a, b, last) + bias[0] * real(constant))

    return read


LAST, SPACED, AVERAGE = reader(1, False), reader(2, False), reader(2, True)


def slope(scores: Array) -> float:
    """The A > 0 for which 1 / (1 + exp(-A s)) gives the labels in a histogram of scores the highest likelihood.

    Every size of score that occurred counts one right and one wrong sign more, so that A stays finite. No calibration
    is claimed: the curve has one free number and the scores are of the hypotheses that played.
    """
    return _slope(scores.tobytes())


@lru_cache(maxsize=64)  # many rows are asked about between two changes of the histogram
def _slope(histogram: bytes) -> float:
    scores, half = np.frombuffer(histogram, np.int64).reshape(2, BINS), BINS // 2
    sizes = 2.0 ** ((np.arange(half) - BINS // 4) / 2 - 0.75)
    right = scores[1, half:] + scores[0, :half] + 1.0
    wrong = scores[0, half:] + scores[1, :half] + 1.0
    met = right + wrong > 2
    met[0] = False  # scores of zero, which say nothing of how far scores carry
    if not met.any():
        return 1.0
    sizes, right, wrong = sizes[met], right[met], wrong[met]
    low, high = 2.0**-40, 2.0**40  # the likelihood is concave in A: bisect its derivative on a logarithmic scale
    for _ in range(60):
        middle = math.sqrt(low * high)
        chance = 1 / (1 + np.exp(np.minimum(middle * sizes, 700)))  # of the wrong sign
        falling = (sizes * (right * chance - wrong * (1 - chance))).sum() < 0
        low, high = (low, middle) if falling else (middle, high)
    return math.sqrt(low * high)


def logistic(odds: Any) -> Array:
    """1 / (1 + e^-odds), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))


class Linear(Learner):
    """An additive learner over rows; subclasses are one scalar rule, `loops`, and its `params`."""

    loops: ClassVar[Loops]
    units: ClassVar[Any]  # the loops of a network of such learners
    stride: ClassVar[int] = 1
    averaged: ClassVar[bool] = False  # whether a player reports the average of all weights played

    def params(self) -> tuple[float, ...]:
        """The numbers that the loops read, then those of the rule."""
        raise NotImplementedError

    def start(self, size: Size, seed: int = 0) -> Weights:
        weights = np.zeros(self.stride * size.attributes, size.real)
        bias = np.zeros(self.stride, size.real)
        return Weights(weights, bias, np.zeros(2, np.int64), np.zeros((2, BINS), np.int64))

    def grow(self, state: Weights, size: Size) -> Weights:
        more = self.stride * size.attributes - len(state.weights)
        if more <= 0:
            return state
        return state._replace(weights=np.concatenate((state.weights, np.zeros(more, state.weights.dtype))))

    def predict(self, state: Weights, x: Row) -> int:
        score = self.last_score(state, x)
        return int(score > 0 or (score == 0 and self.params()[1] > 0))

    def update(self, state: Weights, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Weights, x: Row, y: int) -> int:
        indices, values = x
        length = len(values if indices is None else indices)  # type: ignore[arg-type]
        return int(self.loops.round(*state, indices, values, length, None, y, self.params(), -1))

    def pair(self, state: Weights, x: Any, y: int, width: int) -> int:
        indices, values = x
        if type(indices) is ndarray and type(values) is ndarray and indices.dtype is INT32:
            kind, shape = values.dtype, indices.shape
            if (kind is FLOAT32 or kind is FLOAT64) and values.shape == shape and len(shape) == 1:
                return self.loops.round(*state, indices, values, shape[0], None, y, self.params(), width)
        return -1

    def replay(self, state: Weights, chunk: Chunk, guesses: Array) -> int:
        return int(self.loops.replay(*state, *self._rows(chunk), guesses, self.params()))

    def trace(self, state: Weights, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """The same rounds as `replay`; a mark is the length of the step, in multiples of x."""
        return int(self.loops.replay(*state, *self._rows(chunk), guesses, self.params(), marks))

    def _rows(self, chunk: Chunk) -> tuple[Any, ...]:
        require(isinstance(chunk, Examples), f"{type(self).__name__} learns from rows of attributes", BadInstance)
        assert isinstance(chunk, Examples)
        return (chunk.indptr, chunk.indices, chunk.values, chunk.importance, chunk.labels)

    def last_score(self, state: Weights, x: Row) -> float:
        """The score of the hypothesis that plays."""
        row = (x.indices, x.values, x.length)
        return float(self.loops.score(state.weights, state.bias, *row, self.params()[2]))

    def score(self, state: Weights, x: Row) -> float:
        """The score that a player reports: positive for class 1."""
        return self.last_score(state, x)

    def scores(self, state: Weights, chunk: Chunk) -> Array:
        indptr, indices, values, *_ = self._rows(chunk)
        out = np.zeros(len(chunk))
        rounds, constant = int(state.counts[0]), self.params()[2]
        read = AVERAGE if self.averaged else LAST if self.stride == 1 else SPACED
        read(state.weights, state.bias, rounds, indptr, indices, values, constant, out)
        return out

    def readouts(self, state: Weights, chunk: Chunk) -> Array:
        scores = self.scores(state, chunk)
        plus = not self.averaged and self.params()[1] > 0  # a tie of the hypothesis that plays goes by its rule
        return (scores >= 0 if plus else scores > 0).astype(np.int32)

    def plane(self, state: Weights) -> tuple[Array, Array]:
        kept = state.weights.astype(np.float64).reshape(-1, self.stride)
        constant = state.bias.astype(np.float64).reshape(-1, self.stride) * self.params()[2]
        share = self.averaged / max(int(state.counts[0]), 1)
        return kept[:, :1] - share * kept[:, -1:], (constant[:, 0] - share * constant[:, -1])

    def probability(self, state: Weights, x: Row) -> float:
        """The chance of class 1 by a logistic curve whose slope fits the scores given before each label was seen."""
        return float(logistic(slope(state.scores) * self.score(state, x)))

    def probabilities(self, state: Weights, chunk: Chunk) -> Array:
        return logistic(slope(state.scores) * self.scores(state, chunk))

    def moves(self, state: Weights) -> int:
        return int(state.counts[1])
