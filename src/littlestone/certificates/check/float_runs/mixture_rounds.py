"""Rounds of mixtures for log-loss, played again in their own floats: one unit for two classes, or one for each."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.mixture_members import (
    add_carefully,
    find_root,
    learn_first_order,
    learn_newton,
    look_ahead,
    rescale,
    score_first_order,
)
from littlestone.compiled import exponential, kernel, logarithm, long_rule, rule

LEAST = 1e-300  # a chance below this is charged as this


@long_rule
def read_row(units: Any, chunk: Any, t: int, hand: Any, known: Any) -> Any:
    """Write the entries of a round that are not 0, the constant first, in rows; how many, and whether a size grew.

    Newton members end with the round that has too many attributes for them.
    """
    indptr = chunk[0]
    columns = chunk[1]
    values = chunk[2]
    counts = units.counts
    count = 0
    new = 0
    for k in range(indptr[t], indptr[t + 1]):
        new += 1 if values[k] != 0 and units.places[columns[k]] == 0 else 0
    if counts[2] + new > known.limit:
        counts[3] = 0
    if known.constant:
        hand.rows[0], hand.values[0], hand.shrinks[0], count = 0, 1.0, 1.0, 1
    grown = False
    for k in range(indptr[t], indptr[t + 1]):
        value = np.float64(values[k])
        if value != 0:
            if units.places[columns[k]] == 0:
                units.places[columns[k]] = counts[2]
                counts[2] += 1
            row = units.places[columns[k]]
            value, shrink = fit_value(units.sizes, row, value, known.guard)
            hand.rows[count], hand.values[count], hand.shrinks[count] = row, value / units.sizes[row], shrink
            grown = grown or shrink != 1.0
            count += 1
    return count, grown


@long_rule
def fit_value(sizes: Array, row: int, value: float, guard: bool) -> Any:
    """Let the size of a row grow to a value, which the guard cuts first; the value, and the old size over the new."""
    largest = sizes[row]
    if guard and largest > 0:
        value = min(max(value, -2.0 * largest), 2.0 * largest)
    if abs(value) <= largest:
        return value, 1.0
    sizes[row] = abs(value)
    return value, (largest / abs(value) if largest > 0 else 1.0)


@long_rule
def shrink_rows(units: Any, hand: Any, count: int, known: Any) -> Any:
    """Put what was learned about attributes into units of their new sizes."""
    for j in range(count):
        row = hand.rows[j]
        factor = hand.shrinks[j]
        if factor != 1.0:
            for unit in range(units.weights.shape[0]):
                for k in range(units.sums.shape[2]):
                    units.sums[unit, row, k] = np.float64(units.sums[unit, row, k]) * factor
                    units.squares[unit, row, k] = np.float64(units.squares[unit, row, k]) * (factor * factor)
                for k in range(known.kappas.size if units.counts[3] else 0):
                    rescale(units, unit, k, row, factor, known.ridge)


@long_rule
def say(units: Any, unit: int, hand: Any, count: int, known: Any) -> Any:
    """Write what the members of a unit say, and what the mixture says."""
    score_first_order(units, unit, hand, count, known)
    first = known.rates.size + known.wealths.size
    active = first + (known.kappas.size if units.counts[3] else 0)
    for k in range(active - first):
        look_ahead(units, unit, k, hand, count)
        hand.scores[unit, first + k] = find_root(hand.ahead[unit, k], hand.spread[unit, k])
    total = 0.0
    yes = 0.0
    no = 0.0
    for k in range(active):
        total += units.weights[unit, k]
    for k in range(active):
        score = min(max(hand.scores[unit, k], -700.0), 700.0)
        rest = exponential(-abs(score))
        large = 1.0 / (1.0 + rest)
        hand.high[unit, k], hand.low[unit, k] = (large, rest * large) if score >= 0 else (rest * large, large)
        part = units.weights[unit, k] / total
        yes += part * hand.high[unit, k]
        no += part * hand.low[unit, k]
    hand.yes[unit], hand.no[unit] = yes, no


@rule
def lessen(weight: float, chance: float, importance: float) -> Any:
    """A weight of one that gave the label some chance, before all weights are made to add up to 1."""
    chance = max(chance, LEAST)
    return weight * (chance if importance == 1.0 else exponential(importance * logarithm(chance)))


@long_rule
def weigh(weights: Array, chances: Array, active: int, shared: float, importance: float) -> Any:
    """Weigh the members of a mixture anew by the chances that they gave, and share a part of all weight evenly."""
    total = 0.0
    for k in range(active):
        weights[k] = lessen(weights[k], chances[k], importance)
        total += weights[k]
    for k in range(weights.size):
        weights[k] = (1.0 - shared) * (weights[k] / total) + shared / active if k < active else 0.0


@long_rule
def learn(units: Any, unit: int, hand: Any, count: int, target: bool, importance: float, known: Any) -> Any:
    """Weigh the members of a unit anew, and teach them."""
    first = known.rates.size + known.wealths.size
    active = first + (known.kappas.size if units.counts[3] else 0)
    shared = 1.0 / (units.counts[0] + 1.0) if known.share and active > 1 else 0.0
    weigh(units.weights[unit], hand.high[unit] if target else hand.low[unit], active, shared, importance)
    learn_first_order(units, unit, hand, count, target, importance, known)
    for k in range(active - first):
        learn_newton(units, unit, k, hand, target, importance, known)


@long_rule
def note_scores(units: Any, hand: Any, known: Any, scores: Array) -> Any:
    """Write the scores of the Newton members of all units."""
    first = known.rates.size + known.wealths.size
    for unit in range(units.weights.shape[0]):
        for k in range(known.kappas.size if units.counts[3] else 0):
            scores[unit, k] = hand.scores[unit, first + k]


@kernel
def play_rounds(units: Any, chunk: Any, hand: Any, known: Any, scores: Array, guesses: Array, plays: Array) -> None:
    """Play rounds, of which only the first may have a new class, each as often as `plays` says."""
    codes = chunk[3]
    weights = chunk[4]
    counts = units.counts
    many = units.weights.shape[0]
    played = 0
    for t in range(codes.size):
        count, grown = read_row(units, chunk, t, hand, known)
        if grown:
            shrink_rows(units, hand, count, known)
        met = counts[1]
        code = codes[t]
        importance = weights[t] / plays[t]
        counts[1] = max(met, code + 1)
        for again in range(plays[t]):
            counts[0] += 1
            total = 0.0
            best = 0
            for unit in range(many):
                say(units, unit, hand, count, known)
            note_scores(units, hand, known, scores[played])
            for c in range(met if many > 1 else 0):
                total += hand.yes[c]
                best = c if hand.yes[c] > hand.yes[best] else best
            if many == 1:
                best = 1 if hand.yes[0] > hand.no[0] else 0
                chance = hand.yes[0] if code == 1 else hand.no[0]
            else:
                chance = hand.yes[code] / total if code < met else 1.0 / counts[0]
            if again == 0:
                guesses[t] = best
            add_carefully(units.losses[0], -importance * logarithm(max(chance, LEAST)))
            add_carefully(units.losses[1], importance * (1.0 - chance))
            for unit in range(many):
                learn(units, unit, hand, count, code == (1 if many == 1 else unit), importance, known)
            met = counts[1]
            played += 1
