"""Kernel perceptron: the perceptron in the space of a kernel, by the examples it erred on.

Keep the examples that taught something. The score s(x) is the sum of y K(x', x) over those kept; predict the positive
class when s(x) > 0, and keep (x, y) when y s(x) <= 0. A `bias` c adds c^2 to the kernel. A `budget` keeps at most so
many: one goes before another comes, by `removal` the oldest, a random one, or the one of smallest coefficient (the
oldest of these; coefficients differ when rounds differ in importance).

Theorem. Let K be positive semidefinite, K(x, x) <= R^2 on the update rounds, and let u = sum of a_j K(x_j, .) have
y u(x) >= g > 0 on them. Without a budget

    updates <= R^2 a'Ka / g^2,    a'Ka = |u|^2.

Proof. K(x, z) = f(x).f(z) for some map f into a Hilbert space, where this is the perceptron on f(x): Novikoff's proof
needs only inner products. A kernel that is not positive semidefinite has no such f, and no bound.

M. A. Aizerman, E. M. Braverman and L. I. Rozonoer. Theoretical foundations of the potential function method in pattern
recognition learning. Automation and Remote Control 25:821-837, 1964. Y. Freund and R. E. Schapire. Large margin
classification using the perceptron algorithm. Machine Learning 37:277-296, 1999. G. Cavallanti, N. Cesa-Bianchi and
C. Gentile. Tracking the best hyperplane with a simple budget perceptron. Machine Learning 69:143-167, 2007.

>>> from littlestone import play, Recorded
>>> from littlestone.learners.shared.kernel_functions import PolynomialKernel
>>> XOR = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, True, True, False] * 9)
>>> play(KernelPerceptron(PolynomialKernel(degree=2)), XOR).updates
21
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal, final

import numpy as np

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.coins import draw_bits
from littlestone.base.domain import Domain
from littlestone.base.errors import BadInstance, require, require_count, require_nonnegative
from littlestone.base.learner import Size
from littlestone.base.theorem import StepFacts, Takes, Theorem
from littlestone.base.traits import PlanEntry, Planned, Scores
from littlestone.compiled import read_value
from littlestone.learners.shared.inside import read_rounds
from littlestone.learners.shared.kernel_functions import (
    COMPILED,
    GAUSSIAN,
    PRIME,
    REMOVALS,
    Dual,
    GaussianKernel,
    KernelParams,
    LinearKernel,
    PolynomialKernel,
    choose_victim,
    replay,
    score_many,
    score_one,
)
from littlestone.learners.shared.linear import HINGE, NOVIKOFF, PERCEPTRON, RowPlayer
from littlestone.learners.shared.rounds import ROUNDS, UPDATES, Rounds
from littlestone.learners.shared.support_rows import RESIZABLE, Support, drop, keep, make_room, make_support

THEOREMS = tuple(theorem._replace(kind="kernel") for theorem in PERCEPTRON if not theorem.knows_run)


@final
@dataclass(frozen=True)
class KernelPerceptron(RowPlayer, Scores, Planned):
    """The Perceptron in the feature space of a kernel.

    Args:
        kernel: LinearKernel, PolynomialKernel, GaussianKernel, or any function of two rows, which is slow.
        budget: The most rows to keep, >= 1; None keeps all. With a budget memory is bounded and no theorem holds.
        removal: Which row makes room: "oldest", "random", or "smallest" coefficient.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
    """

    kernel: LinearKernel | PolynomialKernel | GaussianKernel | Callable[[Row, Row], float] = GAUSSIAN
    budget: int | None = None
    removal: Literal["oldest", "random", "smallest"] = "oldest"
    bias: float = 0.0
    resizable: ClassVar[tuple[str, ...]] = RESIZABLE

    def __post_init__(self) -> None:
        known = isinstance(self.kernel, COMPILED) or callable(self.kernel)
        allowed = "one of Littlestone's, such as LinearKernel(), or a function K(x, z)"
        require(known, f"kernel must be {allowed}, got {self.kernel!r}")
        if self.budget is not None:
            require_count(1, budget=self.budget)
        require(self.removal in REMOVALS, f"removal must be one of {', '.join(REMOVALS)}, got {self.removal!r}")
        require_nonnegative(bias=self.bias)

    def lacks_theorem(self) -> str:
        return "" if self.budget is None else "a row that was dropped may have been the one that mattered"

    @cached_property
    def params(self) -> KernelParams:
        """The record of numbers that the loops read."""
        known = self.kernel.params() if isinstance(self.kernel, COMPILED) else (-1.0, 0.0, 0.0)
        budget = -1.0 if self.budget is None else float(self.budget)
        return KernelParams(float(self.bias) * self.bias, *known, budget, float(REMOVALS[self.removal]))

    @cached_property
    def domains(self) -> dict[int, Domain]:
        known = super().domains
        if not isinstance(self.kernel, PolynomialKernel):
            return known
        top = 2.0 ** (450 / self.kernel.degree)  # the power of a sum is up to that of a row's square, and as small
        least = 0.0 if self.kernel.constant else 1 / top
        return {size: Domain(max(one.least, least), min(one.most, top)) for size, one in known.items()}

    def domain(self, state: Dual) -> Domain:
        return self.domains[state.support.values.itemsize]

    def start(self, size: Size, seed: int = 0) -> Dual:
        return Dual(make_support(size), np.array([0, 0, 1 + draw_bits(seed, 0) % (PRIME - 1)]))

    def grow(self, state: Dual, size: Size) -> Dual:
        return state._replace(support=make_room(state.support, size))

    def full(self, state: Dual, x: Row) -> bool:
        return state.support.crowded

    def predict(self, state: Dual, x: Row) -> int:
        return int(self.score(state, x) > 0)

    def score(self, state: Dual, x: Row) -> float:
        """The score of x: positive for class 1."""
        if not isinstance(self.kernel, COMPILED):
            return self._score_slowly(state.support, x)
        return float(score_one(state.support, x.indices, x.values, x.length, self.params))

    def scores(self, state: Dual, chunk: Chunk) -> Array:
        """The score of every row of a chunk; the rows kept are read once for eight of them."""
        rounds = read_rounds(self, chunk)
        if not isinstance(self.kernel, COMPILED):
            return np.array([self._score_slowly(state.support, rounds.row(t)) for t in range(len(chunk))])
        out = np.zeros(len(chunk))
        score_many(state.support, rounds, self.params, out)
        return out

    def _score_slowly(self, support: Support, x: Row) -> float:
        assert not isinstance(self.kernel, COMPILED)
        row = x.to_sparse()
        extra = float(self.bias) * self.bias
        total = 0.0
        for j in range(support.rows):
            total += float(support.coefficients[j]) * (float(self.kernel(support.row(j), row)) + extra)
        return total

    def play(self, state: Dual, rounds: Rounds, guesses: Array) -> int:
        """Play rounds, through a Python function if the kernel is one; how many."""
        if isinstance(self.kernel, COMPILED):
            done = int(replay(state, rounds, guesses, self.params))
            return done if done >= 0 else self._stop(~done)
        support, counts = state
        for t in range(len(rounds.labels)):
            if support.crowded:
                return t
            score = self._score_slowly(support, rounds.row(t))
            y = 1.0 if rounds.labels[t] else -1.0
            if not math.isfinite(score):
                return self._stop(t)
            guesses[t] = score > 0
            counts[ROUNDS] += 1
            weight = y * read_value(rounds.importance, t)
            if y * score <= 0 and weight != 0:
                if support.rows == self.budget:
                    drop(support, choose_victim(support.coefficients, counts, support.rows, REMOVALS[self.removal]))
                keep(support, weight, rounds, t)
                counts[UPDATES] += 1
        return len(rounds.labels)

    def _stop(self, played: int) -> int:
        """Refuse a round, if it is the first of its chunk, whose score is no finite number."""
        words = f"the score of a row by {self.kernel} is no finite number: scale the columns, or choose another kernel"
        require(played > 0, words, BadInstance)
        return played

    def takes(self) -> Takes:
        return Takes(importance=True)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        a = assumptions
        c = Comparator.of(assumptions)
        if not a.drift:
            learner = cls(LinearKernel(), bias=c.bias)
            lost = c.shortfall * a.flips
            theorem = HINGE if lost else NOVIKOFF
            value = theorem.value(StepFacts(c.square, Fraction(c.active), c.margin, lost))
            yield PlanEntry(learner, value, "updates", theorem.formula, float(a.most * value), 12.0 * a.most * value)

    def check_state(self, state: Dual, size: Size) -> bool:
        budget = self.budget is None or state.support.rows <= self.budget
        return budget and 0 < state.counts[2] < PRIME and state.support.is_sound(size.attributes)
