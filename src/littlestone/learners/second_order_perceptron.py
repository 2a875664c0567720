"""Second-order perceptron: the perceptron on instances whitened by the mistakes so far.

Keep w = A v, where v is the sum of y x over the mistakes and A the inverse of ridge I + the sum of x x' over them.
Predict the positive class when w.x > 0; when y w.x <= 0 put the example into both sums. (The paper whitens with the
current x as well; that divides the score by 1 + x'Ax and leaves its sign.)

Theorem (Cesa-Bianchi, Conconi and Gentile 2005). For any u, with sums over the m update rounds,

    updates <= sum (1 - y u.x)+ + sqrt((ridge |u|^2 + sum (u.x)^2) sum ln(1 + l_i / ridge)),

l_i the eigenvalues of sum x x'. Proof sketch. With M = ridge I + sum x x', u.v = sum y u.x >= m - sum (1 - y u.x)+, and
u.v <= |M^1/2 u| |M^-1/2 v| where |M^1/2 u|^2 is the first factor under the root. At a mistake v'Av grows by at most
x'A'x = 1 - det A' / det A <= ln(det A / det A'), A' the next A, since the cross term is y w.x times a positive
number; the logarithms add up to sum ln(1 + l_i / ridge).

Theorem (ridge identity; Azoury and Warmuth 2001). With a = y w.x and v = ridge x'Ax before each update,

    sum (1 - a)^2 ridge / (ridge + v) = min over u of ridge |u|^2 + sum (1 - y u.x)^2,

attained by the last w, whatever rounds were used for updates. Proof. When a row joins a ridge regression the minimum
grows by (1 - a)^2 / (1 + x'Ax): complete the square, with Sherman and Morrison for A; it starts at 0.

N. Cesa-Bianchi, A. Conconi and C. Gentile. A second-order perceptron algorithm. SIAM Journal on Computing
34:640-668, 2005. K. S. Azoury and M. K. Warmuth. Relative loss bounds for on-line density estimation. Machine Learning
43:211-246, 2001.

>>> from littlestone import play, Recorded
>>> game = play(SecondOrderPerceptron(), Recorded([[1, 0], [1, 1]], [True, False]))
>>> game.player.state.weights, game.player.learner.matrix(game.player.state)
(array([ 0.2, -0.6]), array([[ 0.4, -0.2],
       [-0.2,  0.6]]))
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

from littlestone.base.errors import require_nonnegative, require_positive
from littlestone.base.learner import Learner
from littlestone.base.theorem import RIDGE, StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.second_order import MATRIX_RACES, Moved, SecondOrder, make_second_order_loops


class SecondOrderParams(NamedTuple):
    """What the loops read of a SecondOrderPerceptron."""

    enough: float
    constant: float


@rule
def move(agreement: Any, spread: Any, dimension: Any, params: SecondOrderParams) -> Any:
    """What A v becomes when y x joins v and x x' joins the inverse of A (Sherman and Morrison)."""
    share = 1.0 / (1.0 + spread)
    return Moved((1.0 - agreement) * share, share, 1.0)


@rule
def damping(params: SecondOrderParams) -> Any:
    """What is added to x'Ax."""
    return 1.0


@final
@dataclass(frozen=True)
class SecondOrderPerceptron(SecondOrder):
    """The Perceptron after whitening the rows that taught it.

    Args:
        ridge: What is added to the diagonal of their correlation matrix, from 1e-30 to 1e30. Larger is nearer to the
            Perceptron.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    ridge: float = 1.0
    bias: float = 0.0
    loops: ClassVar[Loops] = make_second_order_loops(move, SecondOrderParams, damping)

    unplanned: ClassVar[str] = "its bound depends on the rows that will come"

    def __post_init__(self) -> None:
        require_positive(ridge=self.ridge)
        require_nonnegative(bias=self.bias)

    def step_rule(self) -> StepRule:
        """Its constant attribute; its steps are not along rows."""
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        return RIDGE

    def factors(self) -> tuple[float, ...]:
        return (self.ridge,)

    @cached_property
    def params(self) -> SecondOrderParams:
        return SecondOrderParams(0.0, float(self.bias))

    def variance(self) -> float:
        return 1.0 / self.ridge

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls(bias=1)] if width <= MATRIX_RACES else []
