"""FollowTheLeader: say what the expert with the fewest mistakes says.

The leader is the expert awake with the smallest charge, the lowest-numbered of several, or, with `random`, one of them
drawn uniformly. An expert that sleeps is charged what the learner loses meanwhile.

Theorem. On any sequence, with m the smallest charge (the mistakes of the best of N experts, if none slept),

    mistakes <= N m + N - 1,        expected mistakes <= H_N m + H_N - 1 for the random leader (if none slept),

H_N = 1 + 1/2 + ... + 1/N; both are attained. Proof. Every mistake charges an expert that has the smallest charge (the
leader, or all of those that lead asleep), so there are at most N mistakes while the smallest charge stays the same, and
N - 1 at the last value. At random, j of r leaders wrong cost j/r <= 1/r + ... + 1/(r-j+1): H_N for each value.

A. Kalai and S. Vempala. Efficient algorithms for online decision problems. Journal of Computer and System Sciences
71:291-307, 2005, has the name; the bound is folklore.

>>> FollowTheLeader().bound(experts=3, best_loss=2).mistakes, FollowTheLeader(random=True).bound(3, 2).value
(8, Fraction(9, 2))
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.exact_numbers import harmonic
from littlestone.base.printed_numbers import Number
from littlestone.compiled import kernel
from littlestone.learners.experts import pools
from littlestone.learners.experts.contract import VotingExperts
from littlestone.learners.experts.losses import Loss, ZeroOne
from littlestone.learners.experts.theorem import AdviceTheorem


@kernel
def replay(
    random: bool, losses: Array, credit: Array, totals: Array, counts: Array, votes: Array, costs: Array,
    outcomes: Array, guesses: Array, charges: Array, weights: Array, learning: Any, clean: Any,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused, and return how many were played.

    A flat entry point: the arrays of an `ExpertPool` and of `RoundArrays`, which say what they are.
    """
    experts = votes.size // outcomes.size
    for k in range(counts[pools.EXPERTS], experts):
        credit[k] = totals[pools.LOSS] + totals[pools.CARRY]
        counts[pools.UNEVEN] = max(counts[pools.UNEVEN], 1 if counts[pools.ROUNDS] else 0)
    counts[pools.EXPERTS] = max(counts[pools.EXPERTS], experts)
    for t in range(outcomes.size):
        row = t * experts
        y = outcomes[t]
        x = votes[row : row + experts]
        low = np.inf
        leaders = 0
        wrong = 0
        for k in range(experts):
            if x[k] == x[k]:
                if x[k] != 0 and x[k] != 1:
                    return t
                charge = losses[k] + credit[k]
                if charge < low:
                    low = charge
                    leaders = 0
                    wrong = 0
                if charge == low:
                    leaders += 1
                    wrong += 1 if x[k] != y else 0
        if leaders == 0:
            return t
        chosen = np.int64(pools.draw_uniform(counts[pools.SEED], counts[pools.ROUNDS]) * leaders) if random else 0
        guess = 0.0
        asleep = False
        for k in range(experts):
            leads = x[k] == x[k] and losses[k] + credit[k] == low
            if leads and chosen == 0:
                guess = x[k]
            chosen -= 1 if leads else 0
            asleep = asleep or x[k] != x[k]
            if weights.size:
                weights[row + k] = 1.0 / leaders if leads and random else 0.0
                if leads and not random and chosen == -1:
                    weights[row + k] = 1.0
        guesses[t] = guess
        if not learning:
            return 1
        charge = wrong / leaders if random else (1.0 if guess != y else 0.0)
        if charges.size:
            charges[t] = charge
        for k in range(experts):
            if x[k] == x[k]:
                losses[k] += 1.0 if x[k] != y else 0.0
            else:
                credit[k] += charge
        pools.add_loss(totals, charge)
        counts[pools.UNEVEN] = max(counts[pools.UNEVEN], 1 if asleep else 0)
        counts[pools.ROUNDS] += 1
    return outcomes.size


@final
@dataclass(frozen=True)
class FollowTheLeader(VotingExperts):
    """Say what the expert with the fewest mistakes says.

    Args:
        random: Draw among several leaders instead of taking the first. Expected mistakes grow with ln N times those of
            the best expert, instead of N times, but experts must not sleep or join late.
    """

    random: bool = False
    vote_loss: ClassVar[Loss] = ZeroOne()

    @property
    def theorem(self) -> AdviceTheorem:
        if self.random:
            return AdviceTheorem("Follow the leader", "expected mistakes", tosses=True, sleepers="none")
        return AdviceTheorem("Follow the leader", "mistakes", sleepers="mistakes")

    def play(self, state: pools.ExpertPool, rounds: pools.RoundArrays) -> int:
        return int(replay(self.random, *state, *rounds))

    def expected(self, state: pools.ExpertPool) -> Number | None:
        return super().expected(state) if self.random else None

    def allow(self, experts: int, rounds: int, charge: float) -> Number:
        mean = harmonic(experts) if self.random else experts
        return mean * int(charge) + mean - 1

    def recount(self, state: pools.ExpertPool, X: Array, y: Array) -> tuple[Fraction, Fraction]:
        """The expected mistakes of a random leader, exactly."""
        losses = np.zeros(X.shape[1], np.int64)
        total = Fraction(0)
        for wrong in X != y[:, None]:
            leads = losses == losses.min()
            total += Fraction(int(np.count_nonzero(wrong & leads)), int(np.count_nonzero(leads)))
            losses += wrong
        return total, Fraction(0)
