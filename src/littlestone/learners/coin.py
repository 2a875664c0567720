"""Coin: bet a share of a wealth on each attribute, by what it has shown so far; no rate has to be chosen.

Each attribute i has a wealth e_i, at first `wealth`. For log-loss, with G_i the sum of the steps a = (y - p) x_i, S_i
that of their squares, M_i the largest size of a value of i so far, the present one included, and r^2 = S_i + M_i^2,

    w_i = e_i v_i,    v_i = clip(G_i / r, -1, 1) / (2 r),    then e_i <- e_i (1 + a v_i).

Theorem (after Kempka, Kotlowski and Warmuth 2019). For every u on every stream, with r at the end, Q_i the sum of
a^2 / r^2 over the rounds, and sums over attributes,

    log-loss <= log-loss of u + sum of wealth + 2 |u_i| r_i max(0, ln(2 |u_i| r_i / wealth) + Q_i / 2 - 3/4).

Proof. One attribute. |a v| <= M / (2 r) <= 1/2, and ln(1 + z) >= z - z^2 there. Let f(t) be t^2 / 2 for |t| <= 1 and
|t| - 1/2 beyond: convex, with slope clip(t) and curvature at most 1. So a v >= (f((G + a) / r) - f(G / r)) / 2 -
a^2 / (4 r^2), and (a v)^2 <= a^2 / (4 r^2). As r never falls, and f(G / r) does not grow with r, the logarithms add up
to ln(e / wealth) >= f(G / r) / 2 - Q / 2 at the end. The steps times the weights add up to e - wealth exactly, so what
the linear loss exceeds that of u by is wealth - e + u G. With f(t) >= |t| - 1/2, maximise over |G| / r.

M. Kempka, W. Kotlowski and M. K. Warmuth. Adaptive scale-invariant online algorithms for learning linear models.
International Conference on Machine Learning, 2019.

>>> from littlestone import Recorded, play
>>> game = play(Coin(bias=0), Recorded([[1.0]] * 4, [True, True, False, True]))
>>> round(float(game.player.score([1.0])), 4)
0.1911
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
from littlestone.learners.shared.loss_promises import OrFacts, bound_coin
from littlestone.learners.shared.scale_free_learner import require_precision

FORMULA = "L / ln 2, L <= T ln(1 + e^-s) + F ln(1 + e^(s m)) + n + sum of 2 v r (ln(2 v r) + lg r - 3/4), r^2 = L + 1"
THEOREMS = (make_loss_theorem("Coin, log-loss (Kempka, Kotlowski and Warmuth 2019)"),)


@final
@dataclass(frozen=True)
class Coin(ForecastLearner):
    """Logistic regression by betting on each attribute; it has no rate, and columns may be in any units.

    Args:
        wealth: What is there to bet on each attribute at first, > 0.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
        bias: Whether there is a constant attribute; 0: none.
        precision: Bits of a number that is kept, 32 or 64.
    """

    wealth: float = 1.0
    guard: bool = True
    bias: float = 1.0
    precision: int = 32

    def __post_init__(self) -> None:
        require_positive(wealth=self.wealth)
        require_nonnegative(bias=self.bias)
        require_precision(self.precision)

    @cached_property
    def members(self) -> Members:
        return Members(wealths=(self.wealth,), bytes=self.precision // 8)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        facts = OrFacts.of(assumptions)
        if facts is not None:
            yield cls().promise(bound_coin(facts, cls.wealth), FORMULA, facts.active, 24.0 * facts.attributes)
