"""Rows: the records of a table in text as dense rows of numbers, each at its column's place, a missing one being 0."""

from typing import Any

import numpy as np

from littlestone.examples import Array
from littlestone.kernel import eight_bytes, kernel, not_digits, rule, trailing_zeros
from littlestone.readers.cells import (
    CR,
    EIGHT,
    LF,
    ONE,
    PLAIN,
    ZERO,
    U,
    cell,
    is_among,
    is_empty_line,
)
from littlestone.readers.numbers import MINUS, POINT, POWERS, TENS, decimal, double, far, single, whole

IGNORED, NUMBER, NOMINAL, NUMBER_LABEL, NOMINAL_LABEL = 0, 1, 2, 3, 4  # roles of columns
EXACT = U(2**53)  # up to here every whole number is a float64
SIGNS = np.array([1.0, -1.0])
NINE, TEN = U(9), U(10)
LONG = U(10**14)  # from here on a cut changes less than `far` asks for
FOUND, MISSING = 1, 2  # what a cell holds, besides the problems
FINE, NOT_A_NUMBER, NO_LABEL, TOO_LARGE, TOO_FEW, TOO_MANY, BINARY = 0, -3, -4, -5, -6, -7, -8  # and those of `cells`


@kernel
def numeric(data: Array, p: Any, end: Any, delimiter: Any, words: Array, ends: Array) -> Any:
    """A cell of numbers: its first byte, its delimiter or line end, sign, mantissa, power, loss, and what it holds."""
    first, last, stop = p, end, end
    while True:  # first as if the cell were nothing but a number; if it is not, once more between its proper ends
        negative, mantissa, power, after, inexact = decimal(data, first)
        if stop < end:
            return first, stop, negative, mantissa, power, inexact, FOUND if after == last else NOT_A_NUMBER
        if after > p:
            if data[after] == CR and data[after + ONE] == LF:
                after += ONE
            if data[after] == U(delimiter) or data[after] == LF:
                return first, after, negative, mantissa, power, inexact, FOUND
        first, last, stop, kind = cell(data, p, end, delimiter)
        if kind < PLAIN:
            return first, stop, False, U(0), 0, False, kind
        if first == last or is_among(data, first, last, words, ends):
            return first, stop, False, U(0), 0, False, MISSING


@rule
def usual(data: Array, p: Any, delimiter: Any, base: Any, others: Any) -> Any:
    """A number as most are: a sign perhaps, up to 8 digits, perhaps a point and up to 32 more, then the cell's end.

    Its delimiter or line end (p itself if it is any other cell, or in doubt), its value, and whether that is the right
    float64 too. Bit k of `others` says that byte `base + k` is no digit, for bytes from p on; both are returned for the
    bytes after the cell. So 64 bytes are looked at once, and the next cell is found before this one is understood.
    """
    second = others & (others - ONE)
    if second & (second - ONE) == ZERO and base < p:  # a cell has three marks at most: sign, point and end
        base, others = p, not_digits(data, p)
    minus = U(data[p] == MINUS)  # signs come in any order: no branch could be foreseen
    q, others = p + minus, others & (others - minus)
    second, point = others & (others - ONE), base + trailing_zeros(others)
    if point - q - ONE >= EIGHT:
        return p, 0.0, False, ZERO, ZERO
    mantissa, places, after, top = whole(eight_bytes(data, q), point - q), ZERO, point, EXACT
    if data[point] == POINT:
        after = base + trailing_zeros(second)
        second &= second - ONE
        places = after - point - ONE
        if places - ONE >= U(32):
            return p, 0.0, False, ZERO, ZERO
        if places <= EIGHT:
            mantissa = mantissa * TENS[places] + whole(eight_bytes(data, point + ONE), places)
        else:  # of the rest, as much as keeps the whole below 10^18
            left = min(places - EIGHT, TEN - (point - q), EIGHT)
            mantissa = mantissa * TENS[8] + whole(eight_bytes(data, point + ONE), EIGHT)
            mantissa = mantissa * TENS[left] + whole(eight_bytes(data, point + NINE), left)
            top = EXACT if places == EIGHT + left else ZERO
            if (top == ZERO) & (mantissa < LONG):
                return p, 0.0, False, ZERO, ZERO
            places = EIGHT + left
    value = np.float64(np.int64(mantissa)) / POWERS[places]
    stop = data[after]
    if not far(value) or (stop != U(delimiter) and stop != LF):
        return p, 0.0, False, ZERO, ZERO
    return after, value * SIGNS[minus], mantissa < top, base, second


@rule
def ended(data: Array, stop: Any, j: Any, columns: Any) -> Any:
    """Whether a record has as many cells as there are columns, as far as cell j tells."""
    if j + 1 < columns:
        return TOO_FEW if data[stop] == LF else FINE
    return FINE if data[stop] == LF else TOO_MANY


@kernel
def dense(
    data: Array,
    start: int,
    end: int,
    delimiter: int,
    roles: Array,
    words: Array,
    ends: Array,
    values: Array,
    labels: Array,
    cells: Array,
    doubts: Array,
) -> Any:
    """Rows of numbers: how many, how many numbers Python must read, what is wrong, where, in which column."""
    p, stop, t, k, doubtful, begun = U(start), U(end), 0, 0, 0, 0
    base, others = p, not_digits(data, p)
    while p < stop:
        if is_empty_line(data, p):
            base, others = ZERO, ZERO
            p += ONE if data[p] == LF else ONE + ONE
            continue
        begun = doubtful
        for j in range(roles.size):
            role = roles[j]
            if role in (NUMBER, NUMBER_LABEL):
                after, value, exact, base, others = usual(data, p, delimiter, base, others)
                if after > p and ((role == NUMBER and values.itemsize == 4) or exact):
                    if role == NUMBER:
                        values[k] = value
                        k += 1
                    else:
                        labels[t] = value
                    p = after + ONE
                    if (data[after] == LF) != (j + 1 == roles.size):
                        return t, begun, ended(data, after, j, roles.size), np.int64(after), j
                    continue
                first, p, negative, mantissa, power, inexact, found = numeric(data, p, stop, delimiter, words, ends)
                base, others = ZERO, ZERO
                if found < FINE or (found == MISSING and role == NUMBER_LABEL):
                    return t, begun, found if found < FINE else NO_LABEL, np.int64(first), j
                is_label = role == NUMBER_LABEL
                value, sure = double(mantissa, power, inexact)
                if values.itemsize == 4 and not is_label:
                    value, sure = single(mantissa, power)
                value = -value if negative else value
                if is_label:
                    labels[t] = value
                else:
                    values[k] = value
                if not sure:
                    doubts[doubtful, 0], doubts[doubtful, 1] = -1 - t if is_label else k, first
                    doubtful += 1
                elif not is_label and not np.isfinite(values[k]):
                    return t, begun, TOO_LARGE, np.int64(first), j
                k += not is_label
            else:
                first, last, p, kind = cell(data, p, stop, delimiter)
                base, others = ZERO, ZERO
                if role == NOMINAL_LABEL:
                    cells[t, 0], cells[t, 1], cells[t, 2] = first, last, kind
                    if kind >= PLAIN and (first == last or is_among(data, first, last, words, ends)):
                        kind = NO_LABEL
                if kind < PLAIN:
                    return t, begun, kind, np.int64(first), j
            problem = ended(data, p, j, roles.size)
            if problem != FINE:
                return t, begun, problem, np.int64(p), j
            p += ONE
        t += 1
    return t, doubtful, FINE, 0, 0
