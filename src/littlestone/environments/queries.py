"""Queries: the learner that chooses the instances itself (Protocol I of learning a conjunction).

The target is a monotone conjunction of n variables, and the learner may ask an oracle for the label of any point. The
point with a 0 at some variables and a 1 elsewhere is negative exactly when one of them is relevant.

Theorem. `identify` asks exactly n queries, and no way of asking needs fewer on every target: there are 2^n targets and
an answer has one bit. `identify_sparse` finds k relevant variables in at most k (ceil(lg n) + 1) + 1 queries.
Proof of the latter. One query tells whether any relevant variable is left; if so, halving the variables that may be it
finds one in at most ceil(lg n) more.

D. Angluin. Queries and concept learning. Machine Learning 2:319-342, 1988.

>>> oracle = Oracle(lambda x: x[2] == 1)
>>> identify(oracle, n=8), oracle.queries
(frozenset({2}), 8)
>>> oracle = Oracle(lambda x: x[2] == 1)
>>> identify_sparse(oracle, n=8), oracle.queries
(frozenset({2}), 5)
"""

from collections.abc import Callable, Sequence
from typing import Any

from littlestone.base.errors import require

Point = tuple[int, ...]


class Oracle:
    """Answers membership queries about a target and counts them, in `queries`.

    Args:
        target: A function of a point, a tuple of 0 and 1, that is true where the concept is.
    """

    def __init__(self, target: Callable[[Point], Any]) -> None:
        self._target = target
        self.queries = 0

    def __call__(self, x: Point) -> bool:
        self.queries += 1
        return bool(self._target(x))


def identify(oracle: Oracle, n: int) -> frozenset[int]:
    """The relevant variables, numbered from 0, from one query about each of the n."""
    require(n >= 0, f"n must be at least 0, got {n}")
    return frozenset(i for i in range(n) if _has_relevant(oracle, [i], n))


def identify_sparse(oracle: Oracle, n: int) -> frozenset[int]:
    """The relevant variables, numbered from 0, by group testing: few queries when few are relevant."""
    require(n >= 0, f"n must be at least 0, got {n}")
    found: set[int] = set()
    left = list(range(n))
    while left and _has_relevant(oracle, left, n):
        suspects = left
        while len(suspects) > 1:
            half = suspects[: len(suspects) // 2]
            suspects = half if _has_relevant(oracle, half, n) else suspects[len(half) :]
        found.add(suspects[0])
        left = left[left.index(suspects[0]) + 1 :]  # whatever stood before was cleared on the way
    return frozenset(found)


def _has_relevant(oracle: Oracle, variables: Sequence[int], n: int) -> bool:
    """Whether a 0 at these variables makes the point negative."""
    zeros = set(variables)
    return not oracle(tuple(int(i not in zeros) for i in range(n)))
