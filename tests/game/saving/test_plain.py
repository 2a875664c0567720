"""Values survive as text with their types, whatever they are, and nothing else does."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadModel
from littlestone.game.saving.plain import decode, parse_json, read, write_text

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=[])),
    st.binary(),
    st.fractions(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


def same(one, other):
    """Equal, and of equal types all the way down; 0.0 and -0.0 differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return repr(one) == repr(other)


@given(VALUES)
def test_every_value_comes_back_with_its_type(value):
    assert same(read(write_text(value)), value)


@given(st.dictionaries(st.text() | st.integers() | st.tuples(st.booleans()), LEAVES, min_size=2))
def test_the_order_of_a_dict_does_not_matter(value):
    assert write_text(dict(reversed(value.items()))) == write_text(value)


def test_long_numbers_need_no_decimal_digits():
    assert read(write_text(7**20000)) == 7**20000


def test_numbers_of_numpy_become_pythons_own():
    assert same(read(write_text((np.int64(3), np.float32(0.5), np.bool_(True), np.str_("a")))), (3, 0.5, True, "a"))


@pytest.mark.parametrize(
    "value",
    [datetime.date(2020, 1, 2), {1, 2}, len, object(), 1j, ("a", [len])],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_place_in_a_file_is_named(value):
    with pytest.raises(BadModel, match=r"a model file holds strings, .* is a (date|set|builtin|object|complex)"):
        write_text(value)


@pytest.mark.parametrize(
    "document",
    [{"lambda": "x"}, {}, {"int": 3}, {"int": "0xg"}, {"fraction": ["1", "0"]}, {"tuple": 3}, {"dict": [[1]]},
     {"float": "1e5"}, {"dict": [[[1], 2]]}, {"int": "1", "float": "inf"}, {"bytes": "f"}],
    ids=str,
)  # fmt: skip
def test_what_no_value_is_written_like_is_refused(document):
    with pytest.raises(BadModel, match="holds a value that cannot be read"):
        decode(document)


@pytest.mark.parametrize("words", ["", "{", "NaN", "[1,]", "[" * 100_000, b"\xff\xfe\xff", "1" * 5000])
def test_what_is_not_json_is_refused(words):
    with pytest.raises(BadModel, match="not JSON"):
        parse_json(words)
