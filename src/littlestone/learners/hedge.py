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

from littlestone.base.bound import Bound, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Experts, make_params
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.pools import ANYTIME, DRAW, FIXED, MEAN, ExpertPool, RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem
from littlestone.learners.experts.threads import play_by_weight


@final
@dataclass(frozen=True)
class Hedge(Experts):
    """Weights that fall exponentially with what an expert has lost.

    Args:
        rate: How fast they fall, > 0, for losses scaled to [0, 1]; see `tuned`. None: 2 sqrt(ln N / t) in round t, for
            when the number of rounds is not known.
        loss: What experts and learner pay, such as Square(); it must have a largest value, so not Log().
        draws: Follow an expert drawn by weight instead of the mean forecast, and pay the expected loss. Needed where
            the loss is not convex.
        memory: By what old losses are multiplied every round, in (0, 1]. Below 1 the past is forgotten, and no theorem
            is claimed.
    """

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

    @property
    def theorem(self) -> AdviceTheorem:
        theorem = AdviceTheorem("Hedge (Freund and Schapire 1997)", "loss", self.draws)
        # newcomers raise ln N, and with it the anytime rate, which must fall
        return theorem._replace(sleepers="no late ones") if self.rate is None else theorem

    @property
    def is_checkable(self) -> bool:
        return self.memory == 1 and super().is_checkable

    def play(self, state: ExpertPool, rounds: RoundArrays) -> int:
        rate = (2.0 if self.rate is None else float(self.rate)) / self.loss.top
        schedule = ANYTIME if self.rate is None else FIXED
        kind = DRAW if self.draws else MEAN
        params = make_params(self.loss, kind, rate, schedule)._replace(memory=float(self.memory))
        return play_by_weight(params, state, rounds)

    def regret(self, experts: int, rounds: int, best_loss: float = 0.0) -> float:
        require(self.memory == 1, "no theorem is claimed for a memory below 1", NotCertified)
        if self.rate is None:
            return self.loss.top * sqrt(rounds * log(experts))
        return self.loss.top * (log(experts) / self.rate + self.rate * rounds / 8)

    def bound(self, experts: int | None = None, rounds: int | None = None) -> Bound:
        """The regret allowed after some number of rounds, whatever the losses."""
        if experts is None or rounds is None:
            raise NotCertified("say how many experts and how many rounds there are")
        promise = f"there are {experts} experts and {rounds} rounds"
        return Bound(self.theorem.name, promise, round_up(self.regret(experts, rounds)), "regret")
