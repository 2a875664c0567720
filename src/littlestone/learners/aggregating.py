"""Aggregating: Vovk's algorithm, whose regret never grows.

Expert i has weight e^(-rate L_i), a share p_i. For an outcome w the mix loss is g(w) = -ln(sum p_i e^(-rate l(x_i, w)))
/ rate; the loss l is mixable at a rate when some forecast loses at most g(w) whatever w turns out to be, and that is
made: for the square and Brier losses on [a, b], (a + b)/2 - (g(b) - g(a)) / (2 k (b - a)) with k = 1 and k = 2, for the
log loss the weighted mean probability. The rate is the largest at which the loss is mixable.

Theorem. On any sequence of any length, with L the smallest charge (the loss of the best of N experts, if none slept),

    loss <= L + ln(N) / rate,        rate = 1 for the log and Brier losses, 2 / (b - a)^2 for the square loss on [a, b].

Proof. Each round loses at most its mix loss, and mix losses add up to -ln(mean of e^(-rate L_i)) / rate
<= L + ln(N) / rate, sleepers being charged the mix loss of the rounds they sleep through.

V. Vovk. A game of prediction with expert advice. Journal of Computer and System Sciences 56:153-173, 1998. V. Vovk and
F. Zhdanov. Prediction with expert advice for the Brier game. Journal of Machine Learning Research 10:2445-2471, 2009.

>>> from littlestone.learners.experts.losses import Brier
>>> round(float(Aggregating(Brier()).bound(experts=4).value), 6)  # ln 4
1.386294
"""

from dataclasses import dataclass, field
from math import log
from typing import ClassVar, final

from littlestone.base.bound import Bound, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Experts, make_params
from littlestone.learners.experts.losses import Loss, Square
from littlestone.learners.experts.pools import MEAN, MIX, ExpertPool, RoundArrays
from littlestone.learners.experts.pricing import LOG
from littlestone.learners.experts.theorem import AdviceTheorem
from littlestone.learners.experts.threads import play_by_weight


@final
@dataclass(frozen=True)
class Aggregating(Experts):
    """Vovk's aggregating algorithm.

    Args:
        loss: What experts and learner pay: Square(low, high), Brier() or Log(). The regret is ln(N) / loss.mixable.
    """

    loss: Loss = field(default_factory=Square)
    numeric: ClassVar[bool] = True
    theorem: ClassVar[AdviceTheorem] = AdviceTheorem("Aggregating algorithm (Vovk 1998)", "loss")
    guesses_between_forecasts: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require(self.loss.mixable > 0, f"Aggregating needs Square, Brier or Log, got {self.loss}: use Hedge")

    def play(self, state: ExpertPool, rounds: RoundArrays) -> int:
        kind = MEAN if self.loss.code == LOG else MIX
        return play_by_weight(make_params(self.loss, kind, self.loss.mixable), state, rounds)

    def regret(self, experts: int, rounds: int = 0, best_loss: float = 0.0) -> float:
        return log(experts) / self.loss.mixable

    def bound(self, experts: int | None = None) -> Bound:
        """The regret allowed at any time."""
        if experts is None:
            raise NotCertified("say how many experts there are")
        return Bound(self.theorem.name, f"there are {experts} experts", round_up(self.regret(experts)), "regret")
