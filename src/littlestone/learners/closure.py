"""Closure: guess positive only what must be positive.

Over the boxes of the grid {0..m-1}^d: predict positive inside the smallest box that holds every positive point met
so far (none at first); after a positive point outside it, widen it just enough.

Theorem. If some box labels every round, then on any sequence, for a final box of side lengths s_1, ..., s_d,

    mistakes <= 1 + s_1 + ... + s_d <= 1 + d (m - 1).

Proof. The box lies inside the target, so no negative point is taken for positive. The first mistake makes the box
one point; each later one widens some side by at least one, and no side exceeds m - 1. Attained: start in a corner
and move out one step at a time.

D. Helmbold, R. Sloan and M. K. Warmuth. Learning nested differences of intersection-closed concept classes.
Machine Learning 5:165-196, 1990.

>>> from types import SimpleNamespace
>>> Closure(SimpleNamespace(m=4, d=2)).bound().mistakes
7
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.errors import NotRealizable, require
from littlestone.base.learner import Learner, Size, fingerprint
from littlestone.base.traits import Keyed, Promises, Remainders, Witnesses

THEOREM = "Closure (Helmbold, Sloan and Warmuth 1990)"


class Boxes(Protocol):
    """A class of boxes: the points on a side, the dimensions, and how an instance is read."""

    @property
    def m(self) -> int: ...

    @property
    def d(self) -> int: ...

    def __call__(self, x: Any) -> Any: ...


class BoxState(NamedTuple):
    """The box from `low` to `high`, both ends in it, empty while low > high; and in `counts` the updates."""

    low: Array
    high: Array
    counts: Array


@final
@dataclass(frozen=True)
class Closure(Learner, Keyed, Promises, Witnesses, Remainders):
    """Guess positive only inside the smallest box that holds every positive point met so far.

    Args:
        concepts: The boxes of a grid, such as `Rectangles(m, d)`. The bound grows with the length of their sides.
    """

    concepts: Boxes

    def __post_init__(self) -> None:
        for name in ("m", "d"):
            number = getattr(self.concepts, name, None)
            ready = isinstance(number, int) and number >= 1
            require(ready, f"concepts must be boxes on a grid, with {name} >= 1, got {self.concepts}")

    def start(self, size: Size, seed: int = 0) -> BoxState:
        d = self.concepts.d
        return BoxState(np.full(d, self.concepts.m), np.full(d, -1), np.zeros(1, np.int64))

    def predict(self, state: BoxState, x: Any) -> int:
        return int(all(low <= place <= high for low, place, high in zip(state.low, x, state.high, strict=True)))

    def update(self, state: BoxState, x: Any, y: int, guess: int) -> None:
        inside = self.predict(state, x)
        if inside and not y:
            raise NotRealizable(f"{x} is labelled negative, but every box around the positive points before holds it")
        if y and not inside:
            np.minimum(state.low, x, out=state.low)
            np.maximum(state.high, x, out=state.high)
            state.counts[0] += 1

    def moves(self, state: BoxState) -> int:
        return int(state.counts[0])

    def key(self, state: BoxState) -> Hashable:
        return fingerprint((state.low, state.high))

    def features(self) -> Boxes:
        return self.concepts

    def known_labels(self) -> tuple[Hashable, ...]:
        return (False, True)

    def bound(self) -> Bound:
        m = self.concepts.m
        d = self.concepts.d
        return Bound(THEOREM, self._promise(), 1 + d * (m - 1))

    def certificate(self, state: BoxState, tally: Tally) -> Certificate:
        """The witness is the final box: if any box labels every round, it does."""
        empty = bool((state.low > state.high).any())
        allowed = 0 if empty else 1 + int((state.high - state.low).sum())
        witness = {"box": None if empty else [state.low.tolist(), state.high.tolist()]}
        counted = "mistakes", tally.mistakes, tally.updates
        return Certificate(THEOREM, self._promise(), *counted, allowed, witness, "sequence")

    def _promise(self) -> str:
        m = self.concepts.m
        d = self.concepts.d
        return f"a box on the grid of {m} points a side in {d} dimensions labels every round"

    def remaining(self, state: BoxState) -> Bound:  # type: ignore[override]
        """1 + d (m - 1) before the first positive point, then the steps by which the box can still grow."""
        m = self.concepts.m
        empty = bool((state.low > state.high).any())
        value = self.bound().mistakes if empty else int((m - 1 - (state.high - state.low)).sum())
        return Bound(THEOREM, "a box around every positive point so far labels every round to come", value)

    def check_state(self, state: BoxState, size: Size) -> bool:
        low = state.low
        high = state.high
        m = self.concepts.m
        return bool((low >= 0).all() and (low <= m).all() and (high >= -1).all() and (high < m).all())

    def is_affordable(self, room: int) -> bool:
        """Whether its state takes no more than `room` bytes."""
        return 16 * self.concepts.d <= room
