"""AdaGrad: a weight for each attribute whose steps shrink as the attribute teaches, in the attribute's own units.

For log-loss, with G_i the sum of the steps a = (y - p) x_i along attribute i, S_i that of their squares, and M_i the
largest size of a value of i so far, the present one included, the score of a row is

    s = sum of w_i x_i,    w_i = G_i / r_i,    r_i = M_i sqrt(S_i + M_i^2) / rate,

and 1 / (1 + e^-s) is the chance of class 1. Multiplying a column by a number changes no score.

Theorem. For every u on every stream, with r at the end and V the sum of a^2 / (2 r_i) over rounds and attributes,

    log-loss <= log-loss of u + (sum of r_i u_i^2) / 2 + V,    V <= rate times the sum of sqrt(S_i) / M_i if M is fixed.

Proof. The loss is convex in the score, so what it exceeds that of u by is at most the sum of a (u_i - w_i). Take one
attribute. r never falls and w = G / r before the round, so G^2 / (2 r) grows by at most w a + a^2 / (2 r) in a round;
hence G^2 / (2 r) <= sum of w a + V at the end, and u G <= r u^2 / 2 + G^2 / (2 r). Subtract. For V: |a| <= M, so
S + M^2 before a round is at least S after it, and a^2 / sqrt(S after) <= 2 (sqrt(S after) - sqrt(S before)).

J. Duchi, E. Hazan and Y. Singer. Adaptive subgradient methods. Journal of Machine Learning Research 12:2121-2159, 2011.
F. Orabona and D. Pal. Scale-free algorithms for online linear optimization. Algorithmic Learning Theory, 2015.

>>> from littlestone import Recorded, play
>>> game = play(AdaGrad(bias=0), Recorded([[1.0]] * 4, [True, True, False, True]))
>>> round(float(game.player.score([1.0])), 4)
0.4663
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from littlestone.base.assumptions import Assumptions
from littlestone.base.errors import require_nonnegative, require_positive
from littlestone.base.theorem import Theorem, make_loss_theorem
from littlestone.base.traits import PlanEntry
from littlestone.learners.shared.forecast_learner import ForecastLearner
from littlestone.learners.shared.forecaster_state import Members
from littlestone.learners.shared.loss_promises import OrFacts, list_rates
from littlestone.learners.shared.scale_free_learner import require_precision

FORMULA = "L / ln 2, L <= T ln(1 + e^-s) + F ln(1 + e^(s m)) + s^2 |u|^2 sqrt(L + 1) / (2 rate) + rate sqrt(n a L)"
THEOREMS = (make_loss_theorem("AdaGrad, log-loss (Duchi, Hazan and Singer 2011; Orabona and Pal 2015)"),)


@final
@dataclass(frozen=True)
class AdaGrad(ForecastLearner):
    """Logistic regression whose steps along an attribute shrink as it teaches; columns may be in any units.

    Args:
        rate: How far steps go, > 0.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
        bias: Whether there is a constant attribute; 0: none.
        precision: Bits of a number that is kept, 32 or 64.
    """

    rate: float = 1.0
    guard: bool = True
    bias: float = 1.0
    precision: int = 32

    def __post_init__(self) -> None:
        require_positive(rate=self.rate)
        require_nonnegative(bias=self.bias)
        require_precision(self.precision)

    @cached_property
    def members(self) -> Members:
        return Members(rates=(self.rate,), bytes=self.precision // 8)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        facts = OrFacts.of(assumptions)
        if facts is not None:
            bound, rate = min(list_rates(facts))
            yield cls(rate).promise(bound, FORMULA, facts.active, 24.0 * facts.attributes)
