"""LabelEfficient: ask for each label with the same chance, and learn from those alone.

A coin decides before each round whether its label is asked for, with the chance e. The learner inside guesses in every
round and is shown the rounds asked for; with `Hedge` inside these are label-efficient experts: exponential weights on
losses over e. The coin depends on seed and round alone.

Theorem (Cesa-Bianchi, Lugosi and Stoltz 2005). If no label depends on the coins, the loss on the rounds asked for,
divided by e, is an unbiased estimate of the loss on all T rounds, and so it is for every expert. What the theorem of
the learner inside allows on the rounds asked for, it allows in expectation on all, over e: with `Hedge(rate)` inside

    E[loss] <= L + top (ln N / (rate e) + rate T / 8),     L + top sqrt(T ln N / (2 e)) for rate sqrt(8 ln N / (e T)),

L being the loss of the best of N experts, and M / e mistakes of a learner that makes at most M on any rounds.

Proof. The guess of a round is made before its coin is known, so the expected loss on the rounds asked for is e times
that on all. About e T rounds are asked for, and the inner theorem holds on them; divide by e.

N. Cesa-Bianchi, G. Lugosi and G. Stoltz. Minimizing regret with label efficient prediction. IEEE Transactions on
Information Theory 51:2152-2162, 2005; their constant, sqrt(2 T ln N / e), is twice this one.

>>> learner = LabelEfficient.tuned(experts=4, rounds=1000, asking=0.1)
>>> print(learner.bound(experts=4, rounds=1000).mistakes)
83
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, sqrt
from typing import Any, NamedTuple, Self, final

import numpy as np

from littlestone.base.bound import Bound, round_up
from littlestone.base.chunks import Array
from littlestone.base.coins import draw_bits
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, Size, State
from littlestone.base.traits import Asking, ask_bound
from littlestone.learners.hedge import Hedge

NAME = "Label-efficient forecasting (Cesa-Bianchi, Lugosi and Stoltz 2005) of "
ROUNDS, ASKED, WRONG = range(3)  # of `counts`


class AskedRounds(NamedTuple):
    """The inner learner's state, the seed of the coins, and `counts` of rounds, labels asked for, mistakes on these."""

    inner: State
    seed: Array
    counts: Array


@final
@dataclass(frozen=True)
class LabelEfficient(Learner, Asking):
    """Any learner, shown the labels only of rounds that a coin picks.

    Args:
        learner: The learner inside; `Hedge` for expert advice.
        asking: e, the chance of asking for a label, > 0 and at most 1.
    """

    learner: Learner = field(default_factory=Hedge)
    asking: float = 0.1

    def __post_init__(self) -> None:
        inner = self.learner
        require(isinstance(inner, Learner), f"learner must be a Learner such as Hedge, got {inner!r}")
        require(not isinstance(inner, Asking), f"the learner inside learns what it is shown, and {inner} asks")
        require(0 < self.asking <= 1, f"asking is a chance, above 0 and at most 1; got {self.asking}")

    @classmethod
    def tuned(cls, experts: int, rounds: int, asking: float) -> Self:
        """Hedge inside, at the rate sqrt(8 ln N / (e T)) for a known number of rounds."""
        require(experts >= 2 and rounds >= 1, f"need experts >= 2 and rounds >= 1, got {experts} and {rounds}")
        return cls(Hedge(sqrt(8 * log(experts) / (asking * rounds))), asking)

    @property
    def numeric(self) -> bool:  # type: ignore[override]
        return self.learner.numeric

    def start(self, size: Size, seed: int = 0) -> AskedRounds:
        return AskedRounds(self.learner.start(size, seed), np.array([seed & (2**63 - 1)]), np.zeros(3, np.int64))

    def grow(self, state: AskedRounds, size: Size) -> AskedRounds:
        return state._replace(inner=self.learner.grow(state.inner, size))

    def full(self, state: AskedRounds, x: Any) -> bool:
        return self.learner.full(state.inner, x)

    def predict(self, state: AskedRounds, x: Any) -> Any:
        return self.learner.predict(state.inner, x)

    def readout(self, state: AskedRounds, x: Any) -> Any:
        return self.learner.readout(state.inner, x)

    def update(self, state: AskedRounds, x: Any, y: Any, guess: Any) -> None:
        if self.wants(state, x):
            said = self.learner.predict(state.inner, x)
            self.learner.update(state.inner, x, y, said)
            state.counts[ASKED] += 1
            state.counts[WRONG] += said != y
        else:
            self.learner.predict(state.inner, x)  # refuses what it cannot read
        state.counts[ROUNDS] += 1

    def wants(self, state: AskedRounds, x: Any) -> bool:
        """Whether the coin of the round that comes asks for its label, whatever x is."""
        return draw_bits(int(state.seed[0]), ~int(state.counts[ROUNDS])) >> 11 < self.asking * 2.0**53

    def skip(self, state: AskedRounds, x: Any) -> None:
        self.learner.predict(state.inner, x)  # refuses what it cannot read
        state.counts[ROUNDS] += 1

    def asked(self, state: AskedRounds) -> int:
        return int(state.counts[ASKED])

    def estimate_mistakes(self, state: AskedRounds) -> float:
        """An unbiased estimate of all mistakes so far, or of the loss where the learner inside counts that."""
        lost = self.learner.expected(state.inner)
        return float(state.counts[WRONG] if lost is None else lost) / self.asking

    def loss(self, guess: Any, y: Any) -> float:
        return self.learner.loss(guess, y)

    def moves(self, state: AskedRounds) -> int:
        return self.learner.moves(state.inner)

    def features(self) -> Any:
        return self.learner.features()

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.learner.known_labels()

    def limit(self) -> int:
        return self.learner.limit()

    def bound(self, experts: int | None = None, rounds: int | None = None) -> Bound:
        """What the theorem allows in expectation: regret of experts over some rounds, or mistakes of other learners."""
        inner = self.learner
        promise = "no label depends on the coins"
        if isinstance(inner, Hedge):
            if experts is None or rounds is None:
                raise NotCertified("say how many experts and how many rounds there are")
            regret = inner.regret(experts, self.asking * rounds) / self.asking  # type: ignore[arg-type]
            promise = f"there are {experts} experts and {rounds} rounds, and {promise}"
            return Bound(NAME + inner.theorem.name, promise, round_up(regret), "regret")
        known = ask_bound(inner)
        covered = known.counts in ("mistakes", "updates", "expected mistakes")
        require(covered, f"no theorem is claimed for {inner} inside, whose bound is of {known.counts}", NotCertified)
        value = Fraction(known.value) / Fraction(self.asking)
        return Bound(NAME + known.theorem, f"{known.promise}, and {promise}", value, "expected mistakes")

    def check_state(self, state: AskedRounds, size: Size) -> bool:
        rounds, asked, wrong = state.counts.tolist()
        sound = 0 <= wrong <= asked <= rounds and int(state.seed[0]) >= 0
        return sound and self.learner.check_state(state.inner, size)
