"""Witnesses: the comparator that a theorem asks for, found in hindsight on the update rounds.

Rows are z = y x. The dual coordinate descent of Hsieh and others (2008) solves three problems with one loop:

    hard margin   maximise the smallest u.z for |u| = 1; any iterate with u.z > 0 everywhere is a witness, and
                  |sum a z| / sum a, for any a >= 0, is at least the best margin, so the gap is known
    hinge         minimise  reach |u|^2 + 2 sum (1 - u.z)+
    squared       minimise  reach |u|^2 + sum (1 - u.z)+^2

The last two are the readable forms of the agnostic theorems. Their sharper forms are evaluated at the same u but not
minimised: over update rounds alone the smallest sharp bound is reached by u = 0, which says nothing. Whatever the
budget, what is returned is a valid witness; it is rounded to dyadic numbers before anything is computed from it.

>>> rows = Rows.of([[2.0, 0.0], [0.0, 1.0]])
>>> hard_margin(rows).vector.round(3).tolist()
[0.5, 1.0]
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import frexp, inf
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.examples import Array
from littlestone.kernel import kernel

BITS = 20  # of a witness's largest entry
SWEEPS = 400
ENTRIES, FEW, FEWEST = 3 * 10**7, 8, 1  # where so FEW sweeps over the entries are too many, the FEWEST must do


@kernel
def products(indptr: Array, indices: Array, values: Array, u: Array, out: Array) -> Any:
    """u.z for every row."""
    for i in range(out.size):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += u[indices[k]] * values[k]
        out[i] = total


@kernel
def squared(indptr: Array, values: Array, out: Array) -> Any:
    """|z|^2 of every row."""
    for i in range(out.size):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += np.float64(values[k]) * np.float64(values[k])
        out[i] = total


@kernel
def hinge(margins: Array, copies: Array, scale: float) -> Any:
    """The sum of (1 - scale u.z)+."""
    total = 0.0
    for i in range(margins.size):
        total += copies[i] * max(0.0, 1.0 - scale * margins[i])
    return total


@kernel
def combined(indptr: Array, indices: Array, values: Array, alpha: Array, u: Array) -> Any:
    """Add the sum of alpha z to u."""
    for i in range(alpha.size):
        for k in range(indptr[i], indptr[i + 1]):
            u[indices[k]] += alpha[i] * values[k]


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
    """One sweep in random order: set each dual variable to its best value up to its cap, keeping u = sum alpha z."""
    state = np.uint64(seed) * np.uint64(2862933555777941757) + np.uint64(3037000493)
    for place in range(order.size):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        other = place + np.int64((state >> np.uint64(33)) % np.uint64(order.size - place))
        i = order[other]
        order[other], order[place] = order[place], i
        curvature = squares[i] + dampings[i]
        if curvature <= 0:
            continue
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += u[indices[k]] * values[k]
        new = min(max(alpha[i] + (1.0 - total - dampings[i] * alpha[i]) / curvature, 0.0), caps[i])
        change = new - alpha[i]
        if change != 0:
            alpha[i] = new
            for k in range(indptr[i], indptr[i + 1]):
                u[indices[k]] += change * values[k]


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
        squared(self.indptr, self.values, out)
        return out

    def divided(self, lengths: Array) -> "Rows":
        """Each row divided by a number of its own."""
        return replace(self, values=self.values / np.repeat(lengths, np.diff(self.indptr)))

    def chosen(self, which: Array) -> "Rows":
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

    def products(self, u: Array) -> Array:
        """u.z of every row, in floats."""
        out = np.zeros(len(self))
        products(self.indptr, self.indices, self.values, u, out)
        return out


class Separator(NamedTuple):
    """A vector, the margin it has on every row, and a margin that no unit vector exceeds."""

    vector: Array
    margin: float
    limit: float

    @property
    def found(self) -> float:
        """The margin of the vector scaled to length 1."""
        length = float(np.linalg.norm(self.vector))
        return self.margin / length if length else 0.0

    @property
    def gap(self) -> float:
        """By which fraction the margin may fall short of the best; 1 where no margin was found."""
        return 1.0 if self.margin <= 0 else max(0.0, 1 - self.found / self.limit)


def hard_margin(rows: Rows, sweeps: int = SWEEPS, close: float = 1e-6, useless: float = 0.0) -> Separator:
    """A vector with a large margin on all rows: until within `close` of the best, or sure to have at most `useless`."""
    squares, alpha, u = rows.squares, np.zeros(len(rows)), np.zeros(rows.width)
    order, best = np.arange(len(rows)), Separator(np.zeros(rows.width), 0.0, inf)
    caps, dampings = np.full(len(rows), inf), np.zeros(len(rows))
    if len(rows) == 0 or not squares.all():
        return best._replace(limit=0.0 if len(rows) else inf)
    for sweep in range(sweeps):
        descend(rows.indptr, rows.indices, rows.values, squares, alpha, u, order, caps, dampings, sweep)
        limit = min(best.limit, float(np.linalg.norm(u)) / float(alpha.sum()))
        if sweep & (sweep + 1) == 0 or sweep % 8 == 7 or limit <= useless:
            here = Separator(u.copy(), float(rows.products(u).min()), limit)
            best = here if here.found > best.found else best._replace(limit=limit)
            if best.gap <= close or limit <= useless:
                break
        best = best._replace(limit=limit)
    return best


def soft_margin(rows: Rows, reach: float, squared: bool = False, sweeps: int = 60, close: float = 1e-2) -> Array:
    """The u that nearly minimises reach |u|^2 plus twice the sum of (1 - u.z)+, or plus the sum of their squares.

    The dual value, which no u falls below, says when it is `close` enough.
    """
    squares, alpha, u = rows.squares, np.zeros(len(rows)), np.zeros(rows.width)
    best, least = u.copy(), float(rows.copies.sum()) * (1 if squared else 2)
    if len(rows) == 0 or reach <= 0:
        return best
    caps = np.full(len(rows), inf) if squared else rows.copies / reach
    dampings = reach / rows.copies if squared else np.zeros(len(rows))
    order = np.arange(len(rows))
    if not squared and len(rows.indices) * FEW > ENTRIES:  # most rows will be at their caps: start there
        sweeps, alpha = FEWEST, caps.copy()
        combined(rows.indptr, rows.indices, rows.values, alpha, u)
    for sweep in range(sweeps):
        descend(rows.indptr, rows.indices, rows.values, squares, alpha, u, order, caps, dampings, sweep)
        early = sweeps > FEWEST and (sweep & (sweep + 1) == 0 or sweep % 8 == 7)
        if early or sweep == sweeps - 1:
            short, square = np.maximum(0.0, 1 - rows.products(u)), float(u @ u)
            value = reach * square + float(rows.copies @ (short**2 if squared else 2 * short))
            dual = reach * float(2 * alpha.sum() - square - dampings @ alpha**2)
            if value < least:
                best, least = u.copy(), value
            if least - dual <= close * least:
                break
    return best


def scaled(rows: Rows, u: Array, reach: float) -> Array:
    """u at the length where reach |u|^2 plus twice the sum of (1 - u.z)+ is least: a convex function of the length."""
    margins, square = rows.products(u), reach * float(u @ u)

    def value(scale: float) -> float:
        return square * scale**2 + 2 * float(hinge(margins, rows.copies, scale))

    low, high = 0.5, 2.0  # near the length that it has
    for _ in range(10):
        third = (high - low) / 3
        low, high = (low + third, high) if value(low + third) > value(high - third) else (low, high - third)
    return u * ((low + high) / 2)


class Dyadic(NamedTuple):
    """A vector of whole numbers times 2^exponent."""

    numerators: Array
    exponent: int

    @property
    def floats(self) -> Array:
        """The same numbers as floats, exactly."""
        return np.ldexp(self.numerators.astype(np.float64), self.exponent)

    @property
    def norm(self) -> Fraction:
        """The squared length, exactly."""
        squares = self.numerators.astype(np.int64) ** 2  # below 2^41, so that a million of them add up exactly
        parts = (int(squares[first : first + 2**20].sum()) for first in range(0, len(squares), 2**20))
        return Fraction(sum(parts)) * Fraction(4) ** self.exponent


def dyadic(u: Array, bits: int = BITS) -> Dyadic:
    """The vector rounded so that its largest entry has `bits` bits."""
    exponent = frexp(float(np.abs(u).max(initial=0.0)))[1] - bits
    return Dyadic(np.rint(np.ldexp(u, -exponent)).astype(np.int64), exponent)
