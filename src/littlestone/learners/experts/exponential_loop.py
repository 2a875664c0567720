"""Exponential weights: the compiled loop of every learner that trusts an expert by e^(-rate * what it has lost).

As long as all experts were awake, they are weighed and charged in one pass: what an expert is charged does not depend
on the guess. Live play is the same loop over one round, and a prediction the same loop stopped before the outcome.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, exponential, kernel
from littlestone.learners.experts.pricing import price
from littlestone.learners.experts.state import (
    ADAPTIVE,
    DRAW,
    EXPERTS,
    GAP,
    ONE,
    REFERENCE,
    ROUNDS,
    SEED,
    UNEVEN,
    ZERO,
    ExpertPool,
    Round,
    Scale,
    Sums,
    add_loss,
    admit,
    combine_forecasts,
    draw_forecast,
    draw_uniform,
    find_least_charge,
    find_mix_loss,
    find_rate,
    is_refused,
    keep_reference,
    toss,
)
from littlestone.learners.experts.weighing import Task, allocate_scratch, weigh_and_charge

TINY, HUGE = 1e-200, 1e200  # sums of weights outside these ask for a new reference
SAFE = 300.0  # one round cannot move a weight by more than e^-SAFE: the reference of the round before still serves
WEIGH, AGAIN, CHARGE = 0, 1, 2  # the stages of a round


@kernel
def replay(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, forecasts: Array, costs: Array,
    outcomes: Array, guesses: Array, charges: Array, weights: Array, learning: Any, clean: Any,
) -> Any:  # fmt: skip
    """Play rounds in order, up to one that is refused, and return how many were played.

    A flat entry point: `Params`, then the arrays of an `ExpertPool` and of `RoundArrays`, which say what they are.
    """
    pool, rounds = ExpertPool(losses, credit, totals, counts), outcomes.size
    experts, low, high = U(forecasts.size // rounds), params.low, params.high
    scratch, adaptive = allocate_scratch(), params.schedule == ADAPTIVE
    if experts > U(counts[EXPERTS]):
        admit(pool, np.int64(experts), find_rate(params, pool))
    if params.memory < 1:
        counts[UNEVEN] = 1
    for t in range(rounds):
        row, scale = U(t) * experts, Scale(find_rate(params, pool), totals[REFERENCE])
        round = Round(forecasts, costs, row, ZERO, experts, outcomes[t])
        awake = experts if clean else ZERO
        for k in range(ZERO if clean else experts):
            awake += ONE if (forecasts[row + k] >= low) & (forecasts[row + k] <= high) else ZERO
        asleep = awake < experts
        if asleep and (awake == 0 or is_refused(round, awake)):
            return t
        uneven = counts[UNEVEN] > 0 or asleep
        plain = learning and weights.size == 0 and not (uneven or adaptive or params.kind == DRAW)
        fused = plain and scale.rate * params.top < SAFE
        sums, mix = Sums(0.0, 0.0, 0.0, 0.0, 0.0), 0.0
        for stage in range(3):  # weigh; weigh again by a better reference, if need be; charge, if not done already
            if stage == AGAIN:
                if fused or (TINY < sums.total < HUGE and not adaptive):
                    continue
                scale = Scale(scale.rate, find_least_charge(pool, round))
            if stage == CHARGE:
                if params.kind == DRAW:
                    share = sums.total * draw_uniform(counts[SEED], counts[ROUNDS])
                    guess = draw_forecast(pool, round, scale, share)
                else:
                    guess = combine_forecasts(params, sums, scale.rate)
                guesses[t] = toss(params, pool, guess)
                if weights.size:
                    for k in range(experts):
                        share = exponential(scale.rate * (scale.reference - (losses[k] + credit[k]))) / sums.total
                        weights[row + k] = share if forecasts[row + k] == forecasts[row + k] else 0.0
                if not learning:
                    return 1
                mean = sums.paying / sums.total
                charge = mean if params.kind == DRAW else price(params.loss, guess, outcomes[t], params.shape)
                add_loss(totals, charge)
                if charges.size:
                    charges[t] = charge
                if asleep or adaptive:
                    mix = find_mix_loss(params, pool, round, scale, sums.total)
                if adaptive:
                    totals[GAP] += max(mean - mix, 0.0)
                if fused:
                    break
            task = Task(stage != CHARGE, fused, asleep, uneven, mix)
            found = weigh_and_charge(params, pool, round, scale, task, scratch)
            if stage != CHARGE:
                sums = found
        counts[ROUNDS] += 1
        counts[UNEVEN] = 1 if uneven else 0
        keep_reference(pool, sums.total, scale)
    return rounds
