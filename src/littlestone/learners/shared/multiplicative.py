"""Multiplicative: what learners share whose weights are powers of one factor, the compiled loops above all.

The loops know nothing of a learner but four scalar rules: `judge` decides guess and direction from the score,
`is_unsure` says when rounding might decide instead, `power` reads a weight, `move` steps it. A score in doubt is summed
again in twice the precision, so that weights that cancel do. The loops stop after a round that used up the state's
room, which `grow` makes (`exponents.py` has the types). Values that the learner does not take are refused before they
touch it.
"""

import math
from abc import abstractmethod
from collections.abc import Hashable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.learner import Size, State, fingerprint
from littlestone.base.theorem import Takes
from littlestone.base.traits import Keyed
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value, rule, write_mark
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.exponents import ROOM, WIDER, are_legal, find_largest, inspect, sign_beyond, widen
from littlestone.learners.shared.inside import expect_rows
from littlestone.learners.shared.linear import Calibrated
from littlestone.learners.shared.rounds import (
    EARLY,
    ONE,
    ROUNDS,
    UPDATES,
    ZERO,
    Entries,
    Rounds,
    find_bin,
    find_entries,
    find_lookahead,
    make_round,
    make_sum_rule,
)
from littlestone.learners.shared.told_scores import TellsScore

# What `counts` holds besides: since weights were fresh the largest exponent, updates, and (where patience may end) the
# attributes up to the highest in an update; and whether the state must grow before its next round.
LARGEST, SINCE, HIGHEST, FULL = range(2, 6)
# what a round may answer instead of a guess
REFUSED = -1
NO_ROOM = -2


class PowerWeights(NamedTuple):
    """What the loops read of a state, and the table that its exponents index."""

    weights: Any
    bias: Any
    counts: Any
    scores: Any
    powers: Any


@rule
def is_out_of_patience(counts: Array, params: Any) -> Any:
    """Whether the learner has no patience left with its factor."""
    return params.patience > 0 and counts[SINCE] > params.patience * math.log(2.0 * max(counts[HIGHEST], 1))


@rule
def must_grow(counts: Array, params: Any) -> Any:
    """Whether the state must grow before its next round: for lack of room or of patience."""
    return counts[LARGEST] >= params.room or is_out_of_patience(counts, params)


def make_multiplicative_loops(
    judge: Any, is_unsure: Any, power: Any, move: Any, make_params: Any, exact: bool = True
) -> Loops:
    """The loops of the learner that guesses and steps by `judge(score, label, params)`, a guess and +1, -1 or 0.

    `power(powers, weight)` reads a weight and `move(weight, step, params)` is it after a step (times the attribute);
    `is_unsure(score, length, powers, largest, params)` says whether rounding of such a sum may have decided.
    `params` is a record that starts with `room`, the largest exponent there is room for, `zero`, the exponent of weight
    0, `constant`, whether there is a constant attribute, `patience` (updates per ln 2n before fresh weights; 0: never),
    `middle`, the score between the classes, `least`, the least value, and `real`, whether values are real.
    """
    sum_quickly = make_sum_rule(power)

    @array_rule
    def sum_carefully(weights: Array, powers: Array, row: Any, offset: Any) -> Any:
        indices, values, a, b = row
        total = offset
        rest = 0.0
        for k in range(a, b):  # Knuth's two-sum: what each addition rounds away is summed on its own
            term = power(powers, weights[read_attribute(indices, k, a)]) * read_value(values, k)
            after = total + term
            part = after - total
            rest += (total - (after - part)) + (term - part)
            total = after
        return total + rest

    @array_rule
    def sum_score(state: Any, row: Any, params: Any, last: Any) -> Any:
        """The sum of the active weights, in twice the precision where rounding might decide."""
        weights = state.weights
        powers = state.powers
        offset = np.float64(power(powers, state.bias[0])) if params.constant else 0.0
        score = sum_quickly(weights, powers, ONE, row, last) + offset
        if is_unsure(score, np.float64(row.b - row.a), powers, state.counts[LARGEST], params):
            score = sum_carefully(weights, powers, row, offset)
        return score

    @array_rule
    def move_weights(state: Any, row: Any, step: Any, params: Any) -> None:
        """Step the weights of a row, and keep the largest exponent and the highest attribute."""
        weights = state.weights
        bias = state.bias
        counts = state.counts
        indices, values, a, b = row
        largest = counts[LARGEST]
        signs = np.int64(0)
        if params.constant:
            bias[0] = move(bias[0], step, params)
            signs |= sign_beyond(bias[0], largest) if exact else 0
        for k in range(a, b):
            if read_value(values, k) != 0:
                i = read_attribute(indices, k, a)
                after = move(weights[i], step * read_value(values, k), params)
                weights[i] = after
                signs |= sign_beyond(after, largest) if exact else 0
        counts[UPDATES] += 1
        counts[SINCE] += 1
        if signs < 0:  # seldom
            counts[LARGEST] = max(largest, find_largest(weights, bias, indices, a, b, params.zero))
        for k in range(a, b if params.patience > 0 else a):
            if read_value(values, k) != 0:
                counts[HIGHEST] = max(counts[HIGHEST], np.int64(read_attribute(indices, k, a)) + 1 + params.constant)

    @array_rule
    def play(state: Any, rounds: Any, guesses: Array, params: Any, marks: Any, told: Any) -> Any:
        """The loop, inlined into the kernels below."""
        counts = state.counts
        labels = rounds.labels
        first = counts[ROUNDS]
        last = find_lookahead(rounds.indptr, state.weights)
        if counts[FULL]:
            return 0
        for t in range(labels.size):
            row = find_entries(rounds, t)
            score = sum_score(state, row, params, last)
            guess, step = judge(score, labels[t], params)
            guesses[t] = guess
            if told is not None:
                told[t] = score - params.middle
            now = first + t
            if now < EARLY or now & 15 == 0:
                state.scores[labels[t], find_bin(score - params.middle)] += 1
            if step != 0:
                move_weights(state, row, step, params)
                write_mark(marks, t, ONE)
                if must_grow(counts, params):
                    counts[ROUNDS], counts[FULL] = now + 1, 1
                    if is_out_of_patience(
                        counts, params
                    ):  # fresh at once, so that guesses before `grow` are those after it
                        for i in range(U(state.weights.size)):
                            state.weights[i] = 0
                        for i in range(U(state.bias.size)):
                            state.bias[i] = 0
                    return t + 1
        counts[ROUNDS] = first + labels.size
        return labels.size

    @kernel
    def replay(state: Any, rounds: Any, guesses: Array, params: Any, marks: Any = None, told: Any = None) -> Any:
        return play(state, rounds, guesses, params, marks, told)

    @kernel
    def play_single(indices: Any, values: Any, length: int, label: int, *state_and_params: Any) -> Any:
        """One round; the arrays of the state and the numbers of `params` come one by one, as in `additive.py`."""
        state = PowerWeights(*state_and_params[:5])
        params = make_params(*state_and_params[5:])
        if not are_legal(values, length, params):
            return REFUSED
        guesses = np.zeros(1, np.int32)
        done = play(state, make_round(indices, values, length, None, label), guesses, params, None, None)
        return np.int64(guesses[0]) if done else NO_ROOM

    @kernel
    def score(indices: Any, values: Any, length: int, *state_and_params: Any) -> Any:
        """The score of one row, or NaN if it has a value that no attribute may have."""
        state = PowerWeights(*state_and_params[:5])
        params = make_params(*state_and_params[5:])
        if not are_legal(values, length, params):
            return np.nan
        return sum_score(state, Entries(indices, values, ZERO, U(length)), params, ZERO)

    return Loops(replay, play_single, score)


class Multiplicative(TellsScore, Calibrated, Keyed):
    """A learner with one weight an attribute; its states start with weights, bias, counts and scores."""

    loops: ClassVar[dict[int, Loops]]  # by the bytes of a weight: 1, 2 and 4 for exponents, 8 for floats
    least: ClassVar[float] = 0.0  # the least value of an attribute
    real: bool = False
    widening: ClassVar[tuple[str, ...]] = ("weights", "bias")

    def furthest(self, state: State) -> int:
        """The largest exponent that the state can ever hold."""
        return ROOM[4]

    @abstractmethod
    def powers(self, state: State) -> Array:
        """The table that the exponents index."""

    @abstractmethod
    def make_params(self, state: State) -> Any:
        """The record of numbers that loops and rules read (see `make_multiplicative_loops`)."""

    def params(self, state: State) -> Any:
        """The same record, made once for all states of one type of weight and one last array."""
        key = state.weights.itemsize, state[-1].tobytes()
        return self._made.get(key) or self._made.setdefault(key, self.make_params(state))

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}

    def full(self, state: State, x: Any) -> bool:
        return bool(state.counts[FULL])

    def grow(self, state: State, size: Size) -> State:
        weights = state.weights
        bias = state.bias
        if weights.itemsize in WIDER and state.counts[LARGEST] >= ROOM[weights.itemsize]:
            weights = widen(weights)
            bias = widen(bias)
        # weight 1: a float, or factor^0
        more = size.attributes - len(weights)
        one = int(weights.dtype.kind == "f")
        if more > 0:
            weights = np.concatenate((weights, np.full(more, one, weights.dtype)))
        state = state._replace(weights=weights, bias=bias, counts=state.counts.copy())
        state.counts[FULL] = must_grow(state.counts, self.params(state))
        return state

    def round(self, state: State, x: Row, y: int) -> int:
        loops = self.loops[state.weights.itemsize]
        row = (x.indices, x.values, x.length)
        guess = int(loops.round(*row, y, *state[:4], self.powers(state), *self.params(state)))
        if guess == REFUSED:
            self.refuse(x)
        if guess == NO_ROOM:
            self.overflow(state)
        return guess

    def trace(self, state: State, chunk: Chunk, guesses: Array, marks: Array) -> int:
        return self.replay(state, chunk, guesses, marks)

    def replay(
        self, state: State, chunk: Chunk, guesses: Array, marks: Array | None = None, told: Array | None = None
    ) -> int:
        chunk = expect_rows(self, chunk)
        alike = chunk.importance is None or bool((chunk.importance == 1).all())
        require(alike, f"{type(self).__name__} takes all rounds alike, got rounds of other importance", BadInstance)
        values = chunk.values
        rounds = len(chunk)
        a = chunk.indptr[0]
        b = chunk.indptr[-1]
        if values is not None:
            bad, ones = inspect(values, a, b, self.least, self.real)
            if bad < b:
                rounds = int(np.searchsorted(chunk.indptr, bad, "right")) - 1
                if rounds == 0:
                    self.refuse(chunk[0])
            if ones and chunk.indices is not None:
                values = None
        played = Rounds(chunk.indptr[: rounds + 1], chunk.indices, values, None, chunk.labels[:rounds])
        replay = self.loops[state.weights.itemsize].replay
        kept = PowerWeights(state.weights, state.bias, state.counts, state.scores, self.powers(state))
        done = int(replay(kept, played, guesses, self.params(state), marks, told))
        if done == 0 and rounds and state.counts[LARGEST] >= self.furthest(state):
            self.overflow(state)
        return done

    def last_score(self, state: State, x: Row) -> float:
        """The sum of the active weights."""
        score = self.loops[state.weights.itemsize].score
        row = (x.indices, x.values, x.length)
        total = float(score(*row, *state[:4], self.powers(state), *self.params(state)))
        if math.isnan(total):
            self.refuse(x)
        return total

    def score(self, state: State, x: Row) -> float:
        """How far the sum of the active weights lies above the middle between the classes."""
        return self.last_score(state, x) - float(self.params(state).middle)

    def key(self, state: State) -> Hashable:
        weights = [part.astype(np.int64) if part.dtype.kind == "i" else part for part in state[:2]]
        return fingerprint((*weights, *state[4:]))

    def overflow(self, state: State) -> None:  # refuse a round for which there is no room
        raise TooLarge(f"{self} has no room for an exponent beyond {state.counts[LARGEST]}")

    def refuse(self, x: Row) -> None:
        """Name the value for which a row is refused."""
        assert x.values is not None
        bad = x.values[inspect(x.values, 0, x.length, self.least, self.real)[0]]
        allowed = f"in [{self.least:g}, 1]" if self.real else "0 or 1" if self.least == 0 else "-1, 0 or 1"
        raise BadInstance(f"{type(self).__name__} takes attributes of value {allowed}, got {bad:g}")

    def takes(self) -> Takes:
        return Takes(fractions=self.real, negative=self.least < 0)
