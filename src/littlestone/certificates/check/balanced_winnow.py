"""Certificates of Balanced Winnow, checked: exponents as whole numbers, logarithms between two decimals.

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
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, Stretch, cut_at_updates, open_stream
from littlestone.certificates.check.report import ReplayCounts, Report, require_words

SUMMED = "its shortfalls (g - u.z)+ summed"
CLEAN = "Balanced Winnow (Littlestone 1989)"
SLACK = "Balanced Winnow, margin with slack (Littlestone 1989)"
PHASES = "Balanced Winnow, phase by phase (Littlestone 1989)"
THEOREMS = {
    CLEAN: "some u with |u|_1 = 1 has u.z >= g > 0 on every update round",
    SLACK: f"any u with |u|_1 = 1 and margin g > 0, {SUMMED} over the update rounds",
    PHASES: f"phases end at their caps; in the last any u with |u|_1 = 1, {SUMMED}",
}
DOWN, UP = Context(prec=50, rounding=ROUND_FLOOR), Context(prec=50, rounding=ROUND_CEILING)
HALF, ERROR = Context(prec=50), Fraction(1, 10**49)  # a logarithm is correct to half its last digit
LEAST = 2.0**-14
LONGEST = 4000  # the largest exponent whose power is written out


def enclose_ln(value: Fraction) -> tuple[Fraction, Fraction]:
    """The logarithm of a positive number.

    Returns:
        A fraction below it.
        A fraction above it.
    """
    parts = Decimal(value.numerator), Decimal(value.denominator)
    low, high = (Fraction(HALF.ln(context.divide(*parts))) for context in (DOWN, UP))
    return low - ERROR * (1 + abs(low)), high + ERROR * (1 + abs(high))


class BalancedClaim(NamedTuple):
    """The parameters of a Balanced Winnow as a certificate states them; without a factor it plays in phases."""

    factor: Fraction | None
    bias: int

    def base(self, phase: int) -> Fraction:
        """The factor of a phase, numbered from 1."""
        return Fraction(_tune_factor(_find_margin(phase))) if self.factor is None else self.factor


def _find_margin(phase: int) -> float:
    """The margin that a phase, numbered from 1, is tuned for."""
    return max(2.0**-phase, LEAST)


def _tune_factor(margin: float) -> float:
    """The factor for this margin, in the run's own floats."""
    return sqrt((1 + margin) / (1 - margin))


@dataclass
class BalancedPhase:
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
        """Score a row.

        Returns:
            The exact score.
            How far the run's own may be off.
        """
        net = dict[int, int]()
        size = Fraction(0)
        longest = 0
        for j, v in zip(columns, values, strict=True):
            k = self.exponents.get(j, 0)
            net[abs(k)] = net.get(abs(k), 0) + (v if k > 0 else -v)
            size = size + self.power(abs(k))
            longest = max(longest, abs(k))
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
class BalancedReplay(ReplayCounts):
    """What the replay found."""

    phases: list[BalancedPhase] = field(default_factory=list)


def check_balanced_winnow(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of Balanced Winnow."""
    claim = _read_claim(certificate.learner)
    again, facts = open_stream(certificate, stream, features, float(claim.bias), 2)
    replay = _replay(again.read(), claim, facts, certificate.updated)
    report = replay.check_updates(certificate)
    known = {PHASES} if claim.factor is None else set(THEOREMS) - {PHASES}
    require(certificate.theorem in known, f"the theorem is one of {sorted(known)}", NotCertified)
    promise = THEOREMS[certificate.theorem]
    require(certificate.promise == promise, f"its promise is: {promise}", NotCertified)
    _check_bound(certificate, claim, replay)
    return report


def _read_claim(learner: dict[str, Any]) -> BalancedClaim:
    factor = learner["factor"]
    margin = learner["margin"]
    bias = learner["bias"]
    numbers = [number for number in (factor, margin) if number is not None]
    sound = all(type(number) in (int, float) and isfinite(number) for number in numbers) and len(numbers) < 2
    sound = sound and type(bias) is int and bias in (0, 1)
    sound = sound and (factor is None or 1 < factor <= 2.0**64) and (margin is None or LEAST <= margin < 1)
    require(sound, f"no learner has parameters {learner}", NotCertified)
    if margin is not None:
        return BalancedClaim(Fraction(_tune_factor(float(margin))), bias)
    return BalancedClaim(None if factor is None else Fraction(float(factor)), bias)


def _replay(
    chunks: Iterable[ColumnChunk], claim: BalancedClaim, facts: StreamFacts, updated: tuple[int, ...]
) -> BalancedReplay:
    """Go through all rounds with the exponents that the listed updates give; refuse a decision without explanation."""
    replay = BalancedReplay(phases=[_start_phase(claim, 1, facts.width)])
    for part in cut_at_updates(chunks, updated):
        phase = replay.phases[-1]
        columns = part.columns
        values = part.values
        require(bool((np.abs(values) == 1).all()), "an attribute is none of -1, 0 and 1", NotCertified)
        scores = part.add_up(phase.weights[columns] * values)
        sizes = part.add_up(phase.sizes[columns])
        teaches = np.where(part.codes > 0, scores <= 0, scores >= 0)
        sure = (np.abs(scores) > sizes * (part.lengths + 16) * 2.0**-49) & (teaches == part.listed)
        for r in replay.count_sure(part, sure, teaches):
            _decide(phase, replay, part, r, facts.surprise)
        if part.update is not None:
            phase.move(*part.row(len(scores) - 1, 0), 1 if part.codes[-1] else -1)
            if claim.factor is None and _has_ended(phase, len(replay.phases), claim.bias):
                replay.phases.append(_start_phase(claim, len(replay.phases) + 1, facts.width))
    return replay


def _start_phase(claim: BalancedClaim, number: int, width: int) -> BalancedPhase:
    return BalancedPhase(claim.base(number), np.zeros(width), np.ones(width))


def _enclose_patience(number: int, highest: int) -> tuple[Fraction, Fraction]:
    """How many updates a phase lasts, 2 ln(2n) / d^2.

    Returns:
        A fraction below it and below the run's own float.
        A fraction above both.
    """
    scale = 2 / Fraction(_find_margin(number)) ** 2
    low, high = enclose_ln(Fraction(2 * max(highest, 1)))
    return scale * low * (1 - Fraction(1, 2**49)), scale * high * (1 + Fraction(1, 2**49))


def _has_ended(phase: BalancedPhase, number: int, bias: int) -> bool:
    low, high = _enclose_patience(number, phase.highest + bias)
    length = len(phase.rows)
    require(not low < length <= high, "rounding may have decided when a phase ended", NotCertified)
    return length > high


def _decide(phase: BalancedPhase, replay: BalancedReplay, part: Stretch, r: int, surprise: bool) -> None:
    """Decide a round exactly: whether it teaches, whether its guess was wrong, and what rounding must explain."""
    number = part.first + r
    positive = bool(part.codes[r])
    listed = bool(part.listed[r])
    score, slack = phase.score(*part.row(r, 0))
    agreement = score if positive else -score
    near = abs(score) <= slack and slack > 0
    replay.decide(number, agreement <= 0, listed, near, "score", score)
    if listed and agreement > 0:
        phase.excess += agreement
    surprised = number == 0 and surprise
    replay.count(surprised or positive != (score > 0), surprised or abs(score) > slack or score == 0)


def _check_bound(certificate: Certificate, claim: BalancedClaim, replay: BalancedReplay) -> None:
    """Refuse a bound unless the caps of ended phases, and the theorem for the last one, leave no room for one more."""
    bound = int(certificate.bound)
    witness = certificate.witness
    require_words(witness, ("margin", "attributes", "numerators", "caps"))
    finished = list(enumerate(replay.phases[:-1], start=1))
    caps = [floor(_enclose_patience(number, phase.highest + claim.bias)[1]) + 1 for number, phase in finished]
    require(witness["caps"] == caps, f"the phases that ended have caps {caps}", NotCertified)
    phase = replay.phases[-1]
    total = Fraction(0)
    gain = Fraction(0)
    if phase.rows:
        total, gain = _measure(witness, phase, certificate.theorem == CLEAN)
        require(gain > 0, "the margin is too small for the factor", NotCertified)
        impossible = (bound - sum(caps) + 1) * gain > total
        require(impossible, f"the witness does not give {bound}", NotCertified)
    require(bound >= sum(caps), f"the caps alone add up to {sum(caps)}", NotCertified)
    if certificate.version is not None and bound > sum(caps):
        loose = not phase.rows or (bound - sum(caps)) * gain > total * (1 + Fraction(1, 2**30))
        require(not loose, f"the witness gives less than {bound}", NotCertified)


def _measure(witness: Any, phase: BalancedPhase, clean: bool) -> tuple[Fraction, Fraction]:
    """Measure the witness on the updates of the last phase.

    Returns:
        No less than ln 2n - H(|u|) + h (shortfalls) + excess, by which the potential can fall.
        No more than h g - ln cosh h, by which each update makes it fall.
    """
    attributes = witness["attributes"]
    numerators = witness["numerators"]
    whole = all(type(number) is int for number in (*attributes, *numerators)) and type(witness["margin"]) is float
    require(whole and len(set(attributes)) == len(attributes), "malformed witness", NotCertified)
    size = sum(abs(k) for k in numerators)
    margin = Fraction(witness["margin"])
    require(size > 0 and margin > 0, "the witness is empty or its margin not positive", NotCertified)
    u = {j + 1: k for j, k in zip(attributes, numerators, strict=True)}
    level = margin * size
    short = Fraction(0)
    met = set[int]()
    for columns, values, y in phase.rows:
        agreement = y * sum(u.get(j, 0) * v for j, v in zip(columns, values, strict=True))
        short += max(Fraction(0), level - agreement)
        met.update(columns)
    require(short == 0 or not clean, "the witness lacks its margin on an update round", NotCertified)
    met.update(u)  # an attribute of the witness counts, whether it was met or not
    entropy = sum(
        (Fraction(abs(k), size) * enclose_ln(Fraction(size, abs(k)))[0] for k in numerators if k), Fraction(0)
    )
    low, high = enclose_ln(phase.base)
    growth = enclose_ln((phase.base + 1 / phase.base) / 2)[1]
    total = enclose_ln(Fraction(2 * len(met)))[1] - entropy + high * short / size + phase.excess / (2 * len(met))
    return total, low * margin - growth
