"""Ellipsoid: what its theorem says about a run; the witness is that of Novikoff, a vector and its margin."""

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import StepRule
from littlestone.certificates.make.additive import StepRun
from littlestone.certificates.make.margins import find_separator
from littlestone.certificates.make.steps import TracedRun, round_dyadic


def make(run: TracedRun) -> Certificate:
    """The bound that the separator of the updates gives; none is given where no vector separates them."""
    learner: Any = run.learner
    taken = StepRun.of(run.steps, StepRule(learner.bias, exact=False), np.float64)
    attributes = len(run.state.weights)
    updates = len(run.steps.rounds)
    u = round_dyadic(find_separator(taken.vectors.rows, run.sweeps).vector)
    facts = taken.measure(u, None)
    bound = 0
    lost = f"no vector was found that separates the {updates} updates: the ellipsoid needs one"
    require(facts.margin > 0 or updates == 0, lost, NotCertified)
    if updates:
        ratio = Fraction(float(facts.norm * facts.reach) ** 0.5 * (1 + 2.0**-40))
        bound = floor(learner.bound(attributes, facts.margin, ratio).value)
    (theorem,) = learner.theorems()
    witness = {"exponent": u.exponent, **taken.vectors.describe(u), "margin": float(facts.margin)}
    about = {"attributes": attributes}  # also where the learner was not told how many
    return run.certify(theorem, bound, witness, exact=False, learner=about)
