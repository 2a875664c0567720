"""Weighted: a comparator for a Perceptron whose rounds have weights.

With S = (sum of c^2 |x|^2) and losses D at margin 1 the theorem allows D + |u| sqrt(S), which u = 0 makes the weight of
the updates itself: true, and no news. So the comparator is the one that is best without knowing the run, by
S <= C times the largest c |x|^2; the checker then says what it gives with S itself.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.theorem import StepRule
from littlestone.certificates.make.margins import find_separator, fit_hinge_margin
from littlestone.certificates.make.steps import Steps, StepVectors, round_dyadic


def find_witness(steps: Steps, rule: StepRule, real: Any, weights: Array, sweeps: int) -> dict[str, Any]:
    """The best comparator that was found, as a witness; `weights` are those of the steps."""
    vectors = StepVectors.of(steps._replace(marks=weights), rule._replace(copies=True), float(real(rule.bias)))
    rows = vectors.rows
    reach = float((weights * rows.squares).max(initial=0.0))
    best = fit_hinge_margin(rows, reach)
    margin = 1.0
    loss = float((weights * np.maximum(0.0, 1 - rows.multiply(best))).sum())
    ratio = reach * float(best @ best)
    allowed = (np.sqrt(ratio) + np.sqrt(ratio + 4 * loss)) ** 2 / 4
    separator = find_separator(rows, sweeps, 1e-5)
    if separator.margin > 0 and reach / separator.unit_margin**2 <= allowed:
        best = separator.vector
        margin = separator.margin * (1 - 2.0**-16)
    u = round_dyadic(best)
    return {"margin": float(margin), "exponent": u.exponent} | vectors.describe(u)
