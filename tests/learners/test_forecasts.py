"""Learners for log-loss: twins, gold cases, scale, the guard, late classes, importance, and room that grows."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadParameter, TooLarge
from littlestone.base.learner import Size, fingerprint
from littlestone.environments import Recorded
from littlestone.game.model import load
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import AdaGrad, Aioli, Coin, Logistic
from littlestone.learners.shared.forecaster_state import EXPECTED, MATRICES, MET, SAID, UNITS
from row_games import noisy

A = ([[1.0]] * 4, [1, 1, 0, 1])
B = ([[1.0, 2], [1, -1], [1, 100], [1, 0], [1, -3]], [1, 0, 1, 0, 0])
PLAIN = {"guard": False, "bias": 0, "precision": 64}
NEWTON = {"guard": False, "bias": 0}
SIX = {"rates": (0.125, 1.0, 4.0, 32.0), "wealths": (1.0, 4.0), "kappas": ()}


def follow(learner, X, y, classes=2):
    """Play live: the score before each round, and the last state."""
    state, scores = learner.start(Size(len(X[0]), classes)), []
    for x, label in zip(X, y, strict=True):
        row = Row(None, np.array(x, float))
        while learner.full(state, row):
            state = learner.grow(state, Size(len(x), classes))
        scores.append(learner.score(state, row))
        before = learner.predict(state, row)
        assert learner.round(state, row, label) == before
    return np.array(scores), state


def loss_of(state):
    return math.fsum(state.losses[SAID])


# --- gold cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("learner", "stream", "scores", "loss"),
    [
        (AdaGrad(1.0, **PLAIN), A, [0, 0.4472135955, 0.7516386893, 0.1541761337], 2.9444936883),
        (AdaGrad(1.0, **PLAIN), B, [0, 0.2236067977, -0.0290335328, 0.3351003574, -0.1034850583], 3.7295154963),
        (Coin(1.0, **PLAIN), A, [0, 0.2, 0.3564908599, 0.0885859280], 2.8283157937),
        (Coin(1.0, **PLAIN), B, [0, 0.1, 0.0006970691, 0.1191967236, -0.0175908864], None),
        (Aioli(0.5, 0.1, **NEWTON), A, [0, 1.1054351211, 1.6229636262, 0.2019024713], 3.3794543572),
    ],
)
def test_gold_scores_and_losses(learner, stream, scores, loss):
    ours, state = follow(learner, *stream)
    assert ours == pytest.approx(scores, abs=1e-9)
    if loss is not None:
        assert loss_of(state) == pytest.approx(loss, abs=1e-9)


def test_gold_sums_of_one_attribute():
    learner = AdaGrad(1.0, **PLAIN)
    table = follow(learner, *A)[1].table.reshape(-1, 3)
    assert table[1].tolist() == pytest.approx([1.0, 0.6720199418, 1.0768989221], abs=1e-9)
    coin = Coin(1.0, **PLAIN)
    assert follow(coin, *A)[1].table.reshape(-1, 4)[1, 3] == pytest.approx(0.9226809694, abs=1e-9)
    assert follow(coin, *B)[1].table.reshape(-1, 4)[1:3, 3] == pytest.approx([0.8336773565, 1.0597450962], abs=1e-9)


def test_gold_charges_of_aioli():
    state = follow(Aioli(0.5, 0.1, **NEWTON), *A)[1]
    assert state.spent[0] == pytest.approx([1.1955130779, 1.6311679882], abs=1e-9)
    assert state.centres[0, 1] == pytest.approx(1.1804067928, abs=1e-9)


def test_gold_mixture():
    scores, state = follow(Logistic(**SIX, **PLAIN), *B)
    chances = 1 / (1 + np.exp(-scores))
    assert chances == pytest.approx([0.5, 0.6492244948, 0.4470855624, 0.5992099420, 0.4500182181], abs=1e-9)
    assert loss_of(state) == pytest.approx(4.0579489748, abs=1e-9)
    weights = [0.21535194, 0.18957970, 0.13005779, 0.07829096, 0.20714783, 0.17957178]
    assert state.weights[0] == pytest.approx(weights, abs=1e-8)


@given(st.floats(0.01, 50), st.floats(0.01, 1), st.floats(-8, 8))
def test_both_labels_cost_aioli_the_same(v, kappa, s):
    p, tau = reference.sigma(s), math.tanh(s / 2)
    c, e = kappa * p * (1 - p), v / 2 * tau
    costs = [(e - v * (p - y)) ** 2 / (2 * v * (1 + c * v)) - e**2 / (2 * v) for y in (0, 1)]
    assert costs == pytest.approx([v / 8 * (1 / (1 + c * v) - tau**2)] * 2, rel=1e-9, abs=1e-9)


# --- twins --------------------------------------------------------------------------------------------------------


@given(st.integers(1, 4).flatmap(lambda n: noisy(n, longest=40)), st.booleans())
def test_first_order_members_agree_with_their_twins(rounds, guard):
    X, y = [list(map(float, x)) for x, _ in rounds], [int(label > 0) for _, label in rounds]
    told, n = list(zip(X, y, strict=True)), len(X[0])
    kept = {"guard": guard, "bias": 0, "precision": 64}
    assert follow(AdaGrad(4.0, **kept), X, y)[0] == pytest.approx(reference.ada_grad(told, n, 4.0, guard), abs=1e-9)
    assert follow(Coin(2.0, **kept), X, y)[0] == pytest.approx(reference.coin(told, n, 2.0, guard), abs=1e-9)


@given(st.integers(1, 4).flatmap(lambda n: noisy(n, longest=30)), st.booleans(), st.sampled_from([0.5, 0.1]))
def test_aioli_agrees_with_its_twin(rounds, guard, kappa):
    X, y = [list(map(float, x)) for x, _ in rounds], [int(label > 0) for _, label in rounds]
    theirs = reference.aioli(list(zip(X, y, strict=True)), len(X[0]), kappa, 0.1, guard)
    assert follow(Aioli(kappa, 0.1, guard=guard, bias=0), X, y)[0] == pytest.approx(theirs, rel=1e-6, abs=1e-7)


@given(st.integers(1, 4).flatmap(lambda n: noisy(n, longest=30)), st.booleans())
def test_the_mixture_agrees_with_its_twin(rounds, share):
    X, y = [list(map(float, x)) for x, _ in rounds], [int(label > 0) for _, label in rounds]
    with_constant = [([1.0, *x], label) for x, label in zip(X, y, strict=True)]
    settings = {"rates": (0.5, 8.0), "wealths": (1.0,), "kappas": (0.5, 0.1)}
    theirs, _ = reference.logistic(with_constant, len(X[0]) + 1, **settings, share=share)
    scores, _ = follow(Logistic(**settings, share=share, precision=64), X, y)
    assert 1 / (1 + np.exp(-scores)) == pytest.approx(theirs, rel=1e-6, abs=1e-7)


# --- any units, corrupt values, any numbers -----------------------------------------------------------------------


def make_rows(rounds, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, n)) * rng.choice([0, 1, 1], (rounds, n))
    return X, (X @ rng.normal(size=n) + rng.normal(size=rounds) > 0).astype(int)


@pytest.mark.parametrize("learner", [AdaGrad(), Coin(), Aioli(), Logistic(), Logistic(second_order=0)], ids=str)
def test_columns_times_powers_of_two_change_no_bit(learner):
    X, y = make_rows(300, 5, 1)
    scales = 2.0 ** np.array([20, -20, 0, 60, -3])
    one, other = (play(learner, Recorded(rows, y)) for rows in (X, X * scales))
    assert one.player.state.losses.tolist() == other.player.state.losses.tolist()
    assert one.mistakes == other.mistakes


def test_columns_times_powers_of_ten_change_at_most_one_guess_in_ten_thousand():
    X, y = make_rows(10_000, 4, 2)
    runs = [list(play_guesses(Logistic(), rows, y)) for rows in (X, X * np.array([1e6, 1e-6, 1e6, 1.0]))]
    assert np.count_nonzero(np.array(runs[0]) != np.array(runs[1])) <= 1


def play_guesses(learner, X, y):
    player = Player(learner, classes=(0, 1))
    for played in player.play_chunk(Examples.of(X, y)):
        yield from played.guesses.tolist()


def test_the_guard_keeps_what_was_learned_from_one_corrupt_row():
    X, y = make_rows(4000, 4, 3)
    spoilt = X.copy()
    spoilt[100] *= 1e4
    clean, guarded, open_ = (
        play(learner, Recorded(rows, y)).mistakes
        for learner, rows in ((AdaGrad(), X), (AdaGrad(), spoilt), (AdaGrad(guard=False), spoilt))
    )
    assert abs(guarded - clean) <= 0.005 * len(y)
    assert open_ > guarded + 20


@pytest.mark.parametrize("learner", [AdaGrad(), Coin(), Aioli(), Logistic(), Logistic(guard=False)], ids=str)
def test_numbers_at_the_ends_of_floats_leave_numbers(learner):
    values = [1e300, 1e-300, 5e-324, -1.7e308, 1.0]
    rows = [[values[t % 5], values[(t * 7 + 1) % 5]] for t in range(200)]
    player = play(learner, Recorded(rows, [t % 3 == 0 for t in range(200)])).player
    kept = learner.members
    numbers = player.state.table.reshape(-1, kept.stride(1))[:, kept.lead :]
    for part in (numbers, *player.state[2:]):
        assert np.isfinite(part).all()
    assert 0 < player.probability([1e300, 5e-324]) < 1


def test_a_row_of_zeros_is_told_from_the_constant_alone():
    game = play(Logistic(), Recorded([[0.0, 0.0]] * 30, [True, True, False] * 10))
    assert game.player.state.counts[MET] == 1
    assert game.player.probability([0.0, 0.0]) == pytest.approx(2 / 3, abs=0.1)
    assert play(Logistic(bias=0), Recorded([[0.0]] * 5, [True] * 5)).player.probability([0.0]) == 0.5


# --- room, classes, importance ------------------------------------------------------------------------------------


def test_memory_follows_the_attributes_met():
    wide = 1 << 20
    learner = Logistic()
    state = learner.start(Size(wide))
    row = Row(np.array([3, wide - 1], np.int32), np.array([1.0, 2.0]))
    assert learner.round(state, row, 1) == 0
    assert sum(part.nbytes for part in state[1:]) < 20_000
    assert state.places[[3, wide - 1]].tolist() == [1, 2]


def test_newton_members_retire_when_there_are_too_many_attributes():
    learner = Logistic(second_order=5)
    X = np.eye(8)[[0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1]]
    y = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    state = follow(learner, X[:8], y[:8])[1]
    assert state.counts[MATRICES] == 1
    assert state.weights[0, -1] > 0
    alone = Logistic(rates=learner.rates, wealths=learner.wealths, kappas=())
    scores, state = follow(learner, X, y)
    assert state.counts[MATRICES] == 0
    assert state.weights[0, -2:].tolist() == [0, 0]
    assert state.weights.sum() == pytest.approx(1)
    assert np.isfinite(scores).all()
    assert state.table[:32].tolist() == follow(alone, X, y)[1].table[:32].tolist()


def test_a_third_class_goes_on_from_the_mirror_image_of_the_first_two():
    X, y = make_rows(200, 3, 4)
    two = Logistic()
    player = play(two, Recorded(X, y)).player
    before = [player.probability(x) for x in X[:20]]
    wide = two.grow(player.state, Size(4, 3))
    chunk = Examples.of(X[:20], y[:20])
    chances = two._ask_parts(wide._replace(counts=wide.counts), chunk)
    assert chances[:, 1].tolist() == before
    assert chances[:, 0] == pytest.approx(1 - np.array(before), rel=1e-12)
    assert wide.losses[UNITS].tolist() == wide.losses[UNITS + 1].tolist()
    assert not wide.losses[UNITS + 2].any()


def test_classes_may_come_late_and_their_chances_add_up_to_one():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(400, 3)), np.minimum(rng.integers(0, 5, 400), np.arange(400) // 60)
    X[np.arange(400), y % 3] += 4
    names = np.array(list("abcde"))[y]
    player = play(Logistic(), Recorded(X, names)).player
    chances = player.probability(X[0])
    assert chances.shape == (5,)
    assert chances.sum() == pytest.approx(1)
    live = Player()
    for x, name in zip(X, names, strict=True):
        live.update(x, name)
    assert fingerprint(live.state[1:]) == fingerprint(player.state[1:])
    assert live.tally.mistakes < 150


def test_importance_is_a_weight_of_the_loss_and_large_ones_are_plays():
    X, y = make_rows(60, 3, 6)
    learner = Logistic(guard=False, precision=64)
    twice = learner.start(Size(3))
    for x, label in zip(X, y, strict=True):
        for _ in range(3):
            learner.round(twice, Row(None, x), int(label))
    once = learner.start(Size(3))
    weighed = replace(Examples.of(X, y), importance=np.full(60, 3.0))
    learner.replay(once, weighed, np.zeros(60, np.int32))
    assert once.table.tolist() == twice.table.tolist()
    assert once.weights.tolist() == twice.weights.tolist()
    none = learner.start(Size(3))
    learner.replay(none, replace(Examples.of(X, y), importance=np.zeros(60)), np.zeros(60, np.int32))
    assert none.losses[SAID].tolist() == [0, 0]
    half = AdaGrad(1.0, **PLAIN)
    state = half.start(Size(1))
    half.replay(state, replace(Examples.of([[1.0]], [1]), importance=np.array([0.5])), np.zeros(1, np.int32))
    assert state.table.reshape(-1, 3)[1].tolist() == [1.0, 0.25, 0.0625]


def test_the_loss_that_is_kept_is_that_of_the_chances_given():
    X, y = make_rows(500, 4, 7)
    player, given = Player(classes=(0, 1)), []
    for x, label in zip(X, y, strict=True):
        chance = player.probability(x)
        given.append(chance if label else 1 - chance)
        player.update(x, int(label))
    assert loss_of(player.state) == pytest.approx(-np.log(given).sum(), rel=1e-12)
    assert math.fsum(player.state.losses[EXPECTED]) == pytest.approx(500 - np.sum(given), rel=1e-12)
    served = [chance for played in Player(classes=(0, 1)).play_chunk(Examples.of(X, y)) for chance in played.chances]
    assert served == pytest.approx(given, rel=1e-15)


def test_saved_players_go_on_to_the_bit(tmp_path):
    X, y = make_rows(300, 4, 8)
    whole = play(Player(), Recorded(X, y)).player
    part = play(Player(), Recorded(X[:150], y[:150])).player
    part.save(tmp_path / "m.lst")
    again = load(tmp_path / "m.lst")
    assert again.learner == Logistic()
    for x, label in zip(X[150:], y[150:], strict=True):
        again.update(x, label)
    assert fingerprint(again.state[1:]) == fingerprint(whole.state[1:])
    assert (tmp_path / "m.lst").stat().st_size < 10_000


def test_the_heaviest_member_explains():
    X, y = make_rows(300, 3, 9)
    learner = AdaGrad(precision=64)
    player = play(learner, Recorded(X, y)).player
    weights, constant = learner.plane(player.state)
    x = X[5] / 10  # no larger than before
    assert weights[:3, 0] @ x + constant[0] == pytest.approx(player.score(x), rel=1e-12)


@pytest.mark.parametrize(
    "make",
    [
        lambda: AdaGrad(0.0),
        lambda: Coin(-1.0),
        lambda: Aioli(2.0),
        lambda: Logistic(rates=(), wealths=()),
        lambda: Logistic(kappas=(3.0,)),
        lambda: Logistic(rates=(1.0,) * 20),
        lambda: Logistic(second_order=5000),
        lambda: AdaGrad(precision=16),
        lambda: Logistic(rates=("1",)),
    ],
)
def test_parameters_outside_the_theorem_are_refused(make):
    with pytest.raises(BadParameter):
        make()


def test_aioli_refuses_more_attributes_than_its_matrix_takes():
    learner = Aioli()
    rows = Examples.of(np.ones((1, 4200)), [1])
    with pytest.raises(TooLarge, match="at most 4096, got 4201"):
        Player(learner, classes=(0, 1)).replay(rows)


def test_an_explanation_names_the_member_it_reads():
    X, y = make_rows(300, 3, 9)
    player = play(Logistic(), Recorded(X, y)).player
    names = [
        "AdaGrad(0.125)",
        "AdaGrad(1)",
        "AdaGrad(4)",
        "AdaGrad(32)",
        "Coin(1)",
        "Coin(4)",
        "Aioli(0.5)",
        "Aioli(0.1)",
    ]
    best = int(np.argmax(player.state.weights[0]))
    share = f"{player.state.weights[0, best]:.0%}"
    assert player.explain().about == f"{names[best]}, {share} of the mixture"
    assert str(player.explain(X[0])).endswith(f"by {names[best]}, {share} of the mixture")
    assert play(AdaGrad(), Recorded(X, y)).player.explain().about == ""
    three = play(Logistic(), Recorded(X, np.arange(300) % 3)).player
    heaviest = [three.learner.list_members()[best] for best in three.state.weights.argmax(axis=1)]
    told, _, named = three.explain().about.partition(": ")
    assert (told, len(heaviest)) == ("the member that weighs most for each class", 3)
    assert sorted(named.split(", ")) == sorted(f"{name} for {heaviest.count(name)} of 3" for name in set(heaviest))
