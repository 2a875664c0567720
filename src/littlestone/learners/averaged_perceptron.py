"""AveragedPerceptron: play as the Perceptron, report the average of all its weight vectors.

The game is the Perceptron's, round by round, and so are its mistakes and its theorem. What a player reports is the
score of (w_1 + ... + w_T) / T, w_t being the weights after round t: it moves less from round to round than w_T and
usually errs less on new data. The average costs nothing extra in time: with a = the sum over updates of round number
times movement, rounds counted from 0, the average is w - a / T.

Theorem. The game's updates obey every bound of the Perceptron (`Perceptron`). For the average itself no comparable
bound on the 0/1 error is known to us, and none is printed; the theorem of Freund and Schapire is about the vote
(`VotedPerceptron`).

Y. Freund and R. E. Schapire. Large margin classification using the perceptron algorithm. Machine Learning
37:277-296, 1999.

>>> from littlestone import play, Recorded
>>> game = play(AveragedPerceptron(bias=0), Recorded([[1.0, 0], [0, 1]] * 2, [True, False] * 2))
>>> game.player.score([1, 0]), game.player.score([0, 1])
(1.0, -0.75)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, final

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.mixing import AVERAGED, Mix
from littlestone.base.theorem import StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, Weights, make_additive_loops
from littlestone.learners.shared.linear import PERCEPTRON, TIES, Linear, Tie
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rules import RUNNING_SUMS, Seen


class AveragedParams(NamedTuple):
    """What the loops read of an AveragedPerceptron."""

    enough: float
    tie: float
    constant: float
    times: float
    rate: float


@rule
def step(seen: Seen, params: AveragedParams) -> Any:
    """How far along y x: the rate."""
    return params.rate


@final
@dataclass(frozen=True)
class AveragedPerceptron(Linear):
    """Play as the Perceptron and report the average of all its weights.

    Args:
        rate: How far to step, > 0. Matters only beside a margin.
        margin: Step also when y w.x <= margin, >= 0. Larger means more updates and better late predictions.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
        tie: What a score of zero is: "strict" teaches whatever the label, "plus" guesses positive, "minus" negative.
    """

    rate: float = 1.0
    margin: float = 0.0
    bias: float = 1.0
    tie: Tie = "strict"
    loops: ClassVar[Loops] = make_additive_loops(step, AveragedParams, RUNNING_SUMS)
    planned: ClassVar[bool] = False  # it promises what the Perceptron does
    units: ClassVar[UnitLoops] = make_unit_loops(step, AveragedParams, RUNNING_SUMS)
    stride: ClassVar[int] = 2
    averaged: ClassVar[bool] = True
    serves_apart: ClassVar[bool | None] = True
    mix: ClassVar[Mix | None] = AVERAGED
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("winner",)

    def __post_init__(self) -> None:
        require_positive(rate=self.rate)
        require_nonnegative(margin=self.margin, bias=self.bias)
        require(self.tie in TIES, f"tie must be one of {', '.join(TIES)}, got {self.tie!r}")

    @cached_property
    def params(self) -> AveragedParams:
        return AveragedParams(float(self.margin), TIES[self.tie], float(self.bias), 1.0, float(self.rate))

    def score(self, state: Weights, x: Row) -> float:
        return float(self.scores(state, Examples.row(x, 0))[0])

    def readout(self, state: Weights, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def factors(self) -> tuple[float, ...]:
        return (self.rate,)

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, self.rate, self.margin)

    def theorems(self) -> tuple[Theorem, ...]:
        return PERCEPTRON
