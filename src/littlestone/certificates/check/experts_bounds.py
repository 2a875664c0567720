"""What the theorems of expert advice allow, enclosed between decimals, by nothing that made a certificate.

With N experts, T rounds, and what the witness was charged, each formula is that of the learner's own page.
"""

from fractions import Fraction
from typing import Any

from littlestone.base.bound import harmonic
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.experts_claims import Advice, AdviceClaim
from littlestone.certificates.check.intervals import Enclosing, Interval


def enclose_bound(
    claim: AdviceClaim, advice: Advice, witness: Any, charge: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What the theorem allows with this witness; exactly, where that is rational."""
    rounds, experts = len(advice.rows), advice.experts
    variety = reals.ln(experts)
    if claim.votes:
        return _bound_mistakes(claim, experts, charge, variety, reals)
    if claim.name == "Aggregating":
        return charge + variety / claim.cost.mixable
    top = claim.cost.top
    if claim.name == "AdaHedge":
        _require_best(claim, advice, witness["expert"])
        inside = charge * (top * rounds - charge).positive_part * variety / rounds
        return charge + 2 * reals.root(inside) + top * (variety * Fraction(16, 3) + 2)
    if claim.rate is None:
        return charge + top * reals.root(variety * rounds)
    depth = variety
    if claim.name == "FixedShare":
        switches = len(witness["schedule"]) - 1
        turns, stays = reals.ln(1 / claim.switching), reals.ln(1 / (1 - claim.switching))
        depth = (switches + 1) * variety + switches * turns + (rounds - 1 - switches) * stays
    return charge + top * (depth / claim.rate + claim.rate * rounds / 8)


def _bound_mistakes(
    claim: AdviceClaim, experts: int, charge: Interval, variety: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What is allowed of votes: whole numbers where mistakes are counted."""
    whole = int(charge.low)
    if claim.name == "FollowTheLeader":
        mean = harmonic(experts) if claim.draws else Fraction(experts)
        return mean * whole + mean - 1
    hopeless = "a penalty of 0 promises nothing once every expert erred"
    require(claim.penalty > 0 or charge.high == 0, hopeless, NotCertified)
    if claim.name == "WeightedMajority":
        if claim.penalty == 0:
            return Fraction(experts.bit_length() - 1)
        return _bound_majority(experts, claim.penalty, whole, reals)
    top = charge * reals.ln(1 / claim.penalty) + variety if claim.penalty else variety
    if claim.name == "RandomizedWeightedMajority":
        return top / (1 - claim.penalty)
    return top / (2 * reals.ln(2 / (1 + claim.penalty)))


def _bound_majority(experts: int, penalty: Fraction, marks: int, reals: Enclosing) -> Fraction:
    """The largest k with experts ((1 + penalty) / 2)^k >= penalty^marks: by logarithms, at a whole number by powers."""
    real = (marks * reals.ln(1 / penalty) + reals.ln(experts)) / reals.ln(2 / (1 + penalty))
    low, high = int(real.low), int(real.high)
    if low != high:
        high = high if experts * ((1 + penalty) / 2) ** high >= penalty**marks else low
    return Fraction(high)


def _require_best(claim: AdviceClaim, advice: Advice, best: int) -> None:
    """AdaHedge's bound is about the best expert and no other."""
    totals = [Fraction(0)] * advice.experts
    for row, y in zip(advice.rows, advice.truth, strict=True):
        for k, x in enumerate(row):
            totals[k] += claim.cost.price(x, y) if x is not None else 0
    require(totals[best] == min(totals), f"expert {best} is not the best one", NotCertified)
