"""Support: rows that a learner keeps, one under another, with room for more.

Arrays cannot grow inside a compiled loop, so there is always room for one more row of any length; when a row takes it,
the loop stops and the state grows. Room that was never written costs no memory.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.examples import Array, Row
from littlestone.kernel import entry, place, rule
from littlestone.learner import Size

ROWS = 16  # room for so many at first


class Support(NamedTuple):
    """Rows in CSR form with a coefficient and a squared length each; `counts` are rows kept and attributes known."""

    indptr: Array
    indices: Array
    values: Array
    coefficients: Array
    squares: Array
    counts: Array

    @property
    def rows(self) -> int:
        """How many rows are kept."""
        return int(self.counts[0])

    @property
    def crowded(self) -> bool:
        """Whether there is no room for one more row of any length."""
        free = len(self.indices) - int(self.indptr[self.rows])
        return self.rows == len(self.coefficients) or free < self.counts[1]

    def row(self, j: int) -> Row:
        """Row j."""
        a, b = self.indptr[j], self.indptr[j + 1]
        return Row(self.indices[a:b], self.values[a:b])


def empty_support(size: Size) -> Support:
    """No rows yet."""
    numbers = (np.zeros(0, np.int32), np.zeros(0, size.real), np.zeros(0), np.zeros(0))
    return roomier(Support(np.zeros(1, np.int64), *numbers, np.zeros(2, np.int64)), size)


def roomier(support: Support, size: Size) -> Support:
    """The same rows with room for as many again, and for one of any length, wherever that is short."""
    used, entries = support.rows, int(support.indptr[support.rows])
    attributes = max(size.attributes, int(support.counts[1]))
    support.counts[1] = attributes
    rows, listed = len(support.coefficients), len(support.indices)
    if used == rows:
        rows = max(ROWS, 2 * rows)
        indptr = _copied(support.indptr, used + 1, rows + 1)
        coefficients, squares = (_copied(part, used, rows) for part in (support.coefficients, support.squares))
        support = support._replace(indptr=indptr, coefficients=coefficients, squares=squares)
    if listed - entries < attributes:
        listed = max(2 * entries, entries + attributes)
        indices, values = (_copied(part, entries, listed) for part in (support.indices, support.values))
        support = support._replace(indices=indices, values=values)
    return support


def _copied(part: Array, used: int, length: int) -> Array:
    larger = np.zeros(length, part.dtype)
    larger[:used] = part[:used]
    return larger


@rule
def is_crowded(indptr: Array, indices: Array, coefficients: Array, counts: Array) -> Any:
    """Whether there is no room for one more row of any length."""
    return counts[0] == coefficients.size or indices.size - indptr[counts[0]] < counts[1]


@rule
def keep(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    counts: Array,
    coefficient: float,
    listed: Any,
    entries: Any,
    a: Any,
    b: Any,
) -> None:
    """Add entries a to b of a chunk as a row; zeros are left out."""
    j = counts[0]
    end, total = indptr[j], 0.0
    for k in range(a, b):
        value = entry(entries, k)
        if value != 0:
            indices[end], values[end] = place(listed, k, a), value
            total += np.float64(value) * np.float64(value)
            end += 1
    indptr[j + 1], coefficients[j], squares[j] = end, coefficient, total
    counts[0] = j + 1


@rule
def drop(
    indptr: Array, indices: Array, values: Array, coefficients: Array, squares: Array, counts: Array, j: Any
) -> None:
    """Remove row j; those after it move up."""
    gap, last = indptr[j + 1] - indptr[j], counts[0] - 1
    for k in range(indptr[j + 1], indptr[last + 1]):
        indices[k - gap], values[k - gap] = indices[k], values[k]
    for i in range(j, last):
        coefficients[i], squares[i], indptr[i + 1] = coefficients[i + 1], squares[i + 1], indptr[i + 2] - gap
    counts[0] = last
