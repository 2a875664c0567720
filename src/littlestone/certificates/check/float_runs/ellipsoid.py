"""Ellipsoids, AROW with its whole covariance and second-order perceptrons, played again in their own floats.

Everything is float64. Scores are those of `additive.py`. The constant attribute, if there is one, is attribute 0 of the
matrix and the others follow. A is scale (B - sum of shrink[q] p[q] p[q]') with at most four vectors p that wait. B is
kept by its lower half in tiles of 8 x 8, those on the diagonal whole; attributes are filled up to whole tiles.

A round that teaches and is not zero needs h = A x / scale. If fewer than four vectors wait and the row has at most 32
entries, the constant counted, h is the sum of x_c times column c of B over its entries in order. Otherwise all of B is
swept (see `sweep`); if four vectors wait, they are taken from B first, and then none waits and the scale is 1. A round
teaches up to an agreement of 0, AROW up to the float64 below 1. Then, for each vector that waits, (shrink[q] (x.p[q]))
p[q] is taken from h. The products x.p[q] and x.h, which gives x'Ax = scale (x.h), are added one by one over the entries
of the row.
"""

from collections.abc import Callable
from itertools import pairwise
from math import nextafter, sqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import TIES, Parameters, ScoreRule, UnitWeights, find_next
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun
from littlestone.certificates.check.float_runs.sums import LANES, ONE_BY_ONE, QUARTERS
from littlestone.compiled import kernel, rule

TILE = 8
WAITING = 4
FEW = 32
# rows of the first range of a large matrix, and of every other one
FIRST = 1024
FURTHER = 256


class FloatEllipsoid(NamedTuple):
    """B by its lower half, the vectors that wait with their factors, and (the scale, how many wait)."""

    matrix: Array
    pending: Array
    shrink: Array
    scale: Array


class MatrixRule(NamedTuple):
    """How a learner with a matrix moves: its step along A x, what A loses, by what it is stretched."""

    move: Callable[[float, float], tuple[float, float, float]]  # of the agreement and x'Ax
    enough: float = 0.0  # the agreement up to which a round teaches
    variance: float = 1.0  # on the diagonal of A at first


@rule
def add_neighbours(parts: Array, count: Any) -> Any:
    """The sum of 4 or 8 numbers: neighbours first, then neighbouring sums. What they were is lost."""
    while count > 1:
        count //= 2
        for k in range(count):
            parts[k] = parts[2 * k] + parts[2 * k + 1]
    return parts[0]


@kernel
def sweep(state: Any, x: Array, h: Array, begin: int, end: int, settle: bool) -> None:
    """Add to h what B gives times x in its rows from `begin` to `end` and in their mirror images.

    Tile by tile of rows: left of the diagonal, bands of 8 rows, or of 4 if vectors are taken away first, are gone
    through column by column. Each row has eight sums, of every eighth column; each column gets the sum of the band.
    """
    height = WAITING if settle else TILE
    lost = np.zeros(WAITING)
    sums = np.zeros((TILE, TILE))
    parts = np.zeros(TILE)
    for tile in range(begin, end, TILE):
        for top in range(tile, tile + TILE, height):
            sums[:] = 0.0
            for c in range(tile):
                for r in range(height):
                    if settle:
                        for q in range(WAITING):
                            lost[q] = (state.shrink[q] * state.pending[q, top + r]) * state.pending[q, c]
                        entry = state.matrix[top + r, c] - add_neighbours(lost, WAITING)
                        state.matrix[top + r, c] = state.scale[0] * entry
                    sums[r, c % TILE] += state.matrix[top + r, c] * x[c]
                    parts[r] = state.matrix[top + r, c] * x[top + r]
                h[c] += add_neighbours(parts, height)
            for r in range(height):
                h[top + r] += add_neighbours(sums[r], TILE)
        for r in range(tile, tile + TILE):
            for c in range(tile, tile + TILE):
                if settle:
                    gone = 0.0
                    for q in range(WAITING):
                        gone += (state.shrink[q] * state.pending[q, r]) * state.pending[q, c]
                    state.matrix[r, c] = state.scale[0] * (state.matrix[r, c] - gone)
                h[r] += state.matrix[r, c] * x[c]


def add_one_by_one(terms: Array) -> float:
    """The sum of some products, from 0 on; Python's `sum` makes up for rounding."""
    total = 0.0
    for term in terms.tolist():
        total += term
    return total


def multiply(state: FloatEllipsoid, places: Array, values: Array) -> tuple[Array, float]:
    """A x / scale, and x'Ax; waiting vectors are applied if there are four."""
    x = np.zeros(len(state.matrix))
    size = len(state.matrix)
    x[places], h = values, np.zeros(size)
    if state.scale[1] < WAITING and len(places) <= FEW:
        for c, value in zip(places.tolist(), values.tolist(), strict=True):
            above = c // TILE * TILE
            h += value * np.concatenate((state.matrix[c, :above], state.matrix[above:, c]))
    else:
        settle = bool(state.scale[1] == WAITING)
        ends = [0, *range(FIRST, size, FURTHER), size]
        for begin, end in pairwise(ends):
            part = np.zeros(size)
            sweep(state, x, part, begin, end, settle)
            h += part
        if settle:
            state.scale[:] = 1.0, 0.0
    for q in range(int(state.scale[1])):
        h -= (state.shrink[q] * add_one_by_one(values * state.pending[q, places])) * state.pending[q]
    return h, float(state.scale[0] * add_one_by_one(values * h[places]))


def cut(agreement: float, spread: float, d: int, deep: bool) -> tuple[float, float, float]:
    """How far to step along A x, how much of (A x)(A x)' to take from A, and by what factor to stretch what is left."""
    root = sqrt(spread)
    if d == 1:
        return 0.5 / root, 0.0, 0.25
    depth = -agreement / root if deep else 0.0
    depth = 0.0 if depth >= 1 else depth
    step = (1 + d * depth) / ((d + 1) * root)
    loss = 2 * (1 + d * depth) / ((d + 1) * (1 + depth) * spread)
    return step, loss, d * d / (d * d - 1) * (1 - depth * depth)


def replay_ellipsoid(about: Parameters, rows: ArrangedRows) -> FloatRun | None:
    """Play the run of an ellipsoid again; None if its floats were too short."""
    d = about["attributes"] + (about["bias"] != 0)
    deep = about["cuts"] == "deep"
    rule = MatrixRule(lambda agreement, spread: cut(agreement, spread, d, deep))
    return _play(about["attributes"], float(about["bias"]), rows, rule)


def replay_second_order(about: Parameters, rows: ArrangedRows) -> FloatRun | None:
    """Play the run of a second-order perceptron, or of AROW with its whole covariance, again.

    The weights step along A x by (1 - agreement) q, and A loses q (A x)(A x)', q = 1 / (1 + x'Ax), or 1 / (x'Ax + r).
    """
    arow = about["name"] == "Arow"
    damping = float(about["regularization"]) if arow else 1.0

    def move(agreement: float, spread: float) -> tuple[float, float, float]:
        part = 1.0 / (spread + damping)
        return (1.0 - agreement) * part, part, 1.0

    widest = (
        rows.width
        if rows.dense
        else max((int(c.columns.max(initial=-1)) + 1 for c in rows.read(np.float64)), default=0)
    )
    rule = MatrixRule(move, nextafter(1.0, 0.0) if arow else 0.0, 1.0 if arow else 1.0 / about["ridge"])
    return _play(widest, float(about["bias"]), rows, rule)


def _play(n: int, bias: float, rows: ArrangedRows, moves: MatrixRule) -> FloatRun | None:
    """Play rounds over n attributes; None if floats were too short."""
    shift = int(bias != 0)
    counts = FloatCounts(rows)
    size = -(-(n + shift) // TILE) * TILE
    begun = moves.variance * np.eye(size)
    state = FloatEllipsoid(begun, np.zeros((WAITING, size)), np.zeros(WAITING), np.array([1.0, 0.0]))
    centre = UnitWeights(np.zeros(n), np.zeros(1), np.array([1.0, 0.0]))
    order = QUARTERS if not rows.dense else LANES if rows.kind == "float64" else ONE_BY_ONE
    scored = ScoreRule(bias, order, moves.enough, TIES["strict"])
    for chunk in rows.read(np.float64):
        terms = np.zeros(int(np.diff(chunk.indptr).max(initial=0)))
        guesses = np.zeros(len(chunk.codes), np.int64)
        scores = np.zeros(len(chunk.codes))
        t = 0
        while True:
            t, score = find_next(centre, chunk, t, scored, terms, guesses, scores)
            if t == len(chunk.codes):
                break
            columns, values = chunk.row(t)
            y = 1.0 if chunk.codes[t] else -1.0
            if shift:
                columns = np.concatenate(([0], columns + 1))
                values = np.concatenate(([bias], values))
            if values.any():
                h, spread = multiply(state, columns, values)
                if not spread > 0:
                    return None
                along, loss, stretch = moves.move(y * score, spread)
                delta = y * along * state.scale[0]
                q = int(state.scale[1])
                centre.bias[0] += delta * h[0] if shift else 0.0
                centre.weights[:] += delta * h[shift : shift + n]
                state.pending[q], state.shrink[q] = h, loss * state.scale[0]
                state.scale[:] = state.scale[0] * stretch, q + 1
                counts.note_update(chunk.first + t)
            t += 1
        counts.note_guesses(chunk, guesses, scores)
    return counts.conclude()
