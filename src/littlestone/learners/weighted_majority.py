"""WeightedMajority: vote by weight, and discount the experts that were wrong.

Each of N experts has weight penalty^marks, a mark for every mistake it made. Predict 1 when more than half of the
weight awake says 1, a tie going to 0. An expert that sleeps through a mistake of the pool shares its mark, and one
that joins late starts with the marks of all mistakes before. Marks are integers, and every vote is that of exact
fractions. With penalty 0 this is halving, in which the least bad vote again once nobody is perfect.

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

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import Any, Self, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array, Row
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.learner import Size, copy_state
from littlestone.learners.experts.contract import NONE, Experts
from littlestone.learners.experts.forecasts import padded
from littlestone.learners.experts.losses import Loss, ZeroOne
from littlestone.learners.experts.voting_loop import (
    EXPERTS,
    FEWEST,
    ROUNDS,
    STEEPEST,
    Marks,
    binary_places,
    largest,
    replay,
    settled,
    signed_powers,
)

THEOREM = "Weighted majority (Littlestone and Warmuth 1994)"
HOPELESS = "a penalty of 0 promises nothing once every expert erred"


@final
@dataclass(frozen=True)
class WeightedMajority(Experts):
    """The weighted majority vote; the module docstring has the rule and its theorem."""

    penalty: float | Fraction = 0.5

    def __post_init__(self) -> None:
        require(0 <= self.penalty <= STEEPEST, f"penalty must be in [0, {STEEPEST}], got {self.penalty}")

    @classmethod
    def tuned(cls, experts: int, best_loss: float) -> Self:
        """The penalty for a best expert with at most `best_loss` mistakes; 0, which is halving, for a perfect one."""
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        z = sqrt(log(experts) / best_loss) if best_loss else 0.0
        return cls(min(1 / (1 + 2 * z + z * z / log(2)), STEEPEST) if best_loss else 0.0)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def charged_by(self) -> Loss:
        return ZeroOne()

    def start(self, size: Size, seed: int = 0) -> Marks:
        return Marks(np.zeros(size.attributes, np.int32), np.zeros(size.attributes, np.int32), np.zeros(5, np.int64))

    def grow(self, state: Marks, size: Size) -> Marks:
        more = np.zeros(max(0, size.attributes - len(state.marks)), np.int32)
        marks, shared = np.concatenate((state.marks, more)), np.concatenate((state.shared, more))
        return state._replace(marks=marks, shared=shared)

    def _replay(self, state: Marks, x: Array, y: Array, guesses: Array, charges: Array, trace: Array,
                learning: bool, clean: bool) -> int:  # fmt: skip
        """The compiled loop, told the votes that only exact arithmetic can decide."""
        exact, penalty = Fraction(self.penalty), float(self.penalty)
        parameters, width = (signed_powers(penalty), penalty, binary_places(exact)), x.size // max(len(y), 1)
        played, told = 0, -1
        while played < len(y):
            rest = (x[played * width :], y[played:], guesses[played:], charges[played:], trace[played * width :])
            done = int(replay(*state, *rest, *parameters, told, learning, clean))
            if done >= 0:
                return played + done
            played += -1 - done
            told = settled(state.marks, x[played * width : (played + 1) * width], exact)
        return played

    def dry(self, state: Marks, x: Array, trace: Array) -> int:
        """The vote of one round; nothing changes but what `trace` shows."""
        row = padded(x[None], self.experts(state))[0]
        if len(row) > self.experts(state):
            state = copy_state(state)  # newcomers are seated for this vote only
        vote = np.zeros(1, np.int32)
        if not self._replay(state, row, np.zeros(1, np.int32), vote, NONE, trace, False, False):
            self.refuse(row, 0.0)
        return int(vote[0])

    def predict(self, state: Marks, x: Row) -> int:
        assert x.values is not None
        return self.dry(state, x.values, NONE)

    def record(
        self, state: Marks, X: Array, y: Array, guesses: Array, charges: Array, trace: Array, clean: bool
    ) -> int:  # fmt: skip
        rows, bits = np.ascontiguousarray(X).reshape(-1), clean and X.dtype == np.uint8
        return self._replay(state, rows, y, guesses, charges, trace.reshape(-1), True, bits)

    def refuse(self, x: Array, y: float) -> None:
        for k, vote in enumerate(x):
            require(vote in (0, 1) or vote != vote, f"a vote must be 0, 1 or NaN; expert {k} says {vote}", BadInstance)
        super().refuse(x, y)

    def experts(self, state: Marks) -> int:
        return int(state.counts[EXPERTS])

    def losses(self, state: Marks) -> Array:
        met = self.experts(state)
        return np.array(state.marks[:met] - state.shared[:met])

    def charges(self, state: Marks) -> Array:
        return np.array(state.marks[: self.experts(state)])

    def weights(self, state: Marks, x: Any = None) -> Array:
        row = np.zeros(self.experts(state)) if x is None else np.asarray(x, np.float64)
        shares = np.zeros(len(row))
        self.dry(state, row, shares)
        return shares

    def moves(self, state: Marks) -> int:
        return int(state.counts[ROUNDS])

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        return self.bound(experts, int(best_loss)).mistakes - best_loss

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """A sleeper is charged the learner's mistakes: both sides of the theorem have them, and they cancel."""
        return self.regret(experts, awake, loss + meanwhile)

    def bound(self, experts: int | None = None, best_loss: int | None = None) -> Bound:
        """The mistakes allowed when one of so many experts makes at most `best_loss`."""
        if experts is None or best_loss is None:
            raise NotCertified("say how many experts there are and how many mistakes the best one makes")
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        require(self.penalty > 0 or best_loss == 0, HOPELESS, NotCertified)
        promise = f"one of {experts} experts makes at most {best_loss} mistakes"
        return Bound(THEOREM, promise, largest(experts, Fraction(self.penalty), best_loss))

    def certificate(self, state: Marks, tally: Tally) -> Certificate:
        best, fewest = self.best(state), int(state.counts[FEWEST])
        require(self.penalty > 0 or fewest == 0, HOPELESS, NotCertified)
        allowed = largest(self.experts(state), Fraction(self.penalty), fewest)
        promise = f"expert {best} has {fewest} marks"
        mistakes, witness = int(state.counts[2]), self.witness(state) | {"penalty": str(self.penalty)}
        return Certificate(THEOREM, promise, "mistakes", mistakes, tally.updates, allowed, witness, "sequence")
