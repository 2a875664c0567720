"""Predicted numbers: the comparator that gives the least bound, by least squares or by bent losses with a ridge.

The run is played again by the checker's own replay, which knows what it was charged. For `Ridge` the comparator is that
of least squares with its ridge, which gives the least bound there is. For bets it is the minimiser of the loss, bent
over a width where it has corners, + (sum of r_i u_i^2) / 2, by L-BFGS with several ridges; the least bound is kept.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import describe
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.regressions import HUBER, PINBALL, SQUARE, NumberRun, replay_numbers
from littlestone.certificates.check.losses import FURTHER
from littlestone.certificates.check.regression import BITS, claim_numbers, find_number_ridges
from littlestone.certificates.check.round_weights import explain_numbers
from littlestone.certificates.make.losses import LARGEST, STEPS, arrange_rounds, scale_rows
from littlestone.certificates.make.steps import TracedRun

RIDGES = (10.0, 1.0, 0.1, 0.01)  # times the one that the floor of bets is counted by
WIDTH = 2.0**-6  # of the mean loss of no rule at all, over which corners are bent


class NumberChoice(NamedTuple):
    """A comparator, and how the floor is found by it."""

    numerators: Array
    times: float = 1.0
    width: float = 1.0


def make(run: TracedRun) -> Certificate:
    """The certificate of the least bound that was found."""
    theorems = run.list_theorems()
    require(bool(theorems), f"no theorem like {run.wanted!r} applies to {type(run.learner).__name__}", NotCertified)
    require(len(run.steps.rounds) > 0, "there are no rounds to certify", NotCertified)
    chunk = arrange_rounds(run, np.float64)
    played = replay_numbers(describe(run.learner), lambda: [chunk])
    made = float(run.learner.expected(run.state) or 0)
    require(played.made == made, f"the run has a loss of {made}, its replay {played.made}", NotCertified)
    found = [
        (claim_numbers(played, lambda: [chunk], *choice), number, choice)
        for number, choice in enumerate(list_choices(played, chunk))
    ]
    claim, _, choice = min(found, key=lambda one: one[:2])
    told = {"comparator": claim.comparator, "zero": claim.zero}
    if played.settings.criterion == SQUARE:
        floor = max(0.0, claim.floor - FURTHER / 1024 * claim.bound)  # sums in another order are off by less
        told |= {"floor": floor, "logarithms": claim.logarithms}
    weights = explain_numbers(chunk.weights)
    about = describe(run.learner)
    about |= {} if weights is None else {"weights": weights}
    further: dict[str, Any] = {"exact": False, "count": made, "learner": about}
    bound = claim.bound * (1 + FURTHER / 2)  # least squares meet their bound, but for rounding
    certificate = run.certify(theorems[0], bound, describe_rule(played, choice.numerators) | told, **further)
    return replace(certificate, mistakes=0)


def describe_rule(played: NumberRun, numerators: Array) -> dict[str, Any]:
    """A comparator by attributes, those whose number is 0 left out; attribute -1 is the constant."""
    attributes = np.flatnonzero(played.units.places)
    numbers = numerators[played.units.places[attributes]]
    used = numbers != 0
    constant = [int(numerators[0])] if numerators[0] else []
    return {
        "attributes": [-1] * len(constant) + attributes[used].tolist(),
        "numerators": constant + numbers[used].tolist(),
    }


def list_choices(played: NumberRun, chunk: WeighedChunk) -> Iterator[NumberChoice]:
    """Comparators to try."""
    rows = scale_rows(played, chunk)
    y = played.read_labels(chunk)
    weights = chunk.weights
    if played.settings.criterion == SQUARE:
        yield NumberChoice(_round(fit_squares(rows, y, weights, played.settings.ridge)))
        return
    width = WIDTH * max(float(np.abs(y).mean()), 2.0**-800)
    yield NumberChoice(np.zeros(rows.shape[1], np.int64), 1.0, width)
    start = np.zeros(rows.shape[1])
    for times in RIDGES:
        start = fit_bent(rows, (y, weights), find_number_ridges(played, times), played, width, start)
        yield NumberChoice(_round(start), times, width)


def _round(u: Array) -> Array:
    """A comparator in whole numbers."""
    return np.clip(np.rint(u * float(1 << BITS)), -LARGEST, LARGEST).astype(np.int64)


def fit_squares(rows: Any, y: Array, weights: Array, ridge: float) -> Array:
    """The u of the least sum of c (y - u.x)^2 + ridge u^2, made better once by what it leaves."""
    from scipy.linalg import cho_factor, cho_solve

    matrix = (rows.T @ rows.multiply(weights[:, None])).toarray() + ridge * np.eye(rows.shape[1])
    factor = cho_factor(matrix)
    u = np.zeros(rows.shape[1])
    for _ in range(2):
        u += cho_solve(factor, rows.T @ (weights * (y - rows @ u)) - ridge * u)
    return u


def fit_bent(
    rows: Any, told: tuple[Array, Array], ridges: Array, played: NumberRun, width: float, start: Array
) -> Array:
    """The u of the least sum of bent losses + (sum of r_i u_i^2) / 2, from a first guess; told labels and weights."""
    from scipy.optimize import minimize

    (y, weights), known, roots = told, played.settings, np.sqrt(ridges)
    middle = 0.0
    low = -1.0
    high = 1.0
    if known.criterion == PINBALL:
        middle = known.quantile - 0.5
        low = known.quantile - 1.0
        high = known.quantile
    bend = np.full(len(y), width)
    if known.criterion == HUBER:
        bend = np.maximum(known.width * np.maximum.accumulate(np.abs(y)), 2.0**-800)

    def measure(v: Array) -> tuple[float, Array]:
        short = y - rows @ (v / roots)
        slopes = np.clip(middle + short / bend, low, high)
        losses = weights * (slopes * short - bend * (slopes - middle) ** 2 / 2)
        return float(losses.sum() + v @ v / 2), np.asarray(v - ((weights * slopes) @ rows) / roots)

    options = {"maxiter": STEPS, "maxcor": 20, "ftol": 1e-12, "gtol": 1e-9}
    return np.asarray(minimize(measure, start * roots, jac=True, method="L-BFGS-B", options=options).x / roots)
