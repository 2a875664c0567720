"""Rounds in whole numbers: nothing is lost, and rows come as a player sees them."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.certificates.check.integer_rows import fraction_bits, look, pages, scaled

numbers = st.floats(-1e9, 1e9, allow_subnormal=False)


@given(st.lists(numbers, min_size=1, max_size=5))
def test_so_many_bits_and_no_fewer_make_all_values_whole(values):
    bits = fraction_bits(np.array(values))
    for value in values:
        assert Fraction(scaled(value, bits)) == Fraction(value) * 2**bits
    assert bits == 0 or any((Fraction(value) * 2 ** (bits - 1)).denominator > 1 for value in values)


def test_pages_put_the_constant_before_the_attributes():
    stream = ls.Recorded([[0, 2.5], [1, 0]], ["ham", "spam"])
    (page,) = pages(stream, Indexed(), Labels(), 2, 0.5, 2)
    assert [page.row(t, 1) for t in range(2)] == [([0, 2], [1, 5]), ([0, 1], [1, 2])]
    assert page.codes.tolist() == [0, 1]
    (bare,) = pages(stream, Indexed(), Labels(), 1, 0.0, 2)
    assert bare.row(0, 1) == ([2], [5])


def test_a_first_look_says_what_the_rounds_need():
    stream = ls.Recorded([[0, 2.5], [1, 0], [0.125, 0]], ["ham", "spam", "ham"])
    seen = look(stream, Indexed(), [], 3, 1.0, 2)
    assert (seen.rounds, seen.classes, seen.width, seen.bits, seen.surprise) == (3, 2, 3, 3, True)
    assert look(stream, Indexed(), [], 2, 1.0, 2).bits == 1
    assert not look(stream, Indexed(), ["ham", "spam"], 3, 1.0, 2).surprise
