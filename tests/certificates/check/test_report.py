"""Reports show numbers that people can read, and never a bound smaller than it is."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.report import Report, require_words


@pytest.mark.parametrize(
    ("value", "counted", "bound"),
    [
        (17, "17", "17"),
        (Fraction(3, 2), "3/2", "3/2"),
        (Fraction(481, 280), "481/280", "481/280"),
        (2.5, "5/2", "5/2"),
        (Fraction(10**30, 3 * 10**29 + 1), "3.33333", "3.33334"),
        (Fraction(10**80 + 1, 10**80), "1.00000", "1.00001"),
        (Fraction(2 * 10**40, 3 * 10**33), "20000000/3", "20000000/3"),
        (Fraction(1, 10**9), "1E-9", "1E-9"),
        (Fraction(123333455 * 1001 + 300, 1001), "123333455", "123333456"),
    ],
)
def test_whole_numbers_and_short_fractions_are_shown_as_they_are_others_rounded(value, counted, bound):
    told = str(Report("T", "mistakes", value, value, 9, True))
    assert told.startswith(f"{counted} mistakes <= {bound} verified")


@given(st.fractions(min_value=0, max_value=10**9), st.fractions(min_value=0, max_value=10**9))
def test_what_is_shown_of_a_bound_is_no_less_than_it_and_no_less_than_the_count(one, other):
    counted, bound = sorted((one, other))
    told = str(Report("T", "mistakes", counted, bound, 9, False))
    shown = [Fraction(word) for word in told.split(" verified", maxsplit=1)[0].split(" mistakes <= ")]
    assert shown[1] >= bound
    assert shown[0] <= shown[1]
    assert len(told) < 100


def test_a_game_of_adahedge_is_reported_in_one_line():
    panel = ls.Panel([[0.1 * (t % 7), 0.9, 0.3] for t in range(30)], [t % 2 for t in range(30)])
    told = str(ls.verify(ls.certify(ls.AdaHedge(), panel), panel))
    assert len(told) < 140
    assert "/" not in told


@pytest.mark.parametrize(
    "record", [{"a": 1}, {"a": 1, "b": 2, "d": 3}, {"a": 1, "b": 2, "c": 3, "d": 4}, ["a", "b"], None]
)
def test_a_record_has_the_words_that_are_checked_and_no_others(record):
    require_words({"a": 1, "b": 2}, ("a", "b"), ["c"])
    require_words({"a": 1, "b": 2, "c": 3}, ("a", "b"), ["c"])
    with pytest.raises(NotCertified, match="a record has the words"):
        require_words(record, ("a", "b"), ["c"])
