"""What the theorems of expert advice allow, enclosed between decimals, by nothing that made a certificate.

With N experts, T rounds, and what the witness was charged, each formula is that of the learner's own page.
"""

from fractions import Fraction
from typing import Any

from littlestone.base.bound import harmonic
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.experts_claims import Advice, AdviceClaim
from littlestone.certificates.check.intervals import ZERO, Enclosing, Interval


def enclose_bound(
    claim: AdviceClaim, advice: Advice, witness: Any, charge: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What the theorem allows with this witness; exactly, where that is rational."""
    rounds, experts = len(advice.rows), advice.experts
    variety = reals.ln(reals.of(experts))
    if claim.votes:
        return _bound_mistakes(claim, experts, charge, variety, reals)
    top = reals.of(claim.cost.top) if claim.cost.name != "Log" else ZERO
    if claim.name == "Aggregating":
        return reals.add(charge, reals.divide(variety, reals.of(claim.cost.mixable)))
    if claim.name == "AdaHedge":
        _require_best(claim, advice, witness["expert"])
        rest = reals.subtract(reals.multiply(top, reals.of(rounds)), charge)
        rest = Interval(max(rest.low, ZERO.low), max(rest.high, ZERO.low))
        inside = reals.divide(reals.multiply(reals.multiply(charge, rest), variety), reals.of(rounds))
        fixed = reals.add(reals.multiply(variety, reals.of(Fraction(16, 3))), reals.of(2))
        regret = reals.add(reals.multiply(reals.of(2), reals.root(inside)), reals.multiply(top, fixed))
        return reals.add(charge, regret)
    if claim.rate is None:
        return reals.add(charge, reals.multiply(top, reals.root(reals.multiply(variety, reals.of(rounds)))))
    depth = variety
    if claim.name == "FixedShare":
        switches = len(witness["schedule"]) - 1
        turns = reals.ln(reals.of(1 / claim.switching))
        stays = reals.ln(reals.of(1 / (1 - claim.switching)))
        depth = reals.multiply(reals.of(switches + 1), variety)
        depth = reals.add(depth, reals.multiply(reals.of(switches), turns))
        depth = reals.add(depth, reals.multiply(reals.of(rounds - 1 - switches), stays))
    regret = reals.add(reals.divide(depth, reals.of(claim.rate)), reals.of(claim.rate * rounds / 8))
    return reals.add(charge, reals.multiply(top, regret))


def _bound_mistakes(
    claim: AdviceClaim, experts: int, charge: Interval, variety: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What is allowed of votes: whole numbers where mistakes are counted."""
    whole = int(charge.low)
    if claim.name == "FollowTheLeader":
        mean = harmonic(experts) if claim.draws else Fraction(experts)
        return mean * whole + mean - 1
    hopeless = "a penalty of 0 promises nothing once every expert erred"
    require(claim.penalty > 0 or charge == ZERO, hopeless, NotCertified)
    if claim.name == "WeightedMajority":
        if claim.penalty == 0:
            return Fraction(experts.bit_length() - 1)
        return _bound_majority(experts, claim.penalty, whole, reals)
    steep = reals.ln(reals.of(1 / claim.penalty)) if claim.penalty else ZERO
    top = reals.add(reals.multiply(charge, steep), variety)
    if claim.name == "RandomizedWeightedMajority":
        return reals.divide(top, reals.of(1 - claim.penalty))
    return reals.divide(top, reals.multiply(reals.of(2), reals.ln(reals.of(2 / (1 + claim.penalty)))))


def _bound_majority(experts: int, penalty: Fraction, marks: int, reals: Enclosing) -> Fraction:
    """The largest k with experts ((1 + penalty) / 2)^k >= penalty^marks: by logarithms, at a whole number by powers."""
    steep, fall = reals.ln(reals.of(1 / penalty)), reals.ln(reals.of(2 / (1 + penalty)))
    real = reals.divide(reals.add(reals.multiply(reals.of(marks), steep), reals.ln(reals.of(experts))), fall)
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
