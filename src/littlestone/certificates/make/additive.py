"""Additive: what theorems about steps say about the steps that a run took.

The steps become rows z: y x with its constant attribute, or in a network x in the block of the right class and -x in
that of its rival. A witness is found in floats, rounded to dyadic numbers, and only then measured, every float
operation rounded towards a larger bound. Which witness suits a theorem is read from what losses it allows.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import StepFacts, StepRule, Theorem
from littlestone.certificates.make.margins import find_separator, fit_hinge_margin, fit_soft_margin, multiply_row, step
from littlestone.certificates.make.steps import Dyadic, StepChoice, Steps, StepVectors, TracedRun, round_dyadic
from littlestone.compiled import U, kernel, read_attribute, read_value

LARGE = 10**6  # entries, beyond which the witness of the hinge loss serves the squared deviation too
EPS = 2.0**-52  # twice the rounding of one operation: what is lost in bounding the bound is covered


@kernel
def sum_overshoot(
    indptr: Array, indices: Array, values: Array, copies: Array, squares: Array, enough: float, width: int, error: float
) -> Any:
    """Twice by how much agreements may have exceeded `enough` before each copy was added: rounding, in the main.

    And the weights after the last step. What rounding does to w.z is at most `error` for each step, each entry and a
    few more, of the products of sizes, which sum to no more than the way that the weights went times |z|.
    """
    weights = np.zeros(width)
    way = 0.0
    total = 0.0
    for t in range(copies.size):
        a = U(indptr[t])
        b = U(indptr[t + 1])
        length = np.sqrt(squares[t])
        score = multiply_row(weights, indices, values, a, b)
        score += error * (t + indptr[t + 1] - indptr[t] + 4) * way * length
        for copy in range(copies[t]):
            total += 2.0 * max(0.0, score + copy * squares[t] - enough)
        step(weights, np.float64(copies[t]), indices, values, a, b)
        way += copies[t] * length
    return total, weights


class StepRun(NamedTuple):
    """The steps of one run, and what of them does not depend on a witness."""

    vectors: StepVectors
    rule: StepRule
    lengths: Array  # |z| of each row
    enough: float  # agreements beyond it teach nothing, in units of the rate
    reach: float
    weights: Array | None = None  # the sum of all steps
    length: float | None = None  # and its square
    excess: float = 0.0

    @classmethod
    def of(cls, steps: Steps, rule: StepRule, real: Any) -> Self:
        """The run of a learner whose weights are `real` numbers: their rounding changes rate and constant a little."""
        vectors = StepVectors.of(steps, rule, float(real(rule.bias)))
        squares = vectors.rows.squares
        lengths = np.sqrt(squares)
        enough = rule.margin / float(real(rule.rate))
        reach = float(squares.max(initial=0.0)) + 2 * enough
        if rule.normalized:
            reach = 1 + 2 * enough / float(lengths.min(initial=inf))
        return cls(vectors, rule, lengths, enough, reach)

    def replay(self) -> Self:
        """The run with its final weights and its excess, where these are sums of rows."""
        if not self.rule.exact:
            return self
        rows = self.vectors.rows
        entries = (rows.indptr, rows.indices, rows.values)
        copies = rows.copies.astype(np.int64)
        error = 0.0 if np.array_equal(rows.values, np.rint(rows.values)) else EPS
        over, weights = sum_overshoot(*entries, copies, rows.squares, self.enough, rows.width, error)
        return self._replace(weights=weights, length=float((weights**2).sum()), excess=float(over))

    def measure(self, u: Dyadic, margin: float | None) -> StepFacts:
        """What a comparator shows, at a margin or at the one that it has on every row."""
        rows = self.vectors.rows
        norm = float(np.sqrt(float(u.norm)))
        loss = EPS * (np.diff(rows.indptr) + 8) * norm * self.lengths
        least = rows.multiply(u.short_floats) - loss
        if self.rule.normalized:
            least = (least - loss) / self.lengths
        if margin is None:
            margin = float(least.min(initial=inf)) * (1 - 2.0**-40) if len(rows) else 1.0
        short = np.maximum(0.0, margin - least)
        shortfall, square = (enlarge(float((part * rows.copies).sum())) for part in (short, short**2))
        length = None if self.length is None else enlarge(self.length)
        return StepFacts(u.norm, enlarge(self.reach), Fraction(margin), shortfall, square, length, enlarge(self.excess))

    def find_unexplained(self, u: Dyadic, margin: float) -> float:
        """The share of the zero vector's losses at a margin that a comparator has too; not enlarged, as a bound is."""
        rows = self.vectors.rows
        products = rows.multiply(u.short_floats)
        short = np.maximum(0.0, margin - (products / self.lengths if self.rule.normalized else products))
        return float((short * rows.copies).sum() / (margin * int(rows.copies.sum())))


def enlarge(value: float) -> Fraction:
    """A little more than a sum of floats: here a bound may be too large, never too small."""
    require(isfinite(value), "its rows are so long that their squares leave the floats", NotCertified)
    return Fraction(value) * (1 + Fraction(1, 2**40))


def find_choices(run: StepRun, wanted: list[Theorem], sweeps: int) -> list[StepChoice]:
    """What each of some theorems gives with the witness that suits it."""
    free = [theorem for theorem in wanted if theorem.margin is None]
    fixed = [theorem for theorem in wanted if theorem.margin is not None]
    return [*_try_any_margin(run, free, sweeps), *_try_fixed_margin(run, fixed, sweeps)]


def _try_any_margin(run: StepRun, wanted: list[Theorem], sweeps: int) -> list[StepChoice]:
    """Theorems in which the comparator may be as long as it likes: margin 1 for losses, its own where it has none."""
    choices: list[StepChoice] = []
    rows = run.vectors.rows if not run.rule.normalized else run.vectors.rows.divide(run.lengths)

    def offer(u: Array, margin: float | None, by: list[Theorem]) -> None:
        rounded = round_dyadic(u)
        facts = run.measure(rounded, margin)
        for theorem in by:
            if facts.margin > 0 and (not theorem.knows_run or facts.length is not None):
                choices.append(StepChoice(theorem, theorem.value(facts), rounded, float(facts.margin)))

    strict = [t for t in wanted if t.losses == "none"]
    knowing = [t for t in wanted if t.knows_run]
    losing = [t for t in wanted if t.losses != "none" and not t.knows_run]
    squared = [t for t in losing if t.losses == "squared"]
    if losing:
        offer(fit_hinge_margin(rows, run.reach, run.weights), 1.0, sorted(losing, key=lambda t: t.losses))
    if squared and not (len(rows.indices) > LARGE and choices):
        offer(fit_soft_margin(rows, run.reach, squared=True), 1.0, squared)
    if strict or knowing:
        least = min((choice.bound for choice in choices), default=0)
        useless = (run.reach / (least + 1)) ** 0.5 if least else 0.0
        limit = inf if run.length is None or not len(rows) else run.length**0.5 / float(rows.copies.sum())
        separator = find_separator(rows, 0 if limit <= useless else sweeps, 1e-5, useless)
        if separator.margin > 0 or not len(rows):
            offer(separator.vector, None, [*strict, *knowing])
        elif knowing:
            offer(fit_hinge_margin(rows, run.reach, run.weights), 1.0, knowing)
    return choices


def _try_fixed_margin(run: StepRun, wanted: list[Theorem], sweeps: int) -> list[StepChoice]:
    """Theorems whose comparator is measured at the learner's own margin."""
    choices = list[StepChoice]()
    rows = run.vectors.rows
    for theorem in wanted:
        k = float(theorem.margin or 0.0)
        if theorem.losses == "none":
            separator = find_separator(rows, sweeps, 1e-5)
            vector = separator.vector * (k / separator.margin * (1 + 2.0**-12) if separator.margin > 0 else 0.0)
        else:
            price = run.reach if theorem.price is None else theorem.price
            vector = k * fit_soft_margin(rows, price, squared=theorem.losses == "squared")
        u = round_dyadic(vector)
        facts = run.measure(u, k)
        if theorem.losses != "none" or facts.shortfall == 0:
            choices.append(StepChoice(theorem, theorem.value(facts), u, k))
    return choices


def make(run: TracedRun) -> Certificate:
    """The smallest bound among the theorems of an additive learner; ties go to the one that was tried first."""
    learner: Any = run.learner
    rule: StepRule = learner.step_rule()
    both = rule.copies and rule.network
    told = "a mark names the rival of a step or counts its copies, not both: certify a network that updates each unit"
    require(not both, told, NotCertified)
    taken = StepRun.of(run.steps, rule, run.real).replay()
    steps = run.steps
    choices = find_choices(taken, run.list_theorems(), run.sweeps)
    best = run.choose(choices, f"no comparator has a margin on all {len(steps.rounds)} updates")
    news = max(0, run.classes - max(2, run.declared)) if rule.network else 0  # each may cost a mistake more
    bound = best.bound + (steps.idle_mistakes + news if best.theorem.counts == "mistakes" else 0)
    count = int(steps.marks.sum()) if rule.copies else None
    marks = tuple(int(mark) for mark in steps.marks) if rule.copies or rule.network else ()
    witness = describe_witness(taken.vectors, best)
    if len(steps.rounds):
        witness["unexplained"] = taken.find_unexplained(best.u, best.margin)
    return run.certify(best.theorem, bound, witness, exact=rule.exact, count=count, marks=marks)


@kernel
def sum_shortfalls(indptr: Array, indices: Any, values: Any, labels: Array, u: Array, rule: Any, total: float) -> Any:
    """A total with (margin - u.z)+ of all rows added, one by one; `rule` is the constant, the margin, and whether z is
    normalized. u[0] is the weight of the constant, u[j + 1] that of attribute j."""
    constant, margin, normalized = rule
    for t in range(labels.size):
        a = U(indptr[t])
        product = u[0] * constant
        square = constant * constant
        for k in range(a, U(indptr[t + 1])):
            attribute = read_attribute(indices, k, a) + U(1)
            value = np.float64(read_value(values, k))
            square += value * value
            if attribute < U(u.size):
                product += u[attribute] * value
        if normalized and square > 0:
            product /= np.sqrt(square)
        total += max(0.0, margin - (product if labels[t] > 0 else -product))
    return total


def measure_everywhere(witness: dict[str, Any], run: TracedRun, chunks: Iterable[Examples]) -> float:
    """The comparator's shortfalls over all rounds, those that taught nothing too, in units of its margin."""
    learner: Any = run.learner
    rule = learner.step_rule()
    margin = float(witness["margin"])
    places = np.array(witness["attributes"], np.int64) + 1
    u = np.zeros(int(places.max(initial=0)) + 1)
    constant = float(run.real(rule.bias))
    u[places] = np.ldexp(np.array(witness["numerators"], float), witness["exponent"])
    told = (constant, margin, bool(rule.normalized))
    total = 0.0
    for one in chunks:
        total = float(sum_shortfalls(one.indptr, one.indices, one.values, one.labels, u, told, total))
    return total / margin


def describe_witness(vectors: StepVectors, choice: StepChoice) -> dict[str, Any]:
    """The comparator by its entries that are not 0, whole numbers times 2^exponent."""
    found: dict[str, Any] = {"margin": choice.margin, "exponent": choice.u.exponent}
    if vectors.classes.any():
        found["classes"] = vectors.classes[np.flatnonzero(choice.u.numerators)].tolist()
    return found | vectors.describe(choice.u)
