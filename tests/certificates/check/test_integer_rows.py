"""Rounds in whole numbers: nothing is lost, and rows come as a player sees them."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.features import Indexed
from littlestone.certificates.check.integer_rows import ColumnStream, count_fraction_bits, is_surprise, scale_up

numbers = st.floats(-1e9, 1e9, allow_subnormal=False)


@given(st.lists(numbers, min_size=1, max_size=5))
def test_so_many_bits_and_no_fewer_make_all_values_whole(values):
    bits = count_fraction_bits(np.array(values))
    for value in values:
        assert Fraction(scale_up(value, bits)) == Fraction(value) * 2**bits
    assert bits == 0 or any((Fraction(value) * 2 ** (bits - 1)).denominator > 1 for value in values)


def test_chunks_put_the_constant_before_the_attributes():
    stream = ls.Recorded([[0, 2.5], [1, 0]], ["ham", "spam"])
    (chunk,) = ColumnStream(stream, Indexed(), [], 2, 0.5, 2).read()
    assert [chunk.row(t, 1) for t in range(2)] == [([0, 2], [1, 5]), ([0, 1], [1, 2])]
    assert chunk.codes.tolist() == [0, 1]
    (bare,) = ColumnStream(stream, None, [], 1, 0.0, 2).read()
    assert bare.row(0, 1) == ([2], [5])


def test_a_first_look_says_what_the_rounds_need():
    stream = ls.Recorded([[0, 2.5], [1, 0], [0.125, 0]], ["ham", "spam", "ham"])
    seen = ColumnStream(stream, Indexed(), [], 3, 1.0, 2).survey()
    assert (seen.rounds, seen.classes, seen.width, seen.bits) == (3, 2, 3, 3)
    assert ColumnStream(stream, Indexed(), [], 2, 1.0, 2).survey().bits == 1
    assert is_surprise(stream, {"name": "Perceptron"})  # as certificates once counted
    assert not is_surprise(stream, {"name": "Perceptron", "classes": []})
    assert not is_surprise(ls.Recorded([[1.0]], [False]), {"name": "Perceptron"})
