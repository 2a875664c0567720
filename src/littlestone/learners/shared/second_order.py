"""Second order: what learners share that keep a symmetric matrix beside their weights.

A second-order learner is one scalar rule. When its score agrees too little with the label, it says how far to step
along A x, how much of (A x)(A x)' to take from A, and by what factor to stretch what remains, given the agreement y s
and the spread x'Ax. Scores need the weights alone, so a round that teaches nothing costs what it costs a perceptron.

A is kept as scale (B - sum of shrink[q] p[q] p[q]') with at most four vectors p waiting: most updates only read B.
With a bias the constant attribute is the first row of A, so that new attributes are new rows at its end.
"""

from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.domain import is_inside
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.learner import Size
from littlestone.base.traits import Plane
from littlestone.compiled import PENDING, U, array_rule, is_dense, kernel, read_attribute, rule
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.inside import read_inside, require_inside
from littlestone.learners.shared.linear import Calibrated
from littlestone.learners.shared.packed_matrix import (
    VECTORS,
    apply_step,
    enlarge,
    find_rounding,
    find_row_start,
    foresee_spread,
    is_zero,
    lay_out,
    make_identity,
    multiply_ranges,
    must_wait,
    prepare_sharing,
    round_up_rows,
    spread_along,
    unpack,
)
from littlestone.learners.shared.rounds import (
    BINS,
    EARLY,
    ONE,
    ROUNDS,
    ZERO,
    Entries,
    dot,
    find_bin,
    find_entries,
    find_lookahead,
    make_round,
)
from littlestone.learners.shared.told_scores import TellsScore

MATRIX_RACES = 500  # attributes up to which learners with a matrix race
WIDEST = 1 << 15  # attributes of the largest matrix: four gigabytes
# how a round that teaches may end
TAUGHT = 0
LATER = 1
LOST = 2
WAITING = -2  # instead of a guess: the round must be given the products of the ranges of rows


class Confidence(NamedTuple):
    """What a second-order learner has learned; `counts` are rounds, updates and vectors that wait."""

    weights: Any
    bias: Any
    matrix: Any
    pending: Any
    shrink: Any
    scale: Any
    counts: Any
    scores: Any


class Moved(NamedTuple):
    """What the rule of a second-order learner answers, with h = A x / scale."""

    along: Any  # how far to step along A x
    shrink: Any  # how much of (A x)(A x)' to take from A
    stretch: Any  # by what factor to multiply what remains of A


@array_rule
def fits_row(weights: Array, rounds: Any, t: Any) -> Any:
    """Whether every attribute of row t has a weight."""
    indices, _, a, b = find_entries(rounds, t)
    if is_dense(indices):
        return b - a <= U(weights.size)
    widest = ZERO
    for k in range(a, b):
        widest = max(widest, read_attribute(indices, k, a) + ONE)
    return widest <= U(weights.size)


@array_rule
def score_row(state: Any, rounds: Any, t: Any, constant: Any, last: Any) -> Any:
    """The score of row t."""
    return dot(state.weights, ONE, find_entries(rounds, t), last) + state.bias[0] * constant


def make_second_order_loops(move: Any, make_params: Any, damping: Any) -> Loops:
    """The loops of the learner whose rule is `move(agreement, spread, dimension, params)`, which answers `Moved`.

    `params` is a record that starts with `enough`, the agreement at or below which a round teaches, and `constant`, the
    bias. `damping(params)` is what the rule adds to x'Ax before it divides: a round is refused of which rounding leaves
    no digit of that sum, or whose x'Ax is not positive.
    """

    @rule
    def is_lost(state: Any, places: Array, z: Array, spread: Any, params: Any) -> Any:
        """Whether rounding decides what x'Ax is, of an x that is not zero."""
        return spread <= 0 or spread + damping(params) <= find_rounding(state, places, z)

    @rule
    def teach(state: Any, rounds: Any, t: Any, agreement: Any, params: Any, shared: Any) -> Any:
        """Learn from round t: TAUGHT; or LATER, if it must be given the products of ranges first, or LOST."""
        a = U(rounds.indptr[t])
        b = U(rounds.indptr[t + 1])
        shift = ONE if params.constant != 0 else ZERO
        z, places = lay_out(rounds.indices, rounds.values, a, b, params.constant, state.pending.shape[1])
        if must_wait(shared, state.counts, places, z):
            return LATER
        h = np.zeros(z.size)
        zero = is_zero(places, z)
        anew = shared is None and state.counts[VECTORS] == PENDING  # A is about to be written anew: look first
        if anew and not zero and is_lost(state, places, z, foresee_spread(state, places, z, h), params):
            return LOST
        spread = spread_along(state, places, z, h, shared)
        if zero:
            return TAUGHT
        if is_lost(state, places, z, spread, params):
            return LOST
        moved = move(agreement, spread, state.weights.size + np.int64(shift), params)
        apply_step(state, h, 1.0 if rounds.labels[t] else -1.0, moved, shift)
        return TAUGHT

    @rule
    def play(state: Any, rounds: Any, guesses: Array, params: Any, shared: Any, told: Any) -> Any:
        """The loop, inlined into both kernels below."""
        counts = state.counts
        labels = rounds.labels
        last = find_lookahead(rounds.indptr, state.weights)
        for t in range(labels.size):
            if not fits_row(state.weights, rounds, t):
                return t
            score = score_row(state, rounds, t, params.constant, last)
            if told is not None:
                told[t] = score
            guesses[t] = 1 if score > 0 else 0
            agreement = score if labels[t] else -score
            if agreement <= params.enough:
                taught = teach(state, rounds, t, agreement, params, shared)
                if taught != TAUGHT:
                    return ~t if taught == LATER else t
            if counts[ROUNDS] < EARLY or counts[ROUNDS] & 15 == 0:
                state.scores[labels[t], find_bin(score)] += 1
            counts[ROUNDS] += 1
        return labels.size

    @kernel
    def replay(state: Any, rounds: Any, guesses: Array, params: Any, shared: Any, told: Any = None) -> Any:
        return play(state, rounds, guesses, params, shared, told)

    @kernel
    def play_single(
        indices: Any,
        values: Any,
        length: int,
        label: int,
        shared: Any,
        least: float,
        most: float,
        *state_and_params: Any,
    ) -> Any:
        """One round, or -1 for a row that is refused; what comes one by one is as in `additive.py`."""
        if not is_inside(values, 0, length, least, most):
            return -1
        state = Confidence(*state_and_params[:8])
        params = make_params(*state_and_params[8:])
        rounds = make_round(indices, values, length, None, label)
        guesses = np.zeros(1, np.int32)
        done = play(state, rounds, guesses, params, shared, None)
        return guesses[0] if done == 1 else done - 1  # refused, or WAITING

    @kernel
    def score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
        """The score of one row, or NaN if it has an attribute without a weight."""
        if not fits_row(weights, make_round(indices, values, length, None, 0), 0):
            return np.nan
        return dot(weights, ONE, Entries(indices, values, ZERO, U(length)), ZERO) + bias[0] * constant

    return Loops(replay, play_single, score)


class SecondOrder(TellsScore, Calibrated, Plane):
    """A learner with a matrix; subclasses are one scalar rule, `loops`, and its `params`."""

    loops: ClassVar[Loops]
    called: ClassVar[str] = ""  # by users, if not as the class is
    narrower: ClassVar[str] = ""  # what to take where there are too many attributes
    remedy: ClassVar[str] = "Scale the columns to about 1 in size"  # where rounding has won
    resizable: ClassVar[tuple[str, ...]] = ("weights", "matrix", "pending")
    bias: float

    @cached_property
    def params(self) -> Any:
        """The record of numbers that the loops read, then those of the rule (see `make_second_order_loops`)."""
        raise NotImplementedError

    def variance(self) -> float:
        """What the diagonal of the matrix starts with."""
        return 1.0

    def start(self, size: Size, seed: int = 0) -> Confidence:
        attributes = size.attributes
        rows = self._count_rows(size.attributes)
        matrix = make_identity(rows, self.variance())
        pending = np.zeros((PENDING, round_up_rows(rows)))
        counts = np.zeros(3, np.int64)
        scores = np.zeros((2, BINS), np.int64)
        changes = pending, np.zeros(PENDING), np.ones(1)
        return Confidence(np.zeros(attributes), np.zeros(1), matrix, *changes, counts, scores)

    def grow(self, state: Confidence, size: Size) -> Confidence:
        more = size.attributes - len(state.weights)
        if more <= 0:
            return state
        rows = self._count_rows(size.attributes)
        pending = np.zeros((PENDING, round_up_rows(rows)))
        pending[:, : state.pending.shape[1]] = state.pending
        weights = np.concatenate((state.weights, np.zeros(more)))
        return state._replace(weights=weights, matrix=enlarge(state.matrix, rows, self.variance()), pending=pending)

    def predict(self, state: Confidence, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def round(self, state: Confidence, x: Row, y: int) -> int:
        round = self.loops.round
        row = (x.indices, x.values, x.length, y)
        shared = prepare_sharing(state.pending)
        while (guess := int(round(*row, shared, *self.domain(state), *state, *self.params))) == WAITING:
            shared = multiply_ranges(state, shared[0])
        return guess if guess >= 0 else self._refuse(state, x)

    def replay(self, state: Confidence, chunk: Chunk, guesses: Array, told: Array | None = None) -> int:
        shared = prepare_sharing(state.pending)
        rounds = read_inside(self, state, chunk)
        done = 0
        while done < len(rounds.labels):
            left = rounds._replace(indptr=rounds.indptr[done:], labels=rounds.labels[done:])
            rest = None if told is None else told[done:]
            more = int(self.loops.replay(state, left, guesses[done:], self.params, shared, rest))
            if more >= 0:
                done += more
                break
            done += ~more
            try:
                self.round(state, rounds.row(done), int(rounds.labels[done]))  # the loop has noted what it guesses
            except BadInstance:
                break
            done += 1
        return self._refuse(state, rounds.row(0)) if done == 0 and len(chunk) else done

    def score(self, state: Confidence, x: Row) -> float:
        """The score of the hypothesis that plays: positive for class 1."""
        row = (x.indices, x.values, x.length)
        score = float(self.loops.score(state.weights, state.bias, *row, float(self.bias)))
        return self._refuse(state, x) if score != score else score

    def plane(self, state: Confidence) -> tuple[Array, Array]:
        return state.weights.astype(np.float64)[:, None], state.bias[:1].astype(np.float64) * self.bias

    def matrix(self, state: Confidence) -> Array:
        """The matrix A itself, the row of the bias first if there is one."""
        rows = self._count_rows(len(state.weights))
        square = unpack(state.matrix, rows)
        for q in range(state.counts[VECTORS]):
            square -= state.shrink[q] * np.outer(state.pending[q, :rows], state.pending[q, :rows])
        return np.asarray(state.scale[0] * square)

    def _count_rows(self, attributes: int) -> int:
        name = self.called or type(self).__name__
        most = f"{name} keeps a matrix of attributes: at most {WIDEST}, got {attributes}{self.narrower}"
        require(attributes <= WIDEST, most, TooLarge)
        return attributes + (self.bias != 0)

    def _refuse(self, state: Confidence, x: Row) -> int:
        kind = type(self).__name__
        game = f"this game of {kind} is over {len(state.weights)} attributes, fixed when it started"
        require(x.width <= len(state.weights), f"{game}; got a row with more", BadInstance)
        require_inside(self, state, x)
        raise BadInstance(f"{kind} cannot learn this row: rounding has left no digit of its x'Ax. {self.remedy}")

    def check_state(self, state: Confidence, size: Size) -> bool:
        attributes = len(state.weights)
        rows = round_up_rows(attributes + (self.params.constant != 0))
        whole = state.pending.shape == (PENDING, rows) and len(state.matrix) == int(find_row_start(U(rows)))
        return bool(whole and self.knows_attributes(attributes, size) and 0 <= state.counts[VECTORS] <= PENDING)

    def knows_attributes(self, attributes: int, size: Size) -> bool:
        """Whether a state may have this number of attributes in a game of this size."""
        return attributes == size.attributes
