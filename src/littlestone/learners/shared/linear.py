"""Linear: what additive learners share besides their loops: states, scores, probabilities, planes, theorems.

Theorems of the Perceptron family serve the Perceptron, its averaged and aggressive forms, kernels and networks. With
r^2 = |u|^2 (reach + excess) / g^2 and L = (sum of shortfalls) / g the first lines of `base/theorem.py` give each.

Probabilities come from a histogram of scores and the logistic curve that fits it. Scores enter before their labels
teach, so that the curve speaks of new rounds; no calibration is claimed.

>>> from fractions import Fraction
>>> facts = StepFacts(norm=Fraction(17), reach=Fraction(3), margin=Fraction(1), length=Fraction(29))
>>> NOVIKOFF.value(facts), RUN.value(facts)
(51, 22)
"""

import math
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy import ndarray

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.domain import NARROW, NOWHERE, WIDE, Domain
from littlestone.base.errors import BadInstance
from littlestone.base.features import FLOAT32, FLOAT64, INT32
from littlestone.base.learner import Learner, Size, State
from littlestone.base.theorem import StepFacts, Takes, Theorem
from littlestone.base.traits import Pairs, Plane, Probabilities, RowLearner, Scores
from littlestone.learners.shared.additive import AVERAGE, LAST, SPACED, Loops, ScaledWeights, Weights
from littlestone.learners.shared.inside import read_inside, read_rounds, require_inside
from littlestone.learners.shared.rounds import BINS, ROUNDS, UPDATES, Rounds
from littlestone.learners.shared.rules import LEAST, MOST
from littlestone.learners.shared.step_theory import StepTheory
from littlestone.learners.shared.told_scores import TellsAverage

Tie = Literal["strict", "plus", "minus"]
TIES: dict[str, float] = {"strict": -1.0, "minus": 0.0, "plus": 1.0}


def _allows_hinge(f: StepFacts, m: int) -> bool:
    """u.w + m g - D <= |u| sqrt(|w|^2 + m reach + excess)"""
    rest = f.ahead + m * f.margin - f.shortfall
    return rest <= 0 or rest**2 <= f.norm * (f.begun + f.reach * m + f.excess)


def _allows_run(f: StepFacts, m: int) -> bool:
    """m g - D <= |u| |w|"""
    rest = m * f.margin - f.shortfall
    return rest <= 0 or (f.length is not None and rest**2 <= f.norm * f.length)


def _allows_readable(f: StepFacts, m: int) -> bool:
    """m <= L + r sqrt(L) + r^2"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - f.shortfall * f.margin - scale
    return rest <= 0 or rest**2 <= scale * f.shortfall * f.margin


def _allows_deviation(f: StepFacts, m: int) -> bool:
    """m <= r^2 + 2 L"""
    return m * f.margin**2 <= f.norm * (f.reach + f.excess) + 2 * f.shortfall * f.margin


def _allows_squared(f: StepFacts, m: int) -> bool:
    """m <= (r + D / g)^2, D^2 the sum of the squares of the shortfalls"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - scale - f.squares
    return rest <= 0 or rest**2 <= 4 * scale * f.squares


SEPARABLE = "some u has u.z >= g > 0 on every update round"
ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
SQUARES = ANY.replace("summed", "squared and summed")
OF_LOSSES = "L + r^2/2 + r sqrt(r^2/4 + L), L the hinge loss"
NOVIKOFF = Theorem("Perceptron (Novikoff 1962)", SEPARABLE, _allows_hinge, formula="R^2 |u|^2 / g^2")
HINGE = Theorem("Perceptron, hinge loss", ANY, _allows_hinge, formula=OF_LOSSES, losses="hinge")
SQUARED = Theorem(
    "Perceptron, squared deviation (Freund and Schapire 1999)", SQUARES, _allows_squared, losses="squared"
)
LENGTH = f"{ANY}, and the length of the final weights"
RUN = Theorem("Perceptron, run-dependent", LENGTH, _allows_run, losses="hinge", sharp=False, knows_run=True)
READABLE = Theorem("Perceptron, hinge loss, readable form", ANY, _allows_readable, losses="hinge", sharp=False)
DEVIATION = Theorem("Perceptron, total deviation", ANY, _allows_deviation, losses="hinge", sharp=False)
PERCEPTRON = (NOVIKOFF, HINGE, SQUARED, RUN, READABLE, DEVIATION)


class RowPlayer(Learner, RowLearner):
    """A learner from rows that guesses and learns in one call; its `counts` start with rounds and updates."""

    def factors(self) -> tuple[float, ...]:
        """The parameters that its rule multiplies products of two values with, or divides them by."""
        return ()

    @cached_property
    def domains(self) -> dict[int, Domain]:
        """For numbers of four and eight bytes, the rows for which floats keep to its rule; a bias is such a value."""
        known = {4: NARROW.narrow(*self.factors()), 8: WIDE.narrow(*self.factors())}
        bias = getattr(self, "bias", 0)
        return {size: one if not bias or one.least <= bias <= one.most else NOWHERE for size, one in known.items()}

    def domain(self, state: State) -> Domain:
        """The rows that it takes in this state: those for which floats keep to its rule."""
        return self.domains[8]

    def play(self, state: State, rounds: Rounds, guesses: Array) -> int:
        """Play rounds up to one that is refused, and return how many; a subclass has it, or `round` and `replay`."""
        raise NotImplementedError

    def round(self, state: State, x: Row, y: int) -> int:
        require_inside(self, state, x)
        guesses = np.zeros(1, np.int32)
        self.play(state, Rounds.of_one(x, y), guesses)
        return int(guesses[0])

    def replay(self, state: State, chunk: Chunk, guesses: Array) -> int:
        return self.play(state, read_inside(self, state, chunk), guesses)

    def update(self, state: State, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def moves(self, state: State) -> int:
        return int(state.counts[UPDATES])


class Calibrated(RowPlayer, Scores, Probabilities):
    """A learner of two classes that keeps a histogram of its scores, `scores`, for each label."""

    def probability(self, state: State, x: Row) -> float:
        """The chance of class 1 by a logistic curve whose slope fits the scores given before each label was seen."""
        return float(apply_logistic(fit_slope(state.scores) * self.score(state, x)))

    def probabilities(self, state: State, chunk: Chunk) -> Array:
        return apply_logistic(fit_slope(state.scores) * self.scores(state, chunk))


class Linear(TellsAverage, StepTheory, Calibrated, Plane, Pairs):
    """An additive learner over rows; subclasses are one scalar rule, `loops`, and its `params`."""

    loops: ClassVar[Loops]
    units: ClassVar[Any]  # the loops of a network of such learners
    stride: ClassVar[int] = 1
    averaged: ClassVar[bool] = False  # whether a player reports the average of all weights played
    weighed: ClassVar[bool] = True  # whether rounds may differ in importance

    def takes(self) -> Takes:
        return Takes(importance=self.weighed)

    def domain(self, state: Weights) -> Domain:
        return self.domains[state.weights.itemsize]

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls()]

    @cached_property
    def params(self) -> Any:
        """The record of numbers that the loops read, then those of the rule (see `make_additive_loops`)."""
        raise NotImplementedError

    def start(self, size: Size, seed: int = 0) -> Weights:
        weights = np.zeros(self.stride * size.attributes, size.real)
        bias = np.zeros(self.stride, size.real)
        return Weights(weights, bias, np.zeros(2, np.int64), np.zeros((2, BINS), np.int64))

    def grow(self, state: Weights, size: Size) -> Weights:
        more = self.stride * size.attributes - len(state.weights)
        if more <= 0:
            return state
        return state._replace(weights=np.concatenate((state.weights, np.zeros(more, state.weights.dtype))))

    def predict(self, state: Weights, x: Row) -> int:
        score = self.last_score(state, x)
        return int(score > 0 or (score == 0 and self.params.tie > 0))

    def round(self, state: Weights, x: Row, y: int) -> int:
        indices, values = x
        length = len(values if indices is None else indices)  # type: ignore[arg-type]
        guess = int(self.loops.round(indices, values, length, y, -1, *self.domain(state), *state, *self.params))
        return guess if guess >= 0 else self._refuse(state, x)

    def pair(self, state: Weights, x: Any, y: int, width: int) -> int:
        indices, values = x
        if type(indices) is ndarray and type(values) is ndarray and indices.dtype is INT32:
            kind = values.dtype
            shape = indices.shape
            if (kind is FLOAT32 or kind is FLOAT64) and values.shape == shape and len(shape) == 1:
                return self.loops.round(indices, values, shape[0], y, width, *self.domain(state), *state, *self.params)
        return -1

    def replay(self, state: Weights, chunk: Chunk, guesses: Array) -> int:
        return self._replay(state, chunk, guesses)

    def _replay(self, state: Weights, chunk: Chunk, *written: Array | None) -> int:
        """Play leading rounds; `written` are guesses, marks, what is served, and the scores that play."""
        (guesses, *more), rounds = written, read_inside(self, state, chunk)
        played = int(self.loops.replay(state, rounds, guesses, self.params, *more))
        return self._refuse(state, rounds.row(0)) if played == 0 and len(chunk) else played

    def _refuse(self, state: Weights, x: Row) -> int:
        """Say why a row is refused: it is outside the domain, or the learner has outgrown it."""
        require_inside(self, state, x)
        raise BadInstance(f"the weights of {self} have grown to the end of the floats: scale the columns")

    def serve(self, state: Weights, chunk: Chunk, guesses: Array, served: Array) -> int:
        """The same rounds as `replay`; what is served is the guess and the score of the average."""
        if not self.averaged:
            return Calibrated.serve(self, state, chunk, guesses, served)
        return self._replay(state, chunk, guesses, None, served)

    def trace(self, state: Weights, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """The same rounds as `replay`; a mark is the length of the step, in multiples of x."""
        return self._replay(state, chunk, guesses, marks)

    def last_score(self, state: Weights, x: Row) -> float:
        """The score of the hypothesis that plays."""
        row = (x.indices, x.values, x.length)
        return float(self.loops.score(state.weights, state.bias, *row, self.params.constant))

    def score(self, state: Weights, x: Row) -> float:
        """The score that a player reports: positive for class 1."""
        return self.last_score(state, x)

    def scores(self, state: Weights, chunk: Chunk) -> Array:
        indptr, indices, values, *_ = read_rounds(self, chunk)
        out = np.zeros(len(chunk))
        rounds = int(state.counts[ROUNDS])
        constant = self.params.constant
        read = AVERAGE if self.averaged else LAST if self.stride == 1 else SPACED
        read(state.weights, state.bias, rounds, indptr, indices, values, constant, out)
        return out

    def readouts(self, state: Weights, chunk: Chunk) -> Array:
        scores = self.scores(state, chunk)
        plus = not self.averaged and self.params.tie > 0  # a tie of the hypothesis that plays goes by its rule
        return (scores >= 0 if plus else scores > 0).astype(np.int32)

    def plane(self, state: Weights) -> tuple[Array, Array]:
        kept = state.weights.astype(np.float64).reshape(-1, self.stride)
        constant = state.bias.astype(np.float64).reshape(-1, self.stride) * self.params.constant
        share = self.averaged / max(int(state.counts[ROUNDS]), 1)
        return kept[:, :1] - share * kept[:, -1:], (constant[:, 0] - share * constant[:, -1])


class ScaledLinear(Linear):
    """An additive learner whose rule also multiplies all weights; they are kept in float64, up to a common factor."""

    weighed: ClassVar[bool] = False

    def start(self, size: Size, seed: int = 0) -> ScaledWeights:  # type: ignore[override]
        return ScaledWeights(*Linear.start(self, size._replace(real=np.float64)), np.array([1.0, 0.0]))

    def last_score(self, state: Any, x: Row) -> float:
        return Linear.last_score(self, state, x) * float(state.scale[0])

    def scores(self, state: Any, chunk: Chunk) -> Array:
        return Linear.scores(self, state, chunk) * float(state.scale[0])

    def plane(self, state: Any) -> tuple[Array, Array]:
        weights, constants = Linear.plane(self, state)
        return weights * state.scale[0], constants * state.scale[0]

    def remaining(self, state: Any, *given: Any, **facts: Any) -> Bound:
        whole = state._replace(weights=state.weights * state.scale[0], bias=state.bias * state.scale[0])
        return Linear.remaining(self, whole, *given, **facts)

    def check_state(self, state: Any, size: Size) -> bool:
        return bool(LEAST <= abs(state.scale[0]) <= MOST and 0 <= state.scale[1] < np.inf)


def fit_slope(scores: Array) -> float:
    """The A > 0 for which 1 / (1 + exp(-A s)) gives the labels in a histogram of scores the highest likelihood.

    Every size of score that occurred counts one right and one wrong sign more, so that A stays finite. No calibration
    is claimed: the curve has one free number and the scores are of the hypotheses that played.
    """
    return _fit_histogram(scores.tobytes())


@lru_cache(maxsize=64)  # many rows are asked about between two changes of the histogram
def _fit_histogram(histogram: bytes) -> float:
    scores = np.frombuffer(histogram, np.int64).reshape(2, BINS)
    half = BINS // 2
    sizes = 2.0 ** ((np.arange(half) - BINS // 4) / 2 - 0.75)
    right = scores[1, half:] + scores[0, :half] + 1.0
    wrong = scores[0, half:] + scores[1, :half] + 1.0
    met = right + wrong > 2
    met[0] = False  # scores of zero, which say nothing of how far scores carry
    if not met.any():
        return 1.0
    sizes = sizes[met]
    right = right[met]
    wrong = wrong[met]
    # the likelihood is concave in A: bisect its derivative on a logarithmic scale
    low = 2.0**-40
    high = 2.0**40
    for _ in range(60):
        middle = math.sqrt(low * high)
        chance = 1 / (1 + np.exp(np.minimum(middle * sizes, 700)))  # of the wrong sign
        falling = (sizes * (right * chance - wrong * (1 - chance))).sum() < 0
        low, high = (low, middle) if falling else (middle, high)
    return math.sqrt(low * high)


def apply_logistic(odds: Any) -> Array:
    """1 / (1 + e^-odds), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))
