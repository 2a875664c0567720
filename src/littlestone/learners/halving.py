"""Halving: follow the majority of the concepts that are still consistent.

Predict the label that most surviving concepts give, a tie going to the first label. After every round drop the
concepts that were wrong.

Theorem. If some concept of the class H labels every round, then on any sequence and for any set of labels

    mistakes <= floor(lg(|H| / |V|)) <= floor(lg |H|),        V = the concepts consistent with all rounds.

Proof. After a mistake the survivors are a group that lost the vote: disjoint from the winning group and no larger,
so at most half of those before. The last survivors number |V| >= 1.

J. M. Barzdin and R. V. Freivald. On the prediction of general recursive functions. Soviet Mathematics Doklady
13:1224-1228, 1972. D. Angluin. Queries and concept learning. Machine Learning 2:319-342, 1988.

>>> from littlestone.concepts import Thresholds
>>> Halving(Thresholds(6)).bound().mistakes
3
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from littlestone.base.assumptions import Assumptions
from littlestone.base.chunks import Array, Chunk
from littlestone.base.exact_numbers import floor_log2
from littlestone.base.learner import Learner, State
from littlestone.base.traits import PlanEntry, Planned
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.disjunctions import Disjunctions
from littlestone.concepts.packed import Packed
from littlestone.learners.shared.version_space import VersionSpaceLearner, find_plurality


@final
@dataclass(frozen=True)
class Halving(VersionSpaceLearner, Planned):
    """Follow the majority of the concepts that are still consistent.

    Args:
        concepts: A finite class, one concept of which labels every round. The bound grows with the logarithm of its
            size.
    """

    concepts: ConceptClass
    theorem: ClassVar[str] = "Halving (Barzdin and Freivald 1972, Angluin 1988)"

    def predict(self, state: State, x: Any) -> int:
        return find_plurality(self.concepts.votes(state, x))

    def replay(self, state: State, chunk: Chunk, guesses: Array) -> int:
        if isinstance(self.concepts, Packed) and len(chunk):
            done = self.concepts.halve(state, chunk, guesses)
            if done:
                return done
        return Learner.replay(self, state, chunk, guesses)

    def count_left(self, space: State | None) -> int:
        return floor_log2(self.count_survivors(space))

    def count_allowed(self, space: State) -> int:
        return floor_log2(Fraction(self.concepts.size, self.concepts.survivors(space)))

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        n = assumptions.attributes
        k = assumptions.relevant
        if assumptions.is_exact_or:
            concepts = Disjunctions(n, k, monotone=True)
            size = math.comb(n, k)
            value = size.bit_length() - 1
            yield PlanEntry(cls(concepts), value, "mistakes", "floor(lg C(n, k))", size / 64, size / 8)
