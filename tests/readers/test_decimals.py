"""Decimal text becomes the float that exact arithmetic gives, and nothing else becomes a number."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.readers.decimals import read_float, round_exactly, solve_exactly
from reference import nearest_float32

LARGEST = "3.4028234663852885981170418348451692544e38"
MIDDLE = "3.40282356779733661637539395458142568448e38"  # between the largest float32 and 2^128


def data(text, after=" "):
    return np.frombuffer((text + after).encode() + bytes(64), np.uint8)


def parsed(text, real, function=read_float):
    """The number as a reader gets it: the compiled way, or where that is in doubt the exact way."""
    held = data(":" + text)
    value, sure, end = function(held, np.uint64(1), real is np.float64)
    assert end == 1 + len(text)
    value = value if sure else float(solve_exactly(held, np.array([1]), real)[0])
    return real(value)  # which warns, and so fails, if a number beyond the range was not said to be infinite


digits = st.text("0123456789", min_size=1, max_size=30)
signs = st.sampled_from(["", "+", "-"])
mantissas = st.one_of(
    digits, st.tuples(digits, digits).map(".".join), digits.map(".{}".format), digits.map("{}.".format)
)
exponents = st.one_of(st.just(""), st.tuples(st.sampled_from("eE"), signs, st.integers(0, 60).map(str)).map("".join))
decimals = st.tuples(signs, mantissas, exponents).map("".join)


@given(decimals)
def test_a_decimal_number_becomes_the_nearest_float32(text):
    expected = nearest_float32(text)
    assert parsed(text, np.float32) == expected
    assert round_exactly(text, np.float32) == expected


@given(decimals)
def test_a_decimal_number_becomes_the_nearest_float64(text):
    assert parsed(text, np.float64) == float(text)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.sampled_from([-1, 0, 1]))
def test_the_middle_between_two_floats_goes_to_the_even_one_and_its_neighbours_to_theirs(value, side):
    """Written in full, where rounding to float64 first would round wrongly."""
    high = float(np.nextafter(np.float32(value), np.float32(np.inf)))
    middle = Decimal((value + high) / 2 if math.isfinite(high) else value)
    with localcontext(prec=400):
        text = format(middle + side * Decimal("1e-180"), "f")
    assert parsed(text, np.float32) == nearest_float32(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_is_read_back_to_the_bit(value):
    assert math.copysign(1, value) == math.copysign(1, parsed(repr(value), np.float64))
    assert parsed(repr(value), np.float64) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_written_with_nine_digits_is_read_back_to_the_bit(value):
    assert parsed(f"{value:.9g}", np.float32) == np.float32(value)


@given(decimals, st.sampled_from([np.float32, np.float64]))
def test_the_compiled_way_and_plain_python_agree(text, real):
    held = data(text)
    assert read_float(held, np.uint64(0), real is np.float64) == read_float.py_func(
        held, np.uint64(0), real is np.float64
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16777217", 16777216),
        ("16777217.0000000000000000000000000000001", 16777218),
        ("16777219", 16777220),
        (LARGEST, 3.4028234663852886e38),
        (MIDDLE, math.inf),
        (MIDDLE.replace("48e38", "47e38"), 3.4028234663852886e38),
        ("-" + MIDDLE, -math.inf),
        ("4e38", math.inf),
        ("1e39", math.inf),
        ("1e999", math.inf),
        ("1e99999999999999999999", math.inf),
        ("1e-99999999999999999999", 0),
        ("1e-45", 1.401298464324817e-45),
        ("7.006492321624085e-46", 0),  # half the smallest, rounded down to it when written with 16 digits
        ("7.0064923216240854e-46", 1.401298464324817e-45),
        ("0" * 400 + "1" + "0" * 30 + "e-30", 1),
        ("0." + "0" * 400 + "25e400", 0.25),
        ("1" * 5000 + "e-4999", 1.1111111640930176),
    ],
)
def test_gold_cases_of_rounding_to_float32(text, expected):
    assert parsed(text, np.float32) == np.float32(expected)


@pytest.mark.parametrize("text", ["", "-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "x", "--1", "+-1", ":"])
def test_what_is_no_number_ends_where_it_began(text):
    assert read_float(data(text), np.uint64(0), True)[2] == 0


@pytest.mark.parametrize(("text", "end"), [("1e", 1), ("1e+", 1), ("1.5.2", 3), ("0x10", 1), ("1_000", 1), ("5f", 1)])
def test_a_number_ends_where_its_grammar_does(text, end):
    assert read_float(data(text), np.uint64(0), False)[2] == end
