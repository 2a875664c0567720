"""Exact simplex: whether whole rows can be separated, decided without rounding.

For rows z of whole numbers it minimises, by the first phase of the simplex method, by how much

    sum a z = 0,   sum a = 1,   a >= 0

are missed. If they can be met, a proves that no vector separates the rows. If not, the dual solution is a u with
u.z > 0 on every row. Bland's rule keeps the method from going round in circles, and all entries of the tableau are
whole numbers over one denominator, the last pivot (Edmonds 1967), so that no fraction is ever reduced.

R. G. Bland. New finite pivoting rules for the simplex method. Mathematics of Operations Research 2:103-107, 1977.

>>> decide_exactly([[1, 0], [-2, 0]])
Decision(multiples=[2, 1], vector=None)
>>> decide_exactly([[1, 3], [-1, 4]])
Decision(multiples=None, vector=[1, 2])
"""

from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array

# entries of a tableau, and of all tableaus together, that are affordable
CELLS = 20_000
WORK = 2 * 10**6


class Decision(NamedTuple):
    """Either multiples >= 0, not all 0, by which the rows add up to 0, or a vector that is positive on every row."""

    multiples: list[int] | None
    vector: list[int] | None


def is_affordable(count: int, width: int) -> bool:
    """Whether the tableau of `count` rows of `width` numbers is small enough."""
    return (width + 2) * (count + width + 2) <= CELLS


def decide_exactly(rows: list[list[int]]) -> Decision | None:
    """Decide whether some vector is positive on all rows, which are of one length; None: too much to compute."""
    width = len(rows[0])
    count = len(rows)
    height = width + 1
    if not is_affordable(count, width):
        return None
    tableau: Array = np.zeros((height + 1, count + height + 1), object)
    tableau[:width, :count] = np.array(rows, object).reshape(count, width).T
    tableau[width, :count] = 1
    tableau[np.arange(height), count + np.arange(height)] = 1  # what is missed, a variable for each equation
    tableau[width, -1] = 1
    tableau[height, :count] = -tableau[:height, :count].sum(axis=0)
    tableau[height, -1] = -1
    basis = [count + i for i in range(height)]
    denominator = 1
    for _ in range(WORK // tableau.size):
        entering = next((j for j in range(count) if tableau[height, j] < 0), None)
        if entering is None:
            return _read_decision(tableau, basis, count, denominator)
        leaving = _choose_leaving(tableau, basis, entering)
        pivot = tableau[leaving, entering]
        line = tableau[leaving].copy()
        tableau = (tableau * pivot - np.outer(tableau[:, entering], line)) // denominator
        tableau[leaving] = line
        basis[leaving], denominator = entering, pivot
    return None


def _choose_leaving(tableau: Array, basis: list[int], entering: int) -> int:
    """The row of least ratio, of several the one whose variable comes first; sum a = 1 sees to it that there is one."""
    best = -1
    for i in range(len(basis)):
        if tableau[i, entering] > 0:
            if best < 0:
                best = i
                continue
            here = tableau[i, -1] * tableau[best, entering]
            there = tableau[best, -1] * tableau[i, entering]
            if here < there or (here == there and basis[i] < basis[best]):
                best = i
    return best


def _read_decision(tableau: Array, basis: list[int], count: int, denominator: int) -> Decision:
    """What an optimal tableau proves."""
    height = len(basis)
    if tableau[height, -1] == 0:
        multiples = [0] * count
        for i, variable in enumerate(basis):
            if variable < count:
                multiples[variable] = int(tableau[i, -1])
        return Decision(_shorten(multiples), None)
    vector = [int(reduced) - denominator for reduced in tableau[height, count : count + height - 1]]
    return Decision(None, _shorten(vector))


def _shorten(numbers: list[int]) -> list[int]:
    """The numbers divided by what divides them all."""
    shared = gcd(*numbers) or 1
    return [number // shared for number in numbers]


def to_whole(fractions: list[Fraction]) -> list[int]:
    """Whole numbers that are to one another as the fractions are."""
    scale = lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * scale) for fraction in fractions]
    return _shorten(whole)
