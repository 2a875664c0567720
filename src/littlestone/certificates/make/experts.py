"""Advised: certificates of learners from expert advice, with the best expert or schedule in hindsight as witness.

The learner says what its theorem is about and how large its loss was: exactly, where that can be worked out, and
elsewhere rounded up by half of an error that is stated: the least of what rounding can do at worst and of what a run
that is not extreme stays far within. What the witness lost is a sum of fractions.
"""

from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate, Tally, round_up
from littlestone.base.chunks import Array
from littlestone.base.learner import Learner, describe
from littlestone.learners.experts.losses import Loss
from littlestone.learners.experts.schedules import find_schedule, find_switches


class AdviceGame(NamedTuple):
    """A game of advice played once more: learner, state, tally and seed after it, forecasts, outcomes, their digest."""

    learner: Learner
    state: Any
    tally: Tally
    seed: int
    X: Array
    y: Array
    digest: str


def certify_advice(game: AdviceGame) -> Certificate:
    """What the theorem allowed with the best witness."""
    learner: Any = getattr(game.learner, "follower", None)
    learner.certificate(game.state, game.tally)  # refuses, in words, what no theorem covers
    theorem, loss, (rounds, experts) = learner.theorem, learner.expert_loss, game.X.shape
    asleep = Fraction(0)
    switches = list[int]()
    witness = dict[str, Any]()
    whole = theorem.counts == "mistakes"
    count, error = (None, Fraction(0)) if whole else _count_loss(learner, game)
    if theorem.schedule:
        one, none = (learner.regret(experts, max(rounds, 3), 0.0, count) for count in (1, 0))
        path = find_schedule(loss.price_table(game.X, game.y), one - none)
        starts = find_switches(path)
        lost = _sum_losses(loss, game.X[np.arange(rounds), path], game.y)
        switches = [len(starts) - 1]
        witness["schedule"] = [[t, int(path[t])] for t in starts]
    else:
        witness["expert"] = best = learner.best(game.state)
        lost = _sum_losses(loss, game.X[:, best], game.y)
        if np.isnan(game.X[:, best]).any():
            asleep = Fraction(float(learner.charges(game.state)[best] - learner.losses(game.state)[best])) + error / 2
    lost += 0 if loss.rational else error / 2
    charge = float(lost + asleep)
    allowed = learner.allow(experts, rounds, charge)
    if isinstance(allowed, float):
        bound = round_up(charge + learner.regret(experts, rounds, charge, *switches)) + error
    else:
        bound = Fraction(allowed)
    witness |= {"losses": lost, "charged asleep": asleep, "experts": experts, "error": float(error)}
    mistakes = 0 if learner.numeric else game.tally.mistakes
    about = describe(game.learner)
    return Certificate(
        theorem.name, theorem.promise, theorem.counts, mistakes, game.tally.rounds,
        bound if bound.denominator > 1 else int(bound), witness, theorem.scope, error == 0, count, game.tally.rounds,
        about | ({"seed": game.seed} if theorem.tosses else {}), game.digest,
    )  # fmt: skip


def _count_loss(learner: Any, game: AdviceGame) -> tuple[Fraction, Fraction]:
    """Count the learner's loss once more.

    Returns:
        The loss, no smaller than it was.
        By how much it may be too large.
    """
    count, error = learner.recount(game.state, game.X, game.y)
    middle = count - error / 2
    top = learner.expert_loss.top
    usual = Fraction(float(middle / 2**30 + len(game.y) * Fraction(top if isfinite(top) else 1.0) / 2**40))
    error = min(error, usual)
    return middle + error / 2, error


def _sum_losses(loss: Loss, forecasts: Array, y: Array) -> Fraction:
    """What a column of forecasts lost, as a fraction; asleep it lost nothing."""
    pairs = zip(forecasts.tolist(), y.tolist(), strict=True)
    return sum((loss.price_exactly(Fraction(x), Fraction(outcome)) for x, outcome in pairs if x == x), Fraction(0))
