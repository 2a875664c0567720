"""Calibration: fixed readings of what a member says, each a chance for every class met; none looks at the label first.

A score s of two classes is read by ten slopes, the chance of class 1 being the logistic function of 2^a s / m for
a = -2..7, m the mean size of its earlier scores, and by a table of 32 cells, sign and half octave of |s| / m, with the
estimate (n_y + 1/2) / (n + 1) of Krichevsky and Trofimov in each. Scores of two classes are read as their difference;
those of more by a soft maximum with the same slopes, and by a table whose cell is the guess and the octave of its lead;
a label by a table whose cell is the guess; a probability as it is, and its logarithms as scores. Chances are kept from
10^-6 on.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import exponential, float_to_bits, logarithm, long_rule, rule
from littlestone.game.league.books import (
    CELLS,
    CHANCE,
    LABEL,
    MET,
    OCTAVES,
    PROBABILITY,
    SCORE,
    SLOPES,
)

LEAST = 1e-6  # the least chance that a reading gives a class
# the bits of a fraction, and those of the root of two less one
MANTISSA = 2**52 - 1
ROOT = 0x6A09E667F3BCD
TABLES = OCTAVES  # rows of a table of classes for each guess


@rule
def clip(chance: Any) -> Any:
    """A chance of one of two classes that leaves the other one some."""
    return min(max(chance, LEAST), 1.0 - LEAST)


@rule
def find_half_octave(ratio: Any) -> Any:
    """The whole part of 2 lg(ratio), from the bits of the float; far below for 0."""
    bits = float_to_bits(np.float64(ratio))
    half = 2 * ((bits >> 52) - 1023) + (1 if (bits & MANTISSA) >= ROOT else 0)
    return half if ratio > 0 else np.int64(-4096)


@rule
def find_scale(sizes: Array, i: Any) -> Any:
    """The mean size of a member's earlier scores; 1 before there is one that is not zero."""
    return sizes[i, 0] / sizes[i, 1] if sizes[i, 0] > 0 else 1.0


@long_rule
def read_score(books: Any, bench: Any, i: Any, e: Any, score: Any) -> Any:
    """Write the readings of a score of two classes from reading e on; each slope squares the odds of the one before."""
    ratio = score / find_scale(books.sizes, i)
    no = bench.chances[0]
    yes = bench.chances[1]
    odds = exponential(-0.25 * ratio)
    for a in range(SLOPES):
        yes[e + a] = clip(1.0 / (1.0 + odds))
        odds *= odds
    size = min(max(find_half_octave(abs(ratio)) + 8, 0), CELLS // 2 - 1)
    cell = size + (CELLS // 2 if score > 0 else 0)
    misses = books.cells[i, cell, 0]
    hits = books.cells[i, cell, 1]
    yes[e + SLOPES] = clip((hits + 0.5) / (hits + misses + 1.0))
    for a in range(SLOPES + 1):
        no[e + a] = 1.0 - yes[e + a]
    bench.places[i] = cell


@long_rule
def spread_chances(chances: Array, e: Any, met: Any) -> Any:
    """Make the numbers of a reading add up to 1, none of them below the least chance."""
    total = 0.0
    floored = 0.0
    for c in range(met):
        total += chances[c, e]
    for c in range(met):
        chances[c, e] = max(chances[c, e] / total, LEAST)
        floored += chances[c, e]
    for c in range(met):
        chances[c, e] /= floored


@long_rule
def read_table(books: Any, bench: Any, i: Any, e: Any, cell: Any, met: Any) -> Any:
    """Write the reading of a table of classes: Dirichlet's estimate with halves in its cell."""
    total = 0.0
    counts = books.classes
    for c in range(met):
        total += counts[i, cell, c]
    for c in range(met):
        bench.chances[c, e] = (counts[i, cell, c] + 0.5) / (total + 0.5 * met)
    spread_chances(bench.chances, e, met)
    bench.places[i] = cell


@long_rule
def read_scores(books: Any, bench: Any, i: Any, e: Any, met: Any) -> Any:
    """Write the readings of the scores of classes in `bench.scores`; the lead of the best over the next."""
    scores = bench.scores
    chances = bench.chances
    if met == 2:
        read_score(books, bench, i, e, scores[1] - scores[0])
        return abs(scores[1] - scores[0])
    best = 0
    second = -np.inf
    for c in range(1, met):
        if scores[c] > scores[best]:
            best = c
    for c in range(met):
        if c != best:
            second = max(second, scores[c])
    scale = find_scale(books.sizes, i)
    top = scores[best]
    lead = top - second
    for c in range(met):
        scores[c] = exponential(0.25 * ((scores[c] - top) / scale))
    for a in range(SLOPES):
        for c in range(met):
            chances[c, e + a] = scores[c]
            scores[c] *= scores[c]
        spread_chances(chances, e + a, met)
    octave = min(max((find_half_octave(lead / scale) >> 1) + 4, 0), OCTAVES - 1)
    read_table(books, bench, i, e + SLOPES, best * TABLES + octave, met)
    return lead


@long_rule
def take_scores(said: Array, bench: Any, column: Any, t: Any, met: Any) -> Any:
    """Copy what a member says of each class; the class of the largest number, or -1 if one is not finite."""
    best = 0
    for c in range(met):
        bench.scores[c] = said[column + c, t]
        if not np.isfinite(bench.scores[c]):
            return -1
        if bench.scores[c] > bench.scores[best]:
            best = c
    return best


@long_rule
def read_member(books: Any, bench: Any, layout: Any, said: Array, i: Any, t: Any) -> Any:
    """Write the readings of member i, whether it is awake and what it guesses; the size of its score."""
    kind = layout.kinds[i]
    column = layout.columns[i]
    e = layout.readings[i]
    met = books.counts[MET]
    bench.awake[i], bench.places[i] = False, -1
    if kind == SCORE:
        score = said[column, t]
        if met > 2 or not np.isfinite(score):
            return 0.0
        bench.awake[i], bench.guesses[i] = True, 1 if score > 0 else 0
        read_score(books, bench, i, e, score)
        return abs(score)
    if kind == LABEL:
        label = said[column, t]
        if not (0 <= label < met):
            return 0.0
        bench.awake[i], bench.guesses[i] = True, np.int64(label)
        read_table(books, bench, i, e, np.int64(label) * TABLES, met)
        return 0.0
    best = take_scores(said, bench, column, t, met)
    if best < 0:
        return 0.0
    bench.awake[i], bench.guesses[i] = True, best
    if kind in (PROBABILITY, CHANCE):
        total = 0.0
        for c in range(met):
            bench.chances[c, e] = max(bench.scores[c], 0.0)
            total += bench.chances[c, e]
        if not (0 < total < np.inf):
            bench.awake[i] = False
            return 0.0
        if met == 2:
            bench.chances[1, e] = clip(bench.chances[1, e] / total)
            bench.chances[0, e] = 1.0 - bench.chances[1, e]
        else:
            spread_chances(bench.chances, e, met)
        if kind == CHANCE:
            return 0.0
        for c in range(met):
            bench.scores[c] = logarithm(bench.chances[c, e])
        e += 1
    return read_scores(books, bench, i, e, met)


@long_rule
def learn_member(books: Any, bench: Any, layout: Any, i: Any, label: Any, size: Any) -> Any:
    """Count the label in the cell that member i spoke from, and its score among the sizes."""
    kind = layout.kinds[i]
    place = bench.places[i]
    if place < 0:
        return
    if kind != LABEL and books.counts[MET] == 2:
        if label < 2:
            books.cells[i, place, label] += 1.0
    else:
        books.classes[i, place, label] += 1.0
    if kind != LABEL:
        books.sizes[i, 0] += size
        books.sizes[i, 1] += 1.0
