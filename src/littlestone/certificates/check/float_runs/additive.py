"""Additive learners of two classes, played again in their own floats.

Weights w, the weight b of the constant attribute and all products and sums of a score are in the type of the run, the
numbers of a rule in float64. A score is (the sum of w_i x_i) + b c, c being the constant, times the scale of weights
that are kept as a multiple; which rounds teach and how far is written down below, in the order of its operations.
"""

from collections.abc import Mapping
from math import floor, inf, nextafter, sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun, FloatState, Showing
from littlestone.certificates.check.float_runs.sums import LANES, ONE_BY_ONE, QUARTERS, add_up
from littlestone.compiled import kernel

Parameters = Mapping[str, Any]
# a scale beyond these is multiplied into the weights
LEAST = 2.0**-200
MOST = 2.0**200
TIES = {"strict": -1.0, "minus": 0.0, "plus": 1.0}
REALS = {"float32": np.float32, "float64": np.float64}


class FloatFacts(NamedTuple):
    """What the rule of a step looks at."""

    agreement: float  # y times the score
    updates: int  # before this round
    length: float  # |w|^2, of scaled weights
    square: float  # c^2 + the sum of x_i^2, one after another


class FloatStep(NamedTuple):
    """w becomes factor w + along y x."""

    along: float
    factor: float = 1.0


class FloatRule(Protocol):
    """How one kind of learner steps."""

    scaled: bool  # whether weights are float64 and kept as a multiple
    spaced: bool  # whether weights lie apart, so that dense rows are summed like listed ones

    def find_threshold(self, known: Parameters) -> float:
        """The agreement up to which a round may teach."""
        ...

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        """How far such a round steps; 0: it does not."""
        ...


class PerceptronSteps:
    """Along x, or along x / |x|."""

    scaled = spaced = False

    def find_threshold(self, known: Parameters) -> float:
        return float(known["margin"])

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        rate = float(known["rate"])
        if known.get("normalized"):
            return FloatStep(rate / sqrt(seen.square) if seen.square > 0 else 0.0)
        return FloatStep(rate)


class AveragedSteps(PerceptronSteps):
    """The same; what is averaged does not play."""

    spaced = True


class VotedSteps:
    """Along x, after mistakes; what votes does not play."""

    scaled = spaced = False

    def find_threshold(self, known: Parameters) -> float:
        return 0.0

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        return FloatStep(1.0)


class AggressiveSteps(VotedSteps):
    """The smallest whole number of copies after which the row agrees; one more where the quotient was rounded up."""

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        if seen.square == 0:
            return FloatStep(0.0)
        copies = floor(-seen.agreement / seen.square) + 1.0
        return FloatStep(copies if seen.agreement + copies * seen.square > 0 else copies + 1.0)


class PassiveAggressiveSteps:
    """The loss over |x|^2, capped or damped."""

    scaled = spaced = False

    def find_threshold(self, known: Parameters) -> float:
        return float(known["margin"])

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        if not seen.square > 0:
            return FloatStep(0.0)
        cap = float(known["aggressiveness"]) if known["variant"] == "I" else inf
        damping = 0.5 / known["aggressiveness"] if known["variant"] == "II" else 0.0
        return FloatStep(min(cap, (self.find_threshold(known) - seen.agreement) / (seen.square + damping)))


class AlmaSteps:
    """Update k adds C / sqrt(k) y x / |x| and shrinks the weights to length 1."""

    scaled = True
    spaced = False

    def find_threshold(self, known: Parameters) -> float:
        return inf if self._ask(known) else 0.0

    def _ask(self, known: Parameters) -> float:
        alpha = known["alpha"]
        margin = known["margin"]
        return float((1 - alpha) * (sqrt(8) / alpha if margin is None else margin))

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        root = sqrt(seen.updates + 1.0)
        size = sqrt(seen.square)
        if seen.square == 0 or seen.agreement * root > self._ask(known) * size:
            return FloatStep(0.0)
        along = float(known["rate"]) / (root * size)
        after = seen.length + 2.0 * along * seen.agreement + along * along * seen.square
        factor = 1.0 / sqrt(after) if after > 1 else 1.0
        return FloatStep(factor * along, factor)


class RommaSteps:
    """The shortest weights that agree with this row and the last weights."""

    scaled = True
    spaced = False

    def find_threshold(self, known: Parameters) -> float:
        return nextafter(1.0, 0.0) if known["aggressive"] else 0.0

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        agreement, _, length, square = seen
        if square == 0:
            return FloatStep(0.0)
        product = square * length
        rest = product - agreement * agreement
        if product <= agreement or product * (product - 2.0 * agreement + 1.0) > 2.0**40 * rest:
            return FloatStep(1.0 / square, 0.0)
        return FloatStep(length * (1.0 - agreement) / rest, (product - agreement) / rest)


class ShiftingSteps(VotedSteps):
    """Update k keeps k / (s + k) of the weights."""

    scaled = True

    def step(self, seen: FloatFacts, known: Parameters) -> FloatStep:
        number = seen.updates + 1.0
        shift = float(known["shift"])
        return FloatStep(shift / (shift + number), number / (shift + number))


RULES: dict[str, FloatRule] = {
    "Perceptron": PerceptronSteps(),
    "AveragedPerceptron": AveragedSteps(),
    "VotedPerceptron": VotedSteps(),
    "AggressivePerceptron": AggressiveSteps(),
    "PassiveAggressive": PassiveAggressiveSteps(),
    "Alma": AlmaSteps(),
    "Romma": RommaSteps(),
    "ShiftingPerceptron": ShiftingSteps(),
}


class UnitWeights(NamedTuple):
    """Weights by attribute, that of the constant, and of scaled ones the scale and the sum of squares."""

    weights: Array
    bias: Array
    scale: Array

    def move(self, columns: Array, values: Array, y: float, by: FloatStep, constant: Any) -> None:
        """Add a multiple of a row."""
        delta = self.weights.dtype.type(y * by.along)
        self.weights[columns] += delta * values
        self.bias[0] += delta * constant

    def move_scaled(self, columns: Array, values: Array, y: float, by: FloatStep, constant: float) -> None:
        """The same with a factor for all weights; the sum of squares is kept up to date entry by entry."""
        weights, bias, scale = self
        scale[0] *= by.factor
        if not LEAST <= abs(scale[0]) <= MOST:
            bias[0] *= scale[0]
            weights *= scale[0]
            total = bias[0] * bias[0]
            for weight in weights.tolist():
                total += weight * weight
            scale[:] = 1.0, total
        delta = y * by.along / scale[0]
        before = bias[0]
        bias[0] += delta * constant
        squares = scale[1] + (bias[0] * bias[0] - before * before)
        for i, value in zip(columns.tolist(), values.tolist(), strict=True):
            old = weights[i]
            weights[i] = old + delta * value
            squares += weights[i] * weights[i] - old * old
        scale[1] = squares


@kernel
def sum_squares(values: Array, constant: float) -> Any:
    """The squared length of a row with its constant attribute, one square after another."""
    total = constant * constant
    for k in range(values.size):
        total += np.float64(values[k]) * np.float64(values[k])
    return total


class ScoreRule(NamedTuple):
    """How rounds are scored and which of them may teach."""

    constant: Any  # the value of the constant attribute, in the type of the weights
    order: int  # of sums
    enough: float  # the agreement up to which a round may teach
    tie: float  # one of TIES


@kernel
def find_next(state: Any, chunk: Any, t: int, rule: Any, terms: Array, guesses: Array, scores: Array) -> Any:
    """The next round of a chunk from t on that may teach, and its score; guesses and scores are written up to it."""
    weights, bias, scale = state
    _, indptr, columns, values, codes = chunk
    constant, order, enough, tie = rule
    real = weights.dtype.type
    cut = np.nextafter(real(0), real(-1)) if tie > 0 else real(0)  # scores above it are of class 1
    while t < codes.size:
        first = indptr[t]
        count = indptr[t + 1] - indptr[t]
        for k in range(count):
            terms[k] = weights[columns[first + k]] * values[first + k]
        score = (add_up(terms, count, order) + bias[0] * constant) * scale[0]
        guesses[t], scores[t] = 1 if score > cut else 0, score
        agreement = np.float64(score) if codes[t] else -np.float64(score)
        clear = guesses[t] == codes[t] and abs(score) > real(enough)
        if agreement <= enough and not clear and (tie < 0 or enough > 0 or guesses[t] != codes[t]):
            return t, score
        t += 1
    return t, terms.dtype.type(0)


def replay_unit(
    about: Parameters, rows: ArrangedRows, start: FloatState | None = None, showing: Showing | None = None,
    weights: Array | None = None,
) -> FloatRun | None:  # fmt: skip
    """Play the run of a learner of two classes again, from 0 or from other weights that are not scaled.

    None for one whose rule is not known here. With `showing` it learns from the rounds only that it is shown;
    `weights` are those of the rounds, by which steps are multiplied.
    """
    rule = RULES.get(about["name"])
    real: Any = np.float64 if rule is not None and rule.scaled else REALS[about["real"]]
    mixed = real is np.float32 and rows.kind == "float64"
    if rule is None or (mixed and rows.dense and not rule.spaced):
        return None
    order = QUARTERS if rule.spaced or not rows.dense else LANES if rows.kind == np.dtype(real).name else ONE_BY_ONE
    bias = float(about["bias"])
    counts = FloatCounts(rows)
    scored = ScoreRule(real(bias), order, rule.find_threshold(about), TIES[about.get("tie", "strict")])
    begun, constant = start or FloatState(np.zeros(0, real), np.zeros(1, real))
    state = UnitWeights(begun.copy(), constant.copy(), np.array([1, 0], real))
    for chunk in rows.read(np.float64 if mixed else real):
        state = state._replace(weights=lengthen(state.weights, int(chunk.columns.max(initial=-1)) + 1))
        terms = np.zeros(int(np.diff(chunk.indptr).max(initial=0)), chunk.values.dtype)
        guesses = np.zeros(len(chunk.codes), np.int64)
        scores = np.zeros(len(chunk.codes))
        t = 0
        while True:
            t, score = find_next(state, chunk, t, scored, terms, guesses, scores)
            if t == len(chunk.codes):
                break
            if showing is not None and not showing.show(chunk.first + t, int(guesses[t]), int(chunk.codes[t])):
                t += 1
                continue
            columns, values = chunk.row(t)
            y = 1.0 if chunk.codes[t] else -1.0
            length = float(state.scale[0] * state.scale[0] * state.scale[1])
            by = rule.step(FloatFacts(y * score, len(counts.updated), length, sum_squares(values, bias)), about)
            by = by if weights is None else FloatStep(by.along * float(weights[chunk.first + t]), by.factor)
            if by.factor != 1 or real(by.along) != 0:
                (state.move_scaled if rule.scaled else state.move)(columns, values, y, by, real(bias))
                counts.note_update(chunk.first + t, int(abs(real(by.along))))
            t += 1
        counts.note_guesses(chunk, guesses if showing is None else showing.note(chunk, guesses), scores)
    return counts.conclude(FloatState(state.weights, state.bias))


def lengthen(weights: Array, size: int) -> Array:
    """Weights by attribute with zeros for new attributes."""
    return np.concatenate((weights, np.zeros((max(0, size - len(weights)), *weights.shape[1:]), weights.dtype)))
