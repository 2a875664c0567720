"""FixedShare: track the best expert, when it is not always the same one.

After each round weights fall as in Hedge, w <- w e^(-rate loss), losses scaled to [0, 1]; then every expert gives up
the share `switching` of its weight, which is dealt out equally among all. No weight falls below switching / N of the
pool, so an expert that turns good is found again within few rounds. Predict the weighted mean forecast, or, with
`draws`, follow an expert drawn by weight. A sleeper keeps its weight; one that joins starts with an equal share.

Theorem. On any sequence of T rounds, against any sequence of N experts that switches s times, with a = switching,

    loss <= its loss + top ([(s+1) ln N + s ln(1/a) + (T-1-s) ln(1/(1-a))] / rate + rate T / 8).

Proof. It is Hedge over all N^T sequences of experts, each with the prior weight of a chain that stays put with
probability at least 1-a and goes to each given expert with probability at least a/N: the sequence's weight is at least
(1/N) (a/N)^s (1-a)^(T-1-s). Apply Hedge's proof with its logarithm in place of ln N.

Tuned for s switches in T rounds: a = s / (T-1), and the rate that balances both terms.

M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32:151-178, 1998.

>>> FixedShare.tuned(experts=2, rounds=11, switches=1).switching
0.1
"""

from dataclasses import dataclass, field
from math import isfinite, log, sqrt
from typing import Any, ClassVar, Self, final

import numpy as np

from littlestone.base.bound import Bound, round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import SMALLEST, NotCertified, require
from littlestone.compiled import exponential, kernel
from littlestone.learners.experts import pools
from littlestone.learners.experts.contract import Experts, make_params
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.pricing import price
from littlestone.learners.experts.theorem import AdviceTheorem


@kernel
def replay(
    params: Any, switching: float, losses: Array, weights: Array, totals: Array, counts: Array, forecasts: Array,
    costs: Array, outcomes: Array, guesses: Array, charges: Array, shares: Array, learning: Any, clean: Any,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused, and return how many were played.

    A flat entry point: `Params`, the arrays of an `ExpertPool`, whose `credit` holds the weights, which add up to 1,
    and those of `RoundArrays`, which say what they are.
    """
    experts = forecasts.size // outcomes.size
    met = counts[pools.EXPERTS]
    if experts > met:
        for k in range(experts):
            weights[k] = weights[k] * met / experts if k < met else 1.0 / experts
        counts[pools.UNEVEN] = 1 if counts[pools.ROUNDS] else counts[pools.UNEVEN]
        counts[pools.EXPERTS] = experts
    for t in range(outcomes.size):
        row = t * experts
        y = outcomes[t]
        x = forecasts[row : row + experts]
        awake = 0.0
        mean = 0.0
        asleep = False
        for k in range(experts):
            if x[k] == x[k]:
                if x[k] < params.low or x[k] > params.high:
                    return t
                awake += weights[k]
                mean += weights[k] * x[k]
            else:
                asleep = True
        if awake == 0:
            return t
        guess = min(max(mean / awake, params.low), params.high)
        if params.kind == pools.DRAW:
            share = awake * pools.draw_uniform(counts[pools.SEED], counts[pools.ROUNDS])
            running = 0.0
            chosen = -1
            for k in range(experts):
                if x[k] == x[k] and (chosen < 0 or running <= share):
                    running += weights[k]
                    chosen = k
            guess = np.float64(x[chosen])
        guesses[t] = guess
        if shares.size:
            for k in range(experts):
                shares[row + k] = weights[k] / awake if x[k] == x[k] else 0.0
        if not learning:
            return 1
        round = pools.AdviceRound(forecasts, costs, row, 0, experts, y)
        cost = 0.0
        after = 0.0
        for k in range(experts):
            if x[k] == x[k]:
                lost = pools.find_cost(params, round, row + k)
                losses[k] += lost
                cost += weights[k] * lost
                weights[k] *= exponential(-params.rate * lost)
                after += weights[k]
        scale = awake / after
        total = 0.0
        for k in range(experts):
            weights[k] = weights[k] * (scale if x[k] == x[k] else 1.0) * (1.0 - switching) + switching / experts
            total += weights[k]
        for k in range(experts):
            weights[k] /= total  # only against rounding
        charge = cost / awake if params.kind == pools.DRAW else price(params.loss, guess, y, params.shape)
        if charges.size:
            charges[t] = charge
        pools.add_loss(totals, charge)
        counts[pools.ROUNDS] += 1
        counts[pools.UNEVEN] = 1 if asleep else counts[pools.UNEVEN]
    return outcomes.size


@final
@dataclass(frozen=True)
class FixedShare(Experts):
    """Track the best expert, when it is not always the same one.

    Args:
        rate: How fast weights fall with losses scaled to [0, 1], in (0, 600]; see `tuned`.
        switching: The share of its weight that every expert gives up each round, from 1e-30 on and below 1. About how
            often, per round, another expert becomes the best one; see `tuned`.
        loss: What experts and learner pay, such as Square(); it must have a largest value, so not Log().
        draws: Follow an expert drawn by weight instead of the mean forecast, and pay the expected loss. Needed where
            the loss is not convex.
    """

    rate: float = 1.0
    switching: float = 0.01
    loss: Loss = field(default_factory=Absolute)
    draws: bool = False
    numeric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(0 < self.rate <= 600, f"rate must be in (0, 600], got {self.rate}")
        allowed = f"switching must be from {SMALLEST:g} on and below 1, got {self.switching}: 0 would be Hedge"
        require(SMALLEST <= self.switching < 1, allowed)  # e^-600 times a weight of SMALLEST / N is not 0
        require(isfinite(self.loss.top), f"FixedShare needs a loss with a bound, got {self.loss}")
        require(self.draws or self.loss.convex, f"{self.loss} is not convex: use draws=True")

    @classmethod
    def tuned(cls, experts: int, rounds: int, switches: int, loss: Loss | None = None, draws: bool = False) -> Self:
        """The switching and rate for a best expert that changes a known number of times in a known number of rounds."""
        require(0 < switches < rounds - 1, f"need 0 < switches < rounds - 1, got {switches} and {rounds}")
        switching = switches / (rounds - 1)
        rate = sqrt(8 * _find_depth(experts, rounds, switches, switching) / rounds)
        return cls(rate, switching, loss or Absolute(), draws)

    @property
    def theorem(self) -> AdviceTheorem:
        return AdviceTheorem("Fixed share (Herbster and Warmuth 1998)", "loss", self.draws, "none", schedule=True)

    def play(self, state: pools.ExpertPool, rounds: pools.RoundArrays) -> int:
        params = make_params(self.loss, pools.DRAW if self.draws else pools.MEAN, float(self.rate) / self.loss.top)
        return int(replay(params, float(self.switching), *state, *rounds))

    def charges(self, state: pools.ExpertPool) -> Array:
        return self.losses(state)

    def regret(self, experts: int, rounds: int, best_loss: float = 0.0, switches: int = 0) -> float:
        depth = _find_depth(experts, rounds, switches, self.switching)
        return self.loss.top * (depth / self.rate + self.rate * rounds / 8)

    def bound(self, experts: int | None = None, rounds: int | None = None, switches: int = 0) -> Bound:
        """The regret allowed against any sequence of experts with at most this many switches."""
        if experts is None or rounds is None:
            raise NotCertified("say how many experts and how many rounds there are")
        promise = f"there are {experts} experts and {rounds} rounds; compared with {switches} switches"
        return Bound(self.theorem.name, promise, round_up(self.regret(experts, rounds, 0.0, switches)), "regret")


def _find_depth(experts: int, rounds: int, switches: int, switching: float) -> float:
    """Minus the logarithm of the prior weight of a sequence of experts with this many switches."""
    stays = max(rounds - 1 - switches, 0)
    return (switches + 1) * log(experts) - switches * log(switching) - stays * log(1 - switching)
