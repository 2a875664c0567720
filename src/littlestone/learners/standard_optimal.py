"""Standard optimal algorithm: no deterministic learner has a smaller worst case.

Predict the label whose concepts, among those still consistent, have the largest Littlestone dimension, a tie going to
the first label. After every round drop the concepts that were wrong. The dimensions are worked out exactly, so the
class must be small; what was worked out is kept for the next round and the next game.

Theorem. If some concept of the class H labels every round, then on any sequence and for any set of labels

    mistakes <= Ldim(H) - Ldim(V) <= Ldim(H),        V = the concepts consistent with all rounds,

and for every deterministic learner some sequence that a concept of H labels forces Ldim(H) mistakes.

Proof. Let U be consistent before a mistake on x, y the label, g the guess. Then Ldim(U[x, g]) >= Ldim(U[x, y]), so the
second largest of the dimensions at x is at least Ldim(U[x, y]) and Ldim(U) >= 1 + Ldim(U[x, y]): a mistake takes 1 or
more off the dimension. No round adds to it, as a tree for a part of U is one for U, and it ends at Ldim(V) >= 0.
A mistake tree of depth Ldim(H), walked by answering the other label at every node, forces as many.

N. Littlestone. Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm. Machine Learning
2:285-318, 1988. A. Daniely, S. Sabato, S. Ben-David, S. Shalev-Shwartz. Multiclass learnability and the ERM principle.
Journal of Machine Learning Research 16:2377-2404, 2015.

>>> from littlestone.concepts import Thresholds
>>> StandardOptimal(Thresholds(6)).bound().mistakes
3
"""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from littlestone.base.learner import State, copy_state
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.dimension import get_solver
from littlestone.learners.shared.version_space import VersionSpaceLearner, find_plurality, pack_survivors


@final
@dataclass(frozen=True)
class StandardOptimal(VersionSpaceLearner):
    """Predict the label whose consistent concepts have the largest Littlestone dimension.

    Args:
        concepts: A small class, one concept of which labels every round. Dimensions are found exactly, which takes time
            that grows quickly with the class.
    """

    concepts: ConceptClass
    theorem: ClassVar[str] = "Standard optimal algorithm (Littlestone 1988)"

    def predict(self, state: State, x: Any) -> int:
        votes = self.concepts.votes(state, x)
        if max(votes) == sum(votes):
            return find_plurality(votes)  # no label but this one is possible
        after = (self._find_dimension_after(state, x, y) if votes[y] else -1 for y in range(len(votes)))
        return find_plurality(tuple(after))

    def count_left(self, space: State | None) -> int:
        return self.dimension(self.concepts.start() if space is None else space)

    def witness(self, state: State) -> dict[str, Any]:
        whole = self.count_left(None)
        return VersionSpaceLearner.witness(self, state) | {"dimension": whole, "dimension left": self.dimension(state)}

    def dimension(self, state: State) -> int:
        """Find the Littlestone dimension of the concepts that survive."""
        known = get_solver(self.concepts)
        return known.find_dimension(known.to_space(pack_survivors(self.concepts, state)))

    def _find_dimension_after(self, state: State, x: Any, y: int) -> int:
        """Find the dimension of the survivors that label x as y."""
        part = copy_state(state)
        self.concepts.keep(part, x, y)
        return self.dimension(part)
