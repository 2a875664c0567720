"""Exponents: the table of powers, types that widen, and which values an attribute may have."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.learners.shared.exponents import (
    LONGEST,
    find_exponent,
    find_largest,
    find_reach,
    inspect,
    make_powers,
    read_power,
    read_power_or_zero,
    sign_beyond,
    widen,
)


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("factor", [1.25, 2.0, 1e6])
def test_the_table_holds_correctly_rounded_powers(factor, size):
    powers, half = make_powers(factor, size), len(make_powers(factor, size)) // 2
    for exponent in (-127, -100, -1, 0, 1, 5, 40):
        if -half < exponent < half:
            exact = Fraction(factor) ** exponent
            assert abs(Fraction(float(read_power(powers, exponent))) - exact) <= exact * Fraction(1, 2**52) + Fraction(
                1, 2**1074
            )
    assert powers[0] == 0
    assert read_power_or_zero(powers, -(2**31)) == 0


def test_the_widest_table_ends_where_powers_are_zero():
    assert read_power(make_powers(2.0, 4), -1074) == 2.0**-1074
    assert read_power_or_zero(make_powers(2.0, 4), -1076) == 0
    assert read_power_or_zero(make_powers(2.0, 4), -1077) == read_power_or_zero(make_powers(2.0, 4), -(10**9)) == 0
    assert find_reach(1 + 1e-4) == LONGEST


@given(st.integers(-127, 126), st.sampled_from([1.01, 1.5, 2.0]))
def test_the_odd_table_is_odd_to_the_last_bit(exponent, factor):
    powers = make_powers(factor, 1, odd=True)
    assert read_power(powers, exponent) == -read_power(powers, -exponent)
    assert read_power(powers, exponent) == pytest.approx(factor**exponent - factor**-exponent)


@given(st.lists(st.integers(-128, 127)))
def test_widening_keeps_exponents_and_the_weight_zero(exponents):
    small = np.array(exponents, np.int8)
    wide = widen(small)
    assert wide.dtype == np.int16
    assert wide.tolist() == [exponent if exponent != -128 else -(2**15) for exponent in exponents]
    assert widen(wide).tolist() == [exponent if exponent != -128 else -(2**31) for exponent in exponents]


@given(st.lists(st.integers(-127, 127), min_size=1), st.integers(0, 127))
def test_signs_tell_whether_an_exponent_is_beyond_the_largest(exponents, largest):
    signs = 0
    for exponent in exponents:
        signs |= int(sign_beyond(exponent, largest))
    assert (signs < 0) == (max(map(abs, exponents)) > largest)


@given(st.lists(st.integers(-128, 127)), st.lists(st.integers(-127, 127), max_size=1))
def test_the_largest_exponent_of_a_row_leaves_out_the_weight_zero(exponents, constant):
    weights, indices = np.array([99, *exponents], np.int8), np.arange(1, len(exponents) + 1, dtype=np.int32)
    found = find_largest(weights, np.array(constant, np.int8), indices, 0, len(indices), -128)
    assert found == max((abs(k) for k in exponents + constant if k != -128), default=0)


def test_exponents_are_found_of_exact_powers_only():
    assert find_exponent(0.5, 2.0) == -1
    assert find_exponent(1.0, 3.0) == 0
    assert find_exponent(2.0**-1022, 4.0) == -511
    assert find_exponent(0.375, 2.0) is None
    assert find_exponent(0.1, 10.0) is None  # a tenth is no float


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, float("nan")]), max_size=20), st.booleans())
def test_inspection_finds_the_first_value_that_is_not_allowed(values, real):
    for least in (0.0, -1.0):
        allowed = [v in (least, 0, 1) or (real and least < v < 1) for v in values]
        bad = allowed.index(False) if False in allowed else len(values)
        expected = (bad, all(v == 1 for v in values))
        for inspected in (inspect, inspect.py_func):
            assert inspected(np.array(values), 0, len(values), least, real) == expected
