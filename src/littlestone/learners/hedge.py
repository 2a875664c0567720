"""Hedge: weights that fall exponentially with what an expert has lost.

Expert i has weight e^(-rate L_i), losses being scaled to [0, 1] by the range that the loss declares. Predict the
weighted mean forecast and pay its loss (the loss must be convex), or, with `draws`, follow an expert drawn by weight
and pay the exact expected loss. `rate=None` is the anytime rate 2 sqrt(ln N / t) of round t. A `memory` below 1
multiplies old losses by it every round; then no theorem is claimed.

Theorem. On any sequence of T rounds, with L the smallest charge (the loss of the best of N experts, if none slept),

    loss <= L + top (ln N / rate + rate T / 8),        loss <= L + top sqrt(T ln N) for the anytime rate,

`top` being the largest loss. At rate sqrt(8 ln N / T) the first is L + top sqrt(T ln N / 2).

Proof. By Hoeffding's lemma the expected loss of a round is at most its mix loss -ln(sum p e^(-rate loss))/rate plus
rate/8, and a convex loss of the mean is no more than the mean loss. Mix losses add up to minus the logarithm of the
mean of e^(-rate L_i), over the rate, which is at most L + ln(N)/rate. (Anytime: the same with falling rates, as in
Cesa-Bianchi and Lugosi, Prediction, Learning, and Games, 2006.)

Y. Freund and R. E. Schapire. A decision-theoretic generalization of on-line learning and an application to boosting.
Journal of Computer and System Sciences 55:119-139, 1997.

>>> Hedge.tuned(experts=2, rounds=8).bound(experts=2, rounds=8).value >= 1.6651  # sqrt(4 ln 2)
True
"""

from dataclasses import dataclass, field
from math import isfinite, log, sqrt
from typing import ClassVar, Self, final

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Weighing, paying
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.state import ANYTIME, DRAW, FIXED, JOINED, MEAN, Params, Pool

THEOREM = "Hedge (Freund and Schapire 1997)"


@final
@dataclass(frozen=True)
class Hedge(Weighing):
    """Hedge; the module docstring has the rule and its theorem."""

    rate: float | None = None
    loss: Loss = field(default_factory=Absolute)
    draws: bool = False
    memory: float = 1.0
    numeric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(self.rate is None or 0 < self.rate < 1e100, f"rate must be positive, or None, got {self.rate}")
        require(isfinite(self.loss.top), f"Hedge needs a loss with a bound, got {self.loss}: use Aggregating")
        require(self.draws or self.loss.convex, f"{self.loss} is not convex: use draws=True")
        require(0 < self.memory <= 1, f"memory must be in (0, 1], got {self.memory}")

    @classmethod
    def tuned(cls, experts: int, rounds: int, loss: Loss | None = None, draws: bool = False) -> Self:
        """The rate sqrt(8 ln N / T) for a known number of rounds: regret at most top sqrt(T ln N / 2)."""
        require(experts >= 2 and rounds >= 1, f"need experts >= 2 and rounds >= 1, got {experts} and {rounds}")
        return cls(sqrt(8 * log(experts) / rounds), loss or Absolute(), draws)

    @classmethod
    def anytime(cls, loss: Loss | None = None, draws: bool = False) -> Self:
        """The falling rate 2 sqrt(ln N / t), for any number of rounds: regret at most top sqrt(T ln N)."""
        return cls(None, loss or Absolute(), draws)

    def charged_by(self) -> Loss:
        return self.loss

    def params(self) -> Params:
        rate = (2.0 if self.rate is None else float(self.rate)) / self.loss.top
        schedule, kind = ANYTIME if self.rate is None else FIXED, DRAW if self.draws else MEAN
        return paying(self.loss, kind, rate, schedule)._replace(memory=float(self.memory))

    def regret(self, experts: int, rounds: int, best_loss: float = 0.0) -> float:
        require(self.memory == 1, "no theorem is claimed for a memory below 1", NotCertified)
        if self.rate is None:
            return self.loss.top * sqrt(rounds * log(experts))
        return self.loss.top * (log(experts) / self.rate + self.rate * rounds / 8)

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """At a fixed rate its share of the pool moves only while it is awake: the proof over those rounds."""
        require(self.rate is not None, "the anytime rate compares with nobody who sleeps", NotCertified)
        return self.regret(experts, awake, loss)

    def bound(self, experts: int | None = None, rounds: int | None = None) -> Bound:
        """The regret allowed after so many rounds, whatever the losses."""
        if experts is None or rounds is None:
            raise NotCertified("say how many experts and how many rounds there are")
        promise = f"there are {experts} experts and {rounds} rounds"
        return Bound(THEOREM, promise, round_up(self.regret(experts, rounds)), "regret")

    def certificate(self, state: Pool, tally: Tally) -> Certificate:
        rising = self.rate is None and state.counts[JOINED]  # newcomers raise ln N, and with it the rate
        require(not rising, "the anytime rate must fall: its theorem lets nobody join late", NotCertified)
        best = float(self.charges(state)[self.best(state)])
        return self.certified(state, tally, THEOREM, best + self.regret(self.experts(state), self.moves(state)), "loss")
