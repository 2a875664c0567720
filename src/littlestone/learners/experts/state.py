"""Pools: what is known about experts whose weight is e^(-rate * what they have lost), and rules over it.

An expert that sleeps through a round is charged the mix loss of those awake, which leaves its share of the pool as it
was; so its weight is e^(-rate * (losses + credit)), `credit` being what it was charged asleep. One that joins late is
charged the mix loss of all rounds before. Weights are never stored: they are taken relative to a reference near the
best expert's loss whenever they are needed, so none can vanish for good.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, exponential, rule
from littlestone.learners.experts.losses import CUSTOM, paid

STEEP = 1e200  # a rate that stands for infinity: the leaders share all weight

ROUNDS, EXPERTS, SEED, UNEVEN, JOINED = 0, 1, 2, 3, 4  # places in `counts`
LOSS, CARRY, REFERENCE, GAP = 0, 1, 2, 3  # places in `totals`
FIXED, ANYTIME, ADAPTIVE = 0.0, 1.0, 2.0  # schedules
MEAN, DRAW, COIN, MIX = 0.0, 1.0, 2.0, 3.0  # ways to turn weights into a guess

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
def guessed(params: Any, sums: Any, rate: Any) -> Any:
    """The guess that the weights give, unless an expert is drawn: a number, or the probability of saying 1."""
    total, mean, _, at_low, at_high = sums
    low, high = params.low, params.high
    if params.kind == MIX:
        tilt = np.log(at_high / at_low) / (2.0 * rate * params.shape * (high - low))
        return min(max(0.5 * (low + high) + tilt, low), high)
    guess = min(max(mean / total, low), high)
    return probability(guess, params) if params.kind == COIN else guess


@rule
def said(params: Any, counts: Array, guess: Any) -> Any:
    """What is answered: the guess, or what the round's coin makes of it."""
    if params.kind == COIN:
        return 1.0 if uniform(counts[SEED], counts[ROUNDS]) < guess else 0.0
    return guess


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
def settled(totals: Array, total: Any, rate: Any, reference: Any) -> None:
    """Keep a reference near the soft minimum for the next round: weights add up to about 1."""
    if (total < 0.5 or total > 2.0) and rate > 0:
        reference -= np.log(total) / rate
    totals[REFERENCE] = reference


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
