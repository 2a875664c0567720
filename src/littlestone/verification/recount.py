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

from littlestone.advice.experts import Experts
from littlestone.bound import Number
from littlestone.errors import NotCertified, require
from littlestone.learners import FollowTheLeader, RandomizedWeightedMajority, WeightedMajority


class Recount(NamedTuple):
    """Mistakes or exact expected mistakes, each expert's losses, and the guesses of a learner without coins."""

    mistakes: Number
    losses: tuple[int, ...]
    guesses: tuple[int, ...] | None


def recount(learner: Experts, forecasts: Any, outcomes: Any) -> Recount:
    """Play the rounds of a panel of votes again, exactly; nobody may sleep."""
    votes, truth = np.asarray(forecasts), [int(y) for y in outcomes]
    require(bool(np.isin(votes, (0, 1)).all()), "an exact recount needs votes of 0 or 1 in every round", NotCertified)
    rows = votes.astype(int).tolist()
    losses, guesses, count = [0] * votes.shape[1], [], Fraction(0)
    for row, y in zip(rows, truth, strict=True):
        wrong = [vote != y for vote in row]
        share = _share(learner, losses, row)
        if isinstance(learner, RandomizedWeightedMajority) or getattr(learner, "random", False):
            count += abs(share - y)
        else:
            guesses.append(int(2 * share > 1))
            count += guesses[-1] != y
        losses = [loss + error for loss, error in zip(losses, wrong, strict=True)]
    whole: Number = int(count) if count.denominator == 1 else count
    return Recount(whole, tuple(losses), tuple(guesses) if len(guesses) == len(rows) else None)


def _share(learner: Experts, losses: list[int], votes: list[int]) -> Fraction:
    """The share of the weight that says 1."""
    least = min(losses)
    if isinstance(learner, FollowTheLeader):
        leaders = [vote for loss, vote in zip(losses, votes, strict=True) if loss == least]
        return Fraction(sum(leaders), len(leaders)) if learner.random else Fraction(leaders[0])
    if isinstance(learner, WeightedMajority | RandomizedWeightedMajority):
        weights = [Fraction(learner.penalty) ** (loss - least) for loss in losses]
        ones = sum((w for w, vote in zip(weights, votes, strict=True) if vote), Fraction(0))
        return ones / sum(weights, Fraction(0))
    raise NotCertified(f"{type(learner).__name__} uses logarithms: no exact recount in fractions")
