"""Voted perceptron: play with the last perceptron, report the vote of all of them, each by the rounds it survived.

Play as the perceptron does: predict the positive class when v.x > 0, and when y v.x <= 0 set v <- v + y x. Remember
every v on the way, the zero vector included, with the number c of rounds it was kept (1 for its first). The readout is
the sign of the sum of c sgn(v.x), a tie being an error for either label. The k-th vector is the sum of the first k
examples erred on, so these are all that is stored, and one pass over them gives every v.x in turn.

Theorem. The guesses played are the Perceptron's, so its theorems hold of them (`Perceptron`).

Theorem (Helmbold and Warmuth 1995; Freund and Schapire 1999). Play m rounds drawn independently from one source, once,
not in several passes. With M the expected number of updates on m + 1 such rounds,

    P(the vote errs on a new round) <= 2 M / (m + 1) <= 2 / (m + 1) E[inf over u of ((R |u| + D) / g)^2],

D^2 the sum of (g - y u.x)+^2. Proof sketch. Leave one of m + 1 exchangeable rounds out: a hypothesis chosen at random
from those met on the way errs on it with probability M / (m + 1), and where the vote errs at least half of them do.

D. P. Helmbold and M. K. Warmuth. On weak learning. Journal of Computer and System Sciences 50:551-573, 1995.
Y. Freund and R. E. Schapire. Large margin classification using the perceptron algorithm. Machine Learning 37:277-296,
1999.

>>> from littlestone import play, Recorded
>>> game = play(VotedPerceptron(), Recorded([[2, 1], [1, -1], [1, 3]], [True, False, True], classes=[False, True]))
>>> game.player.state.survival[:3], game.player.score([1, 0])
(array([1, 1, 2]), 3.0)
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.domain import Domain
from littlestone.base.errors import require_nonnegative
from littlestone.base.learner import Size
from littlestone.base.theorem import StepRule, Theorem
from littlestone.base.traits import Scores
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value
from littlestone.learners.shared.linear import PERCEPTRON, RowPlayer
from littlestone.learners.shared.rounds import (
    ONE,
    ROUNDS,
    UPDATES,
    ZERO,
    Entries,
    Rounds,
    dot,
    find_entries,
    find_lookahead,
)
from littlestone.learners.shared.support_rows import RESIZABLE, ROWS, Support, is_crowded, keep, make_room, make_support


class Voters(NamedTuple):
    """The last vector, the examples that made it and the rounds each vector survived; `counts` are rounds, updates."""

    weights: Array
    bias: Array
    survival: Array
    counts: Array
    support: Support


@array_rule
def play_rounds(state: Any, rounds: Any, guesses: Array, constant: Any) -> Any:
    """The rounds of `replay`."""
    weights = state.weights
    bias = state.bias
    support = state.support
    real = weights.dtype.type
    last = find_lookahead(rounds.indptr, weights)
    for t in range(rounds.labels.size):
        if is_crowded(support):
            return t
        row = find_entries(rounds, t)
        score = dot(weights, ONE, row, last) + bias[0] * real(constant)
        guesses[t] = 1 if score > 0 else 0
        state.counts[ROUNDS] += 1
        y = real(1) if rounds.labels[t] else real(-1)
        if y * score <= 0:
            keep(support, y, rounds, t)
            bias[0] += y * real(constant)
            for k in range(row.a, row.b):
                weights[read_attribute(row.indices, k, row.a)] += y * read_value(row.values, k)
            state.counts[UPDATES] += 1
        state.survival[support.counts[ROWS]] += 1
    return rounds.labels.size


@kernel
def replay(state: Any, rounds: Any, guesses: Array, constant: float) -> Any:
    """Play the perceptron and keep what it errs on."""
    return play_rounds(state, rounds, guesses, constant)


@kernel
def play_score(weights: Array, bias: Array, listed: Any, entries: Any, length: int, constant: float) -> Any:
    """The score of the last vector on a row."""
    total = dot(weights, ONE, Entries(listed, entries, ZERO, U(length)), ZERO)
    return np.float64(total + bias[0] * weights.dtype.type(constant))


@array_rule
def count_votes(survival: Array, support: Any, z: Array, constant: Any) -> Any:
    """Rounds survived by the vectors that say yes of the row in z, less those of the vectors that say no."""
    indptr = support.indptr
    total = 0
    score = 0.0
    for j in range(support.counts[ROWS]):
        product = np.float64(constant) * constant
        for k in range(indptr[j], indptr[j + 1]):
            product += np.float64(support.values[k]) * z[np.uint32(support.indices[k])]
        score += support.coefficients[j] * product
        total += survival[j + 1] if score > 0 else -survival[j + 1] if score < 0 else 0
    return total


@kernel
def vote(survival: Array, support: Any, z: Array, listed: Any, entries: Any, length: int, constant: float) -> Any:
    """What `count_votes` says of a row, which is written into z, so far zero."""
    for k in range(length):
        z[read_attribute(listed, k, 0)] = read_value(entries, k)
    return count_votes(survival, support, z, constant)


@final
@dataclass(frozen=True)
class VotedPerceptron(RowPlayer, Scores):
    """Play as the Perceptron and report the vote of all its hypotheses, each by how long it survived.

    Args:
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    bias: float = 1.0
    resizable: ClassVar[tuple[str, ...]] = ("survival", *RESIZABLE)
    serves_apart: ClassVar[bool | None] = None  # a vote of all hypotheses costs more than a constant number of passes

    def __post_init__(self) -> None:
        require_nonnegative(bias=self.bias)

    def domain(self, state: Voters) -> Domain:
        return self.domains[state.weights.itemsize]

    def start(self, size: Size, seed: int = 0) -> Voters:
        support = make_support(size)
        survival = np.zeros(len(support.indptr), np.int64)
        survival[0] = 1
        weights = np.zeros(size.attributes, size.real)
        bias = np.zeros(1, size.real)
        return Voters(weights, bias, survival, np.zeros(2, np.int64), support)

    def grow(self, state: Voters, size: Size) -> Voters:
        support = make_room(state.support, size)
        more = np.zeros(max(0, size.attributes - len(state.weights)), state.weights.dtype)
        weights = np.concatenate((state.weights, more))
        survival = np.zeros(len(support.indptr), np.int64)
        survival[: len(state.survival)] = state.survival
        return state._replace(weights=weights, survival=survival, support=support)

    def full(self, state: Voters, x: Row) -> bool:
        return state.support.crowded

    def predict(self, state: Voters, x: Row) -> int:
        row = (x.indices, x.values, x.length)
        return int(play_score(state.weights, state.bias, *row, float(self.bias)) > 0)

    def play(self, state: Voters, rounds: Rounds, guesses: Array) -> int:
        return int(replay(state, rounds, guesses, float(self.bias)))

    def readout(self, state: Voters, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def score(self, state: Voters, x: Row) -> float:
        """The vote on x: rounds survived by those who say yes, less those of who say no."""
        z = np.zeros(len(state.weights))
        return float(vote(state.survival, state.support, z, x.indices, x.values, x.length, float(self.bias)))

    def step_rule(self) -> StepRule:
        """How it plays: as the Perceptron does."""
        return StepRule(self.bias)

    def theorems(self) -> tuple[Theorem, ...]:
        return PERCEPTRON

    def check_state(self, state: Voters, size: Size) -> bool:
        return len(state.survival) == len(state.support.indptr) and state.support.is_sound(size.attributes)
