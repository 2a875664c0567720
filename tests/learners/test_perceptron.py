"""The Perceptron's gold runs, its ties, its bounds on separable and other data, and what it can never do."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.chunks import Row
from littlestone.base.learner import Size, copy_state
from littlestone.learners import Perceptron

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
AND, OR, XOR = [False, False, False, True], [False, True, True, True], [False, True, True, False]


def sweeps(learner, X, y, times):
    """Play a small set over and over; the player and the updates made in each sweep."""
    player, made = ls.Player(learner, classes=(False, True)), []
    for _ in range(times):
        made.append(ls.play(player, ls.Recorded(X, y)).updates)
    return player, made


def test_the_gold_run_on_and():
    player, made = sweeps(ls.Perceptron(), SQUARE, AND, 12)
    assert sum(made) == 18
    assert made.index(0) == 8  # the ninth sweep is clean, and so are all later ones
    assert not any(made[8:])
    assert [*player.state.weights, *player.state.bias] == [3, 2, -4]
    early = ls.Player(ls.Perceptron())
    seen = []
    for x, y in zip(SQUARE.tolist() * 2, AND * 2, strict=True):
        before = early.tally.updates
        early.update(x, y)
        if early.tally.updates > before:
            seen.append((*early.state.weights, *early.state.bias))
    assert seen[:5] == [(0, 0, -1), (1, 1, 0), (1, 1, -1), (1, 0, -2), (2, 1, -1)]


def test_the_gold_run_on_or():
    player, made = sweeps(ls.Perceptron(), SQUARE, OR, 10)
    assert sum(made) == 9
    assert [*player.state.weights, *player.state.bias] == [2, 2, -1]


@pytest.mark.parametrize(
    ("margin", "updates", "mistakes", "weights"), [(3, 67, 20, [9, 8, -13]), (30, 498, 114, [63, 62, -94])]
)
def test_the_gold_runs_of_a_thick_separator_on_and(margin, updates, mistakes, weights):
    # the gold counts a mistake as y s <= 0, so a lucky guess at s = 0 counts there
    player = ls.Player(ls.Perceptron(margin=margin))
    wrong = 0
    for _ in range(400):
        for x, y in zip(SQUARE, AND, strict=True):
            wrong += (1 if y else -1) * player.score(x) <= 0
            player.update(x, y)
    assert (player.tally.updates, wrong) == (updates, mistakes)
    assert [*player.state.weights, *player.state.bias] == weights
    bound = Fraction(3 + 2 * margin) * (4 + 4 + 9)  # (R^2 + 2 margin) |u|^2 / 1 with u = (2, 2, -3)
    assert updates <= bound == {3: 153, 30: 1071}[margin]


def test_cycling_on_xor_returns_to_the_same_weights_for_ever():
    player = ls.Player(ls.Perceptron())
    for sweep in range(1, 6):
        ls.play(player, ls.Recorded(SQUARE, XOR))
        assert not player.state.weights.any()
        assert not player.state.bias.any()
        assert player.tally.updates == 4 * sweep  # alpha = (1, 1, 1, 1): every example once, and they cancel
    signed = np.array([1 if y else -1 for y in XOR])[:, None] * np.column_stack([SQUARE, np.ones(4)])
    assert not signed.sum(axis=0).any()


def test_a_feature_map_makes_xor_separable():
    X = np.column_stack([SQUARE, SQUARE[:, 0] * SQUARE[:, 1]])
    player, made = sweeps(ls.Perceptron(), X, XOR, 20)
    assert sum(made) == 29
    assert [*player.state.weights, *player.state.bias] == [2, 2, -5, -1]
    assert sum(made) <= 100


def test_the_hinge_and_slack_bounds_hold_on_xor():
    _, made = sweeps(ls.Perceptron(), SQUARE, XOR, 5)
    Z = np.array([1 if y else -1 for y in XOR])[:, None] * np.column_stack([SQUARE, np.ones(4)])
    for u, hinge, slack, readable in (((1, 1, -1), 38, 71, 49), ((0, 0, 1), 29, 64, 43)):
        shortfall = np.maximum(0, 1 - Z @ u).repeat(5)
        ratio, lost = sqrt(3) * np.linalg.norm(u), shortfall.sum()
        root = ((ratio + sqrt(ratio**2 + 4 * lost)) / 2) ** 2
        d2 = (ratio + sqrt((shortfall**2).sum())) ** 2
        assert (int(root), int(d2), round(ratio**2 + 2 * lost)) == (hinge, slack, readable)
        assert sum(made) == 20 <= root <= readable


def test_ties_follow_the_lecture_rule_plus_on_the_corrected_example():
    rounds = [([0, 1], True), ([1, 0], False), ([0.6, 0.8], True)]
    player = ls.Player(ls.Perceptron(bias=0, tie="plus"), classes=(False, True))
    weights = []
    for x, y in rounds:
        player.update(x, y)
        weights.append(player.state.weights.tolist())
    assert weights == [[0, 0], [-1, 0], [-0.4, 0.8]]
    assert player.tally.mistakes == player.tally.updates == 2


def test_mistakes_and_updates_agree_under_plus_and_minus_but_not_under_strict():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-1, 2, size=(500, 4)).astype(float), rng.random(500) < 0.5
    for tie in ("plus", "minus"):
        player = ls.Player(ls.Perceptron(tie=tie), classes=(False, True))
        game = ls.play(player, ls.Recorded(X, y))
        assert game.mistakes == game.updates > 0
    strict = ls.play(ls.Perceptron(), ls.Recorded(X, y))
    assert strict.mistakes < strict.updates  # a lucky guess at zero teaches too


def test_a_threshold_kept_outside_is_a_constant_attribute_folded_in():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-3, 4, size=(300, 6)).astype(float), rng.random(300) < 0.5
    outside = ls.play(ls.Perceptron(bias=2), ls.Recorded(X, y))
    folded = ls.play(ls.Perceptron(bias=0), ls.Recorded(np.column_stack([X, np.full(300, 2.0)]), y))
    assert outside.mistakes == folded.mistakes
    assert [*outside.player.state.weights, *outside.player.state.bias] == folded.player.state.weights.tolist()


def test_the_rate_changes_no_guess():
    rng = np.random.default_rng(4)
    X, y = rng.integers(-3, 4, size=(300, 6)).astype(float), rng.random(300) < 0.5
    games = [ls.play(ls.Perceptron(rate=rate), ls.Recorded(X, y)) for rate in (0.25, 1, 8)]
    assert len({game.mistakes for game in games}) == len({game.updates for game in games}) == 1


@pytest.mark.parametrize("tie", ["strict", "plus", "minus"])
@given(seed=st.integers(0, 10**6), margin=st.sampled_from([0, 1, 7]))
def test_never_exceeds_novikoffs_bound_on_separable_data(tie, seed, margin):
    rng = np.random.default_rng(seed)
    u = rng.integers(-4, 5, size=6)
    X = rng.integers(-4, 5, size=(80, 6))
    X = X[X @ u != 0]
    if len(X) == 0:
        return
    player, _ = sweeps(ls.Perceptron(bias=0, tie=tie, margin=margin), X.astype(float), X @ u > 0, 20)
    radius, gamma = int((X**2).sum(axis=1).max()), int(abs(X @ u).min())
    assert player.tally.updates <= Fraction((radius + 2 * margin) * int(u @ u), gamma**2)


# --- every small game ---


def stepper(learner, n):
    """The learner as a function from weights and a labelled row to the weights after it; None if it did not learn."""
    start = learner.start(Size(n))

    @cache
    def step(weights, x, y):
        state = copy_state(start)
        state.weights[:] = weights
        learner.round(state, Row(None, np.array(x, float)), y)
        return tuple(state.weights.tolist()) if learner.moves(state) else None

    return step


def longest(learner, rows):
    """The most updates that any order of labelled rows can force, each as often as the adversary likes."""
    step = stepper(learner, len(rows[0][0]))

    @cache
    def value(weights):
        afters = (step(weights, x, y) for x, y in rows)
        return max((1 + value(after) for after in afters if after is not None), default=0)

    return value((0.0,) * len(rows[0][0]))


@pytest.mark.parametrize("settings", [{}, {"tie": "plus"}, {"tie": "minus"}, {"margin": 1}, {"rate": 0.5}], ids=str)
@pytest.mark.parametrize("u", [(1,), (1, 0), (1, 1), (2, -1), (1, 1, 1)], ids=str)
def test_no_order_of_rows_forces_more_updates_than_novikoff_allows(u, settings):
    rows = [(x, int(s > 0)) for x in product((-1, 0, 1), repeat=len(u)) if (s := np.dot(u, x))]
    learner = Perceptron(bias=0, **settings)
    worst = longest(learner, rows)
    reach = len(u) + 2 * Fraction(learner.margin) / Fraction(learner.rate)
    margin = min(abs(int(np.dot(u, x))) for x, _ in rows)
    assert 1 <= worst <= reach * sum(a * a for a in u) / margin**2
    if settings == {}:
        basis = [(x, y) for x, y in rows if sum(map(abs, x)) == 1]
        assert longest(learner, basis) == len(basis) // 2  # the bound if all of u are 1: attained


def test_every_bound_holds_in_every_short_game_and_four_of_them_are_attained():
    """Games in which every round teaches, four rounds at most; the others add nothing to either side."""
    rows = [((1, 0), 0), ((1, 0), 1), ((0, 1), 0), ((0, 1), 1), ((1, 1), 0), ((1, 1), 1)]
    step, games = stepper(Perceptron(bias=0), 2), [((0.0, 0.0), ())]
    for weights, game in games:
        if len(game) < 4:
            afters = ((step(weights, x, y), (*game, (x, y))) for x, y in rows)
            games += [(after, longer) for after, longer in afters if after is not None]
    attained = set()
    for w, game in games[1:]:
        zs = [tuple(a if y else -a for a in x) for x, y in game]
        reach, length = Fraction(max(a * a + b * b for a, b in zs)), Fraction(w[0]) ** 2 + Fraction(w[1]) ** 2
        for u in product((-1, 0, 1), repeat=2):
            short = [max(0, 1 - u[0] * a - u[1] * b) for a, b in zs]
            facts = theorems.Facts(
                norm=Fraction(u[0] ** 2 + u[1] ** 2),
                reach=reach,
                margin=Fraction(1),
                shortfall=Fraction(sum(short)),
                squares=Fraction(sum(s * s for s in short)),
                length=length,
            )
            for theorem in theorems.PERCEPTRON:
                if theorem is not theorems.NOVIKOFF or not any(short):
                    assert theorem.possible(facts, len(game)), (theorem.name, game, u)
                    if len(game) > 1 and not theorem.possible(facts, len(game) + 1):
                        attained.add(theorem)
    assert len(games) > 300
    assert {theorems.NOVIKOFF, theorems.RUN, theorems.HINGE, theorems.SQUARED} <= attained


def test_basis_vectors_force_every_mistake_that_novikoff_allows():
    for n in (1, 2, 4, 9, 100):
        player = ls.Player(ls.Perceptron(bias=0), classes=(False, True))
        for t in range(n):
            x = np.eye(n)[t]
            player.update(x, not player.predict(x))
        assert player.tally.mistakes == n  # R = 1, margin 1/sqrt(n): the bound is n


def test_an_unnormalised_margin_promises_nothing_unless_updates_are_normalised():
    X = np.array([[100, 0]] + [[-0.6, 0.8]] * 400)
    _, made = sweeps(ls.Perceptron(bias=0), X, [True] * 401, 3)
    assert sum(made) == 62  # and 1 / margin^2 is 5
    _, made = sweeps(ls.Perceptron(bias=0, normalized=True), X, [True] * 401, 3)
    assert sum(made) <= 5  # u = (1, 2) / sqrt 5 has margin 1/sqrt 5 on unit vectors


def test_a_k_disjunction_costs_at_most_four_k_plus_one_times_n_plus_one():
    rng = np.random.default_rng(9)
    for n, k in ((8, 1), (8, 3), (100, 5)):
        X = (rng.random((3000, n)) < 0.2).astype(float)
        game = ls.play(ls.Perceptron(), ls.Recorded(X, X[:, :k].any(axis=1)))
        assert game.updates <= (4 * k + 1) * (n + 1)
    assert (4 * 5 + 1) * 101 == 2121


def test_a_subcommittee_of_experts_is_a_halfspace():
    rng = np.random.default_rng(10)
    votes = np.sign(rng.normal(size=(2000, 15)))
    outcome = votes[:, [1, 4, 9]].sum(axis=1) > 0  # the majority of three experts is always right
    game = ls.play(ls.Perceptron(bias=0), ls.Recorded(votes, outcome))
    assert game.updates <= 15 * 3  # R^2 = 15 experts, |u|^2 = 3, margin 1


def test_margin_attained_after_convergence_is_at_least_the_promise():
    player, _ = sweeps(ls.Perceptron(margin=30), SQUARE, AND, 400)
    w = np.array([*player.state.weights, *player.state.bias])
    Z = np.array([1 if y else -1 for y in AND])[:, None] * np.column_stack([SQUARE, np.ones(4)])
    attained = (Z @ w).min() / np.linalg.norm(w)
    best = 1 / sqrt(17)
    assert best * 30 / (3 + 60) <= attained <= best
    assert attained == pytest.approx(0.24025, abs=5e-6)
