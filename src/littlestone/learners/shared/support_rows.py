"""Support rows: rows that a learner keeps, one under another, with room for more.

Arrays cannot grow inside a compiled loop, so there is always room for one more row of any length; when a row takes it,
the loop stops and the state grows. Room that was never written to costs no memory.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.learner import Size
from littlestone.compiled import array_rule, read_attribute, read_value
from littlestone.learners.shared.rounds import find_entries

FIRST = 16  # rows and entries for which there is room at first
# what `counts` holds: rows, attributes, the most entries there ever were
ROWS = 0
WIDTH = 1
MOST = 2

RESIZABLE = ("indptr", "indices", "values", "coefficients", "squares")  # arrays that grow with what is kept


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
        return int(self.counts[ROWS])

    @property
    def crowded(self) -> bool:
        """Whether there is no room for one more row of any length."""
        return bool(is_crowded(self))

    def row(self, j: int) -> Row:
        """Row j."""
        a = self.indptr[j]
        b = self.indptr[j + 1]
        return Row(self.indices[a:b], self.values[a:b])

    def is_sound(self, attributes: int) -> bool:
        """Whether loops may read the rows: pointers in order, attributes below their number."""
        rows, known, most = (int(count) for count in self.counts)
        indptr = self.indptr
        indices = self.indices
        kept = len(self.coefficients)
        alike = len(indptr) == kept + 1 and len(self.squares) == kept and len(self.values) == len(indices)
        if not alike or not 0 <= rows <= kept or known != attributes:
            return False
        used = indptr[: rows + 1]
        if used[0] != 0 or (np.diff(used) < 0).any() or not used[-1] <= most <= len(indices):
            return False
        listed = indices[: used[-1]]
        return bool(listed.min(initial=0) >= 0 and listed.max(initial=-1) < attributes)


def make_support(size: Size) -> Support:
    """No rows yet."""
    indptr = np.zeros(FIRST + 1, np.int64)
    coefficients = np.zeros(FIRST)
    indices = np.zeros(FIRST, np.int32)
    values = np.zeros(FIRST, size.real)
    support = Support(indptr, indices, values, coefficients, coefficients.copy(), np.zeros(3, np.int64))
    return make_room(support, size)


def make_room(support: Support, size: Size) -> Support:
    """The same rows with room for more; how much depends on what was kept, not on when it was asked for."""
    counts = support.counts.copy()
    counts[WIDTH] = max(size.attributes, counts[WIDTH])
    support = support._replace(counts=counts)
    if counts[ROWS] == len(support.coefficients):
        rows = 2 * len(support.coefficients)
        indptr = _lengthen(support.indptr, rows + 1)
        coefficients = _lengthen(support.coefficients, rows)
        squares = _lengthen(support.squares, rows)
        support = support._replace(indptr=indptr, coefficients=coefficients, squares=squares)
    if len(support.indices) < counts[WIDTH] + counts[MOST]:
        entries = 1 << int(counts[WIDTH] + counts[MOST] - 1).bit_length()
        indices = _lengthen(support.indices, entries)
        values = _lengthen(support.values, entries)
        support = support._replace(indices=indices, values=values)
    return support


def _lengthen(part: Array, length: int) -> Array:
    longer = np.zeros(length, part.dtype)
    longer[: len(part)] = part
    return longer


@array_rule
def is_crowded(support: Any) -> Any:
    """Whether there is no room for one more row of any length."""
    rows = support.counts[ROWS]
    width = support.counts[WIDTH]
    most = support.counts[MOST]
    return rows == support.coefficients.size or support.indices.size < width + most


@array_rule
def keep(support: Any, coefficient: Any, rounds: Any, t: Any) -> None:
    """Add row t of a chunk; zeros are left out."""
    row = find_entries(rounds, t)
    counts = support.counts
    j = counts[ROWS]
    end = support.indptr[j]
    total = 0.0
    for k in range(row.a, row.b):
        value = read_value(row.values, k)
        if value != 0:
            support.indices[end], support.values[end] = read_attribute(row.indices, k, row.a), value
            total += np.float64(value) * np.float64(value)
            end += 1
    support.indptr[j + 1], support.coefficients[j], support.squares[j] = end, coefficient, total
    counts[ROWS], counts[MOST] = j + 1, max(counts[MOST], end)


@array_rule
def drop(support: Any, j: Any) -> None:
    """Remove row j; those after it move up."""
    indptr = support.indptr
    coefficients = support.coefficients
    squares = support.squares
    gap = indptr[j + 1] - indptr[j]
    last = support.counts[ROWS] - 1
    for k in range(indptr[j + 1], indptr[last + 1]):
        support.indices[k - gap], support.values[k - gap] = support.indices[k], support.values[k]
    for i in range(j, last):
        coefficients[i], squares[i], indptr[i + 1] = coefficients[i + 1], squares[i + 1], indptr[i + 2] - gap
    support.counts[ROWS] = last
