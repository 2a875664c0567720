"""SelectiveSampling: a Perceptron that asks for a label with a chance that falls with the size of its score.

Guess by the sign of s = w.x and ask for the label with probability b / (b + |s|). If it was asked for and y s <= 0, set
w <- w + y x. The coin depends on seed and round alone, so nothing is known of labels that were not asked for. With
`grows`, b is `smoothing` times the largest |x|^2 so far, else `smoothing` itself; a `bias` is a constant attribute.

Theorem (Cesa-Bianchi, Gentile and Zaniboni 2006). Let |x| <= R, b end as b, and a = b + R^2 / 2. For every u, with
L the sum of (1 - y u.x)+ and all sums over the mistakes whose labels were asked for,

    sum of (b_t + |s_t|) <= a L + a^2 |u|^2 / 2,

on every sequence. Each mistake, asked or not, is asked for with probability b_t / (b_t + |s_t|), so that

    E = sum of 1 + |s_t| / b_t

is an unbiased estimate of all mistakes, seen and unseen; what guessed right with a score of 0 is left out of it. With b
fixed, their expectation is at most (1 + R^2 / 2b) times that of L, plus (2b + R^2)^2 |u|^2 / 8b. The labels asked for
are in expectation the sum of b / (b + |s|).

Proof. An update lets |a u - w|^2 / 2 fall by a y u.x - y s - |x|^2 / 2 >= a (1 - l) + |s| - R^2 / 2, l being u's loss;
it starts at a^2 |u|^2 / 2 and never is negative. Updates are those of a Perceptron on the rounds asked for: its
theorems hold of their number.

N. Cesa-Bianchi, C. Gentile and L. Zaniboni. Worst-case analysis of selective sampling for linear classification.
Journal of Machine Learning Research 7:1205-1230, 2006.

>>> from littlestone import play, Recorded
>>> rows, labels = [[1, 0], [0, 1], [1, 1], [2, 1]] * 50, [True, False, True, True] * 50
>>> player = play(SelectiveSampling(0.01), Recorded(rows, labels)).player
>>> player.tally.rounds, int(player.state.counts[ASKED])
(200, 8)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Row
from littlestone.base.errors import NotCertified, require_nonnegative, require_positive
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import Attack, StepRule, Theorem
from littlestone.base.traits import Asking
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value, write_mark
from littlestone.learners.experts.pools import draw_uniform
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.inside import require_inside
from littlestone.learners.shared.linear import PERCEPTRON, TIES, Linear
from littlestone.learners.shared.rounds import (
    ONE,
    ROUNDS,
    UPDATES,
    ZERO,
    Entries,
    Rounds,
    dot,
    find_bin,
    find_entries,
    find_lookahead,
    is_listed,
    make_round,
)
from littlestone.learners.shared.rules import square_length

ASKED = 2  # of `counts`: labels that were asked for
# of `sums`: the largest |x|^2, and estimates of mistakes and labels asked for
REACH = 0
ESTIMATE = 1
EXPECTED = 2


class SampledWeights(NamedTuple):
    """Weights, counts of rounds, updates and labels asked for, scores of these, what is summed, and the seed."""

    weights: Any
    bias: Any
    counts: Any
    scores: Any
    sums: Any
    seed: Any


class SamplingParams(NamedTuple):
    """What the loops read of a SelectiveSampling."""

    constant: float
    tie: float
    times: float
    smoothing: float
    grows: float


@array_rule
def find_chance(state: Any, score: Any, square: Any, params: Any) -> Any:
    """The chance with which the label is asked for; a row without length, and none before it, brings its label."""
    b = params.smoothing * max(state.sums[REACH], square) if params.grows else params.smoothing
    return b / (b + abs(score)) if b > 0 else 1.0


@array_rule
def toss(state: Any, chance: Any) -> Any:
    """Whether the coin of the round that comes falls within a chance."""
    return draw_uniform(state.seed[0], state.counts[ROUNDS]) < chance


@array_rule
def play(state: Any, rounds: Any, guesses: Array, params: Any, marks: Any, known: Any) -> Any:
    """Play rounds; if their labels are not `known`, none may be asked for."""
    weights = state.weights
    bias = state.bias
    counts = state.counts
    sums = state.sums
    last = find_lookahead(rounds.indptr, weights)
    for t in range(rounds.labels.size):
        row = find_entries(rounds, t)
        score = np.float64(dot(weights, ONE, row, last) + bias[0] * params.constant)
        square = square_length(row, params)
        chance = find_chance(state, score, square, params)
        asked = toss(state, chance)
        guesses[t] = 1 if score > 0 else 0
        counts[ROUNDS] += 1
        sums[REACH] = max(sums[REACH], square)
        sums[EXPECTED] += chance
        if asked and known:
            counts[ASKED] += 1
            state.scores[rounds.labels[t], find_bin(score)] += 1
            y = 1.0 if rounds.labels[t] else -1.0
            if y * score <= 0:
                counts[UPDATES] += 1
                sums[ESTIMATE] += 1.0 / chance if guesses[t] != rounds.labels[t] else 0.0
                write_mark(marks, t, 1.0)
                bias[0] += y * params.constant
                for k in range(row.a, row.b):
                    weights[read_attribute(row.indices, k, row.a)] += y * read_value(row.values, k)
    return rounds.labels.size


@kernel
def replay(state: Any, rounds: Any, guesses: Array, params: Any, marks: Any = None, known: Any = True) -> Any:
    """Many rounds."""
    return play(state, rounds, guesses, params, marks, known)


@kernel
def play_single(
    indices: Any, values: Any, length: int, label: int, width: int, least: float, most: float, *given: Any
) -> Any:
    """One round, as in `make_additive_loops`."""
    if not is_listed(indices, values, length, width, (least, most)):
        return -1
    guesses = np.zeros(1, np.int32)
    rounds = make_round(indices, values, length, None, label)
    play(SampledWeights(*given[:6]), rounds, guesses, SamplingParams(*given[6:]), None, True)
    return guesses[0]


@kernel
def find_score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
    total = dot(weights, ONE, (indices, values, ZERO, U(length)), ZERO)
    return np.float64(total + bias[0] * constant)


@kernel
def decide(state: Any, indices: Any, values: Any, length: int, score: float, params: Any) -> Any:
    """Whether the label of a row with this score is asked for."""
    square = square_length(Entries(indices, values, ZERO, U(length)), params)
    return toss(state, find_chance(state, score, square, params))


@final
@dataclass(frozen=True)
class SelectiveSampling(Linear, Asking):
    """Ask for few labels: surely where the score is near zero, rarely where it is large.

    Args:
        smoothing: b, or with `grows` b over the largest |x|^2 so far, > 0. Smaller asks for fewer labels.
        grows: Whether b grows with the rows.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    smoothing: float = 0.1
    grows: bool = True
    bias: float = 1.0
    loops: ClassVar[Loops] = Loops(replay, play_single, find_score)
    planned: ClassVar[bool] = False
    weighed: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_positive(smoothing=self.smoothing)
        require_nonnegative(bias=self.bias)

    @cached_property
    def params(self) -> SamplingParams:
        return SamplingParams(float(self.bias), TIES["strict"], 1.0, float(self.smoothing), float(self.grows))

    def factors(self) -> tuple[float, ...]:
        return (self.smoothing,)

    def start(self, size: Size, seed: int = 0) -> SampledWeights:  # type: ignore[override]
        known = Linear.start(self, size._replace(real=np.float64))
        coins = np.array([seed & (2**63 - 1)])
        return SampledWeights(known.weights, known.bias, np.zeros(3, np.int64), known.scores, np.zeros(3), coins)

    def check_state(self, state: Any, size: Size) -> bool:
        rounds, _, asked = state.counts.tolist()
        finite = bool(np.isfinite(state.weights).all() and np.isfinite(state.sums).all())
        return finite and 0 <= asked <= rounds and bool((state.sums >= 0).all()) and int(state.seed[0]) >= 0

    def wants(self, state: Any, x: Row) -> bool:
        """Whether the label of x would be asked for in the round that comes."""
        require_inside(self, state, x)
        return bool(decide(state, *x, x.length, self.last_score(state, x), self.params))

    def skip(self, state: Any, x: Row) -> None:
        require_inside(self, state, x)
        replay(state, Rounds.of_one(x, 0), np.zeros(1, np.int32), self.params, None, False)

    def asked(self, state: Any) -> int:
        return int(state.counts[ASKED])

    def estimate_mistakes(self, state: Any) -> float:
        return float(state.sums[ESTIMATE])

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return []  # a race gives every label

    def remaining(self, state: Any, *given: Any, **facts: Any) -> Bound:
        raise NotCertified(
            "mistakes whose labels are not asked for teach nothing, and no theorem bounds how many follow"
        )

    def attack(self) -> Attack | None:
        return None

    def step_rule(self) -> StepRule:
        """How it steps: as the Perceptron does, in the rounds asked for."""
        return StepRule(self.bias)

    def theorems(self) -> tuple[Theorem, ...]:
        return PERCEPTRON
