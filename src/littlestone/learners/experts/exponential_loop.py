"""Exponential weights: the compiled loop of every learner that trusts an expert by e^(-rate * what it has lost).

As long as all experts were awake, they are weighed and charged in one pass: what an expert is charged does not depend
on the guess. Live play is the same loop over one round, and a prediction the same loop stopped before the outcome.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, exponential, kernel, rule
from littlestone.learners.experts import pools
from littlestone.learners.experts.pools import ONE, ZERO
from littlestone.learners.experts.pricing import price
from littlestone.learners.experts.weighing import Task, allocate_memory, weigh_and_charge

# sums of weights outside these ask for a new reference
TINY = 1e-200
HUGE = 1e200
SAFE = 300.0  # one round cannot move a weight by more than e^-SAFE: the reference of the round before still serves
# the stages of a round
WEIGH = 0
AGAIN = 1
CHARGE = 2


@rule
def find_rate(params: Any, pool: Any) -> Any:
    """The rate at which this round's weights fall."""
    if params.schedule == pools.FIXED:
        return params.rate
    variety = np.log(np.float64(max(pool.counts[pools.EXPERTS], 1)))
    if params.schedule == pools.ANYTIME:
        return params.rate * np.sqrt(variety / np.float64(pool.counts[pools.ROUNDS] + 1))
    return min(variety / pool.totals[pools.GAP], pools.STEEP) if pool.totals[pools.GAP] > 0 else pools.STEEP


@rule
def find_chance(params: Any, mean: Any) -> Any:
    """The chance of saying 1 when the experts that say it have a share of `mean` of the weight."""
    if params.half > 0:
        return min(max(0.5 + (2.0 * mean - 1.0) / (4.0 * params.half), 0.0), 1.0)
    if mean <= 0 or mean >= 1:
        return 0.0 if mean <= 0 else 1.0
    down = np.log(1.0 - mean + mean * params.penalty)
    up = np.log(mean + (1.0 - mean) * params.penalty)
    return down / (down + up)


@rule
def combine_forecasts(params: Any, sums: Any, rate: Any) -> Any:
    """The guess that the weights give, unless an expert is drawn: a number, or the probability of saying 1."""
    low = params.low
    high = params.high
    if params.kind == pools.MIX:
        tilt = np.log(sums.at_high / sums.at_low) / (2.0 * rate * params.shape * (high - low))
        return min(max(0.5 * (low + high) + tilt, low), high)
    guess = min(max(sums.forecast / sums.total, low), high)
    return find_chance(params, guess) if params.kind == pools.COIN else guess


@rule
def toss(params: Any, pool: Any, guess: Any) -> Any:
    """The answer: the guess, or what the round's coin makes of it."""
    if params.kind == pools.COIN:
        return 1.0 if pools.draw_uniform(pool.counts[pools.SEED], pool.counts[pools.ROUNDS]) < guess else 0.0
    return guess


@rule
def keep_reference(pool: Any, total: Any, scale: Any) -> None:
    """Keep a reference near the soft minimum for the next round: weights add up to about 1."""
    reference = scale.reference
    if (total < 0.5 or total > 2.0) and scale.rate > 0:
        reference -= np.log(total) / scale.rate
    pool.totals[pools.REFERENCE] = reference


@rule
def find_least_charge(pool: Any, round: Any) -> Any:
    """The smallest charge of an expert that is awake."""
    x = round.forecasts
    low = np.inf
    for k in range(round.first, round.last):
        if x[round.row + k] == x[round.row + k] and pool.losses[k] + pool.credit[k] < low:
            low = pool.losses[k] + pool.credit[k]
    return low


@rule
def admit(pool: Any, experts: Any, rate: Any) -> None:
    """Let experts in who were not there before, with the mix loss of the rounds they missed."""
    losses = pool.losses
    credit = pool.credit
    counts = pool.counts
    met = counts[pools.EXPERTS]
    if counts[pools.ROUNDS] > 0:
        low = np.inf
        total = 0.0
        for k in range(met):
            low = min(low, losses[k] + credit[k])
        for k in range(met):
            total += exponential(rate * (low - losses[k] - credit[k]))
        missed = low - np.log(total / met) / rate if rate > 0 else low
        for k in range(met, experts):
            credit[k] = missed
        counts[pools.UNEVEN] = counts[pools.JOINED] = 1
    counts[pools.EXPERTS] = experts


@rule
def is_refused(round: Any, allowed: Any) -> Any:
    """Whether some forecast is neither one of the allowed ones nor asleep."""
    x = round.forecasts
    asleep = ZERO
    for k in range(round.first, round.last):
        asleep += ONE if x[round.row + k] != x[round.row + k] else ZERO
    return allowed + asleep < round.last


@rule
def find_mix_loss(params: Any, pool: Any, round: Any, scale: Any, total: Any) -> Any:
    """How much the soft minimum over the experts awake grows by the losses of this round."""
    x = round.forecasts
    row = round.row
    low = np.inf
    after = 0.0
    for k in range(round.first, round.last):
        if x[row + k] == x[row + k]:
            low = min(low, pool.losses[k] + pool.credit[k] + pools.find_cost(params, round, row + k))
    for k in range(round.first, round.last):
        if x[row + k] == x[row + k]:
            charge = pool.losses[k] + pool.credit[k] + pools.find_cost(params, round, row + k)
            after += exponential(scale.rate * (low - charge))
    return (low - scale.reference) - np.log(after / total) / scale.rate if scale.rate > 0 else low - scale.reference


@rule
def draw_forecast(pool: Any, round: Any, scale: Any, share: Any) -> Any:
    """The forecast of the first expert awake at which the weights add up to more than `share`."""
    x = round.forecasts
    row = round.row
    running = 0.0
    chosen = np.nan
    for k in range(round.first, round.last):
        if x[row + k] == x[row + k]:
            chosen = np.float64(x[row + k])
            running += exponential(scale.rate * (scale.reference - (pool.losses[k] + pool.credit[k])))
            if running > share:
                break
    return chosen


@kernel
def replay(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, forecasts: Array, costs: Array,
    outcomes: Array, guesses: Array, charges: Array, weights: Array, learning: Any, clean: Any,
) -> Any:  # fmt: skip
    """Play rounds in order, up to one that is refused, and return how many were played.

    A flat entry point: `Params`, then the arrays of an `ExpertPool` and of `RoundArrays`, which say what they are.
    """
    pool = pools.ExpertPool(losses, credit, totals, counts)
    rounds = outcomes.size
    experts = U(forecasts.size // rounds)
    low = params.low
    high = params.high
    memory = allocate_memory()
    adaptive = params.schedule == pools.ADAPTIVE
    if experts > U(counts[pools.EXPERTS]):
        admit(pool, np.int64(experts), find_rate(params, pool))
    if params.memory < 1:
        counts[pools.UNEVEN] = 1
    for t in range(rounds):
        row = U(t) * experts
        scale = pools.Scale(find_rate(params, pool), totals[pools.REFERENCE])
        round = pools.AdviceRound(forecasts, costs, row, ZERO, experts, outcomes[t])
        awake = experts if clean else ZERO
        for k in range(ZERO if clean else experts):
            awake += ONE if (forecasts[row + k] >= low) & (forecasts[row + k] <= high) else ZERO
        asleep = awake < experts
        if asleep and (awake == 0 or is_refused(round, awake)):
            return t
        uneven = counts[pools.UNEVEN] > 0 or asleep
        plain = learning and weights.size == 0 and not (uneven or adaptive or params.kind == pools.DRAW)
        fused = plain and scale.rate * params.top < SAFE
        sums = pools.WeightSums(0.0, 0.0, 0.0, 0.0, 0.0)
        mix = 0.0
        for stage in range(3):  # weigh; weigh again by a better reference, if need be; charge, if not done already
            if stage == AGAIN:
                if fused or (TINY < sums.total < HUGE and not adaptive):
                    continue
                scale = pools.Scale(scale.rate, find_least_charge(pool, round))
            if stage == CHARGE:
                if params.kind == pools.DRAW:
                    share = sums.total * pools.draw_uniform(counts[pools.SEED], counts[pools.ROUNDS])
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
                charge = mean if params.kind == pools.DRAW else price(params.loss, guess, outcomes[t], params.shape)
                pools.add_loss(totals, charge)
                if charges.size:
                    charges[t] = charge
                if asleep or adaptive:
                    mix = find_mix_loss(params, pool, round, scale, sums.total)
                if adaptive:
                    totals[pools.GAP] += max(mean - mix, 0.0)
                if fused:
                    break
            task = Task(stage != CHARGE, fused, asleep, uneven, mix)
            found = weigh_and_charge(params, pool, round, scale, task, memory)
            if stage != CHARGE:
                sums = found
        counts[pools.ROUNDS] += 1
        counts[pools.UNEVEN] = 1 if uneven else 0
        keep_reference(pool, sums.total, scale)
    return rounds
