"""Packing: many sets of rows, no two with a common row, each of which cancels: whole multiples add up to 0.

Every linear rule errs on one row of each set, so each contains a row that a given good rule gets wrong: a seed. For
each seed z a linear program looks for multiples a >= 0 of the rows nearest to it with sum a z' = -z, cheap ones being
near and no seeds, so that sets stay small and eat few seeds. First few rows are tried, then more. Its solution is a
vertex, which leaves one solution in fractions; that one is made whole. Equal rows are tried once for all of them.

Sets are yielded as they are found, and all that were found make a floor whenever the search is stopped.

>>> from littlestone.certificates.make.margins import Rows
>>> xor = Rows.of([[-1, 0, 0], [1, 0, 1], [1, 1, 0], [-1, -1, -1]])
>>> [sorted(found.items()) for found in pack_sets(xor, np.ones(4, bool), lambda: 1.0)]
[[(0, 1), (1, 1), (2, 1), (3, 1)]]
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.make.linear_programs import make_cancel, make_matrix
from littlestone.certificates.make.margins import Rows

NEAREST = (30, 80, 200, 600, 2000, 9000)  # rows that are tried together with a seed, one pass after another
SEED = 100.0  # what it costs to use up another seed


class Supply:
    """The rows that are left, equal ones together, the sign of their labels taken off for distances."""

    def __init__(self, rows: Rows, wrong: Array) -> None:
        groups: dict[bytes, list[int]] = {}
        for t in range(len(rows)):
            span = slice(rows.indptr[t], rows.indptr[t + 1])
            groups.setdefault(rows.indices[span].tobytes() + rows.values[span].tobytes(), []).append(t)
        self.members = list(groups.values())
        firsts = np.array([group[0] for group in self.members], np.int64)
        self.signed = make_matrix(rows)[firsts]
        self.left = np.array([len(group) for group in self.members], np.int64)
        self.is_seed = wrong[firsts]
        signs = np.where(self.signed[:, [0]].toarray().ravel() < 0, -1.0, 1.0)
        self.plain = self.signed.multiply(signs[:, None]).tocsr()
        self.squares = np.asarray(self.plain.multiply(self.plain).sum(axis=1)).ravel()

    def measure_distances(self, one: int) -> Array:
        """How far each row that is left is from one; infinitely, if none is left of it."""
        products = self.plain @ self.plain[[one]].toarray().ravel()
        distances = np.maximum(0.0, self.squares + self.squares[one] - 2 * products)
        distances[self.left == 0] = np.inf
        distances[one] = np.inf
        return np.asarray(distances)

    def take(self, multiples: dict[int, int]) -> dict[int, int]:
        """One row of each of these kinds, with its multiple."""
        taken = {}
        for kind, copies in multiples.items():
            self.left[kind] -= 1
            taken[self.members[kind][self.left[kind]]] = copies
        return taken


def pack_sets(rows: Rows, wrong: Array, time_left: Callable[[], float]) -> Iterator[dict[int, int]]:
    """Sets that cancel, as whole multiples by row number, until time is up.

    Args:
        rows: The rows z, column 0 the constant attribute with the sign of the label; no x with both labels.
        wrong: Whether a good rule gets each wrong.
        time_left: How many seconds the search may still take.
    """
    supply = Supply(rows, wrong)
    distinct = len(supply.members)
    for place, nearest in enumerate(NEAREST):
        if place and NEAREST[place - 1] >= distinct:
            return
        for seed in np.flatnonzero(supply.is_seed).tolist():
            while supply.left[seed] > 0:
                if time_left() <= 0:
                    return
                found = _cancel(supply, seed, nearest, time_left())
                if found is None:
                    break
                yield supply.take(found)


def _cancel(supply: Supply, seed: int, nearest: int, seconds: float) -> dict[int, int] | None:
    """Multiples of a seed and of rows near to it that cancel, by kind of row; None: there are none."""
    from scipy.optimize import linprog

    distances = supply.measure_distances(seed)
    near = np.argpartition(distances, nearest - 1)[:nearest] if nearest < len(distances) else np.arange(len(distances))
    near = near[np.isfinite(distances[near])]
    matrix = supply.signed[near]
    goal = -supply.signed[[seed]].toarray().ravel()
    columns = np.unique(matrix.indices)
    if not np.isin(np.flatnonzero(goal), columns).all():
        return None
    costs = distances[near] + 1 + SEED * supply.is_seed[near]
    solved: Any = linprog(
        costs / costs.max(),
        A_eq=matrix[:, columns].T.tocsc(),
        b_eq=goal[columns],
        method="highs-ds",
        options={"time_limit": max(seconds, 0.01)},
    )
    if solved.status != 0:
        return None
    kinds = np.append(near[solved.x > 1e-9], seed)
    whole = make_cancel(supply.signed[kinds], np.arange(len(kinds)))
    return None if whole is None or not whole[-1] else {int(k): c for k, c in zip(kinds, whole, strict=True) if c}
