"""Ellipsoid: what its theorem says about a run; the witness is that of Novikoff, a vector and its margin."""

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.base.theorem import StepRule
from littlestone.certificates.make.additive import StepRun
from littlestone.certificates.make.margins import hard_margin
from littlestone.certificates.make.step_vectors import StepVectors, round_dyadic
from littlestone.certificates.make.steps import TracedRun


def make(run: TracedRun) -> Certificate:
    """The bound that the separator of the updates gives; none is given where no vector separates them."""
    learner: Any = run.learner
    rule, steps, attributes = StepRule(learner.bias, exact=False), run.steps, len(run.state.weights)
    vectors = StepVectors.of(steps, rule, float(learner.bias))
    u, squares = round_dyadic(hard_margin(vectors.rows, run.sweeps).vector), vectors.rows.squares
    facts = StepRun(vectors, rule, np.sqrt(squares), float(squares.max(initial=0.0))).facts(u, None)
    if len(steps.rounds) and facts.margin <= 0:
        raise NotCertified(
            f"no vector was found that separates the {len(steps.rounds)} updates: the ellipsoid needs one"
        )
    bound = 0
    if len(steps.rounds):
        ratio = Fraction(float(facts.norm * facts.reach) ** 0.5 * (1 + 2.0**-40))
        bound = floor(learner.bound(attributes, facts.margin, ratio).value)
    (used,) = np.nonzero(u.numerators)
    entries = {"attributes": vectors.attributes[used].tolist(), "numerators": u.numerators[used].tolist()}
    (theorem,) = learner.theorems()
    return Certificate(
        theorem=theorem.name,
        promise=theorem.promise,
        counts=theorem.counts,
        mistakes=run.tally.mistakes,
        updates=run.tally.updates,
        bound=bound,
        witness={"exponent": u.exponent} | entries | {"margin": float(facts.margin)},
        scope="sequence",
        exact=False,
        learner={"attributes": attributes},  # also where the learner was not told how many
    )
