"""Exponential weights: the compiled loop of every learner that trusts an expert by e^(-rate * what it has lost).

An expert that sleeps through a round is charged the mix loss of those awake, which leaves its share of the pool as it
was; so its weight is e^(-rate * (losses + credit)), `credit` being what it was charged asleep. One that joins late is
charged the mix loss of all rounds before. Weights are never stored: they are taken relative to a reference near the
best expert's loss whenever they are needed, so none can vanish for good.

The update of round t is fused with the weights of round t + 1, block by block in cache, so that a round passes over
the pool once. Live play is the same loop over one round, and a prediction the same loop stopped before the outcome.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from littlestone.examples import Array
from littlestone.kernel import dense_dot, exponential, kernel, rule
from littlestone.losses import paid, pay

BLOCK = 1024  # experts whose weights are worked out at once: a few blocks stay in the nearest cache
TINY, HUGE = 1e-200, 1e200  # sums of weights outside these ask for a new reference
STEEP = 1e200  # a rate that stands for infinity: the leaders share all weight

ROUNDS, EXPERTS, SEED, UNEVEN = 0, 1, 2, 3  # places in `counts`
LOSS, CARRY, REFERENCE, GAP = 0, 1, 2, 3  # places in `totals`
WEIGHT, FORECAST, COST, AT_LOW, AT_HIGH, AWAKE, REFUSED = 0, 1, 2, 3, 4, 5, 6  # places in the sums over a round
FIXED, ANYTIME, ADAPTIVE = 0.0, 1.0, 2.0  # schedules
MEAN, DRAW, COIN, MIX = 0.0, 1.0, 2.0, 3.0  # ways to turn weights into a guess

U = np.uint64
ZERO = U(0)


class Pool(NamedTuple):
    """What was learned about each expert: its `losses` while awake, the `credit` it was charged besides.

    `totals`: the learner's loss and its rounding carry, the reference of the weights, the mixability gap so far.
    `counts`: rounds, experts met, the seed, and whether any credit was ever given.
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
    memory: float = 1.0
    half: float = 0.5
    penalty: float = 0.0


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
def least(losses: Array, credit: Array, x: Array) -> Any:
    """The smallest charge of an expert that is awake."""
    low = np.inf
    for k in range(x.size):
        if x[k] == x[k] and losses[k] + credit[k] < low:
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
        counts[UNEVEN] = 1
    counts[EXPERTS] = experts


def exponential_weights(paid: Any, pay: Any) -> Callable[..., int]:
    """The loop for losses given one by one and block by block."""

    @rule
    def learn(losses: Array, credit: Array, uneven: Any, x: Array, y: Any, mix: Any, params: Any, cost: Array) -> None:
        """Charge a block of experts for a round: its loss to those awake, the mix loss to the others."""
        pay(params.loss, x, y, params.shape, cost)
        if uneven:
            for k in range(x.size):
                if params.memory < 1:  # forget a part of the charge, but not of the loss on the books
                    credit[k] = params.memory * (losses[k] + credit[k]) - losses[k]
                if x[k] == x[k]:
                    losses[k] += cost[k]
                else:
                    credit[k] += mix
        else:
            for k in range(x.size):
                losses[k] += cost[k]

    @rule
    def weigh(
        losses: Array, credit: Array, uneven: Any, x: Array, y: Any, rate: Any, reference: Any, params: Any,
        scratch: Array, sums: Array,
    ) -> None:  # fmt: skip
        """Add a block of experts to the sums of a round."""
        low, high, size = params.low, params.high, U(x.size)
        middle = 0.5 * (low + high)
        weight, seen, ones, cost = scratch[0], scratch[1], scratch[2], scratch[3]
        awake, refused = 0, 0
        if uneven:
            for k in range(x.size):
                weight[k] = exponential(rate * (reference - (losses[k] + credit[k])))
        else:
            for k in range(x.size):
                weight[k] = exponential(rate * (reference - losses[k]))
        for k in range(x.size):
            forecast = np.float64(x[k])
            here = forecast == forecast
            weight[k] = weight[k] if here else 0.0
            seen[k] = forecast if here else middle
            awake += 1 if here else 0
            refused += 1 if (forecast < low) | (forecast > high) else 0
        sums[WEIGHT] += dense_dot(weight, ones, ZERO, size)
        sums[FORECAST] += dense_dot(weight, seen, ZERO, size)
        sums[AWAKE] += awake
        sums[REFUSED] += refused
        if params.kind == MIX:
            for end in range(2):
                pay(params.loss, seen[: x.size], high if end else low, params.shape, cost)
                for k in range(x.size):
                    cost[k] = exponential(-rate * cost[k])
                sums[AT_LOW + end] += dense_dot(weight, cost, ZERO, size)
        if params.kind == DRAW or params.schedule == ADAPTIVE:
            pay(params.loss, seen[: x.size], y, params.shape, cost)
            sums[COST] += dense_dot(weight, cost, ZERO, size)

    @rule
    def mix_loss(
        losses: Array, credit: Array, x: Array, y: Any, rate: Any, reference: Any, total: Any, params: Any
    ) -> Any:  # fmt: skip
        """How much the soft minimum over the experts awake grows by the losses of this round."""
        low, after = np.inf, 0.0
        for k in range(x.size):
            if x[k] == x[k]:
                low = min(low, losses[k] + credit[k] + paid(params.loss, np.float64(x[k]), y, params.shape))
        for k in range(x.size):
            if x[k] == x[k]:
                charge = losses[k] + credit[k] + paid(params.loss, np.float64(x[k]), y, params.shape)
                after += exponential(rate * (low - charge))
        return (low - reference) - np.log(after / total) / rate if rate > 0 else low - reference

    @rule
    def draw(losses: Array, credit: Array, x: Array, rate: Any, reference: Any, share: Any) -> Any:
        """The forecast of the first expert awake at which the weights add up to more than `share`."""
        running, chosen = 0.0, np.nan
        for k in range(x.size):
            if x[k] == x[k]:
                chosen = np.float64(x[k])
                running += exponential(rate * (reference - (losses[k] + credit[k])))
                if running > share:
                    break
        return chosen

    @kernel
    def replay(
        params: Any, losses: Array, credit: Array, totals: Array, counts: Array, X: Array, outcomes: Array,
        guesses: Array, charges: Array, trace: Array, learning: bool,
    ) -> Any:  # fmt: skip
        """Play rounds in order, up to one that is refused; charges and weights are written where there is room.

        Without `learning` only the guess of the first round is written and nothing else changes.
        """
        rounds, experts = outcomes.size, X.shape[1]
        scratch, sums = np.ones((4, BLOCK)), np.zeros(7)
        if experts > counts[EXPERTS]:
            join(losses, credit, counts, experts, rate_of(totals, counts, params))
        if params.memory < 1:
            counts[UNEVEN] = 1
        x, y, mix, reference = X[0], 0.0, 0.0, totals[REFERENCE]
        for t in range(rounds + 1):  # learn round t - 1, weigh and guess round t
            uneven, rate = counts[UNEVEN], rate_of(totals, counts, params)
            after, fresh = X[min(t, rounds - 1)], t > 0
            later = np.float64(outcomes[min(t, rounds - 1)])
            for attempt in range(2):
                sums[:] = 0.0
                for first in range(0, experts, BLOCK):
                    last = min(first + BLOCK, experts)
                    a, b = losses[first:last], credit[first:last]
                    if fresh:
                        learn(a, b, uneven, x[first:last], y, mix, params, scratch[3])
                    if t < rounds:
                        weigh(a, b, uneven, after[first:last], later, rate, reference, params, scratch, sums)
                fresh = False
                exact = params.schedule != ADAPTIVE or attempt == 1
                if sums[AWAKE] == 0 or (exact and TINY < sums[WEIGHT] < HUGE):
                    break
                reference = least(losses, credit, after)
            x, y = after, later
            if t == rounds or sums[AWAKE] == 0 or sums[REFUSED] > 0:
                return t
            total, coin = sums[WEIGHT], uniform(counts[SEED], counts[ROUNDS])
            guess = min(max(sums[FORECAST] / total, params.low), params.high)
            if params.kind == DRAW:
                guess = draw(losses, credit, x, rate, reference, total * coin)
            elif params.kind == COIN:
                guess = probability(guess, params)
            elif params.kind == MIX:
                tilt = np.log(sums[AT_HIGH] / sums[AT_LOW]) / (2.0 * rate * params.shape * (params.high - params.low))
                guess = min(max(0.5 * (params.low + params.high) + tilt, params.low), params.high)
            guesses[t] = guess
            if params.kind == COIN:
                guesses[t] = 1 if coin < guess else 0
            if trace.size:
                for k in range(experts):
                    share = exponential(rate * (reference - (losses[k] + credit[k]))) / total
                    trace[t, k] = share if x[k] == x[k] else 0.0
            if not learning:
                return 1
            charge = sums[COST] / total if params.kind == DRAW else paid(params.loss, guess, y, params.shape)
            if charges.size:
                charges[t] = charge
            mix = 0.0
            if sums[AWAKE] < experts:
                counts[UNEVEN] = 1
            if sums[AWAKE] < experts or params.schedule == ADAPTIVE:
                mix = mix_loss(losses, credit, x, y, rate, reference, total, params)
            if params.schedule == ADAPTIVE:
                totals[GAP] += max(sums[COST] / total - mix, 0.0)
            add(totals, charge)
            counts[ROUNDS] += 1
            reference = reference - np.log(total) / rate if rate > 0 else reference
            totals[REFERENCE] = reference
        return rounds

    return replay


compiled = exponential_weights(paid, pay)
