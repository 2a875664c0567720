"""Regrets: comparators for theorems about what second-order and p-norm learners lost on the rounds that moved them.

What a theorem gives with a comparator is what the checker says that it gives; this module only looks for good ones. For
the ridge identity it is the last weights, which attain the minimum. For diagonal AROW the bound is convex in u and is
minimised. The other two are a hinge loss H(u) and a norm, H(u) + sqrt(K) |u|, least at u = 0, which says nothing: as
for the Perceptron, (K / updates) |u|^2 + 2 H(u) is made small instead.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import describe
from littlestone.certificates.check import regrets, shadow_runs
from littlestone.certificates.check.regrets import Regret
from littlestone.certificates.check.step_rows import StepRows
from littlestone.certificates.make.margins import Rows, find_separator, fit_soft_margin
from littlestone.certificates.make.steps import Dyadic, StepVectors, TracedRun, round_dyadic

BITS = 30  # of the largest entry of a comparator that must meet its bound
CLOSE = 2.0**-16  # by which share the two sides of an identity may differ before floats are blamed


def make(run: TracedRun) -> Certificate:
    """The certificate of the least bound that was found."""
    learner: Any = run.learner
    (theorem,) = run.list_theorems() or [run.choose([], "it has one of another name")]
    about = describe(learner)
    network = type(learner).__name__ == "Network"
    unit = about["learner"] if network else about
    vectors = StepVectors.of(run.steps, learner.step_rule(), regrets.find_constant(unit, run.real))
    found = vectors.rows
    values = found.values.astype(np.float64)
    rows = StepRows(found.indptr, found.indices.astype(np.int64), values, vectors.classes, vectors.attributes)
    claim = regrets.find_claim(about)
    best = list[tuple[Regret, Dyadic]]()
    for u in propose(claim, unit, rows, found):
        rounded = round_dyadic(u, BITS)
        best.append((regrets.claim_regret(about, rows, rounded.numerators.tolist(), rounded.exponent), rounded))
    regret, chosen = min(best, key=lambda pair: pair[0].bound)
    lost = len(rows) if regret.counted is None else regret.counted
    held = lost <= regret.bound and (claim is not regrets.claim_ridge or regret.bound <= lost * (1 + CLOSE))
    why = f"floats count {lost:.6g} of {run.learner} where its comparator allows {regret.bound:.6g}"
    require(held, f"{why}: rows are too long for its ridge, so scale the columns", NotCertified)
    witness: dict[str, Any] = {"exponent": chosen.exponent, **vectors.describe(chosen), **regret.shown}
    if network:
        witness["classes"] = vectors.classes[np.flatnonzero(chosen.numerators)].tolist()
    marks = tuple(int(mark) for mark in run.steps.marks) if network else ()
    return run.certify(theorem, regret.bound, witness, exact=regret.exact, count=regret.counted, marks=marks)


def propose(claim: Any, unit: dict[str, Any], rows: StepRows, signed: Rows) -> Iterator[Array]:
    """Comparators that may be good."""
    if len(rows) == 0:
        yield np.zeros(rows.width)
        return
    if claim is regrets.claim_ridge:
        r = float(unit["ridge" if unit["name"] == "SecondOrderPerceptron" else "regularization"])
        yield shadow_runs.follow_ridge(rows, r)[2]
    elif claim is regrets.claim_diagonal_arow:
        yield from _descend(rows, float(unit["regularization"]), signed)
    elif claim is regrets.claim_diagonal_second_order:
        r = float(unit["ridge"])
        squares = np.bincount(rows.columns, rows.values**2, rows.width)
        charge = float(np.log1p(squares / r).sum() + 2 * shadow_runs.follow_diagonal_second_order(rows, r).sum())
        yield from _price(signed, np.sqrt(r + squares), charge)
    else:
        p = float(unit["power"])
        ends = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        charge = (p - 1) * sum(regrets.raise_sum(np.abs(rows.values[a:b]), p) ** 2 for a, b in ends)
        yield from _price(signed, np.ones(rows.width), charge, p)


def _descend(rows: StepRows, r: float, signed: Rows) -> Iterator[Array]:
    """The last weights, and what minimises the bound of diagonal AROW from there."""
    from scipy.optimize import minimize  # it takes long to import

    run = shadow_runs.follow_diagonal_arow(rows, r)
    pull = (1 + run.squares / r) * run.weights - run.drift / r
    owner = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))

    def value(u: Array) -> tuple[float, Array]:
        short = np.maximum(0.0, 1 - signed.multiply(u))
        slope = 2 * pull - 2 / r * np.bincount(rows.columns, rows.values * short[owner], rows.width)
        return float(short @ short / r + 2 * (u @ pull)), slope

    yield run.weights
    yield minimize(value, run.weights, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def _price(signed: Rows, stretch: Array, charge: float, power: float = 2.0) -> Iterator[Array]:
    """Comparators of small loss and |stretch u|: the norm is the Euclidean one, or that dual to a power."""
    scaled = Rows(signed.indptr, signed.indices, signed.values / stretch[signed.indices], signed.width, signed.copies)
    dual = power / (power - 1)
    price = charge / len(signed)
    sums = np.bincount(signed.indices, signed.values, signed.width)
    tried = [fit_soft_margin(scaled, price), np.sign(sums) * np.abs(sums) ** (power - 1)]
    separator = find_separator(scaled, 100, 1e-3)
    tried += [separator.vector] * (separator.margin > 0)
    for u in tried:
        margins = scaled.multiply(u)
        norm = float((np.abs(u) ** dual).sum()) ** (1 / dual)
        largest = float(np.abs(margins).max(initial=0.0))
        lengths = 2.0 ** np.linspace(-4, 12, 129) / largest if largest > 0 else np.ones(1)
        values = [price * (a * norm) ** 2 + 2 * float(np.maximum(0, 1 - a * margins).sum()) for a in lengths]
        yield u * lengths[int(np.argmin(values))] / stretch
