"""Aioli: second-order logistic regression that weighs both labels of the row it is asked about by one half.

Keep P, the inverse of A = ridge diag(M^2) + kappa times the sum of p (1 - p) x x', M_i being the largest size of a
value of attribute i so far, and the centre c = P b. Of a row, with a = c.x and v = x'Px, the score s solves

    s = a - (v / 2) tanh(s / 2),

and p = 1 / (1 + e^-s) is the chance of class 1. Then, with h = kappa p (1 - p),

    c <- c + P x (y - p - h (a - s)) / (1 + h v),    P <- P - h / (1 + h v) (Px)(Px)'.

Theorem. Let l(z) be the loss of score z and m(z) = l(s) + (p - y)(z - s) + (h / 2)(z - s)^2 in each round. For every
u on every stream, with sums over rounds,

    log-loss <= sum of m(u.x) + (ridge / 2)(sum of M_i^2 u_i^2) + D,
    D = sum of (v / 8)(1 / (1 + h v) - t^2),    t = tanh(s / 2),

and D <= sum of ln(1 + h v) / (2 kappa), a difference of logarithms of determinants. Where |u.x| <= B in all rounds and
kappa <= 2 / (2 + B), m(u.x) <= l(u.x).

Proof. The sum of the m and of the ridge is a quadratic with matrix A; a growing M only raises its least value. Adding m
changes that by the least value of (z - a)^2 / (2 v) + m(z). With t = 2 p - 1 and a - s = (v / 2) t, the
loss l(s) less the change is (v / 8)(1 / (1 + h v) - t^2) whichever label comes, since t / 2 - (p - y) is 1/2 or -1/2.
As 1 - t^2 = 4 p (1 - p), this is at most v p (1 - p) / (2 (1 + h v)) <= ln(1 + h v) / (2 kappa). For the last sentence
see the curvature of the logistic loss: l(z) - l(s) - (p - y)(z - s) >= p (1 - p)(z - s)^2 / (2 + B).

R. Jezequel, P. Gaillard and A. Rudi. Efficient improper learning for online logistic regression. Conference on Learning
Theory, 2020, with the labels at weight one; one half makes both labels cost the same, and halves the constant.

>>> from littlestone import Recorded, play
>>> game = play(Aioli(bias=0), Recorded([[1.0]] * 4, [True, True, False, True]))
>>> game.player.state.centres[0, 1].round(4).item()
1.1804
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from littlestone.base.assumptions import Assumptions
from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.theorem import Theorem, make_loss_theorem
from littlestone.base.traits import PlanEntry
from littlestone.learners.shared.forecast_learner import ForecastLearner
from littlestone.learners.shared.forecaster_state import Members
from littlestone.learners.shared.loss_promises import OrFacts, bound_aioli

WIDEST = 4096  # attributes of the largest matrix

FORMULA = (
    "L / ln 2, L <= T ln(1 + e^-s) + F ln(1 + e^(s m)) + r s^2 |u|^2 / 2 + n ln(1 + kappa a L / (r n)) / (2 kappa)"
)
THEOREMS = (make_loss_theorem("Aioli, log-loss (Jezequel, Gaillard and Rudi 2020)"),)


@final
@dataclass(frozen=True)
class Aioli(ForecastLearner):
    """Second-order logistic regression; it keeps a matrix of attributes, and columns may be in any units.

    Args:
        kappa: How much curvature it trusts, from 0 to 1; comparators of scores up to B are covered by 2 / (2 + B).
        ridge: How strongly weights are held at zero at first, > 0.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
        bias: Whether there is a constant attribute; 0: none.
    """

    kappa: float = 0.5
    ridge: float = 0.1
    guard: bool = True
    bias: float = 1.0

    def __post_init__(self) -> None:
        require_positive(kappa=self.kappa, ridge=self.ridge)
        require(self.kappa <= 1, f"kappa must be at most 1, got {self.kappa}")
        require_nonnegative(bias=self.bias)

    @cached_property
    def members(self) -> Members:
        return Members(kappas=(self.kappa,), ridge=self.ridge, limit=WIDEST, bytes=8)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        facts = OrFacts.of(assumptions)
        if facts is not None:
            bound, kappa = bound_aioli(facts, None, cls.ridge)
            if facts.attributes <= WIDEST:
                yield cls(kappa).promise(bound, FORMULA, facts.attributes**2, 16.0 * facts.attributes**2)
