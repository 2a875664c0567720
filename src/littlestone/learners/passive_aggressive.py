"""PassiveAggressive: move as little as possible, but enough for a margin on this example.

Suffer the hinge loss l = max(0, margin - y w.x). When it is positive set w <- w + tau y x with

    tau = l / |x|^2                           variant "0", which reaches the margin at once,
    tau = min(aggressiveness, l / |x|^2)      variant "I", whose steps are capped,
    tau = l / (|x|^2 + 1 / (2 aggressiveness))   variant "II", whose steps are damped.

Theorem (margin 1). With |x| <= R and l(u) the hinge losses of any u, summed over all rounds, C the aggressiveness:

    "0", if l(u) = 0 on every round:   mistakes <= R^2 |u|^2
    "I":                               mistakes <= max(R^2, 1/C) (|u|^2 + 2 C sum l(u))
    "II":                              mistakes <= (R^2 + 1/(2C)) (|u|^2 + 2 C sum l(u)^2)

Proof of the first: an update lowers |w - u|^2 by tau (2 l - tau |x|^2) = l^2 / |x|^2, and l >= 1 on a mistake.

K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer. Online passive-aggressive algorithms. Journal of
Machine Learning Research 7:551-585, 2006.

>>> from littlestone import play, Recorded
>>> play(PassiveAggressive("0", bias=0), Recorded([[2.0, 0.0]], [True])).player.state.weights
array([0.5, 0. ])
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple, final

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.errors import NotCertified, require, require_nonnegative, require_positive
from littlestone.base.mixing import ADDITIVE, Mix
from littlestone.base.theorem import StepFacts, StepRule, Theorem
from littlestone.base.traits import PlanEntry
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import TIES, Linear
from littlestone.learners.shared.network_loops import UnitLoops, make_unit_loops
from littlestone.learners.shared.rules import Seen, square_length

Variant = Literal["0", "I", "II"]
PROMISES = {
    "0": "some u has u.z >= k, the learner's margin, on every update round",
    "I": "any comparator u, its losses (k - u.z)+ summed over the update rounds, k being the learner's margin",
    "II": "any comparator u, its losses (k - u.z)+ squared and summed over the update rounds, k the learner's margin",
}
LOSSES: dict[str, Literal["none", "hinge", "squared"]] = {"0": "none", "I": "hinge", "II": "squared"}


class PassiveAggressiveParams(NamedTuple):
    """What the loops read of a PassiveAggressive; `enough` is its margin."""

    enough: float
    tie: float
    constant: float
    times: float
    cap: float
    damping: float


@rule
def step(seen: Seen, params: PassiveAggressiveParams) -> Any:
    """tau: the loss over the squared length plus `damping`, at most `cap`."""
    square = square_length(seen.row, params)
    return min(params.cap, (params.enough - seen.agreement) / (square + params.damping)) if square > 0 else 0.0


@final
@dataclass(frozen=True)
class PassiveAggressive(Linear):
    """Move as little as possible, but enough for a margin on this example.

    Args:
        variant: "0" reaches the margin at once, for separable rounds; "I" caps its steps; "II" damps them.
        aggressiveness: The cap of "I", and the inverse of the damping of "II", > 0. Smaller resists wrong labels
            better.
        margin: The margin to reach, > 0. Only its ratio to the aggressiveness matters.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    variant: Variant = "I"
    aggressiveness: float = 1.0
    margin: float = 1.0
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(step, PassiveAggressiveParams)
    units: ClassVar[UnitLoops] = make_unit_loops(step, PassiveAggressiveParams)
    mix: ClassVar[Mix | None] = ADDITIVE
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("winner",)

    def __post_init__(self) -> None:
        require(self.variant in ("0", "I", "II"), f'variant must be "0", "I" or "II", got {self.variant!r}')
        require_positive(aggressiveness=self.aggressiveness, margin=self.margin)
        require_nonnegative(bias=self.bias)

    @cached_property
    def params(self) -> PassiveAggressiveParams:
        cap = float(self.aggressiveness) if self.variant == "I" else inf
        damping = 0.5 / self.aggressiveness if self.variant == "II" else 0.0
        return PassiveAggressiveParams(float(self.margin), TIES["strict"], float(self.bias), 1.0, cap, damping)

    def factors(self) -> tuple[float, ...]:
        return (self.aggressiveness, self.margin)

    def step_rule(self) -> StepRule:
        return StepRule(self.bias, exact=False)

    def theorems(self) -> tuple[Theorem, ...]:
        k, C = Fraction(self.margin), Fraction(self.aggressiveness)

        def allows(f: StepFacts, m: int) -> bool:
            """Each mistake lowers |w - u|^2 by at least a fixed amount, losses raise it."""
            distance = f.norm - 2 * f.ahead + f.begun
            if self.variant == "0":
                clean = "variant 0 is bounded only where some u has the margin on every update round"
                require(f.shortfall == 0, clean, NotCertified)
                return m * k**2 <= f.reach * distance
            if self.variant == "I":
                return m <= max(f.reach / k**2, 1 / (C * k)) * (distance + 2 * C * f.shortfall)
            return m * k**2 <= (f.reach + 1 / (2 * C)) * (distance + 2 * C * f.squares)

        name = f"Passive-aggressive {self.variant} (Crammer and others 2006)"
        price = {"0": None, "I": float(k / C), "II": float(1 / (2 * C))}[self.variant]
        losses = LOSSES[self.variant]
        formula = "R^2 |u|^2 / g^2" if self.variant == "0" else ""
        return (Theorem(name, PROMISES[self.variant], allows, "steps", "mistakes", formula, losses, float(k), price),)

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        if not assumptions.drift:
            comparator = Comparator.of(assumptions)
            yield from cls("0", bias=comparator.bias).promise(assumptions, comparator)
