"""The orders in which runs add up the terms of a sum, each as docs/certificate-format.md has it.

A sum of floats depends on its order. Every one here is of the terms t[0], t[1], ..., t[n - 1] of one row, each a
product that was rounded once, in the type of the terms; no product is fused with an addition.

>>> terms = np.array([1.0, 2.0**-53, 2.0**-53, -1.0, 2.0**-53])
>>> [add_up(terms, 5, order) * 2.0**53 for order in (ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS)]
[1.0, 1.0, 1.0, 1.0, 2.0]
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import kernel

ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS = range(5)


@kernel
def add_up(terms: Array, count: int, order: int) -> Any:
    """The sum of the first `count` terms in an order."""
    real = terms.dtype.type
    if order == QUARTERS:  # every fourth term to one of four sums, what is left at the end to the first of them
        sums = np.zeros(4, terms.dtype)
        whole = count - count % 4
        for k in range(count):
            sums[k % 4 if k < whole else 0] += terms[k]
        return (sums[0] + sums[1]) + (sums[2] + sums[3])
    if order == LANES:  # two rows of sixteen sums, which take sixteen terms in turn
        lanes = np.zeros((2, 16), terms.dtype)
        whole = count - count % 16
        paired = count - count % 32
        for k in range(count):
            turn = (k // 16) % 2 if k < paired else 0 if k < whole else 1
            lanes[turn, k % 16] += terms[k]
        row = lanes[0] + lanes[1]
        size = 8
        while size > 0:  # then the second half is added to the first
            for k in range(size):
                row[k] += row[k + size]
            size //= 2
        return row[0]
    total = real(0)
    other = real(0)
    if order == HALVES:  # even places and odd ones, a last one without a partner to the even ones
        for k in range(count):
            if k % 2 == 1:
                other += terms[k]
            else:
                total += terms[k]
        return total + other
    first = 0
    if order == FOURS:  # four at a time, added up among themselves before
        while first + 4 <= count:
            total += (terms[first] + terms[first + 1]) + (terms[first + 2] + terms[first + 3])
            first += 4
    for k in range(first, count):
        total += terms[k]
    return total
