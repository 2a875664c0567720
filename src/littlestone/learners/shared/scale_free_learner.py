"""Scale-free learner: what learners share that measure every attribute by its own largest value.

These are their room, which grows with the attributes that are met, the planes of their weights, and how their loops
read chunks.
"""

import threading
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import Takes
from littlestone.base.traits import ListedWeights, Plane, RowLearner
from littlestone.learners.shared.forecast_bench import Bench
from littlestone.learners.shared.forecaster_state import (
    CLASSES,
    MATRICES,
    MET,
    UNITS,
    UPDATES,
    WANTED,
    Forecaster,
    Members,
)
from littlestone.learners.shared.inside import expect_rows, read_rounds
from littlestone.learners.shared.rounds import Rounds

PIECE = 1 << 16  # entries that are written out at a time
ONCE = np.ones(1)
FEW = 4096  # entries of a row up to which what such rows share is kept
MOST_PLAYS = 1_000_000  # of a round: one that counts more than once is played that often


def require_precision(bits: int) -> None:
    """Refuse numbers that are neither of four nor of eight bytes."""
    require(bits in (32, 64), f"precision must be 32 or 64 bits, got {bits}")


def read_pieces(learner: Learner, chunk: Chunk) -> Iterator[Rounds]:
    """The rounds of a chunk, some at a time, with attributes, values and importance written out in one type each.

    So the loops are compiled once, and not for every type of rows.
    """
    indptr, indices, values, importance, labels = read_rounds(learner, chunk)
    if importance is not None:
        most = float(importance.max(initial=0.0))
        require(most <= MOST_PLAYS, f"a round counts at most {MOST_PLAYS:,} times, got {most:g}", BadInstance)
    first = 0
    while first < len(labels):
        end = max(first + 1, int(np.searchsorted(indptr, indptr[first] + PIECE, side="right")) - 1)
        end = min(end, len(labels))
        a = int(indptr[first])
        b = int(indptr[end])
        ends = indptr[first : end + 1] - a
        yield Rounds(
            ends.astype(np.int64, copy=False),
            np.arange(b - a, dtype=np.int32) - np.repeat(ends[:-1], np.diff(ends)).astype(np.int32)
            if indices is None
            else indices[a:b].astype(np.int32, copy=False),
            np.ones(b - a) if values is None else values[a:b].astype(np.float64, copy=False),
            np.ones(end - first) if importance is None else importance[first:end].astype(np.float64, copy=False),
            labels[first:end].astype(np.float64 if learner.numeric else np.int32, copy=False),
        )
        first = end


class _LastBench(threading.local):
    """What the last row that came alone in this thread was played on; making it anew would take most of the time."""

    learner: Any = None
    state: Any = None
    length = -1
    made: Any = None


_last = _LastBench()
SMALL = 1 << 24  # bytes of a state that may be kept here after its player is gone


def find_bench(learner: "ScaleFreeLearner", state: Forecaster, length: int) -> tuple[Bench, Bench]:
    """What a row of this length is played on, and the same with room for copies of all that it may change."""
    if _last.state is state and _last.learner is learner and length <= _last.length:
        return _last.made  # type: ignore[no-any-return]
    learner.members.endow_rest(state)
    bench = Bench.of(learner.members, state, length)
    made = bench, bench.copy_state()
    if state.table.nbytes + state.matrices.nbytes + state.places.nbytes < SMALL:
        _last.learner = learner
        _last.state = state
        _last.length = length
        _last.made = made
    return made


def _number_entries(length: int) -> tuple[Array, Array, Array]:
    """What all dense rows of a length share: where they end, their attributes, and values of 1."""
    return np.array([0, length]), np.arange(length, dtype=np.int32), np.ones(length)


_number_few = lru_cache(64)(_number_entries)


def read_row_alone(x: Row, label: Any) -> Rounds:
    """What `read_pieces` gives of a single row that counts once."""
    length = x.length
    indptr, listed, ones = _number_few(length) if length <= FEW else _number_entries(length)
    indices = listed if x.indices is None else x.indices.astype(np.int32, copy=False)
    values = ones if x.values is None else x.values.astype(np.float64, copy=False)
    return Rounds(indptr, indices, values, ONCE, np.array([label], np.int32))


class ScaleFreeLearner(Learner, RowLearner, Plane):
    """A learner from rows, whose columns may be in any units; subclasses say which members it has."""

    unplanned: ClassVar[str] = "its bound is about log-loss, and depends on the rows that will come"
    resizable: ClassVar[tuple[str, ...]] = ("places", "table", "weights", "centres", "matrices", "spent", "losses")

    def __str__(self) -> str:
        known: Any = self
        told = [part.name for part in fields(known) if getattr(self, part.name) != part.default]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in told)})"

    @cached_property
    def members(self) -> Members:
        """Of which members its units are mixtures."""
        raise NotImplementedError

    def takes(self) -> Takes:
        return Takes(importance=True)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls()]

    def start(self, size: Size, seed: int = 0) -> Forecaster:
        return self.members.start(size.attributes, size.classes)

    def grow(self, state: Forecaster, size: Size) -> Forecaster:
        if size.attributes > len(state.places):
            state = state._replace(places=np.pad(state.places, (0, size.attributes - len(state.places))))
        now = self.members.count_rows(state), len(state.weights)
        rows = now[0]
        blocks = max(self.members.count_blocks(size.classes), now[1])
        while rows < state.counts[WANTED]:
            rows *= 2
        most = self.members.limit
        few = f"{type(self).__name__} keeps a matrix of attributes: at most {most}, got {state.counts[WANTED]}"
        require(self.members.first > 0 or state.counts[WANTED] <= most, few, TooLarge)
        return state if (rows, blocks) == now else self.members.resize(state, rows, blocks)

    def full(self, state: Forecaster, x: Row) -> bool:
        met = int(state.counts[MET])
        rows = self.members.count_rows(state)
        if met + x.length <= rows:
            return False
        if state.places[slice(x.length) if x.indices is None else x.indices].all():  # as of most rows
            return False
        here = np.arange(x.length) if x.indices is None else x.indices
        wanted = met + int(np.count_nonzero(state.places[here[x.values != 0] if x.values is not None else here] == 0))
        if wanted > rows:
            state.counts[WANTED] = wanted
        return wanted > rows

    def update(self, state: Forecaster, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def trace(self, state: Forecaster, chunk: Chunk, guesses: Array, marks: Array) -> int:
        played = self.replay(state, chunk, guesses)
        marks[:played] = 1
        return played

    def moves(self, state: Forecaster) -> int:
        return int(state.counts[UPDATES])

    def _make_bench(self, state: Forecaster, chunk: Chunk) -> Bench:
        """What the rows of a chunk are played on."""
        self.members.endow_rest(state)
        return Bench.of(self.members, state, int(np.diff(expect_rows(self, chunk).indptr).max(initial=0)))

    def plane(self, state: Forecaster) -> tuple[Array, Array]:
        """The weights of the member that weighs most in each unit."""
        return self.list_weights(state).spread(len(state.places))

    def list_weights(self, state: Forecaster) -> ListedWeights:
        """The same for the attributes met."""
        columns = self._list_planes(state)
        attributes = np.flatnonzero(state.places)
        weights = np.stack(columns, axis=1)
        constants = np.array([column[0] for column in columns])
        rows = state.places[attributes]
        return ListedWeights(attributes, weights[rows], constants, self._find_sizes(state)[rows])

    def _list_planes(self, state: Forecaster) -> list[Array]:
        """The planes of all units."""
        return [self._find_plane(state, unit, unit) for unit in range(len(state.weights))]

    def _find_sizes(self, state: Forecaster) -> Array:
        """The largest size of a value so far, of each row of the table that was met."""
        table = state.table.reshape(-1, self.members.stride(len(state.weights)))[: state.counts[MET]]
        return np.ascontiguousarray(table[:, : self.members.lead]).view(np.float64)[:, 0]

    def _find_plane(self, state: Forecaster, block: int, mixture: int) -> Array:
        """The weights of a mixture's heaviest member for the rows of the table, in the units of the attributes."""
        members = self.members
        met = int(state.counts[MET])
        table = state.table.reshape(-1, members.stride(len(state.weights)))[:met]
        sizes = self._find_sizes(state)
        numbers = members.find_block(table, block).astype(np.float64)
        best = int(np.argmax(state.weights[mixture]))
        if best < len(members.rates):
            weights = members.rates[best] * numbers[:, best] / np.sqrt(numbers[:, members.first + best] + 1)
        elif best < members.first:
            square = numbers[:, members.first + best] + 1
            bets = np.clip(numbers[:, best], -np.sqrt(square), np.sqrt(square)) / (2 * square)
            weights = bets * numbers[:, 2 * members.first + best - len(members.rates)]
        else:
            weights = state.centres[block // members.per_class * len(members.kappas) + best - members.first, :met]
        return np.asarray(np.divide(weights, sizes, out=np.zeros(met), where=sizes > 0))

    def check_state(self, state: Forecaster, size: Size) -> bool:
        members = self.members
        counts = state.counts
        blocks = len(state.weights)
        met = int(counts[MET])
        stride = members.stride(blocks)
        rows = len(state.table) // stride
        side = state.centres.shape[1]
        whole = len(state.table) == rows * stride and blocks == members.count_blocks(size.classes)
        shaped = (
            state.losses.shape[1] == 2 and len(state.losses) >= UNITS + blocks and len(state.places) == size.attributes
        )
        shaped = shaped and state.weights.shape[1] == members.first + len(members.kappas)
        placed = shaped and bool(np.all((state.places >= 0) & (state.places < met)))
        newton = state.matrices.shape == (blocks // members.per_class * len(members.kappas), side, side)
        newton = newton and len(state.centres) == len(state.matrices) == len(state.spent)
        enough = side >= met if counts[MATRICES] else True
        return bool(
            whole and placed and newton and enough and 1 <= met <= rows and 0 <= counts[CLASSES] <= max(2, size.classes)
        )
