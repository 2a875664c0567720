"""RandomizedWeightedMajority: follow an expert drawn by weight.

Expert i has weight penalty^(its loss). Say 1 with probability r, the share of the weight that says 1 (forecasts
between 0 and 1 count in proportion, and lose |forecast - outcome|). The loss is the exact expected number of mistakes
over the learner's coins, known on every sequence, however it was chosen.

Theorem. On any sequence, with L the smallest charge (the loss of the best of N experts, if none slept),

    expected mistakes <= (L ln(1/penalty) + ln N) / (1 - penalty).

Proof. A round with error probability q multiplies the weight awake by at most 1 - (1 - penalty) q <= e^(-(1-penalty) q)
(by convexity for forecasts in between); sleepers are charged the same factor. The total starts at N and ends no
smaller than penalty^L. Take logarithms.

Tuned for L <= K: penalty = 1 / (1 + sqrt(2 ln N / K)) gives L + sqrt(2 K ln N) + ln N at most.

N. Littlestone and M. K. Warmuth. The weighted majority algorithm. Information and Computation 108:212-261, 1994.

>>> bound = RandomizedWeightedMajority(penalty=0.5).bound(experts=2, best_loss=0)
>>> round(float(bound.value), 6)  # 2 ln 2
1.386294
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import ClassVar, Self, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.learners.experts.contract import VotingExperts, refuse_zero, to_rate
from littlestone.learners.experts.pools import COIN, ExpertPool, Params, RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem
from littlestone.learners.experts.threads import play_by_weight

LONGEST = 12_000  # bits of a denominator
SHORT = 20_000  # forecasts, up to which fractions are summed


@final
@dataclass(frozen=True)
class RandomizedWeightedMajority(VotingExperts):
    """Follow an expert drawn by weight.

    Args:
        penalty: What a weight is multiplied by for every unit lost, in [0, 1); see `tuned`. Smaller trusts a good
            expert sooner; 0 is for a perfect expert and promises nothing once all erred.
    """

    penalty: float | Fraction = 0.5
    theorem: ClassVar[AdviceTheorem] = AdviceTheorem(
        "Randomized weighted majority (Littlestone and Warmuth 1994)", "expected mistakes", tosses=True
    )

    def __post_init__(self) -> None:
        require(0 <= self.penalty < 1, f"penalty must be in [0, 1), got {self.penalty}")

    @classmethod
    def tuned(cls, experts: int, best_loss: float) -> Self:
        """The penalty for a best expert that loses at most `best_loss`; 0 for a perfect one."""
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        return cls(1 / (1 + sqrt(2 * log(experts) / best_loss)) if best_loss and experts > 1 else 0.0)

    def play(self, state: ExpertPool, rounds: RoundArrays) -> int:
        return play_by_weight(Params(COIN, to_rate(self.penalty)), state, rounds)

    def allow(self, experts: int, rounds: int, charge: float) -> float:
        refuse_zero(self.penalty, charge)
        lost = charge * log(1 / self.penalty) if charge else 0.0
        return (lost + log(experts)) / (1 - float(self.penalty))

    def recount(self, state: ExpertPool, X: Array, y: Array) -> tuple[Fraction, Fraction]:
        """The expected mistakes: in fractions where few experts vote, none sleeping, and fractions stay short."""
        if X.size > SHORT or not np.isin(X, (0, 1)).all():
            return super().recount(state, X, y)
        penalty = Fraction(self.penalty)
        total = Fraction(0)
        losses = np.zeros(X.shape[1], np.int64)
        for wrong in X != y[:, None]:
            gaps = (losses - losses.min()).tolist()
            most = max(gaps)
            shared = penalty.denominator
            if most * shared.bit_length() > LONGEST:
                return super().recount(state, X, y)
            weights = [penalty.numerator**gap * shared ** (most - gap) for gap in gaps]
            total += Fraction(sum(w for w, erred in zip(weights, wrong.tolist(), strict=True) if erred), sum(weights))
            if total.denominator.bit_length() > LONGEST:
                return super().recount(state, X, y)
            losses += wrong
        return total, Fraction(0)
