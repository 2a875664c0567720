"""Conservative: learn from mistakes only.

Predict as the inner learner does, and show it a round only if it got that round wrong.

Theorem. Let M be the most mistakes that the inner learner A makes on any sequence that keeps its promise. Then on
any such sequence the conservative learner, which never changes without a mistake, makes

    mistakes = (mistakes of A on the rounds it was shown) <= M.

Proof. The rounds shown are a sequence of their own, which keeps the promise too, and A errs on every one of them.
An expectation over A's coins does not transfer: which rounds are shown depends on those coins.

N. Littlestone. From on-line to batch learning. COLT 1989.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> Conservative(Halving(Thresholds(6))).bound().mistakes
3
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, Size, State
from littlestone.base.traits import (
    Keyed,
    Promises,
    Remainders,
    Witnesses,
    ask_bound,
    ask_certificate,
    ask_key,
    ask_remaining,
)


class Shown(NamedTuple):
    """The inner learner's state, and in `counts` how many rounds it was shown."""

    inner: State
    counts: Array


@final
@dataclass(frozen=True)
class Conservative(Learner, Keyed, Promises, Witnesses, Remainders):
    """Any learner, taught only by its mistakes.

    Args:
        learner: The learner inside, such as Halving(concepts).
    """

    learner: Learner

    def __post_init__(self) -> None:
        require(isinstance(self.learner, Learner), f"learner must be a Learner such as Halving, got {self.learner!r}")

    def start(self, size: Size, seed: int = 0) -> Shown:
        return Shown(self.learner.start(size, seed), np.zeros(1, np.int64))

    def grow(self, state: Shown, size: Size) -> Shown:
        return Shown(self.learner.grow(state.inner, size), state.counts)

    def full(self, state: Shown, x: Any) -> bool:
        return self.learner.full(state.inner, x)

    def predict(self, state: Shown, x: Any) -> int:
        return self.learner.predict(state.inner, x)

    def update(self, state: Shown, x: Any, y: int, guess: int) -> None:
        if guess != y:
            self.learner.update(state.inner, x, y, guess)
            state.counts[0] += 1

    def loss(self, guess: int, y: int) -> float:
        return self.learner.loss(guess, y)

    def moves(self, state: Shown) -> int:
        return int(state.counts[0])

    def key(self, state: Shown) -> Hashable:
        return ask_key(self.learner, state.inner)

    def features(self) -> Any:
        return self.learner.features()

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.learner.known_labels()

    def limit(self) -> int:
        return self.learner.limit()

    def bound(self) -> Bound:
        inner = ask_bound(self.learner)
        self._refuse_coins(inner.counts)
        return replace(inner, theorem=_name_conversion(inner.theorem), counts="mistakes")

    def certificate(self, state: Shown, tally: Tally) -> Certificate:
        """What the inner learner's theorem allowed it on the rounds it was shown, each of them a mistake."""
        shown = self.moves(state)
        inner = ask_certificate(self.learner, state.inner, Tally(shown, shown, self.learner.moves(state.inner)))
        self._refuse_coins(inner.counts)
        return replace(
            inner,
            theorem=_name_conversion(inner.theorem),
            counts="mistakes",
            mistakes=tally.mistakes,
            updates=tally.updates,
            witness={"rounds shown": shown, "agreeing with them": inner.witness},
            count=None,
        )

    def _refuse_coins(self, counts: str) -> None:
        refusal = f"the bound of {self.learner} is an expectation over its coins, on which the rounds shown depend"
        require(counts != "expected mistakes", refusal, NotCertified)

    def remaining(self, state: Shown, **facts: Any) -> Bound:
        return ask_remaining(self.learner, state.inner, **facts)

    def check_state(self, state: Shown, size: Size) -> bool:
        return self.learner.check_state(state.inner, size)


def _name_conversion(theorem: str) -> str:
    return f"Conservative conversion (Littlestone 1989) of {theorem}"
