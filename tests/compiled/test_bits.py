"""Words, bytes and sums are the same compiled as in plain Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from littlestone.compiled import (
    bits_to_float,
    count_bits,
    count_trailing_zeros,
    float_to_bits,
    kernel,
    load_word,
    mark_bytes,
    sort,
    store_word,
    sum_by_class,
)

WORDS = st.integers(0, 2**64 - 1) | st.builds(lambda k: 1 << k, st.integers(0, 63))


@kernel
def count(word):
    return count_bits(word), count_trailing_zeros(word)


@kernel
def turn_around(value):
    return bits_to_float(float_to_bits(value)), float_to_bits(value)


@kernel
def copy_word(data, at, out):
    store_word(out, at, load_word(data, at))
    return load_word(data, at)


@kernel
def mark_at(data, places, low, high, found):
    for k in range(places.size):
        found[k] = mark_bytes(data, np.uint64(places[k]), low, high)


@kernel
def add_up(weights, block, width, indices, values, a, b, out):
    sum_by_class(weights, block, width, indices, values, a, b, out)


@given(WORDS)
@example(0)
@example(2**64 - 1)
def test_the_bits_of_a_word_are_counted(word):
    expected = word.bit_count(), f"{word:b}"[::-1].index("1") if word else 64
    assert count(np.uint64(word)) == count.py_func(np.uint64(word)) == expected


@given(st.floats(allow_nan=False))
def test_a_float_has_the_bits_that_numpy_sees(value):
    expected = value, np.float64(value).view(np.int64)
    assert turn_around(value) == turn_around.py_func(value) == expected


def test_eight_bytes_are_one_word_wherever_they_start_and_are_written_as_they_are_read():
    data = np.arange(1, 20, dtype=np.uint8) * np.uint8(13)
    for at in range(11):
        word = int.from_bytes(data[at : at + 8].tobytes(), "little")
        for copy in (copy_word, copy_word.py_func):
            out = np.zeros(19, np.uint8)
            assert copy(data, np.uint64(at), out) == word
            assert out.tolist() == [0] * at + data[at : at + 8].tolist() + [0] * (11 - at)


@pytest.mark.parametrize(("low", "high"), [(48, 57), (10, 10), (44, 44), (255, 255), (0, 255), (0, 0)])
def test_bytes_of_a_range_are_marked_64_at_once(low, high):
    data = np.random.default_rng(0).integers(0, 256, 400).astype(np.uint8)
    data[:200] = np.random.default_rng(1).choice(np.frombuffer(b"0123456789/:. ,\n\xff\0", np.uint8), 200)
    places, found = np.arange(0, 336), np.zeros(336, np.uint64)
    mark_at(data, places, low, high, found)
    for at in places.tolist():
        bits = [low <= byte <= high for byte in data[at : at + 64].tolist()]
        assert int(found[at]) == sum(1 << k for k, bit in enumerate(bits) if bit) == mark_bytes(data, at, low, high)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=60))
def test_sorting_in_compiled_code_is_sorting(values):
    compiled, plain = np.array(values, np.int64), np.array(values, np.int64)
    sort(compiled)
    sort.py_func(plain)
    assert compiled.tolist() == plain.tolist() == sorted(values)


@pytest.mark.parametrize("width", [8, 16, 24, 32, 40, 72])
@pytest.mark.parametrize("dense", [False, True], ids=["listed", "dense"])
def test_sums_of_classes_are_the_same_compiled_as_in_plain_python(width, dense):
    rng = np.random.default_rng(width)
    for real, size in ((np.float32, 7), (np.float64, 4), (np.float32, 0)):
        weights = rng.standard_normal(12 * 80).astype(real)
        indices = None if dense else rng.integers(0, 12, 20).astype(np.int32)
        for values in (None, rng.standard_normal(20).astype(np.float32), rng.standard_normal(20)):
            given = weights, np.uint64(80), np.uint64(width), indices, values, np.uint64(5), np.uint64(5 + size)
            ours, plain = np.full(80, 9.0, real), np.full(80, 9.0, real)
            add_up(*given, ours)
            sum_by_class(*given, plain)
            assert ours.tobytes() == plain.tobytes()
            rows = range(size) if dense else indices[5 : 5 + size]
            factors = np.ones(20) if values is None else values
            exact = sum((weights[80 * i :][:width] * factors[5 + k] for k, i in enumerate(rows)), np.zeros(width))
            np.testing.assert_allclose(ours[:width], exact, rtol=1e-4, atol=1e-5)
            assert (ours[width:] == 9).all()
