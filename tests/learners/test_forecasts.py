"""Learners for log-loss: twins, gold cases, scale, the guard, late classes, importance, and room that grows."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Row
from littlestone.base.learner import Size
from littlestone.learners import AdaGrad, Aioli, Coin, Logistic
from littlestone.learners.shared.forecaster_state import SAID
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
