"""Domain: the sizes of values for which floats keep to a learner's rule.

Where a square or a score underflows although its row is not zero, a round teaches nothing, or teaches without end;
where one overflows, weights stop being numbers. Neither can happen while the largest value of every row has a size in
the learner's domain. What is smaller beside it may vanish: that is less than the last digit of the row's square.

>>> WIDE.narrow(4.0) == Domain(2.0**-249, 2.0**249)
True
"""

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.errors import BadInstance
from littlestone.compiled import late_kernel, read_value, rule


class Domain(NamedTuple):
    """The least and the largest size that the largest value of a row may have, unless all its values are 0."""

    least: float
    most: float

    def narrow(self, *factors: float) -> "Domain":
        """The domain of a rule that multiplies products of two values with numbers no farther from 1 than these."""
        reach = sqrt(max((max(factor, 1 / factor) for factor in factors if factor), default=1.0))
        return Domain(self.least * reach, self.most / reach)


# A rule multiplies a value with a weight, which is a sum of values, at times over the square of a row.
WIDE = Domain(2.0**-250, 2.0**250)  # in float64: products and quotients of four values are normal numbers
NARROW = Domain(2.0**-50, 2.0**45)  # in float32: squares are normal, and sums of 2^37 of them are finite
NOWHERE = Domain(inf, 0.0)


class Span(NamedTuple):
    """What sizes an array's values have: the least that is not 0 (infinity, if all are), and the largest."""

    values: Any
    least: float
    most: float


@late_kernel(lambda bits, first, end: end - first)
def find_extremes(bits: Any, first: int, end: int) -> Any:
    """The bits of the least size that is not 0, and of the largest size: sizes are ordered as their bits, NaN last."""
    kind = bits.dtype.type
    top = ~kind(0)
    low = top
    high = kind(0)
    sizes = top >> kind(1)
    for k in range(first, end):
        size = bits[k] & sizes
        high = size if size > high else high
        low = size if size != 0 and size < low else low
    return low, high


def measure_span(values: Any, first: int = 0, end: int | None = None) -> Span:
    """The sizes of the values from `first` to `end`; `most` is infinite if one of them is not a finite number."""
    word = f"u{values.itemsize}"
    found = find_extremes(values.view(word), first, len(values) if end is None else end)
    least, most = (inf if size != size else size for size in np.array(found, word).view(values.dtype).tolist())
    return Span(values, least, most)


@rule
def is_inside(values: Any, first: Any, end: Any, least: Any, most: Any) -> Any:
    """Whether the values from `first` to `end` are all 0, or the largest has a size between two numbers."""
    empty = True
    enough = False
    beyond = False
    for k in range(first, end):
        size = abs(np.float64(read_value(values, k)))
        empty = empty & (size == 0)
        enough = enough | (size >= least)
        beyond = beyond | (size > most)
    return (empty | enough) & (not beyond)


@late_kernel(lambda indptr, *rest: indptr[-1] - indptr[0])
def count_inside(indptr: Any, values: Any, least: float, most: float) -> Any:
    """How many leading rows are inside."""
    for t in range(indptr.size - 1):
        if not is_inside(values, indptr[t], indptr[t + 1], least, most):
            return t
    return indptr.size - 1


def refuse_row(domain: Domain, indices: Any, values: Any) -> BadInstance:
    """The error about a row outside a domain, which names the attribute of its largest value."""
    sizes = np.abs(np.ones(1) if values is None else values)
    place = int(np.argmax(sizes))
    wider = ", or give rows of float64" if sizes.itemsize < 8 else ""
    allowed = f"rows whose largest value is from {domain.least:.1e} to {domain.most:.1e} in size"
    if domain.least > domain.most:
        allowed = "no rows of this type with parameters so far from 1"
    found = f"floats keep to the learner's rule for {allowed}; the largest of this one is {sizes[place]:g}"
    problem = BadInstance(f"{found}: scale the column{wider}")
    problem.attribute = place if indices is None else int(indices[place])
    return problem
