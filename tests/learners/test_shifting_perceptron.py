"""The shifting Perceptron: its twin, its bound with and without moves under attack, and the target that moves."""

from fractions import Fraction
from itertools import pairwise, product
from math import prod, sqrt

import numpy as np
import pytest

import littlestone as ls
import reference
from littlestone.base.chunks import Row
from littlestone.base.errors import BadParameter
from littlestone.base.learner import Size, copy_state
from littlestone.base.theorem import StepFacts

SHIFTS = [1, 2, 3, 7]


def weights_of(player):
    weights, constants = player.learner.plane(player.state)
    return [*weights.ravel(), *constants]


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("bias", [0, 1])
def test_agrees_with_its_twin_on_noise(shift, bias):
    rng = np.random.default_rng(shift)
    X, y = rng.normal(size=(150, 3)), rng.random(150) < 0.5
    game = ls.play(ls.ShiftingPerceptron(shift, bias=bias), ls.Recorded(X, y), transcript=True)
    twin = [([Fraction(float(a)) for a in x], bool(label)) for x, label in zip(X, y, strict=True)]
    guesses, weights, updates = reference.shifting_perceptron(twin, 3, shift, bias)
    assert [bool(line.guess) for line in game.transcript[1:]] == guesses[1:]
    assert game.updates == updates > 40
    assert weights_of(game.player)[: 3 + bias] == pytest.approx([float(w) for w in weights[: 3 + bias]], rel=1e-9)


def test_a_shift_of_1_is_the_perceptron():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.random(300) < 0.5
    one, other = (ls.play(learner, ls.Recorded(X, y)) for learner in (ls.ShiftingPerceptron(1), ls.Perceptron()))
    assert (one.mistakes, one.updates) == (other.mistakes, other.updates)
    scaled = np.array(weights_of(one.player)) * (one.updates + 1)
    assert scaled == pytest.approx(weights_of(other.player), rel=1e-9)


def find_factor(k, shift):
    """f(k) = (k + 1) ... (k + s - 1)."""
    return prod(k + i for i in range(1, shift))


@pytest.mark.parametrize("shift", SHIFTS)
def test_the_bound_for_a_target_that_moves_holds_in_every_short_game(shift):
    """All games of six rounds over four rows, against all sequences of four targets: the sum as the page has it."""
    learner = ls.ShiftingPerceptron(shift, bias=0)
    rows = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    games = [(learner.start(Size(2)), ())]
    for state, game in games:
        if len(game) < 4:
            for x in rows:
                after = copy_state(state)
                learner.round(after, Row(None, np.array(x, float)), 1)
                if learner.moves(after) > learner.moves(state):
                    games.append((after, (*game, x)))
    assert len(games) > 30
    targets = [(1, 1), (-1, 1), (0, 2), (0, 0)]
    for _, game in games[1:]:
        m = len(game)
        for path in product(targets, repeat=m):
            lost = sum(max(0, 1 - u[0] * x[0] - u[1] * x[1]) for u, x in zip(path, game, strict=True))
            moved = sum(
                sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) * sqrt(k) * find_factor(k, shift) / find_factor(m, shift)
                for k, (a, b) in enumerate(pairwise(path), start=1)
            )
            last = sqrt(path[-1][0] ** 2 + path[-1][1] ** 2)
            assert m <= shift * lost + shift * (last * sqrt(m) + moved) + 1e-9, (game, path)


@pytest.mark.parametrize("shift", SHIFTS)
def test_the_bound_without_moves_holds_against_contrary_labels(shift):
    rng = np.random.default_rng(shift)
    player, Z = ls.Player(ls.ShiftingPerceptron(shift, bias=0), classes=(False, True)), []
    for x in rng.choice([-1.0, 1.0], (200, 4)):
        y = not player.predict(x)
        before = player.tally.updates
        player.update(x, y)
        if player.tally.updates > before:
            Z.append(x if y else -x)
    clean, hinge = ls.ShiftingPerceptron(shift).theorems()
    assert clean.losses == "none"
    for u in [*product((-1, 0, 2), repeat=4)]:
        lost = sum(max(0, 1 - int(z @ u)) for z in Z)
        facts = StepFacts(Fraction(sum(a * a for a in u)), Fraction(4), Fraction(1), Fraction(lost))
        assert hinge.possible(facts, len(Z))


def test_the_last_factor_is_near_m_over_2s_minus_1():
    (clean, _), facts = ls.ShiftingPerceptron(3).theorems(), StepFacts(Fraction(10**4), Fraction(1), Fraction(1))
    assert clean.value(facts) == pytest.approx(9 * 10**4 / 5, rel=0.01)
    assert ls.ShiftingPerceptron(1).theorems()[0].value(facts) == 10**4  # Novikoff's


@pytest.mark.parametrize("shift", SHIFTS)
def test_examples_count_in_proportion_to_f(shift):
    basis = ls.play(ls.ShiftingPerceptron(shift, bias=0), ls.Recorded(np.eye(6), [True] * 6))  # six updates
    weights = np.array(weights_of(basis.player)[:6])
    factors = np.array([find_factor(k, shift) for k in range(1, 7)])
    assert weights / weights[-1] == pytest.approx(factors / factors[-1], rel=1e-12)
    assert weights.sum() == pytest.approx(1 - 1 / prod((shift + k) / k for k in range(1, 7)), rel=1e-12)


@pytest.mark.parametrize("settings", [{"shift": 0}, {"shift": 1.5}, {"shift": 65}, {"bias": -1}], ids=str)
def test_refuses_parameters_that_no_theorem_covers(settings):
    with pytest.raises(BadParameter, match="must be"):
        ls.ShiftingPerceptron(**settings)
