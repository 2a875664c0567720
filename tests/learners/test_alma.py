"""ALMA: its steps by hand, both of its bounds under attack, the margin it reaches, and what rounding does to it."""

from fractions import Fraction
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Examples, Row
from littlestone.base.learner import Size, copy_state
from littlestone.base.theorem import StepFacts
from littlestone.learners.shared.rules import LEAST, MOST

SETTINGS = [{}, {"alpha": 1}, {"alpha": 0.2}, {"alpha": 1, "rate": 1}, {"alpha": 0.5, "margin": 2, "rate": 1}]


def weights_of(player):
    return player.learner.plane(player.state)[0].ravel()


def facts(norm, shortfall=0):
    """What a comparator of margin 1 shows."""
    return StepFacts(Fraction(norm), Fraction(1), Fraction(1), Fraction(shortfall))


def play_until_quiet(learner, X, choose=lambda agreements: 0, limit=10**5):
    """Show positive rows in any order, those that would teach only, until there are none."""
    state, rows = learner.start(Size(X.shape[1])), [Row(None, x) for x in X]
    lengths = np.sqrt((X**2).sum(axis=1))
    for _ in range(limit):
        w, k = learner.plane(state)[0].ravel(), learner.moves(state) + 1
        agreements = X @ w / lengths
        teaching = np.flatnonzero(agreements <= learner.params.asked / sqrt(k)).tolist()
        while teaching and learner.moves(state) < k:  # twice where an agreement is within rounding
            learner.round(state, rows[teaching.pop(choose(agreements[teaching]))], 1)
        if learner.moves(state) < k:
            break
    return state


def longest_margin(X):
    """u with the least length among those with u.z >= 1 for the unit rows z, found by projecting onto one at a time."""
    Z = X / np.sqrt((X**2).sum(axis=1))[:, None]
    coefficients, u = np.zeros(len(Z)), np.zeros(Z.shape[1])
    for _ in range(3000):
        for i, z in enumerate(Z):
            step = max(-coefficients[i], 1 - z @ u)
            coefficients[i] += step
            u += step * z
    least = (Z @ u).min()
    return u / least if least > 0 else None


def test_the_gold_run_by_hand():
    player = ls.Player(ls.Alma(alpha=1, rate=1, bias=0))
    player.update([3.0, 4.0], True)
    assert weights_of(player) == pytest.approx([0.6, 0.8])
    player.update([0.0, -2.0], True)  # agreement -0.8: a step of 1 / sqrt(2) along (0, -1), to length 0.607
    assert weights_of(player) == pytest.approx([0.6, 0.8 - sqrt(0.5)])
    player.update([10.0, 0.0], True)  # right, and alpha = 1 asks for no more
    assert player.tally.updates == 2
    player.update([-1.0, 0.0], True)  # agreement -0.6, a step of 1 / sqrt(3)
    assert weights_of(player) == pytest.approx([0.6 - sqrt(1 / 3), 0.8 - sqrt(0.5)])


def test_a_long_step_is_cut_to_the_ball():
    player = ls.Player(ls.Alma(bias=0))
    player.update([0.0, 7.0], True)
    assert weights_of(player) == pytest.approx([0, 1])
    player.update([5.0, 0.0], True)  # sqrt(2) / sqrt(2) = 1 along (1, 0), then length sqrt(2) back to 1
    assert weights_of(player) == pytest.approx([sqrt(0.5), sqrt(0.5)])


def test_the_length_of_a_row_changes_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), rng.random(200) < 0.5
    one = ls.play(ls.Alma(bias=0), ls.Recorded(X, y))
    other = ls.play(ls.Alma(bias=0), ls.Recorded(X * 2.0 ** rng.integers(-9, 9, 200)[:, None], y))
    assert (one.mistakes, one.updates) == (other.mistakes, other.updates)
    assert weights_of(one.player) == pytest.approx(weights_of(other.player), rel=1e-9)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@given(seed=st.integers(0, 10**6))
def test_never_exceeds_its_bound_on_separable_data(settings, seed):
    rng = np.random.default_rng(seed)
    u, X = rng.integers(-4, 5, size=4), rng.integers(-4, 5, size=(40, 4))
    X = X[X @ u > 0].astype(float)
    if len(X) == 0:
        return
    learner = ls.Alma(bias=0, **settings)
    shortest = min(Fraction(int(x @ u) ** 2, int(x @ x)) for x in X)  # g^2
    X = X if shortest > Fraction(1, 4) else X[: 1 + (learner.alpha == 1)]  # a small margin takes long
    for choose in (lambda agreements: 0, np.argmin, np.argmax):
        updates = learner.moves(play_until_quiet(learner, X, choose))
        assert updates <= learner.theorems()[0].value(facts(int(u @ u) / shortest))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("rows", [[(1, 0), (0, 1)], [(1, 0), (-1, 2)], [(1, 0), (-1, 1), (0, 1)]], ids=str)
def test_no_order_of_rows_forces_more_updates_than_the_theorem_allows(settings, rows):
    """All orders of the first rounds, and then always the row of least or most agreement."""
    learner, X = ls.Alma(bias=0, **settings), np.array(rows, float)
    u = longest_margin(X)
    allowed = learner.theorems()[0].value(facts(Fraction(float(u @ u)) * (1 + Fraction(1, 10**6))))
    states, worst = [learner.start(Size(2))], 0
    for _ in range(6):
        further = []
        for state in states:
            for x in X:
                after = copy_state(state)
                learner.round(after, Row(None, x), 1)
                if learner.moves(after) > learner.moves(state):
                    further.append(after)
        worst = max([worst, *(learner.moves(state) for state in further)])
        states = further[:60]
    for choose in (np.argmin, np.argmax):
        worst = max(worst, learner.moves(play_until_quiet(learner, X, choose)))
    assert 1 <= worst <= allowed


def test_the_bound_is_nearly_attained():
    angle = 1.45  # two rows almost opposite, margin cos(angle)
    X = np.array([[np.sin(angle), np.cos(angle)], [-np.sin(angle), np.cos(angle)]])
    learner = ls.Alma(alpha=0.1, bias=0)
    updates = learner.moves(play_until_quiet(learner, X, np.argmin))
    allowed = learner.theorems()[0].value(facts(1 / Fraction(float(np.cos(angle))) ** 2))
    assert 0.9 * allowed < updates <= allowed


@pytest.mark.parametrize("alpha", [0.9, 0.5, 0.1])
def test_in_the_end_the_margin_is_a_share_of_the_largest(alpha):
    rng = np.random.default_rng(3)
    for _ in range(5):
        X, target = rng.normal(size=(12, 4)), rng.normal(size=4)
        X *= np.sign(X @ target)[:, None]
        X = X[X @ target > 0.3 * np.sqrt((X**2).sum(axis=1) * (target @ target))]
        u, learner = longest_margin(X), ls.Alma(alpha=alpha, bias=0)
        w = learner.plane(play_until_quiet(learner, X))[0].ravel()
        reached = (X @ w / np.sqrt((X**2).sum(axis=1))).min() / np.sqrt(w @ w)
        assert (1 - alpha) / np.sqrt(u @ u) <= reached + 1e-9


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_hinge_bound_holds_in_every_short_game(settings):
    learner = ls.Alma(bias=0, **settings)
    hinge, rows = learner.theorems()[1], [(1, 0), (0, 1), (-1, 0), (0, -1)]
    games = [(learner.start(Size(2)), ())]
    for state, game in games:
        if len(game) < 4:
            for x in rows:
                after = copy_state(state)
                learner.round(after, Row(None, np.array(x, float)), 1)
                if learner.moves(after) > learner.moves(state):
                    games.append((after, (*game, x)))
    assert len(games) > 20
    for _, game in games[1:]:
        for u in product(range(-2, 3), repeat=2):
            lost = sum(max(0, 1 - u[0] * a - u[1] * b) for a, b in game)
            assert hinge.possible(facts(u[0] ** 2 + u[1] ** 2, lost), len(game)), (game, u)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("contrary", [False, True])
def test_the_hinge_bound_holds_on_noise(settings, contrary):
    rng, learner = np.random.default_rng(5), ls.Alma(bias=0, **settings)
    player, target, Z = ls.Player(learner, classes=(False, True)), rng.normal(size=3), []
    for x in rng.normal(size=(400, 3)):
        y = not player.predict(x) if contrary else bool((x @ target > 0) ^ (rng.random() < 0.1))
        before = player.tally.updates
        player.update(x, y)
        if player.tally.updates > before:
            Z.append((x if y else -x) / np.sqrt(x @ x))
    for u in [*(target / np.sqrt(target @ target) * s for s in (0.5, 2, 8, 32)), np.zeros(3), *np.eye(3)]:
        lost = Fraction(float(np.maximum(0, 1 - np.array(Z) @ u).sum())) * (1 + Fraction(1, 10**9))
        assert learner.theorems()[1].possible(facts(Fraction(float(u @ u)), lost), len(Z))


def test_a_scale_that_becomes_too_small_is_multiplied_into_the_weights():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(12000, 6)), rng.random(12000) < 0.5
    game = ls.play(ls.Alma(alpha=0.2), ls.Recorded(X, y))
    scale, squares = game.player.state.scale
    kept = np.append(game.player.state.weights[:6], game.player.state.bias)
    assert game.updates > 5000  # the product of so many divisions by up to sqrt(1 + A / k) leaves the floats
    assert LEAST <= scale <= MOST
    assert squares == pytest.approx(kept @ kept, rel=1e-9)
    assert scale**2 * squares <= 1 + 1e-9
    learner, chunk, ends = game.player.learner, Examples.of(X, y.astype(np.int32)), []
    for size in (12000, 97, 1):
        state = learner.start(Size(6))
        for t in range(0, 12000, size):
            learner.replay(state, chunk[t : t + size], np.zeros(size, np.int32))
        ends.append([part.tobytes() for part in state])
    assert ends[0] == ends[1] == ends[2]


def test_scores_are_those_of_the_plane():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 4)), rng.random(100) < 0.5
    player = ls.play(ls.Alma(), ls.Recorded(X, y)).player
    weights, constants = player.learner.plane(player.state)
    assert [player.score(x) for x in X] == pytest.approx(list(X @ weights[:4, 0] + constants[0]))
    assert player.learner.scores(player.state, next(iter(ls.Recorded(X, y).chunks()))) == pytest.approx(
        [player.score(x) for x in X], rel=1e-12
    )


def test_rows_without_attributes_teach_nothing():
    player = ls.Player(ls.Alma(bias=0), classes=(False, True))
    for label in (True, False, True):
        player.update([0.0, 0.0], label)
    assert player.tally.updates == 0


@pytest.mark.parametrize(
    "settings", [{"alpha": 0}, {"alpha": 1.5}, {"margin": 0}, {"margin": inf}, {"rate": 0}], ids=str
)
def test_refuses_parameters_that_no_theorem_covers(settings):
    with pytest.raises(ls.errors.BadParameter, match="must be"):
        ls.Alma(**settings)
