from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessers import GUESSERS, Always, Between, LastLabel
from littlestone.base.errors import BadParameter
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Bisection
from littlestone.game.play import play
from littlestone.learners import Halving


def test_halving_meets_the_gold_game_on_seven_points():
    game = play(Halving(Thresholds(6)), Bisection(Thresholds(6)), transcript=True)
    assert [(line.x, line.y) for line in game.transcript] == [(3, True), (1, True), (0, True)]
    assert game.mistakes == game.certificate().bound == 3


@given(st.integers(0, 400), st.lists(st.booleans(), min_size=9, max_size=9))
def test_some_threshold_agrees_whatever_is_guessed(n, guesses):
    other = Bisection(Thresholds(n))
    said = []
    for guess in guesses:
        x = other.ask()
        if x is None:
            break
        said.append((x, other.answer(guess)))
        assert said[-1][1] is not guess
    assert len(said) == (n + 2).bit_length() - 1
    assert all(other.target()(x) == y for x, y in said)
    assert 0 <= other.target().index <= n + 1


def test_only_thresholds_can_be_bisected():
    with pytest.raises(BadParameter, match=r"Thresholds\(n\), got Parities"):
        Bisection(Parities(3))
    with pytest.raises(BadParameter, match="rounds must be at least 0"):
        Bisection.reals(-1)
    with pytest.raises(BadParameter, match="dimensions must be at least 1"):
        Bisection.boxes(0, 3)


def test_reals_are_asked_at_exact_midpoints():
    game = play(Always(1), Bisection.reals(3), transcript=True)
    assert [line.x for line in game.transcript] == [Fraction(1, 2), Fraction(3, 4), Fraction(7, 8)]
    assert game.target.theta == Fraction(15, 16)
    assert str(game.target) == "x >= 15/16"


def test_more_midpoints_than_floats_have():
    game = play(Between(), Bisection.reals(300), transcript=True)
    assert len({line.x for line in game.transcript}) == game.mistakes == 300


def test_the_endless_game_closes_in_on_a_threshold_that_was_never_asked():
    for learner in (*GUESSERS, Between()):
        game = play(learner, Bisection.endless(), rounds=40, transcript=True)
        low, high = game.environment.low, game.environment.high
        assert high - low == Fraction(1, 3**40)
        assert all(not low <= line.x <= high for line in game.transcript)
        assert all((theta <= line.x) == line.y for line in game.transcript for theta in (low, high))


def test_plain_bisection_may_leave_nothing_in_the_limit_but_trisection_does():
    plain = play(Always(1), Bisection.reals(50), transcript=True).environment
    asked = play(Always(1), Bisection.reals(50), transcript=True).transcript
    assert plain.low in {line.x for line in asked}  # its closed interval ends at a point that was asked
    third = play(Always(1), Bisection.endless(), rounds=50, transcript=True)
    assert third.environment.low not in {line.x for line in third.transcript}


def test_every_interval_of_the_endless_game_lies_in_the_one_before():
    before = play(LastLabel(), Bisection.endless(), rounds=0).environment
    for rounds in range(1, 30):
        now = play(LastLabel(), Bisection.endless(), rounds=rounds).environment
        assert before.low <= now.low < now.high <= before.high
        before = now


def test_boxes_are_asked_on_the_first_axis():
    game = play(Always(0), Bisection.boxes(3, 2), transcript=True)
    assert [line.x for line in game.transcript] == [(Fraction(1, 2), 0, 0), (Fraction(1, 4), 0, 0)]
    box = game.target
    assert str(box) == "[1/8, 1] x [-1, 1] x [-1, 1]"
    assert box((Fraction(1, 8), 1, -1))
    assert not box((Fraction(1, 8), Fraction(5, 4), 0))
    assert not box((Fraction(9, 8), 0, 0))
    assert not box((0, 0, 0))


def test_a_prefix_is_a_threshold_with_its_labels_exchanged():
    game = play(Between(), Bisection.reals(20), transcript=True)
    theta = game.target.theta
    assert all((0 <= line.x <= theta) is (not line.y) for line in game.transcript)
