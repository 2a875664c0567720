"""PredictOnly: a learner that predicts, and learns no more.

It is what `player.save(path, predict_only=True)` leaves of a learner: the plane that predicts, or the members of a
mixture such as Logistic, without what learning would need. A round is refused.

>>> from littlestone import Perceptron
>>> PredictOnly(Perceptron()).limit()
2
"""

from dataclasses import dataclass
from typing import Any, NoReturn, final

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import BadParameter, require
from littlestone.base.learner import Learner, Size, State
from littlestone.base.theorem import Takes
from littlestone.base.traits import (
    ListedWeights,
    Plane,
    RowLearner,
    ask_takes,
    list_weights,
    require_plane,
    require_probabilities,
    require_scores,
)
from littlestone.learners.shared.forecast_learner import ForecastLearner
from littlestone.learners.shared.forecaster_state import Forecaster
from littlestone.learners.shared.wrapped import WrappedScores


@final
@dataclass(frozen=True)
class PredictOnly(WrappedScores, Plane, RowLearner):
    """A learner that only predicts; matrices of a mixture are kept in float32.

    Args:
        learner: The learner whose state it has: Perceptron(), a Network of them, or one such as Logistic().
    """

    learner: Learner

    def __post_init__(self) -> None:
        linear = isinstance(self.learner, Plane) and not self.learner.numeric
        require(linear, f"only a learner of weights predicts without what it has learned from, got {self.learner}")
        wide = getattr(self.learner, "precision", 32) != 32
        require(not wide, f"what only predicts keeps numbers of 32 bits, got {self.learner}")

    def takes(self) -> Takes:
        return ask_takes(self.learner)

    def start(self, size: Size, seed: int = 0) -> State:
        return set_precision(self.learner.start(size, seed), np.float32)

    def unwrap(self, state: State) -> State:
        """The state as the loops of the learner inside read it."""
        return set_precision(state, np.float64)

    def full(self, state: State, x: Any) -> bool:
        return False

    def update(self, state: State, x: Any, y: int, guess: int) -> NoReturn:
        remedy = "learn on with the model itself, from save(path) or learn --model"
        raise BadParameter(f"this player was saved with predict_only=True and cannot learn: {remedy}")

    def round(self, state: State, x: Any, y: int) -> NoReturn:
        self.update(state, x, y, 0)

    def replay(self, state: State, chunk: Chunk, guesses: Array) -> NoReturn:
        self.update(state, None, 0, 0)

    def serve(self, state: State, chunk: Chunk, guesses: Array, served: Array) -> NoReturn:
        self.update(state, None, 0, 0)

    def trace(self, state: State, chunk: Chunk, guesses: Array, marks: Array) -> NoReturn:
        self.update(state, None, 0, 0)

    def readouts(self, state: State, chunk: Chunk) -> Array:
        return self.learner.readouts(self.unwrap(state), chunk)

    def scores(self, state: State, chunk: Chunk) -> Array:
        return require_scores(self.learner).scores(self.unwrap(state), chunk)

    def probabilities(self, state: State, chunk: Chunk) -> Array:
        return require_probabilities(self.learner).probabilities(self.unwrap(state), chunk)

    def plane(self, state: State) -> tuple[Array, Array]:
        return require_plane(self.learner).plane(self.unwrap(state))

    def list_weights(self, state: State) -> ListedWeights:
        return list_weights(self.learner, self.unwrap(state))

    def name_plane(self, state: State) -> str:
        """Whose weights `plane` has, where there are several members."""
        return self.learner.name_plane(state) if isinstance(self.learner, ForecastLearner) else ""

    def check_state(self, state: Any, size: Size) -> bool:
        return self.learner.check_state(state, size)


def set_precision(state: State, real: Any) -> State:
    """The state with centres and matrices of this type, if it is one of members; any other as it is."""
    if not isinstance(state, Forecaster):
        return state
    return state._replace(
        centres=state.centres.astype(real, copy=False), matrices=state.matrices.astype(real, copy=False)
    )
