"""Consistent: follow one concept that is still consistent until it errs.

Predict with a survivor: the lowest-numbered one, or a random one that is drawn anew only when a concept has died.
After every round drop the concepts that were wrong.

Theorem. If some concept of the class H labels every round, then on any sequence, whichever survivor is chosen,

    mistakes <= |H| - |V| <= |H| - 1,        V = the concepts consistent with all rounds.

Proof. After a mistake at least the chosen concept is dropped, and no consistent concept ever is. Attained by
singletons, lowest first: ask for each concept's own point and answer that it is not that one.

E. M. Gold. Language identification in the limit. Information and Control 10:447-474, 1967 (by enumeration).
T. M. Mitchell. Generalization as search. Artificial Intelligence 18:203-226, 1982 (version spaces).

>>> from littlestone.concepts import Thresholds
>>> Consistent(Thresholds(6)).bound().mistakes
7
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.coins import pick
from littlestone.base.errors import require
from littlestone.base.learner import Size, State, fingerprint
from littlestone.concepts.concept import ConceptClass
from littlestone.learners.shared.version_space import VersionSpaceLearner


class ConsistentState(NamedTuple):
    """The version space, and in `coin` the seed from which a random survivor is drawn."""

    space: State
    coin: Array


@final
@dataclass(frozen=True)
class Consistent(VersionSpaceLearner):
    """Follow one concept that is still consistent until it errs.

    Args:
        concepts: A finite class, one concept of which labels every round.
        choice: "lowest" follows the survivor with the lowest number; "random" draws one whenever a concept is dropped.
    """

    concepts: ConceptClass
    choice: Literal["lowest", "random"] = "lowest"
    theorem: ClassVar[str] = "Consistent learner (Gold 1967, Mitchell 1982)"

    def __post_init__(self) -> None:
        require(self.choice in ("lowest", "random"), f"choice must be 'lowest' or 'random', got {self.choice!r}")

    @property
    def draws_concepts(self) -> bool:
        """Whether its guesses depend on a seed."""
        return self.choice == "random"

    def start(self, size: Size, seed: int = 0) -> ConsistentState:
        return ConsistentState(self.concepts.start(), np.array([seed & (2**63 - 1)]))

    def predict(self, state: ConsistentState, x: Any) -> int:
        rank = 0
        space = state.space
        if self.choice == "random":
            rank = pick(int(state.coin[0]), self.concepts.cuts(space), self.concepts.survivors(space))
        return self.concepts.label(self.concepts.survivor(space, rank), x)

    def key(self, state: ConsistentState) -> Hashable:
        return fingerprint(state.space)

    def count_left(self, space: State | None) -> int:
        return self.count_survivors(space) - 1
