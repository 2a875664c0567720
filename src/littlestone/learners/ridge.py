"""Ridge: least squares one row at a time, by the forecaster of Vovk and of Azoury and Warmuth; columns in any units.

Keep the inverse P of A = ridge diag(M^2) + the sum of x x' over the rounds before, M_i being the largest size of a
value of attribute i so far, the present one included, and b, the sum of y x. Of a row, with p = x'Pb and q = x'Px,
predict

    z = p / (1 + q),

which is ridge regression on the rounds before and on this row with label zero. Then A <- A + x x' and b <- b + y x.
Multiplying a column by a number changes no prediction; multiplying the labels by one multiplies all predictions by it.

With a constant attribute labels are counted from the first one, y_1: all this is done with y - y_1, and y_1 is added to
what is predicted; the first prediction is 0. So labels far from zero cost no more than others.

Theorem. For every u on every stream, with sums over rounds,

    sum of (y - z)^2 <= sum of (y - u.x)^2 + ridge (sum of M_i^2 u_i^2) + sum of y^2 q / (1 + q) - q z^2,

with equality for the best u if M is fixed. The last sum is at most that of y^2 ln(1 + q), so at most the largest y^2
times a difference of logarithms of determinants. Where labels are counted from y_1, y stands for y - y_1, and y_1^2,
which the first round costs, is added: it is the theorem for these labels, and u is compared by y_1 + u.x.

Proof. The first two terms on the right, as a function of u, are a quadratic with matrix A; a growing M only raises its
least value. Adding (y - u.x)^2 raises that by (y - p)^2 / (1 + q). With p = (1 + q) z, (y - z)^2 exceeds this by
y^2 q / (1 + q) - q z^2. Sum over rounds; and q / (1 + q) <= ln(1 + q), where 1 + q is the ratio of the determinants.

V. Vovk. Competitive on-line statistics. International Statistical Review 69:213-248, 2001. K. S. Azoury and M. K.
Warmuth. Relative loss bounds for on-line density estimation with the exponential family of distributions. Machine
Learning 43:211-246, 2001.

>>> from littlestone import Recorded, play
>>> game = play(Ridge(bias=0), Recorded([[1.0], [2.0], [-1.0]], [1.0, 1.0, 0.0]))
>>> round(game.expected, 6), round(game.player.predict([3.0]), 3)
(1.61616, 0.566)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

from littlestone.base.chunks import Array
from littlestone.base.errors import require_nonnegative, require_positive
from littlestone.base.number_assumptions import NumberAssumptions
from littlestone.base.theorem import Theorem, make_loss_theorem
from littlestone.base.traits import PlanEntry
from littlestone.compiled import logarithm, long_rule
from littlestone.learners.shared.forecast_bench import add_compensated
from littlestone.learners.shared.forecaster_state import MET, SAID, Forecaster, Members
from littlestone.learners.shared.newton_members import look_ahead, step_along
from littlestone.learners.shared.number_promises import bound_squares
from littlestone.learners.shared.regression_learner import RegressionLearner
from littlestone.learners.shared.regression_loops import (
    UNIT,
    RegressionParams,
    RegressionRule,
    make_regression_loops,
)

WIDEST = 4096  # attributes of the largest matrix
FORMULA = "sqrt(e^2 + (ridge (k W^2 + D^2) + F^2 + D^2 (N ln(1 + T A / (ridge N)) + 2 n ln G)) / T)"


@long_rule
def shrink_nothing(table: Array, start: Any, factor: Any) -> Any:
    """What was learned of an attribute is in the matrix, not in the table."""


@long_rule
def say(bench: Any, state: Any, count: Any, params: Any) -> Any:
    """Predict p / (1 + q)."""
    p, q = look_ahead(bench.newton, 0, state.counts[MET], bench.reading, count, params.ridge)
    bench.found.ahead[0], bench.found.spread[0] = p, q
    return p / (1.0 + q)


@long_rule
def learn(bench: Any, state: Any, count: Any, y: Any, said: Any, importance: Any, params: Any) -> Any:
    """Add a row to the matrix, and note what was lost and what the theorem charges for it."""
    p = bench.found.ahead[0]
    q = bench.found.spread[0]
    below = 1.0 + importance * q
    missed = y - said
    far = y - p
    add_compensated(state.losses, SAID, importance * missed * missed)
    charge = importance * (missed * missed - far * far / below)
    state.spent[0, 0] += charge
    state.spent[0, 1] += max(charge, importance * y * y * logarithm(below))
    step_along(bench.newton, 0, state.counts[MET], importance * far / below, importance / below)


@final
@dataclass(frozen=True)
class Ridge(RegressionLearner):
    """Least squares for streams; it keeps a matrix of attributes, and columns and labels may be in any units.

    Args:
        ridge: How strongly weights are held at zero at first, > 0.
        bias: Whether there is a constant attribute; 0: none.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
    """

    ridge: float = 0.1
    bias: float = 1.0
    guard: bool = False

    loops: ClassVar = make_regression_loops(RegressionRule(shrink_nothing, say, learn))
    degree: ClassVar[int] = 2

    def __post_init__(self) -> None:
        require_positive(ridge=self.ridge)
        require_nonnegative(bias=self.bias)

    @cached_property
    def members(self) -> Members:
        return Members(kappas=(1.0,), ridge=self.ridge, limit=WIDEST, bytes=8)

    @cached_property
    def params(self) -> RegressionParams:
        return RegressionParams(self.guard, bool(self.bias), bool(self.bias), float(self.ridge))

    def loss(self, guess: float, y: float, /) -> float:
        return (guess - y) ** 2

    def theorems(self) -> tuple[Theorem, ...]:
        return (make_loss_theorem("Ridge, square loss (Vovk 2001; Azoury and Warmuth 2001)", "numbers", "square loss"),)

    @classmethod
    def plan(cls, assumptions: NumberAssumptions) -> Iterator[PlanEntry]:
        rows = assumptions.attributes + 1
        if rows <= WIDEST:
            bound = bound_squares(assumptions, cls.ridge)
            yield PlanEntry(cls(), bound, "mean error", FORMULA, float(rows**2), 16.0 * rows**2)

    def charges(self, state: Forecaster) -> tuple[float, float]:
        """What the theorem adds to the loss of a comparator and its ridge, and the larger form with logarithms."""
        unit = float(state.labels[UNIT])
        return state.spent[0, 0] * unit * unit, state.spent[0, 1] * unit * unit
