"""Threads: rounds of a pool so large that its experts are shared out among threads.

The pool is cut into sections of a fixed size, whatever the number of threads; each section is worked by one thread, and
the sums of the sections are added up in order: the guesses have the same bits on any machine. Only rounds in which
experts are weighed and charged at once are played so; all others are left to the loop of one thread.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel
from littlestone.compiled.threads import share_out
from littlestone.learners.experts import pools
from littlestone.learners.experts.exponential_loop import (
    SAFE,
    combine_forecasts,
    find_rate,
    keep_reference,
    replay,
    toss,
)
from littlestone.learners.experts.pricing import price
from littlestone.learners.experts.weighing import Task, allocate_memory, weigh_and_charge

SECTION = 1 << 14  # experts of a section: their losses fit into the cache of a core
MANY = 1 << 18  # experts from which on sharing them out pays


@kernel
def work_sections(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, forecasts: Array, costs: Array, y: float,
    first: int, last: int, sums: Array,
) -> None:  # fmt: skip
    """Weigh and charge the experts of some sections, and write down the sums of each.

    A flat entry point: `Params`, the arrays of an `ExpertPool`, one round, which sections, and a row of sums for each.
    """
    pool = pools.ExpertPool(losses, credit, totals, counts)
    memory = allocate_memory()
    experts = U(forecasts.size)
    scale = pools.Scale(find_rate(params, pool), totals[pools.REFERENCE])
    task = Task(True, True, False, False, 0.0)  # weigh and charge at once, none asleep and none with credit
    for section in range(first, last):
        begin = U(section * SECTION)
        end = min(U((section + 1) * SECTION), experts)
        round = pools.AdviceRound(forecasts, costs, U(0), begin, end, y)
        found = weigh_and_charge(params, pool, round, scale, task, memory)
        for k in range(len(found)):
            sums[section, k] = found[k]


@kernel
def close_round(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, y: float, sums: Array
) -> Any:  # fmt: skip
    """Answer, pay and count the round by the sums of all sections.

    Returns:
        What is answered, and what it costs.
    """
    pool = pools.ExpertPool(losses, credit, totals, counts)
    scale = pools.Scale(find_rate(params, pool), totals[pools.REFERENCE])
    whole = np.zeros(sums.shape[1])
    for section in range(len(sums)):
        for k in range(whole.size):
            whole[k] += sums[section, k]
    guess = combine_forecasts(params, pools.WeightSums(whole[0], whole[1], whole[2], whole[3], whole[4]), scale.rate)
    answer = toss(params, pool, guess)
    charge = price(params.loss, guess, y, params.shape)
    pools.add_loss(totals, charge)
    counts[pools.ROUNDS] += 1
    keep_reference(pool, whole[0], scale)
    return answer, charge


def can_share_out(params: pools.Params, pool: pools.ExpertPool, round: pools.RoundArrays) -> bool:
    """Whether threads may play a round: many experts, all met and awake, and none charged by the guess."""
    x = round.forecasts
    if x.size != pool.counts[pools.EXPERTS] or pool.counts[pools.UNEVEN] or round.weights.size or not round.learning:
        return False
    plain = params.schedule != pools.ADAPTIVE and params.kind != pools.DRAW and params.memory == 1
    steep = find_rate(params, pool) * params.top >= SAFE
    return plain and not steep and (round.clean or bool(((x >= params.low) & (x <= params.high)).all()))


def play_in_threads(params: pools.Params, pool: pools.ExpertPool, round: pools.RoundArrays) -> None:
    """Play one round, its experts shared out among threads."""
    y = float(round.outcomes[0])
    sections = -(-round.forecasts.size // SECTION)
    sums = np.zeros((sections, len(pools.WeightSums._fields)))
    given = (params, *pool, round.forecasts, round.costs, y)
    share_out(lambda first, last: work_sections(*given, first, last, sums), range(1, sections + 1))
    round.guesses[0], round.charges[:] = close_round(params, *pool, y, sums)


def play_by_weight(params: pools.Params, pool: pools.ExpertPool, rounds: pools.RoundArrays) -> int:
    """Play rounds by exponential weights, up to one that is refused, and return how many were played."""
    count = len(rounds.outcomes)
    if rounds.forecasts.size // count < MANY:
        return int(replay(params, *pool, *rounds))
    for t in range(count):  # round by round, so that it does not matter how they come
        round = rounds.cut(t, t + 1)
        if can_share_out(params, pool, round):
            play_in_threads(params, pool, round)
        elif not replay(params, *pool, *round):
            return t
    return count
