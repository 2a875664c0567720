"""Units: many linear units over the same attributes, one for each class, with attribute-major weights.

All classes' weights of one attribute lie side by side, so that a row is read once whatever the number of classes. A
block is one attribute's weights: `width` of them, a multiple of eight, followed by as many running sums for averaged
learners, or sums of squares for those that know variances. Classes beyond those met so far take no part in a guess.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, column_sums, entry, kernel, note, place, prefetch, rule
from littlestone.learners.shared.additive import FOUR, ONE, THREE, TWO, ZERO, spread, variance
from littlestone.learners.shared.calibration import EARLY, octave

WINNER, EACH = 0.0, 1.0
NARROW = U(32)  # classes whose sums stay in registers
LINE = U(16)  # weights of a cache line
SOON = U(8)  # entries between asking for weights and using them


class Blocks(NamedTuple):
    """Weights of all classes, attribute by attribute; `counts` are rounds, updates and classes met."""

    weights: Array
    bias: Array
    counts: Array
    scores: Array


class UnitLoops(NamedTuple):
    """The compiled loops of a network of one kind of unit."""

    replay: Callable[..., int]
    round: Callable[..., int]


@rule
def class_scores(weights: Array, block: Any, width: Any, indices: Any, values: Any, a: Any, b: Any, out: Array) -> Any:
    """The scores of `width` units on a row; the order of summation is fixed."""
    if width <= NARROW:
        column_sums(weights, block, width, indices, values, a, b, out)
        return
    for c in range(width):
        out[c] = 0
    fours = a + ((b - a) & ~THREE)
    for k in range(a, fours, FOUR):
        i0, i1 = block * place(indices, k, a), block * place(indices, k + ONE, a)
        i2, i3 = block * place(indices, k + TWO, a), block * place(indices, k + THREE, a)
        v0, v1, v2, v3 = entry(values, k), entry(values, k + ONE), entry(values, k + TWO), entry(values, k + THREE)
        if k + SOON + FOUR <= b:
            for c in range(ZERO, width, LINE):
                prefetch(weights, np.int64(block * place(indices, k + SOON, a) + c))
                prefetch(weights, np.int64(block * place(indices, k + SOON + ONE, a) + c))
                prefetch(weights, np.int64(block * place(indices, k + SOON + TWO, a) + c))
                prefetch(weights, np.int64(block * place(indices, k + SOON + THREE, a) + c))
        for c in range(width):
            out[c] += (weights[i0 + c] * v0 + weights[i1 + c] * v1) + (weights[i2 + c] * v2 + weights[i3 + c] * v3)
    for k in range(fours, b):
        i0, v0 = block * place(indices, k, a), entry(values, k)
        for c in range(width):
            out[c] += weights[i0 + c] * v0


@kernel
def block_scores(
    weights: Array, bias: Array, indptr: Array, indices: Any, values: Any, constant: float, out: Array
) -> None:
    """The numbers in every column of the blocks, applied to each row: scores, and what averages need."""
    block, real = U(bias.size), weights.dtype.type
    for t in range(indptr.size - 1):
        numbers = out[t]
        class_scores(weights, block, block, indices, values, U(indptr[t]), U(indptr[t + 1]), numbers)
        for c in range(block):
            numbers[c] += bias[c] * real(constant)


def attribute_major(step: Any, averaged: bool = False, varied: bool = False) -> UnitLoops:
    """The loops of a network whose units move by `step`, the rule of an additive learner (see `additive`)."""
    parts = U(2) if averaged or varied else U(1)

    @rule
    def move_unit(
        weights: Array,
        bias: Array,
        c: Any,
        now: Any,
        delta: Any,
        indices: Any,
        values: Any,
        a: Any,
        b: Any,
        constant: Any,
        least: Any,
    ) -> Any:
        """Step unit c by delta along the row."""
        real = weights.dtype.type
        block, width = U(bias.size), U(bias.size) // parts
        move = delta * constant
        if varied:
            move *= real(variance(bias[c + width], least))
            bias[c + width] += constant * constant
        bias[c] += move
        if averaged:
            bias[c + width] += real(now) * move
        for k in range(a, b):
            i = block * place(indices, k, a) + c
            move = delta * entry(values, k)
            if varied:
                move *= real(variance(weights[i + width], least))
                weights[i + width] += entry(values, k) * entry(values, k)
            weights[i] += move
            if averaged:
                weights[i + width] += real(now) * move

    @rule
    def rounds(
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
        mode: Any,
        marks: Any,
    ) -> Any:
        real = weights.dtype.type
        enough, constant, least = params[0], real(params[2]), params[-1]
        block, width = U(bias.size), U(bias.size) // parts
        out = np.zeros(bias.size, weights.dtype)
        for t in range(labels.size):
            a, b, y, met, now = U(indptr[t]), U(indptr[t + 1]), U(labels[t]), U(counts[2]), counts[0]
            class_scores(weights, block, width, indices, values, a, b, out)
            for c in range(met):
                out[c] += bias[c] * constant
            guess: Any = ZERO
            rival: Any = ZERO if y != ZERO else ONE  # the best class, and the best one other than y
            for c in range(met):
                if out[c] > out[guess]:
                    guess = c
                if c != y and out[c] > out[rival]:
                    rival = c
            guesses[t] = guess
            counts[2] = max(met, y + ONE)
            own = np.float64(out[y]) if y < met else 0.0
            gap = own - np.float64(out[rival])
            if now < EARLY or now & 15 == 0:
                scores[1, octave(gap)] += 1
            moved, taught, bit = False, 0.0, 1.0
            if mode == WINNER:
                if gap <= enough:
                    far = step(gap, values, a, b, params)
                    if varied:
                        wide = spread(weights, bias, block, y + width, indices, values, a, b, constant, least)
                        wide += spread(weights, bias, block, rival + width, indices, values, a, b, constant, least)
                        far = far / (wide + least) if wide > 0 else 0.0
                    delta = real(far * entry(importance, t))
                    if delta != 0:
                        moved = True
                        move_unit(weights, bias, y, now, delta, indices, values, a, b, constant, least)
                        move_unit(weights, bias, rival, now, -delta, indices, values, a, b, constant, least)
            else:
                for c in range(U(counts[2])):
                    sign = 1.0 if c == y else -1.0
                    agreement = sign * (np.float64(out[c]) if c < met else 0.0)
                    if agreement <= enough:
                        far = step(agreement, values, a, b, params)
                        if varied:
                            wide = spread(weights, bias, block, c + width, indices, values, a, b, constant, least)
                            far = far / (wide + least) if wide > 0 else 0.0
                        delta = real(sign * far * entry(importance, t))
                        if delta != 0:
                            moved, taught = True, taught + bit
                            move_unit(weights, bias, c, now, delta, indices, values, a, b, constant, least)
                    bit *= 2.0
            if moved:
                counts[1] += 1
                note(marks, t, np.float64(rival + ONE) if mode == WINNER else taught)
            counts[0] = now + 1
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
        mode: float,
        marks: Any = None,
    ) -> Any:
        return rounds(
            weights, bias, counts, scores, indptr, indices, values, importance, labels, guesses, params, mode, marks
        )

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
        mode: float,
    ) -> Any:
        indptr, labels, guesses = np.array([0, length]), np.array([label], np.int32), np.zeros(1, np.int32)
        rounds(weights, bias, counts, scores, indptr, indices, values, importance, labels, guesses, params, mode, None)
        return guesses[0]

    return UnitLoops(replay, single)
