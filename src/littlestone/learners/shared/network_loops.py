"""Networks: many linear units over the same attributes, one for each class, with attribute-major weights.

All classes' weights of one attribute lie side by side, so that a row is read once whatever the number of classes. A
block is one attribute's weights: `width` of them, a multiple of eight, followed by as many running sums for averaged
learners, or sums of squares for those that know variances. Classes beyond those met so far take no part in a guess.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.domain import is_inside
from littlestone.compiled import (
    U,
    array_rule,
    kernel,
    prefetch,
    read_attribute,
    read_value,
    rule,
    sum_by_class,
    write_mark,
)
from littlestone.learners.shared.rounds import (
    EARLY,
    FOUR,
    ONE,
    ROUNDS,
    THREE,
    TWO,
    UPDATES,
    ZERO,
    find_bin,
    find_entries,
    make_round,
)
from littlestone.learners.shared.rules import PLAIN, Beside, Seen, make_move, make_spread_rule

WINNER = 0.0
EACH = 1.0
CLASSES = 2  # where `counts` holds how many classes were met
NARROW = U(32)  # classes whose sums stay in registers
LINE = U(16)  # weights of a cache line
SOON = U(8)  # entries between asking for weights and using them


class Blocks(NamedTuple):
    """Weights of all classes, attribute by attribute; `counts` are rounds, updates and classes met."""

    weights: Any
    bias: Any
    counts: Any
    scores: Any


class UnitLoops(NamedTuple):
    """The compiled loops of a network of one kind of unit."""

    replay: Callable[..., int]
    round: Callable[..., int]
    score: Callable[..., None] | None = None  # where scores are no sums of weight times value


@array_rule
def score_classes(weights: Array, block: Any, width: Any, row: Any, out: Array) -> Any:
    """Write the scores of `width` units on a row; the order of summation is fixed."""
    indices, values, a, b = row
    if width <= NARROW:
        sum_by_class(weights, block, width, indices, values, a, b, out)
        return
    for c in range(width):
        out[c] = 0
    fours = a + ((b - a) & ~THREE)
    for k in range(a, fours, FOUR):
        i0 = block * read_attribute(indices, k, a)
        i1 = block * read_attribute(indices, k + ONE, a)
        i2 = block * read_attribute(indices, k + TWO, a)
        i3 = block * read_attribute(indices, k + THREE, a)
        v0 = read_value(values, k)
        v1 = read_value(values, k + ONE)
        v2 = read_value(values, k + TWO)
        v3 = read_value(values, k + THREE)
        if k + SOON + FOUR <= b:
            for c in range(ZERO, width, LINE):
                prefetch(weights, np.int64(block * read_attribute(indices, k + SOON, a) + c))
                prefetch(weights, np.int64(block * read_attribute(indices, k + SOON + ONE, a) + c))
                prefetch(weights, np.int64(block * read_attribute(indices, k + SOON + TWO, a) + c))
                prefetch(weights, np.int64(block * read_attribute(indices, k + SOON + THREE, a) + c))
        for c in range(width):
            out[c] += (weights[i0 + c] * v0 + weights[i1 + c] * v1) + (weights[i2 + c] * v2 + weights[i3 + c] * v3)
    for k in range(fours, b):
        i0 = block * read_attribute(indices, k, a)
        v0 = read_value(values, k)
        for c in range(width):
            out[c] += weights[i0 + c] * v0


@kernel
def score_blocks(
    weights: Array, bias: Array, indptr: Array, indices: Any, values: Any, constant: float, out: Array
) -> None:
    """The numbers in every column of the blocks, applied to each row: scores, and what averages need."""
    block = U(bias.size)
    real = weights.dtype.type
    for t in range(indptr.size - 1):
        numbers = out[t]
        score_classes(weights, block, block, (indices, values, U(indptr[t]), U(indptr[t + 1])), numbers)
        for c in range(block):
            numbers[c] += bias[c] * real(constant)


@array_rule
def guess_by_average(state: Any, row: Any, met: Any, now: Any, constant: Any, out: Array, told: Any, t: Any) -> Any:
    """The class, of those met, that scores highest by the average of all weights played; `out` is overwritten."""
    block = U(state.bias.size)
    width = U(state.bias.size) // TWO
    rounds = np.float64(max(now, 1))
    score_classes(state.weights, block, block, row, out)
    guess: Any = ZERO
    best = -np.inf
    for c in range(met):
        last = out[c] + state.bias[c] * constant
        sums = out[c + width] + state.bias[c + width] * constant
        score = np.float64(last) - np.float64(sums) / rounds
        if told is not None:
            told[c, t] = score
        if score > best:
            guess = c
            best = score
    return guess


@rule
def weigh_plainly(weight: Any, beside: Any, value: Any, params: Any) -> Any:
    """Weight times value."""
    return weight * value


def make_unit_loops(step: Any, make_params: Any, beside: Beside | None = None) -> UnitLoops:
    """The loops of a network whose units move by `step`, the rule of an additive learner (see `make_additive_loops`).

    With mode WINNER a round moves two units, so that `params.times` is 2; with mode EACH every unit moves by itself.
    """
    kept = PLAIN if beside is None else beside
    parts = ONE if beside is None else TWO
    move, spreads, spread_of = make_move(beside), kept.spread, make_spread_rule(kept.share)
    term = kept.term or weigh_plainly
    weighs = kept.term is not None

    @array_rule
    def score_terms(weights: Array, bias: Array, row: Any, params: Any, out: Array) -> None:
        """Write the scores of all units on a row, the sum of what `term` says of each attribute."""
        block = U(bias.size)
        width = U(bias.size) // parts
        for c in range(width):
            out[c] = 0.0
        for k in range(row.a, row.b):
            i = block * read_attribute(row.indices, k, row.a)
            value = np.float64(read_value(row.values, k))
            for c in range(width):
                out[c] += term(weights[i + c], weights[i + width + c], value, params)
        if params.constant != 0:
            for c in range(width):
                out[c] += term(bias[c], bias[width + c], params.constant, params)

    @array_rule
    def move_unit(state: Any, row: Any, c: Any, now: Any, delta: Any, params: Any) -> None:
        """Step unit c by delta along the row."""
        weights = state.weights
        bias = state.bias
        block = U(bias.size)
        width = U(bias.size) // parts
        move(bias, c, c + width, weights.dtype.type(params.constant), delta, now, params)
        for k in range(row.a, row.b):
            i = block * read_attribute(row.indices, k, row.a) + c
            move(weights, i, i + width, read_value(row.values, k), delta, now, params)

    @array_rule
    def play(state: Any, rounds: Any, guesses: Array, rule: Any, out: Array, marks: Any, served: Any, told: Any) -> Any:
        params, mode = rule
        weights = state.weights
        bias = state.bias
        counts = state.counts
        labels = rounds.labels
        real = weights.dtype.type
        enough = params.enough
        constant = weights.dtype.type(params.constant)
        block = U(bias.size)
        width = U(bias.size) // parts
        for t in range(labels.size):
            row = find_entries(rounds, t)
            y = U(labels[t])
            met = U(counts[CLASSES])
            now = counts[ROUNDS]
            if served is not None:
                served[0, t] = guess_by_average(state, row, met, now, constant, out, told, t)
            if weighs:
                score_terms(weights, bias, row, params, out)
            else:
                if served is None or width <= NARROW < block:  # otherwise `out` has these sums already, to the bit
                    score_classes(weights, block, width, row, out)
                for c in range(met):
                    out[c] += bias[c] * constant
            if told is not None:
                below = 0 if served is None else told.shape[0] // 2  # averages come first
                for c in range(met):
                    told[np.int64(c) + below, t] = out[c]
            guess: Any = ZERO
            rival: Any = ZERO if y != ZERO else ONE  # the best class, and the best one other than y
            for c in range(met):
                if out[c] > out[guess]:
                    guess = c
                if c != y and out[c] > out[rival]:
                    rival = c
            guesses[t] = guess
            counts[CLASSES] = max(met, y + ONE)
            own = np.float64(out[y]) if y < met else 0.0
            gap = own - np.float64(out[rival])
            if now < EARLY or now & 15 == 0:
                state.scores[1, find_bin(gap)] += 1
            moved = False
            taught = 0.0
            bit = 1.0
            spread = 0.0
            if mode == WINNER:
                if gap <= enough:
                    if spreads:
                        spread = spread_of(weights, bias, block, y + width, row, constant, params)
                        spread += spread_of(weights, bias, block, rival + width, row, constant, params)
                    far = step(Seen(gap, counts[UPDATES], 0.0, spread, row), params)
                    delta = real(far * np.float64(read_value(rounds.importance, t)))
                    if delta != 0:
                        moved = True
                        move_unit(state, row, y, now, delta, params)
                        move_unit(state, row, rival, now, -delta, params)
            else:
                for c in range(U(counts[CLASSES])):
                    sign = 1.0 if c == y else -1.0
                    agreement = sign * (np.float64(out[c]) if c < met else 0.0)
                    if agreement <= enough:
                        if spreads:
                            spread = spread_of(weights, bias, block, c + width, row, constant, params)
                        far = step(Seen(agreement, counts[UPDATES], 0.0, spread, row), params)
                        delta = real(sign * far * np.float64(read_value(rounds.importance, t)))
                        if delta != 0:
                            moved = True
                            taught = taught + bit
                            move_unit(state, row, c, now, delta, params)
                    bit *= 2.0
            if moved:
                counts[UPDATES] += 1
                write_mark(marks, t, np.float64(rival + ONE) if mode == WINNER else taught)
            counts[ROUNDS] = now + 1
        return labels.size

    @kernel
    def replay(
        state: Any,
        rounds: Any,
        guesses: Array,
        params: Any,
        mode: float,
        marks: Any = None,
        served: Any = None,
        told: Any = None,
    ) -> Any:
        out = np.zeros(state.bias.size, state.weights.dtype)
        return play(state, rounds, guesses, (params, mode), out, marks, served, told)

    @kernel
    def play_single(
        indices: Any,
        values: Any,
        length: int,
        label: int,
        mode: float,
        least: float,
        most: float,
        *state_and_params: Any,
    ) -> Any:
        """One round, or -1 for a row outside the domain; what comes one by one is as in `additive.py`."""
        if not is_inside(values, 0, length, least, most):
            return -1
        state = Blocks(*state_and_params[:4])
        params = make_params(*state_and_params[4:])
        rounds = make_round(indices, values, length, None, label)
        guesses = np.zeros(1, np.int32)
        out = np.zeros(state.bias.size, state.weights.dtype)
        play(state, rounds, guesses, (params, mode), out, None, None, None)
        return guesses[0]

    @array_rule
    def write_scores(state: Any, rounds: Any, params: Any, out: Array) -> None:
        for t in range(out.shape[0]):
            score_terms(state.weights, state.bias, find_entries(rounds, t), params, out[t])

    @kernel
    def score(state: Any, rounds: Any, params: Any, out: Array) -> None:
        write_scores(state, rounds, params, out)

    return UnitLoops(replay, play_single, score if weighs else None)
