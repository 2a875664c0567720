"""Forgetron: the comparator that its theorem gives the smallest bound with, among sums of kernels at its updates."""

from math import floor
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import StepRule
from littlestone.certificates.check.forgetron import LARGEST, allow_updates, compute_kernels
from littlestone.certificates.make.kernel import descend
from littlestone.certificates.make.steps import StepVectors, TracedRun, round_dyadic


def make(run: TracedRun) -> Certificate:
    """The smallest bound found: |u|^2 weighs 1 + D against twice the hinge loss."""
    learner: Any = run.learner
    state: Any = run.state
    updates, (theorem,) = len(run.steps.rounds), run.list_theorems()
    require(updates <= LARGEST, f"a Forgetron is certified up to {LARGEST} updates, got {updates}", NotCertified)
    vectors = StepVectors.of(run.steps, StepRule(0.0), 0.0)
    signs = np.where(run.steps.classes > 0, 1.0, -1.0)
    rows = np.zeros((updates, vectors.rows.width))
    places = np.repeat(np.arange(updates), np.diff(vectors.rows.indptr))
    rows[places, vectors.rows.indices] = vectors.rows.values * signs[places]
    kernels = compute_kernels(rows, signs, float(learner.width))
    forgotten, shrunk = state.sums.tolist()
    found = [round_dyadic(descend(kernels, cap, 0.0)) for cap in (1.0 / (1.0 + shrunk), np.inf)]
    best = min(found, key=lambda one: allow_updates(kernels, one.floats, forgotten, shrunk))
    bound = floor(allow_updates(kernels, best.floats, forgotten, shrunk))
    witness = {"exponent": best.exponent, "numerators": best.numerators.tolist()}
    return run.certify(theorem, bound, witness | {"forgotten": forgotten, "shrunk": shrunk}, exact=False)
