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
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isfinite, log, sqrt
from typing import ClassVar, final

from littlestone.base.bound import Bound, round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Experts, make_params
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.pools import ADAPTIVE, DRAW, MEAN, ExpertPool, RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem
from littlestone.learners.experts.threads import play_by_weight

DIGITS = 80  # with which a game is worked out again


@final
@dataclass(frozen=True)
class AdaHedge(Experts):
    """Hedge that finds its own rate.

    Args:
        loss: What experts and learner pay, such as Square(); it must have a largest value, so not Log().
        draws: Follow an expert drawn by weight instead of the mean forecast, and pay the expected loss. Needed where
            the loss is not convex.
    """

    loss: Loss = field(default_factory=Absolute)
    draws: bool = False
    numeric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(isfinite(self.loss.top), f"AdaHedge needs a loss with a bound, got {self.loss}: use Aggregating")
        require(self.draws or self.loss.convex, f"{self.loss} is not convex: use draws=True")

    @property
    def theorem(self) -> AdviceTheorem:
        name = "AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)"
        return AdviceTheorem(name, "loss", self.draws, "none")

    def play(self, state: ExpertPool, rounds: RoundArrays) -> int:
        return play_by_weight(make_params(self.loss, DRAW if self.draws else MEAN, 0.0, ADAPTIVE), state, rounds)

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        top = self.loss.top
        variety = log(experts)
        inside = best_loss * max(top * rounds - best_loss, 0.0) * variety / rounds if rounds else 0.0
        return 2 * sqrt(inside) + top * (16 * variety / 3 + 2)

    def bound(
        self, experts: int | None = None, rounds: int | None = None, best_loss: float | None = None
    ) -> Bound:  # fmt: skip
        """The regret allowed after some number of rounds in which the best expert loses `best_loss`."""
        if experts is None or rounds is None or best_loss is None:
            raise NotCertified("say how many experts and rounds there are and how much the best expert loses")
        promise = f"the best of {experts} experts loses {best_loss} in {rounds} rounds"
        return Bound(self.theorem.name, promise, round_up(self.regret(experts, rounds, best_loss)), "regret")

    def recount(self, state: ExpertPool, X: Array, y: Array) -> tuple[Fraction, Fraction]:
        """The loss in decimals, with exact losses of experts: floats need not keep the ties that decide a rate."""
        losses = [Fraction(0)] * X.shape[1]
        total = Decimal(0)
        gap = Decimal(0)
        with localcontext(prec=DIGITS):
            variety = Decimal(X.shape[1]).ln()
            for row, outcome in zip(X.tolist(), y.tolist(), strict=True):
                forecasts = [Fraction(x) for x in row]
                truth = Fraction(outcome)
                least = min(losses)
                costs = [self.loss.price_exactly(x, truth) for x in forecasts]
                rate = variety / gap if gap > 0 else None
                if rate is None:
                    weights = [Decimal(loss == least) for loss in losses]
                else:
                    weights = [(-rate * _to_decimal(loss - least)).exp() for loss in losses]
                mean = _average(weights, costs)
                if self.draws:
                    total += mean
                else:
                    total += _to_decimal(self.loss.price_exactly(Fraction(_average(weights, forecasts)), truth))
                if rate is None:
                    leaders = [cost for cost, loss in zip(costs, losses, strict=True) if loss == least]
                    after = min(loss + cost for loss, cost in zip(losses, costs, strict=True)) - least
                    gap = _to_decimal(sum(leaders, Fraction(0)) / len(leaders) - after)
                else:
                    falls = [w * (-rate * _to_decimal(cost)).exp() for w, cost in zip(weights, costs, strict=True)]
                    left = sum(falls, Decimal(0)) / sum(weights, Decimal(0))
                    gap += max(mean + left.ln() / rate, Decimal(0))
                losses = [loss + cost for loss, cost in zip(losses, costs, strict=True)]
        error = Fraction(len(y), 2**60)
        return Fraction(total) + error / 2, error


def _to_decimal(value: Fraction) -> Decimal:
    """A fraction in the digits of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def _average(weights: list[Decimal], values: list[Fraction]) -> Decimal:
    """The weighted mean in the digits of the context."""
    weighted = (w * _to_decimal(value) for w, value in zip(weights, values, strict=True))
    return sum(weighted, Decimal(0)) / sum(weights, Decimal(0))
