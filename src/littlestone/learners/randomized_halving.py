"""RandomizedHalving: follow a concept drawn at random from those that are still consistent.

Every round draw a surviving concept uniformly and predict what it says. After every round drop the concepts that
were wrong. The survivors V_t do not depend on the coins, so the expectation is known, not estimated.

Theorem. If some concept of the class H labels every round and no label depends on the coins, then exactly

    E[mistakes] = sum over t of (1 - |V_t+1| / |V_t|) <= H_|H| - H_|V| <= H_|H| - 1 <= ln |H|,

where H_r = 1 + 1/2 + ... + 1/r and V holds the concepts consistent with all rounds.

Proof. A round is a mistake when the draw is one of the j concepts of r that die: probability j/r, and
j/r <= 1/r + 1/(r-1) + ... + 1/(r-j+1). Attained when concepts die one at a time. (The bound is often printed as
H_|H|; the last concept never errs.) A sum of reciprocals from v+1 to r is at most ln(r/v), which is what is
reported where the exact fraction would be too long to write down.

W. Maass. On-line learning with an oblivious environment and the power of randomization. COLT 1991.

>>> from littlestone.concepts import Thresholds
>>> RandomizedHalving(Thresholds(2)).bound().value
Fraction(13, 12)
"""

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.chunks import Array
from littlestone.base.coins import pick
from littlestone.base.exact_numbers import harmonic
from littlestone.base.learner import Size, State, fingerprint
from littlestone.base.printed_numbers import Number
from littlestone.base.traits import PlanEntry, Planned
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.disjunctions import Disjunctions
from littlestone.learners.shared.version_space import VersionSpaceLearner

EXACT = 2**13  # concepts up to which fractions have fewer than the 4300 digits that Python writes out
FINE = 2**64  # beyond, counts and bounds are rounded up to multiples of 1/FINE


class Draws(NamedTuple):
    """The version space, seed and round in `coin`, and the number of survivors of each round that removed some."""

    space: State
    coin: Array
    history: list[int]


@final
@dataclass(frozen=True)
class RandomizedHalving(VersionSpaceLearner, Planned):
    """Follow a concept drawn at random, in every round, from those that are still consistent.

    Args:
        concepts: A finite class, one concept of which labels every round.
    """

    concepts: ConceptClass
    theorem: ClassVar[str] = "Randomized halving (Maass 1991)"
    counts: ClassVar[Literal["mistakes", "expected mistakes"]] = "expected mistakes"
    draws_concepts: ClassVar[bool] = True  # by a seed, on which guesses depend

    def start(self, size: Size, seed: int = 0) -> Draws:
        return Draws(self.concepts.start(), np.array([seed & (2**63 - 1), 0]), [self.concepts.size])

    def predict(self, state: Draws, x: Any) -> int:
        seed, round = (int(part) for part in state.coin)
        drawn = pick(seed, round, state.history[-1])
        return self.concepts.label(self.concepts.survivor(state.space, drawn), x)

    def update(self, state: Draws, x: Any, y: int, guess: int) -> None:
        self.concepts.keep(state.space, x, y)
        state.coin[1] += 1
        left = self.concepts.survivors(state.space)
        if left < state.history[-1]:
            state.history.append(left)

    def moves(self, state: Draws) -> int:
        return len(state.history) - 1

    def expected(self, state: Draws) -> Fraction:
        return _sum_expectation(state.history, 0, len(state.history) - 1)

    def key(self, state: Draws) -> Hashable:
        return fingerprint(state.space)

    def bound(self) -> Bound:
        return Bound(self.theorem, self.promise(), self._find_bound(1), self.counts)

    def certificate(self, state: Draws, tally: Tally) -> Certificate:
        exact = self.concepts.size <= EXACT
        count = self.expected(state)
        allowed = self._find_bound(state.history[-1])
        theorem = self.theorem if exact else f"{self.theorem}, by H_r - H_v <= ln(r/v)"
        counted = self.counts, tally.mistakes, tally.updates
        rounded = count if exact else Fraction(math.ceil(count * FINE), FINE)
        witness = self.witness(state)
        return Certificate(theorem, self.promise(), *counted, allowed, witness, "expectation", exact, rounded)

    def promise(self) -> str:
        return VersionSpaceLearner.promise(self) + ", and no label depends on the learner's coins"

    def _find_bound(self, left: int) -> Fraction:
        """Find H_|H| - H_left, or the logarithm above it, rounded up."""
        size = self.concepts.size
        if size <= EXACT:
            return harmonic(size, left + 1)
        return Fraction(math.ceil(round_up(math.log1p((size - left) / left)) * FINE), FINE)

    def count_left(self, space: State | None) -> Number:
        alive = self.count_survivors(space)
        return harmonic(alive, 2) if alive <= EXACT else round_up(math.log(alive))

    def survivors_promise(self, alive: int) -> str:
        return f"{VersionSpaceLearner.survivors_promise(self, alive)}, whatever the coins"

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        n = assumptions.attributes
        k = assumptions.relevant
        if assumptions.is_exact_or:
            concepts = Disjunctions(n, k, monotone=True)
            size = math.comb(n, k)
            value = round_up(math.log(size))
            yield PlanEntry(cls(concepts), value, "expected mistakes", "ln C(n, k)", size / 64, size / 8)

    def check_state(self, state: Draws, size: Size) -> bool:
        history = state.history
        concepts = self.concepts
        if not concepts.check_space(state.space) or not all(type(left) is int for left in history):
            return False
        ends = history[:1] == [concepts.size] and history[-1] == concepts.survivors(state.space)
        return ends and all(before > after for before, after in pairwise(history))


def _sum_expectation(history: list[int], first: int, last: int) -> Fraction:
    """Sum (1 - after / before) along the history, by halves so that the numbers stay short."""
    if last - first < 2:
        return Fraction(history[first] - history[last], history[first])
    middle = (first + last) // 2
    return _sum_expectation(history, first, middle) + _sum_expectation(history, middle, last)
