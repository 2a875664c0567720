"""Perceptron: after a mistake, add the example to the weights.

Predict the positive class when w.x > 0. When y w.x <= margin, with y = +1 or -1, set w <- w + rate y x; with a margin
of zero that is after a mistake, a score of zero counting as one whatever the label (rule `strict`). `tie="plus"` and
`tie="minus"` are the lecture rules that trust a zero score. A `bias` c is a constant attribute of value c (0: none);
`normalized` steps along x / |x|.

Theorem (Novikoff 1962). If some u has y u.x >= g > 0 on every update round and |x| <= R there, then

    updates <= (R^2 + 2 margin / rate) |u|^2 / g^2,

R counting the constant attribute. Proof. Each update adds at least rate g to u.w, so after k of them u.w >= k rate g;
it adds 2 rate y w.x + rate^2 |x|^2 <= 2 rate margin + rate^2 R^2 to |w|^2. Cauchy and Schwarz: (k rate g)^2 <= |u|^2
k (rate^2 R^2 + 2 rate margin). Divide by k rate^2 g^2.

For any u whatever, on any rounds at all: with TD the sum of the shortfalls (g - y u.x)+ over update rounds, D^2 the sum
of their squares, r = R |u| / g and margin zero,

    updates <= ((r + sqrt(r^2 + 4 TD/g)) / 2)^2 <= r^2 + 2 TD/g,        updates <= (r + D/g)^2.

Proof. Now u.w >= k rate g - rate TD, so that k g - TD <= |u| R sqrt(k): solve for sqrt(k). And TD <= D sqrt(k). Neither
bound is always the smaller one; r^2 is attained, by unit vectors (`BasisVectors`).

F. Rosenblatt. The perceptron. Psychological Review 65:386-408, 1958. A. B. J. Novikoff. On convergence proofs for
perceptrons. Symposium on the Mathematical Theory of Automata 12:615-622, 1962. Y. Freund and R. E. Schapire. Large
margin classification using the perceptron algorithm. Machine Learning 37:277-296, 1999 (D).

>>> from littlestone import play, Recorded
>>> AND = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, False, False, True] * 9)
>>> game = play(Perceptron(), AND)
>>> game.updates, game.player.state.weights, game.player.state.bias
(18, array([3., 2.]), array([-4.]))
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.mixing import ADDITIVE, Mix
from littlestone.base.theorem import StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import PERCEPTRON, TIES, Linear, Tie
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rules import Seen, square_length


class PerceptronParams(NamedTuple):
    """What the loops read of a Perceptron."""

    enough: float
    tie: float
    constant: float
    times: float
    rate: float
    normalized: float


@rule
def step(seen: Seen, params: PerceptronParams) -> Any:
    """How far along y x: the rate, in units of x or of x / |x|."""
    if params.normalized:
        square = square_length(seen.row, params)
        return params.rate / np.sqrt(square) if square > 0 else 0.0
    return params.rate


@final
@dataclass(frozen=True)
class Perceptron(Linear):
    """After a mistake, add the example to the weights.

    Args:
        rate: How far to step, > 0. Matters only beside a margin.
        margin: Step also when y w.x <= margin, >= 0. Larger means more updates and better late predictions.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
        tie: What a score of zero is: "strict" teaches whatever the label, "plus" guesses positive, "minus" negative.
        normalized: Step along x / |x| instead of x, so that long rows teach no more than short ones.
    """

    rate: float = 1.0
    margin: float = 0.0
    bias: float = 1.0
    tie: Tie = "strict"
    normalized: bool = False
    loops: ClassVar[Loops] = make_additive_loops(step, PerceptronParams)
    units: ClassVar[UnitLoops] = make_unit_loops(step, PerceptronParams)
    mix: ClassVar[Mix | None] = ADDITIVE
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("winner", "each")

    def __post_init__(self) -> None:
        require_positive(rate=self.rate)
        require_nonnegative(margin=self.margin, bias=self.bias)
        require(self.tie in TIES, f"tie must be one of {', '.join(TIES)}, got {self.tie!r}")

    @cached_property
    def params(self) -> PerceptronParams:
        margin = float(self.margin)
        tie = TIES[self.tie]
        bias = float(self.bias)
        return PerceptronParams(margin, tie, bias, 1.0, float(self.rate), float(self.normalized))

    def factors(self) -> tuple[float, ...]:
        return (self.rate,)

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, self.rate, self.margin, self.normalized, exact=not self.normalized)

    def theorems(self) -> tuple[Theorem, ...]:
        return PERCEPTRON
