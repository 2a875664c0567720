"""Balanced: what the theorem of Balanced Winnow says about the updates of a run, phase by phase.

A witness is a vector of whole numbers, scaled to |u|_1 = 1, and a margin g. Linear programs propose vectors: for the
widest margin, and for the least sum of shortfalls. Shortfalls are counted up to the margin tanh h that the factor
a = e^h is best for; there a vector that explains nothing costs about twice the updates, while at larger margins it
would give back their number. A run whose margin was guessed has phases: those that ended count with the number of
updates at which they had to end, and the last one with the theorem.
"""

from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, inf
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.theorem import StepRule, Theorem
from littlestone.certificates.make.linear_programs import find_closest_target, find_widest_target, merge_equal_rows
from littlestone.certificates.make.margins import Rows, find_separator, fit_soft_margin
from littlestone.certificates.make.steps import Dyadic, StepChoice, Steps, StepVectors, TracedRun, round_dyadic
from littlestone.learners.balanced_winnow import LEAST, choose_factor
from littlestone.learners.shared.balanced_winnow_theorems import DIGITS, MARGIN, PHASES, SLACK, PhaseFacts
from littlestone.learners.shared.multiplicative import is_out_of_patience

MARGINS = (1.0, 0.8, 0.6)  # of the margin that the factor is best for
LARGE = 100_000  # entries, beyond which no program is tried


NOTHING = Dyadic(np.zeros(0, np.int64), 0)


class LastPhase(NamedTuple):
    """The updates of the last phase: rows z, the factor's logarithm h, and ln cosh h."""

    rows: Rows
    rate: float
    curvature: float

    def estimate_bound(self, u: Array, margin: float) -> float:
        """The bound at a margin; infinite where there is none."""
        gain = self.rate * margin - self.curvature
        if gain <= 0:
            return inf
        short = float(self.rows.copies @ np.maximum(0.0, margin - self.rows.multiply(u)))
        sizes = np.abs(u[u != 0])
        entropy = -float((sizes * np.log(sizes)).sum())
        return (float(np.log(2 * self.rows.width)) - entropy + self.rate * short) / gain


def make(run: TracedRun) -> Certificate:
    """The caps of the phases that ended plus what the theorem gives for the last."""
    learner: Any = run.learner
    steps = run.steps
    guessed = learner.factor is None and learner.margin is None
    ended = 0
    factor = learner.factor
    last = steps
    if guessed:
        ended = len(run.state.phases) + is_out_of_patience(run.state.counts, learner.params(run.state))
        factor = choose_factor(max(2.0 ** -(ended + 1), LEAST))
        last = steps.select(np.flatnonzero(steps.marks > ended))
    elif factor is None:
        factor = choose_factor(float(learner.margin))
    caps = [compute_cap(j, steps, int(learner.bias)) for j in range(1, ended + 1)]
    vectors = StepVectors.of(last, StepRule(0.0), float(learner.bias))
    if vectors.rows.width == 0:  # rows of nothing teach nothing, but a comparator must have some attribute
        vectors = replace(vectors, rows=replace(vectors.rows, width=1), attributes=np.zeros(1, np.int64))
    choices = [StepChoice(MARGIN, 0, NOTHING, 1.0)]
    if len(last.rounds):
        choices = find_targets(vectors.rows, float(factor))
    if guessed:
        choices = [choice._replace(theorem=PHASES) for choice in choices]
    why = f"with factor {float(factor):.6g} no margin up to 1 is large enough on these updates"
    best = run.choose(choices, why)
    witness = {"margin": best.margin, **vectors.describe(best.u), "caps": caps}
    return run.certify(best.theorem, sum(caps) + best.bound, witness)


def compute_cap(phase: int, steps: Steps, bias: int) -> int:
    """The most updates that a phase can have when it ends: one more than 2 ln(2n) / d^2, n its highest attribute."""
    rows = np.repeat(np.arange(len(steps.rounds)), steps.counts)
    highest = int(steps.indices[steps.marks[rows] == phase].max(initial=-1)) + 1 + bias
    with localcontext() as context:
        context.prec = DIGITS
        patience = 2 * Decimal(4) ** phase if 2.0**-phase >= LEAST else 2 / Decimal(LEAST) ** 2
        return floor(patience * Decimal(2 * max(highest, 1)).ln()) + 1


def compute_log_cosh(factor: float) -> float:
    """ln cosh ln a, without cancellation."""
    return float(np.log1p((factor - 1) ** 2 / (2 * factor)))


def find_targets(rows: Rows, factor: float) -> list[StepChoice]:
    """The best u without shortfalls and with them, among those that programs, or least squares, propose."""
    run = LastPhase(merge_equal_rows(rows), float(np.log(factor)), compute_log_cosh(factor))
    found = list[StepChoice]()
    tried = list[tuple[float, Theorem, Dyadic, float]]()
    least = run.curvature / run.rate
    best = float(np.tanh(run.rate))
    for vector in propose(run.rows, best):
        u = round_dyadic(vector)
        size = float(np.abs(u.numerators).sum())
        if size:
            unit = u.numerators / size
            hard = float(run.rows.multiply(unit).min()) * (1 - 2.0**-40)
            tried.append((run.estimate_bound(unit, hard), MARGIN, u, hard))
            soft = min(np.linspace(least, best, 33)[1:].tolist(), key=lambda g: run.estimate_bound(unit, g))
            tried.append((run.estimate_bound(unit, soft), SLACK, u, soft))
    for theorem in (MARGIN, SLACK):
        cost, _, u, margin = min((part for part in tried if part[1] is theorem), key=lambda part: part[0])
        if cost < inf:
            found.append(StepChoice(theorem, compute_bound(rows, u, margin, Fraction(factor)), u, margin))
    return found


def propose(rows: Rows, best: float) -> list[Array]:
    """Vectors that may have a large margin, or small shortfalls, for their |u|_1."""
    reach = float(rows.squares.max(initial=1.0)) or 1.0
    sums = np.bincount(
        rows.indices, weights=rows.values * np.repeat(rows.copies, np.diff(rows.indptr)), minlength=rows.width
    )
    found = [fit_soft_margin(rows, reach), np.sign(sums), sums, np.ones(rows.width)]
    if len(rows.indices) <= LARGE:
        found.append(find_widest_target(rows).vector)
        found += [u for share in MARGINS if (u := find_closest_target(rows, share * best)) is not None]
    else:
        found.append(find_separator(rows, 50).vector)
    return found


def compute_bound(rows: Rows, u: Dyadic, margin: float, factor: Fraction) -> int:
    """The theorem's bound with a comparator that is measured in whole numbers."""
    size = int(np.abs(u.numerators).sum())
    agreements = rows.multiply(u.numerators.astype(np.float64)).astype(np.int64)
    level = Fraction(margin) * size
    below = agreements[agreements < float(level) + 1]
    short = sum((max(Fraction(0), level - int(k)) for k in below), Fraction(0)) / size
    sizes = tuple(int(k) for k in np.abs(u.numerators) if k)
    return SLACK.value(PhaseFacts(rows.width, sizes, Fraction(margin), short, factor))
