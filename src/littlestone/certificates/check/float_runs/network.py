"""Networks of Perceptrons, one unit for each class, played again in their own floats.

Every unit scores a row as a single one does, but for the order of its sum. The guess is the first class of the highest
score, among those met before the round; the rival is the first one of the highest score other than the right class,
which scores 0 while it is new. Scores are of values in the type of the weights; steps are along values as they came.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import (
    REALS,
    RULES,
    FloatFacts,
    Parameters,
    lengthen,
    sum_squares,
)
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun, FloatState
from littlestone.certificates.check.float_runs.sums import FOURS, HALVES, add_up
from littlestone.compiled import kernel

NARROW = 32  # classes whose sums are taken in halves


class NetworkRule(NamedTuple):
    """Which rounds may teach."""

    constant: Any  # the value of the constant attribute, in the type of the weights
    enough: float  # the agreement up to which a round may teach
    each: bool  # whether every unit learns on its own


@kernel
def score_classes(
    weights: Array, bias: Array, constant: Any, columns: Array, values: Array, met: int, order: int, out: Array
) -> Any:
    """Write the scores of the classes met so far."""
    terms = np.zeros(columns.size, weights.dtype)
    for c in range(met):
        for k in range(columns.size):
            terms[k] = weights[columns[k], c] * values[k]
        out[c] = add_up(terms, columns.size, order) + bias[c] * constant


@kernel
def find_next_in_network(state: Any, chunk: Any, t: int, met: int, rule: Any, out: Array, guesses: Array) -> Any:
    """The next round of a chunk from t on that may teach, its rival, and the classes met; `out` are its scores."""
    weights, bias = state
    _, indptr, columns, values, codes = chunk
    constant, enough, each = rule
    while t < codes.size:
        y = codes[t]
        a = indptr[t]
        b = indptr[t + 1]
        score_classes(
            weights, bias, constant, columns[a:b], values[a:b], met, HALVES if max(met, y + 1) <= NARROW else FOURS, out
        )
        guess = 0
        rival = 0 if y != 0 else 1
        for c in range(met):
            guess = c if out[c] > out[guess] else guess
            rival = c if c != y and out[c] > out[rival] else rival
        guesses[t] = guess
        own = np.float64(out[y]) if y < met else 0.0
        stops: Any = own - np.float64(out[rival]) <= enough
        if each:
            stops = y >= met or own <= enough
            for c in range(met):
                stops |= c != y and -np.float64(out[c]) <= enough
        if stops:
            return t, rival, met
        met = max(met, y + 1)
        t = t + 1
    return t, 0, met


def replay_network(about: Parameters, rows: ArrangedRows, start: FloatState | None = None) -> FloatRun | None:
    """Play the run of a network again, from 0 or from other weights; None if its units' rule is not known here.

    A mark is one more than the class stepped away from; where units learn on their own, the sum of 2^c over the classes
    c whose units moved.
    """
    real: Any = REALS[about["real"]]
    unit = about["learner"]
    each = about["updates"] == "each"
    rule = RULES.get(unit["name"])
    mixed = real is np.float32 and rows.kind == "float64"
    if rule is None or rule.scaled:
        return None
    bias = float(unit["bias"])
    enough = rule.find_threshold(unit)
    met = len(rows.labels)
    counts = FloatCounts(rows)
    rules = NetworkRule(real(bias), enough, each)
    begun = start or FloatState(np.zeros((0, met), real), np.zeros(met, real))
    weights = begun.weights.copy()
    constants = begun.bias.copy()
    for chunk in rows.read(np.float64 if mixed else real):
        classes = max(met, int(chunk.codes.max(initial=0)) + 1)
        scored = chunk._replace(values=chunk.values.astype(real))
        if mixed and classes > NARROW:
            return None
        weights = lengthen(weights, int(chunk.columns.max(initial=-1)) + 1)
        more = classes - len(constants)
        if more > 0:
            weights = np.pad(weights, ((0, 0), (0, more)))
            constants = np.pad(constants, (0, more))
        out = np.zeros(len(constants), real)
        guesses = np.zeros(len(chunk.codes), np.int64)
        t = 0
        while True:
            state = weights, constants
            t, rival, met = find_next_in_network(state, scored, t, met, rules, out, guesses)
            if t == len(chunk.codes):
                break
            columns, values = chunk.row(t)
            y = int(chunk.codes[t])
            known = met
            mark = 0
            met = max(met, y + 1)
            square = sum_squares(values, bias) * (1.0 if each else 2.0)
            scores = [float(out[c]) if c < known else 0.0 for c in range(met)]
            for c in range(met) if each else (y,):
                sign = 1.0 if c == y else -1.0
                agreement = sign * scores[c] if each else scores[y] - scores[rival]
                if agreement > enough:
                    continue
                along = real(sign * rule.step(FloatFacts(agreement, len(counts.updated), 0.0, square), unit).along)
                if along != 0:
                    mark = mark + 2**c if each else rival + 1
                    for moved, far in ((c, along),) if each else ((y, along), (rival, -along)):
                        weights[columns, moved] += far * values
                        constants[moved] += far * real(bias)
            if mark:
                counts.note_update(chunk.first + t, mark)
            t += 1
        counts.note_guesses(chunk, guesses)
    return counts.conclude(FloatState(weights, constants))
