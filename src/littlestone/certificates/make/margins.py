"""Witnesses: the comparator that a theorem asks for, found in hindsight on the update rounds.

Rows are z = y x. The dual coordinate descent of Hsieh and others (2008) solves three problems with one loop:

    hard margin   maximise the smallest u.z for |u| = 1; any iterate with u.z > 0 everywhere is a witness, and
                  |sum a z| / sum a, for any a >= 0, is at least the best margin, so the gap is known
    hinge         minimise  reach |u|^2 + 2 sum (1 - u.z)+
    squared       minimise  reach |u|^2 + sum (1 - u.z)+^2

The last two are the readable forms of the agnostic theorems. Their sharper forms are evaluated at the same u but not
minimised: over update rounds alone the smallest sharp bound is reached by u = 0, which says nothing. Whatever the
budget, what is returned is a valid witness; it is rounded to dyadic numbers before anything is computed from it.

The run of a Perceptron is itself the first sweep for the hinge: when a row teaches, u.z <= 0, so its best dual value
is at least 1 / |z|^2, which is beyond the cap 1 / reach. All dual values end at their caps, and u is the learner's own
weights divided by the reach. On a large run that is where the search begins.

>>> rows = Rows.of([[2.0, 0.0], [0.0, 1.0]])
>>> find_separator(rows).vector.round(3).tolist()
[0.5, 1.0]
"""

from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel, read_attribute, rule

BITS = 20  # of a witness's largest entry
SWEEPS = 400
ONE, TWO, THREE, FOUR = U(1), U(2), U(3), U(4)  # unsigned, as places in arrays are: no test for negative ones
LARGE = 4 * 10**6  # entries, beyond which one sweep must do


@rule
def multiply_row(u: Array, indices: Array, values: Array, a: Any, b: Any) -> Any:
    """u.z over entries a to b, in four sums that need not wait for one another."""
    s0 = 0.0
    s1 = 0.0
    s2 = 0.0
    s3 = 0.0
    fours = a + ((b - a) & ~THREE)
    for k in range(a, fours, FOUR):
        s0 += np.float64(u[read_attribute(indices, k, a)]) * np.float64(values[k])
        s1 += np.float64(u[read_attribute(indices, k + ONE, a)]) * np.float64(values[k + ONE])
        s2 += np.float64(u[read_attribute(indices, k + TWO, a)]) * np.float64(values[k + TWO])
        s3 += np.float64(u[read_attribute(indices, k + THREE, a)]) * np.float64(values[k + THREE])
    for k in range(fours, b):
        s0 += np.float64(u[read_attribute(indices, k, a)]) * np.float64(values[k])
    return (s0 + s1) + (s2 + s3)


@rule
def step(u: Array, length: float, indices: Array, values: Array, a: Any, b: Any) -> Any:
    """Add `length` times z to u."""
    for k in range(a, b):
        u[read_attribute(indices, k, a)] += length * np.float64(values[k])


@kernel
def multiply_rows(indptr: Array, indices: Array, values: Array, u: Array, out: Array) -> Any:
    """u.z for every row."""
    for i in range(out.size):
        out[i] = multiply_row(u, indices, values, U(indptr[i]), U(indptr[i + 1]))


@kernel
def sum_squares(indptr: Array, values: Array, out: Array) -> Any:
    """|z|^2 of every row."""
    for i in range(out.size):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += np.float64(values[k]) * np.float64(values[k])
        out[i] = total


@kernel
def sum_hinge(margins: Array, copies: Array, scale: float) -> Any:
    """The sum of (1 - scale u.z)+."""
    total = 0.0
    for i in range(margins.size):
        total += copies[i] * max(0.0, 1.0 - scale * margins[i])
    return total


@kernel
def add_combination(indptr: Array, indices: Array, values: Array, alpha: Array, u: Array) -> Any:
    """Add the sum of alpha z to u."""
    for i in range(alpha.size):
        step(u, alpha[i], indices, values, U(indptr[i]), U(indptr[i + 1]))


@kernel
def descend(
    indptr: Array,
    indices: Array,
    values: Array,
    squares: Array,
    alpha: Array,
    u: Array,
    order: Array,
    caps: Array,
    dampings: Array,
    seed: int,
) -> Any:
    """One sweep: set each dual variable to its best value up to its cap, keeping u = sum alpha z.

    The order is random, unless the seed is negative: rows that lie one after another in memory come fast.
    """
    state = np.uint64(abs(seed)) * np.uint64(2862933555777941757) + np.uint64(3037000493)
    for turn in range(order.size):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        other = np.int64(turn)
        if seed >= 0:
            other += np.int64((state >> np.uint64(33)) % np.uint64(order.size - turn))
        i = order[other]
        order[other], order[turn] = order[turn], i
        curvature = squares[i] + dampings[i]
        if curvature <= 0:
            continue
        a = U(indptr[i])
        b = U(indptr[i + 1])
        total = multiply_row(u, indices, values, a, b)
        new = min(max(alpha[i] + (1.0 - total - dampings[i] * alpha[i]) / curvature, 0.0), caps[i])
        change = new - alpha[i]
        if change != 0:
            alpha[i] = new
            step(u, change, indices, values, a, b)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows z in CSR form over `width` columns, and how often each one counts."""

    indptr: Array
    indices: Array
    values: Array
    width: int
    copies: Array

    @classmethod
    def of(cls, matrix: Any) -> Self:
        """The rows of a dense matrix."""
        dense = np.asarray(matrix, np.float64)
        rows, columns = np.nonzero(dense)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(dense)))))
        return cls(indptr, columns, dense[rows, columns], dense.shape[1], np.ones(len(dense)))

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def squares(self) -> Array:
        """|z|^2 of every row."""
        out = np.zeros(len(self))
        sum_squares(self.indptr, self.values, out)
        return out

    def divide(self, lengths: Array) -> "Rows":
        """Each row divided by a number of its own."""
        return replace(self, values=self.values / np.repeat(lengths, np.diff(self.indptr)))

    def select(self, which: Array) -> "Rows":
        """Some of the rows, by number."""
        counts = np.diff(self.indptr)[which]
        indptr = np.concatenate(([0], np.cumsum(counts)))
        entries = np.repeat(self.indptr[which] - indptr[:-1], counts) + np.arange(indptr[-1])
        return replace(
            self,
            indptr=indptr,
            indices=self.indices[entries],
            values=self.values[entries],
            copies=self.copies[which],
        )

    def multiply(self, u: Array) -> Array:
        """u.z of every row, in floats."""
        out = np.zeros(len(self))
        multiply_rows(self.indptr, self.indices, self.values, u, out)
        return out


class Separator(NamedTuple):
    """A vector, the margin it has on every row, and a margin that no unit vector exceeds."""

    vector: Array
    margin: float
    limit: float

    @property
    def unit_margin(self) -> float:
        """The margin of the vector scaled to length 1."""
        length = float(np.linalg.norm(self.vector))
        return self.margin / length if length else 0.0

    @property
    def gap(self) -> float:
        """By which fraction the margin may fall short of the best; 1 where no margin was found."""
        return 1.0 if self.margin <= 0 else max(0.0, 1 - self.unit_margin / self.limit) if self.limit else 0.0


def find_separator(rows: Rows, sweeps: int = SWEEPS, close: float = 1e-6, useless: float = 0.0) -> Separator:
    """A vector with a large margin on all rows: until within `close` of the best, or sure to have at most `useless`."""
    best = Separator(np.zeros(rows.width), 0.0, inf)
    squares = rows.squares
    alpha = np.zeros(len(rows))
    u = np.zeros(rows.width)
    if len(rows) == 0 or sweeps == 0 or not np.isfinite(squares).all():
        return best
    order = np.arange(len(rows))
    caps = np.full(len(rows), inf)
    dampings = np.zeros(len(rows))
    if not squares.all():
        return best._replace(limit=0.0)
    for sweep in range(sweeps):
        descend(rows.indptr, rows.indices, rows.values, squares, alpha, u, order, caps, dampings, sweep)
        limit = min(best.limit, float(np.linalg.norm(u)) / float(alpha.sum()))
        if sweep & (sweep + 1) == 0 or sweep % 8 == 7 or limit <= useless:
            here = Separator(u.copy(), float(rows.multiply(u).min()), limit)
            best = here if here.unit_margin > best.unit_margin else best._replace(limit=limit)
            if best.gap <= close or limit <= useless:
                break
        best = best._replace(limit=limit)
    return best


def fit_soft_margin(rows: Rows, reach: float, squared: bool = False, sweeps: int = 60, close: float = 1e-2) -> Array:
    """The u that nearly minimises reach |u|^2 plus twice the sum of (1 - u.z)+, or plus the sum of their squares.

    The dual value, which no u falls below, says when it is `close` enough.
    """
    squares = rows.squares
    alpha = np.zeros(len(rows))
    u = np.zeros(rows.width)
    best = u.copy()
    least = float(rows.copies.sum()) * (1 if squared else 2)
    if len(rows) == 0 or reach <= 0:
        return best
    caps = np.full(len(rows), inf) if squared else rows.copies / reach
    dampings = reach / rows.copies if squared else np.zeros(len(rows))
    order = np.arange(len(rows))
    large = not squared and len(rows.indices) > LARGE
    if large:  # most rows will be at their caps: start there
        sweeps = 1
        alpha = caps.copy()
        add_combination(rows.indptr, rows.indices, rows.values, alpha, u)
    for sweep in range(sweeps):
        seed = -1 if large else sweep
        descend(rows.indptr, rows.indices, rows.values, squares, alpha, u, order, caps, dampings, seed)
        if sweep & (sweep + 1) == 0 or sweep % 8 == 7 or sweep == sweeps - 1:
            short = np.maximum(0.0, 1 - rows.multiply(u))
            square = float(u @ u)
            value = reach * square + float(rows.copies @ (short**2 if squared else 2 * short))
            dual = reach * float(2 * alpha.sum() - square - dampings @ alpha**2)
            if value < least:
                best = u.copy()
                least = value
            if least - dual <= close * least:
                break
    return best


def fit_hinge_margin(rows: Rows, reach: float, weights: Array | None = None, close: float = 1e-2) -> Array:
    """The u of `fit_soft_margin` at its best length; the `weights` that a large run ended with are often close."""
    if weights is not None and len(rows.indices) > LARGE and reach > 0:
        u = weights / reach
        square = float((weights**2).sum()) / reach
        scale, value = find_best_scale(rows.multiply(u), rows.copies, square)
        if value - (2 * float(rows.copies.sum()) - square) <= close * value:
            return u * scale
    return rescale(rows, fit_soft_margin(rows, reach), reach)


def rescale(rows: Rows, u: Array, reach: float) -> Array:
    """u at the length where reach |u|^2 plus twice the sum of (1 - u.z)+ is least."""
    return u * find_best_scale(rows.multiply(u), rows.copies, reach * float(u @ u))[0]


def find_best_scale(margins: Array, copies: Array, square: float) -> tuple[float, float]:
    """By what to multiply u so that reach |u|^2 plus twice the sum of (1 - u.z)+ is least, and what it is then.

    It is a convex function of the length.
    """

    def value(scale: float) -> float:
        return square * scale**2 + 2 * float(sum_hinge(margins, copies, scale))

    # near the length that it has
    low = 0.5
    high = 2.0
    for _ in range(10):
        third = (high - low) / 3
        low, high = (low + third, high) if value(low + third) > value(high - third) else (low, high - third)
    return (low + high) / 2, value((low + high) / 2)
