"""Scale-free rows: a table of the attributes that were met, each measured by its own largest value.

A learner for losses only ever uses a value over the largest size that its attribute has had, so that columns may be in
any units. The table has a row for each attribute that was met: that largest size M, as a float64, then the numbers of
each unit, all in units of M. Row 0 is the constant attribute. Memory follows the attributes met, not their numbers.

The guard: a value is first cut to twice the largest size so far. A corrupt value can then not make everything that was
learned about its attribute vanish; a true change of scale is followed after a few rounds.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, long_rule, prefetch
from littlestone.learners.shared.forecaster_state import MET

ZERO, ONE = U(0), U(1)
NEW = U(1 << 32)  # in the place of a row: the attribute is not met yet


class RowReading(NamedTuple):
    """Room for one row as a table sees it: what is not zero, the constant first."""

    attributes: Any
    rows: Any  # the attribute's row in the table; NEW if it has none
    starts: Any  # where the row starts: in the table, or in a copy of its rows
    values: Any  # as they come; then over M
    shrinks: Any  # by what everything learned about the attribute was multiplied because M grew: old M over new

    @classmethod
    def of(cls, length: int) -> Self:
        """Room for rows of up to `length` entries."""
        attributes, rows, places = np.zeros((3, length + 1), np.uint64)
        return cls(attributes, rows, places, np.zeros(length + 1), np.zeros(length + 1))


@long_rule
def look_up(places: Array, table: Any, rounds: Any, t: Any, constant: Any, reading: Any) -> Any:
    """Find the rows of what is not zero in round t, and ask the memory for them.

    Returns:
        How many entries there are.
        How many of them the table does not have yet.
    """
    attributes, rows, starts, values, _ = reading
    count, new, reals, stride, width = ZERO, ZERO, table.reals, U(table.stride), U(places.size)
    if constant:
        rows[0], starts[0], values[0], count = ZERO, ZERO, 1.0, ONE
    for k in range(U(rounds.indptr[t]), U(rounds.indptr[t + 1])):
        value = rounds.values[k]
        if value != 0:
            i = U(np.uint32(rounds.indices[k]))
            row = U(np.uint32(places[i])) if i < width else ZERO
            prefetch(reals, np.int64(row * stride))
            attributes[count], starts[count], values[count] = i, row * stride, value
            rows[count] = row if row != ZERO else NEW
            new += ONE if row == ZERO else ZERO
            count += ONE
    return count, new


@long_rule
def fit_size(sizes: Array, place: Any, reading: Any, j: Any, guard: Any) -> Any:
    """Let the largest size of entry j's attribute grow to its value, and divide the value by it.

    Returns what is learned about the attribute times this, to be in units of the new size; 1 if nothing was learned.
    """
    value, largest, shrink = reading.values[j], sizes[place], 1.0
    if guard and largest > 0:
        value = min(max(value, -2.0 * largest), 2.0 * largest)
    size = abs(value)
    if size > largest:
        shrink = largest / size if largest > 0 else 1.0
        sizes[place] = largest = size
    reading.shrinks[j], reading.values[j] = shrink, value / largest
    return shrink


@long_rule
def enter(bench: Any, state: Any, count: Any) -> Any:
    """Give attributes that were not met before their rows of the table."""
    reading = bench.reading
    for j in range(count):
        if reading.rows[j] == NEW:
            row = U(state.counts[MET])
            reading.rows[j], reading.starts[j] = row, row * U(bench.rows.stride)
            state.places[reading.attributes[j]] = row
            state.counts[MET] += 1


@long_rule
def copy_rows(table: Any, reading: Any, count: Any, out: Any) -> Any:
    """Copy the part of the table that a row is about; new attributes have learned nothing."""
    stride = U(table.stride)
    for j in range(count):
        start, known = reading.starts[j], reading.rows[j] < NEW
        reading.starts[j] = j * stride
        for k in range(stride):
            out[j * stride + k] = table.reals[start + k] if known else 0
