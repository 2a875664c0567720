"""OddMaxBit: all rows of n bits in order, labelled by whether the last attribute that is 1 has an odd number.

The rows are counted up in binary, x1 the highest bit, and come again in each pass. The target is the decision list that
asks xn first. As a linear rule it needs weights that about double from x1 to xn, so that its margin falls exponentially
in n for rows of bounded length: Novikoff's bound allows the Perceptron exponentially many updates, and on these rows it
makes them.

>>> OddMaxBit(3).rounds, str(OddMaxBit(3).target())
(8, 'x3: 1, x2: 0, x1: 1, else 0')
"""

from collections.abc import Hashable, Iterator

import numpy as np

from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import require, require_count
from littlestone.base.learner import Size
from littlestone.concepts.concept import Concept
from littlestone.concepts.decision_lists import DecisionLists

MOST = 18  # attributes: 2^18 rows a pass


class OddMaxBit(Stream):
    """All rows of n bits, once in each pass.

    Args:
        n: How many attributes, 1 to 18.
        passes: How often the rows come, at least once.
    """

    chooses = True

    def __init__(self, n: int, passes: int = 1) -> None:
        require_count(1, n=n, passes=passes)
        require(n <= MOST, f"n must be at most {MOST}, got {n}")
        self.n = n
        self.passes = passes
        self.rounds: int = passes << n

    def size(self) -> Size:
        return Size(self.n)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def chunks(self) -> Iterator[Examples]:
        numbers = np.arange(1 << self.n)
        rows = (numbers[:, None] >> np.arange(self.n)[::-1] & 1).astype(np.float64)
        last = self.n - np.argmax(rows[:, ::-1], axis=1)  # of the attributes that are 1, from 1 on
        labels = ((numbers > 0) & (last % 2 == 1)).astype(np.int32)
        for _ in range(self.passes):
            yield Examples.of(rows, labels)

    def target(self) -> Concept:
        lists = DecisionLists(self.n)
        return lists.concept(lists.index(range(self.n)[::-1], [1 - i % 2 for i in range(self.n)]))

    def __repr__(self) -> str:
        return f"OddMaxBit({self.n}, {self.passes})"
