"""Multiplicative: what learners share whose weights are powers of one factor, the compiled loops above all.

The loops know nothing of a learner but four scalar rules: `judge` decides guess and direction from the score, `unsure`
says when rounding might decide instead, `power` reads a weight, `moved` steps it. A score in doubt is summed again in
twice the precision, so that weights that cancel do, in whatever order a row lists them. The loops stop after a round
that used up the state's room, which `full` sees in constant time, and `grow` makes room (`exponents.py` has the types).
Live play is a replay of one row, so both agree by construction. Attributes are 0 or 1, or what the learner says; any
other value is refused before it touches the state. A constant attribute is kept outside the others.
"""

import math
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.learner import Learner, Size, State, fingerprint
from littlestone.compiled import U, entry, kernel, note, place, prefetch, rule
from littlestone.learners.shared.additive import AHEAD, FOUR, ONE, THREE, TWO, ZERO, Loops, reach
from littlestone.learners.shared.calibration import EARLY, logistic, octave, slope
from littlestone.learners.shared.exponents import ROOM, WIDER, beyond, inspect, largest_of, legal, widened

# What `counts` holds: rounds and updates; since weights were fresh the largest exponent, updates, and (where patience
# may end) the attributes up to the highest in an update; and whether the state must grow before its next round.
ROUNDS, UPDATES, LARGEST, SINCE, HIGHEST, FULL = range(6)
REFUSED, NO_ROOM = -1, -2  # what a round may answer instead of a guess


@rule
def spent(counts: Array, params: Any) -> Any:
    """Whether the learner has no patience left with its factor."""
    patience = params[3]
    return patience > 0 and counts[SINCE] > patience * math.log(2.0 * max(counts[HIGHEST], 1))


@rule
def used_up(counts: Array, params: Any) -> Any:
    """Whether the state must grow before its next round: for lack of room or of patience."""
    return counts[LARGEST] >= params[0] or spent(counts, params)


def multiplicative(judge: Any, unsure: Any, power: Any, moved: Any, exact: bool = True) -> Loops:
    """The loops of the learner that guesses and steps by `judge(score, label, params)`, a guess and +1, -1 or 0.

    `power(powers, weight)` reads a weight and `moved(weight, step, params)` is it after a step (times the attribute);
    `unsure(score, length, powers, largest, params)` says whether a sum of so many terms may be off by a decision.
    `params` starts with the largest exponent there is room for, the exponent of weight 0, whether there is a constant
    attribute, the patience (updates per ln 2n before fresh weights are due; 0: endless), the score between the classes,
    the least value of an attribute, and whether values are real; what follows belongs to the rules.
    """

    @rule
    def quick(weights: Array, powers: Array, indices: Any, values: Any, a: Any, b: Any, last: Any) -> Any:
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        fours = a + ((b - a) & ~THREE)
        if b < last:
            for k in range(a, fours, FOUR):
                prefetch(weights, np.int64(place(indices, k + AHEAD, a)))
                prefetch(weights, np.int64(place(indices, k + AHEAD + ONE, a)))
                prefetch(weights, np.int64(place(indices, k + AHEAD + TWO, a)))
                prefetch(weights, np.int64(place(indices, k + AHEAD + THREE, a)))
                s0 += power(powers, weights[place(indices, k, a)]) * entry(values, k)
                s1 += power(powers, weights[place(indices, k + ONE, a)]) * entry(values, k + ONE)
                s2 += power(powers, weights[place(indices, k + TWO, a)]) * entry(values, k + TWO)
                s3 += power(powers, weights[place(indices, k + THREE, a)]) * entry(values, k + THREE)
        else:
            for k in range(a, fours, FOUR):
                s0 += power(powers, weights[place(indices, k, a)]) * entry(values, k)
                s1 += power(powers, weights[place(indices, k + ONE, a)]) * entry(values, k + ONE)
                s2 += power(powers, weights[place(indices, k + TWO, a)]) * entry(values, k + TWO)
                s3 += power(powers, weights[place(indices, k + THREE, a)]) * entry(values, k + THREE)
        for k in range(fours, b):
            s0 += power(powers, weights[place(indices, k, a)]) * entry(values, k)
        return (s0 + s1) + (s2 + s3)

    @rule
    def careful(weights: Array, powers: Array, indices: Any, values: Any, a: Any, b: Any, offset: Any) -> Any:
        total, rest = offset, 0.0
        for k in range(a, b):  # Knuth's two-sum: what each addition rounds away is summed on its own
            term = power(powers, weights[place(indices, k, a)]) * entry(values, k)
            after = total + term
            part = after - total
            rest += (total - (after - part)) + (term - part)
            total = after
        return total + rest

    @rule
    def rounds(  # the loop, inlined into the kernels below
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        powers: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        marks: Any,
    ) -> Any:
        dead, constant, patience, middle = params[1], params[2], params[3], params[4]
        first, last = counts[ROUNDS], reach(indptr, weights)
        if counts[FULL]:
            return 0
        for t in range(labels.size):
            a, b = U(indptr[t]), U(indptr[t + 1])
            offset = np.float64(power(powers, bias[0])) if constant else 0.0
            score = quick(weights, powers, indices, values, a, b, last) + offset
            if unsure(score, np.float64(b - a), powers, counts[LARGEST], params):
                score = careful(weights, powers, indices, values, a, b, offset)
            guess, step = judge(score, labels[t], params)
            guesses[t] = guess
            now = first + t
            if now < EARLY or now & 15 == 0:
                scores[labels[t], octave(score - middle)] += 1
            if step != 0:
                largest, signs = counts[LARGEST], np.int64(0)
                if constant:
                    bias[0] = moved(bias[0], step, params)
                    signs |= beyond(bias[0], largest) if exact else 0
                for k in range(a, b):
                    if entry(values, k) != 0:
                        i = place(indices, k, a)
                        after = moved(weights[i], step * entry(values, k), params)
                        weights[i] = after
                        signs |= beyond(after, largest) if exact else 0
                note(marks, t, ONE)
                counts[UPDATES] += 1
                counts[SINCE] += 1
                if signs < 0:  # seldom
                    counts[LARGEST] = max(largest, largest_of(weights, bias, indices, a, b, dead))
                for k in range(a, b if patience > 0 else a):
                    if entry(values, k) != 0:
                        counts[HIGHEST] = max(counts[HIGHEST], np.int64(place(indices, k, a)) + 1 + constant)
                if used_up(counts, params):
                    counts[ROUNDS], counts[FULL] = now + 1, 1
                    if spent(counts, params):  # fresh at once, so that guesses before `grow` are those after it
                        weights[:] = 0
                        bias[:] = 0
                    return t + 1
        counts[ROUNDS] = first + labels.size
        return labels.size

    @kernel
    def replay(
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        powers: Array,
        indptr: Array,
        indices: Any,
        values: Any,
        labels: Array,
        guesses: Array,
        params: Any,
        marks: Any = None,
    ) -> Any:
        return rounds(weights, bias, counts, scores, powers, indptr, indices, values, labels, guesses, params, marks)

    @kernel
    def single(
        weights: Array,
        bias: Array,
        counts: Array,
        scores: Array,
        powers: Array,
        indices: Any,
        values: Any,
        length: int,
        label: int,
        params: Any,
    ) -> Any:
        for k in range(length):
            if not legal(entry(values, k), params[5], params[6]):
                return REFUSED
        indptr, labels, guesses = np.array([0, length]), np.array([label], np.int32), np.zeros(1, np.int32)
        done = rounds(weights, bias, counts, scores, powers, indptr, indices, values, labels, guesses, params, None)
        return np.int64(guesses[0]) if done else NO_ROOM

    @kernel
    def score(
        weights: Array, bias: Array, counts: Array, powers: Array, indices: Any, values: Any, length: int, params: Any
    ) -> Any:
        for k in range(length):
            if not legal(entry(values, k), params[5], params[6]):
                return np.nan
        offset = np.float64(power(powers, bias[0])) if params[2] else 0.0
        total = quick(weights, powers, indices, values, ZERO, U(length), ZERO) + offset
        if unsure(total, np.float64(length), powers, counts[LARGEST], params):
            total = careful(weights, powers, indices, values, ZERO, U(length), offset)
        return total

    return Loops(replay, single, score)


class Multiplicative(Learner):
    """A learner with one weight an attribute; its states start with weights, bias, counts and scores."""

    loops: ClassVar[dict[int, Loops]]  # by the bytes of a weight: 1, 2 and 4 for exponents, 8 for floats
    least: ClassVar[float] = 0.0  # the least value of an attribute
    real: bool = False

    def furthest(self, state: State) -> int:
        """The largest exponent that the state can ever hold."""
        return ROOM[4]

    @abstractmethod
    def powers(self, state: State) -> Array:
        """The table that the exponents index."""

    @abstractmethod
    def params(self, state: State) -> tuple[Any, ...]:
        """The numbers that the rules read, in their order."""

    def full(self, state: State) -> bool:
        return bool(state.counts[FULL])

    def grow(self, state: State, size: Size) -> State:
        weights, bias = state.weights, state.bias
        if weights.itemsize in WIDER and state.counts[LARGEST] >= ROOM[weights.itemsize]:
            weights, bias = widened(weights), widened(bias)
        more, one = size.attributes - len(weights), int(weights.dtype.kind == "f")  # weight 1: a float, or factor^0
        if more > 0:
            weights = np.concatenate((weights, np.full(more, one, weights.dtype)))
        state = state._replace(weights=weights, bias=bias, counts=state.counts.copy())
        state.counts[FULL] = used_up(state.counts, self.params(state))
        return state

    def update(self, state: State, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: State, x: Row, y: int) -> int:
        loops, row = self.loops[state.weights.itemsize], (x.indices, x.values, x.length)
        guess = int(loops.round(*state[:4], self.powers(state), *row, y, self.params(state)))
        if guess == REFUSED:
            self.refuse(x)
        if guess == NO_ROOM:
            self.overflow(state)
        return guess

    def trace(self, state: State, chunk: Chunk, guesses: Array, marks: Array) -> int:
        return self.replay(state, chunk, guesses, marks)

    def replay(self, state: State, chunk: Chunk, guesses: Array, marks: Array | None = None) -> int:
        if not isinstance(chunk, Examples):
            raise BadInstance(f"{type(self).__name__} learns from rows of attributes")
        alike = chunk.importance is None or bool((chunk.importance == 1).all())
        require(alike, f"{type(self).__name__} takes all rounds alike, got rounds of other importance", BadInstance)
        values, rounds, a, b = chunk.values, len(chunk), chunk.indptr[0], chunk.indptr[-1]
        if values is not None:
            bad, ones = inspect(values, a, b, self.least, self.real)
            if bad < b:
                rounds = int(np.searchsorted(chunk.indptr, bad, "right")) - 1
                if rounds == 0:
                    self.refuse(chunk[0])
            if ones and chunk.indices is not None:
                values = None
        rows = (chunk.indptr[: rounds + 1], chunk.indices, values, chunk.labels[:rounds])
        replay, powers = self.loops[state.weights.itemsize].replay, self.powers(state)
        done = int(replay(*state[:4], powers, *rows, guesses, self.params(state), marks))
        if done == 0 and rounds and state.counts[LARGEST] >= self.furthest(state):
            self.overflow(state)
        return done

    def last_score(self, state: State, x: Row) -> float:
        """The sum of the active weights."""
        score, row = self.loops[state.weights.itemsize].score, (x.indices, x.values, x.length)
        total = float(score(*state[:3], self.powers(state), *row, self.params(state)))
        if math.isnan(total):
            self.refuse(x)
        return total

    def score(self, state: State, x: Row) -> float:
        """How far the sum of the active weights lies above the middle between the classes."""
        return self.last_score(state, x) - float(self.params(state)[4])

    def probability(self, state: State, x: Row) -> float:
        """The chance of class 1 by a logistic curve whose slope fits the scores given before each label was seen."""
        return float(logistic(slope(state.scores) * self.score(state, x)))

    def moves(self, state: State) -> int:
        return int(state.counts[UPDATES])

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
