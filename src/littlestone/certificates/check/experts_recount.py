"""Recount: the votes of a game of advice again, in exact arithmetic, for whoever does not trust floats.

Penalties are fractions (a float is one), weights are powers of them, and nothing is rounded: what comes out is the
number of mistakes, or the exact expected number over the learner's coins, and the losses of every expert.

>>> from littlestone.learners import RandomizedWeightedMajority
>>> votes = [[1, 0, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 1]]
>>> recount(RandomizedWeightedMajority(), votes, [1, 0, 1, 1, 0])
Recount(mistakes=Fraction(3673, 1155), losses=(3, 5, 2), guesses=None)
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Number
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.experts_votes import Vote, ballots
from littlestone.learners import FollowTheLeader, RandomizedWeightedMajority, WeightedMajority
from littlestone.learners.experts.contract import Experts


class Recount(NamedTuple):
    """Mistakes or exact expected mistakes, each expert's losses, and the guesses of a learner without coins."""

    mistakes: Number
    losses: tuple[int, ...]
    guesses: tuple[int, ...] | None


def recount(learner: Experts, forecasts: Any, outcomes: Any) -> Recount:
    """Play the rounds of a panel of votes again, exactly; NaN is a sleeper, where no coins are tossed."""
    votes = np.asarray(forecasts, np.float64)
    legal = np.isin(votes, (0, 1)) | np.isnan(votes)
    require(bool(legal.all()), "an exact recount needs votes of 0 or 1, or NaN to sleep", NotCertified)
    rows = [[None if said != said else int(said) for said in row] for row in votes.tolist()]
    vote = vote_of(learner)
    tosses = vote.kind in ("draw", "random leader")
    found = ballots(vote, rows, [int(y) for y in outcomes], [Fraction(0)] * len(rows))
    whole: Number = int(found.total) if found.total.denominator == 1 else found.total
    return Recount(whole, tuple(found.losses), None if tosses else tuple(found.guesses))


def vote_of(learner: Experts) -> Vote:
    """How a learner weighs votes."""
    if isinstance(learner, FollowTheLeader):
        return Vote("random leader" if learner.random else "leader")
    if isinstance(learner, WeightedMajority | RandomizedWeightedMajority):
        return Vote("majority" if isinstance(learner, WeightedMajority) else "draw", Fraction(learner.penalty))
    raise NotCertified(f"{type(learner).__name__} uses logarithms: no exact recount in fractions")
