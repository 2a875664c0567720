"""DiagonalSecondOrder: the second-order perceptron with one number for each attribute instead of a matrix.

Keep the sum t of y x over the updates, and beside it the sum L_i of x_i^2. The score has the current row in the matrix:

    s = sum of x_i t_i / (ridge + L_i + x_i^2).

Predict the positive class when s > 0. When y s <= margin add y x to t and x_i^2 to L_i. Attributes that taught often
move little, at the cost of a Perceptron. A `bias` is a constant attribute of that value (0: none).

Theorem. For any u, with L at the end, sums over the updates and E = ridge |u|^2 + sum of u_i^2 L_i,

    updates <= sum (1 - y u.x)+ + sqrt(E (sum of ln(1 + L_i / ridge) + 2 sum (y s)+)),

where (y s)+ is at most the margin; with a margin of 0 it is not there, and the updates are at least the mistakes.
Proof. Let A_i = ridge + L_i before and A'_i after an update. As A' >= A, the sum of t_i^2 / A_i grows by at most 2 y s
+ sum of x_i^2 / A'_i, and x_i^2 / A'_i = 1 - A_i / A'_i <= ln(A'_i / A_i). And updates - sum (1 - y u.x)+ <= u.t, which
by Cauchy and Schwarz is at most sqrt(E) sqrt(sum of t_i^2 / A_i). (A score with the old A would break the sign of the
cross term.) In a network whose winners learn it holds over the blocks of all classes.

After N. Cesa-Bianchi, A. Conconi and C. Gentile. A second-order perceptron algorithm. SIAM Journal on Computing
34:640-668, 2005.

>>> from littlestone import play, Recorded
>>> AND = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 4, [False, False, False, True] * 4)
>>> game = play(DiagonalSecondOrder(), AND)
>>> game.updates, game.player.state.weights.tolist(), game.player.state.bias.tolist()  # t and L
(6, [1.0, 3.0, 1.0, 3.0], [-2.0, 6.0])
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import require_nonnegative, require_positive
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import StepRule, Theorem, make_regret_theorem
from littlestone.compiled import array_rule, kernel, read_attribute, read_value, rule
from littlestone.learners.shared.additive import Weights
from littlestone.learners.shared.inside import read_inside, read_rounds
from littlestone.learners.shared.linear import TIES, Calibrated
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rounds import BINS, EARLY, ONE, ROUNDS, TWO, UPDATES, Rounds, find_bin, find_entries
from littlestone.learners.shared.rules import Beside, Seen, keep_weight, take_all

REGRET = make_regret_theorem("Diagonal second order (after Cesa-Bianchi, Conconi and Gentile 2005)", "updates")


class DiagonalSecondOrderParams(NamedTuple):
    """What the loops read of a DiagonalSecondOrder."""

    enough: float
    tie: float
    constant: float
    times: float
    ridge: float


@rule
def step(seen: Seen, params: DiagonalSecondOrderParams) -> Any:
    """How far along y x the sums go: one row."""
    return 1.0


@rule
def add_square(squares: Any, value: Any, moved: Any, now: Any, params: DiagonalSecondOrderParams) -> Any:
    """L after a step."""
    return squares + np.float64(value) * np.float64(value)


@rule
def weigh(total: Any, squares: Any, value: Any, params: DiagonalSecondOrderParams) -> Any:
    """What an attribute adds to the score."""
    return value * total / ((params.ridge + squares) + value * value)


BESIDE = Beside(take_all, add_square, keep_weight, term=weigh)


@array_rule
def score_row(weights: Array, bias: Array, row: Any, params: Any) -> Any:
    """The score of a row."""
    total = 0.0
    for k in range(row.a, row.b):
        i = TWO * read_attribute(row.indices, k, row.a)
        total += weigh(weights[i], weights[i + ONE], np.float64(read_value(row.values, k)), params)
    if params.constant != 0:
        total += weigh(bias[0], bias[1], params.constant, params)
    return total


@array_rule
def play_rounds(state: Any, rounds: Any, guesses: Array, params: Any, told: Any) -> None:
    """The rounds of `replay`."""
    weights = state.weights
    bias = state.bias
    counts = state.counts
    labels = rounds.labels
    for t in range(labels.size):
        row = find_entries(rounds, t)
        now = counts[ROUNDS]
        score = score_row(weights, bias, row, params)
        guesses[t] = 1 if score > 0 else 0
        if told is not None:
            told[t] = score
        if now < EARLY or now & 15 == 0:
            state.scores[labels[t], find_bin(score)] += 1
        y = 1.0 if labels[t] else -1.0
        if y * score <= params.enough:
            for k in range(row.a, row.b):
                i = TWO * read_attribute(row.indices, k, row.a)
                value = np.float64(read_value(row.values, k))
                weights[i] += y * value
                weights[i + ONE] += value * value
            bias[0] += y * params.constant
            bias[1] += params.constant * params.constant
            counts[UPDATES] += 1
        counts[ROUNDS] = now + 1


@kernel
def replay(state: Any, rounds: Any, guesses: Array, params: Any, told: Any = None) -> None:
    """Play rounds; `told` is written the score of each, before its label."""
    play_rounds(state, rounds, guesses, params, told)


@array_rule
def write_scores(state: Any, rounds: Any, params: Any, out: Array) -> None:
    """The loop of `score_rows`."""
    for t in range(out.size):
        out[t] = score_row(state.weights, state.bias, find_entries(rounds, t), params)


@kernel
def score_rows(state: Any, rounds: Any, params: Any, out: Array) -> None:
    """The score of every row."""
    write_scores(state, rounds, params, out)


@final
@dataclass(frozen=True)
class DiagonalSecondOrder(Calibrated):
    """The second-order Perceptron with one number for each attribute.

    Args:
        ridge: What is added to each sum of squares, from 1e-30 to 1e30. Larger is nearer to the Perceptron.
        margin: Step also when y s <= margin, >= 0. Scores are small: 0.5 helps on many streams, 0 where targets drift.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    ridge: float = 1.0
    margin: float = 0.0
    bias: float = 1.0
    units: ClassVar[UnitLoops] = make_unit_loops(step, DiagonalSecondOrderParams, BESIDE)
    stride: ClassVar[int] = 2
    averaged: ClassVar[bool] = False
    real: ClassVar[Any] = np.float64  # of its state, whatever the rows are
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("winner",)
    unplanned: ClassVar[str] = "its bound depends on the rows that will come"

    def __post_init__(self) -> None:
        require_positive(ridge=self.ridge)
        require_nonnegative(margin=self.margin, bias=self.bias)

    @cached_property
    def params(self) -> DiagonalSecondOrderParams:
        """The record of numbers that the loops read."""
        return DiagonalSecondOrderParams(float(self.margin), TIES["strict"], float(self.bias), 1.0, float(self.ridge))

    def factors(self) -> tuple[float, ...]:
        return (self.ridge,)

    def start(self, size: Size, seed: int = 0) -> Weights:
        return Weights(np.zeros(2 * size.attributes), np.zeros(2), np.zeros(2, np.int64), np.zeros((2, BINS), np.int64))

    def grow(self, state: Weights, size: Size) -> Weights:
        more = 2 * size.attributes - len(state.weights)
        return state._replace(weights=np.concatenate((state.weights, np.zeros(more)))) if more > 0 else state

    def play(self, state: Weights, rounds: Rounds, guesses: Array, told: Array | None = None) -> int:
        replay(state, rounds, guesses, self.params, told)
        return len(rounds.labels)

    def tell(self, state: Weights, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and their scores before each label."""
        return self.play(state, read_inside(self, state, chunk), guesses, told[0])

    def predict(self, state: Weights, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def score(self, state: Weights, x: Row) -> float:
        """The score of x: positive for class 1."""
        out = np.zeros(1)
        score_rows(state, Rounds.of_one(x, 0), self.params, out)
        return float(out[0])

    def scores(self, state: Weights, chunk: Chunk) -> Array:
        out = np.zeros(len(chunk))
        score_rows(state, read_rounds(self, chunk), self.params, out)
        return out

    def readouts(self, state: Weights, chunk: Chunk) -> Array:
        return (self.scores(state, chunk) > 0).astype(np.int32)

    def step_rule(self) -> StepRule:
        """Along rows, by a rule of its own."""
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        return (REGRET,)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls(), cls(margin=0.5)]
