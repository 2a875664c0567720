"""Additive: the compiled loops of learners that add multiples of rows to their weights.

Such a learner is one scalar rule: how far to step along y x, given how much the score agrees with the label and the
entries of x (for their squared length). The loop computes scores, decides guesses and ties, steps, and averages; it is
written once, and live play is a replay of one row, so both agree by construction.

Weights are kept attribute by attribute with `stride` numbers each: the weight, and for an averaged learner the running
sum that yields the average beside it, so that one cache line serves both. The bias is the weight of a constant
attribute of value `bias`, kept outside the others: adding a column of that value gives the same game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.features import measured
from littlestone.compiled import (
    NARROW,
    U,
    dense_dot,
    entry,
    held_dot,
    held_step,
    hold,
    is_dense,
    kernel,
    light,
    note,
    place,
    prefetch,
    release,
    rule,
)
from littlestone.learners.shared.calibration import EARLY, octave

ZERO, ONE, TWO, THREE, FOUR = U(0), U(1), U(2), U(3), U(4)
AHEAD = U(128)  # entries between asking for a weight and using it
FAR = U(1 << 19)  # weights beyond which asking ahead pays
LONG, PAGES = U(256), U(1536)  # entries of a dense row that is long, and those between asking and using in such rows


class Loops(NamedTuple):
    """The compiled loops of one learner."""

    replay: Callable[..., int]
    round: Callable[..., int]
    score: Callable[..., float]


@light
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


@light
def squared_norm(values: Any, a: Any, b: Any, params: Any) -> Any:
    """The squared length of a step's direction: `params[3]` times that of the row with its constant attribute."""
    total = params[2] * params[2]
    for k in range(a, b):
        total += np.float64(entry(values, k)) * np.float64(entry(values, k))
    return total * params[3]


@rule
def variance(squares: Any, least: Any) -> Any:
    """Of a weight along which rows of these squares have taught."""
    return least / (least + np.float64(squares))


@light
def spread(
    weights: Array,
    bias: Array,
    block: Any,
    beside: Any,
    indices: Any,
    values: Any,
    a: Any,
    b: Any,
    constant: Any,
    least: Any,
) -> Any:
    """The variance of a score, if squares stand at place `beside` in the block of an attribute, and of the bias."""
    total = np.float64(constant) * np.float64(constant) * variance(bias[beside], least)
    for k in range(a, b):
        value = np.float64(entry(values, k))
        total += value * value * variance(weights[block * place(indices, k, a) + beside], least)
    return total


@light
def reach(indptr: Array, weights: Array) -> Any:
    """The entry up to which weights are asked for ahead; 0 where they lie close anyway."""
    entries = U(indptr[indptr.size - 1])
    return entries - AHEAD - FOUR if U(weights.size) > FAR and entries > AHEAD + FOUR else ZERO


@light
def full_and_narrow(indptr: Array, weights: Array) -> Any:
    """Whether every row of a dense chunk has all attributes, and these are few."""
    return weights.size <= NARROW and indptr[indptr.size - 1] - indptr[0] == (indptr.size - 1) * weights.size


def additive(step: Any, stride: int = 1, varied: bool = False) -> Loops:
    """The loops of the learner that moves by `step(agreement, values, a, b, params)` times y x.

    `params` starts with the agreement at or below which a round teaches, the tie rule, the bias, and how many times x
    a step moves along (1; 2 in a network, where one unit steps towards x and another away); what follows belongs to
    the rule. With `stride=2` each weight has beside it the sum over updates of round times movement, from
    which the average over rounds follows; or, `varied`, the sum q of squares of what it was moved along. Its variance
    is then r / (r + q), r being the last of `params`: a step is divided by r plus the variance of the score, and every
    weight moves by its variance times that.
    """
    per_weight, averaged = U(stride), stride == 2 and not varied

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
                far = step(agreement, values, a, b, params)
                if varied:
                    wide = spread(weights, bias, per_weight, ONE, indices, values, a, b, constant, params[-1])
                    far = far / (wide + params[-1]) if wide > 0 else 0.0
                delta = real(y * far * entry(importance, t))
                if delta != 0:
                    counts[1] += 1
                    note(marks, t, abs(delta))
                    if varied:
                        offset += delta * real(variance(bias[1], params[-1])) * constant
                        bias[1] += constant * constant
                    else:
                        offset += delta * constant
                    if averaged:
                        bias[1] += real(now) * (delta * constant)
                    if held is None:
                        for k in range(a, b):
                            i = per_weight * place(indices, k, a)
                            move = delta * entry(values, k)
                            if varied:
                                move *= real(variance(weights[i + ONE], params[-1]))
                                weights[i + ONE] += entry(values, k) * entry(values, k)
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
        if stride == 1:
            held = hold(weights, indices, values)  # None where rows are sparse: then both calls are one to the compiler
            if is_dense(indices) and full_and_narrow(indptr, weights):
                return rounds(held, *state, *rows, guesses, params, marks)
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
