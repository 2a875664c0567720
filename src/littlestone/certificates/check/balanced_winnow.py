"""Balanced: certificates of Balanced Winnow checked, exponents as whole numbers and logarithms between two decimals.

The weight of an attribute with exponent k is a^k - a^-k. Floats only filter; a round that they leave open is decided
by whole powers of a, which is a fraction. Phases are found again: one ends when its updates exceed 2 ln(2n) / d^2.
A correctly rounded decimal encloses a logarithm, give or take its last digit, and every quantity is taken at the end
that makes the bound larger. A decision that rounding turned costs what it can have added to the weights' logarithm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import floor, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.certificates import theorems
from littlestone.certificates.check.integer_rows import Page, fresh, opened, pages
from littlestone.certificates.check.winnow import counted

DOWN, UP = Context(prec=50, rounding=ROUND_FLOOR), Context(prec=50, rounding=ROUND_CEILING)
HALF, ERROR = (
    Context(prec=50),
    Fraction(1, 10**49),
)  # `ln` is correct to half its last digit
LEAST = 2.0**-14
LONGEST = 4000  # the largest exponent whose power is written out


def ln(value: Fraction) -> tuple[Fraction, Fraction]:
    """Two fractions between which the logarithm lies."""
    parts = Decimal(value.numerator), Decimal(value.denominator)
    low, high = (Fraction(HALF.ln(context.divide(*parts))) for context in (DOWN, UP))
    return low - ERROR * (1 + abs(low)), high + ERROR * (1 + abs(high))


class Claim(NamedTuple):
    """The parameters of a Balanced Winnow as a certificate states them; without a factor it plays in phases."""

    factor: Fraction | None
    bias: int

    def base(self, phase: int) -> Fraction:
        """The factor of a phase, numbered from 1."""
        return Fraction(_factor(_margin(phase))) if self.factor is None else self.factor


def _margin(phase: int) -> float:
    return max(2.0**-phase, LEAST)


def _factor(margin: float) -> float:
    return sqrt((1 + margin) / (1 - margin))


@dataclass
class Phase:
    """One phase: its exponents, the rows that taught it, and its highest attribute, counted from 1."""

    base: Fraction
    weights: Any
    sizes: Any
    exponents: dict[int, int] = field(default_factory=dict)
    rows: list[tuple[list[int], list[int], int]] = field(default_factory=list)
    highest: int = 0
    excess: Fraction = Fraction(0)
    powers: dict[int, Fraction] = field(default_factory=dict)

    def power(self, exponent: int) -> Fraction:
        if exponent not in self.powers:
            require(abs(exponent) <= LONGEST, f"an exponent beyond {LONGEST} is not written out", NotCertified)
            self.powers[exponent] = self.base**exponent
        return self.powers[exponent]

    def score(self, columns: list[int], values: list[int]) -> tuple[Fraction, Fraction]:
        """The exact score, and how far the run's own may be off."""
        net, size, longest = dict[int, int](), Fraction(0), 0
        for j, v in zip(columns, values, strict=True):
            k = self.exponents.get(j, 0)
            net[abs(k)] = net.get(abs(k), 0) + (v if k > 0 else -v)
            size, longest = size + self.power(abs(k)), max(longest, abs(k))
        score = sum((c * (self.power(k) - self.power(-k)) for k, c in net.items() if c and k), Fraction(0))
        short = self.base.numerator & (self.base.numerator - 1) == 0
        if short and size * self.power(longest) <= 2**52:
            return score, Fraction(0)  # all powers and sums are whole multiples of the least one, with few bits
        return score, size * (len(columns) + 8) / 2**50

    def move(self, columns: list[int], values: list[int], y: int) -> None:
        for j, v in zip(columns, values, strict=True):
            k = self.exponents[j] = self.exponents.get(j, 0) + y * v
            self.weights[j] = float(self.power(k) - self.power(-k))
            self.sizes[j] = float(self.power(abs(k)))
        self.rows.append((columns, values, y))
        self.highest = max(self.highest, max(columns, default=0))


@dataclass
class Ledger:
    """What the replay found."""

    phases: list[Phase] = field(default_factory=list)
    fewest: int = 0
    most: int = 0
    differing: list[int] = field(default_factory=list)


def balanced(certificate: Certificate, stream: Stream, features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    claim = _claim(certificate.learner)
    seen = opened(certificate, stream, features, float(claim.bias), 2)
    require(certificate.marks == (), "marks do not fit the update rounds", NotCertified)
    labels = Labels(certificate.learner.get("classes", []))
    again = pages(stream, fresh(features), labels, certificate.rounds, float(claim.bias), 2)
    ledger = _replay(again, claim, seen.width, certificate.updated, seen.surprise)
    counted(certificate, ledger.fewest, ledger.most)
    phased = {theorems.BALANCED_PHASES}
    known = phased if claim.factor is None else set(theorems.BALANCED_PROMISE) - phased
    require(certificate.theorem in known, f"the theorem is one of {sorted(known)}", NotCertified)
    promise = theorems.BALANCED_PROMISE[certificate.theorem]
    require(certificate.promise == promise, f"its promise is: {promise}", NotCertified)
    _bound(certificate, claim, ledger)
    rest = (certificate.bound, certificate.rounds, True, tuple(ledger.differing))
    return certificate.theorem, "updates", certificate.updates, *rest


def _claim(learner: dict[str, Any]) -> Claim:
    factor, margin, bias = learner["factor"], learner["margin"], learner["bias"]
    numbers = [number for number in (factor, margin) if number is not None]
    sound = all(type(number) in (int, float) and isfinite(number) for number in numbers) and len(numbers) < 2
    sound = sound and type(bias) is int and bias in (0, 1)
    sound = sound and (factor is None or 1 < factor <= 2.0**64) and (margin is None or LEAST <= margin < 1)
    require(sound, f"no learner has parameters {learner}", NotCertified)
    if margin is not None:
        return Claim(Fraction(_factor(float(margin))), bias)
    return Claim(None if factor is None else Fraction(float(factor)), bias)


def _replay(again: Iterable[Page], claim: Claim, width: int, updated: tuple[int, ...], surprise: bool) -> Ledger:
    """Go through all rounds with the exponents that the listed updates give; refuse a decision without explanation."""
    ledger, place = Ledger([_phase(claim, 1, width)]), 0
    for page in again:
        require(bool((np.abs(page.values) == 1).all()), "an attribute is none of -1, 0 and 1", NotCertified)
        t = 0
        while t < len(page.codes):
            due = updated[place] - page.first if place < len(updated) else len(page.codes)
            end, phase = min(due + 1, len(page.codes)), ledger.phases[-1]
            entries = slice(page.indptr[t], page.indptr[end])
            lengths, columns, values = np.diff(page.indptr[t : end + 1]), page.columns[entries], page.values[entries]
            rows = np.repeat(np.arange(end - t), lengths)
            scores = np.bincount(rows, weights=phase.weights[columns] * values, minlength=end - t)
            sizes = np.bincount(rows, weights=phase.sizes[columns], minlength=end - t)
            doubt = sizes * (lengths + 16) * 2.0**-49
            positive = page.codes[t:end] > 0
            teaches = np.where(positive, scores <= 0, scores >= 0)
            listed = np.zeros(end - t, bool)
            listed[due - t : due - t + 1] = due < end
            sure = (np.abs(scores) > doubt) & (teaches == listed)
            if page.first + t == 0:
                sure[0] = False
            wrong = int(np.count_nonzero(sure & teaches))
            ledger.fewest, ledger.most = ledger.fewest + wrong, ledger.most + wrong
            for r in np.flatnonzero(~sure).tolist():
                _decide(phase, ledger, page, t + r, bool(listed[r]), surprise)
            if due < end:
                taught, signs = page.row(due, 0)
                phase.move(taught, signs, 1 if page.codes[due] else -1)
                if claim.factor is None and _ended(phase, len(ledger.phases), claim.bias):
                    ledger.phases.append(_phase(claim, len(ledger.phases) + 1, width))
                place += 1
            t = end
    require(place == len(updated), "an update is listed beyond the last round", NotCertified)
    return ledger


def _phase(claim: Claim, number: int, width: int) -> Phase:
    return Phase(claim.base(number), np.zeros(width), np.ones(width))


def _patience(number: int, highest: int) -> tuple[Fraction, Fraction]:
    """2 ln(2n) / d^2, between two fractions that the run's own float lies between too."""
    scale = 2 / Fraction(_margin(number)) ** 2
    low, high = ln(Fraction(2 * max(highest, 1)))
    return scale * low * (1 - Fraction(1, 2**49)), scale * high * (1 + Fraction(1, 2**49))


def _ended(phase: Phase, number: int, bias: int) -> bool:
    low, high = _patience(number, phase.highest + bias)
    length = len(phase.rows)
    require(not low < length <= high, "rounding may have decided when a phase ended", NotCertified)
    return length > high


def _decide(phase: Phase, ledger: Ledger, page: Page, t: int, listed: bool, surprise: bool) -> None:
    """One round exactly: whether it teaches, whether its guess was wrong, and what rounding has to explain."""
    number, positive = page.first + t, bool(page.codes[t])
    score, slack = phase.score(*page.row(t, 0))
    agreement = score if positive else -score
    if (agreement <= 0) != listed:
        must = "is listed and must not teach" if listed else "must teach and is not listed"
        near = abs(score) <= slack and slack > 0
        require(near, f"round {number} {must}: its score is {float(score):.6g}", NotCertified)
        ledger.differing.append(number)
        phase.excess += agreement if listed else 0
    unsure, surprised = abs(score) <= slack and score != 0, number == 0 and surprise
    wrong = surprised or positive != (score > 0)
    ledger.fewest += wrong and (surprised or not unsure)
    ledger.most += wrong or unsure


def _bound(certificate: Certificate, claim: Claim, ledger: Ledger) -> None:
    """Caps of the phases that ended, and the theorem for the last one, must leave no room for one update more."""
    bound, witness = certificate.bound, certificate.witness
    require(type(bound) is int, f"the bound must be a whole number, got {bound!r}", NotCertified)
    finished = list(enumerate(ledger.phases[:-1], start=1))
    caps = [floor(_patience(number, phase.highest + claim.bias)[1]) + 1 for number, phase in finished]
    require(witness["caps"] == caps, f"the phases that ended have caps {caps}", NotCertified)
    phase = ledger.phases[-1]
    if phase.rows:
        total, gain = _potential(witness, phase, certificate.theorem == theorems.BALANCED)
        require(gain > 0, "the margin is too small for the factor", NotCertified)
        impossible = (bound - sum(caps) + 1) * gain > total
        require(impossible, f"the witness does not give {bound}", NotCertified)
    require(bound >= sum(caps), f"the caps alone add up to {sum(caps)}", NotCertified)
    updates = certificate.updates
    require(updates <= bound, f"{updates} exceeds the bound {bound}", NotCertified)


def _potential(witness: Any, phase: Phase, clean: bool) -> tuple[Fraction, Fraction]:
    """No less than ln 2n - H(|u|) + h (shortfalls) + excess, and no more than h g - ln cosh h."""
    attributes, numerators = witness["attributes"], witness["numerators"]
    whole = all(type(number) is int for number in (*attributes, *numerators)) and type(witness["margin"]) is float
    require(whole and len(set(attributes)) == len(attributes), "malformed witness", NotCertified)
    size, margin = sum(abs(k) for k in numerators), Fraction(witness["margin"])
    require(size > 0 and margin > 0, "the witness is empty or its margin not positive", NotCertified)
    u = {j + 1: k for j, k in zip(attributes, numerators, strict=True)}
    level, short, met = margin * size, Fraction(0), set[int]()
    for columns, values, y in phase.rows:
        agreement = y * sum(u.get(j, 0) * v for j, v in zip(columns, values, strict=True))
        short += max(Fraction(0), level - agreement)
        met.update(columns)
    require(short == 0 or not clean, "the witness lacks its margin on an update round", NotCertified)
    met.update(u)  # an attribute of the witness counts, whether it was met or not
    entropy = sum((Fraction(abs(k), size) * ln(Fraction(size, abs(k)))[0] for k in numerators if k), Fraction(0))
    low, high = ln(phase.base)
    growth = ln((phase.base + 1 / phase.base) / 2)[1]
    total = ln(Fraction(2 * len(met)))[1] - entropy + high * short / size + phase.excess / (2 * len(met))
    return total, low * margin - growth
