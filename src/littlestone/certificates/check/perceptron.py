"""Additive: certificates of the Perceptron family, checked in exact arithmetic.

Every decision is made again from the list of update rounds (`recheck`, or `rerun` where steps are no whole numbers),
the witness is measured in fractions, and the theorem is asked whether one more than the bound is possible.
"""

from fractions import Fraction
from math import isfinite, isqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.certificates import theorems
from littlestone.certificates.check.integer_rows import Seen, fresh, opened, pages
from littlestone.certificates.check.perceptron_exact import Ledger, Rule, recheck
from littlestone.certificates.check.perceptron_floats import Rule as FloatRule
from littlestone.certificates.check.perceptron_floats import recount

LINEAR = {"Perceptron", "AveragedPerceptron", "AggressivePerceptron", "PassiveAggressive", "Network"}


class Claim(NamedTuple):
    """The parameters of a linear learner as a certificate states them."""

    kind: str  # perceptron, aggressive, normalized, passive
    rate: float
    margin: float
    bias: float
    tie: str
    network: bool
    variant: str
    aggressiveness: float
    real: Any

    @property
    def exact(self) -> bool:
        return self.kind in ("perceptron", "aggressive")


def additive(certificate: Certificate, stream: Stream, features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    claim = claimed(certificate.learner)
    constant = float(claim.real(claim.bias))
    declared = list(certificate.learner.get("classes", []))
    limit = UNLIMITED if claim.network else 2
    rounds, updated, marks = certificate.rounds, certificate.updated, certificate.marks
    seen = opened(certificate, stream, features, constant, limit)
    _listed(claim, updated, marks)
    classes = max(2, len(declared))
    again = pages(stream, fresh(features), Labels(declared), rounds, constant, limit)
    digits = 24 if claim.real is np.float32 else 53
    still = 0
    if claim.exact:
        rate = Fraction(float(claim.real(claim.rate)))
        rule = Rule(claim.kind, Fraction(claim.margin) / rate, claim.tie, rate, digits, claim.network)
        ledger = recheck(again, rule, seen, classes, updated, marks)
    else:
        rate_here = float(claim.real(claim.rate))
        numbers = (claim.margin, claim.tie, rate_here, digits, claim.network, claim.variant, claim.aggressiveness)
        ledger, still = recount(again, FloatRule(claim.kind, *numbers), seen, classes, updated, marks)
    _counts(certificate, claim, ledger)
    bounded(certificate, claim, ledger, seen, still)
    counted = certificate.counted
    require(counted <= certificate.bound, f"{counted} exceeds the bound {certificate.bound}", NotCertified)
    differing = tuple(ledger.differing)
    return certificate.theorem, certificate.counts, counted, certificate.bound, rounds, claim.exact, differing


def claimed(learner: dict[str, Any], network: bool = False) -> Claim:
    """The learner's parameters, refused unless they are what its constructor takes."""
    name, kind = learner["name"], "perceptron"
    if name == "Network":
        require(learner["updates"] == "winner" and not network, "only winners have a theorem here", NotCertified)
        unit = learner["learner"]
        require(unit["name"] in ("Perceptron", "AveragedPerceptron"), "no theorem covers such units", NotCertified)
        return claimed({**unit, "real": learner["real"]}, network=True)
    require(learner["real"] in ("float32", "float64"), f"no floats are {learner['real']!r}", NotCertified)
    real: Any = np.float32 if learner["real"] == "float32" else np.float64
    rate, margin, tie, variant, aggressiveness = 1.0, 0.0, "strict", "", 1.0
    if name in ("Perceptron", "AveragedPerceptron"):
        rate, margin, tie = learner["rate"], learner["margin"], learner["tie"]
        normalized = learner.get("normalized", False)
        require(type(normalized) is bool, "normalized is yes or no", NotCertified)
        kind = "normalized" if normalized else "perceptron"
    elif name == "AggressivePerceptron":
        kind, tie = "aggressive", learner["tie"]
    else:
        kind, margin, variant = "passive", learner["margin"], learner["variant"]
        aggressiveness = learner["aggressiveness"]
        require(variant in theorems.PASSIVE and margin > 0, "no such passive-aggressive learner", NotCertified)
    numbers = (rate, margin, learner["bias"], aggressiveness)
    sound = all(type(number) in (int, float) and isfinite(number) for number in numbers)
    sound = sound and min(numbers) >= 0 and float(real(rate)) > 0 and aggressiveness > 0
    require(sound and tie in ("strict", "plus", "minus"), f"no learner has parameters {learner}", NotCertified)
    bias = learner["bias"]
    return Claim(kind, float(rate), float(margin), float(bias), tie, network, variant, float(aggressiveness), real)


def _listed(claim: Claim, updated: tuple[int, ...], marks: tuple[int, ...]) -> None:
    """Marks stand exactly where the rule alone leaves something open."""
    marked = claim.network or claim.kind == "aggressive"
    fits = len(marks) == len(updated) * marked and all(mark >= 1 for mark in marks)
    require(fits, "marks do not fit the update rounds", NotCertified)


def _counts(certificate: Certificate, claim: Claim, ledger: Ledger) -> None:
    """The counts must be those of the replay, and the words those of the theorem."""
    updates, mistakes = len(certificate.updated), certificate.mistakes
    require(certificate.updates == updates, f"{updates} updates are listed, not {certificate.updates}", NotCertified)
    right = type(mistakes) is int and ledger.fewest <= mistakes <= ledger.most
    between = str(ledger.fewest) if ledger.fewest == ledger.most else f"{ledger.fewest} to {ledger.most}"
    require(right, f"the run makes {between} mistakes, not {mistakes}", NotCertified)
    steps = sum(step[4] for step in ledger.steps)
    kind = {"aggressive": ("steps", steps), "passive": ("mistakes", None)}.get(claim.kind, ("updates", None))
    require((certificate.counts, certificate.count) == kind, f"the theorem counts {kind[0]}", NotCertified)
    require(certificate.scope == "sequence", f"its scope is the sequence, not {certificate.scope}", NotCertified)
    require(certificate.exact is claim.exact, f"exact must be {claim.exact}", NotCertified)


def bounded(certificate: Certificate, claim: Claim, ledger: Ledger, seen: Seen, still: int = 0) -> None:
    """The theorem must give the bound with this witness, measured on the steps of the replay."""
    _bound(certificate, claim, measured(certificate, claim, ledger, seen), still)


class Measured(NamedTuple):
    """The witness measured on the update rounds: |u|^2, reach, excess, margin, shortfalls, |w|^2."""

    norm: Fraction
    reach: Fraction
    excess: Fraction
    margin: Fraction
    shortfall: Fraction
    squares: Fraction
    length: Fraction


def measured(certificate: Certificate, claim: Claim, ledger: Ledger, seen: Seen) -> Measured:
    """u.z of every step in whole numbers; a normalized z is divided by its length, rounded towards a larger bound."""
    witness, power = certificate.witness, certificate.witness["exponent"]
    attributes, numerators = witness["attributes"], witness["numerators"]
    blocks = witness.get("classes", [0] * len(attributes))
    entries = list(zip(blocks, attributes, strict=True))
    whole = all(type(number) is int for part in (blocks, attributes, numerators, [power]) for number in part)
    require(whole and abs(power) < 3000 and type(witness["margin"]) is float, "malformed witness", NotCertified)
    require(len(set(entries)) == len(entries), "the witness has an entry twice", NotCertified)
    u = {(block, attribute + 1): k for (block, attribute), k in zip(entries, numerators, strict=True)}
    fine = Fraction(2) ** power / (1 << seen.bits)  # the unit of u.z
    margin, shortfall, squares = Fraction(witness["margin"]), Fraction(0), Fraction(0)
    longest, shortest, weights = 0, 0, dict[tuple[int, int], int]()
    for columns, values, code, rival, copies in ledger.steps:
        signs = ((code, 1), (rival, -1)) if claim.network else ((0, 1 if code else -1),)
        z = [(block, j, sign * v) for block, sign in signs for j, v in zip(columns, values, strict=True)]
        product, square = sum(u.get((block, j), 0) * v for block, j, v in z), sum(v * v for _, _, v in z)
        short = margin - fine * product
        if claim.kind == "normalized":
            require(square > 0, "a row without attributes cannot teach", NotCertified)
            short = margin - _quotient(fine * product * (1 << seen.bits), square)
        if short > 0:
            shortfall, squares = shortfall + copies * short, squares + copies * short**2
        longest, shortest = max(longest, square), min(shortest or square, square)
        for block, j, v in z:
            weights[block, j] = weights.get((block, j), 0) + copies * v
    four = Fraction(1, 1 << 2 * seen.bits)
    rate = Fraction(float(claim.real(claim.rate)))
    enough = Fraction(0) if claim.kind == "passive" else Fraction(claim.margin) / rate
    reach = four * longest + 2 * enough
    if claim.kind == "normalized":
        reach = Fraction(1) + (2 * enough * _root_above(1 / (four * shortest)) if shortest else 0)
    norm = Fraction(4) ** power * sum(k * k for k in numerators)
    length = four * sum(k * k for k in weights.values())
    return Measured(norm, reach, ledger.excess, margin, shortfall, squares, length)


def _quotient(product: Fraction, square: int) -> Fraction:
    """No more than product / sqrt(square)."""
    root = Fraction(isqrt(product.numerator**2 * 4**64 // (product.denominator**2 * square)), 2**64)
    return root if product >= 0 else -root - Fraction(1, 2**64)


def _root_above(value: Fraction) -> Fraction:
    """No less than the square root."""
    return Fraction(isqrt(4**64 * value.numerator // value.denominator) + 1, 2**64)


def _bound(certificate: Certificate, claim: Claim, f: Measured, still: int) -> None:
    """The theorem must cover the learner, say what it says, and make one more than the bound impossible."""
    bound, name = certificate.bound, certificate.theorem
    if type(bound) is not int or bound < 0:
        raise NotCertified(f"the bound must be a whole number, got {bound!r}")
    require(f.margin > 0, "the margin must be positive", NotCertified)
    if claim.kind == "passive":
        told = (theorems.PASSIVE[claim.variant], theorems.PASSIVE_PROMISE[claim.variant])
        require(f.margin == claim.margin, "losses are at the learner's own margin", NotCertified)
        beyond = _passive(claim, f, bound + 1 - still)
    else:
        promises = {theorem.name: theorem.promise for theorem in theorems.PERCEPTRON}
        told = (name, promises.get(name, ""))
        require(name in promises, f"no theorem is called {name!r}", NotCertified)
        require(name != theorems.RUN.name or claim.exact, "the final weights are not known exactly", NotCertified)
        beyond = impossible(name, f, bound + 1)
    require((name, certificate.promise) == told, f"the theorem is {told}", NotCertified)
    require(beyond, f"the witness does not give {bound}", NotCertified)


def impossible(name: str, f: Measured, m: int | Fraction) -> bool:
    """Whether m steps would contradict the theorem, and so would any larger number."""
    goal, room = m * f.margin, f.norm * (f.reach * m + f.excess)
    if name == theorems.NOVIKOFF.name:
        require(f.shortfall == 0, "the witness lacks its margin on an update round", NotCertified)
        return goal * goal > room
    if name == theorems.HINGE.name:
        return goal > f.shortfall and (goal - f.shortfall) ** 2 > room
    if name == theorems.RUN.name:
        return goal > f.shortfall and (goal - f.shortfall) ** 2 > f.norm * f.length
    ratio = f.norm * (f.reach + f.excess) / f.margin**2  # (R |u| / g)^2, and below the hinge losses
    loss, square = f.shortfall / f.margin, f.squares / f.margin**2
    if name == theorems.DEVIATION.name:
        return m > ratio + 2 * loss
    if name == theorems.READABLE.name:
        return m > loss + ratio and (m - loss - ratio) ** 2 > ratio * loss
    return m > ratio + square and (m - ratio - square) ** 2 > 4 * ratio * square


def _passive(claim: Claim, f: Measured, m: int) -> bool:
    """Whether m mistakes would lower the distance from u below zero."""
    k, C = Fraction(claim.margin), Fraction(claim.aggressiveness)
    if claim.variant == "0":
        require(f.shortfall == 0, "the witness lacks the margin on an update round", NotCertified)
        return f.reach == 0 or m * k**2 / f.reach > f.norm
    if claim.variant == "I":
        least = min(C * k, k**2 / f.reach) if f.reach else C * k
        return m * least > f.norm + 2 * C * f.shortfall
    return m * k**2 / (f.reach + 1 / (2 * C)) > f.norm + 2 * C * f.squares
