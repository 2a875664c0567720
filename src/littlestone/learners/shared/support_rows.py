"""Support: rows that a learner keeps, one under another, with room for more.

Arrays cannot grow inside a compiled loop, so there is always room for one more row of any length; when a row takes it,
the loop stops and the state grows. Room that was never written to costs no memory.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.learner import Size
from littlestone.compiled import entry, place, rule

FIRST = 16  # rows and entries for which there is room at first


class Support(NamedTuple):
    """Rows in CSR form, a coefficient and a squared length each; `counts`: rows, attributes, most entries ever."""

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
        return bool(is_crowded(self.indices, self.coefficients, self.counts))

    def row(self, j: int) -> Row:
        """Row j."""
        a, b = self.indptr[j], self.indptr[j + 1]
        return Row(self.indices[a:b], self.values[a:b])


def empty_support(size: Size) -> Support:
    """No rows yet."""
    indptr, coefficients = np.zeros(FIRST + 1, np.int64), np.zeros(FIRST)
    indices, values = np.zeros(FIRST, np.int32), np.zeros(FIRST, size.real)
    support = Support(indptr, indices, values, coefficients, coefficients.copy(), np.zeros(3, np.int64))
    return roomier(support, size)


def roomier(support: Support, size: Size) -> Support:
    """The same rows with room for more; how much depends on what was kept, not on when it was asked for."""
    counts = support.counts.copy()
    counts[1] = max(size.attributes, counts[1])
    support = support._replace(counts=counts)
    if counts[0] == len(support.coefficients):
        rows = 2 * len(support.coefficients)
        indptr = _longer(support.indptr, rows + 1)
        coefficients, squares = _longer(support.coefficients, rows), _longer(support.squares, rows)
        support = support._replace(indptr=indptr, coefficients=coefficients, squares=squares)
    if len(support.indices) < counts[1] + counts[2]:
        entries = 1 << int(counts[1] + counts[2] - 1).bit_length()
        support = support._replace(indices=_longer(support.indices, entries), values=_longer(support.values, entries))
    return support


def _longer(part: Array, length: int) -> Array:
    longer = np.zeros(length, part.dtype)
    longer[: len(part)] = part
    return longer


@rule
def is_crowded(indices: Array, coefficients: Array, counts: Array) -> Any:
    """Whether there is no room for one more row of any length."""
    return counts[0] == coefficients.size or indices.size < counts[1] + counts[2]


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
    counts[0], counts[2] = j + 1, max(counts[2], end)


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
