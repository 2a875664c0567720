"""A softmax for log-loss, played again in its own floats, alone or mixed with one unit a class.

A member of a softmax has a vector for each class, and gives class c the chance e^(s_c) / (the sum of e^(s_d) over the
classes met); what it says is mixed by one row of weights for all classes. What is said of a class is over the sum of
what is said of those met; 1 / (t + 1) of it is kept for a class not met in play t, which is what such a class is given.
A round with a new class is learned with that class among the others. Units and a softmax are mixed by two weights, as
members are.
"""

from typing import Any

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.mixture_members import (
    add_carefully,
    learn_first_order,
    score_first_order,
)
from littlestone.certificates.check.float_runs.mixture_rounds import (
    LEAST,
    learn,
    lessen,
    note_scores,
    read_row,
    say,
    shrink_rows,
    weigh,
)
from littlestone.compiled import exponential, kernel, logarithm, long_rule


@long_rule
def share_out(classes: Any, hand: Any, many: int) -> Any:
    """Write the chances that each member of a softmax, and their mixture, gives the first classes."""
    weights = classes.weights[0]
    total = 0.0
    for k in range(weights.size):
        total += weights[k]
    for c in range(many):
        hand.yes[c] = 0.0
    for k in range(weights.size):
        highest = hand.scores[0, k]
        below = 0.0
        part = weights[k] / total
        for c in range(1, many):
            highest = max(highest, hand.scores[c, k])
        for c in range(many):
            hand.high[c, k] = exponential(hand.scores[c, k] - highest)
            below += hand.high[c, k]
        for c in range(many):
            hand.high[c, k] /= below
            hand.low[c, k] = 1.0 - hand.high[c, k]
            hand.yes[c] += part * hand.high[c, k]


@long_rule
def add_up(hand: Any, many: int) -> Any:
    """The sum of what is said of the first classes."""
    total = 0.0
    for c in range(many):
        total += hand.yes[c]
    return total


@long_rule
def settle(hand: Any, other: Any, forms: Array, many: int, parts: Array) -> Any:
    """Write the part that each of the first classes has of what is said."""
    for c in range(many):
        parts[c] = other.yes[c]
    if forms.size > 0:
        total = add_up(hand, many)
        for c in range(many):
            parts[c] = forms[0] * (hand.yes[c] / total) + forms[1] * other.yes[c]


@long_rule
def weigh_forms(hand: Any, other: Any, forms: Array, many: int, code: int, importance: float, shared: float) -> Any:
    """Weigh units and softmax anew by the chances that they gave."""
    units = lessen(forms[0], hand.yes[code] / add_up(hand, many), importance)
    softmax = lessen(forms[1], other.yes[code], importance)
    forms[0] = (1.0 - shared) * (units / (units + softmax)) + 0.5 * shared
    forms[1] = (1.0 - shared) * (softmax / (units + softmax)) + 0.5 * shared


@kernel
def play_classes(both: Any, chunk: Any, forms: Array, scores: Array, guesses: Array, plays: Array) -> None:
    """Play rounds, of which only the first may have a new class; without weights of forms there are no units."""
    (units, hand, known), (classes, other, bare) = both
    codes = chunk[3]
    weights = chunk[4]
    counts = classes.counts
    many = classes.weights.shape[0]
    members = classes.weights.shape[1]
    parts = other.no
    played = 0
    mixed = forms.size > 0
    for t in range(codes.size):
        count, grown = read_row(units, chunk, t, hand, known)
        if grown:
            shrink_rows(classes, other, count, bare)
            if mixed:
                shrink_rows(units, hand, count, known)
        met = counts[1]
        code = codes[t]
        importance = weights[t] / plays[t]
        counts[1] = max(met, code + 1)
        for again in range(plays[t]):
            counts[0] += 1
            for c in range(many):
                score_first_order(classes, c, other, count, bare)
                if mixed:
                    say(units, c, hand, count, known)
            if mixed:
                note_scores(units, hand, known, scores[played])
            share_out(classes, other, met)
            settle(hand, other, forms, met, parts)
            total = 0.0
            best = 0
            reserve = 1.0 / (counts[0] + 1.0)
            for c in range(met):
                total += parts[c]
                best = c if parts[c] > parts[best] else best
            chance = (parts[code] / total) * (1.0 - reserve) if code < met else reserve
            if again == 0:
                guesses[t] = best
            add_carefully(units.losses[0], -importance * logarithm(max(chance, LEAST)))
            add_carefully(units.losses[1], importance * (1.0 - chance))
            if code >= met:
                met = counts[1]
                share_out(classes, other, met)
            shared = 1.0 / (counts[0] + 1.0) if known.share else 0.0
            if mixed:
                weigh_forms(hand, other, forms, met, code, importance, shared)
                for c in range(many):
                    learn(units, c, hand, count, code == c, importance, known)
            weigh(classes.weights[0], other.high[code], members, shared if members > 1 else 0.0, importance)
            for c in range(many):
                learn_first_order(classes, c, other, count, code == c, importance, bare)
            played += 1
