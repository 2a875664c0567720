"""ALMA: nearly the largest margin, by steps that become smaller inside the unit ball.

Rows count at length 1. Before update k = 1, 2, ... a round teaches if y w.x / |x| <= (1 - alpha) B / sqrt(k), and then

    w <- w + C / sqrt(k) y x / |x|,    w <- w / |w| if that is longer than 1,

B being the `margin` and C the `rate`. A `bias` is a constant attribute of that value (0: none).

Theorem (after Gentile 2001). Let z = y x / |x| on the m update rounds, and A = C^2 + 2 (1 - alpha) B C, or 1, or in the
second line 2, if that is more. If some u has u.z >= g > 0 on all of them, then the first line, and for any u and g > 0,
with D the sum of the shortfalls (g - u.z)+, the second:

    m <= A + ((A + 1) |u| / (2 C g))^2,        C (m g - D) <= |u| sqrt(A (A m + 1)).

With B = sqrt(8) / alpha and C = sqrt(2), A is 8 / alpha - 6, and once no row teaches any more w has margin
(1 - alpha) g on all of them, g being the largest that a u of length 1 has.

Proof. |w + C z / sqrt(k)|^2 <= 1 + A / k, so update k divides by an N_k <= sqrt(1 + A / k) <= (1 + 1 / k)^(A/2). Let
P_k = N_1 ... N_(k-1). The sum of P_k C z_k / sqrt(k) is P_(m+1) w, no longer than P_(m+1) <= P_k ((m + 1) / k)^(A/2):
|u| >= C g sum k^((A-1)/2) / (m + 1)^(A/2) >= 2 C g / (A + 1) sqrt(m) (m / (m + 1))^(A/2), and m (m / (m + 1))^A is at
least m - A. Second line: with a_k = u.w before update k, and d_k the shortfall, add up C (g - d_k) <= sqrt(k) (N_k
a_(k+1) - a_k). The right sides make sqrt(m + 1) a_(m+1) + sum (N_k sqrt(k) - sqrt(k + 1)) a_(k+1), |a_k| <= |u|, and no
bracket is larger than (A - 1) / (2 sqrt(k)): at most |u| (sqrt(m + 1) + (A - 1) sqrt(m)) in all. Square it.

C. Gentile. A new approximate maximal margin classification algorithm. Journal of Machine Learning Research 2:213-242,
2001 (p = 2; there with slightly larger constants).

>>> from littlestone import play, Recorded
>>> game = play(Alma(bias=0), Recorded([[3.0, 4.0]], [True]))
>>> game.player.learner.plane(game.player.state)[0].ravel().round(12)  # a step of sqrt(2), cut to length 1
array([0.6, 0.8])
>>> Alma(alpha=1).theorems()[0].value(StepFacts(norm=Fraction(4), reach=Fraction(1), margin=Fraction(1)))  # 2 + 4.5
6
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.theorem import StepFacts, StepRule, Theorem
from littlestone.base.traits import PlanEntry
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import ANY, NOVIKOFF, TIES, ScaledLinear
from littlestone.learners.shared.rules import Seen, Step, square_length


class AlmaParams(NamedTuple):
    """What the loops read of an Alma; `asked` is (1 - alpha) B."""

    enough: float
    tie: float
    constant: float
    times: float
    asked: float
    rate: float


@rule
def step(seen: Seen, params: AlmaParams) -> Any:
    """Go C / sqrt(k) along y x / |x|, and back into the ball."""
    square = square_length(seen.row, params)
    root = np.sqrt(seen.updates + 1.0)
    length = np.sqrt(square)
    if square == 0 or seen.agreement * root > params.asked * length:
        return Step(1.0, 0.0)
    along = params.rate / (root * length)
    after = seen.weights + 2.0 * along * seen.agreement + along * along * square
    factor = 1.0 / np.sqrt(after) if after > 1 else 1.0
    return Step(factor, factor * along)


@final
@dataclass(frozen=True)
class Alma(ScaledLinear):
    """The approximate large margin algorithm: a margin within a factor 1 - alpha of the largest.

    Args:
        alpha: How much of the largest margin may be missed, in (0, 1]. Smaller means more updates and a larger margin.
        margin: B, > 0: update k is made up to (1 - alpha) B / sqrt(k). None: sqrt(8) / alpha, as the theorem wants it.
        rate: C, > 0: update k steps by C / sqrt(k).
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    alpha: float = 0.5
    margin: float | None = None
    rate: float = sqrt(2)
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(step, AlmaParams, scaling=True)

    def __post_init__(self) -> None:
        require(0 < self.alpha <= 1, f"alpha must be in (0, 1], got {self.alpha}")
        require_positive(rate=self.rate, **({} if self.margin is None else {"margin": self.margin}))
        require_nonnegative(bias=self.bias)

    def factors(self) -> tuple[float, ...]:
        return (self.rate,)

    @property
    def _asked(self) -> float:
        return (1 - self.alpha) * (sqrt(8) / self.alpha if self.margin is None else self.margin)

    @cached_property
    def params(self) -> AlmaParams:
        enough = inf if self._asked else 0.0  # the rule itself decides which rounds teach
        return AlmaParams(enough, TIES["strict"], float(self.bias), 1.0, self._asked, float(self.rate))

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, normalized=True, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        C = Fraction(self.rate)
        whole = C**2 + 2 * Fraction(self._asked) * C
        one, two = max(whole, Fraction(1)), max(whole, Fraction(2))

        def allows(f: StepFacts, m: int) -> bool:
            return m <= one or 4 * (C * f.margin) ** 2 * (m - one) <= (one + 1) ** 2 * f.norm

        def allows_hinge(f: StepFacts, m: int) -> bool:
            rest = m * f.margin - f.shortfall
            return rest <= 0 or (C * rest) ** 2 <= f.norm * two * (two * m + 1)

        formula = "A + ((A + 1) |u| / (2 C g))^2, A = C^2 + 2 (1 - alpha) B C"
        first = Theorem("ALMA (Gentile 2001)", NOVIKOFF.promise, allows, formula=formula)
        return first, Theorem("ALMA, hinge loss (Gentile 2001)", ANY, allows_hinge, losses="hinge")

    def promise(self, assumptions: Assumptions, c: Comparator) -> Iterator[PlanEntry]:
        if not assumptions.flips:  # y u.x / |x| is at least the margin over the root of the active attributes
            theorem = self.theorems()[0]
            facts = StepFacts(c.square * c.active, Fraction(1), c.margin)
            n = assumptions.attributes
            most = float(assumptions.most)
            yield PlanEntry(self, theorem.value(facts), theorem.counts, theorem.formula, most, 8.0 * n)
