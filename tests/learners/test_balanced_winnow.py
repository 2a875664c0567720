"""Balanced Winnow: the plain twins, the gold cycle, phases, and its bounds in exact games."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from littlestone import Player, Recorded, play
from littlestone.base.chunks import Row
from littlestone.base.errors import BadInstance, BadParameter, NotCertified, TooLarge
from littlestone.base.learner import Size, copy_state
from littlestone.learners import BalancedWinnow

WIDTH = 3
AND = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1]]), [True, False, False]
rounds = st.lists(st.tuples(st.lists(st.integers(-1, 1), min_size=WIDTH, max_size=WIDTH), st.booleans()), max_size=40)


def swept(learner, times, rows=AND):
    """The player after so many sweeps, and the updates up to the end of each."""
    player, totals = Player(learner, classes=(False, True)), []
    player.start_state(Size(rows[0].shape[1]))
    for _ in range(times):
        play(player, Recorded(*rows))
        totals.append(player.tally.updates)
    return player, totals


def guessed(learner, game):
    """The guesses of a whole game, and the player."""
    player = Player(learner, classes=(False, True))
    player.start_state(Size(WIDTH))
    X, y = np.array([x for x, _ in game], float).reshape(-1, WIDTH), [y for _, y in game]
    return [round.guess for round in play(player, Recorded(X, y), transcript=True).transcript], player


@pytest.mark.parametrize("bias", [0, 1])
@given(game=rounds)
def test_agrees_with_its_twin_on_noisy_rows(bias, game):
    expected, exponents, updates = reference.balanced_winnow(game, WIDTH, 2, bias)
    guesses, player = guessed(BalancedWinnow(factor=2.0, bias=bias), game)
    assert guesses == expected
    assert player.tally.updates == updates
    assert [*player.state.weights.tolist(), *player.state.bias.tolist()] == exponents[: WIDTH + bias]


def test_agrees_with_its_twin_at_a_factor_near_1():
    rng = np.random.default_rng(2)
    X, y = rng.integers(-1, 2, (400, WIDTH)), rng.random(400) < 0.5
    game = list(zip(X.tolist(), y.tolist(), strict=True))
    expected, exponents, _ = reference.balanced_winnow(game, WIDTH, 1 + 2.0**-6)
    guesses, player = guessed(BalancedWinnow(factor=1 + 2.0**-6), game)
    assert guesses == expected
    assert [*player.state.weights.tolist(), *player.state.bias.tolist()] == exponents


def test_a_constant_column_plays_as_the_bias_does():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2, (200, WIDTH)), rng.random(200) < 0.5
    within = play(BalancedWinnow(factor=2.0), Recorded(X, y))
    column = play(BalancedWinnow(factor=2.0, bias=0), Recorded(np.column_stack((X, np.ones(200))), y))
    assert within.updates == column.updates
    assert [*within.player.state.weights, *within.player.state.bias] == column.player.state.weights.tolist()


def test_with_factor_2_it_cycles_for_ever_on_an_and_with_bias():
    player, totals = swept(BalancedWinnow(factor=2.0, bias=0), 6)
    assert player.state.weights.tolist() == [1, 2, -3]
    player, totals = swept(BalancedWinnow(factor=2.0, bias=0), 12)
    assert totals == [3, 6, 8, 11, 13, 15, 18, 20, 22, 25, 27, 29]
    player, totals = swept(BalancedWinnow(factor=2.0, bias=0), 9)
    assert player.state.weights.tolist() == [2, 3, -4]
    for k in range(1, 12):  # three sweeps from (k, k + 1, -k - 2) make 7 mistakes and end one further out
        player.state.weights[:] = k, k + 1, -k - 2
        before = player.tally.updates
        for _ in range(3):
            play(player, Recorded(*AND))
        assert player.tally.updates == before + 7
        assert player.state.weights.tolist() == [k + 1, k + 2, -k - 3]
    with pytest.raises(NotCertified, match="too large"):
        player.learner.bound(3, margin=Fraction(1, 7))


def test_with_a_factor_for_its_margin_it_learns_an_and_with_bias():
    player, totals = swept(BalancedWinnow(factor=1.15, bias=0), 14)
    assert totals[-3:] == [22, 22, 22]
    assert player.state.weights.tolist() == [2, 3, -4]
    bound = player.learner.bound(3, margin=Fraction(1, 7))
    assert float(bound.value) == pytest.approx(175.13, abs=0.005)
    assert bound.counts == "updates"


def test_a_zero_score_is_guessed_negative_and_teaches():
    player = Player(BalancedWinnow(factor=2.0), classes=(False, True))
    player.start_state(Size(1))
    assert player.predict([0]) is False
    player.update([0], False)
    assert player.tally[:3] == (1, 0, 1)
    assert player.state.bias.tolist() == [-1]


def test_the_margin_sets_the_factor():
    learner, rows = BalancedWinnow(margin=0.6), Recorded(np.eye(2), [True, False])
    assert learner.base(learner.start(Size(2))) == 2.0
    assert play(learner, rows).updates == play(BalancedWinnow(factor=2.0), rows).updates
    for margin in (0.5, 0.1, 0.01):
        allowed = BalancedWinnow(margin=margin).bound(99).value
        assert allowed == BalancedWinnow(margin=margin).bound(99, margin=margin).value
        assert 1.6 * math.log(200) / margin**2 < allowed <= 2 * math.log(200) / margin**2


@pytest.mark.parametrize("target", [(1, 0), (1, -1), (2, -1), (1, 1, -1), (2, 1, 0)], ids=str)
def test_never_exceeds_its_bound_in_any_order_of_rows(target):
    n, norm = len(target), sum(map(abs, target))
    rows = []
    for x in product((-1, 0, 1), repeat=n):
        score = sum(a * b for a, b in zip(target, x, strict=True))
        if score:
            rows.append((Row(np.arange(n, dtype=np.int32), np.array(x, float)), int(score > 0)))
    margin = Fraction(1, norm)
    for learner in (BalancedWinnow(margin=min(float(margin), 0.9), bias=0), BalancedWinnow(factor=1.1, bias=0)):
        start = learner.start(Size(n))

        @cache
        def longest(exponents, learner=learner, start=start):
            most = 0
            for row, y in rows:
                state = copy_state(start)
                state.weights[:] = exponents
                learner.round(state, row, y)
                if learner.moves(state):
                    most = max(most, 1 + longest(tuple(state.weights.tolist())))
            return most

        assert 1 <= longest((0,) * n) <= learner.bound(n, margin=margin).value


def hard(rows, margin, seed=0):
    """Rows whose labels have at least this margin, with three of twelve attributes that matter."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1, 0, 1], (rows, 12))
    s = X @ np.array([0.5, -0.25, 0.25, *[0] * 9])
    keep = np.abs(s) >= margin
    return X[keep], s[keep] > 0


# --- phases for an unknown margin ---------------------------------------------------------------------------------


@given(game=rounds, repeat=st.integers(1, 12))
def test_in_phases_it_agrees_with_its_twin(game, repeat):
    game = game * repeat
    expected, exponents, phases = reference.restarted_balanced_winnow(game, WIDTH)
    guesses, player = guessed(BalancedWinnow(), game)
    state = player.state
    if player.learner.full(state, None):
        assert [*state.phases.tolist(), int(state.counts[3])] == phases
        return
    assert guesses == expected
    assert [*state.phases.tolist(), int(state.counts[3])] == phases
    assert [*state.weights.tolist(), *state.bias.tolist()] == exponents


def test_phases_end_just_beyond_their_caps_and_start_fresh():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (3000, WIDTH)), rng.random(3000) < 0.5
    player = play(BalancedWinnow(), Recorded(X, y)).player
    caps = [math.floor(2 * math.log(2 * (WIDTH + 1)) * 4**j) for j in range(1, 5)]
    assert player.state.phases.tolist() == [cap + 1 for cap in caps[: len(player.state.phases)]]
    assert len(player.state.phases) >= 3
    assert player.tally.updates == player.state.phases.sum() + player.state.counts[3]


def test_phases_do_not_depend_on_how_the_stream_was_cut():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (600, 6)), rng.random(600) < 0.5
    learner = BalancedWinnow()
    whole, live, parts = play(learner, Recorded(X, y)).player, Player(learner), Player(learner)
    for x, label in zip(X, y, strict=True):
        live.update(dict.fromkeys(np.flatnonzero(x), 1), label)  # attributes turn up as they come
    for start in range(0, 600, 7):
        play(parts, Recorded(X[start : start + 7], y[start : start + 7]))
    assert whole.tally == live.tally == parts.tally
    assert whole.state.phases.tolist() == live.state.phases.tolist() == parts.state.phases.tolist()
    assert len(whole.state.phases) >= 2
    for other in (live.state, parts.state):
        assert whole.state.weights.tolist() == other.weights[:6].tolist()


@pytest.mark.parametrize("margin", [0.5, 0.25])
def test_in_phases_it_stays_within_the_total_for_the_true_margin(margin):
    X, y = hard(4000, margin)
    game = play(BalancedWinnow(), Recorded(X, y))
    bound = game.player.learner.bound(12, margin=margin)
    assert 5 < game.updates <= bound.value
    assert bound.value <= 32 / 3 * math.log(26) / margin**2 + math.ceil(math.log2(1 / margin))


def test_the_total_over_phases_sums_their_caps():
    caps = [2 * math.log(2 * 8) * 4**j for j in (1, 2, 3)]
    expected = math.floor(caps[0]) + 1 + math.floor(caps[1]) + 1 + math.floor(caps[2])
    assert BalancedWinnow(bias=0).bound(8, margin=Fraction(1, 7)).value == expected
    assert BalancedWinnow(bias=0).bound(8, margin=1).value == math.floor(caps[0])
    assert BalancedWinnow(bias=0).bound(8, margin=Fraction(1, 2)).value == math.floor(caps[0])


def test_a_phase_keeps_every_weight_below_n_to_the_2_2():
    rng = np.random.default_rng(3)
    X = np.ones((20000, 2), int)
    player = Player(BalancedWinnow())
    player.start_state(Size(2))
    X[:, 1] = rng.integers(0, 2, 20000)
    for start in range(0, 20000, 100):
        play(player, Recorded(X[start : start + 100], X[start : start + 100, 1] ^ (rng.random(100) < 0.4)))
        state = player.state
        base = player.learner.base(state)
        exponents = [*state.weights.tolist(), *state.bias.tolist()]
        assert max(map(abs, exponents)) * math.log(base) <= 2.2 * math.log(6)


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"factor": 2.0, "margin": 0.5},
        {"factor": 1.0},
        {"factor": float("inf")},
        {"margin": 0.0},
        {"margin": 1.0},
        {"margin": 2.0**-15},
        {"bias": 2},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(BadParameter):
        BalancedWinnow(**settings)


def test_bounds_without_their_hypotheses_are_refused():
    with pytest.raises(NotCertified, match="margin"):
        BalancedWinnow().bound(5)
    with pytest.raises(NotCertified, match="out of reach"):
        BalancedWinnow().bound(5, margin=2.0**-15)
    for attributes, margin in ((0, 0.5), (5, 0), (5, 2)):
        with pytest.raises(BadParameter):
            BalancedWinnow(factor=1.5).bound(attributes, margin=margin)


def test_values_other_than_minus_one_zero_and_one_are_refused():
    player = Player(BalancedWinnow(factor=2.0), classes=(False, True))
    player.update([1, -1, 0], True)
    for refuse in (player.predict, lambda x: player.update(x, True)):
        with pytest.raises(BadInstance, match="-1, 0 or 1, got 2"):
            refuse([1, 2, 0])
    assert player.tally.rounds == 1


def test_weights_beyond_the_floats_end_the_game_and_count_what_was_played():
    learner = BalancedWinnow(factor=2.0**60, bias=0)
    X, y = np.tile(AND[0], (60, 1)), np.tile(AND[1], 60)
    with pytest.raises(TooLarge, match="beyond 16") as problem:
        play(learner, Recorded(X, y))
    game = problem.value.game
    assert np.abs(game.player.state.weights).max() == 16
    assert 20 < game.rounds < 180
    live = Player(learner)
    live.start_state(Size(3))
    for t in range(game.rounds):
        live.update(X[t], y[t])
    assert live.tally == game.player.tally
    with pytest.raises(TooLarge, match="beyond 16"):
        live.update(X[game.rounds], y[game.rounds])
    assert live.tally == game.player.tally
    assert all(np.array_equal(one, two) for one, two in zip(live.state, game.player.state, strict=True))
    assert live.predict(X[0]) in (False, True)
