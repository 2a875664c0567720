"""Strips: rounds of a pool so large that its experts are shared out among threads.

The pool is cut into strips of a fixed size, whatever the number of threads; each strip is swept by one thread, and the
sums of the strips are added up in order: the guesses have the same bits on any machine. Only rounds in which weighing
and charging share a sweep are played so; all others are left to the loop of `exponential_weights`.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel
from littlestone.compiled.threads import share_out
from littlestone.learners.experts.exponential_loop import SAFE
from littlestone.learners.experts.losses import paid
from littlestone.learners.experts.state import (
    ADAPTIVE,
    DRAW,
    EXPERTS,
    REFERENCE,
    ROUNDS,
    UNEVEN,
    Params,
    Pool,
    add,
    guessed,
    rate_of,
    said,
    settled,
)
from littlestone.learners.experts.sweep import AT_HIGH, AT_LOW, FORECAST, PAYING, SUMS, TOTAL, rooms, swept

STRIP = 1 << 14  # experts of a strip: their losses fit into the cache of a core
MANY = 1 << 18  # experts from which on sharing them out pays


@kernel
def sweep(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, x: Array, costs: Array, y: float,
    first: int, last: int, sums: Array,
) -> None:  # fmt: skip
    """Weigh and charge the experts of some strips, whose sums are noted."""
    room, rate, reference, experts = rooms(), rate_of(totals, counts, params), totals[REFERENCE], U(x.size)
    for strip in range(first, last):
        begin, end = U(strip * STRIP), min(U((strip + 1) * STRIP), experts)
        how = (True, True, False, False)  # weighing and charging at once, nobody asleep, none charged unevenly
        found = swept(params, losses, credit, x, costs, U(0), begin, end, y, rate, reference, how, 0.0, room)
        for k in range(SUMS):
            sums[strip, k] = found[k]


@kernel
def close(params: Any, totals: Array, counts: Array, y: float, sums: Array) -> Any:
    """Answer, pay and count the round by the sums of all strips: what is answered, and what it costs."""
    rate, whole = rate_of(totals, counts, params), np.zeros(SUMS)
    for strip in range(len(sums)):
        for k in range(SUMS):
            whole[k] += sums[strip, k]
    guess = guessed(params, (whole[TOTAL], whole[FORECAST], whole[PAYING], whole[AT_LOW], whole[AT_HIGH]), rate)
    answer, charge = said(params, counts, guess), paid(params.loss, guess, y, params.shape)
    add(totals, charge)
    counts[ROUNDS] += 1
    settled(totals, whole[TOTAL], rate, totals[REFERENCE])
    return answer, charge


def fits(params: Params, pool: Pool, x: Array, trace: Array, learning: bool, clean: bool) -> bool:
    """Whether a round may be played in strips: many experts, all met and awake, and none charged by the guess."""
    if x.size < MANY or x.size != pool.counts[EXPERTS] or pool.counts[UNEVEN] or trace.size or not learning:
        return False
    plain = params.schedule != ADAPTIVE and params.kind != DRAW and params.memory == 1
    steep = rate_of(pool.totals, pool.counts, params) * params.top >= SAFE
    return plain and not steep and (clean or bool(((x >= params.low) & (x <= params.high)).all()))


def play(params: Params, pool: Pool, x: Array, costs: Array, y: float) -> tuple[float, float]:
    """Play a round: what is answered, and what it costs."""
    strips = -(-x.size // STRIP)
    sums, given = np.zeros((strips, SUMS)), (params, *pool, x, costs, y)
    share_out(lambda first, last: sweep(*given, first, last, sums), range(1, strips + 1))
    answer, charge = close(params, pool.totals, pool.counts, y, sums)
    return float(answer), float(charge)
