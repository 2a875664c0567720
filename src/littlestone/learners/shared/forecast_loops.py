"""Forecast loops: the compiled loops of learners that say how likely each class is, members of a mixture side by side.

For two classes there is one unit, which says how likely class 1 is; for more there is one for each class, "this class
or not", and what is said is normalised. A unit is a Bayes mixture of members: AdaGrad with several rates, coins with
several first wealths, and Newton members while attributes are few. Each member learns from its own chances, and members
that gave the label little chance lose weight. Instead of units, or beside them, there may be a softmax.

A round is: look up the row, fit the sizes, score every unit, guess, and only then look at the label. To predict is the
same on a copy of the row's part of the table.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, array_kernel, exponential, late_kernel, logarithm, long_rule
from littlestone.learners.shared.first_order_members import make_first_order
from littlestone.learners.shared.forecast_bench import (
    LEAST_CHANCE,
    add_compensated,
    charge,
    choose,
    count_units,
    find_chance,
    lessen,
    weigh,
)
from littlestone.learners.shared.forecaster_state import (
    CLASSES,
    MATRICES,
    MET,
    PLAYS,
    ROUNDS,
    UNITS,
    UPDATES,
    WANTED,
    Form,
)
from littlestone.learners.shared.newton_members import copy_newton, look_ahead, rescale, solve_score, step_along
from littlestone.learners.shared.scale_free import copy_rows, enter, fit_sizes, look_up
from littlestone.learners.shared.softmax import make_softmax


class ForecastLoops(NamedTuple):
    """The compiled loops of learners with the same numbers of members."""

    replay: Callable[..., int]
    forecast: Callable[..., None]


TIMES = 2.0  # compiling these loops takes about this many times as long as compiling others


def count_forecasts(state: Any, rounds: int, params: Any) -> int:
    """How much there is to do in some rounds, in what plain Python does in three millionths of a second."""
    newton = params.kappas.size > 0 and state.counts[MATRICES] > 0 and state.places.size <= params.limit
    return int(rounds * state.weights.shape[0] * (150 if newton else 60))


@cache
def make_forecast_loops(rates: int, wealths: int, kappas: int, form: Form) -> ForecastLoops:
    """The loops for given numbers of AdaGrad members, coins and Newton members."""
    shrink_row, score_row, learn_row = rules = make_first_order(rates, wealths)
    first = rates + wealths
    members = rates + wealths + kappas
    width = 2 * rates + 3 * wealths
    has_units = form != "softmax"
    has_softmax = form != "units"
    step = 2 if form == "both" else 1
    score_classes, share_out, learn_classes = make_softmax(rules, first, members, width, step)

    @long_rule
    def fit(rows: Any, reading: Any, blocks: Any, count: Any, guard: Any) -> Any:
        """Let the sizes grow to a row's values; whether what was learned about an attribute has shrunk."""
        shrunk = fit_sizes(rows.sizes, rows.shift, reading, count, guard)
        if shrunk:
            for j in range(count):
                if reading.shrinks[j] != 1.0:
                    for block in range(blocks):
                        shrink_row(rows.reals, reading.starts[j] + U(rows.lead + block * width), reading.shrinks[j])
        return shrunk

    @long_rule
    def fit_newton(newton: Any, reading: Any, met: Any, count: Any, ridge: Any) -> Any:
        """Put the Newton members of all units into units of the sizes that have grown."""
        for j in range(count):
            if reading.shrinks[j] != 1.0:
                for own in range(newton.centres.shape[0]):
                    rescale(newton, own, met, reading.rows[j], reading.shrinks[j], ridge)

    @long_rule
    def ask_units(bench: Any, state: Any, active: Any, count: Any, params: Any) -> Any:
        """Write the scores of every member, and what each unit says."""
        (reals, _, lead, _, _), newton, reading, found = bench
        for unit in range(count_units(state)):
            block = unit * step
            score_row(reals, U(lead + block * width), reading, count, params.rates, found.scores, U(block * members))
            if active > first:
                for k in range(kappas):
                    own = unit * kappas + k
                    ahead, spread = look_ahead(newton, own, state.counts[MET], reading, count, params.ridge)
                    found.ahead[own], found.spread[own] = ahead, spread
                    found.scores[block * members + first + k] = solve_score(ahead, spread)
            total = 0.0
            yes = 0.0
            no = 0.0
            for k in range(active):
                total += state.weights[block, k]
            for k in range(active):
                at = block * members + k
                score = min(max(found.scores[at], -700.0), 700.0)
                rest = exponential(-abs(score))
                large = 1.0 / (1.0 + rest)
                high, low = (large, rest * large) if score >= 0 else (rest * large, large)
                found.high[at], found.low[at] = high, low
                part = state.weights[block, k] / total
                yes = yes + part * high
                no = no + part * low
            found.yes[block], found.no[block] = yes, no

    @long_rule
    def settle(found: Any, weights: Any, labels: Any, classes: Any) -> Any:
        """Write the parts of some classes: what their units say, or the softmax, or both, each by its weight."""
        if found.yes.size == 1:
            found.parts[0], found.parts[1] = found.no[0], found.yes[0]
            return
        if not has_softmax:
            for c in range(classes):
                found.parts[c] = found.yes[c]
            return
        share_out(found, weights, classes)
        total = 1.0
        own = 0.0
        other = 1.0
        if has_units:
            total = 0.0
            own = labels[0]
            other = labels[1]
            for c in range(classes):
                total += found.yes[c * step]
        for c in range(classes):
            found.parts[c] = own * (found.yes[c * step] / total) + other * found.yes[c * step + step - 1]

    @long_rule
    def ask_all(bench: Any, state: Any, active: Any, count: Any, params: Any) -> Any:
        """Write the scores of every member, and what each unit says."""
        if has_units:
            ask_units(bench, state, active, count, params)
        score_classes(bench, state.counts[CLASSES], count, params)

    @long_rule
    def learn_newton(
        newton: Any, found: Any, spent: Any, met: Any, unit: Any, target: Any, importance: Any, known: Any
    ) -> Any:
        """Teach a unit's Newton members, and note what their theorem charges; `known` are their factors kappa."""
        for k in range(kappas):
            own = unit * kappas + k
            at = unit * step * members + first + k
            spread = found.spread[own]
            behind = found.ahead[own] - found.scores[at]
            curve = importance * known[k] * found.high[at] * found.low[at]
            slope = importance * (-found.low[at] if target else found.high[at])
            below = 1.0 + curve * spread
            if spread > 0:
                missed = behind - spread * slope
                spent[own, 0] += (missed * missed / below - behind * behind) / (2.0 * spread)
                spent[own, 1] += logarithm(below) / (2.0 * known[k])
            step_along(newton, own, met, (-curve * behind - slope) / below, curve / below)

    @long_rule
    def learn_units(
        bench: Any, state: Any, active: Any, count: Any, label: Any, importance: Any, part: Any, params: Any
    ) -> Any:
        """Teach every unit the label of a row of which it has said something."""
        (reals, _, lead, _, _), newton, reading, found = bench
        units = count_units(state)
        met = state.counts[MET]
        for unit in range(units):
            target = label == (1 if units == 1 else unit)
            block = unit * step
            said = max(found.yes[block] if target else found.no[block], LEAST_CHANCE)
            add_compensated(state.losses, UNITS + block, -importance * logarithm(said))
            chances = found.high if target else found.low
            weigh(state.weights, block, chances, block * members, active, importance, part if active > 1 else 0.0)
            for k in range(first):
                at = block * members + k
                found.pulls[at] = importance * (found.low[at] if target else -found.high[at])
            learn_row(reals, U(lead + block * width), reading, count, found.pulls, U(block * members))
            if active > first:
                learn_newton(newton, found, state.spent, met, unit, target, importance, params.kappas)

    @long_rule
    def learn_all(
        bench: Any, state: Any, active: Any, count: Any, label: Any, importance: Any, part: Any, params: Any
    ) -> Any:
        """Teach units and softmax the label of a row of which they have said something."""
        found = bench.found
        if has_units:
            total = 0.0
            for c in range(state.counts[CLASSES]):
                total += found.yes[c * step]
            own = lessen(state.labels[0], found.yes[label * step] / total, importance)
            other = lessen(state.labels[1], found.yes[label * step + 1], importance)
            state.labels[0] = (1.0 - part) * (own / (own + other)) + 0.5 * part
            state.labels[1] = (1.0 - part) * (other / (own + other)) + 0.5 * part
            learn_units(bench, state, active, count, label, importance, part, params)
        learn_classes(bench, state, count, label, importance, part)

    say, learn = (ask_all, learn_all) if has_softmax else (ask_units, learn_units)

    @long_rule
    def note_members(found: Any, met: Any, active: Any, out: Array) -> Any:
        """Write the parts of the classes met, then those that each member gives them; the rest stays as it is."""
        wide = found.parts.size
        single = found.yes.size == 1
        for c in range(2 if single else met):
            out[c] = found.parts[c]
            for k in range(active if has_units else first):
                part = found.high[c * step * members + k] if not single else found.high[k] if c else found.low[k]
                out[wide + k * wide + c] = part

    @late_kernel(
        lambda bench, state, rounds, told, params: count_forecasts(state, rounds.labels.size, params),
        TIMES,
        array_kernel,
    )
    def replay(bench: Any, state: Any, rounds: Any, told: Array, params: Any) -> Any:
        """Play rounds up to one for which the table has no room; how many.

        `told` becomes the guesses, the chances that labels had and those that guesses had; where it has more rows, what
        all members said.
        """
        counts, (rows, newton, reading, found) = state.counts, bench
        for t in range(rounds.labels.size):
            count, new = look_up(state.places, rows, rounds, t, params.constant, reading)
            if (counts[MET] + np.int64(new)) * rows.stride > rows.reals.size:
                counts[WANTED] = counts[MET] + np.int64(new)
                return t
            if counts[MET] + np.int64(new) > params.limit:
                counts[MATRICES] = 0
            active = members if counts[MATRICES] else first
            if new > 0:
                enter(state.places, counts, rows.stride, reading, count)
            if fit(rows, reading, state.weights.shape[0], count, params.guard) and active > first:
                fit_newton(newton, reading, counts[MET], count, params.ridge)
            label = np.int64(rounds.labels[t])
            met = counts[CLASSES]
            importance = rounds.importance[t]
            plays = np.int64(np.ceil(importance)) if importance > 1.0 else 1
            counts[ROUNDS] += 1
            counts[UPDATES] += 1
            counts[CLASSES] = max(met, label + 1)
            for again in range(plays):
                say(bench, state, active, count, params)
                settle(found, state.weights, state.labels, met)
                if label < met:
                    chance = find_chance(found.parts, found.yes.size, met, label)
                else:
                    chance = 1.0 / (counts[PLAYS] + (2.0 if has_softmax else 1.0))
                if again == 0:
                    guess = choose(found.parts, met)
                    told[0, t], told[1, t] = guess, chance
                    told[2, t] = find_chance(found.parts, found.yes.size, met, guess) if met > 0 else 0.0
                    if told.shape[0] > 3:
                        note_members(found, met, active, told[3:, t])
                if has_softmax and label < met:
                    chance *= 1.0 - 1.0 / (counts[PLAYS] + 2.0)  # the rest is for a class that was not met
                charge(state.losses, chance, importance / plays)
                if label >= met:
                    met = counts[CLASSES]
                    if has_softmax:
                        share_out(found, state.weights, met)  # learned with the new class among the others
                counts[PLAYS] += 1
                part = 1.0 / (counts[PLAYS] + 1.0) if params.share else 0.0
                learn(bench, state, active, count, label, importance / plays, part, params)
        return rounds.labels.size

    @late_kernel(
        lambda table, bench, state, rounds, out, params: count_forecasts(state, len(out), params), TIMES, array_kernel
    )
    def forecast(table: Any, bench: Any, state: Any, rounds: Any, out: Array, params: Any) -> None:
        """Write the part of each class in each row; `bench` has copies of all that may change."""
        counts, (rows, newton, reading, found) = state.counts, bench
        changed = True
        for t in range(out.shape[0]):
            if changed:
                copy_newton(state.centres, state.matrices, newton)
            count, new = look_up(state.places, table, rounds, t, params.constant, reading)
            active = members if counts[MATRICES] and counts[MET] + np.int64(new) <= params.limit else first
            copy_rows(table, reading, count, rows.reals)
            changed = fit(rows, reading, state.weights.shape[0], count, params.guard) and active > first
            if changed:
                fit_newton(newton, reading, counts[MET], count, params.ridge)
            say(bench, state, active, count, params)
            settle(found, state.weights, state.labels, counts[CLASSES])
            if out.shape[1] > found.parts.size:
                note_members(found, counts[CLASSES], active, out[t])
            else:
                for c in range(out.shape[1]):
                    out[t, c] = found.parts[c]

    return ForecastLoops(replay, forecast)
