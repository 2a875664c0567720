"""Programs: witnesses that are solutions of linear programs, and proofs that no comparator separates.

SciPy's HiGHS solves them in floats. Whatever it returns is only a proposal: it is rounded, and measured again in whole
numbers, before a bound is computed from it.

>>> inseparable(Rows.of([[1.0, 0.0], [-2.0, 0.0]]))
[2, 1]
"""

from fractions import Fraction
from math import gcd, inf, lcm
from typing import Any

import numpy as np

from littlestone.certificates.witness import Rows, Separator
from littlestone.errors import require
from littlestone.examples import Array


def inseparable(rows: Rows) -> list[int] | None:
    """Whole numbers a >= 0, not all 0, with sum a z = 0: no u has u.z > 0 on every row. None if none was found.

    A linear program finds a vertex, whose few rows leave one solution; that one is computed again in fractions.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    matrix = csr_array((rows.values, rows.indices, rows.indptr), shape=(len(rows), rows.width))
    equal = np.zeros(rows.width + 1)
    equal[-1] = 1.0
    columns = csr_array(np.vstack((matrix.toarray().T, np.ones(len(rows)))))
    found = linprog(np.zeros(len(rows)), A_eq=columns, b_eq=equal, method="highs-ds")
    if found.status != 0:
        return None
    used = np.flatnonzero(found.x > 1e-9)
    kernel_vector = _dependence([[Fraction(v) for v in row] for row in matrix[used].toarray().tolist()])
    if kernel_vector is None:
        return None
    scale = lcm(*(part.denominator for part in kernel_vector))
    whole = [int(part * scale) for part in kernel_vector]
    sign = 1 if sum(whole) > 0 else -1
    if any(sign * part < 0 for part in whole):
        return None
    shared = gcd(*whole)
    counts = [0] * len(rows)
    for i, part in zip(used.tolist(), whole, strict=True):
        counts[i] = sign * part // shared
    return counts


def _dependence(vectors: list[list[Fraction]]) -> list[Fraction] | None:
    """Coefficients, not all 0, of a linear combination of the vectors that is 0; None if they are independent."""
    size = len(vectors)
    reduced: list[tuple[int, list[Fraction], list[Fraction]]] = []
    for i, vector in enumerate(vectors):
        vector, makeup = list(vector), [Fraction(int(i == j)) for j in range(size)]
        for pivot, row, parts in reduced:
            factor = vector[pivot] / row[pivot]
            if factor:
                vector = [a - factor * b for a, b in zip(vector, row, strict=True)]
                makeup = [a - factor * b for a, b in zip(makeup, parts, strict=True)]
        pivot = next((j for j, entry in enumerate(vector) if entry), -1)
        if pivot < 0:
            return makeup
        reduced.append((pivot, vector, makeup))
    return None


def cheapest_target(promotions: Rows, demotions: Rows, ceiling: float) -> Array | None:
    """The m >= 0 of least sum with m.x >= 1 on promotions and m.x <= ceiling on demotions (Winnow); None if none."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    require(0 <= ceiling < 1, f"ceiling must be in [0, 1), got {ceiling}")
    up, down = (csr_array((r.values, r.indices, r.indptr), shape=(len(r), r.width)) for r in (promotions, demotions))
    limits = np.concatenate((-np.ones(len(promotions)), np.full(len(demotions), ceiling)))
    found = linprog(np.ones(promotions.width), A_ub=vstack((-up, down)), b_ub=limits, method="highs")
    return np.maximum(found.x, 0.0) if found.status == 0 else None


def widest_target(rows: Rows) -> Separator:
    """The u with |u_1| + ... + |u_n| <= 1 and the largest smallest u.z (Balanced Winnow); `limit` is its own word."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    matrix = csr_array((rows.values, rows.indices, rows.indptr), shape=(len(rows), rows.width))
    left = hstack((-matrix, matrix, csr_array(np.ones((len(rows), 1))))).tocsr()  # g - u.z <= 0, u = p - q
    budget = np.concatenate((np.ones(2 * rows.width), [0.0]))[None, :]
    goal = np.concatenate((np.zeros(2 * rows.width), [-1.0]))
    sides = {"A_ub": _stacked(left, budget), "b_ub": np.concatenate((np.zeros(len(rows)), [1.0]))}
    found = linprog(goal, bounds=[(0, None)] * (2 * rows.width) + [(None, None)], method="highs", **sides)
    require(found.status == 0, f"the linear program failed: {found.message}")
    u = found.x[: rows.width] - found.x[rows.width : -1]
    return Separator(u, float(rows.products(u).min(initial=inf)), float(found.x[-1]))


def _stacked(upper: Any, lower: Any) -> Any:
    from scipy.sparse import csr_array, vstack

    return vstack((upper, csr_array(lower))).tocsr()
