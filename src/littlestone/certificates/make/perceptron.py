"""Additive: what the theorems of the Perceptron family say about the steps a run took.

The steps become rows z: y x with its constant attribute, or in a network x in the block of the right class and -x in
that of its rival. A witness is found in floats, rounded to dyadic numbers, and only then measured, every float
operation rounded towards a larger bound.
"""

from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates import theorems
from littlestone.certificates.make.margins import (
    Dyadic,
    dyadic,
    hard_margin,
    hinge_margin,
    product,
    soft_margin,
    step,
)
from littlestone.certificates.make.step_vectors import Rule, Space, rule_of
from littlestone.certificates.make.steps import Steps
from littlestone.certificates.theorems import Facts, Passive, Theorem
from littlestone.compiled import U, kernel

LARGE = 10**6  # entries, beyond which the witness of the hinge loss serves the squared deviation too
EPS = 2.0**-52  # twice the rounding of one operation: what is lost in bounding the bound is covered


@kernel
def overshoot(
    indptr: Array, indices: Array, values: Array, copies: Array, squares: Array, enough: float, width: int, error: float
) -> Any:
    """Twice by how much agreements may have exceeded `enough` before each copy was added: rounding, in the main.

    And the weights after the last step. What rounding does to w.z is at most `error` for each step, each entry and a
    few more, of the products of sizes, which sum to no more than the way that the weights went times |z|.
    """
    weights, way, total = np.zeros(width), 0.0, 0.0
    for t in range(copies.size):
        a, b, length = U(indptr[t]), U(indptr[t + 1]), np.sqrt(squares[t])
        score = product(weights, indices, values, a, b)
        score += error * (t + indptr[t + 1] - indptr[t] + 4) * way * length
        for copy in range(copies[t]):
            total += 2.0 * max(0.0, score + copy * squares[t] - enough)
        step(weights, np.float64(copies[t]), indices, values, a, b)
        way += copies[t] * length
    return total, weights


class Run(NamedTuple):
    """The steps of one run, and what of them does not depend on a witness."""

    space: Space
    rule: Rule
    lengths: Array  # |z| of each row
    reach: float
    weights: Array | None  # the sum of all steps
    length: float | None  # and its square
    excess: float

    @classmethod
    def of(cls, steps: Steps, rule: Rule, real: Any) -> Self:
        """The run of a learner whose weights are `real` numbers: their rounding changes rate and constant a little."""
        space = Space.of(steps, rule, float(real(rule.bias)))
        rows, squares = space.rows, space.rows.squares
        lengths, longest = np.sqrt(squares), float(squares.max(initial=0.0))
        if rule.kind == "passive":
            return cls(space, rule, lengths, longest, None, None, 0.0)
        enough = rule.margin / float(real(rule.rate))
        if rule.normalized:
            return cls(space, rule, lengths, 1 + 2 * enough / float(lengths.min(initial=inf)), None, None, 0.0)
        error = 0.0 if np.array_equal(rows.values, np.rint(rows.values)) else EPS
        copies = rows.copies.astype(np.int64)
        over, weights = overshoot(rows.indptr, rows.indices, rows.values, copies, squares, enough, rows.width, error)
        return cls(space, rule, lengths, longest + 2 * enough, weights, float((weights**2).sum()), float(over))

    def facts(self, u: Dyadic, margin: float | None) -> Facts:
        """What a comparator shows, at a margin or at the one that it has on every row."""
        rows, norm = self.space.rows, float(np.sqrt(float(u.norm)))
        loss = EPS * (np.diff(rows.indptr) + 8) * norm * self.lengths
        least = rows.products(u.short) - loss
        if self.rule.normalized:
            least = (least - loss) / self.lengths
        if margin is None:
            margin = float(least.min(initial=inf)) * (1 - 2.0**-40) if len(rows) else 1.0
        short = np.maximum(0.0, margin - least)
        sums = float((short * rows.copies).sum()), float((short**2 * rows.copies).sum())
        length = None if self.length is None else up(self.length)
        return Facts(u.norm, up(self.reach), Fraction(margin), up(sums[0]), up(sums[1]), length, up(self.excess))


def up(value: float) -> Fraction:
    """A little more than a sum of floats: here a bound may be too large, never too small."""
    require(isfinite(value), "its rows are so long that their squares leave the floats", NotCertified)
    return Fraction(value) * (1 + Fraction(1, 2**40))


class Choice(NamedTuple):
    """A theorem with a witness and the bound that both give."""

    theorem: str
    promise: str
    bound: int
    u: Dyadic
    margin: float


def perceptron_choices(run: Run, wanted: list[Theorem], sweeps: int) -> list[Choice]:
    """What each of some theorems gives with the witness that suits it."""
    choices: list[Choice] = []
    rows = run.space.rows if not run.rule.normalized else run.space.rows.divided(run.lengths)

    def offer(u: Array, margin: float | None, by: tuple[Theorem, ...]) -> None:
        rounded = dyadic(u)
        facts = run.facts(rounded, margin)
        for theorem in by:
            if theorem in wanted and facts.margin > 0 and (theorem is not theorems.RUN or facts.length is not None):
                value = theorem.value(facts)
                choices.append(Choice(theorem.name, theorem.promise, value, rounded, float(facts.margin)))

    if set(wanted) & set(theorems.AGNOSTIC):
        offer(hinge_margin(rows, run.reach, run.weights), 1.0, theorems.AGNOSTIC)
    large = len(rows.indices) > LARGE and any(choice.theorem == theorems.SQUARED.name for choice in choices)
    if theorems.SQUARED in wanted and not large:
        offer(soft_margin(rows, run.reach, squared=True), 1.0, (theorems.SQUARED,))
    if set(wanted) & {theorems.NOVIKOFF, theorems.RUN}:
        least = min((choice.bound for choice in choices), default=0)
        useless = (run.reach / (least + 1)) ** 0.5 if least else 0.0
        limit = inf if run.length is None or not len(rows) else run.length**0.5 / float(rows.copies.sum())
        separator = hard_margin(rows, 0 if limit <= useless else sweeps, 1e-5, useless)
        if separator.margin > 0 or not len(rows):
            offer(separator.vector, None, (theorems.NOVIKOFF, theorems.RUN))
        elif theorems.RUN in wanted:
            offer(hinge_margin(rows, run.reach, run.weights), 1.0, (theorems.RUN,))
    return choices


def passive_choices(run: Run, sweeps: int) -> list[Choice]:
    """What the theorem of a passive-aggressive variant gives."""
    rule, rows = run.rule, run.space.rows
    k, C = float(rule.margin), float(rule.aggressiveness)
    if rule.variant == "0":
        separator = hard_margin(rows, sweeps, 1e-5)
        vector = separator.vector * (k / separator.margin * (1 + 2.0**-12) if separator.margin > 0 else 0.0)
    elif rule.variant == "I":
        vector = k * soft_margin(rows, k / C)
    else:
        vector = k * soft_margin(rows, 1 / (2 * C), squared=True)
    u = dyadic(vector)
    facts = run.facts(u, k)
    if rule.variant == "0" and facts.shortfall > 0:
        return []
    passive = Passive(facts.norm, facts.reach, Fraction(k), Fraction(C), facts.shortfall, facts.squares)
    name, promise = theorems.PASSIVE[rule.variant], theorems.PASSIVE_PROMISE[rule.variant]
    return [Choice(name, promise, theorems.passive_aggressive(rule.variant, passive), u, k)]


def linear_certificate(
    learner: dict[str, Any], real: Any, steps: Steps, tally: Tally, theorem: str | None, sweeps: int
) -> Certificate:
    """The smallest bound among the theorems of a linear learner; ties go to the theorem that is listed first."""
    rule = rule_of(learner)
    assert rule is not None
    run = Run.of(steps, rule, real)
    covering = theorems.PERCEPTRON if theorem else theorems.SHARPEST
    named = [t for t in covering if theorem is None or theorem.lower() in t.name.lower()]
    if rule.kind == "passive":
        title = theorems.PASSIVE[rule.variant]
        choices = passive_choices(run, sweeps) if theorem is None or theorem.lower() in title.lower() else []
    else:
        choices = perceptron_choices(run, named, sweeps)
    if not choices:
        asked = f"no theorem like {theorem!r} applies to" if theorem else "no theorem applies to"
        raise NotCertified(
            f"{asked} {learner['name']} here: no comparator has a margin on all {len(steps.rounds)} updates"
        )
    best = min(choices, key=lambda choice: choice.bound)
    counts, count = "updates", None
    marks: tuple[int, ...] = ()
    if rule.kind == "passive":
        counts, best = "mistakes", best._replace(bound=best.bound + steps.apart)
    if rule.kind == "aggressive":
        counts, count = "steps", int(steps.marks.sum())
    if rule.kind == "aggressive" or rule.network:
        marks = tuple(int(mark) for mark in steps.marks)
    return Certificate(
        theorem=best.theorem,
        promise=best.promise,
        counts=counts,
        mistakes=tally.mistakes,
        updates=tally.updates,
        bound=best.bound,
        witness=witness(run.space, best),
        scope="sequence",
        exact=rule.exact,
        count=count,
        marks=marks,
    )


def witness(space: Space, choice: Choice) -> dict[str, Any]:
    """The comparator by its entries that are not 0, whole numbers times 2^exponent; attribute -1 is the constant."""
    (used,) = np.nonzero(choice.u.numerators)
    found: dict[str, Any] = {"margin": choice.margin, "exponent": choice.u.exponent}
    if space.classes.any():
        found["classes"] = space.classes[used].tolist()
    return found | {"attributes": space.attributes[used].tolist(), "numerators": choice.u.numerators[used].tolist()}
