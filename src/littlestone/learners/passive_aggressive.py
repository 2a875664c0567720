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

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple, final

from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.mixing import ADDITIVE, Mix
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, additive
from littlestone.learners.shared.linear import TIES, Linear
from littlestone.learners.shared.network_loops import UnitLoops, attribute_major
from littlestone.learners.shared.rules import Seen, squared_length

Variant = Literal["0", "I", "II"]


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
    square = squared_length(seen.row, params)
    return min(params.cap, (params.enough - seen.agreement) / (square + params.damping)) if square > 0 else 0.0


@final
@dataclass(frozen=True)
class PassiveAggressive(Linear):
    """Passive-aggressive classification; the module docstring has the three variants and their theorems."""

    variant: Variant = "I"
    aggressiveness: float = 1.0
    margin: float = 1.0
    bias: float = 1.0
    loops: ClassVar[Loops] = additive(step, PassiveAggressiveParams)
    units: ClassVar[UnitLoops] = attribute_major(step, PassiveAggressiveParams)
    mix: ClassVar[Mix | None] = ADDITIVE

    def __post_init__(self) -> None:
        require(self.variant in ("0", "I", "II"), f'variant must be "0", "I" or "II", got {self.variant!r}')
        require_positive(aggressiveness=self.aggressiveness, margin=self.margin)
        require_nonnegative(bias=self.bias)

    @cached_property
    def params(self) -> PassiveAggressiveParams:
        cap = float(self.aggressiveness) if self.variant == "I" else inf
        damping = 0.5 / self.aggressiveness if self.variant == "II" else 0.0
        return PassiveAggressiveParams(float(self.margin), TIES["strict"], float(self.bias), 1.0, cap, damping)
