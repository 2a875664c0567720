"""Exponential weights: the compiled loop of every learner that trusts an expert by e^(-rate * what it has lost).

An expert that sleeps through a round is charged the mix loss of those awake, which leaves its share of the pool as it
was; so its weight is e^(-rate * (losses + credit)), `credit` being what it was charged asleep. One that joins late is
charged the mix loss of all rounds before. Weights are never stored: they are taken relative to a reference near the
best expert's loss whenever they are needed, so none can vanish for good.

While nobody has slept, weighing and learning share one pass over the pool, block by block in cache: what an expert is
charged does not depend on the guess. Live play is the same loop over one round, and a prediction the same loop stopped
before the outcome.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.advice.losses import CUSTOM, paid, pay
from littlestone.examples import Array
from littlestone.kernel import dense_dot, exponential, kernel, rule, same_type

BLOCK = np.uint64(256)  # experts whose weights are worked out at once: five blocks of them stay in the nearest cache
TINY, HUGE = 1e-200, 1e200  # sums of weights outside these ask for a new reference
SAFE = 300.0  # one round cannot move a weight by more than e^-SAFE: the reference of the round before still serves
STEEP = 1e200  # a rate that stands for infinity: the leaders share all weight

ROUNDS, EXPERTS, SEED, UNEVEN, JOINED = 0, 1, 2, 3, 4  # places in `counts`
LOSS, CARRY, REFERENCE, GAP = 0, 1, 2, 3  # places in `totals`
WEIGH, AGAIN, CHARGE = 0, 1, 2  # the stages of a round
FIXED, ANYTIME, ADAPTIVE = 0.0, 1.0, 2.0  # schedules
MEAN, DRAW, COIN, MIX = 0.0, 1.0, 2.0, 3.0  # ways to turn weights into a guess

U = np.uint64
WIDE = np.uint64(15)  # sums run over whole vectors of sixteen, the last one filled up with weights of zero
ZERO = U(0)


class Pool(NamedTuple):
    """What was learned about each expert: its `losses` while awake, the `credit` it was charged besides.

    `totals`: the learner's loss and its rounding carry, the reference of the weights, the mixability gap so far.
    `counts`: rounds, experts met, the seed, whether any credit was ever given, and whether anybody joined late.
    """

    losses: Array
    credit: Array
    totals: Array
    counts: Array


class Params(NamedTuple):
    """What the loop reads of a learner; all floats, so that it is compiled once.

    `kind`: MEAN guesses the weighted mean forecast; DRAW that of an expert drawn by weight; COIN says 1 with
    probability F(mean), F being a straight line of half-width `half` around 1/2 (0.5: the mean itself; 0: Vovk's curve
    for `penalty`); MIX answers the mix loss at both ends of the range, as Vovk's algorithm does.
    """

    kind: float
    rate: float
    schedule: float = FIXED
    loss: float = 1.0  # the loss's code
    shape: float = 1.0
    low: float = 0.0
    high: float = 1.0
    top: float = 1.0
    memory: float = 1.0
    half: float = 0.5
    penalty: float = 0.0


@rule
def aligned() -> Any:
    """A block of zeros that starts with a cache line; one that straddles them takes twice as long to go through."""
    room = np.zeros(BLOCK + WIDE)
    start = (-room.ctypes.data % 64) // 8
    return room[start : start + np.int64(BLOCK)]


@rule
def mixed(word: Any) -> Any:
    """One step of splitmix64, as in `chance`."""
    word = word + U(0x9E3779B97F4A7C15)
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@rule
def uniform(seed: Any, round: Any) -> Any:
    """A number in [0, 1) that depends on seed and round alone: the first 53 bits of their coin."""
    return np.float64(mixed(mixed(U(seed)) ^ U(round)) >> U(11)) * 2.0**-53


@rule
def rate_of(totals: Array, counts: Array, params: Any) -> Any:
    """The rate at which this round's weights fall."""
    if params.schedule == FIXED:
        return params.rate
    variety = np.log(np.float64(max(counts[EXPERTS], 1)))
    if params.schedule == ANYTIME:
        return params.rate * np.sqrt(variety / np.float64(counts[ROUNDS] + 1))
    return min(variety / totals[GAP], STEEP) if totals[GAP] > 0 else STEEP


@rule
def probability(mean: Any, params: Any) -> Any:
    """The chance of saying 1 when so much of the weight does."""
    if params.half > 0:
        return min(max(0.5 + (2.0 * mean - 1.0) / (4.0 * params.half), 0.0), 1.0)
    if mean <= 0 or mean >= 1:
        return 0.0 if mean <= 0 else 1.0
    down = np.log(1.0 - mean + mean * params.penalty)
    up = np.log(mean + (1.0 - mean) * params.penalty)
    return down / (down + up)


@rule
def add(totals: Array, charge: Any) -> None:
    """Add to the learner's loss, what rounding drops being carried along."""
    total = totals[LOSS] + charge
    if abs(totals[LOSS]) >= abs(charge):
        totals[CARRY] += (totals[LOSS] - total) + charge
    else:
        totals[CARRY] += (charge - total) + totals[LOSS]
    totals[LOSS] = total


@rule
def cost_of(losses_of: Any, x: Array, costs: Array, at: Any, y: Any, shape: Any) -> Any:
    """What the forecast at a place loses: looked up for a loss of the user's own, computed for the others."""
    if losses_of == CUSTOM:
        return costs[at]
    return paid(losses_of, np.float64(x[at]), y, shape)


@rule
def least(losses: Array, credit: Array, x: Array, row: Any, experts: Any) -> Any:
    """The smallest charge of an expert that is awake."""
    low = np.inf
    for k in range(experts):
        if x[row + k] == x[row + k] and losses[k] + credit[k] < low:
            low = losses[k] + credit[k]
    return low


@rule
def join(losses: Array, credit: Array, counts: Array, experts: Any, rate: Any) -> None:
    """Let experts in who were not there before, with the mix loss of the rounds they missed."""
    met = counts[EXPERTS]
    if counts[ROUNDS] > 0:
        low, total = np.inf, 0.0
        for k in range(met):
            low = min(low, losses[k] + credit[k])
        for k in range(met):
            total += exponential(rate * (low - losses[k] - credit[k]))
        missed = low - np.log(total / met) / rate if rate > 0 else low
        for k in range(met, experts):
            credit[k] = missed
        counts[UNEVEN] = counts[JOINED] = 1
    counts[EXPERTS] = experts


@rule
def refused(x: Array, row: Any, experts: Any, allowed: Any) -> Any:
    """Whether some forecast is neither one of the allowed ones nor asleep."""
    asleep = ZERO
    for k in range(experts):
        asleep += U(1) if x[row + k] != x[row + k] else ZERO
    return allowed + asleep < experts


@rule
def mix_loss(
    losses: Array, credit: Array, x: Array, costs: Array, row: Any, experts: Any, y: Any, rate: Any, reference: Any,
    total: Any, params: Any,
) -> Any:  # fmt: skip
    """How much the soft minimum over the experts awake grows by the losses of this round."""
    low, after = np.inf, 0.0
    for k in range(experts):
        if x[row + k] == x[row + k]:
            low = min(low, losses[k] + credit[k] + cost_of(params.loss, x, costs, row + k, y, params.shape))
    for k in range(experts):
        if x[row + k] == x[row + k]:
            charge = losses[k] + credit[k] + cost_of(params.loss, x, costs, row + k, y, params.shape)
            after += exponential(rate * (low - charge))
    return (low - reference) - np.log(after / total) / rate if rate > 0 else low - reference


@rule
def draw(losses: Array, credit: Array, x: Array, row: Any, experts: Any, rate: Any, reference: Any, share: Any) -> Any:
    """The forecast of the first expert awake at which the weights add up to more than `share`."""
    running, chosen = 0.0, np.nan
    for k in range(experts):
        if x[row + k] == x[row + k]:
            chosen = np.float64(x[row + k])
            running += exponential(rate * (reference - (losses[k] + credit[k])))
            if running > share:
                break
    return chosen


@kernel
def replay(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, x: Array, costs: Array, outcomes: Array,
    guesses: Array, charges: Array, trace: Array, learning: bool, clean: bool,
) -> Any:  # fmt: skip
    """Play rounds in order, up to one that is refused; charges and weights are written where there is room.

    `x` holds the forecasts row by row, and so does `costs` what they lose, for a loss of the user's own. Without
    `learning` only the guess of the first round is written and nothing else changes. `clean` forecasts are known to be
    awake and in range.
    """
    rounds = outcomes.size
    experts, low, high, shape = U(x.size // rounds), params.low, params.high, params.shape
    weight, seen, cost, ones = aligned(), aligned(), aligned(), aligned()
    ones[:] = 1.0
    adaptive, priced = params.schedule == ADAPTIVE, params.loss == CUSTOM
    if experts > U(counts[EXPERTS]):
        join(losses, credit, counts, np.int64(experts), rate_of(totals, counts, params))
    if params.memory < 1:
        counts[UNEVEN] = 1
    for t in range(rounds):
        row, y, rate, reference = U(t) * experts, outcomes[t], rate_of(totals, counts, params), totals[REFERENCE]
        awake = experts if clean else ZERO
        for k in range(ZERO if clean else experts):
            awake += U(1) if (x[row + k] >= low) & (x[row + k] <= high) else ZERO
        asleep = awake < experts
        if asleep and (awake == 0 or refused(x, row, experts, awake)):
            return t
        uneven = counts[UNEVEN] > 0 or asleep
        plain = learning and trace.size == 0 and not (uneven or adaptive or params.kind == DRAW)
        fused = plain and rate * params.top < SAFE
        total, mean, paying, at_low, at_high, mix = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for stage in range(3):  # weigh; weigh again by a better reference, if need be; charge, if not done already
            if stage == AGAIN:
                if fused or (TINY < total < HUGE and not adaptive):
                    continue
                reference = least(losses, credit, x, row, experts)
                total, mean, paying, at_low, at_high = 0.0, 0.0, 0.0, 0.0, 0.0
            if stage == CHARGE:
                guess = min(max(mean / total, low), high)
                if params.kind == DRAW:
                    share = total * uniform(counts[SEED], counts[ROUNDS])
                    guess = draw(losses, credit, x, row, experts, rate, reference, share)
                elif params.kind == COIN:
                    guess = probability(guess, params)
                elif params.kind == MIX:
                    tilt = np.log(at_high / at_low) / (2.0 * rate * shape * (high - low))
                    guess = min(max(0.5 * (low + high) + tilt, low), high)
                guesses[t] = guess
                if params.kind == COIN:
                    guesses[t] = 1 if uniform(counts[SEED], counts[ROUNDS]) < guess else 0
                if trace.size:
                    for k in range(experts):
                        share = exponential(rate * (reference - (losses[k] + credit[k]))) / total
                        trace[row + k] = share if x[row + k] == x[row + k] else 0.0
                if not learning:
                    return 1
                charge = paying / total if params.kind == DRAW else paid(params.loss, guess, y, shape)
                add(totals, charge)
                if charges.size:
                    charges[t] = charge
                if asleep or adaptive:
                    mix = mix_loss(losses, credit, x, costs, row, experts, y, rate, reference, total, params)
                if adaptive:
                    totals[GAP] += max(paying / total - mix, 0.0)
                if fused:
                    break
            for first in range(ZERO, experts, BLOCK):
                size = min(BLOCK, experts - first)
                whole, at = (size + WIDE) & ~WIDE, row + first
                direct = same_type(x, seen) and size == BLOCK and not asleep and params.kind != MIX
                for k in range(ZERO if direct else size):
                    seen[k] = np.float64(x[at + k])
                if asleep:  # something harmless stands in for those that sleep
                    for k in range(size):
                        seen[k] = seen[k] if seen[k] == seen[k] else 0.5 * low + 0.5 * high
                if stage != CHARGE:
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
                if stage != CHARGE:
                    paying += dense_dot(weight, cost, ZERO, whole) if params.kind == DRAW or adaptive else 0.0
                if fused or (stage == CHARGE and not uneven):
                    for k in range(size):
                        losses[first + k] += cost[k]
                elif stage == CHARGE:
                    for k in range(size):
                        i = first + k
                        if params.memory < 1:  # forget a part of the charge, but not of the loss on the books
                            credit[i] = params.memory * (losses[i] + credit[i]) - losses[i]
                        if x[row + i] == x[row + i]:
                            losses[i] += cost[k]
                        else:
                            credit[i] += mix
        counts[ROUNDS] += 1
        counts[UNEVEN] = 1 if uneven else 0
        if (total < 0.5 or total > 2.0) and rate > 0:  # stay near the soft minimum: weights add up to about 1
            reference -= np.log(total) / rate
        totals[REFERENCE] = reference
    return rounds
