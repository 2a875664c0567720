"""Teacher: the fewest examples from which a monotone conjunction of n variables can be told from all others.

Protocol II: an honest teacher knows the target. It shows the point that has a 1 exactly at the k relevant variables,
as a positive: whatever is 0 there is irrelevant. Then for each relevant variable it shows the point with a 0 only
there, as a negative: that variable is needed. With k = n the positive says nothing and is left out.

Theorem. min(k + 1, n) examples identify the target, and no fewer do.
Proof. For each relevant variable some example must tell the target from the target without it: a negative whose only
relevant 0 is there. These k differ. If k < n some example must also tell it from the target with an irrelevant
variable added: a positive.

>>> Teacher(4, relevant=[0, 2]).rounds
3
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.base.chunks import Instances
from littlestone.base.environment import Stream
from littlestone.base.errors import require, require_count
from littlestone.base.learner import Size


@dataclass(frozen=True)
class Conjunction:
    """The concept that all relevant variables are 1; variables are numbered from 0 and named from x1."""

    relevant: frozenset[int]

    def __call__(self, x: Any) -> bool:
        return all(x[i] == 1 for i in self.relevant)

    def __str__(self) -> str:
        return " and ".join(f"x{i + 1}" for i in sorted(self.relevant)) or "true"


class Teacher(Stream):
    """A teaching set of a monotone conjunction, the positive example first.

    Args:
        n: How many variables there are, at least 1.
        relevant: The variables of the conjunction, numbered from 0.
    """

    chooses = True

    def __init__(self, n: int, relevant: Iterable[int]) -> None:
        require_count(1, n=n)
        self.n, self._target = n, Conjunction(frozenset(relevant))
        for i in self._target.relevant:
            require(0 <= i < n, f"relevant variables must be in [0, {n}), got {i}")
        self.rounds: int = min(len(self._target.relevant) + 1, n)

    def size(self) -> Size:
        return Size(self.n)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def chunks(self) -> Iterator[Instances]:
        members = self._target.relevant
        points = [] if len(members) == self.n else [tuple(int(i in members) for i in range(self.n))]
        points += [tuple(int(i != zero) for i in range(self.n)) for zero in sorted(members)]
        yield Instances(points, np.array([self._target(x) for x in points]))

    def target(self) -> Conjunction:
        return self._target

    def __repr__(self) -> str:
        return f"Teacher({self.n}, {self._target})"
