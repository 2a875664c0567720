"""Recheck: the decisions of a recorded run, made again in exact arithmetic from the list of its steps.

Weights that are sums of rows, in units of the rate, are whole numbers times 2^-bits, and scores times 4^-bits. Floats
only filter: with n terms |fl(w.x) - w.x| <= g(n) sum |w_i x_i|, g(n) = n e / (1 - n e), e = 2^-53; a round that this
leaves open is decided in whole numbers.

The run itself was played in floats. Where all its weights, products and sums are whole multiples of a unit and small
enough, each of them was exact, and so must be every decision. Elsewhere a decision may differ from the exact one if
the agreement is no farther from the threshold than the same inequality, with the e of the run's own floats and all
its steps among the terms, lets it be.

Weights that are means of several runs' are whole numbers times 2^-bits / parts (`mixed`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.integer_rows import Page, Seen


class Rule(NamedTuple):
    """What decides a round: an agreement up to `margin` teaches, in units of the rate; a tie is guessed `tie`."""

    kind: str  # perceptron or aggressive
    margin: Fraction
    tie: str
    rate: Fraction
    digits: int  # of the run's floats: 24 or 53
    network: bool

    def teaches_at_margin(self, code: int) -> bool:
        return self.network or self.tie == "strict" or self.margin > 0 or code != int(self.tie == "plus")


@dataclass
class Ledger:
    """What the replay found: the steps in whole numbers, and the counts that rounding leaves open between two ends."""

    steps: list[tuple[list[int], list[int], int, int, int]] = field(default_factory=list)  # columns, values, code, ...
    fewest: int = 0
    most: int = 0
    differing: list[int] = field(default_factory=list)
    excess: Fraction = Fraction(0)


class Bench:
    """Exact weights of one unit, or of one for each class, with floats beside them that only filter."""

    def __init__(self, rule: Rule, seen: Seen, classes: int) -> None:
        self.rule, self.seen, self.met = rule, seen, classes
        self.exact: list[dict[int, int]] = [{} for _ in range(seen.classes if rule.network else 1)]
        self.floats = np.zeros((len(self.exact), seen.width))
        self.moved = np.zeros(seen.width)  # how far the weights of a column were moved in all
        self.steps = 0
        self.one, self.parts = 1 << seen.bits, 1
        odd = rule.rate.numerator
        self.odd = odd // (odd & -odd)
        underflow = 149 if rule.digits == 24 else 1074
        self.room = underflow - 2 * seen.bits - rule.rate.denominator.bit_length()
        require(self.room >= 0, "values are so small that products underflow", NotCertified)
        self.far = 0.0  # the largest of `moved`
        largest = Fraction(2) ** (126 if rule.digits == 24 else 1022)
        self.top = float(largest / max(rule.rate, Fraction(1)))  # up to here nothing overflows

    def gaps(self, page: Page, a: int, b: int) -> tuple[Array, Array, Array]:
        """For rounds a to b: agreements in floats, how far these may be off, and how far the run's own may be."""
        entries = slice(page.indptr[a], page.indptr[b])
        lengths = np.diff(page.indptr[a : b + 1])
        rows, columns, values = np.repeat(np.arange(b - a), lengths), page.columns[entries], page.values[entries]
        sizes = np.bincount(rows, weights=self.moved[columns] * np.abs(values), minlength=b - a)
        scores = [np.bincount(rows, weights=unit[columns] * values, minlength=b - a) for unit in self.floats]
        require(sizes.max(initial=self.far) <= self.top, "weights or scores leave the run's floats", NotCertified)
        codes = page.codes[a:b]
        if self.rule.network:
            gaps, sizes = self._leads(np.array(scores), codes), 2 * sizes
        else:
            gaps = np.where(codes > 0, 1.0, -1.0) * scores[0]
        terms = lengths + 4.0
        with np.errstate(over="ignore", invalid="ignore"):
            units = np.where(sizes > 0, np.ldexp(sizes, 2 * self.seen.bits) * self.fineness, 0.0)
            error = np.where(units <= 2.0**52, 0.0, terms * 2.0**-52 * sizes)
            e = 2.0**-self.rule.digits
            terms = terms + self.steps + 4
            require(bool((terms * e < 0.25).all()), "too many steps for the run's precision", NotCertified)
            exact = self.odd * units <= 1 / e  # then so are the weights of these columns, products and sums
        slacks = np.where(exact, 0.0, terms * e / (1 - terms * e) * 1.02 * sizes)
        if self.parts > 1:  # a mean may be so small that it loses digits: by no more than the smallest float
            least = 2.0**-148 if self.rule.digits == 24 else 2.0**-1073
            slacks += np.where(exact, 0.0, terms * least * (1 + np.bincount(rows, np.abs(values), b - a)))
        return gaps, error, slacks

    @property
    def fineness(self) -> float:
        """How many times finer means are than the rows; infinitely, if floats cannot hold them."""
        held = self.parts & (self.parts - 1) == 0 and self.parts.bit_length() <= self.room + 1
        return float(self.parts) if held else np.inf

    def _leads(self, scores: Array, codes: Array) -> Array:
        """The right class's score less the best other one, of the classes met before each round."""
        met = np.maximum.accumulate(np.concatenate(([self.met], codes + 1)))[:-1]
        each = np.where(np.arange(len(scores))[:, None] < met[None, :], scores, -np.inf)
        rows = np.arange(len(codes))
        own = np.where(codes < met, scores[codes, rows], 0.0)
        each[codes, rows] = -np.inf
        return np.asarray(own - each.max(axis=0))

    def scores(self, columns: list[int], values: list[int]) -> list[int]:
        """The exact score of every unit in units of 4^-bits."""
        pairs = list(zip(columns, values, strict=True))
        return [sum(weights.get(j, 0) * v for j, v in pairs) for weights in self.exact]

    def add(self, columns: list[int], values: list[int], unit: int, times: int) -> None:
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


def recheck(
    pages: Iterable[Page], rule: Rule, seen: Seen, classes: int, updated: tuple[int, ...], marks: tuple[int, ...]
) -> Ledger:
    """Go through all rounds with the weights that the listed steps give; refuse a decision that cannot be explained."""
    return followed(pages, Bench(rule, seen, classes), updated, marks)


def followed(pages: Iterable[Page], bench: Bench, updated: tuple[int, ...], marks: tuple[int, ...]) -> Ledger:
    """The same from the weights that are on the bench, which ends with those after the last round."""
    rule, ledger = bench.rule, Ledger()
    below, above = _around(rule.margin)
    place = 0
    for page in pages:
        t = 0
        while t < len(page.codes):
            due = updated[place] - page.first if place < len(updated) else len(page.codes)
            end = min(due + 1, len(page.codes))
            gaps, errors, slacks = bench.gaps(page, t, end)
            clear = gaps - errors > above
            if due < end and not (rule.network or rule.kind == "aggressive"):
                clear[-1] = gaps[-1] + errors[-1] < below
            elif due < end:
                clear[-1] = False
            met = np.maximum.accumulate(np.concatenate(([bench.met], page.codes[t:end] + 1)))
            clear &= (np.abs(gaps) > errors + slacks) & (page.codes[t:end] < met[:-1])
            if page.first + t == 0:
                clear[0] = False
            wrong = int(np.count_nonzero(clear & (gaps < 0)))
            ledger.fewest += wrong
            ledger.most += wrong
            for r in np.flatnonzero(~clear).tolist():
                bench.met = int(met[r])
                listed = t + r == due
                mark = marks[place] if listed and marks else 1
                _decide(bench, ledger, page, t + r, listed, mark, Fraction(float(slacks[r])))
            bench.met = int(met[-1])
            if due < end:
                _step(bench, ledger, page, due, marks[place] if marks else 1)
                place += 1
            t = end
    require(place == len(updated), "an update is listed beyond the last round", NotCertified)
    return ledger


def _decide(bench: Bench, ledger: Ledger, page: Page, t: int, listed: bool, mark: int, slack: Fraction) -> None:
    """One round in whole numbers: whether it teaches, whether its guess was wrong, and what rounding has to explain."""
    rule, code, number = bench.rule, int(page.codes[t]), page.first + t
    columns, values = page.row(t, bench.seen.bits)
    scores, unit = bench.scores(columns, values), Fraction(1, bench.one**2 * bench.parts)
    if rule.network:
        known = [c for c in range(bench.met) if c != code]
        rival = max(known, key=lambda c: (scores[c], -c))
        own = scores[code] if code < bench.met else 0
        gap, lost = unit * (own - scores[rival]), rival < code or code >= bench.met
        if listed:
            require(mark - 1 in known, f"round {number} steps away from class {mark - 1}", NotCertified)
            other = unit * (scores[rival] - scores[mark - 1])
            first = mark - 1 == rival or (slack > 0 and other <= slack)
            require(first, f"round {number} steps away from class {mark - 1}, not from its best rival", NotCertified)
            agreement = unit * (own - scores[mark - 1])
        else:
            agreement = gap
    else:
        gap = agreement = unit * (scores[0] if code else -scores[0])
        lost = code != int(rule.tie == "plus")
    teaches = gap < rule.margin or (gap == rule.margin and rule.teaches_at_margin(code))
    teaches = teaches and (rule.kind != "aggressive" or bool(values))  # no number of copies of nothing helps
    if teaches != listed:
        near = abs(gap - rule.margin) <= slack and slack > 0
        must = "must teach and is not listed" if teaches else "is listed and must not teach"
        require(near, f"round {number} {must}: its agreement is {_shown(gap)}", NotCertified)
        ledger.differing.append(number)
    if listed:
        _copies(bench, ledger, number, agreement, Fraction(sum(v * v for v in values), bench.one**2), mark, slack)
    surprise = number == 0 and bench.seen.surprise
    sure = surprise or (rule.network and code >= bench.met) or slack == 0 or abs(gap) > slack
    wrong = surprise or (rule.network and code >= bench.met) or gap < 0 or (gap == 0 and lost)
    ledger.fewest += wrong and sure
    ledger.most += wrong or not sure


def _copies(
    bench: Bench, ledger: Ledger, number: int, agreement: Fraction, square: Fraction, mark: int, slack: Fraction
) -> None:
    """Add up what agreements exceeded before each copy was added; only an aggressive step has more than one."""
    rule, copies = bench.rule, 1
    if rule.kind == "aggressive":
        copies = mark
        slack += (slack > 0) * (copies + 1) * square * Fraction(64, 2**rule.digits)
        enough = agreement + copies * square > -slack or (agreement + copies * square > 0)
        frugal = agreement + (copies - 1) * square <= slack
        require(enough and frugal and square > 0, f"round {number} cannot have taken {copies} copies", NotCertified)
    for copy in range(copies - 1, -1, -1):
        over = agreement + copy * square - rule.margin
        if over <= 0:
            break
        ledger.excess += 2 * over


def _step(bench: Bench, ledger: Ledger, page: Page, t: int, mark: int) -> None:
    """Move the weights as a listed step says."""
    columns, values = page.row(t, bench.seen.bits)
    code, copies = int(page.codes[t]), mark if bench.rule.kind == "aggressive" else 1
    if bench.rule.network:
        bench.add(columns, values, code, 1)
        bench.add(columns, values, mark - 1, -1)
    else:
        bench.add(columns, values, 0, copies if code else -copies)
    bench.count(columns, values, copies)
    ledger.steps.append((columns, values, code, mark - 1 if bench.rule.network else -1, copies))


def _around(value: Fraction) -> tuple[float, float]:
    """The floats next to a fraction, itself twice if it is one."""
    near = float(value)
    if Fraction(near) == value:
        return near, near
    return float(np.nextafter(near, -np.inf)), float(np.nextafter(near, np.inf))


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator < 1000 else f"{float(value):.6g}"
