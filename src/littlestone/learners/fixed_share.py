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

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.compiled import exponential, kernel
from littlestone.learners.experts.contract import Pooled, paying
from littlestone.learners.experts.losses import Absolute, Loss, paid
from littlestone.learners.experts.state import (
    DRAW,
    EXPERTS,
    MEAN,
    ROUNDS,
    SEED,
    UNEVEN,
    Pool,
    add,
    cost_of,
    uniform,
)

THEOREM = "Fixed share (Herbster and Warmuth 1998)"


@kernel
def replay(
    params: Any, switching: float, losses: Array, weights: Array, totals: Array, counts: Array, forecasts: Array,
    costs: Array, outcomes: Array, guesses: Array, charges: Array, trace: Array, learning: bool,
    clean: bool,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused; without `learning`, only the first guess is written.

    The pool's `credit` holds the weights, which add up to 1.
    """
    experts, met = forecasts.size // outcomes.size, counts[EXPERTS]
    if experts > met:
        for k in range(experts):
            weights[k] = weights[k] * met / experts if k < met else 1.0 / experts
        counts[UNEVEN] = 1 if counts[ROUNDS] else counts[UNEVEN]
        counts[EXPERTS] = experts
    for t in range(outcomes.size):
        row, y = t * experts, outcomes[t]
        x = forecasts[row : row + experts]
        awake, mean, asleep = 0.0, 0.0, False
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
        if params.kind == DRAW:
            share, running, chosen = awake * uniform(counts[SEED], counts[ROUNDS]), 0.0, -1
            for k in range(experts):
                if x[k] == x[k] and (chosen < 0 or running <= share):
                    running += weights[k]
                    chosen = k
            guess = np.float64(x[chosen])
        guesses[t] = guess
        if trace.size:
            for k in range(experts):
                trace[row + k] = weights[k] / awake if x[k] == x[k] else 0.0
        if not learning:
            return 1
        cost, after = 0.0, 0.0
        for k in range(experts):
            if x[k] == x[k]:
                lost = cost_of(params.loss, forecasts, costs, row + k, y, params.shape)
                losses[k] += lost
                cost += weights[k] * lost
                weights[k] *= exponential(-params.rate * lost)
                after += weights[k]
        scale, total = awake / after, 0.0
        for k in range(experts):
            weights[k] = weights[k] * (scale if x[k] == x[k] else 1.0) * (1.0 - switching) + switching / experts
            total += weights[k]
        for k in range(experts):
            weights[k] /= total  # only against rounding
        charge = cost / awake if params.kind == DRAW else paid(params.loss, guess, y, params.shape)
        if charges.size:
            charges[t] = charge
        add(totals, charge)
        counts[ROUNDS] += 1
        counts[UNEVEN] = 1 if asleep else counts[UNEVEN]
    return outcomes.size


@final
@dataclass(frozen=True)
class FixedShare(Pooled):
    """Fixed share; the module docstring has the rule and its theorem."""

    rate: float = 1.0
    switching: float = 0.01
    loss: Loss = field(default_factory=Absolute)
    draws: bool = False
    numeric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(0 < self.rate <= 600, f"rate must be in (0, 600], got {self.rate}")
        require(0 < self.switching < 1, f"switching must be in (0, 1), got {self.switching}: 0 would be Hedge")
        require(isfinite(self.loss.top), f"FixedShare needs a loss with a bound, got {self.loss}")
        require(self.draws or self.loss.convex, f"{self.loss} is not convex: use draws=True")

    @classmethod
    def tuned(cls, experts: int, rounds: int, switches: int, loss: Loss | None = None, draws: bool = False) -> Self:
        """The switching and rate for so many switches of the best expert in a known number of rounds."""
        require(0 < switches < rounds - 1, f"need 0 < switches < rounds - 1, got {switches} and {rounds}")
        switching = switches / (rounds - 1)
        return cls(
            sqrt(8 * _depth(experts, rounds, switches, switching) / rounds), switching, loss or Absolute(), draws
        )

    def charged_by(self) -> Loss:
        return self.loss

    def loop(self, *arguments: Any) -> int:
        params = paying(self.loss, DRAW if self.draws else MEAN, float(self.rate) / self.loss.top)
        return int(replay(params, float(self.switching), *arguments))

    def charges(self, state: Pool) -> Array:
        return self.losses(state)

    def regret(self, experts: int, rounds: int, best_loss: float = 0.0, switches: int = 0) -> float:
        depth = _depth(experts, rounds, switches, self.switching)
        return self.loss.top * (depth / self.rate + self.rate * rounds / 8)

    def bound(self, experts: int | None = None, rounds: int | None = None, switches: int = 0) -> Bound:
        """The regret allowed against any sequence of experts with so many switches."""
        if experts is None or rounds is None:
            raise NotCertified("say how many experts and how many rounds there are")
        promise = f"there are {experts} experts and {rounds} rounds; compared with {switches} switches"
        return Bound(THEOREM, promise, round_up(self.regret(experts, rounds, 0.0, switches)), "regret")

    def certificate(self, state: Pool, tally: Tally) -> Certificate:
        require(not state.counts[UNEVEN], "the certificate of FixedShare is for experts that never sleep", NotCertified)
        best = float(self.charges(state)[self.best(state)])
        return self.certified(state, tally, THEOREM, best + self.regret(self.experts(state), self.moves(state)), "loss")


def _depth(experts: int, rounds: int, switches: int, switching: float) -> float:
    """Minus the logarithm of the prior weight of a sequence of experts with so many switches."""
    stays = max(rounds - 1 - switches, 0)
    return (switches + 1) * log(experts) - switches * log(switching) - stays * log(1 - switching)
