"""Forecast loops: the compiled loops of learners that say how likely each class is, members of a mixture side by side.

For two classes there is one unit, which says how likely class 1 is; for more there is one for each class, "this class
or not", and what is said is normalised. A unit is a Bayes mixture of members: AdaGrad with several rates, coins with
several first wealths, and Newton members while attributes are few. Each member learns from its own chances, and members
that gave the label little chance lose weight.

A round is: look up the row, fit the sizes, score every unit, guess, and only then look at the label. To predict is the
same on a copy of the row's part of the table.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, exponential, kernel, logarithm, long_rule
from littlestone.learners.shared.first_order_members import make_first_order
from littlestone.learners.shared.forecast_bench import add_compensated, choose, count_units, find_chance
from littlestone.learners.shared.forecaster_state import (
    CLASSES,
    EXPECTED,
    MATRICES,
    MET,
    PLAYS,
    ROUNDS,
    SAID,
    UNITS,
    UPDATES,
    WANTED,
)
from littlestone.learners.shared.newton_members import copy_newton, look_ahead, rescale, solve_score, step_along
from littlestone.learners.shared.scale_free import copy_rows, enter, fit_size, look_up

LEAST_CHANCE = 1e-300  # a member that gave the label less is charged for this


class ForecastLoops(NamedTuple):
    """The compiled loops of learners with the same numbers of members."""

    replay: Callable[..., int]
    forecast: Callable[..., None]


@cache
def make_forecast_loops(rates: int, wealths: int, kappas: int) -> ForecastLoops:
    """The loops for given numbers of AdaGrad members, coins and Newton members."""
    shrink_row, score_row, learn_row = make_first_order(rates, wealths)
    first, members, width = rates + wealths, rates + wealths + kappas, 2 * rates + 3 * wealths

    @long_rule
    def fit(bench: Any, units: Any, count: Any, params: Any) -> Any:
        """Let the sizes grow to a row's values; whether what was learned about an attribute has shrunk."""
        shrunk, rows, reading = False, bench.rows, bench.reading
        for j in range(count):
            place = reading.starts[j]
            factor = fit_size(rows.sizes, place >> rows.shift, reading, j, params.guard)
            if factor != 1.0:
                shrunk = True
                for unit in range(units):
                    shrink_row(rows.reals, place + U(rows.lead + unit * width), factor)
        return shrunk

    @long_rule
    def fit_newton(bench: Any, units: Any, met: Any, count: Any, params: Any) -> Any:
        """Put the Newton members of all units into units of the sizes that have grown."""
        reading = bench.reading
        for j in range(count):
            if reading.shrinks[j] != 1.0:
                for own in range(units * kappas):
                    rescale(bench.newton, own, met, reading.rows[j], reading.shrinks[j], params.ridge)

    @long_rule
    def say(bench: Any, state: Any, active: Any, count: Any, params: Any) -> Any:
        """Write the scores of every member, and what each unit says."""
        (reals, _, lead, _, _), newton, reading, found = bench
        for unit in range(count_units(state)):
            score_row(reals, U(lead + unit * width), reading, count, params.rates, found.scores, U(unit * members))
            if active > first:
                for k in range(kappas):
                    own = unit * kappas + k
                    ahead, spread = look_ahead(newton, own, state.counts[MET], reading, count, params.ridge)
                    found.ahead[own], found.spread[own] = ahead, spread
                    found.scores[unit * members + first + k] = solve_score(ahead, spread)
            total, yes, no = 0.0, 0.0, 0.0
            for k in range(active):
                total += state.weights[unit, k]
            for k in range(active):
                at = unit * members + k
                score = min(max(found.scores[at], -700.0), 700.0)
                rest = exponential(-abs(score))
                large = 1.0 / (1.0 + rest)
                high, low = (large, rest * large) if score >= 0 else (rest * large, large)
                found.high[at], found.low[at] = high, low
                part = state.weights[unit, k] / total
                yes, no = yes + part * high, no + part * low
            found.yes[unit], found.no[unit] = yes, no

    @long_rule
    def weigh(state: Any, unit: Any, active: Any, target: Any, importance: Any, part: Any, found: Any) -> Any:
        """Let members that gave the label little chance lose weight, and share a part of all weight among all."""
        total, weights = 0.0, state.weights
        for k in range(active):
            at = unit * members + k
            chance = max(found.high[at] if target else found.low[at], LEAST_CHANCE)
            weights[unit, k] *= chance if importance == 1.0 else exponential(importance * logarithm(chance))
            total += weights[unit, k]
        for k in range(active):
            weights[unit, k] = (1.0 - part) * (weights[unit, k] / total) + part / active
        for k in range(active, members):
            weights[unit, k] = 0.0

    @long_rule
    def learn_newton(bench: Any, state: Any, unit: Any, target: Any, importance: Any, params: Any) -> Any:
        """Teach a unit's Newton members, and note what their theorem charges."""
        found = bench.found
        for k in range(kappas):
            own, at = unit * kappas + k, unit * members + first + k
            spread, behind = found.spread[own], found.ahead[own] - found.scores[at]
            curve = importance * params.kappas[k] * found.high[at] * found.low[at]
            slope = importance * (-found.low[at] if target else found.high[at])
            below = 1.0 + curve * spread
            if spread > 0:
                missed = behind - spread * slope
                state.spent[own, 0] += (missed * missed / below - behind * behind) / (2.0 * spread)
                state.spent[own, 1] += logarithm(below) / (2.0 * params.kappas[k])
            step_along(bench.newton, own, state.counts[MET], (-curve * behind - slope) / below, curve / below)

    @long_rule
    def learn(bench: Any, state: Any, active: Any, count: Any, label: Any, importance: Any, params: Any) -> Any:
        """Teach every unit the label of a row of which it has said something."""
        (reals, _, lead, _, _), _, reading, found = bench
        counts = state.counts
        counts[PLAYS] += 1
        part = 1.0 / (counts[PLAYS] + 1.0) if params.share and active > 1 else 0.0
        units = count_units(state)
        for unit in range(units):
            target = label == (1 if units == 1 else unit)
            said = max(found.yes[unit] if target else found.no[unit], LEAST_CHANCE)
            add_compensated(state.losses, UNITS + unit, -importance * logarithm(said))
            weigh(state, unit, active, target, importance, part, found)
            for k in range(first):
                at = unit * members + k
                found.pulls[at] = importance * (found.low[at] if target else -found.high[at])
            learn_row(reals, U(lead + unit * width), reading, count, found.pulls, U(unit * members))
            if active > first:
                learn_newton(bench, state, unit, target, importance, params)

    @long_rule
    def play(bench: Any, state: Any, rounds: Any, told: Array, params: Any) -> Any:
        """Play rounds up to one for which the table has no room; how many.

        `told` becomes the guesses, and the chances that the labels had.
        """
        counts, units = state.counts, state.weights.shape[0]
        for t in range(rounds.labels.size):
            count, new = look_up(state.places, bench.rows, rounds, t, params.constant, bench.reading)
            if (counts[MET] + np.int64(new)) * bench.rows.stride > bench.rows.reals.size:
                counts[WANTED] = counts[MET] + np.int64(new)
                return t
            if counts[MET] + np.int64(new) > params.limit:
                counts[MATRICES] = 0
            active = members if counts[MATRICES] else first
            if new > 0:
                enter(bench, state, count)
            if fit(bench, units, count, params) and active > first:
                fit_newton(bench, units, counts[MET], count, params)
            label, met = np.int64(rounds.labels[t]), counts[CLASSES]
            importance = rounds.importance[t]
            plays = np.int64(np.ceil(importance)) if importance > 1.0 else 1
            counts[ROUNDS] += 1
            counts[UPDATES] += 1
            counts[CLASSES] = max(met, label + 1)
            for again in range(plays):
                say(bench, state, active, count, params)
                chance = find_chance(bench.found, met, label) if label < met else 1.0 / counts[ROUNDS]
                add_compensated(state.losses, SAID, -importance / plays * logarithm(max(chance, LEAST_CHANCE)))
                add_compensated(state.losses, EXPECTED, importance / plays * (1.0 - chance))
                if again == 0:
                    told[0, t], told[1, t] = choose(bench.found, met), chance
                learn(bench, state, active, count, label, importance / plays, params)
        return rounds.labels.size

    @kernel
    def replay(bench: Any, state: Any, rounds: Any, told: Array, params: Any) -> Any:
        return play(bench, state, rounds, told, params)

    @long_rule
    def ask(table: Any, bench: Any, state: Any, rounds: Any, out: Array, params: Any) -> Any:
        """Write how likely each class is in each row by its unit; `bench` has copies of all that may change."""
        counts, units, reading, found = state.counts, state.weights.shape[0], bench.reading, bench.found
        changed = True
        for t in range(out.shape[0]):
            if changed:
                copy_newton(state, bench.newton)
            count, new = look_up(state.places, table, rounds, t, params.constant, reading)
            active = members if counts[MATRICES] and counts[MET] + np.int64(new) <= params.limit else first
            copy_rows(table, reading, count, bench.rows.reals)
            changed = fit(bench, units, count, params) and active > first
            if changed:
                fit_newton(bench, units, counts[MET], count, params)
            say(bench, state, active, count, params)
            if units == 1:
                out[t, 0], out[t, 1] = found.no[0], found.yes[0]
            else:
                for unit in range(counts[CLASSES]):
                    out[t, unit] = found.yes[unit]

    @kernel
    def forecast(table: Any, bench: Any, state: Any, rounds: Any, out: Array, params: Any) -> None:
        ask(table, bench, state, rounds, out, params)

    return ForecastLoops(replay, forecast)
