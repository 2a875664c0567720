"""Programs: witnesses that are solutions of linear programs, and proofs that no comparator separates.

SciPy's HiGHS solves them in floats. Whatever it returns is only a proposal: it is rounded, and measured again in whole
numbers, before a bound is computed from it.

>>> prove_inseparable(Rows.of([[1.0, 0.0], [-2.0, 0.0]]))
[2, 1]
"""

from dataclasses import replace
from fractions import Fraction
from math import gcd, inf, lcm
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.certificates.make.margins import Rows, Separator

SECONDS = 20.0  # that one program may take


def prove_inseparable(rows: Rows) -> list[int] | None:
    """Whole numbers a >= 0, not all 0, with sum a z = 0: no u has u.z > 0 on every row. None if none was found.

    A linear program finds a vertex, whose few rows leave one solution; that one is computed again in fractions.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    matrix = make_matrix(rows)
    equal = np.zeros(rows.width + 1)
    equal[-1] = 1.0
    columns = vstack((matrix.T, csr_array(np.ones((1, len(rows)))))).tocsr()
    found = linprog(np.zeros(len(rows)), A_eq=columns, b_eq=equal, method="highs-ds")
    if found.status != 0:
        return None
    return make_cancel(matrix, np.flatnonzero(found.x > 1e-9))


def make_cancel(matrix: Any, used: Array) -> list[int] | None:
    """Whole numbers >= 0, by row, by which the rows used add up to exactly 0; None if these leave no such solution."""
    rows = matrix[used]
    columns = np.unique(rows.indices)
    whole = _find_dependence(_make_whole(rows[:, columns].toarray()))
    if whole is None:
        return None
    sign = 1 if sum(whole) > 0 else -1
    if any(sign * part < 0 for part in whole):
        return None
    shared = gcd(*whole)
    counts = [0] * matrix.shape[0]
    for i, part in zip(used.tolist(), whole, strict=True):
        counts[i] = sign * part // shared
    return counts


def _make_whole(table: Array) -> list[list[int]]:
    """The rows of a table with each column times a power of two that makes it whole: they cancel as before."""
    columns = [[Fraction(value) for value in column] for column in table.T.tolist()]
    scales = [lcm(*(value.denominator for value in column)) for column in columns]
    whole = [[int(value * scale) for value in column] for column, scale in zip(columns, scales, strict=True)]
    return [list(row) for row in zip(*whole, strict=True)] if whole else [[] for _ in range(len(table))]


def _find_dependence(vectors: list[list[int]]) -> list[int] | None:
    """Whole numbers, not all 0, by which the vectors add up to 0; None if they are independent.

    Behind each vector stands by which multiples of the given ones it came about, and no step leaves whole numbers.
    """
    size = len(vectors)
    width = len(vectors[0])
    reduced: list[tuple[int, list[int]]] = []
    for i, given in enumerate(vectors):
        vector = given + [int(i == j) for j in range(size)]
        for pivot, row in reduced:
            if factor := vector[pivot]:
                lead = row[pivot]
                vector = [lead * a - factor * b for a, b in zip(vector, row, strict=True)]
        shared = gcd(*vector)
        vector = [a // shared for a in vector] if shared > 1 else vector
        pivot = next((j for j in range(width) if vector[j]), -1)
        if pivot < 0:
            return vector[width:]
        reduced.append((pivot, vector))
    return None


def find_cheapest_target(promotions: Rows, demotions: Rows, ceiling: float, loss: float = inf) -> Array | None:
    """The m >= 0 of least sum with m.x >= 1 on promotions and m.x <= ceiling on demotions (Winnow); None if none.

    With a finite `loss` each unit by which a row falls short costs so much, and there always is one, unless the time
    that is granted runs out.
    """
    from scipy.sparse import csr_array, eye_array, hstack, vstack

    require(0 <= ceiling < 1, f"ceiling must be in [0, 1), got {ceiling}")
    left = vstack((-make_matrix(promotions), make_matrix(demotions)))
    limits = np.concatenate((-np.ones(len(promotions)), np.full(len(demotions), ceiling)))
    goal = np.ones(promotions.width)
    if loss < inf:
        left = hstack((left, -eye_array(left.shape[0])))
        goal = np.concatenate((goal, loss * promotions.copies, loss * demotions.copies))
    found = solve(goal, csr_array(left), limits, [(0, None)] * len(goal))
    return None if found is None else np.maximum(found[: promotions.width], 0.0)


def find_widest_target(rows: Rows) -> Separator:
    """The u with |u_1| + ... + |u_n| <= 1 and the largest smallest u.z (Balanced Winnow); `limit` is its own word.

    If the time that is granted runs out, it is u = 0.
    """
    found = _solve_in_ball(rows, np.ones((len(rows), 1)), 0.0, [-1.0], None)  # g - u.z <= 0
    if found is None:
        return Separator(np.zeros(rows.width), 0.0, inf)
    u = _subtract_halves(found, rows.width)
    return Separator(u, float(rows.multiply(u).min(initial=inf)), float(found[-1]))


def find_closest_target(rows: Rows, margin: float) -> Array | None:
    """The u with |u_1| + ... + |u_n| <= 1 whose shortfalls (margin - u.z)+ have the least sum; None: no time."""
    from scipy.sparse import eye_array

    found = _solve_in_ball(rows, -eye_array(len(rows)), -margin, rows.copies, 0.0)
    return None if found is None else _subtract_halves(found, rows.width)


def _solve_in_ball(rows: Rows, further: Any, limit: float, costs: Any, least: float | None) -> Array | None:
    """Solve for u = p - q in the unit ball of the sum of sizes, and further variables, which alone have costs.

    -u.z plus the `further` variables of each row is at most `limit`, and they are no less than `least`.
    """
    from scipy.sparse import csr_array, hstack, vstack

    matrix = make_matrix(rows)
    many = len(costs)
    left = hstack((-matrix, matrix, csr_array(further)))
    budget = csr_array(np.concatenate((np.ones(2 * rows.width), np.zeros(many)))[None, :])
    goal = np.concatenate((np.zeros(2 * rows.width), costs))
    limits = np.append(np.full(len(rows), limit), 1.0)
    bounds = [(0.0, None)] * (2 * rows.width) + [(least, None)] * many
    return solve(goal, csr_array(vstack((left, budget))), limits, bounds)


def _subtract_halves(found: Array, width: int) -> Array:
    return np.asarray(found[:width] - found[width : 2 * width])


def merge_equal_rows(rows: Rows) -> Rows:
    """Each different row once, its copies added up."""
    places: dict[bytes, int] = {}
    kept = list[int]()
    copies = list[float]()
    for t in range(len(rows)):
        part = slice(rows.indptr[t], rows.indptr[t + 1])
        place = places.setdefault(rows.indices[part].tobytes() + rows.values[part].tobytes(), len(places))
        if place == len(copies):
            kept.append(t)
            copies.append(0.0)
        copies[place] += rows.copies[t]
    return replace(rows.select(np.array(kept, np.int64)), copies=np.array(copies))


def make_matrix(rows: Rows) -> Any:
    """The rows as a sparse matrix of SciPy."""
    from scipy.sparse import csr_array

    return csr_array((rows.values, rows.indices, rows.indptr), shape=(len(rows), rows.width))


def solve(goal: Array, left: Any, limits: Array, bounds: Any) -> Array | None:
    """What minimises goal.x where left x <= limits, or what was best when time ran out; None where nothing is known."""
    from scipy.optimize import linprog

    found = linprog(goal, A_ub=left, b_ub=limits, bounds=bounds, method="highs", options={"time_limit": SECONDS})
    return None if found.x is None or found.status in (2, 3) else np.asarray(found.x)


def find_cover(promotions: Rows, demotions: Rows, first: tuple[int, ...] = ()) -> Array | None:
    """Columns of which every promotion has one and no demotion any, few by greed, those named first preferred."""
    allowed = np.bincount(demotions.indices, minlength=demotions.width) == 0
    chosen = np.zeros(promotions.width, bool)
    matrix = make_matrix(promotions) != 0
    for column in first:
        chosen[column] = allowed[column]
    need = (matrix @ chosen.astype(np.float64)) == 0
    while need.any():
        gains = (matrix.T @ need.astype(np.float64)) * allowed
        best = int(gains.argmax()) if len(gains) else 0
        if len(gains) == 0 or gains[best] == 0:
            return None
        chosen[best] = True
        need &= (matrix[:, [best]].toarray().ravel()) == 0
    return chosen
