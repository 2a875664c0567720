"""Forgetron: a kernel perceptron on a budget, with a theorem: shrink what is known, then forget the oldest row.

The score s(x) is the sum of c_j K(x_j, x) over the rows kept, K being a Gaussian kernel. After a round with
y s(x) <= 0, the M-th, keep x with coefficient y. If that is more than `budget` rows, the oldest one, x_r of label z and
|c| = a, goes: let m = z s(x_r) now, and find the largest p in (0, 1] with

    Q + (a^2 - 2 a m) p^2 + 2 a p <= 15 M / 32;

multiply all coefficients by p, drop x_r, and add the part that depends on p to Q, at first 0.

Theorem. For every u in the space of the kernel, with L the sum of (1 - y u(x))+ over the M update rounds and D that of
(1 - p) / (1 + p) over the rounds that shrank,

    M <= (1 + D) |u|^2 + 2 L + Q,   and Q <= 15 M / 32.

Proof. |s - u|^2 begins as |u|^2. A round that is learned lowers it by 2 y u(x) - 2 y s(x) - 1 >= 2 y u(x) - 1.
Shrinking lowers it by (1 - p)((1 + p) |s|^2 - 2 s.u) >= -(1 - p) / (1 + p) |u|^2. Dropping coefficient b = a p raises
it by b^2 - 2 b p m + 2 b z u(x_r). For each row the parts with u are 2 (1 - b) y u(x), b = 0 if it stays, and as b <= 1
at least 2 (1 - b) - 2 (1 - y u(x))+.

The authors bound D too: with a budget B >= 83 and |u| <= sqrt((B + 1) / ln(B + 1)) / 4, M <= 2 |u|^2 + 4 L.

O. Dekel, S. Shalev-Shwartz and Y. Singer. The Forgetron: a kernel-based perceptron on a budget. SIAM Journal on
Computing 37:1342-1372, 2008.

>>> from littlestone import play, Recorded
>>> far = Recorded([[0.0], [99.0], [198.0]], [True] * 3)  # no row is near another: p is 3/4, then 4/3 - sqrt(17/18)
>>> state = play(Forgetron(budget=1), far).player.state
>>> int(state.counts[1]), [round(float(number), 6) for number in (state.support.coefficients[0], *state.sums)]
(3, [0.361508, 1.40625, 0.611817])
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.domain import Domain
from littlestone.base.errors import require_count, require_positive
from littlestone.base.learner import Size
from littlestone.base.theorem import Takes, Theorem
from littlestone.base.traits import Scores
from littlestone.compiled import U, array_rule, kernel
from littlestone.learners.shared.inside import read_rounds
from littlestone.learners.shared.kernel_functions import (
    GaussianKernel,
    KernelParams,
    Lane,
    add_lane,
    clear,
    scatter,
    score_many,
    score_one,
)
from littlestone.learners.shared.linear import RowPlayer
from littlestone.learners.shared.rounds import ROUNDS, UPDATES, Rounds
from littlestone.learners.shared.support_rows import (
    RESIZABLE,
    ROWS,
    WIDTH,
    Support,
    drop,
    is_crowded,
    keep,
    make_room,
    make_support,
)

SHARE = 15.0 / 32.0  # of the mistakes, that forgetting may cost
# what `sums` holds: Q and D
FORGOTTEN = 0
SHRUNK = 1
THEOREMS = (
    Theorem(
        "Forgetron (Dekel, Shalev-Shwartz and Singer 2008)",
        "none: it is true of every stream and of every comparator u",
        lambda bound, m: bool(m <= bound),
        "forgetting",
        losses="hinge",
    ),
)


class Remembered(NamedTuple):
    """The rows kept with their coefficients; `counts`: rounds, updates; `sums`: Q and D."""

    support: Support
    counts: Array
    sums: Array


@array_rule
def forget(state: Any, z: Array, params: Any) -> None:
    """Shrink all coefficients and drop the oldest row; z is all 0, before and after."""
    support = state.support
    sums = state.sums
    coefficients = state.support.coefficients
    for k in range(support.indptr[1]):
        z[U(np.uint32(support.indices[k]))] = np.float64(support.values[k])
    score = add_lane(support, 0, Lane(z, U(0), U(1)), support.squares[0], 0.0, params)
    for k in range(support.indptr[1]):
        z[U(np.uint32(support.indices[k]))] = 0.0
    size = abs(coefficients[0])
    agreement = score if coefficients[0] > 0 else -score
    square = size * size - 2.0 * size * agreement
    line = 2.0 * size
    room = SHARE * state.counts[UPDATES] - sums[FORGOTTEN]
    part = 1.0
    if square + line > room:
        part = 2.0 * room / (line + np.sqrt(line * line + 4.0 * square * room))
    sums[FORGOTTEN] += (square * part + line) * part
    sums[SHRUNK] += (1.0 - part) / (1.0 + part)
    for j in range(support.counts[ROWS]):
        coefficients[j] *= part
    drop(support, 0)


@kernel
def replay(state: Any, rounds: Any, guesses: Array, params: Any) -> Any:
    """Play rounds until there is no room for one; how many."""
    support = state.support
    counts = state.counts
    labels = rounds.labels
    z = np.zeros(support.counts[WIDTH])
    lane = Lane(z, U(0), U(1))
    for t in range(labels.size):
        if is_crowded(support):
            return t
        score = add_lane(support, 0, lane, scatter(rounds, t, lane), 0.0, params)
        clear(rounds, t, lane)
        guesses[t] = 1 if score > 0 else 0
        y = 1.0 if labels[t] else -1.0
        counts[ROUNDS] += 1
        if y * score <= 0:
            keep(support, y, rounds, t)
            counts[UPDATES] += 1
            if support.counts[ROWS] > params.budget:
                forget(state, z, params)
    return labels.size


@final
@dataclass(frozen=True)
class Forgetron(RowPlayer, Scores):
    """A kernel perceptron that keeps few rows, shrinking what it knows before it forgets the oldest.

    Args:
        budget: The most rows to keep, >= 1.
        width: Of the Gaussian kernel: the distance over which rows are alike, > 0.
    """

    budget: int = 100
    width: float = 1.0
    resizable: ClassVar[tuple[str, ...]] = RESIZABLE

    def __post_init__(self) -> None:
        require_count(1, budget=self.budget)
        require_positive(width=self.width)

    @cached_property
    def params(self) -> KernelParams:
        """The record of numbers that the loops read."""
        return KernelParams(0.0, *GaussianKernel(self.width).params(), float(self.budget), 0.0)

    def domain(self, state: Remembered) -> Domain:
        return self.domains[state.support.values.itemsize]

    def start(self, size: Size, seed: int = 0) -> Remembered:
        return Remembered(make_support(size), np.zeros(2, np.int64), np.zeros(2))

    def grow(self, state: Remembered, size: Size) -> Remembered:
        return state._replace(support=make_room(state.support, size))

    def full(self, state: Remembered, x: Row) -> bool:
        return state.support.crowded

    def predict(self, state: Remembered, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def score(self, state: Remembered, x: Row) -> float:
        """The score of x: positive for class 1."""
        return float(score_one(state.support, x.indices, x.values, x.length, self.params))

    def scores(self, state: Remembered, chunk: Chunk) -> Array:
        """The score of every row of a chunk."""
        out = np.zeros(len(chunk))
        score_many(state.support, read_rounds(self, chunk), self.params, out)
        return out

    def play(self, state: Remembered, rounds: Rounds, guesses: Array) -> int:
        return int(replay(state, rounds, guesses, self.params))

    def takes(self) -> Takes:
        return Takes()

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    def check_state(self, state: Remembered, size: Size) -> bool:
        sums = bool(np.isfinite(state.sums).all()) and state.sums[SHRUNK] >= 0
        return sums and state.support.rows <= self.budget and state.support.is_sound(size.attributes)
