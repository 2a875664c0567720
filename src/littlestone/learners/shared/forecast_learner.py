"""Forecast learner: what learners for log-loss share besides their loops and their room: chances and scores."""

import math
from collections import Counter
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.learner import UNLIMITED
from littlestone.base.telling import Saying
from littlestone.base.traits import PlanEntry, Planned, Probabilities, Scores
from littlestone.compiled import foresee
from littlestone.learners.shared.forecast_bench import LEAST_CHANCE, ForecastParams
from littlestone.learners.shared.forecast_loops import ForecastLoops, count_forecasts, make_forecast_loops
from littlestone.learners.shared.forecaster_state import CLASSES, Forecaster
from littlestone.learners.shared.scale_free_learner import ScaleFreeLearner, find_bench, read_pieces, read_row_alone


class ForecastLearner(ScaleFreeLearner, Scores, Probabilities, Planned):
    """A learner from rows that says how likely each class is; subclasses say of which members it is a mixture."""

    forecasts: ClassVar[bool] = True

    @cached_property
    def params(self) -> ForecastParams:
        """What the loops read."""
        members = self.members
        flags = [bool(getattr(self, name, True)) for name in ("guard", "share", "bias")]
        rates, wealths, kappas = (np.array(part, np.float64) for part in members[:3])
        return ForecastParams(rates, wealths, kappas, float(members.ridge), members.limit, *flags)

    @cached_property
    def loops(self) -> ForecastLoops:
        """The loops for its numbers of members."""
        rates, wealths, kappas = (len(part) for part in self.members[:3])
        return make_forecast_loops(rates, wealths, kappas, self.members.form)

    def limit(self) -> int:
        return UNLIMITED

    def promise(self, loss: float, formula: str, steps: float, memory: float) -> PlanEntry:
        """What follows for mistakes of a bound on its log-loss: each costs ln 2."""
        return PlanEntry(self, loss / math.log(2), "mistakes", formula, float(steps), memory)

    def predict(self, state: Forecaster, x: Row) -> int:
        return int(self._ask_row(state, x).argmax())

    def round(self, state: Forecaster, x: Row, y: int) -> int:
        told = np.zeros((3, 1))
        bench, _ = find_bench(self, state, x.length)
        self.loops.replay(bench, state, read_row_alone(x, y), told, self.params)
        return int(told[0, 0])

    def _ask_row(self, state: Forecaster, x: Row) -> Array:
        """What `_ask_parts` says of one row."""
        bench, copies = find_bench(self, state, x.length)
        out = np.full((1, max(2, int(state.counts[CLASSES]))), np.nan)
        self.loops.forecast(bench.rows, copies, state, read_row_alone(x, 0), out, self.params)
        return np.asarray(out[0])

    def foresee(self, state: Forecaster, rounds: int) -> None:
        foresee(self.loops.replay, count_forecasts(state, rounds, self.params))

    def replay(self, state: Forecaster, chunk: Chunk, guesses: Array) -> int:
        return self.serve(state, chunk, guesses, np.zeros((2, len(chunk))))

    def serve(self, state: Forecaster, chunk: Chunk, guesses: Array, served: Array) -> int:
        """The same rounds as `replay`; beside each guess stand the chances of the label and of the guess."""
        done = 0
        bench = self._make_bench(state, chunk)
        self.foresee(state, len(chunk))
        for rounds in read_pieces(self, chunk):
            told = np.zeros((3, len(rounds.labels)))  # whole arrays: loops are compiled for each layout
            played = int(self.loops.replay(bench, state, rounds, told, self.params))
            guesses[done : done + played] = told[0, :played]
            served[:, done : done + played] = told[: len(served), :played]
            done += played
            if played < len(rounds.labels):
                break
        return done

    def sayings(self) -> tuple[Saying, ...]:
        """The mixture, then, where it is one, each member."""
        inside = self.list_members()
        return (Saying("", "probability"), *(Saying(name, "probability") for name in inside if len(inside) > 1))

    def tell(self, state: Forecaster, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and what the mixture and its members said of each class."""
        done = 0
        bench = self._make_bench(state, chunk)
        self.foresee(state, len(chunk))
        for rounds in read_pieces(self, chunk):
            found = np.full((3 + self._count_told(bench), len(rounds.labels)), np.nan)
            played = int(self.loops.replay(bench, state, rounds, found, self.params))
            guesses[done : done + played] = found[0, :played]
            self._spread(found[3:, :played], told[:, done : done + played])
            done += played
            if played < len(rounds.labels):
                break
        return done

    def say(self, state: Forecaster, chunk: Chunk, out: Array) -> None:
        """Write what `tell` does, of rows that are not learned."""
        self._spread(self._ask_parts(state, chunk, every=True).T, out)

    def _count_told(self, bench: Any) -> int:
        """How many numbers the mixture and its members say of a row."""
        return int(bench.found.parts.size) * (1 + len(self.list_members()))

    def _spread(self, found: Array, out: Array) -> None:
        """Write the parts of classes that the mixture and its members gave as chances, which add up to 1."""
        members = len(self.list_members())
        wide = len(found) // (1 + members)
        rows = len(out) // (1 + members if members > 1 else 1)
        for k in range(1 + members if members > 1 else 1):
            part = found[k * wide : (k + 1) * wide]
            out[k * rows : (k + 1) * rows][:wide] = (part / np.nansum(part, axis=0))[:rows]

    def list_members(self) -> list[str]:
        """The names of the members of its mixture."""
        members = self.members
        parts = (("AdaGrad", members.rates), ("Coin", members.wealths), ("Aioli", members.kappas))
        return [f"{name}({number:g})" for name, numbers in parts for number in numbers]

    def _ask_parts(self, state: Forecaster, chunk: Chunk, every: bool = False) -> Array:
        """What each class met has a part of: how likely it is by its own unit, or among the others.

        With `every`, what each member gives it too.
        """
        bench = self._make_bench(state, chunk)
        done = 0
        wide = self._count_told(bench) if every else max(2, int(state.counts[CLASSES]))
        out = np.full((len(chunk), wide), np.nan)
        copies = bench.copy_state()
        foresee(self.loops.forecast, count_forecasts(state, len(chunk), self.params))
        for rounds in read_pieces(self, chunk.with_labels(np.zeros(len(chunk), np.int32))):  # labels are not looked at
            self.loops.forecast(bench.rows, copies, state, rounds, out[done : done + len(rounds.labels)], self.params)
            done += len(rounds.labels)
        return out

    def readouts(self, state: Forecaster, chunk: Chunk) -> Array:
        return np.asarray(self._ask_parts(state, chunk).argmax(axis=1), np.int32)

    def probabilities(self, state: Forecaster, chunk: Chunk) -> Array:
        """The chance of class 1, or of each class."""
        return self._share_out(state, self._ask_parts(state, chunk))

    def _share_out(self, state: Forecaster, parts: Array) -> Array:
        chances = parts if len(state.weights) == 1 else parts / parts.sum(axis=1, keepdims=True)
        return chances[:, 1] if self._tells_two(state) else chances

    def probability(self, state: Forecaster, x: Row) -> Any:
        """The chance of class 1, or of each class."""
        return self._share_out(state, self._ask_row(state, x)[None])[0]

    def scores(self, state: Forecaster, chunk: Chunk) -> Array:
        """The logarithm of the odds of class 1, or of each class; of a softmax, that of each class's chance."""
        parts = self._ask_parts(state, chunk)
        if self.members.form == "units" and not self._tells_two(state):
            return np.asarray(np.log(parts) - np.log1p(-parts))
        logs = np.log(parts if len(state.weights) == 1 else np.maximum(parts, LEAST_CHANCE))
        return np.asarray(logs[:, 1] - logs[:, 0] if self._tells_two(state) else logs)

    def score(self, state: Forecaster, x: Row) -> Any:
        """The logarithm of the odds of class 1, or of each class; of a softmax, that of each class's chance."""
        return self.scores(state, Examples.row(x, 0))[0]

    def _tells_two(self, state: Forecaster) -> bool:
        """Whether there are two classes, so that the chance of class 1 says all."""
        return len(state.weights) == self.members.count_blocks(2)

    @property
    def scores_by_plane(self) -> bool:
        """Whether the score is linear in the row: that of a mixture or of a Newton member is not."""
        return self.members.first == 1 and not self.members.kappas and self.members.form == "units"

    def _list_planes(self, state: Forecaster) -> list[Array]:
        """The planes of all units or classes; of two classes, that of the second less that of the first."""
        members = self.members
        if members.form == "units":
            return super()._list_planes(state)
        last = members.per_class - 1 if self._goes_by_softmax(state) else 0
        blocks = range(last, len(state.weights), members.per_class)
        softmax = self._goes_by_softmax(state)
        planes = [self._find_plane(state, block, last if softmax else block) for block in blocks]
        return [planes[1] - planes[0]] if len(planes) == 2 else planes

    def _goes_by_softmax(self, state: Forecaster) -> bool:
        """Whether a softmax weighs more than units, or there are none."""
        return self.members.form == "softmax" or (self.members.form == "both" and state.labels[1] >= state.labels[0])

    def name_plane(self, state: Forecaster) -> str:
        """Whose weights `plane` has: in words, where there are several members."""
        members = self.members
        weights = state.weights
        if weights.shape[1] == 1 and members.form != "both":
            return ""
        softmax = self._goes_by_softmax(state)
        whose = ""
        if members.form == "both":
            form, share = ("softmax", state.labels[1]) if softmax else ("one unit a class", state.labels[0])
            whose = f" of {form}, {share:.0%} of all"
        if not softmax and len(weights) > 1:
            told = f"the member that weighs most for each class{whose}"
            named = Counter(self.list_members()[best] for best in weights.argmax(axis=1).tolist())
            many = ", ".join(f"{name} for {count:,} of {len(weights):,}" for name, count in named.most_common())
            return told if whose else f"{told}: {many}"
        row = weights[members.per_class - 1]
        best = int(np.argmax(row))
        return f"{self.list_members()[best]}, {row[best] / row.sum():.0%} of the mixture{whose}"
