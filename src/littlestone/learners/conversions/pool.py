"""Pool: a concept class as a pool of experts, for when no concept is perfect.

Every concept of a finite class votes on every instance, and a learner from advice follows them: agnostic halving. With
weighted majority the mistakes are at most about 2.41 (those of the best concept) + 2.41 lg |H| at penalty 1/2, on any
sequence; with ImprovedMajority half of it in expectation.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import WeightedMajority
>>> from littlestone import play, Recorded
>>> noisy = Recorded([1, 5, 2, 6, 3, 0, 4, 5], [False, True, False, True, True, False, True, False])
>>> game = play(Pool(Thresholds(6), WeightedMajority()), noisy)
>>> game.certificate().holds, Thresholds(6).name(game.certificate().witness["expert"])
(True, 'x >= 3')
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, final

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import NotCertified, TooLarge, require
from littlestone.base.learner import Size, State
from littlestone.base.traits import PlanEntry, ask_bound
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.disjunctions import Disjunctions
from littlestone.learners.experts.contract import Experts
from littlestone.learners.improved_majority import ImprovedMajority
from littlestone.learners.shared.wrapped import WrappedWitness
from littlestone.learners.weighted_majority import WeightedMajority

LIMIT = 10**7  # concepts asked for their label one by one


@final
@dataclass(frozen=True)
class Pool(WrappedWitness):
    """A learner from advice whose experts are the concepts of a class.

    Args:
        concepts: A class of at most 10^7 concepts with two labels, such as Thresholds(6). The bound grows with the
            logarithm of its size.
        learner: Who follows them: a learner that votes, such as WeightedMajority() or ImprovedMajority().
    """

    concepts: ConceptClass
    learner: Experts

    def __post_init__(self) -> None:
        require(len(self.concepts.labels) == 2, f"concepts must have two labels, got {self.concepts.labels}")
        require(not self.learner.numeric, f"concepts vote: use a learner that votes, got {self.learner}")
        require(self.concepts.size <= LIMIT, f"{self.concepts} has {self.concepts.size} > {LIMIT} concepts", TooLarge)

    @property
    def follower(self) -> Experts:
        """The learner that follows the concepts."""
        return self.learner

    def find_forecasts(self, chunk: Chunk) -> Array:
        """What every concept says in the rounds of a chunk, a row for each."""
        return np.array([self.ask(chunk[t]).values for t in range(len(chunk))])

    def rewrite(self, state: State, x: Any) -> Row:
        return self.ask(x)

    def ask(self, x: Any) -> Row:
        """What every concept says about x."""
        return Row(None, _ask(self.concepts, x))

    def start(self, size: Size, seed: int = 0) -> State:
        return self.learner.start(Size(self.concepts.size), seed)

    def features(self) -> ConceptClass:
        return self.concepts

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.concepts.labels

    def bound(self, best_loss: int | None = None) -> Bound:
        """The mistakes allowed when the best concept makes at most `best_loss`."""
        if best_loss is None:
            raise NotCertified("say how many mistakes the best concept makes")
        return ask_bound(self.learner, experts=self.concepts.size, best_loss=best_loss)

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        a = assumptions
        n = assumptions.attributes
        k = assumptions.relevant
        if a.margin is not None or a.drift or not a.flips or comb(n, k) > LIMIT:
            return
        concepts = Disjunctions(n, k, monotone=True)
        size = comb(n, k)
        for voter, times in ((WeightedMajority(), ""), (ImprovedMajority(), "half of ")):
            bound = voter.bound(size, a.flips)
            formula = f"{times}2.41 (F + lg C(n, k))"
            yield PlanEntry(cls(concepts, voter), bound.value, bound.counts, formula, float(size), 8.0 * size)


@lru_cache(maxsize=4096)
def _ask(concepts: ConceptClass, x: Hashable) -> Array:
    """The labels that all concepts give to an instance, kept for when it comes again."""
    return np.array([concepts.label(index, x) for index in range(concepts.size)], np.uint8)
