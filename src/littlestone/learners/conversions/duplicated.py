"""Duplicated: give every attribute its negation, so that a learner of ORs learns ORs with negations.

A row over n attributes, each 0 or 1, becomes one over 2n: number 2i is x_i, number 2i + 1 is 1 - x_i, and exactly n of
them are 1. They are formed in a small buffer and played from it, so the doubled data never exist; a round costs n steps
however sparse the row. As an attribute that was never met is a negation that was always 1, n must be known from the
start: `attributes`, or what the game declares.

Theorem. What the inner learner's theorem says of 2n attributes holds. If each label is the OR of k literals, each an
attribute or its negation, then Winnow with threshold 2n makes

    mistakes <= 3 k ceil(lg 2n) + 1.

Proof. Over the doubled row a literal is an attribute, and the OR of literals an OR of attributes.

N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2:285-318, 1988.

>>> from littlestone import Winnow
>>> Duplicated(Winnow()).bound(attributes=50, relevant=5).mistakes
106
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, require
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner, Size, State
from littlestone.base.traits import Keyed, Promises, ask_bound, ask_key
from littlestone.compiled import kernel, read_attribute, read_value
from littlestone.learners.shared.wrapped import WrappedScores, WrappedWitness

BLOCK = 2**16  # numbers formed before they are played


class Doubled(NamedTuple):
    """The inner learner's state, and in `attributes` how many there are before doubling."""

    inner: State
    attributes: Array


@kernel
def double(indptr: Array, indices: Any, values: Any, attributes: int, numbers: Array) -> Any:
    """Write the n numbers that are 1 in each row; how many rows, up to one that is not over n bits."""
    for t in range(indptr.size - 1):
        a = indptr[t]
        b = indptr[t + 1]
        first = t * attributes
        for i in range(attributes):
            numbers[first + i] = 2 * i + 1
        for k in range(a, b):
            at = np.int64(read_attribute(indices, k, a))
            value = read_value(values, k)
            if at >= attributes or (value != 0 and value != 1):
                return t
            if value == 1:
                numbers[first + at] = 2 * at
    return indptr.size - 1


@final
@dataclass(frozen=True)
class Duplicated(WrappedScores, WrappedWitness, Keyed, Promises):
    """A learner over attributes and their negations.

    Args:
        learner: The learner inside, over twice as many attributes, such as Winnow().
        attributes: How many attributes there are, >= 1; None: those known when the game starts.
    """

    learner: Learner
    attributes: int | None = None

    def __post_init__(self) -> None:
        reads = getattr(self.learner, "features", lambda: None)()
        told = f"learner must be a Learner over rows of attributes such as Winnow(), got {self.learner!r}"
        require(isinstance(reads, Indexed), told)
        given = self.attributes is None or 1 <= self.attributes < 2**30
        require(given, f"attributes must be None (those known at the start) or 1 to 2^30, got {self.attributes}")

    def start(self, size: Size, seed: int = 0) -> Doubled:
        n = size.attributes if self.attributes is None else self.attributes
        require(n >= 1, "negations are of attributes known from the start: say Duplicated(learner, attributes=...)")
        return Doubled(self.learner.start(size._replace(attributes=2 * n), seed), np.array([n]))

    def unwrap(self, state: Doubled) -> State:
        return state.inner

    def rewrite(self, state: Doubled, x: Row) -> Row:
        return self.row(state, x)

    def row(self, state: Doubled, x: Row) -> Row:
        """The row that the inner learner sees, of attributes (even) and negations (odd)."""
        n = _count_attributes(state)
        numbers = np.empty(n, np.int32)
        if not double(np.array([0, x.length]), x.indices, x.values, n, numbers):
            self._refuse(state, x)
        return Row(numbers, None)

    def grow(self, state: Doubled, size: Size) -> Doubled:
        doubled = size._replace(attributes=2 * _count_attributes(state))
        return state._replace(inner=self.learner.grow(state.inner, doubled))

    def serve(self, state: Doubled, chunk: Chunk, guesses: Array, served: Array) -> int:
        return self.replay(state, chunk, guesses, served)

    def replay(self, state: Doubled, chunk: Chunk, guesses: Array, served: Array | None = None) -> int:
        n = _count_attributes(state)
        most = min(len(chunk), max(1, BLOCK // n))
        numbers, indptr = np.empty(most * n, np.int32), np.arange(most + 1) * n

        def expand(left: Examples) -> Examples:
            """Leading rows with their negations, up to one that is not over n bits."""
            count = int(double(left.indptr[: most + 1], left.indices, left.values, n, numbers))
            if count == 0:
                self._refuse(state, left[0])
            part = left[:count]
            return Examples(indptr[: count + 1], numbers[: count * n], None, part.labels, 2 * n, part.importance)

        return self.replay_blocks(state, chunk, guesses, served, expand)

    def key(self, state: Doubled) -> Hashable:
        return ask_key(self.learner, state.inner)

    def features(self) -> Indexed:
        return Indexed(self.attributes)

    def bound(self, attributes: int | None = None, **numbers: Any) -> Bound:
        """The inner learner's bound over attributes and their negations; other numbers are handed to it."""
        n = self.attributes if attributes is None else attributes
        require(n is not None and n >= 1, f"say how many attributes there are, at least 1; got {n}")
        inner = ask_bound(self.learner, attributes=2 * (n or 0), **numbers)
        return replace(inner, promise=f"over {n} attributes and their negations: {inner.promise}")

    def _refuse(self, state: Doubled, x: Row) -> None:
        """Name what is wrong with a row."""
        n = _count_attributes(state)
        row = x.to_sparse()
        over = f"this game of Duplicated is over {n} attributes, fixed when it started; got a row with more"
        require(row.width <= n, over, BadInstance)
        assert row.values is not None
        bad = next(value for value in row.values if value not in (0, 1))
        raise BadInstance(f"negations are of attributes of value 0 or 1, got {bad:g}")


def _count_attributes(state: Doubled) -> int:
    return int(state.attributes[0])
