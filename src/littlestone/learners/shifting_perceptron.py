"""Shifting Perceptron: a Perceptron that forgets, for targets that move.

Predict the positive class when w.x > 0. When y w.x <= 0, at the k-th update, set

    w <- (1 - b) w + b y x,        b = shift / (shift + k).

With shift s = 1 this is the Perceptron, its weights divided by k + 1; with a larger one earlier examples count less,
in proportion to f(k) = (k + 1) ... (k + s - 1). A `bias` c is a constant attribute of value c (0: none).

Theorem (after Cavallanti, Cesa-Bianchi and Gentile 2007; the constants are ours). Let |x| <= R on the m update rounds.
For any vectors u_1, ..., u_m, one for each of them, and any g > 0, with D the sum of the shortfalls (g - y u_k.x)+ and
d_k = |u_(k+1) - u_k|,

    m g <= s D + s R (|u_m| sqrt(m) + sum over k < m of d_k sqrt(k) f(k) / f(m)).

A move costs less the earlier it was; without one, and with h the smaller of m and (m + s)^(2s-1) / ((2s - 1)
(m + s - 1)^(2s-2)), which is nearly m / (2s - 1),

    (m g - s D)^2 <= s^2 R^2 |u|^2 h        if m g > s D.

Proof. Let p_k be the product of (s + j) / j over j <= k, and v_k = p_k w_k. Then v_k = v_(k-1) + f_k y x with f_k = p_k
b_k = f(k) / (s - 1)!, and y v_(k-1).x <= 0: |v_k|^2 <= R^2 (f_1^2 + ... + f_k^2) <= R^2 k f_k^2, f being no smaller
later. Likewise u_m.v_m is at least the sum of f_k (g - shortfall) less that of d_k |v_k|; the f_k sum to
p_m - 1, which is at least f_m m / s because p_m = f_m (m + s) / s and f_m >= 1. Divide by f_m. Finally f_k / f_m <=
((k + s - 1) / (m + s - 1))^(s-1), and the sum of the squares of these is below an integral.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile. Tracking the best hyperplane with a simple budget Perceptron. Machine
Learning 69:143-167, 2007.

>>> from littlestone import play, Recorded
>>> game = play(ShiftingPerceptron(shift=2, bias=0), Recorded([[1.0, 0.0], [-1.0, 1.0]], [True, True]))
>>> game.player.learner.plane(game.player.state)[0].ravel()  # (2/3, 0), then half of it and half of (-1, 1)
array([-0.16666667,  0.5       ])
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

from littlestone.base.errors import NotCertified, require, require_nonnegative
from littlestone.base.learner import Learner
from littlestone.base.theorem import StepFacts, StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import ANY, NOVIKOFF, TIES, ScaledLinear
from littlestone.learners.shared.rules import Seen, Step

MOST = 64  # the largest shift: powers of exact fractions grow with it


class ShiftingParams(NamedTuple):
    """What the loops read of a shifting Perceptron."""

    enough: float
    tie: float
    constant: float
    times: float
    shift: float


@rule
def step(seen: Seen, params: ShiftingParams) -> Any:
    """Keep k / (shift + k) of w and add the rest along y x."""
    number = seen.updates + 1.0
    return Step(number / (params.shift + number), params.shift / (params.shift + number))


@final
@dataclass(frozen=True)
class ShiftingPerceptron(ScaledLinear):
    """A Perceptron that forgets, for targets that move.

    Args:
        shift: How fast earlier examples fade, a whole number from 1 (not at all: the Perceptron) to 64.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    shift: int = 2
    bias: float = 1.0
    planned: ClassVar[bool] = False  # where nothing moves the Perceptron promises more
    loops: ClassVar[Loops] = make_additive_loops(step, ShiftingParams, scaling=True)

    def __post_init__(self) -> None:
        whole = type(self.shift) is int
        require(whole and 1 <= self.shift <= MOST, f"shift must be a whole number in [1, {MOST}], got {self.shift}")
        require_nonnegative(bias=self.bias)

    @cached_property
    def params(self) -> ShiftingParams:
        return ShiftingParams(0.0, TIES["strict"], float(self.bias), 1.0, float(self.shift))

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return []  # as a plan: it is for targets that are known to move

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        s = self.shift

        def allows(f: StepFacts, m: int) -> bool:
            require(f.begun == 0, "the theorem is about a game from its start", NotCertified)
            rest = m * f.margin - s * f.shortfall
            late = Fraction((m + s) ** (2 * s - 1), (2 * s - 1) * (m + s - 1) ** (2 * s - 2)) if m else Fraction(0)
            return rest <= 0 or rest**2 <= s * s * f.norm * (f.reach + f.excess) * min(late, Fraction(m))

        name = "Shifting Perceptron (after Cavallanti, Cesa-Bianchi and Gentile 2007)"
        hinge = Theorem(name, ANY, allows, losses="hinge")
        return hinge._replace(name=f"{name}, no shortfall", promise=NOVIKOFF.promise, losses="none"), hinge
