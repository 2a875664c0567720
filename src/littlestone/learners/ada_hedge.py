"""AdaHedge: Hedge that finds its own rate from what following it has cost.

The rate of a round is ln N / D, D being the mixability gap so far: the sum over rounds of expected loss minus mix loss
at the rate of that round. Before D is positive the leaders share all weight. Nothing has to be known beforehand,
neither the number of rounds nor the range of the losses.

Theorem. On any sequence of T rounds with losses in [0, top], with L the loss of the best of N experts,

    loss <= L + 2 sqrt(L (top T - L) ln N / T) + top (16 ln N / 3 + 2).

Proof idea. Regret is at most ln N / rate + D = 2 D. The gap of a round is at most about the rate times the variance of
the losses under the weights, so D^2 grows like ln N times the sum of variances, and that is about L (top T - L) / T.

S. de Rooij, T. van Erven, P. D. Grunwald and W. M. Koolen. Follow the leader if you can, hedge if you must. Journal of
Machine Learning Research 15:1281-1316, 2014.

>>> AdaHedge().bound(experts=1, rounds=9, best_loss=3).value >= 2
True
"""

from dataclasses import dataclass, field
from math import isfinite, log, sqrt
from typing import ClassVar, final

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Weighing, paying
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.state import ADAPTIVE, DRAW, MEAN, UNEVEN, Params, Pool

THEOREM = "AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)"


@final
@dataclass(frozen=True)
class AdaHedge(Weighing):
    """AdaHedge; the module docstring has the rule and its theorem."""

    loss: Loss = field(default_factory=Absolute)
    draws: bool = False
    numeric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(isfinite(self.loss.top), f"AdaHedge needs a loss with a bound, got {self.loss}: use Aggregating")
        require(self.draws or self.loss.convex, f"{self.loss} is not convex: use draws=True")

    def charged_by(self) -> Loss:
        return self.loss

    def params(self) -> Params:
        return paying(self.loss, DRAW if self.draws else MEAN, 0.0, ADAPTIVE)

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        top, variety = self.loss.top, log(experts)
        inside = best_loss * max(top * rounds - best_loss, 0.0) * variety / rounds if rounds else 0.0
        return 2 * sqrt(inside) + top * (16 * variety / 3 + 2)

    def bound(
        self, experts: int | None = None, rounds: int | None = None, best_loss: float | None = None
    ) -> Bound:  # fmt: skip
        """The regret allowed after so many rounds in which the best expert loses `best_loss`."""
        if experts is None or rounds is None or best_loss is None:
            raise NotCertified("say how many experts and rounds there are and how much the best expert loses")
        promise = f"the best of {experts} experts loses {best_loss} in {rounds} rounds"
        return Bound(THEOREM, promise, round_up(self.regret(experts, rounds, best_loss)), "regret")

    def certificate(self, state: Pool, tally: Tally) -> Certificate:
        require(not state.counts[UNEVEN], "AdaHedge's theorem is for experts that never sleep", NotCertified)
        best = float(self.charges(state)[self.best(state)])
        allowed = best + self.regret(self.experts(state), self.moves(state), best)
        return self.certified(state, tally, THEOREM, allowed, "loss")
