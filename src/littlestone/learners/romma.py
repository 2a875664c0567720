"""ROMMA: the shortest weights with margin 1 on this example that agree with the last weights.

When y w.x <= 0 (`aggressive`: < 1) set w to the shortest v with y v.x >= 1 and v.w >= |w|^2. It is c w + d y x with

    c = (|x|^2 |w|^2 - y w.x) / q,   d = |w|^2 (1 - y w.x) / q,   q = |x|^2 |w|^2 - (w.x)^2,

or y x / |x|^2 alone if w = 0 or, for an aggressive update, if |x|^2 |w|^2 <= y w.x. If there is no such v, x being
parallel to w, or |v| |x| > 2^20, then w starts again as y x / |x|^2. A `bias` is a constant attribute of that value (0:
none).

Theorem (Li and Long 2002). If some u has y u.x >= g > 0 on every update round and |x| <= R there, then

    updates (aggressive: mistakes) <= R^2 |u|^2 / g^2.

Proof. Let g = 1. If u.w >= |w|^2, then u is one of the v among which the next w is the shortest, and as these are a
convex set u.w >= |w|^2 for the next w too; so |w| <= |u| always. Since v.w >= |w|^2, |v|^2 >= |w|^2 + |v - w|^2, and at
a mistake |v - w| >= (y v.x - y w.x) / |x| >= 1 / R: it raises |w|^2 by 1 / R^2 at least, and no update lowers it. That
w starts again happens only if |u| R >= |v| |x| > 2^20, where the bound is more than the rounds of any game.

Y. Li and P. M. Long. The relaxed online maximum margin algorithm. Machine Learning 46:361-387, 2002.

>>> from littlestone import play, Recorded
>>> game = play(Romma(bias=0), Recorded([[2.0, 0.0], [-1.0, 1.0]], [True, True]))
>>> game.player.learner.plane(game.player.state)[0].ravel()  # (1/2, 0); then v.(1/2, 0) >= 1/4 and v.(-1, 1) >= 1
array([0.5, 1.5])
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.domain import Domain
from littlestone.base.errors import NotCertified, require, require_nonnegative
from littlestone.base.theorem import StepFacts, StepRule, Theorem
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import NOVIKOFF, TIES, ScaledLinear
from littlestone.learners.shared.rules import Seen, Step, square_length

BELOW_ONE = float(np.nextafter(1.0, 0.0))  # an agreement of 1 teaches nothing
LONGEST = 2.0**40  # |x|^2 |v|^2 beyond which w starts again


class RommaParams(NamedTuple):
    """What the loops read of a Romma."""

    enough: float
    tie: float
    constant: float
    times: float


@rule
def step(seen: Seen, params: RommaParams) -> Any:
    """c and d, or nothing of w and 1 / |x|^2."""
    square = square_length(seen.row, params)
    if square == 0:
        return Step(1.0, 0.0)
    product = square * seen.weights
    rest = product - seen.agreement * seen.agreement
    if product <= seen.agreement or product * (product - 2.0 * seen.agreement + 1.0) > LONGEST * rest:
        return Step(0.0, 1.0 / square)
    return Step((product - seen.agreement) / rest, seen.weights * (1.0 - seen.agreement) / rest)


@final
@dataclass(frozen=True)
class Romma(ScaledLinear):
    """The relaxed online maximum margin algorithm: the shortest weights that agree with this example and the last ones.

    Args:
        aggressive: Whether a round also teaches when 0 < y w.x < 1. More updates, larger margins, no more mistakes.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    aggressive: bool = False
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(step, RommaParams, scaling=True)

    def __post_init__(self) -> None:
        require_nonnegative(bias=self.bias)

    @cached_property
    def params(self) -> RommaParams:
        return RommaParams(BELOW_ONE if self.aggressive else 0.0, TIES["strict"], float(self.bias), 1.0)

    @cached_property
    def domains(self) -> dict[int, Domain]:
        """Its rule multiplies (|x| |w|)^2 with itself, and |w| may be 2^20 over the length of another row."""
        return {8: Domain(2.0**-100, 2.0**100)}

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        def allows(f: StepFacts, m: int) -> bool:
            """|w|^2 rises by 1 / R^2 and stays below |u|^2, if u agreed with the rounds before."""
            require(f.ahead >= f.margin * f.begun, "the target had no such margin on earlier rounds", NotCertified)
            return m * f.margin**2 <= f.reach * (f.norm - f.margin**2 * f.begun)

        counts = "mistakes" if self.aggressive else "updates"
        return (NOVIKOFF._replace(name="ROMMA (Li and Long 2002)", possible=allows, counts=counts),)
