"""Regression learner: what learners that predict numbers share besides their loops and their room."""

from abc import abstractmethod
from functools import cached_property
from math import fsum, prod
from typing import Any, ClassVar

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadLabel
from littlestone.base.learner import Learner
from littlestone.base.traits import ListedWeights, Planned
from littlestone.learners.shared.forecaster_state import SAID, Forecaster
from littlestone.learners.shared.regression_loops import (
    MOST,
    ORIGIN,
    REACH,
    UNIT,
    RegressionLoops,
    RegressionParams,
    is_outside,
)
from littlestone.learners.shared.scale_free_learner import ScaleFreeLearner, read_pieces


class RegressionLearner(ScaleFreeLearner, Planned):
    """A learner from rows that predicts a number; columns and labels may be in any units."""

    unplanned: ClassVar[str] = "it predicts numbers: say from where to where (labels) for a plan of these"
    numeric: ClassVar[bool] = True
    loops: ClassVar[RegressionLoops]
    degree: ClassVar[int] = 1  # by which power of the labels' unit its loss is measured

    @cached_property
    def params(self) -> RegressionParams:
        """What the loops read."""
        raise NotImplementedError

    @abstractmethod
    def loss(self, guess: float, y: float, /) -> float:
        """What a round costs."""

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return []

    def predict(self, state: Forecaster, x: Row) -> Any:
        return float(self.readouts(state, Examples.row(x, 0))[0])

    def round(self, state: Forecaster, x: Row, y: Any) -> Any:
        guesses = np.zeros(1)
        self.replay(state, Examples.row(x, 0).with_labels(np.array([y], np.float64)), guesses)
        return float(guesses[0])

    def replay(self, state: Forecaster, chunk: Chunk, guesses: Array) -> int:
        done = 0
        bench = self._make_bench(state, chunk)
        for rounds in read_pieces(self, chunk):
            end = done + len(rounds.labels)
            done += int(self.loops.replay(bench, state, rounds, guesses[done:], self.params))
            if done < end:
                break
        if done == 0 and len(chunk) and is_outside(state.labels, float(chunk.labels[0])):
            most = f"below 2^900 in size, and below {REACH:.3g} times the first one that was not zero"
            raise BadLabel(f"labels must be {most}, got {chunk.labels[0]}")
        return done

    def readouts(self, state: Forecaster, chunk: Chunk) -> Array:
        out = np.zeros(len(chunk))
        done = 0
        bench = self._make_bench(state, chunk)
        copies = bench.copy_state()
        for rounds in read_pieces(self, chunk.with_labels(np.zeros(len(chunk)))):  # labels are not looked at
            here = slice(done, done + len(rounds.labels))
            self.loops.forecast(bench.rows, copies, state, rounds, out[here], self.params)
            done = here.stop
        return out

    def expected(self, state: Forecaster) -> float:
        """The loss so far."""
        return prod([fsum(state.losses[SAID]), *[float(state.labels[UNIT])] * self.degree])

    def list_weights(self, state: Forecaster) -> ListedWeights:
        attributes, weights, constants, sizes = super().list_weights(state)
        unit = state.labels[UNIT]
        return ListedWeights(attributes, weights * unit, (constants + state.labels[ORIGIN]) * unit, sizes)

    def check_state(self, state: Forecaster, size: Any) -> bool:
        unit = float(state.labels[UNIT])
        return super().check_state(state, size) and bool(np.isfinite(state.labels).all()) and 0 <= unit <= MOST
