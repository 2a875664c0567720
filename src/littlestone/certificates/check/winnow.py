"""Certificates of Winnow, checked: weights as whole powers of the promotion.

The exponents follow from the list of update rounds. Floats only filter: a sum of n powers, each rounded correctly, is
off by at most n 2^-52 of itself; a round that this leaves open is summed in fractions. Where the promotion is a power
of two and the run's sums were short enough to be exact, no decision may differ from the exact one; elsewhere one may
within the rounding of the run, it is reported, and what it added to the sum of all weights is paid for.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, isfinite, log
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, Stretch, cut_at_updates, open_stream
from littlestone.certificates.check.report import ReplayCounts, Report, require_words

LONGEST = 2**20 - 2  # exponents, down to the last power that is not 0, of which a run keeps a table
DISJUNCTION = "Winnow, disjunction (Littlestone 1988)"
MARGIN = "Winnow, margin (Littlestone 1988)"
SLACK = "Winnow, margin with slack (Littlestone 1991)"
ELIMINATION = "Winnow, elimination (Littlestone 1988)"
DRIFT = "Winnow-R, drifting disjunction (Blum 1998)"
THEOREMS = {
    DISJUNCTION: "the label of every update round is the OR of some attributes",
    MARGIN: "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    SLACK: "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    ELIMINATION: "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    DRIFT: "the label of every update round is the OR of the variables that a schedule names for it",
}


class WinnowClaim(NamedTuple):
    """The parameters of a Winnow as a certificate states them."""

    promotion: Fraction
    threshold: Fraction
    above: Fraction
    below: Fraction
    lowest: int | None  # the least exponent, if there is a floor
    eliminate: bool
    strict: bool


@dataclass
class WinnowWeights:
    """Exponents by column, None for a weight that is gone; floats beside them that only filter."""

    claim: WinnowClaim
    exponents: dict[int, int | None]
    floats: Array
    powers: dict[int, Fraction] = field(default_factory=dict)

    def power(self, exponent: int) -> Fraction:
        if exponent not in self.powers:
            self.powers[exponent] = self.claim.promotion**exponent
        return self.powers[exponent]

    def add_up(self, columns: list[int]) -> tuple[Fraction, Fraction]:
        """Add up the active weights.

        Returns:
            The exact sum.
            How far the run's own sum may be off.
        """
        active = Counter(e for e in (self.exponents.get(j, 0) for j in columns) if e is not None)
        total = sum((count * self.power(e) for e, count in active.items()), Fraction(0))
        b = self.claim.promotion
        if b.numerator & (b.numerator - 1) == 0 and total <= 2**53 * self.power(min(active, default=0)):
            return total, Fraction(0)  # a multiple of the least weight with at most 53 bits
        return total, total * (len(columns) + 8) / 2**50

    def move(self, columns: list[int], up: bool) -> None:
        for j in columns:
            exponent = self.exponents.get(j, 0)
            if exponent is not None:
                down = None if self.claim.eliminate else exponent - 1
                if down is not None and self.claim.lowest is not None:
                    down = max(down, self.claim.lowest)
                self.exponents[j] = exponent = exponent + 1 if up else down
                self.floats[j] = 0.0 if exponent is None else float(self.power(exponent))


@dataclass
class WinnowReplay(ReplayCounts):
    """What the replay found: the rows of promotions and demotions, and which came when."""

    promotions: list[list[int]] = field(default_factory=list)
    demotions: list[list[int]] = field(default_factory=list)
    order: list[bool] = field(default_factory=list)  # whether each update was a promotion
    excess: Fraction = Fraction(0)  # what decisions that differ added to the sum of all weights
    highest: Fraction = Fraction(0)  # the largest sum that such a decision promoted

    @property
    def attributes(self) -> int:
        """How many attributes were active in an update."""
        return len({j for row in (*self.promotions, *self.demotions) for j in row})


def check_winnow(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of Winnow."""
    claim = _read_claim(certificate.learner)
    again, facts = open_stream(certificate, stream, features, 0.0, 2)
    replay = _replay(again.read(), claim, facts, certificate.updated)
    report = replay.check_updates(certificate)
    most = _find_most(certificate.theorem, certificate.witness, claim, replay)
    require(certificate.promise == THEOREMS[certificate.theorem], "that is no promise of it", NotCertified)
    given = certificate.bound == most or (certificate.version is None and certificate.bound > most)
    require(given, f"the witness does not give {certificate.bound} but {most}", NotCertified)
    return report


def _read_claim(learner: dict[str, Any]) -> WinnowClaim:
    """The learner's parameters, refused unless they are what its constructor takes and its theorems cover."""
    numbers = [learner[name] for name in ("promotion", "threshold", "margin", "floor")]
    switches = [learner[name] for name in ("eliminate", "strict_gt", "real")]
    sound = all(type(number) in (int, float) and isfinite(number) for number in numbers)
    sound = sound and all(type(switch) is bool for switch in switches)
    require(sound, f"no learner has parameters {learner}", NotCertified)
    promotion, threshold, margin, least = (float(number) for number in numbers)
    eliminate, strict, real = switches
    sound = 1 < promotion <= 2.0**64 and 0 <= margin < threshold <= 2.0**512 and 0 <= least <= 1
    require(sound and not (eliminate and least), f"no learner has parameters {learner}", NotCertified)
    require(not real, "attributes between 0 and 1 are not covered", NotCertified)
    require(746 / log(promotion) <= LONGEST, "so close to 1 weights are floats and no exact powers", NotCertified)
    lowest = None
    b = Fraction(promotion)
    if least:
        lowest = -round(-log(least) / log(promotion))
        require(b**lowest == Fraction(least), "the floor is no power of the promotion", NotCertified)
    ends = Fraction(threshold + margin), Fraction(threshold - margin)
    require(ends[1] >= Fraction(1, 2**900), "the threshold is so small that weights near it underflow", NotCertified)
    return WinnowClaim(b, Fraction(threshold), *ends, lowest, eliminate, strict)


def _replay(
    chunks: Iterable[ColumnChunk], claim: WinnowClaim, facts: StreamFacts, updated: tuple[int, ...]
) -> WinnowReplay:
    """Go through all rounds with the weights that the listed updates give; refuse a decision without explanation."""
    weights = WinnowWeights(claim, {}, np.ones(facts.width))
    replay = WinnowReplay()
    ends = np.array([float(claim.below), float(claim.threshold), float(claim.above)])
    for part in cut_at_updates(chunks, updated):
        require(bool((part.values == 1).all()), "an attribute is neither 0 nor 1", NotCertified)
        sums = part.add_up(weights.floats[part.columns])
        lengths = part.lengths
        positive = part.codes > 0
        doubt = sums * (lengths + 16) * 2.0**-49 + (lengths + 1) * 2.0**-1000
        clear = (np.abs(sums[:, None] - ends[None, :]) > doubt[:, None]).all(axis=1)
        teaches = np.where(positive, sums < ends[2], sums > ends[0])
        sure = clear & (teaches == part.listed)
        wrong = positive != (sums > ends[1])
        for r in replay.count_sure(part, sure, wrong):
            _decide(weights, replay, part, r, facts.surprise)
        if part.update is not None:
            taught = part.row(len(positive) - 1, 0)[0]
            up = bool(positive[-1])
            weights.move(taught, up)
            (replay.promotions if up else replay.demotions).append(taught)
            replay.order.append(up)
    return replay


def _decide(weights: WinnowWeights, replay: WinnowReplay, part: Stretch, r: int, surprise: bool) -> None:
    """Decide a round in fractions: whether it teaches, whether its guess was wrong, and what rounding must explain."""
    claim = weights.claim
    number = part.first + r
    positive = bool(part.codes[r])
    listed = bool(part.listed[r])
    total, slack = weights.add_up(part.row(r, 0)[0])
    goal = claim.above if positive else claim.below
    over = total - goal if positive else goal - total  # beyond 0 nothing is to be learned
    teaches = over < 0 or (over == 0 and positive == claim.strict)
    replay.decide(number, teaches, listed, abs(over) <= slack and slack > 0, "sum", total)
    if listed and not teaches:
        b = claim.promotion
        replay.excess += over * (b - 1 if positive else 1 if claim.eliminate else 1 - 1 / b)
        replay.highest = max(replay.highest, total) if positive else replay.highest
    says = total > claim.threshold or (total == claim.threshold and not claim.strict)
    unsure = abs(total - claim.threshold) <= slack and slack > 0
    surprised = number == 0 and surprise
    replay.count(surprised or says != positive, surprised or not unsure)


def _find_most(theorem: str, witness: Any, claim: WinnowClaim, replay: WinnowReplay) -> int:
    """The most updates that the theorem allows with this witness."""
    require(theorem in THEOREMS, f"no theorem is called {theorem!r}", NotCertified)
    require_words(witness, ["schedule"] if theorem == DRIFT else ("attributes", "numerators", "promoted", "demoted"))
    if theorem == DRIFT:
        return _bound_drift(witness["schedule"], claim, replay)
    require(claim.lowest is None, "a floor is covered by the theorem on drift", NotCertified)
    elimination = theorem == ELIMINATION
    require(claim.eliminate == elimination, "elimination has a theorem of its own", NotCertified)
    attributes = witness["attributes"]
    numerators = witness["numerators"]
    p = witness["promoted"]
    q = witness["demoted"]
    whole = all(type(number) is int for number in (*attributes, *numerators, p, q))
    require(whole and len(set(attributes)) == len(attributes), "malformed witness", NotCertified)
    require(min((*numerators, q)) >= 0 and p > 0, "a target has no negative weights", NotCertified)
    target = {j + 1: k for j, k in zip(attributes, numerators, strict=True)}
    up: int = sum(max(0, p - sum(target.get(j, 0) for j in row)) for row in replay.promotions)
    down: int = sum(max(0, sum(target.get(j, 0) for j in row) - q) for row in replay.demotions)
    if theorem != SLACK:
        require(down == 0 and (elimination or up == 0), "the witness has slack", NotCertified)
    if theorem == DISJUNCTION:
        require(q == 0 and all(k == p for k in numerators), "that is no disjunction", NotCertified)
    require(q == 0 or not elimination, "an eliminated attribute may have no weight in the witness", NotCertified)
    b = claim.promotion
    d = replay.attributes + replay.excess
    left = p - b * q * claim.above / claim.below
    require(left > 0, "the levels are too close for this promotion", NotCertified)
    exponent = find_power(b, max(claim.above, replay.highest), claim.strict or replay.highest >= claim.above)
    fixed = q * b / (b - 1) * d / claim.below
    promoted: int = floor((sum(numerators) * exponent + up + down + fixed) / left)
    if elimination:
        return promoted + floor((d + promoted * (b - 1) * claim.above) / claim.below)
    demoted = b / (b - 1) * d / claim.below + b * claim.above / claim.below * promoted  # strictly fewer
    return promoted + max(0, ceil(demoted) - 1)


def find_power(factor: Fraction, goal: Fraction, beyond: bool) -> int:
    """The least j >= 0 with factor^j >= goal, or > goal."""
    j = max(0, floor((log(goal.numerator) - log(goal.denominator)) / log(factor)) - 1)
    require(j < 10**5, "the promotion is too close to 1", NotCertified)
    while j > 0 and factor ** (j - 1) >= goal:
        j -= 1
    while factor**j < goal or (beyond and factor**j == goal):
        j += 1
    return j


def _bound_drift(schedule: Any, claim: WinnowClaim, replay: WinnowReplay) -> int:
    """u <= additions times the doublings from 1/2 to the threshold; v by the sum of all weights, which stays >= d/2."""
    plain = claim.promotion == 2 and claim.lowest == -1 and claim.above == claim.below and not claim.strict
    require(plain and not replay.differing, "drift is covered for promotion 2, floor 1/2 and margin 0", NotCertified)
    rows = {True: iter(replay.promotions), False: iter(replay.demotions)}
    starts = [first for first, _ in schedule]
    whole = all(type(j) is int for first, names in schedule for j in (first, *names))
    rising = starts == sorted(set(starts)) and starts[:1] == [0] * (len(replay.order) > 0)
    require(whole and rising, "malformed schedule", NotCertified)
    named = dict(schedule)
    additions = 0
    now = set[int]()
    for place, up in enumerate(replay.order):
        if place in named:
            added = {j + 1 for j in named[place]}
            additions = additions + len(added - now)
            now = added
        fits = bool(now & set(next(rows[up]))) == up
        require(fits, f"the schedule does not label update {place}", NotCertified)
    theta = claim.threshold
    d = replay.attributes
    require(d < 2 * theta, "too many attributes for the threshold", NotCertified)
    promoted = additions * find_power(Fraction(2), 2 * theta, beyond=False)
    return promoted + floor((2 * d + 4 * promoted * theta) / (2 * theta - d + 1))
