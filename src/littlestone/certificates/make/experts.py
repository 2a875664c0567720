"""Advised: certificates of learners from expert advice, with the best expert or schedule in hindsight as witness.

Marks are whole numbers already, and short games of votes with rational penalties are summed in fractions. Elsewhere the
learner's loss is that of the run in floats, rounded up by half of an error that is stated and grows with the rounding
the run can have met; AdaHedge, whose ties no float need keep, is played again in decimals.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate, Tally, round_up
from littlestone.base.chunks import Array
from littlestone.base.learner import Learner, describe
from littlestone.learners import (
    AdaHedge,
    Aggregating,
    FixedShare,
    FollowTheLeader,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from littlestone.learners.conversions.pool import Pool
from littlestone.learners.experts.contract import COMPARED, SCHEDULED, Experts

LONGEST = 12_000  # bits of a denominator
SHORT = 20_000  # forecasts, up to which fractions are summed
DIGITS = 80


class Followed(NamedTuple):
    """A game of advice played once more: learner, state, tally and seed after it, forecasts, outcomes, their digest."""

    learner: Learner
    state: Any
    tally: Tally
    seed: int
    X: Array
    y: Array
    digest: str


def follows(learner: Learner) -> bool:
    """Whether it learns from advice in a way that can be checked from the rounds alone."""
    if isinstance(learner, Pool):
        return follows(learner.learner)
    own = type(getattr(learner, "loss", None)).__name__ == "Custom"
    return isinstance(learner, Experts) and getattr(learner, "memory", 1) == 1 and (not own or learner.draws)  # type: ignore[attr-defined]


def advised_certificate(followed: Followed) -> Certificate:
    """What the theorem allowed with the best witness."""
    whole_learner, state, tally, seed, X, y, digest = followed
    learner: Any = whole_learner.learner if isinstance(whole_learner, Pool) else whole_learner
    learner.certificate(state, tally)  # refuses, in words, what no theorem covers
    asleep = np.isnan(X).any()
    count, error = _counted(learner, state, X, y, bool(asleep))
    witness: dict[str, Any]
    regret: Any
    if isinstance(learner, FixedShare):
        path = schedule(learner, X, y)
        turns = [0, *(np.flatnonzero(np.diff(path)) + 1).tolist()]
        lost, extra = _lost(learner, X[np.arange(len(path)), path], y), Fraction(0)
        regret = learner.regret(X.shape[1], len(y), 0.0, len(turns) - 1)
        witness, promise = {"schedule": [[t, int(path[t])] for t in turns]}, SCHEDULED
    else:
        best = learner.best(state)
        lost, credit = _lost(learner, X[:, best], y), learner.charges(state)[best] - learner.losses(state)[best]
        slept = np.isnan(X[:, best]).any()
        extra = Fraction(float(credit)) + error / 2 if slept else Fraction(0)
        regret = _regret(learner, X.shape[1], len(y), float(lost + extra))
        witness, promise = {"expert": best}, COMPARED
    if isinstance(learner, Aggregating) and learner.loss.mixable == 1 and not isfinite(learner.loss.top):
        lost += error / 2  # logarithms
    witness |= {"losses": lost, "charged asleep": extra, "experts": X.shape[1], "error": float(error)}
    whole = isinstance(learner, WeightedMajority) or (isinstance(learner, FollowTheLeader) and not learner.random)
    if isinstance(regret, Fraction):
        bound: Any = regret if regret.denominator > 1 else int(regret)
    else:
        bound = round_up(float(lost + extra) + regret) + error
    tosses = isinstance(learner, FollowTheLeader) and learner.random
    tosses = tosses or getattr(learner, "draws", False) or not (learner.numeric or whole)
    counts = "loss" if learner.numeric else "mistakes" if whole else "expected mistakes"
    theorem = learner.certificate(state, tally).theorem
    about = describe(whole_learner) | ({"seed": seed} if tosses else {})
    return Certificate(
        theorem, promise, counts, 0 if learner.numeric else tally.mistakes, tally.rounds, bound, witness,
        "expectation" if tosses else "sequence", error == 0, None if whole else count, tally.rounds, about, digest,
    )  # fmt: skip


def _regret(learner: Any, experts: int, rounds: int, charge: float) -> Any:
    """The bound as a fraction where it is one; else how much the theorem adds to the charge."""
    if isinstance(learner, WeightedMajority | FollowTheLeader):
        return Fraction(learner.bound(experts, int(charge)).value)
    return float(learner.regret(experts, rounds, charge))


def _counted(learner: Any, state: Any, X: Array, y: Array, asleep: bool) -> tuple[Fraction, Fraction]:
    """The loss of the learner, and the error of what is stated."""
    if isinstance(learner, WeightedMajority) or (isinstance(learner, FollowTheLeader) and not learner.random):
        return Fraction(0), Fraction(0)
    if isinstance(learner, FollowTheLeader):
        return _leaders(X, y), Fraction(0)
    if isinstance(learner, RandomizedWeightedMajority) and not asleep and X.size <= SHORT and np.isin(X, (0, 1)).all():
        exact = _shares(Fraction(learner.penalty), X.astype(int), y.astype(int))
        if exact is not None:
            return exact, Fraction(0)
    if isinstance(learner, AdaHedge):
        error = Fraction(len(y), 2**60)
        return _adaptive(learner, X, y) + error / 2, error
    top = learner.charged_by().top
    top = top if isfinite(top) else 1.0
    rate = getattr(learner, "rate", None) or 2.0
    steep = 8.0 * float(rate) / top * (float(learner.charges(state).max(initial=0.0)) + top)
    sums = 1 if np.isin(X, (0, 1)).all() and np.isin(y, (0, 1)).all() else len(y)  # roundings in an expert's loss
    loose = (2.0**-46 + (16 + steep * sums) * 2.0**-53) * (64 * len(y) if asleep else 1)
    error = Fraction(len(y) * top * min(1.0, loose))  # of a float, so that a certificate can state it as one
    return Fraction(float(learner.expected(state))) + error / 2, error


def _lost(learner: Any, forecasts: Array, y: Array) -> Fraction:
    """What a column of forecasts lost, as a fraction; asleep it lost nothing."""
    loss, total = learner.charged_by(), Fraction(0)
    for x, outcome in zip(forecasts.tolist(), y.tolist(), strict=True):
        if x == x:
            total += _paid(loss, Fraction(x), Fraction(outcome))
    return total


def _paid(loss: Any, x: Fraction, y: Fraction) -> Fraction:
    kind = type(loss).__name__
    if kind == "Absolute":
        return abs(x - y)
    if kind in ("Square", "Brier"):
        return (x - y) ** 2 * (2 if kind == "Brier" else 1)
    if kind == "Pinball":
        quantile = Fraction(loss.quantile)
        return max(quantile * (y - x), (1 - quantile) * (x - y))
    if kind == "ZeroOne":
        return Fraction(x != y)
    return Fraction(loss(float(x), float(y)))


def _leaders(X: Array, y: Array) -> Fraction:
    """The expected mistakes of a random leader."""
    wrong, total = X != y[:, None], Fraction(0)
    losses = np.zeros(X.shape[1], np.int64)
    for row in wrong:
        lead = losses == losses.min()
        total += Fraction(int(np.count_nonzero(row & lead)), int(np.count_nonzero(lead)))
        losses += row
    return total


def _shares(penalty: Fraction, X: Array, y: Array) -> Fraction | None:
    """The expected mistakes of a randomized weighted majority of votes; None if the fraction grows too long."""
    top, bottom, total = penalty.numerator, penalty.denominator, Fraction(0)
    losses = np.zeros(X.shape[1], np.int64)
    for votes, outcome in zip(X, y.tolist(), strict=True):
        gaps = (losses - losses.min()).tolist()
        most = max(gaps)
        if most * bottom.bit_length() > LONGEST:
            return None
        weights = [top**gap * bottom ** (most - gap) for gap in gaps]
        wrong = sum(w for w, vote in zip(weights, votes.tolist(), strict=True) if vote != outcome)
        total += Fraction(wrong, sum(weights))
        if total.denominator.bit_length() > LONGEST:
            return None
        losses += votes != outcome
    return total


def _adaptive(learner: AdaHedge, X: Array, y: Array) -> Fraction:
    """What AdaHedge loses, in decimals with exact losses."""
    losses, total, gap = [Fraction(0)] * X.shape[1], Decimal(0), Decimal(0)
    with localcontext(prec=DIGITS):
        variety = Decimal(X.shape[1]).ln()
        for row, outcome in zip(X.tolist(), y.tolist(), strict=True):
            said, truth, least = [Fraction(x) for x in row], Fraction(outcome), min(losses)
            paid = [_paid(learner.loss, x, truth) for x in said]
            rate = variety / gap if gap > 0 else None
            if rate is None:
                weights = [Decimal(loss == least) for loss in losses]
            else:
                weights = [(-rate * _decimal(loss - least)).exp() for loss in losses]
            mass = sum(weights, Decimal(0))
            mean = sum((w * _decimal(lost) for w, lost in zip(weights, paid, strict=True)), Decimal(0)) / mass
            if learner.draws:
                total += mean
            else:
                guess = sum((w * _decimal(x) for w, x in zip(weights, said, strict=True)), Decimal(0)) / mass
                total += _decimal(_paid(learner.loss, Fraction(guess), truth))
            if rate is None:
                leaders = [lost for lost, loss in zip(paid, losses, strict=True) if loss == least]
                after = min(loss + lost for loss, lost in zip(losses, paid, strict=True)) - least
                gap = _decimal(sum(leaders, Fraction(0)) / len(leaders) - after)
            else:
                falls = [w * (-rate * _decimal(lost)).exp() for w, lost in zip(weights, paid, strict=True)]
                left = sum(falls, Decimal(0))
                gap += max(mean + (left / mass).ln() / rate, Decimal(0))
            losses = [loss + lost for loss, lost in zip(losses, paid, strict=True)]
    return Fraction(total)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def schedule(learner: FixedShare, X: Array, y: Array) -> Array:
    """The sequence of experts, by dynamic programming, for which the theorem's bound is smallest.

    The bound is the loss along the sequence plus the same price for each switch, so one pass forward and one back do.
    """
    costs, rounds = learner.charged_by().table(X, y), len(y)
    experts = X.shape[1]
    price = learner.regret(experts, max(rounds, 3), 0.0, 1) - learner.regret(experts, max(rounds, 3), 0.0, 0)
    best, came = costs[0].copy(), np.tile(np.arange(experts), (rounds, 1))
    for t in range(1, rounds):
        order = np.argsort(best, kind="stable")[:2]
        leader = np.full(experts, order[0])
        if experts > 1:
            leader[order[0]] = order[1]
        turned = best[leader] + price < best
        came[t] = np.where(turned & (experts > 1), leader, came[t])
        best = best[came[t]] + np.where(came[t] != np.arange(experts), price, 0.0) + costs[t]
    path = np.zeros(rounds, np.int64)
    path[-1] = int(np.argmin(best))
    for t in range(rounds - 1, 0, -1):
        path[t - 1] = came[t, path[t]]
    return path
