"""Keys of names: one hash, whether bytes are read at once, in groups, or by Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from littlestone.base.features import hashing
from littlestone.base.features.hashing import hash_text
from littlestone.compiled import kernel, load_word, multiply_words, store_word


@kernel
def compiled_key(text, start, length):
    return hashing.hash_name(text, start, length)


@kernel
def grouped_key(text, length):
    hashed = hashing.start_hash()
    for at in range(0, length, 8):
        hashed = hashing.add_to_hash(hashed, hashing.load_tail(text, at, min(8, length - at)))
    return hashing.finish_hash(hashed, length)


@kernel
def numbered(number):
    return hashing.hash_number(number)


@kernel
def copied(text, out):
    store_word(out, np.uint64(1), load_word(text, np.uint64(0)))
    return multiply_words(load_word(text, np.uint64(0)), np.uint64(3))


@given(st.binary(max_size=40), st.binary(max_size=9), st.binary(max_size=9))
@example(b"", b"", b"")
@example(b"12345678", b"", b"")
@example(b"123456781234567", b"x", b"")
def test_a_key_depends_on_the_name_alone_however_it_is_read(name, before, after):
    text = np.frombuffer(before + name + after, np.uint8)
    plain = hash_text(name)
    assert int(compiled_key(text, len(before), len(name))) == plain
    assert int(compiled_key.py_func(text, len(before), len(name))) == plain
    assert int(grouped_key(np.frombuffer(name + b"?", np.uint8), len(name))) == plain


def test_strings_are_hashed_as_their_bytes_whatever_the_encoding():
    assert hash_text("größe") == hash_text("größe".encode())
    assert hash_text(b"gr\xf6\xdfe".decode("utf-8", "surrogateescape")) == hash_text(b"gr\xf6\xdfe")


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_short_names_of_one_length_never_share_a_key(one, other):
    assert (hash_text(one) == hash_text(other)) == (one == other) or len(one) != len(other)


def test_zeros_at_the_end_count():
    assert len({hash_text(b"\0" * n) for n in range(100)}) == 100


def test_a_number_has_the_key_of_its_bytes():
    for number in (0, 1, 2**31, 2**62):
        assert int(numbered(number)) == hash_text(number.to_bytes(8, "little"))


@pytest.mark.parametrize("shift", [0, 21, 42])
def test_keys_fill_slots_evenly_in_all_their_bits(shift):
    """Chi-squared over 2^10 slots, for names that differ little; a fair die passes but for one time in about 10^9."""
    names = [f"w{i}" for i in range(30_000)] + [f"the same beginning {i}" for i in range(30_000)]
    slots = np.array([hash_text(name) >> shift & 1023 for name in names])
    expected = len(names) / 1024
    statistic = ((np.bincount(slots, minlength=1024) - expected) ** 2 / expected).sum()
    assert 1023 - 6 * (2 * 1023) ** 0.5 < statistic < 1023 + 6 * (2 * 1023) ** 0.5


@pytest.mark.parametrize("length", [1, 5, 8, 9, 20])
def test_each_bit_of_a_name_moves_about_half_the_bits_of_its_key(length):
    rng = np.random.default_rng(length)
    moved = []
    for _ in range(30):
        name = rng.bytes(length)
        for bit in range(8 * length):
            other = (int.from_bytes(name, "little") ^ 1 << bit).to_bytes(length, "little")
            moved.append(hash_text(name) ^ hash_text(other))
    share = np.unpackbits(np.array(moved, np.uint64).view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
    assert share.min() > 0.35
    assert share.max() < 0.65


def test_words_of_eight_bytes_are_written_as_they_are_read_and_multiplied_without_overflow():
    text, one, other = np.arange(250, 258).astype(np.uint8), np.zeros(10, np.uint8), np.zeros(10, np.uint8)
    assert copied(text, one) == copied.py_func(text, other)
    assert one.tolist() == other.tolist() == [0, *text.tolist(), 0]
