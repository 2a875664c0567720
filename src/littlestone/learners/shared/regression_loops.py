"""Regression loops: the compiled loops of learners that predict numbers.

A learner is a `RegressionRule`: what it says of a row whose values are in units of their largest sizes, and how it
learns a label. Labels are in units of a power of two, that of the first label that is not zero, so that they may be of
any size too. A learner may ask to see them from the first one on: the label of a round less that of the first round.

A round is: look up the row, fit the sizes, say a number, and only then look at the label. To predict is the same on a
copy of the row's part of the table.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, bits_to_float, float_to_bits, kernel, long_rule, rule
from littlestone.learners.shared.forecaster_state import MET, PLAYS, ROUNDS, UPDATES, WANTED
from littlestone.learners.shared.newton_members import copy_newton, rescale
from littlestone.learners.shared.scale_free import copy_rows, enter, fit_sizes, look_up

UNIT, LARGEST, ORIGIN, CHOSEN = range(4)  # what `labels` of a state holds
# the size of a label, and over the unit of the labels, up to which it is taken
MOST = 2.0**900
REACH = 2.0**400
# the bits of an exponent, and the least unit
EXPONENT = np.int64(0x7FF0000000000000)
SMALLEST = 2.0**-1022


class RegressionParams(NamedTuple):
    """What the loops read of a learner; each rule has its own numbers in it."""

    guard: bool
    constant: bool
    relative: bool = False  # whether labels are counted from the first one
    ridge: float = 1.0
    wealth: float = 1.0
    criterion: int = 0
    quantile: float = 0.5
    width: float = 0.0


class RegressionRule(NamedTuple):
    """The rule of a learner.

    Args:
        shrink: Puts the numbers that the table has of an attribute into units of a larger size.
        say: What is predicted, in units of the labels and from their origin, of the row that the bench has.
        learn: Learns the row's label, from that origin, and adds what was lost to the losses.
    """

    shrink: Callable[..., None]
    say: Callable[..., float]
    learn: Callable[..., None]


class RegressionLoops(NamedTuple):
    """The compiled loops of one learner."""

    replay: Callable[..., int]
    forecast: Callable[..., None]


@rule
def is_outside(labels: Array, label: Any) -> Any:
    """Whether a label is too large, for a float or beside the first one that was not zero."""
    return abs(label) > MOST or (labels[UNIT] > 0 and abs(label) > REACH * labels[UNIT])


@long_rule
def note_label(labels: Array, label: Any, first: Any) -> Any:
    """Choose the unit of the labels by the first that is not zero, note the largest, and return the label in it.

    If it is to be the `first`, the others are counted from it.
    """
    if labels[UNIT] == 0 and label != 0:
        labels[UNIT] = max(bits_to_float(float_to_bits(np.float64(abs(label))) & EXPONENT), SMALLEST)
    y = label / labels[UNIT] if labels[UNIT] > 0 else 0.0
    if first:
        labels[ORIGIN], labels[CHOSEN] = y, 1.0
    y -= labels[ORIGIN]
    labels[LARGEST] = max(labels[LARGEST], abs(y))
    return y


def make_regression_loops(own: RegressionRule) -> RegressionLoops:
    """The loops of the learner that has this rule."""
    shrink, say, learn = own

    @long_rule
    def fit(bench: Any, met: Any, count: Any, params: Any) -> Any:
        """Let the sizes grow to a row's values, and what was learned with them; whether a matrix has changed."""
        rows = bench.rows
        reading = bench.reading
        newton = bench.newton
        if not fit_sizes(rows.sizes, rows.shift, reading, count, params.guard):
            return False
        for j in range(count):
            factor = reading.shrinks[j]
            if factor != 1.0:
                shrink(rows.reals, reading.starts[j] + U(rows.lead), factor)
                for k in range(newton.centres.shape[0]):
                    rescale(newton, k, met, reading.rows[j], factor, params.ridge)
        return newton.centres.shape[0] > 0

    @long_rule
    def play(bench: Any, state: Any, rounds: Any, guesses: Array, params: Any) -> Any:
        """Play rounds up to one for which the table has no room, or whose label is refused; how many."""
        counts = state.counts
        for t in range(rounds.labels.size):
            label = rounds.labels[t]
            importance = rounds.importance[t]
            if is_outside(state.labels, label):
                return t
            count, new = look_up(state.places, bench.rows, rounds, t, params.constant, bench.reading)
            if (counts[MET] + np.int64(new)) * bench.rows.stride > bench.rows.reals.size:
                counts[WANTED] = counts[MET] + np.int64(new)
                return t
            if new > 0:
                enter(state.places, counts, bench.rows.stride, bench.reading, count)
            fit(bench, counts[MET], count, params)
            said = say(bench, state, count, params)
            origin = state.labels[ORIGIN]
            guesses[t] = (said + origin) * state.labels[UNIT]
            first = params.relative and state.labels[CHOSEN] == 0 and importance > 0
            y = note_label(state.labels, label, first)
            said += origin - state.labels[ORIGIN]
            counts[ROUNDS] += 1
            counts[UPDATES] += 1
            plays = np.int64(np.ceil(importance)) if importance > 1.0 else 1
            for again in range(plays):
                counts[PLAYS] += 1
                if again > 0:
                    said = say(bench, state, count, params)
                learn(bench, state, count, y, said, importance / plays, params)
        return rounds.labels.size

    @kernel
    def replay(bench: Any, state: Any, rounds: Any, guesses: Array, params: Any) -> Any:
        return play(bench, state, rounds, guesses, params)

    @kernel
    def forecast(table: Any, bench: Any, state: Any, rounds: Any, out: Array, params: Any) -> None:
        """Write what is predicted of each row; `bench` has copies of all that may change."""
        changed = True
        for t in range(out.size):
            if changed:
                copy_newton(state.centres, state.matrices, bench.newton)
            count, _ = look_up(state.places, table, rounds, t, params.constant, bench.reading)
            copy_rows(table, bench.reading, count, bench.rows.reals)
            changed = fit(bench, state.counts[MET], count, params)
            out[t] = (say(bench, state, count, params) + state.labels[ORIGIN]) * state.labels[UNIT]

    return RegressionLoops(replay, forecast)
