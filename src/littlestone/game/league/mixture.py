"""Mixture: what a league serves, and how the weights of all readings of its members move; one compiled loop.

Levels k have weights w_k over all N readings, and weights v themselves. In round t, before anything is said,

    w_k <- (1 - a) w_k + a / N, a being 1/t or the rate of the level; v <- (1 - 1/t) v + (1/t) / R,

then level k says the mean q_k of the readings that are awake, and p = the sum of v_k q_k is served. With the label y of
the round w_k is multiplied by p_e(y) / q_k(y) for each reading e that is awake, and v by q_k(y) / p(y).

Theorem. On every stretch of rounds up to round q, for every reading, the loss -ln p(y) of what is served is at most
that of the reading + ln N + ln R + 2 ln q; with one level, + ln N + ln q; without sharing, from round 1 on, + ln N.

Proof. The mixture is Bayes over sequences of readings, with a prior by which one stays with chance 1 - a and goes to
each with a / N. Before round r a reading has weight 1 / (r N) at least, and keeps r / q of it on the stretch. A reading
that sleeps is one that says q_k. The levels are mixed in the same way.

D. Adamskiy, W. M. Koolen, A. Chernov and V. Vovk. A closer look at adaptive regret. Algorithmic Learning Theory, 2012.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, dense_dot, exponential, kernel, logarithm, long_rule
from littlestone.game.league.account import choose_guess, settle
from littlestone.game.league.books import CARRY, CHARGED, COINS, FOLD, LOSS, MET, MISTAKES, ROUNDS
from littlestone.game.league.calibration import learn_member, read_member


@long_rule
def share_weights(books: Any, bench: Any, rules: Any) -> Any:
    """Write the weights of readings and levels after this round's share."""
    weights = books.weights
    shared = bench.shared
    now = np.float64(books.counts[CHARGED] + 1)
    levels, readings = weights.shape
    for k in range(levels):
        rate = rules.rates[k] if rules.rates[k] > 0 else 1.0 / now
        rate = 0.0 if rules.still or now == 1.0 else rate
        keep = 1.0 - rate
        even = rate / readings
        for e in range(readings):
            shared[k, e] = keep * weights[k, e] + even
        rate = 0.0 if rules.still or now == 1.0 else 1.0 / now
        bench.levels[k] = (1.0 - rate) * books.levels[k] + rate / levels


@long_rule
def mix_level(bench: Any, k: Any, met: Any) -> Any:
    """Write what level k says of each class: the mean of the readings that are awake."""
    shared = bench.shared[k]
    told = bench.told
    readings = U(bench.stirred.size)
    total = dense_dot(bench.stirred, shared, U(0), readings)
    for c in range(1 if met == 2 else 0, met):
        told[k, c] = dense_dot(bench.chances[c], shared, U(0), readings) / total
    if met == 2:
        told[k, 0] = 1.0 - told[k, 1]


@long_rule
def mix(books: Any, bench: Any, rules: Any, awake: Any) -> Any:
    """Write what is served of each class met; the class of the largest chance, the first of them."""
    met = books.counts[MET]
    said = bench.said
    told = bench.told
    levels = bench.levels.size
    if not awake:  # no member to follow: labels alone
        total = 0.0
        for c in range(met):
            total += books.labels[c]
        for c in range(met):
            said[c] = (books.labels[c] + 0.5) / (total + 0.5 * met)
    else:
        share_weights(books, bench, rules)
        for c in range(met):
            said[c] = 0.0
        for k in range(levels):
            mix_level(bench, k, met)
            for c in range(1, met):
                said[c] += bench.levels[k] * told[k, c]
            if met > 2:
                said[0] += bench.levels[k] * told[k, 0]
        if met == 2:
            said[0] = 1.0 - said[1]
    best = 0
    for c in range(1, met):
        if said[c] > said[best]:
            best = c
    return best


@long_rule
def weigh(books: Any, bench: Any, label: Any, power: Any) -> Any:
    """Move the weights by the chances that the label was given, to some power; those of sleepers stay."""
    given = bench.chances[label]
    stirred = bench.stirred
    readings = bench.stirred.size
    levels = bench.levels.size
    above = 0.0
    for k in range(levels):
        weights = books.weights[k]
        shared = bench.shared[k]
        base = bench.told[k, label]
        if power == 1.0:
            for e in range(readings):
                weights[e] = shared[e] * (given[e] + (1.0 - stirred[e]) * base)
        else:
            for e in range(readings):
                factor = (given[e] + (1.0 - stirred[e]) * base) / base
                weights[e] = shared[e] * exponential(power * logarithm(factor))
        scale = 1.0 / dense_dot(bench.ones, weights, U(0), U(readings))
        for e in range(readings):
            weights[e] *= scale
        factor = base / bench.said[label]
        books.levels[k] = bench.levels[k] * (factor if power == 1.0 else exponential(power * logarithm(factor)))
        above += books.levels[k]
    for k in range(levels):
        books.levels[k] /= above


@long_rule
def charge(books: Any, bench: Any, label: Any, importance: Any, told: Any, t: Any) -> Any:
    """Charge the league and every reading for a round, and write down the chances that its label was given."""
    sums = books.sums
    loss = -importance * logarithm(bench.said[label])
    total = sums[LOSS] + loss
    sums[CARRY] += (sums[LOSS] - total) + loss if sums[LOSS] >= loss else (loss - total) + sums[LOSS]
    sums[LOSS] = total
    level = bench.told[0, label]
    told.chances[t], told.level[t] = bench.said[label], level
    given = bench.chances[label]
    stirred = bench.stirred
    spent = books.spent
    pending = books.pending
    readings = stirred.size
    for e in range(readings if importance == 1.0 else 0):
        pending[e] *= given[e] + (1.0 - stirred[e]) * level
    for e in range(readings if importance != 1.0 else 0):
        spent[e] -= importance * logarithm(given[e] + (1.0 - stirred[e]) * level)
    for e in range(readings if (books.counts[CHARGED] + 1) % FOLD == 0 else 0):
        spent[e] -= logarithm(pending[e])
        pending[e] = 1.0
    for e in range(readings if told.panel.shape[0] > 0 else 0):
        if stirred[e] > 0:
            told.panel[t, e] = given[e]


@long_rule
def stir(bench: Any, layout: Any, i: Any, met: Any) -> Any:
    """Mark the readings of member i as awake, or as asleep and without a chance for any class."""
    awake = bench.awake[i]
    for e in range(layout.readings[i], layout.readings[i + 1]):
        bench.stirred[e] = 1.0 if awake else 0.0
    if not awake:
        for c in range(met):
            for e in range(layout.readings[i], layout.readings[i + 1]):
                bench.chances[c, e] = 0.0


@long_rule
def ask(books: Any, bench: Any, layout: Any, said: Array, t: Any, sizes: Array, rules: Any) -> Any:
    """Read what the members say of a round, and write what is served.

    Returns:
        The class that is served, and whether a coin chose it.
        Whether a member is awake.
        The class of the largest chance.
    """
    members = layout.kinds.size
    met = books.counts[MET]
    awake = False
    for i in range(members):
        sizes[i] = read_member(books, bench, layout, said, i, t)
        stir(bench, layout, i, met)
        awake = awake or bench.awake[i]
    best = mix(books, bench, rules, awake)
    for i in range(members):
        if not bench.awake[i]:
            bench.guesses[i] = best
    guess, coin = choose_guess(books, bench, best, rules)
    return guess, coin, awake, best


@long_rule
def note_weights(books: Any, layout: Any, out: Array) -> Any:
    """Write how much each member weighs: its readings, over all levels."""
    for i in range(layout.kinds.size):
        out[i] = 0.0
        for k in range(books.levels.size):
            for e in range(layout.readings[i], layout.readings[i + 1]):
                out[i] += books.levels[k] * books.weights[k, e]


@kernel
def play(
    books: Any,
    bench: Any,
    layout: Any,
    said: Array,
    labels: Array,
    importance: Array,
    rules: Any,
    told: Any,
    sizes: Array,
) -> None:
    """Play rounds whose labels are known: what each member says of round t is in column t of `said`."""
    counts = books.counts
    members = layout.kinds.size
    noted = 0
    for t in range(labels.size):
        met = counts[MET]
        label = np.int64(labels[t])
        guess, coin, awake, best = ask(books, bench, layout, said, t, sizes, rules)
        told.guesses[t], told.flags[t] = guess, coin
        for i in range(members):
            books.missed[i, 0] += bench.guesses[i] != label
            books.missed[i, 1] += not bench.awake[i]
            if told.right.shape[0] > 0:
                told.right[t, i] = bench.guesses[i] == label
        settle(books, bench, guess, label, coin, best)
        if label < met and awake:
            weight = importance[t] if importance.size > 0 else 1.0
            charge(books, bench, label, weight, told, t)
            weigh(books, bench, label, weight / rules.most)
            counts[CHARGED] += 1
        for i in range(members):
            learn_member(books, bench, layout, i, label, sizes[i])
        books.labels[label] += 1.0
        counts[ROUNDS] += 1
        counts[MISTAKES] += guess != label
        counts[COINS] += coin
        counts[MET] = max(met, label + 1)
        if counts[ROUNDS] % told.stride == 0:
            note_weights(books, layout, told.history[noted])
            noted += 1


@kernel
def forecast(books: Any, bench: Any, layout: Any, said: Array, rules: Any, sizes: Array, out: Array) -> Any:
    """Write what would be served of each class met in the coming round; the class that would be guessed."""
    guess, _, _, _ = ask(books, bench, layout, said, 0, sizes, rules)
    for c in range(min(books.counts[MET], out.size)):
        out[c] = bench.said[c]
    return guess
