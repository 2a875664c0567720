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
from typing import Any, Literal, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.coins import pick
from littlestone.base.errors import require
from littlestone.base.learner import Size, State, fingerprint
from littlestone.base.traits import Promises, Witnesses
from littlestone.concepts.concept import ConceptClass
from littlestone.learners.shared.version_space import VersionSpaceLearner

THEOREM = "Consistent learner (Gold 1967, Mitchell 1982)"


class ConsistentState(NamedTuple):
    """The version space, and in `coin` the seed from which a random survivor is drawn."""

    space: State
    coin: Array


@final
@dataclass(frozen=True)
class Consistent(VersionSpaceLearner, Promises, Witnesses):
    """Follow one concept that is still consistent until it errs.

    Args:
        concepts: A finite class, one concept of which labels every round.
        choice: "lowest" follows the survivor with the lowest number; "random" draws one whenever a concept is dropped.
    """

    concepts: ConceptClass
    choice: Literal["lowest", "random"] = "lowest"

    def __post_init__(self) -> None:
        require(self.choice in ("lowest", "random"), f"choice must be 'lowest' or 'random', got {self.choice!r}")

    def start(self, size: Size, seed: int = 0) -> ConsistentState:
        return ConsistentState(self.concepts.start(), np.array([seed & (2**63 - 1)]))

    def predict(self, state: ConsistentState, x: Any) -> int:
        rank, space = 0, state.space
        if self.choice == "random":
            rank = pick(int(state.coin[0]), self.concepts.cuts(space), self.concepts.survivors(space))
        return self.concepts.label(self.concepts.survivor(space, rank), x)

    def update(self, state: ConsistentState, x: Any, y: int, guess: int) -> None:
        self.concepts.keep(state.space, x, y)

    def moves(self, state: ConsistentState) -> int:
        return self.concepts.cuts(state.space)

    def key(self, state: ConsistentState) -> Hashable:
        return fingerprint(state.space)

    def bound(self) -> Bound:
        return Bound(THEOREM, self.promise(), self.concepts.size - 1)

    def certificate(self, state: ConsistentState, tally: Tally) -> Certificate:
        allowed = self.concepts.size - self.concepts.survivors(state.space)
        witness = self.witness(state.space)
        return Certificate(
            THEOREM, self.promise(), "mistakes", tally.mistakes, tally.updates, allowed, witness, "sequence"
        )

    def remaining(self, state: ConsistentState) -> Bound:  # type: ignore[override]
        alive = self.concepts.survivors(state.space)
        return Bound(THEOREM, self.survivors_promise(alive), alive - 1)

    def check_state(self, state: ConsistentState, size: Size) -> bool:
        return self.concepts.check_space(state.space)
