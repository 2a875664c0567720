"""Additive: the compiled loops of learners that add multiples of rows to their weights.

Such a learner is one scalar rule: how far to step along y x, given what it has `Seen` of the round. The loop computes
scores, decides guesses and ties, steps, and averages; it is written once, and live play is a replay of one row, so both
agree by construction. A rule may say more, and costs more only if it does:

- with `scaling` it answers a `Step`: by what factor all weights are multiplied first, and how far to step then. Weights
  are kept as scale v, so that a step costs no more than the entries of its row; |w|^2 is kept too.
- with `beside` there is a number beside each weight (`Beside`): a running sum for averages, or what makes the steps of
  an attribute large or small. If it asks for `spread`, the rule may answer NaN: the round is refused.

Weights are kept attribute by attribute with `stride` numbers each, so that one cache line serves both. The bias is the
weight of a constant attribute of value `bias`, kept outside the others: adding a column of that value gives the same
game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import (
    NARROW,
    U,
    array_rule,
    dot_registers,
    is_dense,
    kernel,
    late_kernel,
    load_registers,
    long_rule,
    read_attribute,
    read_value,
    step_registers,
    store_registers,
    write_mark,
)
from littlestone.learners.shared.averages import score_both
from littlestone.learners.shared.rounds import (
    EARLY,
    ONE,
    ROUNDS,
    TWO,
    UPDATES,
    ZERO,
    Entries,
    count_work,
    dot,
    find_bin,
    find_entries,
    find_lookahead,
    is_listed,
    make_round,
)
from littlestone.learners.shared.rules import PLAIN, Beside, Seen, make_move, make_spread_rule, move_scaled


class Loops(NamedTuple):
    """The compiled loops of one learner."""

    replay: Callable[..., int]
    round: Callable[..., int]
    score: Callable[..., float]


class Weights(NamedTuple):
    """What an additive learner has learned; `counts` are rounds and updates, `scores` the scores it gave each label."""

    weights: Any
    bias: Any
    counts: Any
    scores: Any


class ScaledWeights(NamedTuple):
    """The same, weights and bias being `scale[0]` times those kept here; `scale[1]` is the sum of their squares."""

    weights: Any
    bias: Any
    counts: Any
    scores: Any
    scale: Any


@array_rule
def is_full_and_narrow(indptr: Array, weights: Array) -> Any:
    """Whether every row of a dense chunk has all attributes, and these are few."""
    return weights.size <= NARROW and indptr[indptr.size - 1] - indptr[0] == (indptr.size - 1) * weights.size


def make_additive_loops(step: Any, make_params: Any, beside: Beside | None = None, scaling: bool = False) -> Loops:
    """The loops of the learner that moves by `step(seen, params)` times y x.

    `params` is a record that starts with `enough`, the agreement at or below which a round teaches, `tie`, the rule for
    scores of zero, `constant`, the bias, and `times`, how many times x a step moves along (1; 2 in a network, where one
    unit steps towards x and another away); what follows belongs to the rule.
    """
    paired = beside is not None
    per_weight = ONE if beside is None else TWO
    share, grow, link, spreads, _ = PLAIN if beside is None else beside
    spread_of, move, make_state = make_spread_rule(share), make_move(beside), ScaledWeights if scaling else Weights
    parts = len(make_state._fields)

    @long_rule
    def play(
        held: Any, state: Any, rounds: Any, guesses: Array, params: Any, marks: Any, served: Any, told: Any
    ) -> Any:
        """The loop, inlined into both kernels below; `held` are weights in registers, or None."""
        weights = state.weights
        bias = state.bias
        counts = state.counts
        labels = rounds.labels
        real = weights.dtype.type
        enough = params.enough
        tie = params.tie
        constant = real(params.constant)
        beyond = real(params.enough)
        cut = np.nextafter(real(0), real(-1)) if tie > 0 else real(0)  # scores above it are of class 1
        first = counts[ROUNDS]
        last = find_lookahead(rounds.indptr, weights)
        kept = held
        size = U(weights.size)
        due = first if first < EARLY else (first + 15) & ~15  # the next round whose score enters the histogram
        offset = bias[0]
        played = labels.size
        for t in range(labels.size):
            row = find_entries(rounds, t)
            now = first + t
            if served is not None:
                product, average = score_both(weights, offset, bias[1], row, last, 1.0 / max(now, 1), params.constant)
                served[0, t], served[1, t] = 1.0 if average > 0 else 0.0, average
            elif held is None:
                product = dot(weights, per_weight, row, last)
            else:
                product = dot_registers(kept, row.values, row.a, size)
            score = product + offset * constant
            if scaling:
                score *= state.scale[0]
            if told is not None:
                told[t] = score
            guess = 1 if score > cut else 0
            guesses[t] = guess
            if now >= due:
                due = now + 1 if now < EARLY else (now | 15) + 1
                state.scores[labels[t], find_bin(score)] += 1
            if (guess == labels[t]) & (abs(score) > beyond):  # one branch: where mistakes fall cannot be foreseen
                continue
            y = 1.0 if labels[t] else -1.0
            agreement = y * np.float64(score)
            if agreement <= enough and (tie < 0 or enough > 0 or guess != labels[t]):
                if scaling:
                    square = state.scale[0] * state.scale[0] * state.scale[1]
                    answer = step(Seen(agreement, counts[UPDATES], square, 0.0, row), params)
                    if answer.along != 0 or answer.factor != 1:
                        counts[UPDATES] += 1
                        write_mark(marks, t, abs(answer.along) if answer.along != 0 else 1.0)
                        move_scaled(state, row, answer, y, constant)
                        offset = bias[0]
                    continue
                spread = spread_of(weights, bias, per_weight, ONE, row, constant, params) if spreads else 0.0
                far = step(Seen(agreement, counts[UPDATES], 0.0, spread, row), params)
                if spreads and far != far:
                    if now < EARLY or now & 15 == 0:
                        state.scores[labels[t], find_bin(score)] -= 1
                    played = t
                    break
                delta = real(y * far * np.float64(read_value(rounds.importance, t)))
                if delta != 0:
                    counts[UPDATES] += 1
                    write_mark(marks, t, abs(delta))
                    if paired:
                        delta_bias = delta * real(share(bias[1], delta * constant, params)) * constant
                        bias[1] = grow(bias[1], constant, delta_bias, real(now), params)
                        offset = link(offset + delta_bias, bias[1], params)
                    else:
                        offset += delta * constant
                    if held is None:
                        for k in range(row.a, row.b):
                            i = per_weight * read_attribute(row.indices, k, row.a)
                            move(weights, i, i + ONE, read_value(row.values, k), delta, now, params)
                    else:
                        kept = step_registers(kept, delta, row.values, row.a, size)
        if held is not None:
            store_registers(kept, weights)
        bias[0], counts[ROUNDS] = offset, first + played
        return played

    @late_kernel(lambda state, rounds, *rest: count_work(rounds))
    def replay(
        state: Any,
        rounds: Any,
        guesses: Array,
        params: Any,
        marks: Any = None,
        served: Any = None,
        told: Any = None,
    ) -> Any:
        if not paired and not scaling:
            # None where rows are sparse: then both calls are one to the compiler
            held = load_registers(state.weights, rounds.indices, rounds.values)
            if is_dense(rounds.indices) and is_full_and_narrow(rounds.indptr, state.weights):
                return play(held, state, rounds, guesses, params, marks, None, told)
        return play(None, state, rounds, guesses, params, marks, served, told)

    @kernel
    def play_single(
        indices: Any,
        values: Any,
        length: int,
        label: int,
        width: int,
        least: float,
        most: float,
        *state_and_params: Any,
    ) -> Any:
        """One round; -1, and nothing happened, for a row outside the domain from `least` to `most`.

        Nor is a row played that does not list attributes below `width` in order; a negative `width` says that it does.
        The arrays of the state and the numbers of `params` come one by one, since a record costs more to hand over
        than most rounds take.
        """
        if not is_listed(indices, values, length, width, (least, most)):
            return -1
        state = make_state(*state_and_params[:parts])
        params = make_params(*state_and_params[parts:])
        guesses = np.zeros(1, np.int32)
        rounds = make_round(indices, values, length, None, label)
        return guesses[0] if play(None, state, rounds, guesses, params, None, None, None) else -1

    @kernel
    def score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
        total = dot(weights, per_weight, (indices, values, ZERO, U(length)), ZERO)
        return np.float64(total + bias[0] * weights.dtype.type(constant))

    return Loops(replay, play_single, score)


def make_reader(stride: int, averaged: bool) -> Callable[..., None]:
    """The loop that scores rows for a player: by the last weights, or by the average that lies beside them."""
    per_weight = U(stride)

    @late_kernel(lambda weights, bias, rounds, indptr, *rest: indptr[-1] - indptr[0])
    def read(
        weights: Array, bias: Array, rounds: int, indptr: Array, indices: Any, values: Any, constant: float, out: Array
    ) -> None:
        real = weights.dtype.type
        share = 1.0 / max(rounds, 1)
        last = find_lookahead(indptr, weights)
        for t in range(out.size):
            row = Entries(indices, values, U(indptr[t]), U(indptr[t + 1]))
            if averaged:
                out[t] = score_both(weights, bias[0], bias[1], row, last, share, constant)[1]
            else:
                out[t] = np.float64(dot(weights, per_weight, row, last) + bias[0] * real(constant))

    return read


LAST, SPACED, AVERAGE = make_reader(1, False), make_reader(2, False), make_reader(2, True)
