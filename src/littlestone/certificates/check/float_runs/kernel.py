"""Kernel perceptrons without a budget, played again in their own floats.

Everything is float64. A row x has the squared length x_1 x_1 + x_2 x_2 + ..., added one by one from 0 on. Its score is
the sum, from 0 on, of y' (K(x', x)) over the rows x' kept, in the order in which they came, where K is found from the
product p = x'_1 x_1 + x'_2 x_2 + ..., added one by one from 0 on in the order of the entries of x':

    linear        p + c c
    polynomial    ((1 (a + p)) (a + p)) ... + c c, with as many factors as the degree
    Gaussian      e^(-d / ((2 s) s)) + c c, where d = (|x|^2 + |x'|^2) - 2 p, or 0 if that is negative

c is the bias, a the constant and s the width. The values of rows that are kept are first rounded to the type of the
run; their squared lengths are of the rows as they came. The exponential is `compiled.round_exponential`: operations of
IEEE 754 in a fixed order, so that it is the same number on every machine.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import REALS, Parameters
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk, ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun
from littlestone.compiled import kernel, round_exponential, rule

LINEAR, POLYNOMIAL, GAUSSIAN = range(3)
KINDS = {"LinearKernel": LINEAR, "PolynomialKernel": POLYNOMIAL, "GaussianKernel": GAUSSIAN}


class FloatKernel(NamedTuple):
    """The kernel of a run, by its numbers."""

    kind: int
    degree: int
    constant: float
    width: float
    extra: float

    @classmethod
    def of(cls, about: Parameters) -> Self:
        """That of the learner a certificate is about."""
        known = about["kernel"]
        bias = float(about["bias"])
        numbers = int(known.get("degree", 1)), float(known.get("constant", 0)), float(known.get("width", 1))
        return cls(KINDS[known["name"]], *numbers, bias * bias)


class KeptRows(NamedTuple):
    """Rows one after another: where each starts, the attributes and values, the squared lengths and the labels."""

    indptr: Array
    columns: Array
    values: Array
    squares: Array
    signs: Array

    @classmethod
    def empty(cls, real: Any) -> "KeptRows":
        """None of them, with values of a type."""
        none = np.zeros(0, np.int64)
        return cls(np.zeros(1, np.int64), none, np.zeros(0, real), np.zeros(0), np.zeros(0))

    def make_room(self, rows: int, chunk: ArrangedChunk) -> "KeptRows":
        """The first `rows` of them, and room for all of a chunk."""
        last = self.indptr[rows]
        more = len(chunk.codes)
        entries = len(chunk.values)
        return KeptRows(
            np.pad(self.indptr[: rows + 1], (0, more)),
            np.pad(self.columns[:last], (0, entries)),
            np.pad(self.values[:last], (0, entries)),
            np.pad(self.squares[:rows], (0, more)),
            np.pad(self.signs[:rows], (0, more)),
        )


@rule
def compute_kernel(product: Any, square: Any, other: Any, known: Any) -> Any:
    """The kernel of two rows, from their product and squared lengths."""
    if known.kind == LINEAR:
        return product + known.extra
    if known.kind == POLYNOMIAL:
        power = 1.0
        for _ in range(known.degree):
            power *= known.constant + product
        return power + known.extra
    distance = square + other - 2.0 * product
    return round_exponential(-max(distance, 0.0) / (2.0 * known.width * known.width)) + known.extra


@kernel
def play_kernel(
    kept: Any, rows: int, known: Any, indptr: Array, columns: Array, values: Array, codes: Array, x: Array,
    guesses: Array, taught: Array,
) -> Any:  # fmt: skip
    """Play a chunk, and return how many rows are kept after it; a flat entry point. `x` is all 0, before and after."""
    for t in range(codes.size):
        first = indptr[t]
        count = indptr[t + 1] - indptr[t]
        y = 1.0 if codes[t] else -1.0
        square = 0.0
        score = 0.0
        for k in range(first, first + count):
            x[columns[k]] = values[k]
            square += values[k] * values[k]
        for j in range(rows):
            product = 0.0
            for k in range(kept.indptr[j], kept.indptr[j + 1]):
                product += np.float64(kept.values[k]) * x[kept.columns[k]]
            score += kept.signs[j] * compute_kernel(product, square, kept.squares[j], known)
        for k in range(first, first + count):
            x[columns[k]] = 0.0
        guesses[t], taught[t] = score > 0, y * score <= 0
        if taught[t]:
            end = kept.indptr[rows]
            for k in range(count):
                kept.columns[end + k], kept.values[end + k] = columns[first + k], values[first + k]
            kept.squares[rows], kept.signs[rows], kept.indptr[rows + 1] = square, y, end + count
            rows += 1
    return rows


def replay_kernel(about: Parameters, rows: ArrangedRows) -> FloatRun:
    """Play the run of a kernel perceptron again."""
    known = FloatKernel.of(about)
    counts = FloatCounts(rows)
    many = 0
    width = 0
    kept = KeptRows.empty(REALS[about["real"]])
    for chunk in rows.read(np.float64):
        kept = kept.make_room(many, chunk)
        width = max(width, int(chunk.columns.max(initial=-1)) + 1)
        guesses, taught = np.zeros((2, len(chunk.codes)), np.int64)
        many = play_kernel(kept, many, known, *chunk[1:], np.zeros(width), guesses, taught)
        counts.note_guesses(chunk, guesses)
        for t in np.flatnonzero(taught).tolist():
            counts.note_update(chunk.first + t)
    return counts.conclude()
