"""Schedules: sequences of experts that are cheapest in hindsight, by dynamic programming."""

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import kernel


def find_schedule(costs: Array, price: float) -> Array:
    """The expert to follow in each round, so that its costs and the price of every switch are least in total.

    `costs` has a row for each round and a column for each expert. One pass goes forward, one back.
    """
    rounds, experts = costs.shape
    best = costs[0].copy()
    before = np.tile(np.arange(experts), (rounds, 1))
    for t in range(1, rounds):
        order = np.argsort(best, kind="stable")[:2]
        leader = np.full(experts, order[0])  # from which to switch: the best one of the others
        if experts > 1:
            leader[order[0]] = order[1]
        switches = (best[leader] + price < best) & (experts > 1)
        before[t] = np.where(switches, leader, before[t])
        best = best[before[t]] + np.where(switches, price, 0.0) + costs[t]
    path = np.zeros(rounds, np.int64)
    path[-1] = int(np.argmin(best))
    for t in range(rounds - 1, 0, -1):
        path[t - 1] = before[t, path[t]]
    return path


def find_switches(path: Array) -> list[int]:
    """The rounds from which on a schedule follows another expert, round 0 among them."""
    return [0, *(np.flatnonzero(np.diff(path)) + 1).tolist()]


def find_limited_schedule(costs: Array, switches: int) -> tuple[float, Array]:
    """The cheapest path through the columns of a table, a column for each row, with a limited number of switches.

    Returns:
        Its total cost, and the path.
    """
    rounds, experts = costs.shape
    best = np.zeros((switches + 1, experts))
    before = np.zeros((rounds, switches + 1, experts), np.int32)
    fill_table(np.ascontiguousarray(costs), best, before)
    path = np.zeros(rounds, np.int64)
    level = switches
    expert = int(np.argmin(best[switches]))
    for t in range(rounds - 1, -1, -1):
        path[t] = expert
        came = int(before[t, level, expert])
        level = level - (came != expert)
        expert = came
    return float(best[switches].min()), path


@kernel
def fill_table(costs: Array, best: Array, before: Array) -> None:
    """Work out the table of dynamic programming.

    best[s, k] becomes the least cost up to now with s switches, following k now; before[t, s, k] the expert before k.
    """
    levels, experts = best.shape
    for t in range(costs.shape[0]):
        for s in range(levels - 1, -1, -1):
            leader = 0
            if s > 0 and t > 0:
                for k in range(experts):
                    if best[s - 1, k] < best[s - 1, leader]:
                        leader = k
            for k in range(experts):
                before[t, s, k] = k
                if s > 0 and t > 0 and best[s - 1, leader] < best[s, k]:
                    best[s, k] = best[s - 1, leader]
                    before[t, s, k] = leader
                best[s, k] += costs[t, k]
