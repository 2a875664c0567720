"""FollowTheLeader: say what the expert with the fewest mistakes says.

The leader is the expert awake with the smallest charge, the lowest-numbered of several, or, with `random`, one of them
drawn uniformly. An expert that sleeps is charged what the learner loses meanwhile.

Theorem. On any sequence, with m the smallest charge (the mistakes of the best of N experts, if none slept),

    mistakes <= N m + N - 1,        expected mistakes <= H_N m + H_N - 1 for the random leader (nobody sleeping),

H_N = 1 + 1/2 + ... + 1/N; both are attained. Proof. Every mistake charges an expert that has the smallest charge (the
leader, or all of those that lead asleep), so there are at most N mistakes while the smallest charge stays the same, and
N - 1 at the last value. At random, j of r leaders wrong cost j/r <= 1/r + ... + 1/(r-j+1): H_N for each value.

A. Kalai and S. Vempala. Efficient algorithms for online decision problems. Journal of Computer and System Sciences
71:291-307, 2005, has the name; the bound is folklore.

>>> FollowTheLeader().bound(experts=3, best_loss=2).mistakes, FollowTheLeader(random=True).bound(3, 2).value
(8, Fraction(9, 2))
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Number, Tally, harmonic
from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.compiled import kernel
from littlestone.learners.experts.contract import Pooled
from littlestone.learners.experts.losses import Loss, ZeroOne
from littlestone.learners.experts.state import CARRY, EXPERTS, LOSS, ROUNDS, SEED, UNEVEN, Pool, add, uniform

THEOREM = "Follow the leader"


@kernel
def replay(
    random: bool, losses: Array, credit: Array, totals: Array, counts: Array, votes: Array, costs: Array,
    outcomes: Array, guesses: Array, charges: Array, trace: Array, learning: bool,
    clean: bool,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused; without `learning`, only the first guess is written."""
    experts = votes.size // outcomes.size
    for k in range(counts[EXPERTS], experts):
        credit[k] = totals[LOSS] + totals[CARRY]
        counts[UNEVEN] = max(counts[UNEVEN], 1 if counts[ROUNDS] else 0)
    counts[EXPERTS] = max(counts[EXPERTS], experts)
    for t in range(outcomes.size):
        row, y = t * experts, outcomes[t]
        x = votes[row : row + experts]
        low, leaders, wrong = np.inf, 0, 0
        for k in range(experts):
            if x[k] == x[k]:
                if x[k] != 0 and x[k] != 1:
                    return t
                charge = losses[k] + credit[k]
                if charge < low:
                    low, leaders, wrong = charge, 0, 0
                if charge == low:
                    leaders += 1
                    wrong += 1 if x[k] != y else 0
        if leaders == 0:
            return t
        chosen = np.int64(uniform(counts[SEED], counts[ROUNDS]) * leaders) if random else 0
        guess, asleep = 0.0, False
        for k in range(experts):
            leads = x[k] == x[k] and losses[k] + credit[k] == low
            if leads and chosen == 0:
                guess = x[k]
            chosen -= 1 if leads else 0
            asleep = asleep or x[k] != x[k]
            if trace.size:
                trace[row + k] = 1.0 / leaders if leads and random else 0.0
                if leads and not random and chosen == -1:
                    trace[row + k] = 1.0
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
        add(totals, charge)
        counts[UNEVEN] = max(counts[UNEVEN], 1 if asleep else 0)
        counts[ROUNDS] += 1
    return outcomes.size


@final
@dataclass(frozen=True)
class FollowTheLeader(Pooled):
    """Follow the leader; the module docstring has the rule and its theorem."""

    random: bool = False

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def charged_by(self) -> Loss:
        return ZeroOne()

    def loop(self, *arguments: Any) -> int:
        return int(replay(self.random, *arguments))

    def refuse(self, x: Array, y: float) -> None:
        for k, vote in enumerate(x):
            require(vote in (0, 1) or vote != vote, f"a vote must be 0, 1 or NaN; expert {k} says {vote}", BadInstance)
        super().refuse(x, y)

    def weights(self, state: Pool, x: Any = None) -> Array:
        return super().weights(state, np.zeros(self.experts(state)) if x is None else x)

    def expected(self, state: Pool) -> Number | None:
        return super().expected(state) if self.random else None

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        return float(self.bound(experts, int(best_loss)).value) - best_loss

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """A sleeper is charged the learner's mistakes: both sides of the theorem have them, and they cancel."""
        require(not self.random, "a random leader's theorem lets nobody sleep", NotCertified)
        return self.regret(experts, awake, loss + meanwhile)

    def bound(self, experts: int | None = None, best_loss: int | None = None) -> Bound:
        """The mistakes allowed, expected ones for the random leader, when one expert makes at most `best_loss`."""
        if experts is None or best_loss is None:
            raise NotCertified("say how many experts there are and how many mistakes the best one makes")
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        promise = f"one of {experts} experts makes at most {best_loss} mistakes"
        if self.random:
            return Bound(THEOREM, promise, harmonic(experts) * best_loss + harmonic(experts, 2), "expected mistakes")
        return Bound(THEOREM, promise, experts * best_loss + experts - 1)

    def certificate(self, state: Pool, tally: Tally) -> Certificate:
        require(not (self.random and state.counts[UNEVEN]), "a random leader's theorem lets nobody sleep", NotCertified)
        best = int(self.charges(state)[self.best(state)])
        allowed, promise = self.bound(self.experts(state), best), f"expert {self.best(state)} was charged {best}"
        counts, scope, witness = allowed.counts, "expectation" if self.random else "sequence", self.witness(state)
        parts = (tally.mistakes, tally.updates, allowed.value, witness, scope, not self.random, self.expected(state))
        return Certificate(THEOREM, promise, counts, *parts)  # type: ignore[arg-type]
