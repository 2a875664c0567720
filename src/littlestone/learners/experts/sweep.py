"""A sweep over experts: weighing them, charging them, or both at once, block by block in the nearest cache."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import dense_dot, exponential, rule, same_type
from littlestone.learners.experts.losses import ABSOLUTE, CUSTOM, SQUARE, pay
from littlestone.learners.experts.state import ADAPTIVE, DRAW, MIX, ZERO

BLOCK = np.uint64(256)  # experts whose weights are worked out at once: five blocks of them stay in the nearest cache
WIDE = np.uint64(15)  # sums run over whole vectors of sixteen, the last one filled up with weights of zero
TOTAL, FORECAST, PAYING, AT_LOW, AT_HIGH = range(5)  # what a sweep adds up
SUMS = 5


@rule
def aligned() -> Any:
    """A block of zeros that starts with a cache line; one that straddles them takes twice as long to go through."""
    room = np.zeros(BLOCK + WIDE)
    start = (-room.ctypes.data % 64) // 8
    return room[start : start + np.int64(BLOCK)]


@rule
def rooms() -> Any:
    """Room for the weights of a block, its forecasts, what they cost, two sums over blocks, and ones to sum with."""
    ones = aligned()
    ones[:] = 1.0
    return aligned(), aligned(), aligned(), aligned(), aligned(), ones


def blocks(loss: Any) -> Any:
    """Weigh and charge a whole block of experts in one loop: what they weigh, and forecast, is added up by place."""

    @rule
    def block(
        losses: Array, first: Any, x: Array, at: Any, y: Any, rate: Any, reference: Any, shape: Any, weights: Array,
        forecasts: Array,
    ) -> None:  # fmt: skip
        for k in range(BLOCK):
            weight = exponential(rate * (reference - losses[first + k]))
            weights[k] += weight
            forecasts[k] += weight * x[at + k]
            losses[first + k] += loss(x[at + k] - y, shape)

    return block


@rule
def square(error: Any, shape: Any) -> Any:
    return error * error * shape


@rule
def distance(error: Any, shape: Any) -> Any:
    return abs(error)


squared, absolute = blocks(square), blocks(distance)


@rule
def swept(
    params: Any, losses: Array, credit: Array, x: Array, costs: Array, row: Any, begin: Any, end: Any, y: Any,
    rate: Any, reference: Any, how: Any, mix: Any, room: Any,
) -> Any:  # fmt: skip
    """Go through experts block by block, weighing them, charging them, or both at once.

    Their total weight, and what it gives to: the forecasts, their losses, what they would lose at both ends.
    """
    weighing, fused, asleep, uneven = how
    weight, seen, cost, weights, forecasts, ones = room
    low, high, shape, priced = params.low, params.high, params.shape, params.loss == CUSTOM
    adaptive = params.schedule == ADAPTIVE
    total, mean, paying, at_low, at_high = 0.0, 0.0, 0.0, 0.0, 0.0
    for first in range(begin, end, BLOCK):
        size = min(BLOCK, end - first)
        whole, at = (size + WIDE) & ~WIDE, row + first
        direct = same_type(x, seen) and size == BLOCK and not asleep and params.kind != MIX
        if direct and fused and params.loss in (ABSOLUTE, SQUARE):  # the usual case of many experts: one look at each
            if first == begin:
                weights[:] = 0.0
                forecasts[:] = 0.0
            if params.loss == SQUARE:
                squared(losses, first, x, at, y, rate, reference, shape, weights, forecasts)
            else:
                absolute(losses, first, x, at, y, rate, reference, shape, weights, forecasts)
            if first + BLOCK + BLOCK > end:  # the last whole block
                total += dense_dot(weights, ones, ZERO, BLOCK)
                mean += dense_dot(forecasts, ones, ZERO, BLOCK)
            continue
        for k in range(ZERO if direct else size):
            seen[k] = np.float64(x[at + k])
        if asleep:  # something harmless stands in for those that sleep
            for k in range(size):
                seen[k] = seen[k] if seen[k] == seen[k] else 0.5 * low + 0.5 * high
        if weighing:
            if uneven:
                for k in range(size):
                    share = exponential(rate * (reference - (losses[first + k] + credit[first + k])))
                    weight[k] = share if x[at + k] == x[at + k] else 0.0
            elif size == BLOCK:
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
            mean += dense_dot(weight, x, at, size) if direct else dense_dot(weight, seen, ZERO, whole)
            if params.kind == MIX:
                pay(params.loss, seen, ZERO, size, low, shape, cost)
                for k in range(size):
                    cost[k] = exponential(-rate * cost[k])
                at_low += dense_dot(weight, cost, ZERO, whole)
                pay(params.loss, seen, ZERO, size, high, shape, cost)
                for k in range(size):
                    cost[k] = exponential(-rate * cost[k])
                at_high += dense_dot(weight, cost, ZERO, whole)
        if priced:
            for k in range(size):
                cost[k] = costs[at + k]
        elif direct:
            pay(params.loss, x, at, size, y, shape, cost)
        else:
            pay(params.loss, seen, ZERO, size, y, shape, cost)
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
    return total, mean, paying, at_low, at_high
