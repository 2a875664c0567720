"""What a comparator u loses over all rounds of a run for log-loss, and the least that any comparator can.

A comparator has whole numbers k, u being k 2^-20 over the largest size of the attribute. Its score z, of rows as the
guard cuts them, is summed in floats, and beside every sum stands how far it may be off: with n terms of sizes s, at
most (n + 4) 2^-52 times the sum of s. With y = 1 or -1 and a = 1 / (1 + e^(y z)), for each u' and any a from 0 to 1

    ln(1 + e^(-y u'.x)) >= H(a) - a y u'.x,        H(a) = -a ln a - (1 - a) ln(1 - a),

so that with r_i > 0 and p_i the sum of a y x_i, no comparator has a loss + (sum of r_i u'_i^2) / 2 below the sum of the
H(a), less half the sum of p_i^2 / r_i: the floor. A round that counts w times has its terms multiplied by w.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_members import add_carefully
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk, count_plays
from littlestone.certificates.check.float_runs.mixture_rounds import fit_value
from littlestone.certificates.check.float_runs.mixtures import MixtureRun
from littlestone.compiled import exponential, kernel, logarithm, long_rule

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


def measure_comparators(
    run: MixtureRun, chunks: Iterable[ArrangedChunk | WeighedChunk], chosen: Chosen, softmax: bool = False
) -> ComparatorSums:
    """Go through all rounds of a run once more; the losses of a softmax are those of all classes, and stand first."""
    units, rows = chosen.weights.shape
    shapes = (units, 2), (units, 2), (units, 2), (units, 3), (units, rows), (units, rows)
    sums = ComparatorSums(*map(np.zeros, shapes))
    running = np.zeros(rows)
    played = 0
    running[0] = 1.0
    places = run.units.places
    sizes = run.units.sizes
    for chunk in map(WeighedChunk.of, chunks):
        longest = int(np.diff(chunk.indptr).max(initial=0)) + 1
        plays = count_plays(chunk.weights)
        row = np.zeros(longest, np.int64), np.zeros(longest)
        flags = (run.settings.guard, run.settings.constant)
        known = (places, sizes, running, np.array(run.starts))
        if softmax:
            measure_classes(chunk, known, flags, chosen.weights, row, np.zeros((3, units)), sums, plays)
        else:
            measure_rounds(chunk, known, flags, chosen, row, sums, (run.scores[played:], plays))
        played += int(plays.sum())
    return sums


@long_rule
def read_entries(chunk: Any, t: int, known: Any, flags: Any, entries: Any) -> Any:
    """Write the rows of a round's entries, and the values as the guard cuts them, over the sizes; how many."""
    _, indptr, columns, values, _, _ = chunk
    places, sizes, running, _ = known
    rows, parts = entries
    count = 0
    if flags[1]:
        rows[0], parts[0], count = 0, 1.0, 1
    for k in range(indptr[t], indptr[t + 1]):
        if values[k] != 0:
            rows[count] = places[columns[k]]
            value, _ = fit_value(running, rows[count], np.float64(values[k]), flags[0])
            parts[count] = value / sizes[rows[count]]
            count += 1
    return count


@long_rule
def find_score(weights: Array, count: int, entries: Any) -> Any:
    """The product of a comparator and a row, and the sum of the sizes of its terms."""
    rows, parts = entries
    z = 0.0
    size = 0.0
    for j in range(count):
        term = weights[rows[j]] * parts[j]
        z = z + term
        size = size + abs(term)
    return z, size


@kernel
def measure_rounds(chunk: Any, known: Any, flags: Any, chosen: Any, entries: Any, sums: Any, said: Any) -> None:
    """Add some rounds of units to the sums."""
    first = chunk[0]
    codes = chunk[4]
    weights = chunk[5]
    starts = known[3]
    rows, parts = entries
    scores, plays = said
    played = 0
    for t in range(codes.size):
        count = read_entries(chunk, t, known, flags, entries)
        each = weights[t] / plays[t]  # what a play counts, and all plays together
        weight = plays[t] * each
        more = 1.0 if weights[t] == 1.0 else 2.0
        for unit in range(starts.size):
            if first + t < starts[unit]:
                continue
            sign = 1.0 if codes[t] == (1 if starts.size == 1 else unit) else -1.0
            z, size = find_score(chosen.weights[unit], count, entries)
            error = (count + 4) * LAST * size
            m = sign * z
            rest = exponential(-abs(m))
            loss = max(0.0, -m) + logarithm(1.0 + rest)
            missed = rest / (1.0 + rest) if m >= 0 else 1.0 / (1.0 + rest)
            add_carefully(sums.losses[unit], weight * loss)
            away = (2.0 * missed if error < 0.5 else 1.0) * error + 4.0 * more * LAST * (1.0 + loss)
            sums.errors[unit, 0] += weight * away
            add_carefully(sums.entropies[unit], weight * (loss + missed * m))
            sums.errors[unit, 2] += weight * (8.0 * more * LAST * (1.0 + loss + missed * abs(m)))
            for j in range(count):
                sums.pulls[unit, rows[j]] += weight * (sign * missed) * parts[j]
                sums.sizes[unit, rows[j]] += weight * missed * abs(parts[j])
            for again in range(plays[t] if chosen.newton[unit] >= 0 else 0):
                score = scores[played + again, unit, chosen.newton[unit]]
                rest = exponential(-abs(score))
                past = sign * score
                slope = rest / (1.0 + rest) if past >= 0 else 1.0 / (1.0 + rest)
                curve = chosen.kappas[unit] * rest / ((1.0 + rest) * (1.0 + rest))
                far = sign * (z - score)
                near = max(0.0, -past) + logarithm(1.0 + rest)
                add_carefully(sums.slacks[unit], each * (near - slope * far + 0.5 * curve * far * far - loss))
                terms = 1.0 + near + slope * abs(far) + curve * far * far + loss
                off = (1.0 + slope + curve * (abs(far) + error)) * error + 8.0 * more * LAST * terms
                sums.errors[unit, 1] += each * off
        played += plays[t]


@kernel
def measure_classes(
    chunk: Any, known: Any, flags: Any, weights: Array, entries: Any, work: Array, sums: Any, plays: Array
) -> None:
    """Add some rounds of a softmax over the classes that have started to the sums.

    With d_c the highest score less that of class c, and a_c = e^-d_c / (the sum of these), the loss of label y is
    d_y + ln(the sum), H(a) the logarithm of the sum and the sum of a_c d_c, and the pull of class c [c = y] - a_c.
    """
    first = chunk[0]
    codes = chunk[4]
    importance = chunk[5]
    starts = known[3]
    rows, parts = entries
    scores = work[0]
    shares = work[1]
    below = 0.0
    for t in range(codes.size):
        count = read_entries(chunk, t, known, flags, entries)
        code = codes[t]
        weight = plays[t] * (importance[t] / plays[t])
        highest = -np.inf
        error = 0.0
        many = 0
        for c in range(starts.size):
            if starts[c] <= first + t:
                scores[c], size = find_score(weights[c], count, entries)
                highest = max(highest, scores[c])
                error = max(error, (count + 4) * LAST * size)
                many = many + 1
        below = 0.0
        across = 0.0
        missed = 0.0
        for c in range(starts.size):
            shares[c] = exponential(scores[c] - highest) if starts[c] <= first + t else 0.0
            below += shares[c]
        for c in range(starts.size):
            shares[c] /= below
            far = highest - scores[c] if starts[c] <= first + t else 0.0
            across += shares[c] * far
            work[2, c] = shares[c] * (1.0 + far)  # of the size of what rounding may change
            missed += shares[c] if c != code else 0.0
        loss = (highest - scores[code]) + logarithm(below)
        spread = logarithm(below) + across
        room = (2.0 * many + 16.0) * LAST
        add_carefully(sums.losses[0], weight * loss)
        sums.errors[0, 0] += weight * ((4.0 * missed if error < 0.25 else 2.0) * error + room * (1.0 + loss))
        add_carefully(sums.entropies[0], weight * spread)
        sums.errors[0, 2] += weight * (room * (1.0 + many + spread))
        for c in range(starts.size):
            pull = (1.0 if c == code else 0.0) - shares[c]
            size = (2.0 * many + 16.0) * (work[2, c] + (1.0 if c == code else 0.0))
            for j in range(count if starts[c] <= first + t else 0):
                sums.pulls[c, rows[j]] += weight * pull * parts[j]
                sums.sizes[c, rows[j]] += weight * size * abs(parts[j])
