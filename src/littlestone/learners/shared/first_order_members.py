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
from littlestone.compiled import U, add_scores, long_rule, teach_members


class FirstOrder(NamedTuple):
    """Rules of given numbers of members; `start` is where the numbers of a unit start in the row of an attribute."""

    shrink: Callable[..., None]
    score: Callable[..., None]
    learn: Callable[..., None]


def make_first_order(rates: int, wealths: int) -> FirstOrder:
    """The rules of a number of AdaGrad members, followed by a number of coins."""
    members = rates + wealths
    squares = U(members)  # where sums of squares begin

    @long_rule
    def shrink(table: Array, start: Any, factor: Any) -> Any:
        """Put the numbers of one attribute and unit into units of a larger size."""
        for k in range(U(members)):
            table[start + k] = np.float64(table[start + k]) * factor
            table[start + squares + k] = np.float64(table[start + squares + k]) * (factor * factor)

    @long_rule
    def score(table: Array, start: Any, reading: Any, count: Any, known: Any, scores: Array, at: Any) -> Any:
        """Write the members' scores of a row, from `at` on; `known` are the rates."""
        for k in range(U(members)):
            scores[at + k] = 0.0
        starts, values = reading.starts, reading.values
        for j in range(count):
            add_scores(table, starts[j] + start, known, values[j], scores, at, rates, wealths)

    @long_rule
    def learn(table: Array, start: Any, reading: Any, count: Any, pulls: Array, at: Any) -> Any:
        """Teach the members a row; `pulls`, from `at` on, are minus the slopes of their losses."""
        starts, values = reading.starts, reading.values
        for j in range(count):
            teach_members(table, starts[j] + start, pulls, values[j], at, rates, wealths)

    return FirstOrder(shrink, score, learn)
