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
from littlestone.compiled import U, in_plain_python, long_rule, prefetch
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


def sum_in_order(terms: Array) -> Any:
    """The sums over the first axis from zero on, one term after another, as loops add them."""
    return np.add.accumulate(terms, axis=0)[-1] + 0.0 if len(terms) else np.zeros(terms.shape[1:])


def list_parts(starts: Array) -> list[slice]:
    """Slices of a row's entries that may be changed at once: all of them, unless an attribute is listed twice."""
    several = len(set(starts.tolist())) < len(starts)
    return [slice(j, j + 1) for j in range(len(starts))] if several else [slice(0, len(starts))]


def look_up_arrays(places: Array, table: Any, rounds: Any, t: Any, constant: Any, reading: Any) -> Any:
    """The same as `look_up`, on whole arrays."""
    some = slice(int(rounds.indptr[t]), int(rounds.indptr[t + 1]))
    kept = np.flatnonzero(rounds.values[some]) + some.start
    lead = int(constant)
    here = slice(lead, lead + len(kept))
    if constant:
        reading.rows[0] = reading.starts[0] = ZERO
        reading.values[0] = 1.0
    reading.attributes[here] = listed = rounds.indices[kept].view(np.uint32)
    rows = np.zeros(len(kept), np.uint64)
    inside = listed < places.size
    rows[inside] = places[listed[inside]].view(np.uint32)
    reading.values[here], reading.starts[here] = rounds.values[kept], rows * U(table.stride)
    reading.rows[here] = np.where(rows == ZERO, NEW, rows)
    return U(here.stop), U(np.count_nonzero(rows == ZERO))


@in_plain_python(look_up_arrays)
@long_rule
def look_up(places: Array, table: Any, rounds: Any, t: Any, constant: Any, reading: Any) -> Any:
    """Find the rows of what is not zero in round t, and ask the memory for them.

    Returns:
        How many entries there are.
        How many of them the table does not have yet.
    """
    attributes, rows, starts, values, _ = reading
    count = ZERO
    new = ZERO
    reals = table.reals
    stride = U(table.stride)
    width = U(places.size)
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


def fit_arrays(sizes: Array, shift: Any, reading: Any, count: Any, guard: Any) -> Any:
    """The same as `fit_sizes`, on whole arrays."""
    for some in list_parts(reading.starts[:count]):
        places = reading.starts[some] >> shift
        values = reading.values[some]
        largest = sizes[places]
        if guard:
            reach = np.where(largest > 0, 2.0 * largest, np.inf)
            values = np.minimum(np.maximum(values, -reach), reach)
        size = np.abs(values)
        grown = np.maximum(size, largest)
        reading.shrinks[some] = np.where((size > largest) & (largest > 0), largest / grown, 1.0)
        sizes[places], reading.values[some] = grown, values / grown
    return bool((reading.shrinks[:count] != 1.0).any())


@in_plain_python(fit_arrays)
@long_rule
def fit_sizes(sizes: Array, shift: Any, reading: Any, count: Any, guard: Any) -> Any:
    """Let the largest sizes of a row's attributes grow to its values, and divide the values by them.

    Returns whether something that was learned about an attribute must be put into units of a larger size.
    """
    shrunk = False
    for j in range(count):
        place = reading.starts[j] >> shift
        value = reading.values[j]
        largest = sizes[place]
        shrink = 1.0
        if guard and largest > 0:
            value = min(max(value, -2.0 * largest), 2.0 * largest)
        size = abs(value)
        if size > largest:
            shrink = largest / size if largest > 0 else 1.0
            sizes[place] = largest = size
        reading.shrinks[j], reading.values[j] = shrink, value / largest
        shrunk = shrunk or shrink != 1.0
    return shrunk


@long_rule
def enter(places: Array, counts: Array, stride: Any, reading: Any, count: Any) -> Any:
    """Give attributes that were not met before their rows of the table."""
    for j in range(count):
        if reading.rows[j] == NEW:
            row = U(counts[MET])
            reading.rows[j], reading.starts[j] = row, row * U(stride)
            places[reading.attributes[j]] = row
            counts[MET] += 1


def copy_arrays(table: Any, reading: Any, count: Any, out: Any) -> Any:
    """The same as `copy_rows`, on whole arrays."""
    stride = U(table.stride)
    known = reading.rows[:count, None] < NEW
    places = reading.starts[:count, None] + np.arange(stride, dtype=np.uint64)
    out[: int(count * stride)] = np.where(known, table.reals[places], 0).ravel()
    reading.starts[:count] = np.arange(count, dtype=np.uint64) * stride


@in_plain_python(copy_arrays)
@long_rule
def copy_rows(table: Any, reading: Any, count: Any, out: Any) -> Any:
    """Copy the part of the table that a row is about; new attributes have learned nothing."""
    stride = U(table.stride)
    for j in range(count):
        start = reading.starts[j]
        known = reading.rows[j] < NEW
        reading.starts[j] = j * stride
        for k in range(stride):
            out[j * stride + k] = table.reals[start + k] if known else 0
