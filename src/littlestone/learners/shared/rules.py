"""Rules: what the rule of an additive learner sees and says, and how weights move by it.

A rule is a scalar function `step(seen, params)`: how far to step along y x. One that is `scaling` answers a `Step`
instead. A learner with a number beside each weight gives three scalar rules about it as `Beside`.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, array_rule, read_attribute, read_value, rule

# a scale beyond these is multiplied into the weights
LEAST = 2.0**-200
MOST = 2.0**200


class Seen(NamedTuple):
    """What a rule may look at in a round that may teach."""

    agreement: Any  # y w.x
    updates: Any  # how many rounds have moved the weights before
    weights: Any  # |w|^2, if the rule is `scaling`
    spread: Any  # the sum of x_i^2 times the share of attribute i, if there is one
    row: Any  # x itself, without its constant attribute


class Step(NamedTuple):
    """What a `scaling` rule answers: w <- factor w + along y x."""

    factor: Any
    along: Any


class Beside(NamedTuple):
    """Scalar rules about the number q beside a weight w, with m = the step times the attribute's value x.

    `share(q, m, params)` is how much of the step the weight takes: w <- w + share m. Then `grow(q, x, m, now, params)`
    is the next q, m being what the weight did take and `now` the round, and `link(w, q, params)` the next w.
    """

    share: Any
    grow: Any
    link: Any
    spread: bool = False  # whether the rule of the step asks for the sum of x_i^2 times the share
    term: Any = None  # `term(w, q, x, params)`: what an attribute adds to a score in a network; None: w x


@rule
def take_all(beside: Any, moved: Any, params: Any) -> Any:
    """Every attribute takes the whole step."""
    return 1.0


@rule
def add_time(beside: Any, value: Any, moved: Any, now: Any, params: Any) -> Any:
    """The sum over updates of round times movement."""
    return beside + now * moved


@rule
def keep_weight(weight: Any, beside: Any, params: Any) -> Any:
    """The weight as it is."""
    return weight


RUNNING_SUMS = Beside(take_all, add_time, keep_weight)
PLAIN = Beside(take_all, take_all, keep_weight)  # what stands for `beside` where nothing is kept


@array_rule
def square_length(row: Any, params: Any) -> Any:
    """The squared length of a step's direction: `params.times` that of the row with its constant attribute."""
    total = params.constant * params.constant
    for k in range(row.a, row.b):
        total += np.float64(read_value(row.values, k)) * np.float64(read_value(row.values, k))
    return total * params.times


def make_spread_rule(share: Any) -> Any:
    """The rule that sums x_i^2 times the share of attribute i over a row and the constant attribute.

    The number beside a weight stands at `at` in the block of its attribute, and in that of the bias.
    """

    @array_rule
    def sum_spread(weights: Array, bias: Array, block: Any, at: Any, row: Any, constant: Any, params: Any) -> Any:
        indices, values, a, b = row
        total = np.float64(constant) * np.float64(constant) * share(bias[at], 0.0, params)
        for k in range(a, b):
            value = np.float64(read_value(values, k))
            total += value * value * share(weights[block * read_attribute(indices, k, a) + at], 0.0, params)
        return total

    return sum_spread


def make_move(beside: Beside | None) -> Any:
    """The rule that steps one weight and what stands beside it."""
    paired = beside is not None
    share, grow, link, *_ = PLAIN if beside is None else beside

    @array_rule
    def move(numbers: Array, i: Any, at: Any, value: Any, delta: Any, now: Any, params: Any) -> None:
        """Step the weight at place i by delta along the value; the number beside it stands at place `at`."""
        real = numbers.dtype.type
        moved = delta * value
        if paired:
            moved *= real(share(numbers[at], moved, params))
            numbers[at] = grow(numbers[at], value, moved, real(now), params)
            numbers[i] = link(numbers[i] + moved, numbers[at], params)
        else:
            numbers[i] += moved

    return move


@array_rule
def move_scaled(state: Any, row: Any, step: Any, y: Any, constant: Any) -> None:
    """w <- factor w + along y x, for w = scale v; the sum of squares of v is kept up to date entry by entry."""
    weights = state.weights
    bias = state.bias
    scale = state.scale
    scale[0] *= step.factor
    if not LEAST <= abs(scale[0]) <= MOST:
        bias[0] *= scale[0]
        scale[1] = bias[0] * bias[0]
        for i in range(U(weights.size)):
            weights[i] *= scale[0]
            scale[1] += weights[i] * weights[i]
        scale[0] = 1.0
    delta = y * step.along / scale[0]
    before = bias[0]
    bias[0] += delta * constant
    squares = scale[1] + (bias[0] * bias[0] - before * before)
    for k in range(row.a, row.b):
        i = read_attribute(row.indices, k, row.a)
        before = weights[i]
        after = before + delta * read_value(row.values, k)
        weights[i] = after
        squares += after * after - before * before
    scale[1] = squares
