"""NeverMiss: accept whatever any concept that is still consistent accepts.

Predict class 1 if some surviving concept says so, and class 0 if all agree on it. After every round drop the concepts
that were wrong. Only what was accepted needs a label: of what is rejected every survivor says the same.

Theorem (apple tasting, realizable). If some concept of the class H labels every round, then on any sequence

    misses = 0,        false accepts <= |H| - |V| <= |H| - 1,        V = the concepts consistent with all rounds.

Proof. The concept that labels every round survives, so what it accepts is accepted. A false accept drops those that
said 1, at least one, and the last survivors number |V| >= 1. Singletons attain it: each point but the target's is
accepted once.

D. P. Helmbold, N. Littlestone and P. M. Long. Apple tasting. Information and Computation 161:85-139, 2000.

>>> from littlestone.concepts import Thresholds
>>> NeverMiss(Thresholds(6)).bound().mistakes
7
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.base.learner import Size, State
from littlestone.base.traits import Asking
from littlestone.concepts.concept import ConceptClass
from littlestone.learners.shared.version_space import VersionSpaceLearner, pack_survivors

# of `counts`
ACCEPTED = 0
FALSE = 1


class Accepting(NamedTuple):
    """The version space, and `counts` of what was accepted, and falsely so."""

    space: State
    counts: Array


@final
@dataclass(frozen=True)
class NeverMiss(VersionSpaceLearner, Asking):
    """Accept what any concept that is still consistent accepts; labels are needed only for that.

    Args:
        concepts: A finite class of two labels, one concept of which labels every round.
    """

    concepts: ConceptClass
    theorem: ClassVar[str] = "Apple tasting without a miss (Helmbold, Littlestone and Long 2000)"
    tosses: ClassVar[bool] = False

    def __post_init__(self) -> None:
        labels = self.concepts.labels
        require(len(labels) == 2, f"what is accepted or rejected has two labels, got {labels}")

    def start(self, size: Size, seed: int = 0) -> Accepting:
        return Accepting(self.concepts.start(), np.zeros(2, np.int64))

    def predict(self, state: Accepting, x: Any) -> int:
        return int(self.concepts.votes(state.space, x)[1] > 0)

    def update(self, state: Accepting, x: Any, y: int, guess: int) -> None:
        accepted = self.predict(state, x)
        self.concepts.keep(state.space, x, y)
        state.counts[ACCEPTED] += accepted
        state.counts[FALSE] += accepted and y == 0

    def wants(self, state: Accepting, x: Any) -> bool:
        """Whether x would be accepted, and so bring its label."""
        return self.predict(state, x) == 1

    def skip(self, state: Accepting, x: Any) -> None:
        self.concepts.keep(state.space, x, 0)  # which drops none: all say so

    def asked(self, state: Accepting) -> int:
        return int(state.counts[ACCEPTED])

    def estimate_mistakes(self, state: Accepting) -> float:
        """All of them: nothing is missed while the promise is kept."""
        return float(state.counts[FALSE])

    def key(self, state: Accepting) -> Hashable:
        return pack_survivors(self.concepts, state.space)

    def count_left(self, space: State | None) -> int:
        return self.count_survivors(space) - 1

    def check_state(self, state: Accepting, size: Size) -> bool:
        accepted, wrong = state.counts.tolist()
        return 0 <= wrong <= accepted and VersionSpaceLearner.check_state(self, state, size)
