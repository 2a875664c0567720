"""Greedy set cover: a cover that is nearly as small as the smallest, which is NP-hard to find.

Always take the set that covers most of what is not covered yet, the first one on a tie.

Theorem. If the largest set has d elements and the smallest cover of the m elements has k sets, the greedy one has

    at most k (1 + 1/2 + ... + 1/d) <= k (1 + ln m).

Proof. Share the price 1 of a chosen set among the elements it newly covers. Of any set of the smallest cover, when j
of its elements are still uncovered the chosen set covers at least j, so the next to be covered pays at most 1/j;
the whole set pays at most 1 + 1/2 + ... + 1/d, and everything that was paid is paid in one of the k sets.

V. Chvatal. A greedy heuristic for the set-covering problem. Mathematics of Operations Research 4:233-235, 1979.

>>> from scipy.sparse import csr_matrix
>>> elements = csr_matrix([[1, 0, 1], [1, 1, 0], [0, 1, 0]])
>>> find_greedy_cover(elements, np.array([1, 1, 1]), np.zeros(3)).chosen
(0, 1)
"""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import NotRealizable
from littlestone.base.exact_numbers import harmonic

EXACT = 2**13  # elements of a set beyond which the exact factor would be too long to write down


class Cover(NamedTuple):
    """Sets in the order they were chosen, at most `factor` times as many as needed; every cover has `at_least` sets."""

    chosen: tuple[int, ...]
    factor: Fraction
    at_least: int


def find_greedy_cover(elements: Any, columns: Array, complements: Array) -> Cover:
    """Cover the rows of a 0/1 CSR matrix by the columns, and the complements of columns, that are allowed.

    Column j counts as chosen under the number j, its complement under ~j.
    """
    need = np.ones(elements.shape[0])
    chosen: list[int] = []
    largest = 1
    while need.any():
        inside = elements.T @ need
        gains = np.concatenate((inside * (columns != 0), (need.sum() - inside) * (complements != 0)))
        best = int(gains.argmax()) if len(gains) else 0
        if len(gains) == 0 or gains[best] == 0:
            raise NotRealizable(f"{int(need.sum())} of the {len(need)} elements are in none of the sets")
        if not chosen:
            largest = int(gains[best])
        complement, j = divmod(best, len(columns))
        has = elements[:, [j]].toarray().ravel() != 0
        need[~has if complement else has] = 0
        chosen.append(~j if complement else j)
    factor = harmonic(largest) if largest <= EXACT else round_up(1 + math.log(largest))
    fewest = max(math.ceil(len(chosen) / factor), math.ceil(Fraction(len(need), largest)))
    return Cover(tuple(chosen), factor, fewest)
