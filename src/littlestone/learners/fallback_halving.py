"""FallbackHalving: halving while an expert is perfect, and weighted majority from then on.

As long as some expert has not erred, the majority of those that have not decides. Once all have erred, halving has
nothing left to say; here every expert votes with weight penalty^marks instead, a mark for each of its mistakes, those
before counted too. Over a finite class, `Pool(concepts, FallbackHalving())` is halving that survives a broken promise.
Sleepers share the marks of mistakes, and an expert that joins late starts with those of all mistakes before.

Theorem. On any sequence, with N experts and m the smallest number of marks (mistakes of the best one, if none slept),

    mistakes <= floor(lg N) + 1 + ((m - 1) ln(1/penalty) + ln N) / ln(2 / (1 + penalty))    if m >= 1,
    mistakes <= floor(lg N)                                                                if m = 0.

Proof. Let P be the experts without a mark. A mistake marks at least half of P: of its members awake at least half were
wrong, and those asleep share it. So at most floor(lg N) mistakes leave P with a member, and one more empties it; a
round without a mistake does not, because the majority of P awake was right. From then on every expert has a mark, and
the total weight is at most penalty N; it falls by the factor (1 + penalty) / 2 with every mistake and ends no
smaller than penalty^m, as for weighted majority.

N. Littlestone and M. K. Warmuth. The weighted majority algorithm. Information and Computation 108:212-261, 1994.

>>> FallbackHalving().bound(experts=16, best_loss=0).mistakes, FallbackHalving().bound(experts=16, best_loss=1).mistakes
(4, 14)
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from littlestone.base.bound import Bound, largest
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import floor_log2
from littlestone.base.learner import copy_state
from littlestone.learners.experts.marked import STEEPEST, MarkedExperts, list_votes
from littlestone.learners.experts.pools import RoundArrays
from littlestone.learners.experts.theorem import AdviceTheorem, count_allowed
from littlestone.learners.experts.voting_loop import FEWEST, Marks, play_votes


@final
@dataclass(frozen=True)
class FallbackHalving(MarkedExperts):
    """Halving while an expert is perfect, and weighted majority from then on.

    Args:
        penalty: What a weight is multiplied by for every mistake once all experts erred, in (0, 0.9999]. A Fraction is
            kept exactly, so that equal weights tie.
    """

    penalty: float | Fraction = 0.5
    theorem: ClassVar[AdviceTheorem] = AdviceTheorem(
        "Halving, then weighted majority (after Littlestone and Warmuth 1994)", "mistakes", sleepers="mistakes"
    )

    def __post_init__(self) -> None:
        require(0 < self.penalty <= STEEPEST, f"penalty must be in (0, {STEEPEST}], got {self.penalty}")

    def play(self, state: Marks, rounds: RoundArrays) -> int:
        """Play rounds in pieces, so that one which marks the last perfect expert is the last of its piece."""
        rounds, done, length = list_votes(rounds), 0, len(rounds.outcomes)
        size = length
        while done < length:
            before = copy_state(state)
            halving = state.counts[FEWEST] == 0
            piece = rounds.cut(done, min(done + size, length))
            played = play_votes(0.0 if halving else self.penalty, state, piece)
            if halving and played > 1 and state.counts[FEWEST] > 0:
                for part, kept in zip(state, before, strict=True):
                    part[:] = kept
                size = played // 2
                continue
            done += played
            if played < len(piece.outcomes):
                break
            size = length if state.counts[FEWEST] > 0 else size
        return done

    def allow(self, experts: int, rounds: int, charge: float) -> int:
        halved = floor_log2(experts)
        return halved if charge == 0 else halved + 1 + count_allowed(experts, Fraction(self.penalty), int(charge) - 1)

    def remaining(self, state: Marks, best_loss: int) -> Bound:
        """What is left if the best expert ends with `best_loss` marks: halvings of the perfect ones, then weights."""
        penalty, marks = Fraction(self.penalty), self.charges(state)
        require(len(marks) > 0, "no experts were met", NotCertified)
        fewest = int(marks.min())
        require(fewest <= best_loss, f"every expert has {fewest} marks or more, not {best_loss}", NotCertified)
        promise = f"of {len(marks)} experts, and no others come, one makes at most {best_loss} mistakes in all"
        halved = 0 if fewest else floor_log2(int((marks == 0).sum())) + (best_loss > 0)
        if best_loss == 0:
            return Bound(self.theorem.name, promise, halved)
        counts = np.bincount(np.maximum(marks, 1)).tolist()
        weight = sum((count * penalty**k for k, count in enumerate(counts)), Fraction(0))
        fall = (1 + penalty) / 2
        rest = largest(lambda m: weight * fall**m >= penalty**best_loss)
        return Bound(self.theorem.name, promise, halved + rest)
