"""WeightedMajority: vote by weight, and discount the experts that were wrong.

Each of N experts has weight penalty^marks, a mark for every mistake it made. Predict 1 when more than half of the
weight awake says 1, a tie going to 0. An expert that sleeps through a mistake of the pool shares its mark, and one
that joins late starts with the marks of all mistakes before. Marks are integers, and every vote is that of exact
fractions. With penalty 0 this is halving, in which the least bad vote again once none is perfect.

Theorem. On any sequence, with m the smallest number of marks (the mistakes of the best expert, if none slept),

    mistakes <= (m ln(1/penalty) + ln N) / ln(2 / (1 + penalty)).

Proof. In a round with a mistake at least half of the weight awake is multiplied by the penalty, and so is every
sleeper: the total W falls at least by the factor (1 + penalty) / 2, and it never grows. It starts at N (a late expert
counted from the start) and ends no smaller than penalty^m. Take logarithms.

Tuned for m <= K: penalty = 1 / (1 + 2z + z^2 / ln 2), z = sqrt(ln N / K), gives 2m + 2 sqrt(K ln N) + lg N at most.

N. Littlestone and M. K. Warmuth. The weighted majority algorithm. Information and Computation 108:212-261, 1994.

>>> WeightedMajority(penalty=0.5).bound(experts=10, best_loss=5).mistakes
20
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import ClassVar, Self, final

import numpy as np

from littlestone.base.bound import Bound, largest
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import floor_log2
from littlestone.learners.experts.contract import refuse_zero
from littlestone.learners.experts.marked import STEEPEST, MarkedExperts, list_votes
from littlestone.learners.experts.pools import RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem, count_allowed
from littlestone.learners.experts.voting_loop import Marks, play_votes


@final
@dataclass(frozen=True)
class WeightedMajority(MarkedExperts):
    """Vote by weight, and discount the experts that were wrong.

    Args:
        penalty: What a weight is multiplied by for every mistake, in [0, 0.9999]; see `tuned`. Smaller trusts a good
            expert sooner; 0 is halving, for a perfect expert, and promises nothing once all erred. A Fraction is kept
            exactly, so that equal weights tie.
    """

    penalty: float | Fraction = 0.5
    theorem: ClassVar[AdviceTheorem] = AdviceTheorem(
        "Weighted majority (Littlestone and Warmuth 1994)", "mistakes", sleepers="mistakes"
    )

    def __post_init__(self) -> None:
        require(0 <= self.penalty <= STEEPEST, f"penalty must be in [0, {STEEPEST}], got {self.penalty}")

    @classmethod
    def tuned(cls, experts: int, best_loss: float) -> Self:
        """The penalty for a best expert with at most `best_loss` mistakes; 0, which is halving, for a perfect one."""
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        z = sqrt(log(experts) / best_loss) if best_loss else 0.0
        return cls(min(1 / (1 + 2 * z + z * z / log(2)), STEEPEST) if best_loss else 0.0)

    def play(self, state: Marks, rounds: RoundArrays) -> int:
        return play_votes(self.penalty, state, list_votes(rounds))

    def allow(self, experts: int, rounds: int, charge: float) -> int:
        refuse_zero(self.penalty, charge)
        return count_allowed(experts, Fraction(self.penalty), int(charge))

    def remaining(self, state: Marks, best_loss: int) -> Bound:
        """The largest m with W ((1 + penalty) / 2)^m >= penalty^K, K the marks that the best expert ends with."""
        penalty = Fraction(self.penalty)
        marks = self.charges(state)
        require(len(marks) > 0, "no experts were met", NotCertified)
        fewest = int(marks.min())
        require(fewest <= best_loss, f"every expert has {fewest} marks or more, not {best_loss}", NotCertified)
        counts = np.bincount(marks - fewest).tolist()
        promise = f"of {len(marks)} experts, and no others come, one makes at most {best_loss} mistakes in all"
        refuse_zero(penalty, best_loss)
        if penalty == 0:
            return Bound(self.theorem.name, promise, floor_log2(counts[0]))
        weight = sum((count * penalty**gap for gap, count in enumerate(counts)), Fraction(0))
        fall = (1 + penalty) / 2
        least = penalty ** (best_loss - fewest)
        return Bound(self.theorem.name, promise, largest(lambda m: weight * fall**m >= least))
