"""Symmetric matrices in tiles: what the sweeps compute, compiled and plain; and dense rows of another type."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.compiled import dense_dot, kernel
from littlestone.game.player import Player
from littlestone.learners import Perceptron
from littlestone.learners.shared.packed_matrix import (
    FIRST,
    PENDING,
    TILE,
    add_column,
    cut_rows,
    enlarge,
    find_row_start,
    make_identity,
    multiply,
    round_up_rows,
    settle_and_multiply,
    unpack,
)


@kernel
def settled(matrix, z, h, begin, end, pending, shrink, scale):
    settle_and_multiply(matrix, z, h, np.uint64(begin), np.uint64(end), pending, shrink, scale)


@kernel
def multiplied(matrix, z, h, begin, end):
    multiply(matrix, z, h, np.uint64(begin), np.uint64(end))


@kernel
def multiply_vector(matrix, z):
    h = np.zeros(z.size)
    multiply(matrix, z, h, np.uint64(0), np.uint64(z.size))
    return h


def pad(z):
    vector = np.zeros(round_up_rows(len(z)))
    vector[: len(z)] = z
    return vector


@kernel
def column(matrix, c, value, h):
    add_column(matrix, c, value, h)


@kernel
def mixed(weights, values, first, count):
    return dense_dot(weights, values, first, count)


@given(st.integers(1, 41), st.integers(0, 2**32), st.floats(0.1, 2))
def test_changes_are_applied_and_multiplied_at_once(size, seed, scale):
    rng, rows = np.random.default_rng(seed), round_up_rows(size)
    before, z, h = make_identity(size, 2.0), pad(rng.normal(size=size)), np.zeros(rows)
    pending, shrink = rng.normal(size=(PENDING, rows)), rng.normal(size=PENDING)
    after, plain, plain_h = before.copy(), before.copy(), h.copy()
    settled(after, z, h, 0, rows, pending, shrink, scale)
    settled.py_func(plain, z, plain_h, 0, rows, pending, shrink, scale)
    assert (after == plain).all()
    assert (h == plain_h).all()
    square = scale * (2 * np.eye(rows) - np.einsum("q,qi,qj->ij", shrink, pending, pending))
    assert unpack(after, rows) == pytest.approx(square, abs=1e-9)
    assert h == pytest.approx(square @ z, abs=1e-9)
    assert (multiply_vector(after, z) == multiply_vector.py_func(after, z)).all()
    assert multiply_vector(after, z) == pytest.approx(square @ z, abs=1e-9)
    total = np.zeros(rows)
    for c in range(rows):
        column(after, np.uint64(c), z[c], total)
    assert total == pytest.approx(square @ z, abs=1e-9)


@given(st.integers(1, 41), st.integers(0, 2**32), st.data())
def test_ranges_together_do_what_the_whole_does(size, seed, data):
    rng, rows = np.random.default_rng(seed), round_up_rows(size)
    ends = sorted({0, rows, *data.draw(st.lists(st.integers(0, rows // TILE).map(lambda tile: TILE * tile)))})
    whole, z, h = make_identity(size, 2.0), pad(rng.normal(size=size)), np.zeros(rows)
    pending, shrink = rng.normal(size=(PENDING, rows)), rng.normal(size=PENDING)
    in_ranges, parts = whole.copy(), np.zeros((2, len(ends) - 1, rows))
    settled(whole, z, h, 0, rows, pending, shrink, 0.5)
    for part, (begin, end) in enumerate(pairwise(ends)):
        settled(in_ranges, z, parts[0, part], begin, end, pending, shrink, 0.5)
        multiplied(in_ranges, z, parts[1, part], begin, end)
        assert not parts[:, part, end:].any()
    assert (in_ranges == whole).all()
    assert parts[0] == pytest.approx(parts[1], abs=1e-9)
    assert parts[1].sum(0) == pytest.approx(unpack(whole, rows) @ z, abs=1e-9)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_ranges_are_cut_at_the_same_places_whatever_the_size(small, more):
    some, others = cut_rows(TILE * small), cut_rows(TILE * (small + more))
    assert some[:-1] == others[: len(some) - 1]
    assert (some[0], some[-1]) == (0, TILE * small)
    assert all(end % TILE == 0 for end in some)
    assert all(begin < end for begin, end in pairwise(some)) or small == 0
    assert (len(some) == 2) == (TILE * small <= FIRST)
    assert FIRST % TILE == 0
    sizes = np.diff([int(find_row_start(np.uint64(end))) for end in cut_rows(4000)])
    assert len(sizes) > 8
    assert sizes.max() < sizes.sum() / 8


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_larger_matrix_begins_with_the_smaller_one(small, more):
    matrix = make_identity(small, 3.0)
    matrix[:] = np.where(matrix == 0, np.arange(len(matrix)), matrix)
    larger = enlarge(matrix, small + more, 5.0)
    rows = round_up_rows(small)
    assert (larger[: len(matrix)] == matrix).all()
    assert (unpack(larger, rows) == unpack(matrix, rows)).all()
    new = unpack(larger, round_up_rows(small + more))[rows:, rows:]
    assert (new == 5 * np.eye(len(new))).all()


def test_a_dense_row_of_another_type_is_multiplied_all_the_same():
    rng = np.random.default_rng(0)
    for one, other in ((np.float32, np.float64), (np.float64, np.float32)):
        weights, values = rng.integers(-9, 9, 40).astype(one), rng.integers(-9, 9, 50).astype(other)
        exact = int(weights[:39] @ values[7:46])
        assert mixed(weights, values, np.uint64(7), np.uint64(39)) == exact
        assert mixed.py_func(weights, values, np.uint64(7), np.uint64(39)) == exact
    player = Player(Perceptron(bias=0))
    player.update(np.array([3, 0], np.float32), True)
    player.update(np.array([0, 5], np.float32), True)
    assert player.score(np.array([1.0, 10.0])) == 53
