"""Learners with a number beside each weight, played again in their own floats: diagonal AROW, the p-norm perceptron and
the diagonal second-order learner; and networks of the first and the last whose winners learn.

Diagonal AROW scores as `additive.py` has it, the sum always in quarters, or in a network as `network.py` has it. Beside
a weight stands the sum L of the squares of the values that moved it, in the type of the weights; its share of a step is
r / (r + L) in float64. With v = c^2 share_c + the sum of x_i^2 share_i, one by one in float64, of both units in a
network, and a the agreement, the step is (1 - a) / (v + r), 0 if v is, times y, rounded to the type of the weights.
Then, all in that type, a weight grows by (step x_i) share_i, its share rounded first, and L by x_i^2; that of the
constant by (step share_c) c, in a network by (step c) share_c.

The p-norm perceptron keeps sums t in float64 beside its weights, each the C library's |t|^(p - 1) with the sign of t.

The diagonal second-order learner keeps t and L in float64 and scores by the sum of (x_i t_i) / ((r + L_i) + x_i^2), one
by one from 0 on, and then (c t) / ((r + L) + c^2) of the constant, if there is one. A step adds y x_i to t_i.
"""

from math import copysign, nextafter
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import (
    REALS,
    TIES,
    Parameters,
    ScoreRule,
    UnitWeights,
    find_next,
    lengthen,
)
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun
from littlestone.certificates.check.float_runs.network import NARROW, score_classes
from littlestone.certificates.check.float_runs.sums import FOURS, HALVES, QUARTERS
from littlestone.compiled import kernel

BELOW_ONE = nextafter(1.0, 0.0)  # an agreement of 1 teaches diagonal AROW nothing


class DiagonalBlocks(NamedTuple):
    """Weights by attribute and class, what stands beside them, and both of the constant."""

    weights: Array
    squares: Array
    bias: Array
    bias_squares: Array

    def enlarge(self, attributes: int, classes: int) -> "DiagonalBlocks":
        """Zeros for what is new."""
        more = max(0, classes - len(self.bias))
        wider = [np.pad(part, ((0, 0), (0, more))) for part in self[:2]]
        return DiagonalBlocks(
            *(lengthen(part, attributes) for part in wider), *(np.pad(part, (0, more)) for part in self[2:])
        )


class DiagonalRule(NamedTuple):
    """How a run scores, and which rounds may teach."""

    constant: Any  # in the type of the weights
    enough: float
    ridge: float  # of the second-order learner; 0: scores are sums of weights


@kernel
def score_second_order(state: Any, columns: Array, values: Array, rule: Any, met: int, out: Array) -> None:
    """Write the scores of the classes met, with the row in the matrix."""
    weights, squares, bias, bias_squares = state
    constant, _, ridge = rule
    for c in range(met):
        total = 0.0
        for k in range(columns.size):
            x = values[k]
            total += x * weights[columns[k], c] / ((ridge + squares[columns[k], c]) + x * x)
        if constant != 0:
            total += constant * bias[c] / ((ridge + bias_squares[c]) + constant * constant)
        out[c] = total


@kernel
def find_next_among_classes(
    state: Any, chunk: Any, t: int, met: int, rule: Any, out: Array, guesses: Array, scores: Array
) -> Any:
    """The next round of a chunk from t on that teaches, its rival, and the classes met; `out` are its scores.

    One class alone stands for two: its score is positive for the second, is written down, and the rival is none.
    """
    _, indptr, columns, values, codes = chunk
    constant, enough, ridge = rule
    alone = out.size == 1
    while t < codes.size:
        y = codes[t]
        a = indptr[t]
        b = indptr[t + 1]
        if ridge > 0:
            score_second_order(state, columns[a:b], values[a:b], rule, 1 if alone else met, out)
        else:
            order = HALVES if max(met, y + 1) <= NARROW else FOURS
            score_classes(state[0], state[2], constant, columns[a:b], values[a:b], met, order, out)
        guess = 0
        rival = 0 if y != 0 else 1
        if alone:
            scores[t] = out[0]
            guess = 1 if out[0] > 0 else 0
            lead = np.float64(out[0]) if y else -np.float64(out[0])
        else:
            for c in range(met):
                guess = c if out[c] > out[guess] else guess
                rival = c if c != y and out[c] > out[rival] else rival
            lead = (np.float64(out[y]) if y < met else 0.0) - np.float64(out[rival])
        guesses[t] = guess
        if lead <= enough:
            return t, rival, met
        met = max(met, y + 1)
        t = t + 1
    return t, 0, met


def add_one_by_one(terms: list[float], total: float) -> float:
    """The sum of some floats, in order; Python's `sum` makes up for rounding."""
    for term in terms:
        total += term
    return total


def move_arow(
    state: DiagonalBlocks, row: tuple[Array, Array], units: list[tuple[int, float]], lead: float, r: float, c: Any
) -> bool:
    """A step of diagonal AROW along some units, each with a sign; whether there was one."""
    columns, values = row
    long = values.astype(np.float64)
    constant = float(c)
    real = state.weights.dtype.type
    spread = 0.0
    for unit, _ in units:
        shares = r / (r + state.squares[columns, unit].astype(np.float64))
        first = (constant * constant) * (r / (r + float(state.bias_squares[unit])))
        spread += add_one_by_one(((long * long) * shares).tolist(), first)
    far = (1.0 - lead) / (spread + r) if spread > 0 else 0.0
    if real(far) == 0:
        return False
    for unit, sign in units:
        step = real(sign * far)
        shares = (r / (r + state.squares[columns, unit].astype(np.float64))).astype(real)
        part = real(r / (r + float(state.bias_squares[unit])))
        state.bias[unit] += step * part * c if len(units) == 1 else step * c * part
        state.bias_squares[unit] += c * c
        state.weights[columns, unit] += (step * values) * shares
        state.squares[columns, unit] += values * values
    return True


def move_second_order(
    state: DiagonalBlocks, row: tuple[Array, Array], units: list[tuple[int, float]], c: float
) -> None:
    """A step of the diagonal second-order learner."""
    columns, values = row
    for unit, sign in units:
        state.weights[columns, unit] += sign * values
        state.squares[columns, unit] += values * values
        state.bias[unit] += sign * c
        state.bias_squares[unit] += c * c


def replay_diagonal(about: Parameters, rows: ArrangedRows) -> FloatRun | None:
    """Play the run of such a learner, or of a network of them, again."""
    network = about["name"] == "Network"
    unit = about["learner"] if network else about
    if network and about["updates"] != "winner":
        return None
    second = unit["name"] == "DiagonalSecondOrder"
    if not network and not second:
        return _replay_arow(about, rows)
    real: Any = np.float64 if second else REALS[about["real"]]
    mixed = real is np.float32 and rows.kind == "float64"
    enough, r = (float(unit["margin"]), float(unit["ridge"])) if second else (BELOW_ONE, float(unit["regularization"]))
    rule = DiagonalRule(real(unit["bias"]), enough, r if second else 0.0)
    counts = FloatCounts(rows)
    met = max(2, len(rows.labels)) if network else 1
    state = DiagonalBlocks(*(np.zeros((0, met), real) for _ in range(2)), *(np.zeros(met, real) for _ in range(2)))
    for chunk in rows.read(np.float64 if mixed else real):
        classes = max(len(state.bias), int(chunk.codes.max(initial=0)) + 1) if network else 1
        if mixed and classes > NARROW:
            return None
        state = state.enlarge(int(chunk.columns.max(initial=-1)) + 1, classes)
        scored = chunk._replace(values=chunk.values.astype(real))
        out = np.zeros(classes, real)
        guesses = np.zeros(len(chunk.codes), np.int64)
        t = 0
        scores = np.zeros(len(chunk.codes))
        while True:
            t, rival, met = find_next_among_classes(state, scored, t, met, rule, out, guesses, scores)
            if t == len(chunk.codes):
                break
            y = int(chunk.codes[t])
            known = met
            met = max(met, y + 1)
            units = [(y, 1.0), (rival, -1.0)] if network else [(0, 1.0 if y else -1.0)]
            lead = (float(out[y]) if y < known else 0.0) - float(out[rival]) if network else 0.0
            if second:
                move_second_order(state, chunk.row(t), units, float(rule.constant))
                moved = True
            else:
                moved = move_arow(state, chunk.row(t), units, lead, r, rule.constant)
            if moved:
                counts.note_update(chunk.first + t, rival + 1 if network else 1)
            t += 1
        counts.note_guesses(chunk, guesses, None if network else scores)
    return counts.conclude()


def _replay_arow(about: Parameters, rows: ArrangedRows) -> FloatRun:
    """Diagonal AROW of two classes."""
    real: Any = REALS[about["real"]]
    mixed = real is np.float32 and rows.kind == "float64"
    bias = float(about["bias"])
    r = float(about["regularization"])
    rule = ScoreRule(real(bias), QUARTERS, BELOW_ONE, TIES["strict"])
    counts = FloatCounts(rows)
    state = DiagonalBlocks(*(np.zeros((0, 1), real) for _ in range(2)), *(np.zeros(1, real) for _ in range(2)))
    for chunk in rows.read(np.float64 if mixed else real):
        state = state.enlarge(int(chunk.columns.max(initial=-1)) + 1, 1)
        terms = np.zeros(int(np.diff(chunk.indptr).max(initial=0)), chunk.values.dtype)
        guesses = np.zeros(len(chunk.codes), np.int64)
        scores = np.zeros(len(chunk.codes))
        t = 0
        while True:
            unit = UnitWeights(state.weights[:, 0], state.bias, np.array([1, 0], real))
            t, score = find_next(unit, chunk, t, rule, terms, guesses, scores)
            if t == len(chunk.codes):
                break
            y = 1.0 if chunk.codes[t] else -1.0
            if move_arow(state, chunk.row(t), [(0, y)], y * float(score), r, real(bias)):
                counts.note_update(chunk.first + t)
            t += 1
        counts.note_guesses(chunk, guesses, scores)
    return counts.conclude()


def replay_p_norm(about: Parameters, rows: ArrangedRows) -> FloatRun:
    """Play the run of a p-norm perceptron again."""
    power = float(about["power"]) - 1.0
    constant = float(about["bias"])
    counts = FloatCounts(rows)
    rule = ScoreRule(constant, QUARTERS, 0.0, TIES["strict"])
    sums = np.zeros(0)
    total = 0.0
    unit = UnitWeights(np.zeros(0), np.zeros(1), np.array([1.0, 0.0]))
    for chunk in rows.read(np.float64):
        width = int(chunk.columns.max(initial=-1)) + 1
        sums = lengthen(sums, width)
        unit = unit._replace(weights=lengthen(unit.weights, width))
        terms = np.zeros(int(np.diff(chunk.indptr).max(initial=0)))
        guesses = np.zeros(len(chunk.codes), np.int64)
        scores = np.zeros(len(chunk.codes))
        t = 0
        while True:
            t, _ = find_next(unit, chunk, t, rule, terms, guesses, scores)
            if t == len(chunk.codes):
                break
            y, (columns, values) = 1.0 if chunk.codes[t] else -1.0, chunk.row(t)
            sums[columns] += y * values
            total += y * constant
            unit.weights[columns] = [copysign(abs(s) ** power, s) for s in sums[columns].tolist()]
            unit.bias[0] = copysign(abs(total) ** power, total)
            counts.note_update(chunk.first + t)
            t += 1
        counts.note_guesses(chunk, guesses, scores)
    return counts.conclude()
