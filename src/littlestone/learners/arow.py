"""AROW: adaptive regularization of weights, smaller steps along what is already known well.

Keep weights w and their covariance S, at first the identity. Predict the positive class when w.x > 0. When y w.x < 1,
with r the `regularization`, b = 1 / (x'Sx + r) and c = (1 - y w.x) b,

    w <- w + c y S x,    S <- S - b S x x' S.

`diagonal` keeps only the diagonal of S, at the cost of a perceptron for sparse x, and without the theorem. A `bias` is
a constant attribute of that value (0: none).

Theorem (Crammer, Kulesza and Dredze 2009). For any u, with X the sum of x x' and sums over update rounds, K of which
were no mistakes (0 < y w.x < 1),

    mistakes <= sqrt(r |u|^2 + u'Xu) sqrt(ln det(I + X / r) + K) + sum (1 - y u.x)+ - K.

Proof. Let T be the inverse of S. An update adds x x' / r to T and y x / r to T w, so r u'Tu = r |u|^2 + u'Xu and
r u'Tw = sum y u.x >= M + K - sum (1 - y u.x)+, which by Cauchy and Schwarz is at most sqrt(r u'Tu) sqrt(r w'Tw). With
a = y w.x and v = x'Sx it adds (v + r a (2 - a)) b to r w'Tw: at most v b = 1 - r b <= ln(1 + v / r), the growth of
ln det T, at a mistake, and at most 1 more at another update.

K. Crammer, A. Kulesza and M. Dredze. Adaptive regularization of weight vectors. Advances in Neural Information
Processing Systems 22, 2009.

>>> from littlestone import play, Recorded
>>> game = play(Arow(), Recorded([[1, 0], [1, 1]], [True, False]))
>>> game.player.state.weights, game.player.learner.matrix(game.player.state)
(array([ 0.2, -0.6]), array([[ 0.4, -0.2],
       [-0.2,  0.6]]))
"""

from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar, final

import numpy as np

from littlestone.additive import ONE, TWO, ZERO, U, dot, reach
from littlestone.additive import Loops as LinearLoops
from littlestone.errors import BadInstance, require
from littlestone.examples import Array, Chunk, Examples, Row
from littlestone.features import measured
from littlestone.kernel import entry, kernel, place, rule
from littlestone.learner import Learner, Size
from littlestone.linear import Linear, Weights
from littlestone.odds import BINS, EARLY, octave
from littlestone.second_order import Loops, SecondOrder, second_order

BELOW_ONE = float(np.nextafter(1.0, 0.0))  # an agreement of 1 teaches nothing


@rule
def move(agreement: Any, spread: Any, dimension: Any, params: Any) -> Any:
    """c, b, and no stretching."""
    share = 1.0 / (spread + params[2])
    return (1.0 - agreement) * share, share, 1.0


@rule
def rounds(
    weights: Array,
    bias: Array,
    counts: Array,
    scores: Array,
    indptr: Array,
    indices: Any,
    values: Any,
    labels: Array,
    guesses: Array,
    params: Any,
) -> Any:
    """The loop of the diagonal variant: each weight has its variance beside it."""
    real = weights.dtype.type
    constant, last = real(params[2]), reach(indptr, weights)
    for t in range(labels.size):
        a, b = U(indptr[t]), U(indptr[t + 1])
        score = dot(weights, TWO, indices, values, a, b, last) + bias[0] * constant
        guesses[t] = 1 if score > 0 else 0
        if counts[0] < EARLY or counts[0] & 15 == 0:
            scores[labels[t], octave(score)] += 1
        counts[0] += 1
        y = 1.0 if labels[t] else -1.0
        agreement = y * np.float64(score)
        if agreement <= params[0]:
            spread = np.float64(bias[1] * constant * constant)
            for k in range(a, b):
                spread += np.float64(weights[TWO * place(indices, k, a) + ONE] * entry(values, k) * entry(values, k))
            share = 1.0 / (spread + params[3])
            delta, less = real(y * (1.0 - agreement) * share), real(share)
            along = bias[1] * constant
            bias[0] += delta * along
            bias[1] -= less * along * along
            for k in range(a, b):
                i = TWO * place(indices, k, a)
                along = weights[i + ONE] * entry(values, k)
                weights[i] += delta * along
                weights[i + ONE] -= less * along * along
            counts[1] += 1 if spread > 0 else 0
    return labels.size


@kernel
def replay(
    weights: Array,
    bias: Array,
    counts: Array,
    scores: Array,
    indptr: Array,
    indices: Any,
    values: Any,
    importance: Any,
    labels: Array,
    guesses: Array,
    params: Any,
) -> Any:
    return rounds(weights, bias, counts, scores, indptr, indices, values, labels, guesses, params)


@kernel
def single(
    weights: Array,
    bias: Array,
    counts: Array,
    scores: Array,
    indices: Any,
    values: Any,
    length: int,
    importance: Any,
    label: int,
    params: Any,
    width: int,
) -> Any:
    if width >= 0 and not 0 <= measured(indices, values, length) <= width:
        return -1
    indptr, labels, guesses = np.array([0, length]), np.array([label], np.int32), np.zeros(1, np.int32)
    rounds(weights, bias, counts, scores, indptr, indices, values, labels, guesses, params)
    return guesses[0]


@kernel
def score(weights: Array, bias: Array, indices: Any, values: Any, length: int, constant: float) -> Any:
    total = dot(weights, TWO, indices, values, ZERO, U(length), ZERO)
    return np.float64(total + bias[0] * weights.dtype.type(constant))


@final
@dataclass(frozen=True)
class Full(SecondOrder):
    """AROW with its whole covariance."""

    regularization: float
    bias: float
    loops: ClassVar[Loops] = second_order(move)

    def params(self) -> tuple[float, ...]:
        return (BELOW_ONE, float(self.bias), float(self.regularization))


@final
@dataclass(frozen=True)
class Diagonal(Linear):
    """AROW with the diagonal of its covariance."""

    regularization: float
    bias: float
    loops: ClassVar[LinearLoops] = LinearLoops(replay, single, score)
    stride: ClassVar[int] = 2

    def params(self) -> tuple[float, ...]:
        return (BELOW_ONE, -1.0, float(self.bias), float(self.regularization))

    def start(self, size: Size, seed: int = 0) -> Weights:
        weights, bias = np.zeros(2 * size.attributes, size.real), np.array([0, 1], size.real)
        weights[1::2] = 1
        return Weights(weights, bias, np.zeros(2, np.int64), np.zeros((2, BINS), np.int64))

    def grow(self, state: Weights, size: Size) -> Weights:
        old, state = len(state.weights), Linear.grow(self, state, size)
        state.weights[old + 1 :: 2] = 1
        return state

    def replay(self, state: Weights, chunk: Chunk, guesses: Array) -> int:
        plain = not isinstance(chunk, Examples) or chunk.importance is None
        require(plain, "Arow counts every round once, got rounds of other importance", BadInstance)
        return Linear.replay(self, state, chunk, guesses)

    def matrix(self, state: Weights) -> Array:
        variances = state.weights[1::2]
        return np.diag(np.concatenate((state.bias[1:], variances)) if self.bias else variances)


@final
@dataclass(frozen=True)
class Arow(Learner):
    """Adaptive regularization of weights; the module docstring has the rule and its theorem."""

    regularization: float = 1.0
    diagonal: bool = False
    bias: float = 0.0

    def __post_init__(self) -> None:
        given = self.regularization
        require(0 < given and isfinite(given), f"regularization must be positive, got {given}")
        require(0 <= self.bias and isfinite(self.bias), f"bias must be at least 0 (0: none), got {self.bias}")

    @cached_property
    def variant(self) -> Any:
        """The learner that does the work."""
        return (Diagonal if self.diagonal else Full)(self.regularization, self.bias)

    def start(self, size: Size, seed: int = 0) -> Any:
        return self.variant.start(size, seed)

    def grow(self, state: Any, size: Size) -> Any:
        return self.variant.grow(state, size)

    def predict(self, state: Any, x: Row) -> int:
        return int(self.variant.predict(state, x))

    def update(self, state: Any, x: Row, y: int, guess: int) -> None:
        self.variant.update(state, x, y, guess)

    def round(self, state: Any, x: Row, y: int) -> int:
        return int(self.variant.round(state, x, y))

    def replay(self, state: Any, chunk: Chunk, guesses: Array) -> int:
        return int(self.variant.replay(state, chunk, guesses))

    def score(self, state: Any, x: Row) -> float:
        """The score of the hypothesis that plays: positive for class 1."""
        return float(self.variant.score(state, x))

    def plane(self, state: Any) -> tuple[Array, Array]:
        shown: tuple[Array, Array] = self.variant.plane(state)
        return shown

    def probability(self, state: Any, x: Row) -> float:
        """The chance of class 1 by a logistic curve through the scores so far."""
        return float(self.variant.probability(state, x))

    def moves(self, state: Any) -> int:
        return int(self.variant.moves(state))

    def matrix(self, state: Any) -> Array:
        """The covariance, the row of the bias first if there is one."""
        return np.asarray(self.variant.matrix(state))
