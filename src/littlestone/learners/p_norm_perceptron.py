"""p-norm perceptron: the perceptron seen through a link, between Perceptron (p = 2) and Winnow (p large).

Add the examples erred on into t: when y w.x <= 0, t <- t + y x. The weights are the gradient of |t|_p^2 / 2, that is
w_i = sgn(t_i) |t_i|^(p-1) / |t|_p^(p-2); predict the positive class when w.x > 0. The common factor changes no sign and
is left out here, so a score is known up to it. A `bias` is a constant attribute of that value (0: none).

Theorem (Grove, Littlestone and Schuurmans 2001; Gentile 2003). Let p >= 2, 1/p + 1/q = 1, and |x|_p <= R on the update
rounds. If y u.x >= g > 0 on them, then

    updates <= (p - 1) R^2 |u|_q^2 / g^2;

with p = 2 ln d, for d >= 3 attributes, at most e (2 ln d - 1) (max |x_i| |u|_1 / g)^2. Proof sketch. An update adds at
least g to u.t, which is at most |u|_q |t|_p by Hölder, and to |t|_p^2 / 2 it adds y w.x <= 0 and a second-order term of
at most (p - 1) |x|_p^2 / 2. So (k g)^2 <= |u|_q^2 (p - 1) R^2 k after k updates.

On any rounds, for any u and with sums over the update rounds, k <= sum (1 - y u.x)+ + |u|_q sqrt((p - 1) sum |x|_p^2).

A. J. Grove, N. Littlestone and D. Schuurmans. General convergence results for linear discriminant updates. Machine
Learning 43:173-210, 2001. C. Gentile. The robustness of the p-norm algorithms. Machine Learning 53:265-299, 2003.

>>> from littlestone import play, Recorded
>>> game = play(PNormPerceptron(power=3, bias=0), Recorded([[1, 2], [1, -1]], [True, False]))
>>> game.updates, game.player.state.weights[1::2], game.player.state.weights[::2]
(1, array([1., 2.]), array([1., 4.]))
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, final

import numpy as np

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.bound import Bound, round_up
from littlestone.base.domain import NOWHERE, WIDE, Domain
from littlestone.base.errors import NotCertified, require, require_nonnegative
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import StepFacts, StepRule, Theorem, make_regret_theorem
from littlestone.base.traits import PlanEntry, Planned, Promises
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, Weights, make_additive_loops
from littlestone.learners.shared.linear import HINGE, TIES, Linear
from littlestone.learners.shared.rules import Beside, Seen

THEOREM = "p-norm perceptron (Grove, Littlestone and Schuurmans 2001, Gentile 2003)"

REGRET = make_regret_theorem(
    "p-norm perceptron, hinge loss (Grove, Littlestone and Schuurmans 2001, Gentile 2003)", "updates"
)


class PNormParams(NamedTuple):
    """What the loops read of a PNormPerceptron."""

    enough: float
    tie: float
    constant: float
    times: float
    power: float
    limit: float  # of sums that may grow


@rule
def step(seen: Seen, params: PNormParams) -> Any:
    """How far along y x the sums go: one row, or not a number if one of them is beyond the limit."""
    return 1.0 if seen.spread == 0 else np.nan


@rule
def take_all_below(total: Any, moved: Any, params: PNormParams) -> Any:
    """Every sum takes the whole step; asked how it spreads a step of nothing, one beyond the limit says so."""
    return 1.0 if moved != 0 else 1.0 * (abs(total) > params.limit)


@rule
def add_row(total: Any, value: Any, moved: Any, now: Any, params: PNormParams) -> Any:
    """t after a step."""
    return total + moved


@rule
def apply_link(weight: Any, total: Any, params: PNormParams) -> Any:
    """sgn(t) |t|^(p-1)"""
    return math.copysign(math.pow(abs(total), params.power - 1.0), total)


BESIDE = Beside(take_all_below, add_row, apply_link, spread=True)


@final
@dataclass(frozen=True)
class PNormPerceptron(Linear, Promises, Planned):
    """A Perceptron whose weights are a power of its sums: between the Perceptron and Winnow.

    Args:
        power: p, from 2 to 1000. 2 is the Perceptron; about 2 ln(attributes) suits targets with few large weights
            (`tuned`). |x|^p must be from 2^-900 to 2^900 for the largest value x of a row.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    power: float = 2.0
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(step, PNormParams, BESIDE)
    stride: ClassVar[int] = 2

    def __post_init__(self) -> None:
        require(2 <= self.power <= 1000, f"power must be at least 2 and at most 1000, got {self.power}")
        require_nonnegative(bias=self.bias)

    @classmethod
    def tuned(cls, attributes: int, bias: float = 1.0) -> Self:
        """p = 2 ln d, for a u of few large entries among d attributes; d counts the bias."""
        return cls(max(2.0, 2 * math.log(max(1, attributes + (bias != 0)))), bias)

    @cached_property
    def params(self) -> PNormParams:
        limit = 2.0 ** (980 / self.power) - 2.0 ** (900 / self.power)
        return PNormParams(0.0, TIES["strict"], float(self.bias), 1.0, float(self.power), limit)

    @cached_property
    def domains(self) -> dict[int, Domain]:
        """Weights are powers of sums, and scores those of one order more: |x|^p is from 2^-900 to 2^900."""
        top = min(WIDE.most, 2.0 ** (900 / self.power))
        return {8: Domain(1 / top, top) if not self.bias or 1 / top <= self.bias <= top else NOWHERE}

    def start(self, size: Size, seed: int = 0) -> Weights:
        return Linear.start(self, size._replace(real=np.float64))  # powers outgrow float32

    def bound(self, margin: float | Fraction = 0, radius: float | Fraction = 1, norm: float | Fraction = 1) -> Bound:
        """For y u.x >= margin, |x|_p <= radius and |u|_q <= norm, the bias counted."""
        if not margin > 0:
            raise NotCertified(f"the bound needs a positive margin, got {margin}")
        require(radius > 0 and norm > 0, f"radius and norm must be positive, got {radius} and {norm}")
        ratio = Fraction(radius) * Fraction(norm) / Fraction(margin)
        about = f"some u has R |u|_q / margin <= {float(ratio):.6g} on every update round"
        promise = f"{about}, |x|_p <= R there, p = {self.power:.6g}"
        return Bound(THEOREM, promise, (Fraction(self.power) - 1) * ratio * ratio, counts="updates")

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        return (REGRET,)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls.tuned(max(2, width))]

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        a = assumptions
        c = Comparator.of(assumptions)
        n = assumptions.attributes
        if n < 3 or a.drift:
            return
        p = cls.tuned(n, bias=c.bias)
        lost = c.shortfall * a.flips
        radius = c.active ** (1 / p.power)
        norm = c.norm(p.power / (p.power - 1))
        square = round_up(norm**2)
        reach = round_up((p.power - 1) * radius**2)
        value = HINGE.value(StepFacts(square, reach, c.margin, lost))
        shape = "(p - 1) |x|_p^2 |u|_q^2 / g^2" if not lost else "the same with |u|_q and (p - 1) |x|_p^2"
        yield PlanEntry(p, value, "updates", f"{shape}, p = 2 ln n", 8.0 * a.most, 16.0 * n)
