"""Weighing experts, charging them, or both at once, group by group in the nearest cache."""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, dense_dot, exponential, have_same_type, rule
from littlestone.learners.experts.pools import ADAPTIVE, DRAW, MIX, ZERO, WeightSums
from littlestone.learners.experts.pricing import ABSOLUTE, CUSTOM, SQUARE, price_group

GROUP = U(256)  # experts whose weights are worked out at once: five groups of them stay in the nearest cache
WIDE = U(15)  # sums run over whole vectors of sixteen, the last one filled up with weights of zero


class GroupMemory(NamedTuple):
    """Memory for a group: weights, forecasts, what they cost, two sums over groups, and ones to sum with."""

    weight: Array
    forecast: Array
    cost: Array
    weights: Array
    forecasts: Array
    ones: Array


class Task(NamedTuple):
    """What to do with the experts: weigh them or charge them, or both (`fused`).

    `asleep`: some sleep through this round. `uneven`: some have credit. `mix`: what those asleep are charged.
    """

    weighing: Any
    fused: Any
    asleep: Any
    uneven: Any
    mix: Any


@rule
def allocate_aligned() -> Any:
    """A group of zeros that starts with a cache line; one that straddles them takes twice as long to go through."""
    memory = np.zeros(GROUP + WIDE)
    start = (-memory.ctypes.data % 64) // 8
    return memory[start : start + np.int64(GROUP)]


@rule
def allocate_memory() -> Any:
    """Memory for the groups of a loop."""
    ones = allocate_aligned()
    ones[:] = 1.0
    arrays = allocate_aligned(), allocate_aligned(), allocate_aligned(), allocate_aligned(), allocate_aligned()
    return GroupMemory(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], ones)


def make_group_rule(loss: Any) -> Any:
    """A rule that weighs and charges a whole group in one loop, adding weights and forecasts up by place."""

    @rule
    def weigh_and_charge_group(params: Any, pool: Any, round: Any, scale: Any, first: Any, memory: Any) -> None:
        """Weigh and charge the experts from `first` on."""
        x = round.forecasts
        losses = pool.losses
        weights = memory.weights
        forecasts = memory.forecasts
        rate = scale.rate
        reference = scale.reference
        shape = params.shape
        y = round.outcome
        at = round.row + first
        for k in range(GROUP):
            weight = exponential(rate * (reference - losses[first + k]))
            weights[k] += weight
            forecasts[k] += weight * x[at + k]
            losses[first + k] += loss(x[at + k] - y, shape)

    return weigh_and_charge_group


@rule
def square_error(error: Any, shape: Any) -> Any:
    """The square loss of an error."""
    return error * error * shape


@rule
def measure_distance(error: Any, shape: Any) -> Any:
    """The absolute loss of an error."""
    return abs(error)


weigh_and_charge_squares, weigh_and_charge_distances = make_group_rule(square_error), make_group_rule(measure_distance)


@rule
def weigh_and_charge(params: Any, pool: Any, round: Any, scale: Any, task: Any, memory: Any) -> Any:
    """Go through the experts of a round group by group, weighing them, charging them, or both at once.

    Returns:
        The `Sums` of the weights, which are zero if nothing is weighed.
    """
    weighing, fused, asleep, uneven, mix = task
    weight, values, cost, weights, forecasts, ones = memory
    losses = pool.losses
    credit = pool.credit
    x = round.forecasts
    row = round.row
    y = round.outcome
    rate, reference = scale
    low = params.low
    high = params.high
    shape = params.shape
    priced = params.loss == CUSTOM
    adaptive = params.schedule == ADAPTIVE
    total = 0.0
    mean = 0.0
    paying = 0.0
    at_low = 0.0
    at_high = 0.0
    for first in range(round.first, round.last, GROUP):
        size = min(GROUP, round.last - first)
        whole = (size + WIDE) & ~WIDE
        at = row + first
        direct = have_same_type(x, values) and size == GROUP and not asleep and params.kind != MIX
        if direct and fused and params.loss in (ABSOLUTE, SQUARE):  # the usual case of many experts: one look at each
            if first == round.first:
                weights[:] = 0.0
                forecasts[:] = 0.0
            if params.loss == SQUARE:
                weigh_and_charge_squares(params, pool, round, scale, first, memory)
            else:
                weigh_and_charge_distances(params, pool, round, scale, first, memory)
            if first + GROUP + GROUP > round.last:  # the last whole group
                total += dense_dot(weights, ones, ZERO, GROUP)
                mean += dense_dot(forecasts, ones, ZERO, GROUP)
            continue
        for k in range(ZERO if direct else size):
            values[k] = np.float64(x[at + k])
        if asleep:  # something harmless stands in for those that sleep
            for k in range(size):
                values[k] = values[k] if values[k] == values[k] else 0.5 * low + 0.5 * high
        if weighing:
            if uneven:
                for k in range(size):
                    share = exponential(rate * (reference - (losses[first + k] + credit[first + k])))
                    weight[k] = share if x[at + k] == x[at + k] else 0.0
            elif size == GROUP:
                for k in range(size):
                    weight[k] = exponential(rate * (reference - losses[first + k]))
            else:  # fill up whole vectors, which is all there is to a small pool
                for k in range(size):
                    weight[k] = rate * (reference - losses[first + k])
                for k in range(whole):
                    weight[k] = exponential(weight[k])
            for k in range(size, whole):
                weight[k] = 0.0
            total += dense_dot(weight, ones, ZERO, whole)
            mean += dense_dot(weight, x, at, size) if direct else dense_dot(weight, values, ZERO, whole)
            if params.kind == MIX:
                price_group(params.loss, values, ZERO, size, low, shape, cost)
                for k in range(size):
                    cost[k] = exponential(-rate * cost[k])
                at_low += dense_dot(weight, cost, ZERO, whole)
                price_group(params.loss, values, ZERO, size, high, shape, cost)
                for k in range(size):
                    cost[k] = exponential(-rate * cost[k])
                at_high += dense_dot(weight, cost, ZERO, whole)
        if priced:
            for k in range(size):
                cost[k] = round.costs[at + k]
        elif direct:
            price_group(params.loss, x, at, size, y, shape, cost)
        else:
            price_group(params.loss, values, ZERO, size, y, shape, cost)
        if weighing:
            paying += dense_dot(weight, cost, ZERO, whole) if params.kind == DRAW or adaptive else 0.0
        if fused or (not weighing and not uneven):
            for k in range(size):
                losses[first + k] += cost[k]
        elif not weighing:
            for k in range(size):
                i = first + k
                if params.memory < 1:  # forget a part of the charge, but not of the loss on the books
                    credit[i] = params.memory * (losses[i] + credit[i]) - losses[i]
                if x[row + i] == x[row + i]:
                    losses[i] += cost[k]
                else:
                    credit[i] += mix
    return WeightSums(total, mean, paying, at_low, at_high)
