"""Witnesses: near the best margin by their own gap, never better than possible, exact after rounding."""

from fractions import Fraction
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.base.errors import BadParameter
from littlestone.certificates.make import margins as witness
from littlestone.certificates.make.linear_programs import find_cheapest_target, find_widest_target, prove_inseparable
from littlestone.certificates.make.margins import (
    Rows,
    Separator,
    descend,
    find_best_scale,
    find_separator,
    fit_hinge_margin,
    fit_soft_margin,
    multiply_rows,
    rescale,
)
from littlestone.certificates.make.steps import round_dyadic

AND = [[0, 0, -1], [0, -1, -1], [-1, 0, -1], [1, 1, 1]]
XOR = [[0, 0, -1], [0, 1, 1], [1, 0, 1], [-1, -1, -1]]

whole_rows = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=12)


def separable(matrix):
    """Whether some u on a fine grid of directions, or a linear program, has u.z > 0 on every row."""
    from scipy.optimize import linprog

    found = linprog(np.zeros(3), A_ub=-np.array(matrix, float), b_ub=-np.ones(len(matrix)), bounds=[(None, None)] * 3)
    return found.status == 0


def test_the_best_separator_of_and_is_the_one_known_by_heart():
    best = find_separator(Rows.of(AND * 3), close=1e-9, sweeps=2000)
    assert best.vector == pytest.approx([2, 2, -3], abs=1e-4)
    assert best.margin == pytest.approx(1, abs=1e-4)
    assert best.unit_margin <= 17**-0.5 * (1 + 1e-12)
    assert best.limit >= 17**-0.5 * (1 - 1e-12)


@settings(max_examples=60, deadline=None)
@given(whole_rows)
def test_a_separator_has_its_margin_and_no_separator_beats_its_limit(matrix):
    best = find_separator(Rows.of(matrix), sweeps=64)
    if best.margin > 0:
        assert (np.array(matrix) @ best.vector >= best.margin * (1 - 1e-12)).all()
        assert separable(matrix)
    if best.limit < inf:
        for u in product(range(-2, 3), repeat=3):
            length = np.linalg.norm(u)
            if length:
                assert (np.array(matrix) @ u).min() / length <= best.limit * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(whole_rows)
def test_rows_that_no_vector_separates_have_a_proof_in_whole_numbers(matrix):
    counts = prove_inseparable(Rows.of(matrix))
    if separable(matrix):
        assert counts is None
    else:
        assert counts is not None
        assert all(type(c) is int and c >= 0 for c in counts)
        assert any(counts)
        assert (np.array(counts, object) @ np.array(matrix, object) == 0).all()


def test_the_proof_for_xor_is_one_of_each():
    assert prove_inseparable(Rows.of(XOR)) == [1, 1, 1, 1]


def test_the_search_stops_when_the_margin_is_sure_to_be_useless():
    best = find_separator(Rows.of(XOR), useless=0.1)
    assert (best.margin, best.gap) == (0, 1)
    assert best.limit <= 0.1


def test_an_empty_row_or_no_row_has_no_margin():
    assert find_separator(Rows.of([[1.0], [0.0]])).margin == 0
    assert find_separator(Rows.of(np.zeros((0, 2)))) == Separator(pytest.approx([0, 0]), 0.0, inf)


def readable(matrix, u, reach, squared, copies):
    short = np.maximum(0, 1 - np.array(matrix) @ u)
    return reach * u @ u + (copies @ short**2 if squared else 2 * copies @ short)


@settings(max_examples=40, deadline=None)
@given(whole_rows, st.booleans(), st.integers(0, 10**6))
def test_a_soft_separator_nearly_minimises_the_readable_bound(matrix, squared, seed):
    rng = np.random.default_rng(seed)
    copies, reach = rng.integers(1, 4, len(matrix)).astype(float), 2.0
    rows = Rows.of(matrix)
    rows = Rows(rows.indptr, rows.indices, rows.values, rows.width, copies)
    u = fit_soft_margin(rows, reach, squared, sweeps=400, close=0)
    value = readable(matrix, u, reach, squared, copies)
    assert value <= copies.sum() * (1 if squared else 2) + 1e-9  # no worse than nothing
    for scale in (1e-3, 0.1, 1.0):
        for _ in range(10):
            other = u + scale * rng.normal(size=3)
            assert value <= readable(matrix, other, reach, squared, copies) * (1 + 1e-3) + 1e-9


def test_the_run_of_a_perceptron_is_the_first_sweep_for_the_hinge():
    X, y = np.random.default_rng(3).normal(size=(60, 3)), np.random.default_rng(4).integers(0, 2, 60)
    w, z = np.zeros(3), []
    for x, sign in zip(X, 2.0 * y - 1, strict=True):
        if sign * (w @ x) <= 0:
            w = w + sign * x
            z.append(sign * x)
    rows = Rows.of(z)
    reach = float(rows.squares.max())
    alpha, u, order, caps = np.zeros(len(z)), np.zeros(3), np.arange(len(z)), np.full(len(z), 1 / reach)
    descend(rows.indptr, rows.indices, rows.values, rows.squares, alpha, u, order, caps, np.zeros(len(z)), -1)
    assert order.tolist() == list(range(len(z)))  # a negative seed shuffles nothing
    assert alpha.tolist() == caps.tolist()
    assert u == pytest.approx(w / reach)


@pytest.mark.parametrize("close", [0.0, 1.0], ids=["searched", "as it ended"])
def test_a_large_run_starts_from_its_own_weights_and_goes_on_unless_they_are_close(monkeypatch, close):
    monkeypatch.setattr(witness, "LARGE", 0)
    rng = np.random.default_rng(6)
    matrix = rng.integers(-2, 3, (50, 4)) + np.array([0.5, 0, 0, 0])
    rows, weights = Rows.of(matrix), matrix.sum(axis=0)
    reach = float(rows.squares.max())
    u = fit_hinge_margin(rows, reach, weights, close)
    own = rescale(rows, weights / reach, reach)
    ours, theirs = (readable(matrix, v, reach, False, np.ones(50)) for v in (u, own))
    assert (u.tolist() == own.tolist()) == (close == 1)
    assert ours < theirs or close == 1
    assert fit_hinge_margin(rows, reach).tolist() == rescale(rows, fit_soft_margin(rows, reach), reach).tolist()


def test_the_best_scale_comes_with_its_value():
    rows = Rows.of(AND)
    u = np.array([0.2, 0.2, -0.3])
    scale, value = find_best_scale(rows.multiply(u), rows.copies, 3.0 * float(u @ u))
    assert value == pytest.approx(readable(AND, scale * u, 3.0, False, np.ones(4)))


@pytest.mark.parametrize(("size", "kind"), [(1.0, np.float32), (1e-60, np.float64), (1e60, np.float64)])
def test_short_floats_hold_a_witness_unless_it_is_out_of_their_range(size, kind):
    u = round_dyadic(np.array([0.3, -1.0, 2.0**-18]) * size)
    assert u.short_floats.dtype == kind
    assert u.short_floats.tolist() == u.floats.tolist()


def test_scaling_finds_the_length_at_which_the_readable_bound_is_least():
    rows = Rows.of(AND)
    best = rescale(rows, np.array([0.2, 0.2, -0.3]), 3.0)
    values = [readable(AND, s * np.array([2.0, 2.0, -3.0]), 3.0, False, np.ones(4)) for s in np.linspace(0, 2, 2001)]
    assert readable(AND, best, 3.0, False, np.ones(4)) <= min(values) * 1.001


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=6))
def test_a_dyadic_vector_is_exact_and_close(entries):
    u = round_dyadic(np.array(entries))
    top = max(abs(entry) for entry in entries)
    assert np.abs(u.numerators).max() <= 2**20
    assert np.abs(u.floats - entries).max() <= top * 2.0**-19
    assert u.norm == sum((Fraction(float(entry)) ** 2 for entry in u.floats), Fraction(0))


def test_the_compiled_sweep_equals_its_plain_body():
    rng = np.random.default_rng(1)
    rows = Rows.of(rng.integers(-2, 3, (20, 5)))
    runs = []
    for sweep, multiply in ((descend, multiply_rows), (descend.py_func, multiply_rows.py_func)):
        alpha, u, order, out = np.zeros(20), np.zeros(5), np.arange(20), np.zeros(20)
        caps, dampings = np.full(20, 0.3), np.full(20, 0.1)
        for seed in range(3):
            with np.errstate(over="ignore"):
                sweep(rows.indptr, rows.indices, rows.values, rows.squares, alpha, u, order, caps, dampings, seed)
        multiply(rows.indptr, rows.indices, rows.values, u, out)
        runs.append((alpha.tobytes(), u.tobytes(), order.tobytes(), out.tobytes()))
    assert runs[0] == runs[1]


def test_the_cheapest_target_of_winnow_is_the_majority_of_three():
    up, down = [[1, 1, 0], [1, 0, 1], [0, 1, 1]], np.eye(3)
    assert find_cheapest_target(Rows.of(up), Rows.of(down), 0.5) == pytest.approx([0.5, 0.5, 0.5])
    assert find_cheapest_target(Rows.of(up), Rows.of(down), 0.4) is None
    with pytest.raises(BadParameter, match="ceiling"):
        find_cheapest_target(Rows.of(up), Rows.of(down), 1)


def test_the_widest_target_of_balanced_winnow_on_and_has_a_margin_of_a_seventh():
    best = find_widest_target(Rows.of(AND))
    assert best.vector == pytest.approx([2 / 7, 2 / 7, -3 / 7])
    assert (best.margin, best.limit) == (pytest.approx(1 / 7), pytest.approx(1 / 7))
