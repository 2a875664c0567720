"""What floors are proved with: pairs of contradictory rows, a linear rule with few mistakes, and dual shares.

All that is found here in floats is measured again by `certificates/check/floors.py` before anything is claimed of it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.make.linear_programs import make_matrix
from littlestone.certificates.make.losses import fit_logistic
from littlestone.certificates.make.margins import Rows, find_separator

RIDGES = (2.0**-3, 2.0**-8, 2.0**-13)  # of logistic regressions, one after another
# of a piece of a regression, and how many pieces it has at most
STEPS = 100
TIMES = 5
SWEEPS = 48
DENSE = 1000  # columns of a matrix that is solved for

TimeLeft = Callable[[], float]


class Contradictions(NamedTuple):
    """Rounds with one x and both labels, in pairs, and those that are in none."""

    pairs: list[tuple[int, int]]
    unpaired: Array
    common: Array  # rounds whose label is the commoner one of their x


def pair_contradictions(rows: Rows) -> Contradictions:
    """Pair rows of both labels; column 0 of a row is the constant attribute with the sign of its label."""
    groups: dict[bytes, tuple[list[int], list[int]]] = {}
    for t in range(len(rows)):
        span = slice(rows.indptr[t], rows.indptr[t + 1])
        values = rows.values[span]
        plain = values if values[0] > 0 else -values
        groups.setdefault(rows.indices[span].tobytes() + plain.tobytes(), ([], []))[int(values[0] > 0)].append(t)
    pairs = list[tuple[int, int]]()
    unpaired = list[int]()
    common = list[int]()
    for sides in groups.values():
        few, many = sorted(sides, key=len)
        pairs += zip(few, many, strict=False)
        unpaired += many[len(few) :]
        common += many
    return Contradictions(pairs, np.array(sorted(unpaired), np.int64), np.array(sorted(common), np.int64))


def scale_columns(rows: Rows) -> tuple[Rows, Array]:
    """The rows with every column's largest size in [1/2, 1), which cancel as before, and the powers of two it takes."""
    largest = np.zeros(rows.width)
    np.maximum.at(largest, rows.indices, np.abs(rows.values))
    exponents = np.frexp(largest)[1]
    return replace(rows, values=np.ldexp(rows.values, -exponents[rows.indices])), exponents


def count_wrong(rows: Rows, u: Array) -> int:
    """On how many rows u.z <= 0, in floats."""
    return int(np.count_nonzero(rows.multiply(u) <= 0))


def find_rule(rows: Rows, common: Array, time_left: TimeLeft) -> Array:
    """A u with u.z <= 0 on few rows: one label throughout, a separator of the `common` rows, or a regression."""
    best = np.zeros(rows.width)
    best[0] = 1.0 if rows.values[rows.indptr[:-1]].sum() > 0 else -1.0
    separator = find_separator(rows.select(common), SWEEPS)
    if separator.margin > 0:
        return separator.vector
    matrix = make_matrix(rows)
    signs = np.ones(len(rows))
    u = np.zeros(rows.width)
    least = count_wrong(rows, best)
    for ridge in RIDGES:
        for _ in range(TIMES):
            if time_left() <= 0:
                return best
            last = u
            u = fit_logistic(matrix, signs, np.full(rows.width, ridge), u, STEPS)
            if (wrong := count_wrong(rows, u)) < least:
                best = u
                least = wrong
            if np.abs(u - last).max() <= 1e-3 * np.abs(u).max():
                break
    return best


def close_gap(rows: Rows, sets: list[dict[int, int]], u: Array) -> Array:
    """A u that errs on one row of each set only, if it is found by leaving out those that u agrees least with."""
    agreements, kept = rows.multiply(u), np.ones(len(rows), bool)
    for one in sets:
        kept[min(one, key=lambda t: float(agreements[t]))] = False
    other = find_separator(rows.select(np.flatnonzero(kept)), SWEEPS).vector
    return other if count_wrong(rows, other) < count_wrong(rows, u) else u


def find_logistic_shares(rows: Rows, time_left: TimeLeft) -> tuple[Array, Array]:
    """A u with nearly the least log-loss, and the share 1 / (1 + e^(u.z)) of each row, whose sum of a z is short."""
    matrix = make_matrix(rows)
    signs = np.ones(len(rows))
    u = np.zeros(rows.width)
    for ridge in RIDGES:
        for _ in range(TIMES):
            if time_left() > 0:
                last = u
                u = fit_logistic(matrix, signs, np.full(rows.width, ridge), u, STEPS)
                if np.abs(u - last).max() <= 1e-3 * np.abs(u).max():
                    break
    for _ in range(TIMES if rows.width <= DENSE else 0):  # Newton's steps make the sum of a z shorter
        shares = _find_shares(rows, u)
        curvature = (matrix.T @ (matrix * (shares * (1 - shares))[:, None])).toarray()
        if time_left() > 0:
            u = u + np.linalg.solve(curvature + RIDGES[-1] * np.eye(rows.width), shares @ matrix - RIDGES[-1] * u)
    return u, _find_shares(rows, u)


def _find_shares(rows: Rows, u: Array) -> Array:
    return np.exp(-np.logaddexp(0.0, rows.multiply(u)))


def find_hinge_shares(rows: Rows, time_left: TimeLeft) -> tuple[Array, Array]:
    """A u of the least hinge loss, and shares from 0 to 1 of the rows with sum a z = 0, by a linear program.

    Without the time for it they are all 0, which is true and says nothing.
    """
    from scipy.optimize import linprog

    found = linprog(
        -np.ones(len(rows)),
        A_eq=make_matrix(rows).T.tocsc(),
        b_eq=np.zeros(rows.width),
        bounds=(0, 1),
        method="highs-ds",
        options={"time_limit": max(time_left(), 0.01)},
    )
    if found.status != 0:
        return np.zeros(rows.width), np.zeros(len(rows))
    return -np.asarray(found.eqlin.marginals), np.asarray(found.x)
