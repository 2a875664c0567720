"""Calibration: fixed readings of what a member says, each a chance for every class met; none looks at the label first.

A score s of two classes is read by ten slopes, the chance of class 1 being the logistic function of 2^a s / m for
a = -2..7, m the mean size of its earlier scores, and by a table of 32 cells, sign and half octave of |s| / m, with the
estimate (n_y + 1/2) / (n + 1) of Krichevsky and Trofimov in each. Scores of classes are read by a soft maximum with
eight slopes and by a table whose cell is the guess and the octave of its lead; a label by a table whose cell is the
guess; a probability as it is, and its logarithms as scores. Chances are kept from 10^-6 on.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import exponential, float_to_bits, logarithm, long_rule, rule
from littlestone.game.league.books import (
    CELLS,
    CHANCE,
    CLASS_SLOPES,
    LABEL,
    MET,
    OCTAVES,
    PROBABILITY,
    SCORE,
    SLOPES,
)

LEAST = 1e-6  # the least chance that a reading gives a class
FARTHEST = 30.0  # the largest logarithm of odds
MANTISSA, ROOT = 2**52 - 1, 0x6A09E667F3BCD  # the bits of a fraction, and those of the root of two less one
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
    """Write the readings of a score of two classes from reading e on."""
    ratio, chances = score / find_scale(books.sizes, i), bench.chances
    steep = 0.25 * ratio
    for a in range(SLOPES):
        odds = min(max(steep, -FARTHEST), FARTHEST)
        chances[e + a, 1] = clip(1.0 / (1.0 + exponential(-odds)))
        steep *= 2.0
    size = min(max(find_half_octave(abs(ratio)) + 8, 0), CELLS // 2 - 1)
    cell = size + (CELLS // 2 if score > 0 else 0)
    no, yes = books.cells[i, cell, 0], books.cells[i, cell, 1]
    chances[e + SLOPES, 1] = clip((yes + 0.5) / (yes + no + 1.0))
    for a in range(SLOPES + 1):
        chances[e + a, 0] = 1.0 - chances[e + a, 1]
    bench.places[i] = cell


@long_rule
def spread_chances(chances: Array, e: Any, met: Any) -> Any:
    """Make the numbers of a reading add up to 1, none of them below the least chance."""
    total, floored = 0.0, 0.0
    for c in range(met):
        total += chances[e, c]
    for c in range(met):
        chances[e, c] = max(chances[e, c] / total, LEAST)
        floored += chances[e, c]
    for c in range(met):
        chances[e, c] /= floored


@long_rule
def read_table(books: Any, bench: Any, i: Any, e: Any, cell: Any, met: Any) -> Any:
    """Write the reading of a table of classes: Dirichlet's estimate with halves in its cell."""
    total, counts = 0.0, books.classes
    for c in range(met):
        total += counts[i, cell, c]
    for c in range(met):
        bench.chances[e, c] = (counts[i, cell, c] + 0.5) / (total + 0.5 * met)
    spread_chances(bench.chances, e, met)
    bench.places[i] = cell


@long_rule
def read_scores(books: Any, bench: Any, i: Any, e: Any, slopes: Any, met: Any) -> Any:
    """Write the readings of the scores of classes in `bench.scores`; the lead of the best over the next."""
    scores, chances = bench.scores, bench.chances
    best, second = 0, -np.inf
    for c in range(1, met):
        if scores[c] > scores[best]:
            best = c
    for c in range(met):
        if c != best:
            second = max(second, scores[c])
    scale = find_scale(books.sizes, i)
    lead, steep = scores[best] - second, 0.25
    for a in range(slopes):
        for c in range(met):
            chances[e + a, c] = exponential(max(steep * ((scores[c] - scores[best]) / scale), -FARTHEST))
        spread_chances(chances, e + a, met)
        steep *= 2.0
    octave = min(max((find_half_octave(lead / scale) >> 1) + 4, 0), OCTAVES - 1)
    read_table(books, bench, i, e + slopes, best * TABLES + octave, met)
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
    kind, column, e, met = layout.kinds[i], layout.columns[i], layout.readings[i], books.counts[MET]
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
            bench.chances[e, c] = max(bench.scores[c], 0.0)
            total += bench.chances[e, c]
        if not (0 < total < np.inf):
            bench.awake[i] = False
            return 0.0
        if met == 2:
            bench.chances[e, 1] = clip(bench.chances[e, 1] / total)
            bench.chances[e, 0] = 1.0 - bench.chances[e, 1]
        else:
            spread_chances(bench.chances, e, met)
        if kind == CHANCE:
            return 0.0
        if met == 2:
            score = logarithm(bench.chances[e, 1]) - logarithm(bench.chances[e, 0])
            read_score(books, bench, i, e + 1, score)
            return abs(score)
        for c in range(met):
            bench.scores[c] = logarithm(bench.chances[e, c])
        return read_scores(books, bench, i, e + 1, SLOPES, met)
    return read_scores(books, bench, i, e, CLASS_SLOPES, met)


@long_rule
def learn_member(books: Any, bench: Any, layout: Any, i: Any, label: Any, size: Any) -> Any:
    """Count the label in the cell that member i spoke from, and its score among the sizes."""
    kind, place = layout.kinds[i], bench.places[i]
    if place < 0:
        return
    if kind == SCORE or (kind == PROBABILITY and books.counts[MET] == 2):
        if label < 2:
            books.cells[i, place, label] += 1.0
    else:
        books.classes[i, place, label] += 1.0
    if kind != LABEL:
        books.sizes[i, 0] += size
        books.sizes[i, 1] += 1.0
