"""Forgetrons played again in their own floats.

A row is scored as by a Gaussian kernel perceptron (`kernel.py`), with coefficients c in place of labels. After a round
that teaches, the M-th, the row is kept with its label y as coefficient. If more rows are kept than the budget B, the
first one, of coefficient c, is scored too; let a = |c|, m that score, negated if c < 0, q = a a - (2 a) m and l = 2 a,

    r = (15 / 32) M - Q;  p = 1, or if q + l > r:  p = (2 r) / (l + sqrt(l l + (4 q) r))

Then Q += (q p + l) p and D += (1 - p) / (1 + p), all coefficients are multiplied by p, and the first row goes.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import REALS, Parameters
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun
from littlestone.certificates.check.float_runs.kernel import GAUSSIAN, FloatKernel, KeptRows, compute_kernel
from littlestone.compiled import array_rule, kernel


@array_rule
def score_row(kept: Any, span: Any, known: Any, square: Any, x: Array) -> Any:
    """The score of the row in x, of that squared length, by the kept rows of a span."""
    score = 0.0
    for j in range(span[0], span[1]):
        product = 0.0
        for k in range(kept.indptr[j], kept.indptr[j + 1]):
            product += np.float64(kept.values[k]) * x[kept.columns[k]]
        score += kept.signs[j] * compute_kernel(product, square, kept.squares[j], known)
    return score


@kernel
def play_forgetron(
    kept: Any, span: Array, known: Any, budget: int, indptr: Array, columns: Array, values: Array, codes: Array,
    x: Array, guesses: Array, taught: Array, sums: Array,
) -> None:  # fmt: skip
    """Play a chunk; a flat entry point. `span`: the first row kept, the end of them and M; `sums`: Q and D."""
    for t in range(codes.size):
        first = indptr[t]
        end = indptr[t + 1]
        y = 1.0 if codes[t] else -1.0
        square = 0.0
        for k in range(first, end):
            x[columns[k]] = values[k]
            square += values[k] * values[k]
        score = score_row(kept, span, known, square, x)
        for k in range(first, end):
            x[columns[k]] = 0.0
        guesses[t], taught[t] = score > 0, y * score <= 0
        if not taught[t]:
            continue
        row = span[1]
        place = kept.indptr[row]
        for k in range(first, end):
            kept.columns[place], kept.values[place] = columns[k], values[k]
            place += 1
        kept.squares[row], kept.signs[row], kept.indptr[row + 1] = square, y, place
        span[1] += 1
        span[2] += 1
        if span[1] - span[0] > budget:
            old = span[0]
            for k in range(kept.indptr[old], kept.indptr[old + 1]):
                x[kept.columns[k]] = np.float64(kept.values[k])
            score = score_row(kept, span, known, kept.squares[old], x)
            for k in range(kept.indptr[old], kept.indptr[old + 1]):
                x[kept.columns[k]] = 0.0
            size = abs(kept.signs[old])
            sign = 1.0 if kept.signs[old] > 0 else -1.0
            q = size * size - 2.0 * size * (sign * score)
            line = 2.0 * size
            room = 0.0
            part = 1.0
            room = 15.0 / 32.0 * span[2] - sums[0]
            if q + line > room:
                part = 2.0 * room / (line + np.sqrt(line * line + 4.0 * q * room))
            sums[0] += (q * part + line) * part
            sums[1] += (1.0 - part) / (1.0 + part)
            for j in range(span[0], span[1]):
                kept.signs[j] *= part
            span[0] += 1


def replay_forgetron(about: Parameters, rows: ArrangedRows, sums: Array | None = None) -> FloatRun:
    """Play the run of a Forgetron again; `sums` takes up Q and D."""
    known = FloatKernel(GAUSSIAN, 1, 0.0, float(about["width"]), 0.0)
    counts = FloatCounts(rows)
    span = np.zeros(3, np.int64)
    sums = np.zeros(2) if sums is None else sums
    kept = KeptRows.empty(REALS[about["real"]])
    width = 0
    for chunk in rows.read(np.float64):
        kept = kept.make_room(int(span[1]), chunk)
        width = max(width, int(chunk.columns.max(initial=-1)) + 1)
        guesses, taught = np.zeros((2, len(chunk.codes)), np.int64)
        play_forgetron(kept, span, known, about["budget"], *chunk[1:], np.zeros(width), guesses, taught, sums)
        counts.note_guesses(chunk, guesses)
        for t in np.flatnonzero(taught).tolist():
            counts.note_update(chunk.first + t)
    return counts.conclude()
