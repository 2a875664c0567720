"""DecisionLists: attributes are asked in some order, and the first that is 1 gives its label.

A list over n bits is an order of the attributes, a label for each, and a label for the row in which none is 1. There
are n! 2^(n+1) of them: the lowest bit of a concept's number is that last label, the n bits above it are the labels of
the attributes, the lowest for x1, and what is left is the order: its digits, of base n, n - 1, ..., 1 from the lowest,
say how many of the attributes not asked yet are passed over. Lists that differ where it never matters are concepts of
their own with equal labels.

Every decision list is a linear rule, with weights that grow like powers of 2 from the last attribute asked to the
first. For *odd-max-bit*, the list that asks xn first and gives odd attributes the label 1, weights must grow
exponentially (`OddMaxBit`).

R. L. Rivest. Learning decision lists. Machine Learning 2:229-246, 1987 (there with conjunctions as questions).

>>> lists = DecisionLists(3)
>>> odd = lists.index([2, 1, 0], [1, 0, 1])
>>> lists.size, lists.name(odd), lists.concept(odd)((1, 1, 0))
(96, 'x3: 1, x2: 0, x1: 1, else 0', False)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import rule
from littlestone.concepts.concept import BitClass
from littlestone.concepts.packed import Packed, compile_by_concept


@rule
def ask_in_order(concept: int, code: Array) -> Any:
    """The label that a list gives; `code` has a 1 for each attribute that is 1."""
    n = code.size
    labels = concept >> 1
    order = concept >> (n + 1)
    asked = 0
    for k in range(n):
        passed = order % (n - k)
        place = 0
        order = order // (n - k)
        while (asked >> place) & 1 or passed > 0:
            if not (asked >> place) & 1:
                passed -= 1
            place += 1
        if code[place]:
            return (labels >> place) & 1 == 1
        asked |= 1 << place
    return concept & 1 == 1


@final
@dataclass(frozen=True)
class DecisionLists(BitClass, Packed):
    """The n! 2^(n+1) lists that ask n bits in some order whether they are 1.

    Args:
        n: The number of bits, >= 0. Eleven have more lists than a version space holds.
    """

    n: int
    sweeps = compile_by_concept(ask_in_order)

    def __post_init__(self) -> None:
        require(self.n >= 0, f"n must be at least 0, got {self.n}")

    @property
    def size(self) -> int:
        return factorial(self.n) << (self.n + 1)

    def encode(self, x: tuple[int, ...]) -> Array:
        return np.array(x, np.int64)

    def label(self, index: int, x: tuple[int, ...]) -> int:
        return next((index >> (i + 1) & 1 for i in self.order(index) if x[i]), index & 1)

    def index(self, order: Sequence[int], labels: Sequence[int], otherwise: int = 0) -> int:
        """Find the number of a list.

        Args:
            order: The attributes, counted from 0, as they are asked.
            labels: The label of each attribute, that of x1 first.
            otherwise: The label of the row in which no attribute is 1.
        """
        right = sorted(order) == list(range(self.n)) and len(labels) == self.n and {*labels, otherwise} <= {0, 1}
        require(right, f"a list of {self} has an order of {self.n} attributes and as many labels, each 0 or 1")
        left = list(range(self.n))
        rank = 0
        unit = 1
        for attribute in order:
            rank += left.index(attribute) * unit
            unit *= len(left)
            left.remove(attribute)
        return (rank << (self.n + 1)) + sum(int(label) << 1 + i for i, label in enumerate(labels)) + int(otherwise)

    def order(self, index: int) -> list[int]:
        """List the attributes of a list, counted from 0, as they are asked."""
        rank = index >> (self.n + 1)
        left = list(range(self.n))
        found = list[int]()
        while left:
            rank, passed = divmod(rank, len(left))
            found.append(left.pop(passed))
        return found

    def name(self, index: int) -> str:
        asked = [f"x{i + 1}: {index >> (i + 1) & 1}, " for i in self.order(index)]
        return f"{''.join(asked)}else {index & 1}" if asked else f"{index & 1}"

    def is_affordable(self, room: int) -> bool:
        return self.n <= 64
