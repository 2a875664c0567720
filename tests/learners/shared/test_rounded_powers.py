"""Powers of a factor: each is the float nearest to it, as fractions have it."""

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.learners.shared.rounded_powers import LongPowers, list_powers


def rounded(number):
    try:
        return float(number)
    except OverflowError:
        return inf


FACTORS = [1.001, 1.1, 1.25, 1.5, sqrt(3.0), 2.0, 3.0, 5.0, 17.3, 1e6, 2.0**64]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("inverse", [False, True])
def test_every_power_is_the_nearest_float(factor, inverse):
    exact = 1 / Fraction(factor) if inverse else Fraction(factor)
    powers, power = list_powers(factor, 700, inverse), Fraction(1)
    for k in range(700):
        assert powers[k] == rounded(power), k
        power *= exact


@given(st.floats(1 + 2.0**-20, 2.0**64), st.integers(0, 300), st.booleans())
def test_powers_of_any_factor_are_nearest(factor, k, inverse):
    exact = Fraction(factor) ** (-k if inverse else k)
    assert list_powers(factor, k + 1, inverse)[k] == rounded(exact)


@pytest.mark.parametrize("factor", [1.1, 1.5, 2.0, 3.0])
def test_powers_with_fewer_bits_and_their_end_are_nearest(factor):
    powers = list_powers(factor, 9000, inverse=True)
    small = np.flatnonzero((powers > 0) & (powers < 2.0**-1022))
    assert len(small)
    for k in (*small[:3].tolist(), *small[-12:].tolist(), int(small[-1]) + 1):
        assert powers[k] == rounded(1 / Fraction(factor) ** k), k
    assert not powers[small[-1] + 1 :].any()


def test_powers_in_the_middle_between_two_floats_go_to_the_even_one():
    assert Fraction(3**34) - Fraction(float(3**34)) == 1 == (Fraction(np.spacing(float(3**34))) / 2)
    assert list_powers(3.0, 35)[34] == float(3**34)
    assert list_powers(2.0, 1076, inverse=True)[1074:].tolist() == [2.0**-1074, 0.0]


def test_a_product_is_good_to_a_hundred_bits():
    one, other = Fraction(1.1) / 3, Fraction(1.7) / 7
    high, low, exponent = LongPowers.of(one).multiply(LongPowers.of(other))
    found = (Fraction(high[0]) + Fraction(low[0])) * Fraction(2) ** int(exponent[0])
    assert 0.5 <= high[0] < 1
    assert abs(found / (one * other) - 1) < Fraction(1, 2**103)
