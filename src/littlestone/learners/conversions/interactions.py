"""Interactions: hand a learner the products of up to `degree` attributes as attributes of their own.

A row over x_1..x_n becomes the row of x_i, x_i x_j (i < j), and so on. The products of one row after another are formed
in a small buffer and played from it, so the expanded data never exist. A product's number follows from the numbers of
its attributes alone, in the order x_1, x_2, x_1 x_2, x_3, x_1 x_3, x_2 x_3, ..., and stays when attributes appear; so
the inner learner needs room for all products of the attributes met, 2^28 at most. With `bits` the products share
2^bits numbers instead, below those of the attributes themselves: unequal products may then meet in one weight, and
products of one row that meet are added (are one attribute, where every value is 1).

Theorem. Every function f of n bits is a halfspace over their products of degree n, and the Perceptron makes at most

    R^2 (1 + 4 sum c(S)^2) updates,   c(S) = sum over T within S of (-1)^|S - T| f(T),

S ranging over non-empty sets of attributes, f(T) being f where exactly the bits in T are 1, and R^2 - 1 the most
products that are 1 at once. Proof. By inclusion and exclusion f(x) = f(0) + sum c(S) prod_S x; so u, with weights
2 c(S) and bias 2 f(0) - 1, has u.x = 2 f(x) - 1 = +1 or -1, a margin of 1, and |u|^2 is the bracket: Novikoff. What
else the inner learner's theorems say holds over products in place of attributes. No lower degree will do for parity.

M. Minsky and S. Papert. Perceptrons. MIT Press, 1969.

>>> from littlestone import Perceptron, Recorded, play
>>> XOR = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 12, [False, True, True, False] * 12)
>>> game = play(Interactions(Perceptron()), XOR)
>>> game.updates, game.player.state.weights, game.player.state.bias
(29, array([ 2.,  2., -5.]), array([-1.]))
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import require
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner, Size, State
from littlestone.base.theorem import Takes
from littlestone.base.traits import Promises, RowLearner, ask_bound, ask_takes
from littlestone.learners.conversions import attribute_products as products
from littlestone.learners.shared.inside import expect_rows
from littlestone.learners.shared.kernel_functions import HIGHEST_DEGREE
from littlestone.learners.shared.wrapped import WrappedScores, WrappedWitness


@final
@dataclass(frozen=True)
class Interactions(WrappedScores, WrappedWitness, Promises, RowLearner):
    """A learner over products of attributes, formed on the way and never stored.

    Args:
        learner: The learner inside, such as Perceptron().
        degree: How many attributes a product has at most, >= 1. Rows grow with this power of their length.
        bits: Hash the products to 2^bits attributes; None numbers them exactly.
    """

    learner: Learner
    degree: int = 2
    bits: int | None = None

    def __post_init__(self) -> None:
        reads = getattr(self.learner, "features", lambda: None)()
        told = f"learner must be a Learner over rows of attributes such as Perceptron(), got {self.learner!r}"
        require(isinstance(reads, Indexed), told)
        require(2 <= self.degree <= 64, f"degree must be at least 2 and at most 64, got {self.degree}")
        require(self.bits is None or 1 <= self.bits <= 30, f"bits must be None or 1 to 30, got {self.bits}")

    def number(self, *attributes: int) -> int:
        """The number by which the inner learner knows the product of these different attributes."""
        require(1 <= len(attributes) <= self.degree, f"a product has 1 to {self.degree} attributes, got {attributes}")
        return products.find_number(attributes, *self._rule())

    def expand_size(self, size: Size) -> Size:
        """The size of the game that the inner learner plays."""
        return size._replace(attributes=products.count_numbers(size.attributes, *self._rule()))

    def start(self, size: Size, seed: int = 0) -> State:
        return self.learner.start(self.expand_size(size), seed)

    def grow(self, state: State, size: Size) -> State:
        return self.learner.grow(state, self.expand_size(size))

    def rewrite(self, state: State, x: Row) -> Row:
        return self.row(x)

    def row(self, x: Row) -> Row:
        """The row of products that the inner learner sees."""
        room = min(products.count_products(x.length, self.degree), products.BLOCK)
        scratch = products.Scratch(*self._rule(), 1, x.values, room)
        scratch.fill(np.array([0, x.length]), x.indices, x.values)
        return Row(*scratch.rows(1)[1:])

    def serve(self, state: State, chunk: Chunk, guesses: Array, served: Array) -> int:
        return self.replay(state, chunk, guesses, served)

    def replay(self, state: State, chunk: Chunk, guesses: Array, served: Array | None = None) -> int:
        rows = expect_rows(self, chunk)
        scratch = products.Scratch(*self._rule(), len(rows), rows.values)
        width = products.count_numbers(rows.width, *self._rule())

        def expand(left: Examples) -> Examples:
            """The products of leading rows, as many as fit into the scratch."""
            count = scratch.fill(left.indptr, left.indices, left.values)
            return Examples(*scratch.rows(count), left.labels[:count], width, left[:count].importance)

        return self.replay_blocks(state, chunk, guesses, served, expand)

    def bound(self) -> Bound:
        """The inner learner's bound, its promise being about products."""
        return ask_bound(self.learner)

    def _rule(self) -> tuple[int, int]:
        return self.degree, self.bits or 0

    def takes(self) -> Takes:
        return ask_takes(self.learner)

    def check_state(self, state: State, size: Size) -> bool:
        return self.learner.check_state(state, self.expand_size(size))

    def is_affordable(self, room: int) -> bool:
        """Whether products of this degree may be formed for a model from a file."""
        return self.degree <= HIGHEST_DEGREE
