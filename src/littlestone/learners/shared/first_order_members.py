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
from littlestone.compiled import RICHEST, U, add_scores, in_plain_python, long_rule, teach_members
from littlestone.learners.shared.scale_free import list_parts, sum_in_order


class FirstOrder(NamedTuple):
    """Rules of given numbers of members; `start` is where the numbers of a unit start in the row of an attribute."""

    shrink: Callable[..., None]
    score: Callable[..., None]
    learn: Callable[..., None]


def make_first_order(rates: int, wealths: int) -> FirstOrder:
    """The rules of a number of AdaGrad members, followed by a number of coins."""
    members = rates + wealths
    squares, offsets = U(members), np.arange(2 * members + wealths, dtype=np.uint64)  # where squares begin, and numbers

    def shrink_arrays(table: Array, start: Any, factor: Any) -> Any:
        totals, parts = (table[int(start) + k * members :][:members] for k in range(2))
        totals[:] = totals.astype(np.float64) * factor
        parts[:] = parts.astype(np.float64) * (factor * factor)

    @in_plain_python(shrink_arrays)
    @long_rule
    def shrink(table: Array, start: Any, factor: Any) -> Any:
        """Put the numbers of one attribute and unit into units of a larger size."""
        for k in range(U(members)):
            table[start + k] = np.float64(table[start + k]) * factor
            table[start + squares + k] = np.float64(table[start + squares + k]) * (factor * factor)

    def bet(numbers: Array) -> Array:
        """The shares of their wealths that coins bet, attributes by coins."""
        below = numbers[:, members + rates : 2 * members] + 1.0
        reach = np.sqrt(below)
        return np.minimum(np.maximum(numbers[:, rates:members], -reach), reach) / (2.0 * below)

    def score_arrays(table: Array, start: Any, reading: Any, count: Any, known: Any, scores: Array, at: Any) -> Any:
        here = reading.starts[:count] + start
        values = reading.values[:count, None]
        numbers = table[here[:, None] + offsets].astype(np.float64)
        weights = np.empty((len(here), members))
        weights[:, :rates] = known * numbers[:, :rates] / np.sqrt(numbers[:, members : members + rates] + 1.0)
        if wealths:
            weights[:, rates:] = bet(numbers) * numbers[:, 2 * members :]
        scores[at : at + squares] = sum_in_order(weights * values)

    @in_plain_python(score_arrays)
    @long_rule
    def score(table: Array, start: Any, reading: Any, count: Any, known: Any, scores: Array, at: Any) -> Any:
        """Write the members' scores of a row, from `at` on; `known` are the rates."""
        for k in range(U(members)):
            scores[at + k] = 0.0
        starts = reading.starts
        values = reading.values
        for j in range(count):
            add_scores(table, starts[j] + start, known, values[j], scores, at, (rates, wealths))

    def learn_arrays(table: Array, start: Any, reading: Any, count: Any, pulls: Array, at: Any) -> Any:
        for some in list_parts(reading.starts[:count]):
            places = (reading.starts[some] + start)[:, None] + offsets
            numbers = table[places].astype(np.float64)
            steps = pulls[at : at + squares] * reading.values[some, None]
            if wealths:
                gained = numbers[:, 2 * members :] * (1.0 + steps[:, rates:] * bet(numbers))
                numbers[:, 2 * members :] = np.minimum(np.maximum(gained, 1.0 / RICHEST), RICHEST)
            numbers[:, :members] += steps
            numbers[:, members : 2 * members] += steps * steps
            table[places] = numbers

    @in_plain_python(learn_arrays)
    @long_rule
    def learn(table: Array, start: Any, reading: Any, count: Any, pulls: Array, at: Any) -> Any:
        """Teach the members a row; `pulls`, from `at` on, are minus the slopes of their losses."""
        starts = reading.starts
        values = reading.values
        for j in range(count):
            teach_members(table, starts[j] + start, pulls, values[j], at, (rates, wealths))

    return FirstOrder(shrink, score, learn)
