"""Enclosures contain what they enclose, and exact votes are exact."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import NotCertified
from littlestone.certificates.check.experts_losses import read_loss
from littlestone.certificates.check.experts_votes import VoteRule, count_votes
from littlestone.certificates.check.intervals import Enclosing

numbers = st.fractions(-100, 100, max_denominator=1000)
REALS = Enclosing(12)


def holds(interval, value):
    return Fraction(interval.low) <= value <= Fraction(interval.high)


@given(numbers, numbers)
def test_sums_products_and_quotients_are_enclosed(a, b):
    one, other = REALS.of(a), REALS.of(b)
    assert holds(one, a)
    assert holds(one + other, a + b)
    assert holds(one - other, a - b)
    assert holds(one * other, a * b)
    if b > 0:
        assert holds(one / other, a / b)
    else:
        with pytest.raises(NotCertified, match="told from 0"):
            one / other


def test_more_digits_than_decimals_have_by_default_survive_a_change_of_sign():
    third = Enclosing(60).of(Fraction(1, 3))
    assert ((-third).low, (-third).high) == (third.high.copy_negate(), third.low.copy_negate())


@given(numbers, numbers, numbers)
def test_the_nearest_number_between_two_others_is_enclosed(a, low, more):
    high = low + abs(more)
    found = REALS.clamp(REALS.of(a), REALS.of(low), REALS.of(high))
    assert holds(found, min(max(a, low), high))
    assert found.low <= found.high


@given(st.fractions(0, 50, max_denominator=1000))
def test_exponentials_logarithms_and_roots_are_enclosed_more_closely_with_more_digits(a):
    fine = Enclosing(60)
    for what in ("exp", "root"):
        wide, close = getattr(REALS, what)(REALS.of(a)), getattr(fine, what)(fine.of(a))
        assert wide.low <= close.low <= close.high <= wide.high
    if a > 0:
        wide, close = REALS.ln(REALS.of(a)), fine.ln(fine.of(a))
        assert wide.low <= close.low <= close.high <= wide.high
        assert holds(REALS.exp(wide), a)
    nothing = REALS.ln(1)
    assert nothing.low == nothing.high == 0


def test_a_tie_that_rounding_would_break_is_a_tie():
    """One expert without a mark against three with one each, at penalty 1/3: no weight is ahead, so 0 is said."""
    rows = [[1, 0, 0, 0], [1, 0, 0, 0]]
    found = count_votes(VoteRule("majority", Fraction(1, 3)), rows, [1, 1], [Fraction(0)] * 2)
    assert found.guesses == [0, 0]
    ahead = count_votes(VoteRule("majority", Fraction(1, 4)), rows, [1, 1], [Fraction(0)] * 2)
    assert ahead.guesses == [0, 1]


@given(st.fractions(0, 1, max_denominator=64), st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 4)]))
def test_the_loss_of_a_guess_is_enclosed(guess, outcome):
    for text in (
        "Absolute(low=0.0, high=1.0)",
        "Square(low=0.0, high=1.0)",
        "Pinball(quantile=0.75, low=0.0, high=1.0)",
    ):
        cost = read_loss(text)
        assert holds(cost.enclose(REALS.of(guess), outcome), cost.price(guess, outcome))
        assert cost.price(guess, outcome) <= cost.top


@pytest.mark.parametrize(
    "text",
    ["Square", "Square(low=0)", "Brier(low=0.0, high=2.0)", "Square(low=1.0, high=0.0)", "f()", "1", None, "Square(",
     "Pinball(quantile=1.5, low=0.0, high=1.0)", "Square(low=0.0, high=1e999)", "Square(low=True, high=2)"],
)  # fmt: skip
def test_what_is_no_loss_is_refused(text):
    with pytest.raises(NotCertified):
        read_loss(text)
