"""First-order members: AdaGrad with several rates and coin betting with several first wealths, on one row of a table.

For each attribute and unit there are, all in units of the attribute's largest size, the members' sums of steps g, of
squared steps s, and the wealth e of those that bet. A member's weight for the attribute is

    AdaGrad(rate)   rate g / sqrt(s + 1)
    Coin            e clip(g, -r, r) / (2 r^2),  r^2 = s + 1

and a step is minus the slope of the loss in the member's score, times the value.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, long_rule

RICHEST = 1e30  # a wealth is kept between the inverse of this and this


class FirstOrder(NamedTuple):
    """Rules of given numbers of members; `start` is where the numbers of a unit start in the row of an attribute."""

    shrink: Callable[..., None]
    score: Callable[..., None]
    learn: Callable[..., None]


def make_first_order(rates: int, wealths: int) -> FirstOrder:
    """The rules of a number of AdaGrad members, followed by a number of coins."""
    members = rates + wealths
    squares, purses, coins = U(members), U(2 * members), U(rates)  # where sums of squares, wealths and coins begin

    @long_rule
    def shrink(table: Array, start: Any, factor: Any) -> Any:
        """Put the numbers of one attribute and unit into units of a larger size."""
        for k in range(U(members)):
            table[start + k] = np.float64(table[start + k]) * factor
            table[start + squares + k] = np.float64(table[start + squares + k]) * (factor * factor)

    @long_rule
    def bet(table: Array, here: Any, k: Any) -> Any:
        """The share of its wealth that coin k bets."""
        total, square = np.float64(table[here + coins + k]), np.float64(table[here + squares + coins + k]) + 1.0
        reach = np.sqrt(square)
        return min(max(total, -reach), reach) / (2.0 * square)

    @long_rule
    def score(table: Array, start: Any, reading: Any, count: Any, known: Any, scores: Array, at: Any) -> Any:
        """Write the members' scores of a row, from `at` on; `known` are the rates."""
        for k in range(U(members)):
            scores[at + k] = 0.0
        starts, values = reading.starts, reading.values
        for j in range(count):
            here, value = starts[j] + start, values[j]
            for k in range(U(rates)):
                total, square = np.float64(table[here + k]), np.float64(table[here + squares + k])
                scores[at + k] += known[k] * total / np.sqrt(square + 1.0) * value
            for k in range(U(wealths)):
                scores[at + coins + k] += bet(table, here, k) * np.float64(table[here + purses + k]) * value

    @long_rule
    def learn(table: Array, start: Any, reading: Any, count: Any, pulls: Array, at: Any) -> Any:
        """Teach the members a row; `pulls`, from `at` on, are minus the slopes of their losses."""
        starts, values = reading.starts, reading.values
        for j in range(count):
            here, value = starts[j] + start, values[j]
            for k in range(U(wealths)):
                gained = 1.0 + pulls[at + coins + k] * value * bet(table, here, k)
                wealth = np.float64(table[here + purses + k]) * gained
                table[here + purses + k] = min(max(wealth, 1.0 / RICHEST), RICHEST)
            for k in range(U(members)):
                step = pulls[at + k] * value
                table[here + k] = np.float64(table[here + k]) + step
                table[here + squares + k] = np.float64(table[here + squares + k]) + step * step

    return FirstOrder(shrink, score, learn)
