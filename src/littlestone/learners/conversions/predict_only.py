"""PredictOnly: a learner that predicts, and learns no more.

It is what `player.save(path, predict_only=True)` leaves of a linear learner: the plane that predicts, without what
learning would need. A round is refused.

>>> from littlestone import Perceptron
>>> PredictOnly(Perceptron()).limit()
2
"""

from dataclasses import dataclass
from typing import Any, NoReturn, final

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
from littlestone.learners.shared.wrapped import WrappedScores


@final
@dataclass(frozen=True)
class PredictOnly(WrappedScores, Plane, RowLearner):
    """A linear learner that only predicts.

    Args:
        learner: The learner whose state it has: Perceptron(), or a Network of them.
    """

    learner: Learner

    def __post_init__(self) -> None:
        linear = isinstance(self.learner, Plane)
        require(linear, f"only a learner of weights predicts without what it has learned from, got {self.learner}")

    def takes(self) -> Takes:
        return ask_takes(self.learner)

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
        return self.learner.readouts(state, chunk)

    def scores(self, state: State, chunk: Chunk) -> Array:
        return require_scores(self.learner).scores(state, chunk)

    def probabilities(self, state: State, chunk: Chunk) -> Array:
        return require_probabilities(self.learner).probabilities(state, chunk)

    def plane(self, state: State) -> tuple[Array, Array]:
        return require_plane(self.learner).plane(state)

    def list_weights(self, state: State) -> ListedWeights:
        return list_weights(self.learner, state)

    def check_state(self, state: Any, size: Size) -> bool:
        return self.learner.check_state(state, size)
