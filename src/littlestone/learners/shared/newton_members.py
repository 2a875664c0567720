"""Newton members: the second-order part of learners for logistic loss, in units of the largest sizes.

Each member of each unit keeps the inverse P of its matrix A = ridge I + kappa times the sum of p (1 - p) x x', and its
centre P b. P stays symmetric to the bit: what is taken from it is the product of one vector with itself.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.compiled import exponential, in_plain_python, long_rule, rule
from littlestone.learners.shared.scale_free import NEW, sum_in_order

STEPS = 60  # of the search for a score, which halves an interval wherever Newton's step would leave it


class Newton(NamedTuple):
    """The Newton members of all units, one after another, with P x of the row at hand beside each."""

    centres: Any
    matrices: Any
    along: Any


@rule
def solve_score(ahead: Any, spread: Any) -> Any:
    """The root of s = ahead - (spread / 2) tanh(s / 2), which lies between 0 and `ahead`."""
    low = min(ahead, 0.0)
    high = max(ahead, 0.0)
    s = ahead
    for _ in range(STEPS):
        rest = exponential(-abs(s))
        size = (1.0 - rest) / (1.0 + rest)
        tanh = size if s >= 0 else -size
        excess = s - ahead + 0.5 * spread * tanh
        low, high = (low, s) if excess > 0 else (s, high)
        nearer = s - excess / (1.0 + 0.25 * spread * (1.0 - tanh * tanh))
        if not low < nearer < high:
            nearer = 0.5 * (low + high)
        if excess == 0 or abs(nearer - s) <= 2e-16 * abs(s):
            break
        s = nearer
    return s


def look_ahead_arrays(newton: Any, own: Any, met: Any, reading: Any, count: Any, ridge: Any) -> Any:
    """The same as `look_ahead`, on whole arrays."""
    rows = reading.rows[:count]
    values = reading.values[:count]
    known = rows < NEW
    met_rows = rows[known]
    met_values = values[known]
    ahead = sum_in_order(newton.centres[own, met_rows] * met_values)
    along = newton.along[own, :met]
    along[:] = sum_in_order(met_values[:, None] * newton.matrices[own, met_rows, :met])
    sides = values * (1.0 / ridge)
    sides[known] = along[met_rows]
    return float(ahead), max(float(sum_in_order(values * sides)), 0.0)


@in_plain_python(look_ahead_arrays)
@long_rule
def look_ahead(newton: Any, own: Any, met: Any, reading: Any, count: Any, ridge: Any) -> Any:
    """What a member expects of a row, and how unsure it is of that; P x is written beside it.

    Returns:
        ahead: The product of its centre and x.
        spread: x'P x. An attribute that is not met yet has only its ridge.
    """
    centres, matrices, along = newton
    ahead = 0.0
    spread = 0.0
    for i in range(met):
        along[own, i] = 0.0
    for j in range(count):
        row = reading.rows[j]
        value = reading.values[j]
        if row < NEW:
            ahead += centres[own, row] * value
            for i in range(met):
                along[own, i] += value * matrices[own, row, i]
    for j in range(count):
        row = reading.rows[j]
        value = reading.values[j]
        spread += value * (along[own, row] if row < NEW else value * (1.0 / ridge))
    return ahead, max(spread, 0.0)


def rescale_arrays(newton: Any, own: Any, met: Any, row: Any, shrink: Any, ridge: Any) -> Any:
    """The same as `rescale`, on whole arrays."""
    centre = newton.centres[own, :met]
    matrix = newton.matrices[own, :met, :met]
    along = newton.along[own, :met]
    more = ridge * (1.0 - shrink * shrink)
    kept = matrix[row, row]
    share = centre[row]
    below = shrink * shrink + more * kept
    root = np.sqrt(more / below)
    along[:] = root * matrix[row]
    centre -= along * (root * share)
    matrix -= along[:, None] * along
    matrix[row] = matrix[:, row] = along / root * (shrink / below)
    matrix[row, row], centre[row] = kept / below, share * (shrink / below)


@in_plain_python(rescale_arrays)
@long_rule
def rescale(newton: Any, own: Any, met: Any, row: Any, shrink: Any, ridge: Any) -> Any:
    """Put an attribute into units of its new largest size, `shrink` being the old over the new, and let its ridge grow.

    P and the centre become those of A + ridge (1 - shrink^2) e e' in the new units.
    """
    centres, matrices, along = newton
    more = ridge * (1.0 - shrink * shrink)
    kept = matrices[own, row, row]
    share = centres[own, row]
    below = shrink * shrink + more * kept
    root = np.sqrt(more / below)
    for i in range(met):
        along[own, i] = root * matrices[own, row, i]
    for i in range(met):
        centres[own, i] -= along[own, i] * (root * share)
        for k in range(met):
            matrices[own, i, k] -= along[own, i] * along[own, k]
    for i in range(met):
        matrices[own, row, i] = matrices[own, i, row] = along[own, i] / root * (shrink / below)
    matrices[own, row, row], centres[own, row] = kept / below, share * (shrink / below)


def step_arrays(newton: Any, own: Any, met: Any, step: Any, taken: Any) -> Any:
    """The same as `step_along`, on whole arrays."""
    matrix = newton.matrices[own, :met, :met]
    along = newton.along[own, :met]
    newton.centres[own, :met] += step * along
    along *= np.sqrt(taken)
    moved = along != 0
    if moved.all():
        matrix -= along[:, None] * along
    else:  # what is less by zero stays as it is, a zero with its sign
        matrix[moved] -= along[moved, None] * along


@in_plain_python(step_arrays)
@long_rule
def step_along(newton: Any, own: Any, met: Any, step: Any, taken: Any) -> Any:
    """Move a member's centre by `step` along P x, which is beside it, and take `taken` times (P x)(P x)' from P."""
    centres, matrices, along = newton
    root = np.sqrt(taken)
    for i in range(met):
        centres[own, i] += step * along[own, i]
        along[own, i] *= root
    for i in range(met):
        part = along[own, i]
        if part != 0:
            for k in range(met):
                matrices[own, i, k] -= part * along[own, k]


def copy_arrays(centres: Any, matrices: Any, out: Any) -> Any:
    """The same as `copy_newton`, on whole arrays."""
    out.centres[:], out.matrices[:] = centres, matrices


@in_plain_python(copy_arrays)
@long_rule
def copy_newton(centres: Any, matrices: Any, out: Any) -> Any:
    """Copy the Newton members of all units."""
    for own in range(out.centres.shape[0]):
        for i in range(out.centres.shape[1]):
            out.centres[own, i] = centres[own, i]
            for k in range(out.centres.shape[1]):
                out.matrices[own, i, k] = matrices[own, i, k]
