"""Planes and ellipses against plain computations of the same games."""

import math

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.plot import scenes
from littlestone.plot.scenes.ellipsoids import find_chord
from littlestone.plot.scenes.plane import find_crossing

X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 9
Y = [False, False, False, True] * 9


def perceptron(rows, labels):
    """Weights and constant after every round of the perceptron, plain."""
    w, after = np.zeros(3), []
    for x, y in zip(rows, labels, strict=True):
        z = np.array([*x, 1.0]) * (1 if y else -1)
        w = w + z * (w @ z <= 0)
        after.append(w.copy())
    return after


def named(scene):
    return {mark.name: mark for mark in scene.marks if getattr(mark, "name", "")}


@pytest.mark.parametrize("round", [1, 4, 9, 20, 36])
def test_the_line_is_where_the_twins_score_is_zero(round):
    game, after = ls.play(ls.Perceptron(), ls.Recorded(X, Y)), perceptron(X, Y)
    scene = scenes.compose_plane(game, round)
    w, before = after[round - 1], after[round - 2] if round > 1 else np.zeros(3)
    marks = named(scene)
    for name, line in (("score 0", w), ("score 0 before the round", before)):
        if name in marks:
            for x, y in zip(marks[name].xs, marks[name].ys, strict=True):
                assert np.dot(line, [x, y, 1.0]) == pytest.approx(0, abs=1e-9)
    assert ("score 0 before the round" in marks) <= (not np.array_equal(w, before))
    ring = marks[f"round {round}"]
    assert [ring.xs[0], ring.ys[0]] == X[round - 1]
    moved = [t for t in range(round) if not np.array_equal(after[t], after[t - 1] if t else np.zeros(3))]
    assert [row[0] - 1 for row in scene.rows] == moved
    assert [list(row[4:]) for row in scene.rows] == [after[t].tolist() for t in moved]


def test_the_line_before_a_round_that_moved_it_is_shown_beside_the_new_one():
    game = ls.play(ls.Perceptron(), ls.Recorded(X, Y))
    for round, (first, second, constant) in ((5, (1, 1, 0)), (6, (1, 1, -1))):  # by hand, from the first AND weights
        old = named(scenes.compose_plane(game, round))["score 0 before the round"]
        for x, y in zip(old.xs, old.ys, strict=True):
            assert first * x + second * y + constant == pytest.approx(0)


def test_examples_are_told_apart_by_label_and_the_arrow_points_to_the_positive_side():
    scene = scenes.compose_plane(ls.play(ls.Perceptron(), ls.Recorded(X, Y)))
    marks = named(scene)
    assert {*zip(marks["True"].xs, marks["True"].ys, strict=True)} == {(1, 1)}
    assert {*zip(marks["False"].xs, marks["False"].ys, strict=True)} == {(0, 0), (0, 1), (1, 0)}
    assert marks["True"].shape != marks["False"].shape
    arrow = marks["where the weights point"]
    foot, tip = np.array([arrow.xs[0], arrow.ys[0]]), np.array([arrow.xs[1], arrow.ys[1]])
    step = tip - foot
    assert step[0] / step[1] == pytest.approx(3 / 2)  # the doctest's weights are 3, 2 and -4
    assert np.dot([3, 2], foot) == pytest.approx(4)
    assert np.dot([3, 2], tip) > 4


def test_a_line_is_cut_at_the_edges_of_the_page():
    box = (0.0, 1.0, 0.0, 1.0)
    assert find_crossing(np.array([1.0, 0.0, -0.5]), box) == ([0.5, 0.5], [0.0, 1.0])
    assert find_crossing(np.array([1.0, 1.0, -1.0]), box) == ([0.0, 1.0], [1.0, 0.0])
    assert find_crossing(np.array([1.0, 0.0, -2.0]), box) is None
    assert find_crossing(np.zeros(3), box) is None


def test_before_the_first_round_there_is_no_line():
    scene = scenes.compose_plane(ls.play(ls.Perceptron(), ls.Recorded(X, Y)), 0)
    assert "score 0" not in named(scene)
    assert scene.words == "Nothing has been learned yet."


def test_three_attributes_are_no_plane():
    with pytest.raises(BadParameter, match="two attributes"):
        scenes.compose_plane(ls.play(ls.Perceptron(), ls.Recorded(np.eye(3), [True, False, True])))


def test_the_ellipse_after_one_cut_is_the_one_of_the_textbook():
    scene = scenes.compose_ellipsoids(ls.play(ls.Ellipsoid(), ls.Recorded([[1.0, 0.0]], [True])))
    marks = named(scene)
    centre = marks["its centre: the weights"]
    assert (centre.xs[0], centre.ys[0]) == pytest.approx((1 / 3, 0))
    edge = marks["after round 1"]
    spread = [(x - 1 / 3) ** 2 * 9 / 4 + y**2 * 3 / 4 for x, y in zip(edge.xs, edge.ys, strict=True)]
    assert edge.closed
    assert spread == pytest.approx([1.0] * len(spread))
    cut = marks["the cut"]
    assert (sorted(cut.xs), sorted(cut.ys)) == (pytest.approx([0, 0]), pytest.approx([-1, 1]))
    assert [row[3] for row in scene.rows] == pytest.approx([math.pi, math.pi * math.sqrt(16 / 27)])


def cuts(rows, labels, deep):
    """Centre and shape after every update of the ellipsoid in two dimensions, plain; and whether the cut was deep."""
    w, A, after = np.zeros(2), np.eye(2), [(np.zeros(2), np.eye(2))]
    for x, y in zip(np.asarray(rows, float), labels, strict=True):
        z = x * (1 if y else -1)
        if w @ z <= 0:
            a = -(w @ z) / math.sqrt(z @ A @ z) if deep else 0.0
            g = A @ z / math.sqrt(z @ A @ z)
            w = w + (1 + 2 * a) / 3 * g
            A = 4 / 3 * (1 - a * a) * (A - 2 * (1 + 2 * a) / (3 * (1 + a)) * np.outer(g, g))
            after.append((w, A))
    return after


@pytest.mark.parametrize("kind", ["central", "deep"])
def test_ellipses_and_cuts_are_those_of_a_plain_computation(kind):
    rng = np.random.default_rng(1)
    rows = rng.uniform(-1, 1, (40, 2))
    labels = rows @ [0.6, -0.8] > 0
    game = ls.play(ls.Ellipsoid(cuts=kind), ls.Recorded(rows, labels))
    scene, after = scenes.compose_ellipsoids(game), cuts(rows, labels, kind == "deep")
    assert len(after) >= 4
    assert np.array([row[1:3] for row in scene.rows]) == pytest.approx(np.array([w for w, _ in after]))
    assert [row[3] for row in scene.rows] == pytest.approx([math.pi * math.sqrt(np.linalg.det(A)) for _, A in after])
    (w, A), cut = after[-2], named(scene)["the cut"]
    x = rows[scene.rows[-1][0] - 1]
    for v in zip(cut.xs, cut.ys, strict=True):
        assert (v - w) @ np.linalg.solve(A, v - w) == pytest.approx(1)  # on the ellipse before
        assert np.dot(v, x) == pytest.approx(0 if kind == "deep" else w @ x, abs=1e-9)


def test_a_line_that_misses_the_ellipse_has_no_ends():
    assert find_chord(np.zeros(2), np.eye(2), np.array([1.0, 0.0]), 1.5) is None
    assert find_chord(np.zeros(2), np.eye(2), np.array([1.0, 0.0]), 0.6) == ([0.6, 0.6], pytest.approx([-0.8, 0.8]))


def test_a_constant_attribute_is_a_dimension_of_the_ellipse():
    rows = [[0.2], [0.9], [0.4], [0.6]] * 3
    game = ls.play(ls.Ellipsoid(bias=1.0), ls.Recorded(rows, [x[0] > 0.5 for x in rows]))
    plain = cuts([[1.0, x[0]] for x in rows], [x[0] > 0.5 for x in rows], False)
    scene = scenes.compose_ellipsoids(game)
    assert scene.x == "constant"
    assert scene.rows[-1][1:3] == pytest.approx(tuple(plain[-1][0]))


def test_other_games_have_no_ellipse():
    with pytest.raises(BadParameter, match="Ellipsoid"):
        scenes.compose_ellipsoids(ls.play(ls.Perceptron(), ls.Recorded(X, Y)))
    with pytest.raises(BadParameter, match="two attributes"):
        scenes.compose_ellipsoids(ls.play(ls.Ellipsoid(), ls.Recorded(np.eye(3), [True, False, True])))


def test_a_learner_without_weights_has_no_plane_and_says_so():
    game = ls.play(ls.VotedPerceptron(), ls.Recorded([[1.0, 0.0], [0.0, 1.0]] * 2, [True, False] * 2))
    with pytest.raises(NotImplementedError, match="VotedPerceptron keeps no weight for each attribute"):
        scenes.compose_plane(game)


def test_the_band_and_the_moved_examples_are_those_of_the_score():
    game = ls.play(ls.Perceptron(), ls.Recorded(X, Y))  # ends with 3 x1 + 2 x2 - 4
    marks = scenes.compose_plane(game, margin=1.5).marks
    band = [mark for mark in marks if getattr(mark, "name", "") in ("score 1.5", "score -1.5")]
    assert len(band) == 2
    for mark in band:
        want = 1.5 if mark.name == "score 1.5" else -1.5
        assert [3 * x + 2 * y - 4 for x, y in zip(mark.xs, mark.ys, strict=True)] == pytest.approx([want, want])
    (moved,) = [mark for mark in marks if getattr(mark, "name", "") == "moved to it"]
    assert {(round(x, 9), round(y, 9)) for x, y in zip(moved.xs, moved.ys, strict=True)} == {
        (round(1 + 1.5 / 13, 9), round(1 + 1 / 13, 9)),
        (round(1 - 1.5 / 13, 9), round(-1 / 13, 9)),
    }  # AND itself has score 1, (1, 0) has -1; (0, 1) has -2, which is enough
    with pytest.raises(BadParameter, match="margin must be above 0"):
        scenes.compose_plane(game, margin=0.0)


def test_the_steps_are_the_examples_added_up():
    game = ls.play(ls.Perceptron(bias=0), ls.Recorded([[1, 2], [2, -1], [-1, 1]], [True, False, False]))
    scene = scenes.compose_steps(game)
    assert [row[-2:] for row in scene.rows] == [(1.0, 2.0), (-1.0, 3.0), (0.0, 2.0)]  # by hand
    for mark in scene.marks:
        if getattr(mark, "name", "").startswith("w.x = 0 for (2, -1)"):
            assert all(2 * x - y == pytest.approx(0) for x, y in zip(mark.xs, mark.ys, strict=True))
    with pytest.raises(BadParameter, match="bias=0"):
        scenes.compose_steps(ls.play(ls.Perceptron(), ls.Recorded(X, Y)))


def test_votes_become_a_step_a_diagonal_and_a_steeper_line():
    learners = [ls.WeightedMajority(), ls.RandomizedWeightedMajority(), ls.ImprovedMajority()]
    step, diagonal, steep = scenes.compose_votes(learners).marks
    assert step.ys == [float(share > 0.5) for share in step.xs]
    assert diagonal.ys == pytest.approx(diagonal.xs)
    half = ls.ImprovedMajority().half_width
    assert steep.ys == pytest.approx([min(max(0.5 + (share - 0.5) / (2 * half), 0), 1) for share in steep.xs])
