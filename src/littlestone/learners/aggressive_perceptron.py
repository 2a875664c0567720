"""AggressivePerceptron: after a mistake, step just far enough to get that example right.

When y w.x <= 0 add y x as many times as it takes to make y w.x positive: r = floor(-y w.x / |x|^2) + 1 times. The
example would be classified correctly if it were shown again at once; later updates may undo that.

Theorem. It is the Perceptron on a stream in which the example is repeated r times, so with u, g, R as there

    mistakes <= sum of r <= R^2 |u|^2 / g^2.

(The step (threshold - w.x) / |x|^2 of some lecture notes lands on the boundary, moves the wrong way for negative
examples and never leaves w = 0; the integer step here does not.)

>>> from littlestone import play, Recorded
>>> play(AggressivePerceptron(bias=0), Recorded([[3.0], [1.0]], [True, False])).player.state.weights
array([-1.])
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.errors import require, require_nonnegative
from littlestone.base.theorem import StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import PERCEPTRON, TIES, Linear, Tie
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rules import Seen, square_length

THEOREMS = tuple(theorem._replace(counts="steps") for theorem in PERCEPTRON)


class AggressiveParams(NamedTuple):
    """What the loops read of an AggressivePerceptron."""

    enough: float
    tie: float
    constant: float
    times: float


@rule
def step(seen: Seen, params: AggressiveParams) -> Any:
    """The smallest whole number of copies after which the example agrees."""
    square = square_length(seen.row, params)
    if square == 0:
        return 0.0
    copies = np.floor(-seen.agreement / square) + 1.0
    return copies if seen.agreement + copies * square > 0 else copies + 1.0  # the quotient may have been rounded up


@final
@dataclass(frozen=True)
class AggressivePerceptron(Linear):
    """After a mistake, add the example until it is guessed correctly.

    Args:
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
        tie: What a score of zero is: "strict" teaches whatever the label, "plus" guesses positive, "minus" negative.
    """

    bias: float = 1.0
    tie: Tie = "strict"
    loops: ClassVar[Loops] = make_additive_loops(step, AggressiveParams)
    planned: ClassVar[bool] = False  # it promises what the Perceptron does
    units: ClassVar[UnitLoops] = make_unit_loops(step, AggressiveParams)

    def __post_init__(self) -> None:
        require_nonnegative(bias=self.bias)
        require(self.tie in TIES, f"tie must be one of {', '.join(TIES)}, got {self.tie!r}")

    @cached_property
    def params(self) -> AggressiveParams:
        return AggressiveParams(0.0, TIES[self.tie], float(self.bias), 1.0)

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, copies=True)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS
