"""ImprovedMajority: the weighted majority with half of its mistakes, by a better coin.

Weights as in weighted majority; with r the share of the weight that says 1, say 1 with probability F(r), where F is 0
up to 1/2 - c, 1 from 1/2 + c and a straight line between, c = (1+b) ln(2/(1+b)) / (2 (1-b)), b the penalty; or,
with `shape="vovk"`, F(r) = ln(1-r+rb) / (ln(1-r+rb) + ln(r+(1-r)b)).

Theorem. On any sequence, with L the smallest charge (the loss of the best of N experts, if none slept),

    expected mistakes <= (L ln(1/b) + ln N) / (2 ln(2 / (1+b))),        exactly half of weighted majority's bound.

Proof. Let k = 2 ln(2/(1+b)). If the outcome is 1 the weight awake falls at least to the share r + (1-r) b, if it is 0
to 1-r + rb, and both curves satisfy 1 + ln(r+(1-r)b)/k <= F(r) <= -ln(1-r+rb)/k: there is room between, because the
product of the two shares is at most ((1+b)/2)^2. So each expected loss is at most ln(W before / W after) / k. Sum up.

Tuned for L <= K: b = 1 / (1 + 2z + z^2 / ln 2), z = sqrt(ln N / K), gives L + sqrt(K ln N) + lg(N)/2 at most.

N. Cesa-Bianchi, Y. Freund, D. Haussler, D. Helmbold, R. Schapire and M. Warmuth. How to use expert advice. Journal of
the ACM 44:427-485, 1997. V. Vovk. Aggregating strategies. COLT 1990.

>>> ImprovedMajority(penalty=0).bound(experts=8, best_loss=0).value >= 1.5  # lg(8) / 2
True
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import ClassVar, Literal, Self, final

from littlestone.base.errors import require
from littlestone.learners.experts.contract import VotingExperts, refuse_zero, to_rate
from littlestone.learners.experts.pools import COIN, ExpertPool, Params, RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem
from littlestone.learners.experts.threads import play_by_weight

CURVES = ("linear", "vovk")


@final
@dataclass(frozen=True)
class ImprovedMajority(VotingExperts):
    """The weighted majority with a better coin.

    Args:
        penalty: What a weight is multiplied by for every unit lost, in [0, 1); see `tuned`. Smaller trusts a good
            expert sooner; 0 is for a perfect expert and promises nothing once all erred.
        shape: How the share of the weight becomes the chance of saying 1: "linear" or "vovk". The bound is the same.
    """

    penalty: float | Fraction = 0.5
    shape: Literal["linear", "vovk"] = "linear"
    theorem: ClassVar[AdviceTheorem] = AdviceTheorem(
        "Improved weighted majority (Cesa-Bianchi et al. 1997)", "expected mistakes", tosses=True
    )

    def __post_init__(self) -> None:
        require(0 <= self.penalty < 1, f"penalty must be in [0, 1), got {self.penalty}")
        require(self.shape in CURVES, f"shape must be one of {', '.join(CURVES)}, got {self.shape!r}")

    @classmethod
    def tuned(cls, experts: int, best_loss: float) -> Self:
        """The penalty for a best expert that loses at most `best_loss`; 0 for a perfect one."""
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        z = sqrt(log(experts) / best_loss) if best_loss else 0.0
        return cls(1 / (1 + 2 * z + z * z / log(2)) if best_loss and experts > 1 else 0.0)

    @property
    def half_width(self) -> float:
        """How far from 1/2 the straight line reaches."""
        b = float(self.penalty)
        return (1 + b) * log(2 / (1 + b)) / (2 * (1 - b))

    def play(self, state: ExpertPool, rounds: RoundArrays) -> int:
        half = self.half_width if self.shape == "linear" else 0.0
        params = Params(COIN, to_rate(self.penalty), half=half, penalty=float(self.penalty))
        return play_by_weight(params, state, rounds)

    def allow(self, experts: int, rounds: int, charge: float) -> float:
        refuse_zero(self.penalty, charge)
        lost = charge * log(1 / self.penalty) if charge else 0.0
        return (lost + log(experts)) / (2 * log(2 / (1 + float(self.penalty))))
