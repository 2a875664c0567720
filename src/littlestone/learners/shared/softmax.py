"""Softmax: one weight vector for each class, all learned together, as the loops of learners for log-loss play it.

Member k gives class c of those met the chance P_k(c) = e^(s_c) / (the sum of e^(s_d) over classes d), s_c being the
score by its vector for c, and its vector for c learns from the slope P_k(c) - [c = y]. What is said is the mixture of
the P_k by the members' weights. The numbers of class c are those of block c `step` + `step` - 1.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from littlestone.compiled import U, exponential, logarithm, long_rule
from littlestone.learners.shared.first_order_members import FirstOrder
from littlestone.learners.shared.forecast_bench import LEAST_CHANCE, add_compensated, weigh
from littlestone.learners.shared.forecaster_state import CLASSES, UNITS


class Softmax(NamedTuple):
    """Rules of a softmax."""

    score: Callable[..., None]
    share_out: Callable[..., None]
    learn: Callable[..., None]


def make_softmax(rules: FirstOrder, first: int, members: int, width: int, step: int) -> Softmax:
    """The rules of a softmax whose members are the `first` of those of each block, which has `width` numbers."""
    score_row = rules.score
    learn_row = rules.learn
    last = step - 1

    @long_rule
    def score(bench: Any, classes: Any, count: Any, params: Any) -> Any:
        """Write the scores of every member for some classes."""
        (reals, _, lead, _, _), _, reading, found = bench
        for c in range(classes):
            block = c * step + last
            score_row(reals, U(lead + block * width), reading, count, params.rates, found.scores, U(block * members))

    @long_rule
    def share_out(found: Any, weights: Any, classes: Any) -> Any:
        """Write the chances that every member, and the mixture of them, gives some classes."""
        total = 0.0
        for k in range(first):
            total += weights[last, k]
        for c in range(classes):
            found.yes[c * step + last] = 0.0
        for k in range(first):
            best = found.scores[last * members + k]
            below = 0.0
            part = weights[last, k] / total
            for c in range(1, classes):
                best = max(best, found.scores[(c * step + last) * members + k])
            for c in range(classes):
                at = (c * step + last) * members + k
                found.high[at] = exponential(found.scores[at] - best)
                below += found.high[at]
            for c in range(classes):
                at = (c * step + last) * members + k
                found.high[at] /= below
                found.yes[c * step + last] += part * found.high[at]

    @long_rule
    def learn(bench: Any, state: Any, count: Any, label: Any, importance: Any, part: Any) -> Any:
        """Teach the vectors of all classes met the label of a row, of which the chances were written."""
        (reals, _, lead, _, _), _, reading, found = bench
        own = label * step + last
        add_compensated(state.losses, UNITS + last, -importance * logarithm(max(found.yes[own], LEAST_CHANCE)))
        weigh(state.weights, last, found.high, own * members, first, importance, part if first > 1 else 0.0)
        for c in range(state.counts[CLASSES]):
            block = c * step + last
            for k in range(first):
                at = block * members + k
                found.pulls[at] = importance * ((1.0 if c == label else 0.0) - found.high[at])
            learn_row(reals, U(lead + block * width), reading, count, found.pulls, U(block * members))

    return Softmax(score, share_out, learn)
