"""Marked experts: learners from advice that vote by how often each expert erred, which is kept as a number of marks."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.learner import Size
from littlestone.learners.experts.contract import VotingExperts
from littlestone.learners.experts.losses import Loss, ZeroOne
from littlestone.learners.experts.pools import EXPERTS, ROUNDS, RoundArrays
from littlestone.learners.experts.voting_loop import FEWEST, LOW, MISTAKES, Marks

STEEPEST = 0.9999  # beyond, the table of powers would outgrow the caches


class MarkedExperts(VotingExperts):
    """A learner whose state is `Marks`: an expert's charge is its marks, those shared asleep included."""

    penalty: float | Fraction
    vote_loss: ClassVar[Loss] = ZeroOne()
    outcome_type: ClassVar[Any] = np.int32

    def start(self, size: Size, seed: int = 0) -> Marks:
        return Marks(np.zeros(size.attributes, np.int32), np.zeros(size.attributes, np.int32), np.zeros(5, np.int64))

    def losses(self, state: Marks) -> Array:
        met = self.experts(state)
        return np.array(state.marks[:met] - state.shared[:met])

    def charges(self, state: Marks) -> Array:
        return np.array(state.marks[: self.experts(state)])

    def expected(self, state: Marks) -> None:
        return None

    def certificate(self, state: Marks, tally: Tally) -> Certificate:
        witness = self.witness(state) | {"penalty": str(self.penalty)}
        promise = f"expert {witness['expert']} has {self.charges(state).min()} marks"
        given = super().certificate(state, tally)
        return replace(given, promise=promise, mistakes=int(state.counts[MISTAKES]), witness=witness)

    def check_state(self, state: Marks, size: Size) -> bool:
        met, low, fewest = (int(state.counts[place]) for place in (EXPERTS, LOW, FEWEST))
        mistakes = int(state.counts[MISTAKES])
        rounds = int(state.counts[ROUNDS])
        if not 0 <= met <= len(state.marks) or not 0 <= mistakes <= rounds < 2**31:
            return False
        marks = state.marks[:met]
        return bool(0 <= low <= fewest <= marks.min(initial=rounds) and marks.max(initial=0) <= rounds)


def list_votes(rounds: RoundArrays) -> RoundArrays:
    """The rounds for a loop of votes: numbers in range need not be votes, so that they are looked at."""
    return rounds._replace(clean=False) if rounds.clean and rounds.forecasts.dtype != np.uint8 else rounds
