"""Forecast learner: what learners for log-loss share besides their loops and their room: chances and scores."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.learner import UNLIMITED
from littlestone.base.traits import Probabilities, Scores
from littlestone.learners.shared.forecast_bench import ForecastParams
from littlestone.learners.shared.forecast_loops import ForecastLoops, make_forecast_loops
from littlestone.learners.shared.forecaster_state import CLASSES, Forecaster
from littlestone.learners.shared.scale_free_learner import ScaleFreeLearner, read_pieces


class ForecastLearner(ScaleFreeLearner, Scores, Probabilities):
    """A learner from rows that says how likely each class is; subclasses say of which members it is a mixture."""

    forecasts: ClassVar[bool] = True

    @cached_property
    def params(self) -> ForecastParams:
        """What the loops read."""
        members, flags = self.members, [bool(getattr(self, name, True)) for name in ("guard", "share", "bias")]
        rates, wealths, kappas = (np.array(part, np.float64) for part in members[:3])
        return ForecastParams(rates, wealths, kappas, float(members.ridge), members.limit, *flags)

    @cached_property
    def loops(self) -> ForecastLoops:
        """The loops for its numbers of members."""
        return make_forecast_loops(*(len(part) for part in self.members[:3]))

    def limit(self) -> int:
        return UNLIMITED

    def predict(self, state: Forecaster, x: Row) -> int:
        return int(self.readouts(state, Examples.row(x, 0))[0])

    def round(self, state: Forecaster, x: Row, y: int) -> int:
        guesses = np.zeros(1, np.int32)
        self.replay(state, Examples.row(x, y), guesses)
        return int(guesses[0])

    def replay(self, state: Forecaster, chunk: Chunk, guesses: Array) -> int:
        return self.serve(state, chunk, guesses, np.zeros((2, len(chunk))))

    def serve(self, state: Forecaster, chunk: Chunk, guesses: Array, served: Array) -> int:
        """The same rounds as `replay`; beside each guess stands the chance that the label had."""
        done, bench = 0, self._make_bench(state, chunk)
        for rounds in read_pieces(self, chunk):
            told = np.zeros((2, len(rounds.labels)))  # whole arrays: loops are compiled for each layout
            played = int(self.loops.replay(bench, state, rounds, told, self.params))
            guesses[done : done + played], served[:, done : done + played] = told[0, :played], told[:, :played]
            done += played
            if played < len(rounds.labels):
                break
        return done

    def _ask_units(self, state: Forecaster, chunk: Chunk) -> Array:
        """How likely each class met is, by its own unit."""
        out, done = np.zeros((len(chunk), max(2, int(state.counts[CLASSES])))), 0
        bench = self._make_bench(state, chunk)
        copies = bench.copy_state()
        for rounds in read_pieces(self, chunk.with_labels(np.zeros(len(chunk), np.int32))):  # labels are not looked at
            self.loops.forecast(bench.rows, copies, state, rounds, out[done : done + len(rounds.labels)], self.params)
            done += len(rounds.labels)
        return out

    def readouts(self, state: Forecaster, chunk: Chunk) -> Array:
        return np.asarray(self._ask_units(state, chunk).argmax(axis=1), np.int32)

    def probabilities(self, state: Forecaster, chunk: Chunk) -> Array:
        """The chance of class 1, or of each class."""
        chances = self._ask_units(state, chunk)
        return chances[:, 1] if len(state.weights) == 1 else chances / chances.sum(axis=1, keepdims=True)

    def probability(self, state: Forecaster, x: Row) -> Any:
        """The chance of class 1, or of each class."""
        return self.probabilities(state, Examples.row(x, 0))[0]

    def scores(self, state: Forecaster, chunk: Chunk) -> Array:
        """The logarithm of the odds of class 1, or of each class."""
        chances = self._ask_units(state, chunk)
        if len(state.weights) == 1:
            return np.asarray(np.log(chances[:, 1]) - np.log(chances[:, 0]))
        return np.asarray(np.log(chances) - np.log1p(-chances))

    def score(self, state: Forecaster, x: Row) -> Any:
        """The logarithm of the odds of class 1, or of each class."""
        return self.scores(state, Examples.row(x, 0))[0]

    @property
    def scores_by_plane(self) -> bool:
        """Whether the score is linear in the row: that of a mixture or of a Newton member is not."""
        return self.members.first == 1 and not self.members.kappas

    def name_plane(self, state: Forecaster) -> str:
        """Whose weights `plane` has: in words, where there are several members."""
        members, weights = self.members, state.weights
        if weights.shape[1] == 1:
            return ""
        if len(weights) > 1:
            return "the member that weighs most for each class"
        parts = (("AdaGrad", members.rates), ("Coin", members.wealths), ("Aioli", members.kappas))
        names = [f"{name}({number:g})" for name, numbers in parts for number in numbers]
        return f"{names[int(np.argmax(weights[0]))]}, {weights[0].max():.0%} of the mixture"
