"""RandomizedWeightedMajority: follow an expert drawn by weight.

Expert i has weight penalty^(its loss). Say 1 with probability r, the share of the weight that says 1 (forecasts
between 0 and 1 count in proportion, and lose |forecast - outcome|). The loss is the exact expected number of mistakes
over the learner's coins, known on every sequence, whoever chose it.

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

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import Self, final

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.learners.experts.contract import Weighing, steepness
from littlestone.learners.experts.state import COIN, Params, Pool

THEOREM = "Randomized weighted majority (Littlestone and Warmuth 1994)"


@final
@dataclass(frozen=True)
class RandomizedWeightedMajority(Weighing):
    """The randomized weighted majority; the module docstring has the rule and its theorem."""

    penalty: float | Fraction = 0.5

    def __post_init__(self) -> None:
        require(0 <= self.penalty < 1, f"penalty must be in [0, 1), got {self.penalty}")

    @classmethod
    def tuned(cls, experts: int, best_loss: float) -> Self:
        """The penalty for a best expert that loses at most `best_loss`; 0 for a perfect one."""
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        return cls(1 / (1 + sqrt(2 * log(experts) / best_loss)) if best_loss and experts > 1 else 0.0)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def params(self) -> Params:
        return Params(COIN, steepness(self.penalty))

    def _allowed(self, experts: int, best_loss: float) -> float:
        require(self.penalty > 0 or best_loss == 0, "a penalty of 0 promises nothing once all erred", NotCertified)
        lost = best_loss * log(1 / self.penalty) if best_loss else 0.0
        return (lost + log(experts)) / (1 - float(self.penalty))

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        return self._allowed(experts, best_loss) - best_loss

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """Its share of the pool moves only while it is awake, from 1/N to at most 1: the proof over those rounds."""
        return self.regret(experts, awake, loss)

    def bound(self, experts: int | None = None, best_loss: float | None = None) -> Bound:
        """The expected mistakes allowed when one of so many experts loses at most `best_loss`."""
        if experts is None or best_loss is None:
            raise NotCertified("say how many experts there are and how much the best one loses")
        promise = f"one of {experts} experts loses at most {best_loss}"
        return Bound(THEOREM, promise, round_up(self._allowed(experts, best_loss)), "expected mistakes")

    def certificate(self, state: Pool, tally: Tally) -> Certificate:
        allowed = self._allowed(self.experts(state), float(self.charges(state)[self.best(state)]))
        return self.certified(state, tally, THEOREM, allowed, "expected mistakes")
