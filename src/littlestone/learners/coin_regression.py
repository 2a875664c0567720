"""Coin regression: bet a share of a wealth on each attribute, for the median, a quantile or a robust mean; no rates.

It is the rule of `Coin` for losses of a label y and a prediction s whose slope is at most 1:

    absolute   |y - s|, for the median
    pinball    quantile (y - s) where s is too small, (1 - quantile)(s - y) where it is too large, for that quantile
    huber      (y - s)^2 / (2 d) where |y - s| < d, else |y - s| - d / 2, d being width times the largest |y| so far

With G_i the sum of the steps a = -(slope) x_i, S_i that of their squares, M_i the largest size of a value of i so far,
the present one included, and r^2 = S_i + M_i^2, the prediction is the sum of w_i x_i with

    w_i = e_i v_i,    v_i = clip(G_i / r, -1, 1) / (2 r),    then e_i <- e_i (1 + a v_i).

The wealth e_i is at first `wealth` times the largest |y| so far, that of the round in which i is first met included;
until then G_i = 0, so that no prediction depends on it. Multiplying a column by a number changes no prediction, and
multiplying the labels by one multiplies all predictions by it. With a constant attribute labels are counted from the
first one, of which the first round says 0, so that labels far from zero are not bets on a far constant: y above is the
label less the first one, and the prediction that much less too. Adding a number to all labels then changes no error but
the first one's.

Theorem (after Kempka, Kotlowski and Warmuth 2019). For every u on every stream, with r at the end, E_i the wealth at
first, Q_i the sum of a^2 / r^2 over the rounds, and sums over attributes,

    loss <= loss of u + sum of E_i + 2 |u_i| r_i max(0, ln(2 |u_i| r_i / E_i) + Q_i / 2 - 3/4).

Proof. As for `Coin`, whose proof needs of the loss that it is convex in the prediction, with slopes from -1 to 1, and
of the wealth that it is given before the first step. The loss may be another one in every round. Labels from the first
one on are labels; what the first round lost, its own label's loss, is added.

M. Kempka, W. Kotlowski and M. K. Warmuth. Adaptive scale-invariant online algorithms for learning linear models.
International Conference on Machine Learning, 2019.

>>> from littlestone import Recorded, play
>>> game = play(CoinRegression(), Recorded([[1.0]] * 200, [3.0, 5.0, 100.0, 4.0] * 50))
>>> 3 <= game.player.predict([1.0]) <= 5
True
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, final

from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.number_assumptions import NumberAssumptions
from littlestone.base.theorem import Theorem, make_loss_theorem
from littlestone.base.traits import PlanEntry
from littlestone.compiled import U, long_rule, rule
from littlestone.learners.experts.pricing import price_pinball
from littlestone.learners.shared.first_order_members import make_first_order
from littlestone.learners.shared.forecast_bench import add_compensated
from littlestone.learners.shared.forecaster_state import SAID, Members
from littlestone.learners.shared.number_promises import bound_bets
from littlestone.learners.shared.regression_learner import RegressionLearner
from littlestone.learners.shared.regression_loops import (
    LARGEST,
    RegressionParams,
    RegressionRule,
    make_regression_loops,
)

FORMULA = "e + (F + N L + the sum of 2 v r (ln(2 v r G / L) + lg((T + 1) G^2) / 2 - 3/4)) / T, L <= D"
CRITERIA = ("absolute", "pinball", "huber")
ABSOLUTE, PINBALL, HUBER = range(3)
shrink_bet, score_bets, learn_bets = make_first_order(0, 1)
PURSE = U(2)  # where the wealth stands among the numbers of an attribute


@rule
def find_pull(short: Any, reach: Any, params: Any) -> Any:
    """Minus the slope of the loss of a prediction that falls `short` of the label."""
    side = 1.0 if short > 0 else -1.0 if short < 0 else 0.0
    if params.criterion == PINBALL:
        return params.quantile if side > 0 else (params.quantile - 1.0) * -side
    return short / reach if params.criterion == HUBER and abs(short) < reach else side


@rule
def price_short(criterion: Any, short: Any, quantile: Any, reach: Any) -> Any:
    """The loss of a prediction that falls `short` of the label."""
    if criterion == PINBALL:
        return price_pinball(short, quantile)
    if criterion == HUBER:
        return short * short / (2.0 * reach) if abs(short) < reach else abs(short) - 0.5 * reach
    return abs(short)


@long_rule
def say(bench: Any, state: Any, count: Any, params: Any) -> Any:
    """The sum of the bets."""
    found = bench.found
    start = U(bench.rows.lead)
    score_bets(bench.rows.reals, start, bench.reading, count, found.pulls, found.scores, U(0))
    return found.scores[0]


@long_rule
def learn(bench: Any, state: Any, count: Any, y: Any, said: Any, importance: Any, params: Any) -> Any:
    """Give new attributes their wealth, let the bets win or lose, and note what was lost."""
    labels = state.labels
    reals = bench.rows.reals
    start = U(bench.rows.lead)
    reach = params.width * labels[LARGEST]
    add_compensated(state.losses, SAID, importance * price_short(params.criterion, y - said, params.quantile, reach))
    if labels[LARGEST] > 0:  # while all labels are zero there is nothing to learn
        for j in range(count):
            purse = bench.reading.starts[j] + start + PURSE
            if reals[purse] == 0:
                reals[purse] = params.wealth * labels[LARGEST]
        bench.found.pulls[0] = importance * find_pull(y - said, reach, params)
        learn_bets(reals, start, bench.reading, count, bench.found.pulls, U(0))


@final
@dataclass(frozen=True)
class CoinRegression(RegressionLearner):
    """Medians, quantiles and robust means without a rate; columns and labels may be in any units.

    Args:
        criterion: The loss: "absolute", "pinball" or "huber".
        quantile: Which quantile the pinball loss is for, between 0 and 1.
        width: Up to which share of the largest label an error counts by its square with "huber", > 0.
        wealth: What there is to bet on each attribute at first, over the largest label, > 0.
        bias: Whether there is a constant attribute, and labels are counted from the first one; 0: neither.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
    """

    criterion: Literal["absolute", "pinball", "huber"] = "absolute"
    quantile: float = 0.5
    width: float = 0.1
    wealth: float = 1.0
    bias: float = 1.0
    guard: bool = False

    loops: ClassVar = make_regression_loops(RegressionRule(shrink_bet, say, learn))

    def __post_init__(self) -> None:
        require(self.criterion in CRITERIA, f"criterion must be one of {', '.join(CRITERIA)}, got {self.criterion!r}")
        require(0 < self.quantile < 1, f"quantile must be between 0 and 1, got {self.quantile}")
        require_positive(width=self.width, wealth=self.wealth)
        require_nonnegative(bias=self.bias)

    @cached_property
    def members(self) -> Members:
        return Members(wealths=(0.0,), bytes=8)  # zero: an attribute gets its wealth when it is met

    @cached_property
    def params(self) -> RegressionParams:
        criterion = CRITERIA.index(self.criterion)
        constant = bool(self.bias)
        return RegressionParams(
            self.guard, constant, constant, 1.0, float(self.wealth), criterion, float(self.quantile), float(self.width)
        )

    def theorems(self) -> tuple[Theorem, ...]:
        name = "CoinRegression, loss of slope at most 1 (Kempka, Kotlowski and Warmuth 2019)"
        return (make_loss_theorem(name, "numbers", f"{'Huber' if self.criterion == 'huber' else self.criterion} loss"),)

    @classmethod
    def plan(cls, assumptions: NumberAssumptions) -> Iterator[PlanEntry]:
        bound = bound_bets(assumptions, cls.wealth)
        rows = assumptions.attributes + 1
        yield PlanEntry(cls(), bound, "mean error", FORMULA, float(assumptions.most + 1), 40.0 * rows)

    def loss(self, guess: float, y: float, /) -> float:
        """What a round costs; by Huber's loss as an absolute error, since its reach changes from round to round."""
        criterion = PINBALL if self.criterion == "pinball" else ABSOLUTE
        return float(price_short(criterion, y - guess, self.quantile, 0.0))
