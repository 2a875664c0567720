"""AROW: adaptive regularization of weights, smaller steps along what is already known well.

Keep weights w and their covariance S, at first the identity. Predict the positive class when w.x > 0. When y w.x < 1,
with r the `regularization`, b = 1 / (x'Sx + r) and c = (1 - y w.x) b,

    w <- w + c y S x,    S <- S - b S x x' S.

`diagonal` keeps only the diagonal of the inverse of S, so that weight i has variance r / (r + sum of x_i^2 over
updates), at the cost of a perceptron for sparse x. A `bias` is a constant attribute of that
value (0: none).

Theorem (Crammer, Kulesza and Dredze 2009). For any u, with X the sum of x x' and sums over update rounds, K of which
were no mistakes (0 < y w.x < 1),

    mistakes <= sqrt(r |u|^2 + u'Xu) sqrt(ln det(I + X / r) + K) + sum (1 - y u.x)+ - K.

Proof. Let T be the inverse of S. An update adds x x' / r to T and y x / r to T w, so r u'Tu = r |u|^2 + u'Xu and
r u'Tw = sum y u.x >= M + K - sum (1 - y u.x)+, which by Cauchy and Schwarz is at most sqrt(r u'Tu) sqrt(r w'Tw). With
a = y w.x and v = x'Sx it adds (v + r a (2 - a)) b to r w'Tw: at most v b = 1 - r b <= ln(1 + v / r), the growth of
ln det T, at a mistake, and at most 1 more at another update.

Theorem (ridge identity; Azoury and Warmuth 2001). With v = x'Sx before each update, whatever rounds were updates,

    sum (1 - y w.x)^2 r / (r + v) = min over u of r |u|^2 + sum (1 - y u.x)^2,

attained by the last w: a row that joins a ridge regression adds the term on the left to the minimum.

Theorem (`diagonal`). Let T_i = 1 + (sum of x_i^2) / r at the end, B_i the sum of x_i^2 w_i and C that of x_i^2 w_i^2
over attributes too, w being the weights after each update. For every u, g_i = T_i w_i - B_i / r and k = C / r - sum T_i
w_i^2,

    sum (1 - y w.x)^2 / (v + r) <= sum ((1 - y u.x)+)^2 / r + 2 u.g + k.

Proof. The step minimises (1 - y w.x)+^2 / r + |w - w_t|_T^2, so that the loss on the left is at most that of u and
|u - w_t|_T^2 - |u - w_t+1|_T^2; then T grows by x_i^2 / r, adding the sum of x_i^2 (u_i - w_i)^2 / r. Sum: what is
quadratic in u cancels. g and k come from the run: it is its regret, no promise made beforehand.

K. Crammer, A. Kulesza and M. Dredze. Adaptive regularization of weight vectors. Advances in Neural Information
Processing Systems 22, 2009. B. Kulis and P. Bartlett. Implicit online learning. International Conference on Machine
Learning, 2010.

>>> from littlestone import play, Recorded
>>> game = play(Arow(), Recorded([[1, 0], [1, 1]], [True, False]))
>>> game.player.state.weights, game.player.learner.matrix(game.player.state)
(array([ 0.2, -0.6]), array([[ 0.4, -0.2],
       [-0.2,  0.6]]))
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import require_nonnegative, require_positive
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import RIDGE, StepRule, Theorem, make_regret_theorem
from littlestone.base.traits import Plane, RowLearner
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, Weights, make_additive_loops
from littlestone.learners.shared.linear import TIES, Linear
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rules import Beside, Seen, keep_weight
from littlestone.learners.shared.second_order import MATRIX_RACES, Moved, SecondOrder, make_second_order_loops
from littlestone.learners.shared.wrapped import WrappedScores

REGRET = make_regret_theorem(
    "Diagonal AROW, regret of this run (implicit updates, Kulis and Bartlett 2010)", "weighed square loss"
)
BELOW_ONE = float(np.nextafter(1.0, 0.0))  # an agreement of 1 teaches nothing


class FullParams(NamedTuple):
    """What the loops read of an AROW with its whole covariance."""

    enough: float
    constant: float
    regularization: float


@rule
def move(agreement: Any, spread: Any, dimension: Any, params: FullParams) -> Any:
    """c, b, and no stretching."""
    share = 1.0 / (spread + params.regularization)
    return Moved((1.0 - agreement) * share, share, 1.0)


class DiagonalParams(NamedTuple):
    """What the loops read of a diagonal AROW."""

    enough: float
    tie: float
    constant: float
    times: float
    regularization: float


@rule
def step(seen: Seen, params: DiagonalParams) -> Any:
    """c; the spread is x'Sx."""
    return (1.0 - seen.agreement) / (seen.spread + params.regularization) if seen.spread > 0 else 0.0


@rule
def find_variance(squares: Any, moved: Any, params: DiagonalParams) -> Any:
    """The variance of a weight along which rows of these squares have taught: its share of a step."""
    return params.regularization / (params.regularization + np.float64(squares))


@rule
def add_square(squares: Any, value: Any, moved: Any, now: Any, params: DiagonalParams) -> Any:
    """The sum of squares of the values that a weight was moved along."""
    return squares + value * value


@rule
def damping(params: FullParams) -> Any:
    """What is added to x'Sx."""
    return params.regularization


VARIANCES = Beside(find_variance, add_square, keep_weight, spread=True)


@final
@dataclass(frozen=True)
class Full(SecondOrder):
    """AROW with its whole covariance."""

    regularization: float
    bias: float
    loops: ClassVar[Loops] = make_second_order_loops(move, FullParams, damping)
    called: ClassVar[str] = "Arow"
    narrower: ClassVar[str] = "; diagonal=True (--learner arow:diagonal=true) keeps only its diagonal"

    def factors(self) -> tuple[float, ...]:
        return (self.regularization,)

    @cached_property
    def params(self) -> FullParams:
        return FullParams(BELOW_ONE, float(self.bias), float(self.regularization))


@final
@dataclass(frozen=True)
class Diagonal(Linear):
    """AROW with the diagonal of its covariance."""

    regularization: float
    bias: float
    loops: ClassVar[Loops] = make_additive_loops(step, DiagonalParams, VARIANCES)
    units: ClassVar[UnitLoops] = make_unit_loops(step, DiagonalParams, VARIANCES)
    stride: ClassVar[int] = 2
    weighed: ClassVar[bool] = False

    def factors(self) -> tuple[float, ...]:
        return (self.regularization,)

    @cached_property
    def params(self) -> DiagonalParams:
        return DiagonalParams(BELOW_ONE, TIES["strict"], float(self.bias), 1.0, float(self.regularization))

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, exact=False)

    def matrix(self, state: Weights) -> Array:
        squares = np.concatenate((state.bias[1:], state.weights[1::2])) if self.bias else state.weights[1::2]
        return np.diag(self.regularization / (self.regularization + squares))


@final
@dataclass(frozen=True)
class Arow(WrappedScores, Plane, RowLearner):
    """Adapt the confidence in each weight, and step less where confidence is high.

    Args:
        regularization: r, from 1e-30 to 1e30. Larger steps less, and resists wrong labels better.
        diagonal: Keep one variance for each attribute instead of a whole matrix: needed for many attributes.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    regularization: float = 1.0
    diagonal: bool = False
    bias: float = 0.0
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("winner",)
    unplanned: ClassVar[str] = "its bound depends on the rows that will come"

    def __post_init__(self) -> None:
        require_positive(regularization=self.regularization)
        require_nonnegative(bias=self.bias)

    @cached_property
    def variant(self) -> Any:
        """The learner that does the work."""
        return (Diagonal if self.diagonal else Full)(self.regularization, self.bias)

    def step_rule(self) -> StepRule:
        """Its constant attribute; its steps are not along rows."""
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        return (REGRET,) if self.diagonal else RIDGE

    @property
    def inner(self) -> Any:
        return self.variant

    def round(self, state: Any, x: Row, y: int) -> int:
        return int(self.variant.round(state, x, y))

    def replay(self, state: Any, chunk: Chunk, guesses: Array) -> int:
        return int(self.variant.replay(state, chunk, guesses))

    def tell(self, state: Any, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and their scores before each label."""
        return int(self.variant.tell(state, chunk, guesses, told))

    def plane(self, state: Any) -> tuple[Array, Array]:
        shown: tuple[Array, Array] = self.variant.plane(state)
        return shown

    def matrix(self, state: Any) -> Array:
        """The covariance, the row of the bias first if there is one."""
        return np.asarray(self.variant.matrix(state))

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls(diagonal=True, bias=1), *([cls(bias=1)] if width <= MATRIX_RACES else [])]

    def check_state(self, state: Any, size: Size) -> bool:
        return bool(self.variant.check_state(state, size))
