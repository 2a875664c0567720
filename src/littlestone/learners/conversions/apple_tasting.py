"""AppleTasting: labels come only for what was accepted.

An apple that is not tasted tells nothing. Ask the learner inside; if it says class 1 accept, otherwise accept with the
chance q all the same, to learn. The learner inside is shown the accepted rounds and no others; a rejected round leaves
nothing behind but its count. The coin depends on seed and round alone.

Theorem. Let A be the learner inside, and q in (0, 1]. Whatever A is and whatever the rounds are,

    E[mistakes] = E[A said 1, y = 0] + q E[A said 0, y = 0] + ((1 - q) / q) E[A said 0, y = 1, accepted],

so that (1 - q) / q times the misses among what was accepted estimates the unseen ones without bias. A's mistakes on
the accepted rounds obey A's own theorem, on every sequence. If it allows at most M, and T labels are negative, then

    E[mistakes] <= M / q + q T,         2 sqrt(M T) for q = sqrt(M / T).

Proof. A round in which A says 0 is accepted with chance q, whatever its label, by a coin of which A knows nothing; a
miss is rejected with chance 1 - q. The accepted rounds are a sequence of their own. Their mistakes count once or
(1 - q) / q times, and both are at most 1 / q.

D. P. Helmbold, N. Littlestone and P. M. Long. Apple tasting. Information and Computation 161:85-139, 2000.

>>> from littlestone import AppleTasting, Perceptron, play, Recorded
>>> rows, labels = [[1, 0], [0, 1], [1, 1], [2, 1]] * 50, [True, False, True, True] * 50
>>> player = play(AppleTasting(Perceptron(), exploring=0.25), Recorded(rows, labels)).player
>>> player.tally.rounds, player.learner.asked(player.state), player.tally.mistakes
(200, 162, 18)
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple, Self, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.coins import draw_bits
from littlestone.base.errors import NotCertified, require, require_positive
from littlestone.base.learner import Learner, Size, State
from littlestone.base.traits import Asking, Witnesses, ask_bound, ask_certificate
from littlestone.learners.perceptron import Perceptron

NAME = "Apple tasting (Helmbold, Littlestone and Long 2000) of "
ROUNDS, ACCEPTED, FALSE, TRIED, MISSED = range(5)  # of `counts`; the last three are mistakes of different kinds


class Tasted(NamedTuple):
    """The inner learner's state, the seed of the coins, and `counts`.

    These are of rounds, of accepted ones, and of those among them in which the learner inside said 1 and was wrong,
    said 0 and was right, said 0 and was wrong.
    """

    inner: State
    seed: Array
    counts: Array


@final
@dataclass(frozen=True)
class AppleTasting(Learner, Asking, Witnesses):
    """Accept what a learner of two classes says is class 1, and a few of the others; learn from what was accepted.

    Args:
        learner: The learner inside, whose class 1 is accepted.
        exploring: q, the chance of accepting what the learner inside would reject, > 0 and at most 1.
    """

    learner: Learner = field(default_factory=Perceptron)
    exploring: float = 0.1

    def __post_init__(self) -> None:
        inner = self.learner
        require(isinstance(inner, Learner), f"learner must be a Learner such as Perceptron, got {inner!r}")
        two = not inner.numeric and inner.limit() >= 2 and len(inner.known_labels()) in (0, 2)
        require(two, f"what is accepted or rejected has two classes; got {inner}, which has others")
        require(
            not isinstance(inner, Asking), f"the learner inside learns from what it is shown, and asks; got {inner}"
        )
        require_positive(exploring=self.exploring)
        require(self.exploring <= 1, f"exploring is a chance, at most 1; got {self.exploring}")

    @classmethod
    def tuned(cls, learner: Learner, mistakes: float, negatives: float) -> Self:
        """The chance that suits a learner that makes at most these `mistakes`, and this number of `negatives`."""
        require_positive(mistakes=mistakes, negatives=negatives)
        return cls(learner, min(1.0, sqrt(mistakes / negatives)))

    def start(self, size: Size, seed: int = 0) -> Tasted:
        return Tasted(self.learner.start(size, seed), np.array([seed & (2**63 - 1)]), np.zeros(5, np.int64))

    def grow(self, state: Tasted, size: Size) -> Tasted:
        return state._replace(inner=self.learner.grow(state.inner, size))

    def full(self, state: Tasted, x: Any) -> bool:
        return self.learner.full(state.inner, x)

    def _explores(self, state: Tasted) -> bool:
        """Whether the coin of the round that comes accepts, whatever the learner inside says."""
        return draw_bits(int(state.seed[0]), ~int(state.counts[ROUNDS])) >> 11 < self.exploring * 2.0**53

    def predict(self, state: Tasted, x: Any) -> int:
        return int(self.learner.predict(state.inner, x) == 1 or self._explores(state))

    def update(self, state: Tasted, x: Any, y: int, guess: int) -> None:
        said = self.learner.predict(state.inner, x)
        counts = state.counts
        if said == 1 or self._explores(state):
            self.learner.update(state.inner, x, y, said)
            counts[ACCEPTED] += 1
            if said == 1:
                counts[FALSE] += y != 1
            else:
                counts[MISSED if y == 1 else TRIED] += 1
        counts[ROUNDS] += 1

    def wants(self, state: Tasted, x: Any) -> bool:
        """Whether x would be accepted in the round that comes, and so bring its label."""
        return self.predict(state, x) == 1

    def skip(self, state: Tasted, x: Any) -> None:
        self.learner.predict(state.inner, x)  # refuses what it cannot read
        state.counts[ROUNDS] += 1

    def asked(self, state: Tasted) -> int:
        return int(state.counts[ACCEPTED])

    def estimate_mistakes(self, state: Tasted) -> float:
        wrong, tried, missed = state.counts[FALSE:].tolist()
        return float(wrong + tried + (1 - self.exploring) / self.exploring * missed)

    def moves(self, state: Tasted) -> int:
        return self.learner.moves(state.inner)

    def features(self) -> Any:
        return self.learner.features()

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.learner.known_labels()

    def bound(self, negatives: float, **facts: Any) -> Bound:
        """The theorem for at most `negatives` labels of class 0; `facts` are what the inner learner must be told."""
        require_positive(negatives=negatives)
        inner = ask_bound(self.learner, **facts)
        q = Fraction(self.exploring)
        self._refuse_coins(inner.counts)
        promise = f"{inner.promise}; at most {negatives} labels are of class 0, and none depends on the coins"
        return Bound(
            NAME + inner.theorem, promise, Fraction(inner.value) / q + q * Fraction(negatives), "expected mistakes"
        )

    def certificate(self, state: Tasted, tally: Tally) -> Certificate:
        """What the inner learner's theorem allowed it on the accepted rounds."""
        accepted = int(state.counts[ACCEPTED])
        wrong = int(state.counts[FALSE] + state.counts[MISSED])
        inner = ask_certificate(self.learner, state.inner, Tally(accepted, wrong, self.moves(state)))
        self._refuse_coins(inner.counts)
        return replace(
            inner,
            theorem=NAME + inner.theorem,
            counts="mistakes where accepted",
            count=wrong,
            mistakes=tally.mistakes,
            updates=tally.updates,
            witness={"rounds accepted": accepted, "agreeing with them": inner.witness},
        )

    def _refuse_coins(self, counts: str) -> None:
        known = counts in ("mistakes", "updates")
        require(known, f"the bound of {self.learner} is of {counts}, which depend on what is accepted", NotCertified)

    def check_state(self, state: Tasted, size: Size) -> bool:
        rounds, accepted, *_ = counts = state.counts.tolist()
        sound = all(count >= 0 for count in counts) and sum(counts[FALSE:]) <= accepted <= rounds
        return sound and int(state.seed[0]) >= 0 and self.learner.check_state(state.inner, size)
