"""The coins: known values, purity, and the uniformity that the theorems about random guesses rest on."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.coins import _mix, draw_bits, pick
from littlestone.base.errors import BadParameter

GOLDEN = 0x9E3779B97F4A7C15

words = st.integers(0, 2**64 - 1)


def test_the_mixer_is_splitmix64():
    """The first outputs of the published generator from states 0 and 1234567."""
    stream = [_mix(k * GOLDEN % 2**64) for k in range(3)]
    assert stream == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    stream = [_mix((1234567 + k * GOLDEN) % 2**64) for k in range(3)]
    assert stream == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(), st.integers(0))
def test_a_coin_is_64_bits_and_depends_on_seed_and_round_alone(seed, round):
    assert draw_bits(seed, round) == draw_bits(seed, round)
    assert 0 <= draw_bits(seed, round) < 2**64
    assert draw_bits(seed, round) == draw_bits(seed + 2**64, round)


@given(words, words)
def test_different_rounds_and_different_seeds_have_different_coins(one, other):
    if one != other:
        assert draw_bits(0, one) != draw_bits(0, other)
        assert draw_bits(one, 0) != draw_bits(other, 0)


@pytest.mark.parametrize("by", ["rounds", "seeds"])
@pytest.mark.parametrize("among", [2, 3, 6, 10])
def test_picks_are_uniform_over_rounds_and_over_seeds(by, among):
    """Chi-squared over 6000 picks, against a bound that a fair die passes but for one time in about 10^9."""
    n = 6000
    counts = [0] * among
    for t in range(n):
        counts[pick(7, t, among) if by == "rounds" else pick(t, 7, among)] += 1
    chi = sum((count - n / among) ** 2 for count in counts) / (n / among)
    freedom = among - 1
    assert chi < freedom + 2 * math.sqrt(freedom * 21) + 2 * 21


def test_every_bit_of_a_coin_is_fair():
    n = 4000
    for bit in range(64):
        ones = sum(draw_bits(3, t) >> bit & 1 for t in range(n))
        assert abs(ones - n / 2) < 6 * math.sqrt(n) / 2


def test_neighbouring_rounds_are_uncorrelated():
    n = 4000
    agree = sum((draw_bits(0, t) ^ draw_bits(0, t + 1)) & 1 for t in range(n))
    assert abs(agree - n / 2) < 6 * math.sqrt(n) / 2


@given(st.integers(), st.integers(0, 10**6), st.integers(1, 2**70))
def test_a_pick_is_in_range_and_pure(seed, round, among):
    assert 0 <= pick(seed, round, among) < among
    assert pick(seed, round, among) == pick(seed, round, among)
    assert pick(seed, round, 1) == 0


@pytest.mark.parametrize("among", [0, -1])
def test_nothing_to_pick_from_is_refused(among):
    with pytest.raises(BadParameter, match=f"at least 1, got {among}"):
        pick(0, 0, among)
