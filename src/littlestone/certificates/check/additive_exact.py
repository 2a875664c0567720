"""The decisions of a run, made again in exact arithmetic from the list of its steps.

Weights that are sums of rows, in units of the rate, are whole numbers times 2^-bits, and scores times 4^-bits. Floats
only filter: with n terms |fl(w.x) - w.x| <= g(n) sum |w_i x_i|, g(n) = n e / (1 - n e), e = 2^-53; a round that this
leaves open is decided in whole numbers.

The run itself was played in floats. Where all its weights, products and sums are whole multiples of a unit and small
enough, each of them was exact, and so must be every decision. Elsewhere a decision may differ from the exact one if
the agreement is no farther from the threshold than the same inequality, with the e of the run's own floats and all
its steps among the terms, lets it be.

Weights that are means of several runs' are whole numbers times 2^-bits / parts (`shards.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, Stretch, cut_at_updates
from littlestone.certificates.check.report import ReplayCounts
from littlestone.certificates.check.rules import AdditiveClaim, UpdateFacts


class ReplayedStep(NamedTuple):
    """An update: its row in units of 2^-bits, its class, the class stepped away from (-1: none), and how often."""

    columns: list[int]
    values: list[int]
    code: int
    rival: int
    copies: Any  # a whole number, or the share of a shard


@dataclass
class AdditiveReplay(ReplayCounts):
    """What a replay found; `excess` is twice by how much agreements exceeded the threshold before a step."""

    steps: list[ReplayedStep] = field(default_factory=list)
    excess: Fraction = Fraction(0)


class Agreements(NamedTuple):
    """Of some rounds: agreements in floats, how far these may be off, and how far the run's own may be."""

    gaps: Array
    errors: Array
    slacks: Array


def find_room(claim: AdditiveClaim, bits: int) -> int:
    """How many more binary digits than they have products of values and weights may have; below 0 they underflow."""
    underflow = 149 if claim.digits == 24 else 1074
    return underflow - 2 * bits - claim.rate.denominator.bit_length()


class ExactWeights:
    """Exact weights of one unit, or of one for each class, with floats beside them that only filter."""

    def __init__(self, claim: AdditiveClaim, facts: StreamFacts, classes: int) -> None:
        self.claim = claim
        self.facts = facts
        self.met = classes
        self.margin = claim.margin
        self.exact: list[dict[int, int]] = [{} for _ in range(facts.classes if claim.network else 1)]
        self.floats = np.zeros((len(self.exact), facts.width))
        self.moved = np.zeros(facts.width)  # how far the weights of a column were moved in all
        self.steps = 0
        self.one = 1 << facts.bits
        self.parts = 1
        odd = claim.rate.numerator
        self.odd = odd // (odd & -odd)
        self.room = find_room(claim, facts.bits)
        self.far = 0.0  # the largest of `moved`
        self.reach = 0.0  # the largest |x|^2 of a round, for rules that ask by it
        largest = Fraction(2) ** (126 if claim.digits == 24 else 1022)
        self.top = float(largest / max(claim.rate, Fraction(1)))  # up to here nothing overflows

    def agree(self, part: Stretch) -> Agreements:
        """The agreements of some rounds."""
        columns = part.columns
        values = part.values
        lengths = part.lengths
        codes = part.codes
        sizes = part.add_up(self.moved[columns] * np.abs(values))
        scores = [part.add_up(unit[columns] * values) for unit in self.floats]
        require(sizes.max(initial=self.far) <= self.top, "weights or scores leave the run's floats", NotCertified)
        if self.claim.network:
            gaps = self._lead(np.array(scores), codes)
            sizes = 2 * sizes
        else:
            gaps = np.where(codes > 0, 1.0, -1.0) * scores[0]
        terms = lengths + 4.0
        with np.errstate(over="ignore", invalid="ignore"):
            units = np.where(sizes > 0, np.ldexp(sizes, 2 * self.facts.bits) * self.fineness, 0.0)
            errors = np.where(units <= 2.0**52, 0.0, terms * 2.0**-52 * sizes)
            e = 2.0**-self.claim.digits
            terms = terms + self.steps + 4
            require(bool((terms * e < 0.25).all()), "too many steps for the run's precision", NotCertified)
            exact = self.odd * units <= 1 / e  # then so are the weights of these columns, products and sums
        slacks = np.where(exact, 0.0, terms * e / (1 - terms * e) * 1.02 * sizes)
        if self.parts > 1:  # a mean may be so small that it loses digits: by no more than the smallest float
            least = 2.0**-148 if self.claim.digits == 24 else 2.0**-1073
            slacks += np.where(exact, 0.0, terms * least * (1 + part.add_up(np.abs(values))))
        return Agreements(gaps, errors, slacks)

    @property
    def fineness(self) -> float:
        """How many times finer means are than the rows; infinitely, if floats cannot hold them."""
        fits = self.parts & (self.parts - 1) == 0 and self.parts.bit_length() <= self.room + 1
        return float(self.parts) if fits else np.inf

    def find_met(self, codes: Array) -> Array:
        """How many classes were met before each of some rounds, and after the last."""
        return np.maximum.accumulate(np.concatenate(([self.met], codes + 1)))

    def _lead(self, scores: Array, codes: Array) -> Array:
        """The right class's score less the best other one, of the classes met before each round."""
        met = self.find_met(codes)[:-1]
        others = np.where(np.arange(len(scores))[:, None] < met[None, :], scores, -np.inf)
        rows = np.arange(len(codes))
        own = np.where(codes < met, scores[codes, rows], 0.0)
        others[codes, rows] = -np.inf
        return np.asarray(own - others.max(axis=0))

    def score(self, columns: list[int], values: list[int]) -> list[int]:
        """The exact score of every unit in units of 4^-bits."""
        pairs = list(zip(columns, values, strict=True))
        return [sum(weights.get(j, 0) * v for j, v in pairs) for weights in self.exact]

    def find_rival(self, scores: list[int], code: int) -> int:
        """The class met so far, other than this one, of the highest score."""
        return max((c for c in range(self.met) if c != code), key=lambda c: (scores[c], -c))

    def add(self, columns: list[int], values: list[int], unit: int, times: int) -> None:
        """Add a multiple of a row to the weights of a unit."""
        weights = self.exact[unit]
        for j, v in zip(columns, values, strict=True):
            weights[j] = weights.get(j, 0) + times * v * self.parts
            self.floats[unit, j] = weights[j] / (self.one * self.parts)

    def count(self, columns: list[int], values: list[int], times: int) -> None:
        """Count a step among those that the run's rounding has seen."""
        for j, v in zip(columns, values, strict=True):
            self.moved[j] += times * abs(v) / self.one
            self.far = max(self.far, float(self.moved[j]))
        self.steps += 1


class OpenRound(NamedTuple):
    """A round that floats leave open."""

    part: Stretch
    r: int  # its place there
    mark: int
    slack: Fraction  # by how much the run's own agreement may be off
    reach: float  # the largest |x|^2 so far, for rules that ask by it

    @property
    def number(self) -> int:
        return self.part.first + self.r

    @property
    def code(self) -> int:
        return int(self.part.codes[self.r])

    @property
    def listed(self) -> bool:
        return self.part.update is not None and self.r == len(self.part.codes) - 1


def replay_exactly(
    chunks: Iterable[ColumnChunk], weights: ExactWeights, updated: tuple[int, ...], marks: tuple[int, ...]
) -> AdditiveReplay:
    """Go through all rounds with the weights that the listed steps give; refuse a decision that cannot be explained.

    The weights end as those after the last round.
    """
    claim = weights.claim
    replay = AdditiveReplay()
    require(weights.room >= 0, "values are so small that products underflow", NotCertified)
    below, above = _find_neighbours(weights.margin)
    for part in cut_at_updates(chunks, updated):
        gaps, errors, slacks = weights.agree(part)
        sure = gaps - errors > above
        met = weights.find_met(part.codes)
        if part.update is not None:
            sure[-1] = not claim.marked and claim.rule.asks is None and gaps[-1] + errors[-1] < below
        sure &= (np.abs(gaps) > errors + slacks) & (part.codes < met[:-1])
        mark = marks[part.update] if marks and part.update is not None else 1
        squares = part.add_up(part.values**2) if claim.rule.asks else np.zeros(len(part.codes))
        reaches = np.maximum.accumulate(np.maximum(squares, weights.reach))
        for r in replay.count_sure(part, sure, gaps < 0):
            weights.met = int(met[r])
            _decide(weights, replay, OpenRound(part, r, mark, Fraction(float(slacks[r])), float(reaches[r])))
        weights.met, weights.reach = int(met[-1]), float(reaches[-1])
        if part.update is not None:
            _step(weights, replay, part, mark)
    return replay


def follow_exactly(chunks: Iterable[ColumnChunk], weights: ExactWeights, run: FloatRun) -> AdditiveReplay:
    """The steps of a run whose every decision is known, and what its agreements exceeded the threshold by."""
    claim = weights.claim
    replay = AdditiveReplay(run.mistakes, run.mistakes)
    for part in cut_at_updates(chunks, run.updated):
        if part.update is not None:
            r = len(part.codes) - 1
            mark = run.marks[part.update] if claim.marked else 1
            columns, values = part.row(r, weights.facts.bits)
            scores = weights.score(columns, values)
            code = int(part.codes[-1])
            own = scores[code] - scores[mark - 1] if claim.network else scores[0] if code else -scores[0]
            square = Fraction(sum(v * v for v in values), weights.one**2)
            _add_excess(weights, replay, mark if claim.rule.marked else 1, Fraction(own, weights.one**2), square)
            _step(weights, replay, part, mark)
    return replay


def _decide(weights: ExactWeights, replay: AdditiveReplay, at: OpenRound) -> None:
    """Decide a round in whole numbers: whether it teaches, whether its guess was wrong, what rounding must explain."""
    claim = weights.claim
    code = at.code
    slack = at.slack
    columns, values = at.part.row(at.r, weights.facts.bits)
    scores = weights.score(columns, values)
    unit = Fraction(1, weights.one**2 * weights.parts)
    if claim.network:
        rival = weights.find_rival(scores, code)
        own = scores[code] if code < weights.met else 0
        gap = agreement = unit * (own - scores[rival])
        lost = rival < code or code >= weights.met
        if at.listed:
            away = at.mark - 1
            met = away != code and 0 <= away < weights.met
            require(met, f"round {at.number} steps away from class {away}", NotCertified)
            first = away == rival or (slack > 0 and unit * (scores[rival] - scores[away]) <= slack)
            message = f"round {at.number} steps away from class {away}, not from its best rival"
            require(first, message, NotCertified)
            agreement = unit * (own - scores[away])
    else:
        gap = agreement = unit * (scores[0] if code else -scores[0])
        lost = claim.loses_ties(code)
    margin = weights.margin
    teaches = gap < margin or (gap == margin and claim.teaches_at_threshold(code, margin))
    teaches = teaches and (not claim.rule.marked or bool(values))  # no number of copies of nothing helps
    near = abs(gap - margin) <= slack and slack > 0
    if claim.rule.asks is not None and teaches:
        asked = claim.rule.asks(claim.parameters, at.number, gap, at.reach)
        teaches = asked is not False
        near = near or asked is None
    replay.decide(at.number, teaches, at.listed, near, "agreement", gap)
    if at.listed:
        _check_copies(weights, replay, at, agreement, Fraction(sum(v * v for v in values), weights.one**2))
    surely = (at.number == 0 and weights.facts.surprise) or (claim.network and code >= weights.met)
    wrong = surely or gap < 0 or (gap == 0 and lost)
    replay.count(wrong, surely or slack == 0 or abs(gap) > slack)


def _check_copies(
    weights: ExactWeights, replay: AdditiveReplay, at: OpenRound, agreement: Fraction, square: Fraction
) -> None:
    """Refuse a number of copies that the rule does not give, and add up what agreements exceeded before each."""
    claim = weights.claim
    copies = 1
    slack = at.slack
    if claim.rule.marked:
        copies = at.mark
        slack += (slack > 0) * (copies + 1) * square * Fraction(64, 2**claim.digits)
        ends = [UpdateFacts(agreement + off, square, 0.0, weights.steps) for off in (slack, -slack)]
        fewest, most = (claim.rule.step(end, claim.parameters).along if square else 0 for end in ends)
        require(fewest <= copies <= most, f"round {at.number} cannot have taken {copies} copies", NotCertified)
    _add_excess(weights, replay, copies, agreement, square)


def _add_excess(
    weights: ExactWeights, replay: AdditiveReplay, copies: int, agreement: Fraction, square: Fraction
) -> None:
    """Add up what agreements exceeded before each copy was added."""
    for copy in range(copies - 1, -1, -1):
        over = agreement + copy * square - weights.margin
        if over <= 0:
            break
        replay.excess += 2 * over


def _step(weights: ExactWeights, replay: AdditiveReplay, part: Stretch, mark: int) -> None:
    """Move the weights as the update in which a stretch ends says."""
    columns, values = part.row(len(part.codes) - 1, weights.facts.bits)
    code = int(part.codes[-1])
    network = weights.claim.network
    copies, rival = (1, mark - 1) if network else (mark, -1)
    weights.add(columns, values, code if network else 0, copies if code or network else -copies)
    if network:
        weights.add(columns, values, rival, -1)
    weights.count(columns, values, copies)
    replay.steps.append(ReplayedStep(columns, values, code, rival, copies))


def _find_neighbours(value: Fraction) -> tuple[float, float]:
    """The floats below and above a fraction, itself twice if it is one."""
    near = float(value)
    if Fraction(near) == value:
        return near, near
    return float(np.nextafter(near, -np.inf)), float(np.nextafter(near, np.inf))
