"""Restarting: Winnow without being told the margin of its target, or its size.

Phase j = 1, 2, ... plays afresh as if the margin were 2^-j and the target's weights summed to 2^j: the promotion is
1 + 2^-j / 2, and the phase ends, all weights forgotten, once it has more updates than Winnow's theorem then allows,
n being the attributes, known from the start.

Theorem. If weights m >= 0 of sum S have m.x >= 1 on positives and m.x <= 1 - d on negatives, and J is the least j >= 1
with 2^-j <= d and 2^j >= S, then, c_j being Winnow's bound for margin 2^-j and sum 2^j over n attributes,

    updates <= c_1 + ... + c_J + J - 1.

Proof. A phase before J has at most c_j + 1 updates. In phase J the promise is kept, as a margin d is one of 2^-J too
and a sum S one of 2^J: it makes at most c_J updates and never ends. As c_j grows about eightfold, this is near 8/7 c_J.

The loop that plays is Winnow's own, and a phase's end is found in it by halves. `BalancedWinnow()` has such phases
inside its compiled loop, by the highest attribute met so far, which needs no n: that cannot be said from outside.

N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2:285-318, 1988.

>>> from littlestone import Winnow
>>> one, two = (Winnow.tuned(8, margin=2.0**-j).bound(8, margin=2.0**-j, norm=2**j).mistakes for j in (1, 2))
>>> Restarting(Winnow()).bound(attributes=8, margin=0.25, norm=3).mistakes == one + two + 1
True
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner, Size, State, copy_state
from littlestone.base.printed_numbers import Number
from littlestone.base.traits import Keyed, Promises, Scores
from littlestone.learners import Winnow
from littlestone.learners.shared.inside import expect_rows

LAST = 12  # phases: a margin of 1/4096; beyond it the promotion is too near 1


class Phased(NamedTuple):
    """The state of the phase that plays, and the updates of each phase that has ended; `attributes` is n."""

    inner: State
    phases: Array
    attributes: Array


@final
@dataclass(frozen=True)
class Restarting(Learner, Keyed, Promises, Scores):
    """Winnow in phases, the margin halved in each.

    Args:
        learner: A Winnow; its promotion is set by each phase.
        attributes: How many attributes there are, >= 1; None: those known when the game starts.
    """

    learner: Winnow
    attributes: int | None = None

    def __post_init__(self) -> None:
        inner = self.learner
        allowed = "a Winnow, whose promotion hangs on the margin"
        require(isinstance(inner, Winnow), f"learner must be {allowed}; got {inner!r}")
        plain = inner.promotion == 2 and not (inner.margin or inner.floor or inner.eliminate)
        require(plain, "the phases set the promotion, and cover neither margin, floor nor eliminate")
        given = self.attributes is None or self.attributes >= 1
        require(given, f"attributes must be None (those known at the start) or at least 1, got {self.attributes}")

    def phase(self, number: int) -> Winnow:
        """The learner of a phase, from 1 on."""
        return replace(self.learner, promotion=1 + 2.0 ** -min(number, LAST) / 2)

    def patience(self, number: int, attributes: int) -> float:
        """How many updates a phase may have; the last has no end."""
        return _find_patience(self.learner, number, attributes)

    def start(self, size: Size, seed: int = 0) -> Phased:
        n = size.attributes if self.attributes is None else self.attributes
        require(n >= 1, "the phases hang on the attributes: say Restarting(learner, attributes=...)")
        inner = self.phase(1).start(size._replace(attributes=n), seed)
        return Phased(inner, np.zeros(0, np.int64), np.array([n]))

    def full(self, state: Phased, x: Row) -> bool:
        return self.is_spent(state) or self.phase(self.number(state)).full(state.inner, x)

    def grow(self, state: Phased, size: Size) -> Phased:
        n = int(state.attributes[0])
        if not self.is_spent(state):
            inner = self.phase(self.number(state)).grow(state.inner, size._replace(attributes=n))
            return state._replace(inner=inner)
        fresh = self._start_next(state, n)
        ended = self.phase(self.number(state)).moves(state.inner)
        return Phased(fresh, np.append(state.phases, ended), state.attributes)

    def number(self, state: Phased) -> int:
        """The number of the phase that plays."""
        return 1 + len(state.phases)

    def is_spent(self, state: Phased) -> bool:
        """Whether the phase has had more updates than it may, and the next one begins."""
        number = self.number(state)
        return self.phase(number).moves(state.inner) > self.patience(number, int(state.attributes[0]))

    def predict(self, state: Phased, x: Row) -> int:
        learner, inner = self._find_playing(state, x)
        return learner.predict(inner, x)

    def update(self, state: Phased, x: Row, y: int, guess: int) -> None:
        learner, inner = self._find_playing(state, x)
        learner.update(inner, x, y, guess)

    def round(self, state: Phased, x: Row, y: int) -> int:
        learner, inner = self._find_playing(state, x)
        return learner.round(inner, x, y)

    def replay(self, state: Phased, chunk: Chunk, guesses: Array) -> int:
        chunk = expect_rows(self, chunk)
        if self.full(state, chunk[0]):
            return 0
        readable = self._count_readable(state, chunk)
        learner = self.phase(self.number(state))
        before = copy_state(state.inner)
        done = learner.replay(state.inner, chunk[:readable], guesses)
        if not self.is_spent(state):
            return done
        # the phase is not spent after `low` rounds, and is after `high`
        low = 0
        high = done
        while high - low > 1:
            middle = (low + high) // 2
            _restore(state.inner, before)
            learner.replay(state.inner, chunk[:middle], guesses)
            low, high = (low, middle) if self.is_spent(state) else (middle, high)
        _restore(state.inner, before)
        learner.replay(state.inner, chunk[:high], guesses)
        return high

    def score(self, state: Phased, x: Row) -> float:
        learner, inner = self._find_playing(state, x)
        return learner.score(inner, x)

    def moves(self, state: Phased) -> int:
        return int(state.phases.sum()) + self.phase(self.number(state)).moves(state.inner)

    def key(self, state: Phased) -> Hashable:
        if self.is_spent(state):  # as good as in the next phase
            return self.key(self.grow(state, Size()))
        learner = self.phase(self.number(state))
        return learner.key(state.inner), learner.moves(state.inner), tuple(state.phases.tolist())

    def features(self) -> Indexed:
        return Indexed(self.attributes)

    def bound(self, attributes: int | None = None, margin: Number | None = None, norm: Number | None = None) -> Bound:
        """The theorem for a target of sum `norm` with a `margin`, neither of which the learner is told."""
        n = self.attributes if attributes is None else attributes
        require(n is not None and n >= 1, f"say how many attributes there are, at least 1; got {n}")
        require(margin is not None and 0 < margin <= 1, f"margin must be in (0, 1], got {margin}")
        require(norm is not None and norm > 0, f"norm, the target's sum of weights, must be positive, got {norm}")
        assert n is not None
        assert margin is not None
        assert norm is not None
        last = next((j for j in range(1, LAST) if 2.0**-j <= margin and 2**j >= norm), LAST)
        require(last < LAST, f"margins below 2^-{LAST - 1} and sums above 2^{LAST - 1} are out of reach", NotCertified)
        caps = [int(self.patience(j, n)) for j in range(1, last + 1)]
        promise = f"weights m >= 0 of sum {norm} have m.x >= 1 on positives, <= 1 - {margin} on negatives"
        return Bound("Winnow (Littlestone 1988), phases", promise, sum(caps) + last - 1, "updates")

    def _start_next(self, state: Phased, attributes: int) -> State:
        """The state with which the next phase begins."""
        return self.phase(self.number(state) + 1).start(Size(attributes))

    def _find_playing(self, state: Phased, x: Row) -> tuple[Winnow, State]:
        """The learner and state that play now: after a spent phase those of the next one."""
        n = int(state.attributes[0])
        more = f"this game of Restarting is over {n} attributes, fixed when it started; got a row with more"
        require(x.width <= n, more, BadInstance)
        if self.is_spent(state):
            return self.phase(self.number(state) + 1), self._start_next(state, n)
        return self.phase(self.number(state)), state.inner

    def _count_readable(self, state: Phased, chunk: Examples) -> int:
        """How many leading rows are over the attributes of this game; the first one's error if none is."""
        n = int(state.attributes[0])
        if chunk.width <= n:
            return len(chunk)
        rows = next((t for t in range(len(chunk)) if chunk[t].width > n), len(chunk))
        if rows == 0 and len(chunk):
            self._find_playing(state, chunk[0])
        return rows


@lru_cache(maxsize=256)
def _find_patience(learner: Winnow, number: int, attributes: int) -> float:
    if number >= LAST:
        return np.inf
    inner = replace(learner, promotion=1 + 2.0**-number / 2)
    return inner.bound(attributes, margin=2.0**-number, norm=2**number).mistakes


def _restore(state: State, saved: State) -> None:
    """Put a state's arrays back to what a copy says."""
    for array, old in zip(state, saved, strict=True):
        array[...] = old
