"""Errors over rounds and calibration: the numbers that are drawn are those of the game."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.game.evaluation import Curve
from littlestone.plot.scenes import compose_calibration, compose_errors
from littlestone.plot.scenes.errors import compose_running_error
from littlestone.plot.scenes.scene import Line, Note, Points


def drawn(wrong, constant=None):
    curve = Curve()
    curve.extend(np.asarray(wrong))
    return {mark.name: mark for mark in compose_running_error(curve.points, constant).marks if isinstance(mark, Line)}


@pytest.mark.parametrize("rounds", [1000, 1003, 1024, 2050, 70_001])
def test_each_point_is_the_share_of_mistakes_of_all_rounds_or_of_the_latest(rounds):
    wrong = np.random.default_rng(rounds).random(rounds) < 0.3
    lines = drawn(wrong)
    for t, share in zip(lines["all rounds so far"].xs, lines["all rounds so far"].ys, strict=True):
        assert share == pytest.approx(100 * wrong[:t].mean())
    (latest,) = (name for name in lines if name.startswith("the latest"))
    window = int(latest.removeprefix("the latest ").replace(",", ""))
    assert 1000 <= window <= 1024
    assert lines[latest].xs[0] == window
    assert rounds - lines[latest].xs[-1] < 128
    for t, share in zip(lines[latest].xs, lines[latest].ys, strict=True):
        assert share == pytest.approx(100 * wrong[t - window : t].mean())


def test_fewer_rounds_than_a_window_have_no_latest_ones_and_none_have_no_picture():
    assert list(drawn([True, False] * 300, 0.5)) == ["", "all rounds so far", "a constant guess"]
    assert drawn([True], 0.5)["a constant guess"].ys == [50.0, 50.0]
    assert compose_running_error(Curve().points).words == "No round was played."


def test_errors_that_are_no_shares_are_shown_as_they_are():
    scene = compose_running_error(([1, 2, 3], [2.0, 3.0, 12.0]), 5.0, "absolute error", percent=False)
    assert (scene.y, scene.words) == ("absolute error", "4 over all 3 rounds; a constant guess 5.")
    assert scene.marks[1].ys == [2.0, 1.5, 4.0]


def test_a_game_is_drawn_with_the_constant_guess_that_would_have_erred_least():
    game = ls.play(ls.Perceptron(), ls.Recorded([[1.0], [2.0], [3.0], [4.0]] * 5, ["a", "b", "b", "b"] * 5))
    scene = compose_errors(game)
    assert scene.words == f"{100 * game.mistakes / 20:.2f}% over all 20 rounds; a constant guess 25.00%."
    assert compose_errors(game, round=4).marks[1].xs == [1, 2, 3, 4]


def test_calibration_shows_what_was_said_and_what_came():
    rng = np.random.default_rng(0)
    rows = rng.random((400, 2))
    game = ls.play(ls.AdaGrad(), ls.Recorded(rows, rng.random(400) < rows[:, 0]))
    bins, scene = game.metrics.calibration, compose_calibration(game)
    (points,) = (mark for mark in scene.marks if isinstance(mark, Points))
    assert list(points.xs) == [one.said for one in bins]
    assert list(points.ys) == [one.came.value for one in bins]
    assert [mark.text for mark in scene.marks if isinstance(mark, Note)] == [f"{one.rounds:,}" for one in bins]
    assert sum(one.rounds for one in bins) == 400
    with pytest.raises(BadParameter, match="gives no chances"):
        compose_calibration(ls.play(ls.Perceptron(), ls.Recorded(rows, rows[:, 0] > 0.5)))
