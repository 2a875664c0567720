"""Linear: what additive learners share besides their loops: states, scores, probabilities, planes."""

from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy import ndarray

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, require
from littlestone.base.features import FLOAT32, FLOAT64, INT32
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import Takes
from littlestone.base.traits import Pairs, Plane, Probabilities, RowLearner, Scores
from littlestone.learners.shared.additive import AVERAGE, LAST, SPACED, Loops, ScaledWeights, Weights
from littlestone.learners.shared.calibration import BINS, fit_slope, logistic
from littlestone.learners.shared.rounds import ROUNDS, UPDATES, Rounds
from littlestone.learners.shared.rules import LEAST, MOST
from littlestone.learners.shared.step_theory import StepTheory

Tie = Literal["strict", "plus", "minus"]
TIES: dict[str, float] = {"strict": -1.0, "minus": 0.0, "plus": 1.0}


class Linear(StepTheory, Learner, RowLearner, Scores, Probabilities, Plane, Pairs):
    """An additive learner over rows; subclasses are one scalar rule, `loops`, and its `params`."""

    loops: ClassVar[Loops]
    units: ClassVar[Any]  # the loops of a network of such learners
    stride: ClassVar[int] = 1
    averaged: ClassVar[bool] = False  # whether a player reports the average of all weights played
    weighed: ClassVar[bool] = True  # whether rounds may differ in importance

    def takes(self) -> Takes:
        return Takes(importance=self.weighed)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls()]

    @cached_property
    def params(self) -> Any:
        """The record of numbers that the loops read, then those of the rule (see `additive`)."""
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

    def update(self, state: Weights, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Weights, x: Row, y: int) -> int:
        indices, values = x
        length = len(values if indices is None else indices)  # type: ignore[arg-type]
        return int(self.loops.round(indices, values, length, None, y, -1, *state, *self.params))

    def pair(self, state: Weights, x: Any, y: int, width: int) -> int:
        indices, values = x
        if type(indices) is ndarray and type(values) is ndarray and indices.dtype is INT32:
            kind, shape = values.dtype, indices.shape
            if (kind is FLOAT32 or kind is FLOAT64) and values.shape == shape and len(shape) == 1:
                return self.loops.round(indices, values, shape[0], None, y, width, *state, *self.params)
        return -1

    def replay(self, state: Weights, chunk: Chunk, guesses: Array) -> int:
        return int(self.loops.replay(state, self.rounds(chunk), guesses, self.params))

    def trace(self, state: Weights, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """The same rounds as `replay`; a mark is the length of the step, in multiples of x."""
        return int(self.loops.replay(state, self.rounds(chunk), guesses, self.params, marks))

    def rounds(self, chunk: Chunk) -> Rounds:
        """What the loops read of a chunk."""
        require(isinstance(chunk, Examples), f"{type(self).__name__} learns from rows of attributes", BadInstance)
        assert isinstance(chunk, Examples)
        alike = self.weighed or chunk.importance is None
        require(alike, "this learner counts every round once, got rounds of other importance", BadInstance)
        return Rounds.of(chunk)

    def last_score(self, state: Weights, x: Row) -> float:
        """The score of the hypothesis that plays."""
        row = (x.indices, x.values, x.length)
        return float(self.loops.score(state.weights, state.bias, *row, self.params.constant))

    def score(self, state: Weights, x: Row) -> float:
        """The score that a player reports: positive for class 1."""
        return self.last_score(state, x)

    def scores(self, state: Weights, chunk: Chunk) -> Array:
        indptr, indices, values, *_ = self.rounds(chunk)
        out = np.zeros(len(chunk))
        rounds, constant = int(state.counts[ROUNDS]), self.params.constant
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

    def probability(self, state: Weights, x: Row) -> float:
        """The chance of class 1 by a logistic curve whose slope fits the scores given before each label was seen."""
        return float(logistic(fit_slope(state.scores) * self.score(state, x)))

    def probabilities(self, state: Weights, chunk: Chunk) -> Array:
        return logistic(fit_slope(state.scores) * self.scores(state, chunk))

    def moves(self, state: Weights) -> int:
        return int(state.counts[UPDATES])


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
