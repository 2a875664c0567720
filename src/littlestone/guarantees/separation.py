"""Separation: whether a hyperplane separates the classes of a stream, with a proof of either answer.

Write z = y (x, 1) for each round, y = +1 or -1. A vector u with u.z > 0 on every round separates the classes; then the
Perceptron, passing over them again and again, stops after at most R^2 |u|^2 / g^2 updates, g being the least u.z.

Theorem (Gordan 1873). Either some u has u.z > 0 on every round, or some whole numbers a >= 0, not all 0, have
sum a z = 0; never both. In the second case the Perceptron updates for ever: if attributes are rational its weights come
back to where they were, and the updates in between are such numbers (XOR: one update a row).

Proof of "never both". 0 = u . sum a z = sum a (u.z) > 0 is absurd. So either answer is easily checked: the sign of
products, or a sum of whole multiples of rows, both in exact arithmetic here.

It looks for one x with both labels, then for u by dual coordinate descent, then for a by a linear program whose
solution is computed again in fractions, then for u by another.

P. Gordan. Uber die Auflosung linearer Gleichungen mit reellen Coefficienten. Mathematische Annalen 6:23-28, 1873.
M. Minsky and S. Papert. Perceptrons. MIT Press, 1969.

>>> from littlestone import Recorded
>>> print(separable(Recorded([[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False])))
not separable: 4 of 4 rounds, taken 1 time each, cancel: the sum of y (x, 1) over them is exactly 0
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, nextafter
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.labels import Labels
from littlestone.certificates.digest import add_constant, list_entries
from littlestone.certificates.make.linear_programs import make_matrix, prove_inseparable, solve
from littlestone.certificates.make.margins import Rows, find_separator
from littlestone.game.leading_rounds import collect_rounds, open_stream

EPS = 2.0**-52


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """The answer and its proof; true in a condition if the classes are separable.

    Args:
        rounds: How many rounds were looked at.
        classes: The labels taken for -1 and +1.
        bias: The value of the constant attribute; 0: none.
        reach: The largest |z|^2.
        weights: u without its constant; None: not separable.
        constant: The constant of u.
        margin: The least u.z / |u|, rounded down.
        limit: No vector has a larger margin.
        multiples: Where not separable, how often each round, by its number from 0 on, is taken in the sum that is 0.
    """

    rounds: int
    classes: tuple[Any, ...]
    bias: float
    reach: float
    weights: Array | None = None
    constant: float = 0.0
    margin: float = 0.0
    limit: float = inf
    multiples: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.weights is not None

    @property
    def updates(self) -> int | None:
        """The most updates of the Perceptron, however often it passes over the rounds (Novikoff); None: no end."""
        return int(self.reach / self.margin**2 * (1 + 8 * EPS)) if self else None

    def check(self, stream: Stream) -> bool:
        """Whether the proof is right, read again from the stream and computed in exact arithmetic."""
        rows, _, _ = sign_rows(collect_rounds(stream, self.rounds), self.bias)
        if self.weights is None:
            return cancels(rows, self.multiples)
        return bool(_decide_positive(rows, np.concatenate(([self.constant], self.weights))).all())

    def record(self) -> dict[str, Any]:
        """The answer and its proof, as JSON knows it."""
        about: dict[str, Any] = {"separable": bool(self), "rounds": self.rounds, "bias": self.bias}
        about["classes"] = [item.item() if hasattr(item, "item") else item for item in self.classes]
        if self.weights is None:
            return about | {"multiples": {str(t): count for t, count in self.multiples.items()}}
        proof = {"weights": self.weights.tolist(), "constant": self.constant, "margin": self.margin}
        return about | proof | {"limit": self.limit, "updates": self.updates}

    def __str__(self) -> str:
        folded = "(x, 1)" if self.bias == 1 else f"(x, {self.bias:g})" if self.bias else "x"
        if self:
            return (
                f"separable: u.y {folded} > 0 on all {self.rounds:,} rounds, with margin {self.margin:.6g} for |u| = 1 "
                f"(none has more than {self.limit:.6g});\nthe Perceptron makes at most {self.updates:,} updates on "
                "them, however often it passes over them"
            )
        counts = sorted(set(self.multiples.values()))
        times = f"{counts[0]:,} to {counts[-1]:,} times" if len(counts) > 1 else f"{counts[0]} time"
        taken = f"{times}{'s' if counts == counts[:1] and counts[0] > 1 else ''} each"
        return (
            f"not separable: {len(self.multiples):,} of {self.rounds:,} rounds, taken {taken}, cancel: "
            f"the sum of y {folded} over them is exactly 0"
        )


def separable(stream: Any, bias: float = 1.0, rounds: int | None = None) -> Separation:
    """Decide whether a hyperplane separates the two classes of a stream, with a proof of either answer.

    Args:
        stream: A stream, or a file as `read` takes it.
        bias: The value of the constant attribute, >= 0; 0: only hyperplanes through the origin.
        rounds: How many rounds to look at; None: all.
    """
    stream = open_stream(stream)
    require(bias >= 0 and bias < inf, f"bias must be at least 0 and finite, got {bias}")
    rows, which, names = sign_rows(collect_rounds(stream, rounds), bias)
    about = Separation(len(rows), names, float(bias), float(rows.squares.max(initial=0.0)) * (1 + 64 * EPS))
    for found in (_find_contradiction(rows), {int(t): 1 for t in np.flatnonzero(rows.squares == 0)[:1]}):
        if found:
            return replace(about, multiples=found)
    distinct = rows.select(which)
    limit = inf
    if len(distinct):
        separator = find_separator(distinct)
        limit = separator.limit
        if separator.margin > 0 and (found_one := _make_separation(about, distinct, separator.vector, limit)):
            return found_one
        multiples = prove_inseparable(distinct)
        if multiples is not None:
            taken = {int(which[i]): count for i, count in enumerate(multiples) if count}
            if cancels(rows, taken):
                return replace(about, multiples=taken)
    vector = _find_widest(distinct) if len(distinct) else np.zeros(rows.width)
    if found_one := _make_separation(about, distinct, vector, limit):
        return found_one
    raise NotCertified(f"{len(rows)} rounds lie too close to a hyperplane to tell in floating point: scale attributes")


def cancels(rows: Rows, multiples: dict[int, int]) -> bool:
    """Whether whole multiples >= 0, not all 0, of the rows add up to exactly 0."""
    sums: dict[int, Fraction] = {}
    for t, count in multiples.items():
        for k in range(rows.indptr[t], rows.indptr[t + 1]):
            column = int(rows.indices[k])
            sums[column] = sums.get(column, Fraction(0)) + count * Fraction(float(rows.values[k]))
    return bool(multiples) and all(count > 0 for count in multiples.values()) and not any(sums.values())


class SignedRows(NamedTuple):
    """The rows z, the constant in column 0, the first round of each different row, and the labels -1 and +1."""

    rows: Rows
    firsts: Array
    names: tuple[Any, ...]


def encode_two(chunk: Any) -> tuple[Array, tuple[Any, ...]]:
    """The class numbers of rows of two classes, and these; refuse instances that are no rows, and a third class."""
    require(isinstance(chunk, Examples), "a hyperplane separates rows of attributes, not points", BadInstance)
    labels = Labels(())
    codes = labels.encode(chunk.labels, 2)
    if len(codes) < len(chunk):
        labels.encode_one(chunk.labels[len(codes)], 2)  # raises
    return codes, tuple(labels.names)


def sign_rows(chunk: Any, bias: float) -> SignedRows:
    """The rows of a chunk with the sign of their labels, entries of one attribute added up and those of 0 left out."""
    from scipy.sparse import csr_array

    codes, names = encode_two(chunk)
    counts, indices, values = list_entries(chunk, np.arange(len(chunk)))
    sign = np.where(codes > 0, 1.0, -1.0)
    indptr = np.concatenate(([0], np.cumsum(counts)))
    matrix = csr_array((values.astype(np.float64) * np.repeat(sign, counts), indices, indptr),
                       shape=(len(chunk), max(chunk.width, 1)))  # fmt: skip
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    entries = add_constant(np.diff(matrix.indptr), matrix.indices, matrix.data, sign * bias)
    rows = Rows(*entries, matrix.shape[1] + 1, np.ones(len(chunk)))
    firsts = {_pack_row(rows, t): t for t in range(len(rows) - 1, -1, -1)}
    return SignedRows(rows, np.array(sorted(firsts.values()), np.int64), names)


def _pack_row(rows: Rows, t: int, sign: float = 1.0) -> bytes:
    span = slice(rows.indptr[t], rows.indptr[t + 1])
    return bytes(rows.indices[span].tobytes() + (sign * rows.values[span]).tobytes())


def _find_contradiction(rows: Rows) -> dict[int, int]:
    """Two rounds with one x and both labels."""
    met: dict[bytes, int] = {}
    for t in range(len(rows)):
        met.setdefault(_pack_row(rows, t), t)
        if (other := met.get(_pack_row(rows, t, -1.0))) is not None and other != t:
            return {other: 1, t: 1}
    return {}


def _bound_errors(rows: Rows, u: Array) -> Array:
    """By how much each product u.z may be wrong."""
    sizes = replace(rows, values=np.abs(rows.values)).multiply(np.abs(u))
    return np.asarray(EPS * (np.diff(rows.indptr) + 2) * sizes)


def _decide_positive(rows: Rows, u: Array) -> Array:
    """Whether u.z > 0, exactly, for each row: in fractions where floats cannot tell."""
    products, errors = rows.multiply(u), _bound_errors(rows, u)
    sure = products > errors
    for t in np.flatnonzero(~sure & (products >= -errors)):
        span = range(rows.indptr[t], rows.indptr[t + 1])
        total = sum((Fraction(float(u[rows.indices[k]])) * Fraction(float(rows.values[k])) for k in span), Fraction(0))
        sure[t] = total > 0
    return np.asarray(sure)


def _make_separation(about: Separation, rows: Rows, u: Array, limit: float) -> Separation | None:
    """The separation by u, its margin rounded down; None if it does not separate."""
    if not u.any() or not _decide_positive(rows, u).all():
        return None if len(rows) else replace(about, weights=u[1:], margin=inf, limit=inf)
    least = float((rows.multiply(u) - _bound_errors(rows, u)).min())
    margin = max(least / (float(np.linalg.norm(u)) * (1 + 64 * EPS)), nextafter(0, 1))
    return replace(about, weights=u[1:].copy(), constant=float(u[0]), margin=margin, limit=max(limit, margin))


def _find_widest(rows: Rows) -> Array:
    """The u of entries in [-1, 1] with the largest least u.z, by a linear program."""
    from scipy.sparse import csr_array, hstack

    left = hstack((-make_matrix(rows), csr_array(np.ones((len(rows), 1))))).tocsr()  # g - u.z <= 0
    goal = np.append(np.zeros(rows.width), -1.0)
    found = solve(goal, left, np.zeros(len(rows)), [(-1, 1)] * rows.width + [(None, None)])
    return np.zeros(rows.width) if found is None else found[:-1]
