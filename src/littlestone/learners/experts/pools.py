"""Pools: what is known about experts whose weight is e^(-rate * what they have lost), and rules over it.

An expert that sleeps through a round is charged the mix loss of those awake, which leaves its share of the pool as it
was; so its weight is e^(-rate * (losses + credit)), `credit` being what it was charged asleep. One that joins late is
charged the mix loss of all rounds before. Weights are never stored: they are taken relative to a reference near the
best expert's loss whenever they are needed, so none can vanish for good.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, rule
from littlestone.learners.experts.pricing import CUSTOM, price

STEEP = 1e200  # a rate that stands for infinity: the leaders share all weight

# places in `counts`
ROUNDS = 0
EXPERTS = 1
SEED = 2
UNEVEN = 3
JOINED = 4
# places in `totals`
LOSS = 0
CARRY = 1
REFERENCE = 2
GAP = 3
# schedules
FIXED = 0.0
ANYTIME = 1.0
ADAPTIVE = 2.0
# ways to turn weights into a guess
MEAN = 0.0
DRAW = 1.0
COIN = 2.0
MIX = 3.0

ZERO, ONE = U(0), U(1)


class ExpertPool(NamedTuple):
    """What was learned about each expert: its `losses` while awake, the `credit` it was charged besides.

    `totals`: the learner's loss and its rounding carry, the reference of the weights, the mixability gap so far.
    `counts`: rounds, experts met, the seed, whether any credit was ever given, and whether an expert joined late.
    """

    losses: Array
    credit: Array
    totals: Array
    counts: Array


class RoundArrays(NamedTuple):
    """Rounds as a compiled loop plays them, and where it writes what comes of them.

    `forecasts` and `costs` (what forecasts lose by a loss of the user's own; else empty) hold one round after another.
    `guesses`, `charges` (what the learner loses) and `weights` (of the experts, before the outcome) are written; the
    last two may be empty. Without `learning` only the first guess is written and nothing else changes. `clean`
    forecasts are known to be awake and in range.
    """

    forecasts: Array
    costs: Array
    outcomes: Array
    guesses: Array
    charges: Array
    weights: Array
    learning: Any
    clean: Any

    def cut(self, first: int, last: int) -> "RoundArrays":
        """The rounds from one number to before another."""
        width = len(self.forecasts) // len(self.outcomes)
        rows = slice(first * width, last * width)
        rounds = slice(first, last)
        given = self.forecasts[rows], self.costs[rows], self.outcomes[rounds]
        written = self.guesses[rounds], self.charges[rounds], self.weights[rows]
        return RoundArrays(*given, *written, self.learning, self.clean)


class Params(NamedTuple):
    """What the loop of exponential weights reads of a learner; all floats, so that it is compiled once.

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


class AdviceRound(NamedTuple):
    """One round for the experts from `first` to before `last`; its forecasts, or what they cost, start at `row`."""

    forecasts: Array
    costs: Array
    row: Any
    first: Any
    last: Any
    outcome: Any


class Scale(NamedTuple):
    """How charges become weights: e^(rate (reference - charge))."""

    rate: Any
    reference: Any


class WeightSums(NamedTuple):
    """The total weight, and what the weights make of forecasts, of their losses, and of e^(-rate loss) at both ends."""

    total: Any
    forecast: Any
    paying: Any
    at_low: Any
    at_high: Any


@rule
def scramble(word: Any) -> Any:
    """One step of splitmix64, as in `coins`."""
    word = word + U(0x9E3779B97F4A7C15)
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@rule
def draw_uniform(seed: Any, round: Any) -> Any:
    """A number in [0, 1) that depends on seed and round alone: the first 53 bits of their coin."""
    return np.float64(scramble(scramble(U(seed)) ^ U(round)) >> U(11)) * 2.0**-53


@rule
def add_loss(totals: Array, charge: Any) -> None:
    """Add to the learner's loss, what rounding drops being carried along."""
    total = totals[LOSS] + charge
    if abs(totals[LOSS]) >= abs(charge):
        totals[CARRY] += (totals[LOSS] - total) + charge
    else:
        totals[CARRY] += (charge - total) + totals[LOSS]
    totals[LOSS] = total


@rule
def find_cost(params: Any, round: Any, at: Any) -> Any:
    """What the forecast at a place loses: looked up for a loss of the user's own, computed for the others."""
    if params.loss == CUSTOM:
        return round.costs[at]
    return price(params.loss, np.float64(round.forecasts[at]), round.outcome, params.shape)
