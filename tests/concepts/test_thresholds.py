from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import NotRealizable
from littlestone.base.exact_numbers import floor_log2
from littlestone.concepts import Concepts, Thresholds
from littlestone.environments import Bisection, Recorded
from littlestone.game.play import play
from littlestone.learners import Halving
from littlestone.learners.shared.version_space import find_plurality


@pytest.mark.parametrize("n", range(15))
def test_is_halving_over_the_explicit_table_in_every_reachable_state(n):
    grid = Thresholds(n)
    table = Concepts([[i >= j for i in range(n + 1)] for j in range(n + 2)])
    for a in range(n + 2):
        for b in range(a, n + 2):
            for x in range(n + 1):
                for y in (0, 1):
                    spaces = grid.start(), table.start()
                    for concepts, space in zip((grid, table), spaces, strict=True):
                        if b <= n:
                            concepts.keep(space, b, 1)
                        if a > 0:
                            concepts.keep(space, a - 1, 0)
                    votes = grid.votes(spaces[0], x)
                    assert votes == table.votes(spaces[1], x)
                    assert find_plurality(votes) == (2 * x + 1 > a + b if a - 1 <= x <= b else x >= b)
                    if votes[y] == 0:
                        for concepts, space in zip((grid, table), spaces, strict=True):
                            with pytest.raises(NotRealizable):
                                concepts.keep(space, x, y)
                    else:
                        grid.keep(spaces[0], x, y)
                        table.keep(spaces[1], x, y)
                    assert survivors(grid, spaces[0]) == survivors(table, spaces[1])
                    assert grid.cuts(spaces[0]) == table.cuts(spaces[1])


def survivors(concepts, space):
    return [concepts.survivor(space, rank) for rank in range(concepts.survivors(space))]


@settings(deadline=None)  # the first call may compile
@given(st.integers(1, 40), st.data())
def test_is_the_real_form_with_two_ends(n, data):
    target = data.draw(st.integers(0, n + 1))
    xs = data.draw(st.lists(st.integers(0, n), min_size=1, max_size=20))
    rounds = [(x, x >= target) for x in xs]
    guesses, ends = reference.real_thresholds(n, rounds)
    concepts = Thresholds(n)
    space = concepts.start()
    for (x, y), guess, (l, r) in zip(rounds, guesses, ends, strict=True):
        assert find_plurality(concepts.votes(space, x)) == guess
        concepts.keep(space, x, int(y))
        a, b = (int(end) for end in space.ends)
        assert (l, r) == (Fraction(2 * a - 1, 2 * n), Fraction(2 * b - 1, 2 * n))


def test_the_gold_game_on_six():
    game = play(Halving(Thresholds(6)), Bisection(Thresholds(6)), transcript=True)
    assert [(step.x, step.y) for step in game.transcript] == [(3, True), (1, True), (0, True)]
    assert game.mistakes == 3
    space = Thresholds(6).start()
    states = [tuple(space.ends.tolist())]
    for x in (3, 1, 0):
        Thresholds(6).keep(space, x, 1)
        states.append(tuple(space.ends.tolist()))
    assert states == [(0, 7), (0, 3), (0, 1), (0, 0)]
    _, ends = reference.real_thresholds(6, [(3, True), (1, True), (0, True)])
    assert [r for _, r in ends] == [Fraction(5, 12), Fraction(1, 12), Fraction(-1, 12)]


@pytest.mark.parametrize(("n", "mistakes"), [(1, 1), (2, 2), (3, 2), (5, 2), (6, 3), (13, 3), (14, 4), (30, 5)])
def test_bisection_forces_exactly_the_bound(n, mistakes):
    game = play(Halving(Thresholds(n)), Bisection(Thresholds(n)))
    assert game.mistakes == mistakes == floor_log2(n + 2) == Halving(Thresholds(n)).bound().mistakes


def test_needs_two_integers_for_a_grid_of_any_fineness():
    n = 2**61
    game = play(Halving(Thresholds(n)), Recorded([2**60, 2**59, 2**60 + 1], [False, False, True]))
    assert game.certificate().witness["concept"] == 2**60 + 1


def test_reads_a_row_of_one_attribute():
    game = play(Halving(Thresholds(9)), Recorded([[3], [0], [9]], [True, False, True]))
    assert game.rounds == 3
    assert Thresholds(9).name(4) == "x >= 4"
