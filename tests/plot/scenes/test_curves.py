"""Curves over rounds and over attributes: mistakes, regret, weights, potentials, the crossing."""

from fractions import Fraction
from math import atanh, cosh, log

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.game.ledger import ledger
from littlestone.plot import scenes
from littlestone.plot.scenes.mistakes import choose_rows

X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 9
Y = [False, False, False, True] * 9


def named(scene):
    return {mark.name: mark for mark in scene.marks if getattr(mark, "name", "")}


def test_mistakes_are_those_of_the_game_round_by_round_and_the_bound_is_level():
    concepts = ls.Thresholds(14)
    game = ls.play(ls.Halving(concepts), ls.Bisection(concepts), transcript=True)
    scene = scenes.compose_mistakes(game, names=["halving"])
    marks = named(scene)
    assert (list(marks["halving"].xs), list(marks["halving"].ys)) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert (list(marks["halving: allowed"].xs), list(marks["halving: allowed"].ys)) == ([0, 4], [4, 4])
    assert marks["halving"].dash != marks["halving: allowed"].dash
    assert list(scenes.compose_mistakes(game, round=2).marks[0].xs) == [0, 1, 2]
    assert scenes.compose_mistakes(game, round=2).words.startswith("2 mistakes in 2 rounds")


def test_games_side_by_side_have_lines_of_different_kinds_and_no_bound_that_is_not_known():
    stream = ls.Recorded(X, Y)
    games = [ls.play(ls.Perceptron(), stream), ls.play(ls.Winnow(threshold=2), stream)]
    scene = scenes.compose_mistakes(games, names=["a", "b"])
    assert [mark.name for mark in scene.marks] == ["a", "b"]
    assert len({mark.dash for mark in scene.marks}) == 2
    assert [mark.ys[-1] for mark in scene.marks] == [game.mistakes for game in games]
    assert min(game.mistakes for game in games) == int(scene.words.split()[0])
    assert [mark.name for mark in scenes.compose_mistakes(games, [20, None], ["a", "b"]).marks] == [
        "a",
        "b",
        "a: allowed",
    ]


def test_a_table_shows_about_a_dozen_rows_and_always_the_last():
    assert choose_rows(0) == []
    assert choose_rows(5) == [0, 1, 2, 3, 4]
    assert choose_rows(25) == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 24]


BOOKS = ledger(
    ls.WeightedMajority(), [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1], names=["ann", "bob", "eve"]
)  # eve is always right; the majority errs in the second round


def test_regret_and_weights_are_those_counted_by_hand():
    marks = named(scenes.compose_regret(BOOKS))
    assert list(marks["regret against the best expert"].ys) == [0, 1, 1]
    allowed = [log(3) / log(4 / 3)] * 3  # the best expert never errs
    assert list(marks["allowed against the best expert"].ys) == pytest.approx([int(bound) for bound in allowed])
    shares = named(scenes.compose_weights(BOOKS))
    assert list(shares["eve"].ys) == pytest.approx([1 / 3, 2 / 5, 4 / 7])
    assert list(shares["ann"].ys) == pytest.approx([1 / 3, 2 / 5, 2 / 7])
    assert list(shares["bob"].ys) == pytest.approx([1 / 3, 1 / 5, 1 / 7])
    assert len({mark.dash for mark in shares.values()}) == 3
    assert (
        scenes.compose_regret(BOOKS, 2).words == "WeightedMajority over 3 experts: regret 1 after 2 rounds, 3 allowed."
    )
    with pytest.raises(BadParameter, match=r"\[0, 3\], got 4"):
        scenes.compose_weights(BOOKS, 4)


def test_the_best_sequence_is_never_regretted_less_than_the_best_expert():
    rng = np.random.default_rng(0)
    game = ls.play(ls.Hedge(loss=ls.Square()), ls.Panel(rng.random((60, 4)), rng.random(60)))
    marks = named(scenes.compose_regret(game, switches=5))
    sequence = marks["regret against the best sequence with 5 switches"].ys
    assert sequence[-1] == pytest.approx(game.ledger.loss[-1] - game.ledger.tracking(5)[0])
    assert sequence[-1] >= marks["regret against the best expert"].ys[-1]
    top = scenes.compose_weights(game, top=2)
    assert len(top.marks) == 2
    assert "2 more are not drawn" in top.words


def test_potentials_keep_between_floor_and_ceiling_and_meet_at_the_bound():
    game = ls.play(ls.Perceptron(), ls.Recorded(X, Y))
    scene = scenes.compose_potentials(game)
    witness = game.certificate("Novikoff").witness
    u = {
        a: Fraction(n) * Fraction(2) ** witness["exponent"]
        for a, n in zip(witness["attributes"], witness["numerators"], strict=True)
    }
    w, k, rows = {-1: 0, 0: 0, 1: 0}, 0, iter(scene.rows)
    plain = []
    for t, (x, y) in enumerate(zip(X, Y, strict=True), 1):
        z = {-1: 1, 0: x[0], 1: x[1]}
        sign = 1 if y else -1
        if sign * sum(w[a] * z[a] for a in w) <= 0:
            w, k = {a: w[a] + sign * z[a] for a in w}, k + 1
            plain.append(
                (k, t, sum(u[a] * w[a] for a in w), k * witness["margin"], sum(v * v for v in w.values()), 3 * k)
            )
    assert len(plain) == game.updates == 18
    shown = {row[0]: row for row in rows}
    for row in plain:
        along, floor, length, ceiling = map(float, row[2:])
        assert floor <= along + 1e-9
        assert along**2 / float(sum(v * v for v in u.values())) <= length + 1e-9
        assert length <= ceiling
        if row[0] in shown:
            assert shown[row[0]] == pytest.approx((*row[:2], along, floor, length, ceiling))
    marks = named(scene)
    assert list(marks["|w|²"].ys) == [0, *(float(row[4]) for row in plain)]
    (meet,) = [mark for name, mark in marks.items() if name.startswith("they meet")]
    assert int(meet.xs[0]) == game.certificate("Novikoff").bound == 51
    assert len(named(scenes.compose_potentials(game, 4))["|w|²"].xs) == 1 + sum(row[1] <= 4 for row in plain)


def test_rounds_that_cannot_be_separated_have_no_such_proof():
    game = ls.play(ls.Perceptron(), ls.Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [False, True, True, False] * 5))
    with pytest.raises(NotCertified):
        scenes.compose_potentials(game)
    with pytest.raises(BadParameter, match="Perceptron"):
        scenes.compose_potentials(ls.play(ls.Winnow(threshold=2), ls.Recorded(X, Y)))


def test_the_crossing_is_where_the_formulas_cross():
    marks = named(scenes.compose_crossing(relevant=5))
    line = marks["Perceptron: allowed"]
    assert [y / x for x, y in zip(line.xs, line.ys, strict=True)] == pytest.approx([5.0] * len(line.xs), rel=0.05)
    gain = 0.2 * atanh(0.2) - log(cosh(atanh(0.2)))  # of a margin of a fifth, at the best step
    winnow = marks["BalancedWinnow: allowed"]
    assert list(winnow.ys) == pytest.approx([log(2 * n) / gain for n in winnow.xs], abs=1)
    by_hand = next(n for n in range(5, 200) if int(log(2 * n) / gain) < 5 * n - 1)
    assert marks["they cross at 45"].xs == [by_hand]


def test_games_that_were_played_are_points():
    rng = np.random.default_rng(0)
    rows = rng.choice([-1.0, 1.0], (50, 20))
    stream = ls.Recorded(rows, rows[:, :5].sum(axis=1) > 0)
    games = [ls.play(ls.Perceptron(bias=0), stream), ls.play(ls.BalancedWinnow(margin=0.2, bias=0), stream)]
    marks = named(scenes.compose_crossing(games))
    assert (marks["Perceptron: made"].xs, marks["Perceptron: made"].ys) == ([20], [games[0].updates])
    assert marks["BalancedWinnow: made"].ys == [games[1].updates]
    with pytest.raises(BadParameter, match="Winnow"):
        scenes.compose_crossing(ls.play(ls.Winnow(threshold=2), ls.Recorded(X, Y)))


def test_a_bound_is_drawn_of_what_was_played_and_not_of_what_was_served():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    stream = ls.Recorded(X, X[:, 0] + rng.normal(size=300) > 0)
    game = ls.play(ls.AveragedPerceptron(), stream)
    scene = scenes.compose_mistakes(game, [111], ["averaged"])
    served, played, allowed = scene.marks
    assert [mark.name for mark in scene.marks] == ["averaged: served", "averaged: played", "averaged: played, allowed"]
    assert (served.ys[-1], played.ys[-1]) == (game.served.mistakes, game.mistakes)
    assert served.ys[-1] != played.ys[-1]
    assert allowed.tone == played.tone
    assert f"as served, {game.mistakes} as played; a theorem allows 111 of these." in scene.words
    both = scenes.compose_mistakes([game, ls.play(ls.Perceptron(), stream)], [111, 222])
    assert [mark.ys[-1] for mark in both.marks] == [game.served.mistakes, game.mistakes, 222]
