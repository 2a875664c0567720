"""What a comparator u loses over all rounds of a run for log-loss, and the least that any comparator can.

A comparator has whole numbers k, u being k 2^-20 over the largest size of the attribute. Its score z, of rows as the
guard cuts them, is summed in floats, and beside every sum stands how far it may be off: with n terms of sizes s, at
most (n + 4) 2^-52 times the sum of s. With y = 1 or -1 and a = 1 / (1 + e^(y z)), for each u' and any a from 0 to 1

    ln(1 + e^(-y u'.x)) >= H(a) - a y u'.x,        H(a) = -a ln a - (1 - a) ln(1 - a),

so that with r_i > 0 and p_i the sum of a y x_i, no comparator has a loss + (sum of r_i u'_i^2) / 2 below the sum of the
H(a), less half the sum of p_i^2 / r_i: the floor.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_members import add_carefully
from littlestone.certificates.check.float_runs.mixtures import MixtureRun, fit_value
from littlestone.compiled import exponential, kernel, logarithm

LAST = 2.0**-52  # what a number may be off by, in units of it, after one operation; twice what it is at most
BITS = 20  # of the fractions of a comparator


class ComparatorSums(NamedTuple):
    """Sums over the rounds of each unit; those of two numbers are a sum and what rounding took from it."""

    losses: Array  # units, 2
    slacks: Array  # units, 2: of the quadratics of a Newton member less the losses
    entropies: Array  # units, 2: H(a)
    errors: Array  # units, 3: how far each of these may be off
    pulls: Array  # units, rows: p
    sizes: Array  # units, rows: of the sizes of its terms


class Chosen(NamedTuple):
    """Of each unit its comparator, and of one that goes by a Newton member that member's number and kappa."""

    weights: Array  # units, rows: u in units of the sizes
    newton: Array  # -1: none
    kappas: Array


def measure_comparators(run: MixtureRun, chunks: Iterable[ArrangedChunk], chosen: Chosen) -> ComparatorSums:
    """Go through all rounds of a run once more."""
    units, rows = chosen.weights.shape
    shapes = (units, 2), (units, 2), (units, 2), (units, 3), (units, rows), (units, rows)
    sums, running = ComparatorSums(*map(np.zeros, shapes)), np.zeros(rows)
    running[0] = 1.0
    places, sizes = run.units.places, run.units.sizes
    for chunk in chunks:
        longest = int(np.diff(chunk.indptr).max(initial=0)) + 1
        row = np.zeros(longest, np.int64), np.zeros(longest)
        scores, flags = run.scores[chunk.first :], (run.settings.guard, run.settings.constant)
        measure_rounds(chunk, (places, sizes, running, scores, np.array(run.starts)), flags, chosen, row, sums)
    return sums


@kernel
def measure_rounds(chunk: Any, known: Any, flags: Any, chosen: Any, entries: Any, sums: Any) -> None:
    """Add some rounds to the sums."""
    first, indptr, columns, values, codes = chunk
    places, sizes, running, scores, starts = known
    rows, parts = entries
    guard, constant = flags
    for t in range(codes.size):
        count = 0
        if constant:
            rows[0], parts[0], count = 0, 1.0, 1
        for k in range(indptr[t], indptr[t + 1]):
            if values[k] != 0:
                rows[count] = places[columns[k]]
                value, _ = fit_value(running, rows[count], np.float64(values[k]), guard)
                parts[count] = value / sizes[rows[count]]
                count += 1
        for unit in range(starts.size):
            if first + t < starts[unit]:
                continue
            sign = 1.0 if codes[t] == (1 if starts.size == 1 else unit) else -1.0
            z, size = 0.0, 0.0
            for j in range(count):
                term = chosen.weights[unit, rows[j]] * parts[j]
                z, size = z + term, size + abs(term)
            error, m = (count + 4) * LAST * size, sign * z
            rest = exponential(-abs(m))
            loss = max(0.0, -m) + logarithm(1.0 + rest)
            missed = rest / (1.0 + rest) if m >= 0 else 1.0 / (1.0 + rest)
            add_carefully(sums.losses[unit], loss)
            sums.errors[unit, 0] += (2.0 * missed if error < 0.5 else 1.0) * error + 4.0 * LAST * (1.0 + loss)
            add_carefully(sums.entropies[unit], loss + missed * m)
            sums.errors[unit, 2] += 8.0 * LAST * (1.0 + loss + missed * abs(m))
            for j in range(count):
                sums.pulls[unit, rows[j]] += sign * missed * parts[j]
                sums.sizes[unit, rows[j]] += missed * abs(parts[j])
            if chosen.newton[unit] >= 0:
                score = scores[t, unit, chosen.newton[unit]]
                rest = exponential(-abs(score))
                past = sign * score
                slope = rest / (1.0 + rest) if past >= 0 else 1.0 / (1.0 + rest)
                curve = chosen.kappas[unit] * rest / ((1.0 + rest) * (1.0 + rest))
                far, near = sign * (z - score), max(0.0, -past) + logarithm(1.0 + rest)
                add_carefully(sums.slacks[unit], near - slope * far + 0.5 * curve * far * far - loss)
                terms = 1.0 + near + slope * abs(far) + curve * far * far + loss
                sums.errors[unit, 1] += (1.0 + slope + curve * (abs(far) + error)) * error + 8.0 * LAST * terms
