"""The diagonal second-order learner: its twin, its gold cases, a network of it, and its bound attacked."""

from fractions import Fraction
from math import log1p, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import BadParameter
from reference import diagonal_second_order
from row_games import agree, noisy, scores_of

AND = [([0, 0, 1], -1), ([0, 1, 1], -1), ([1, 0, 1], -1), ([1, 1, 1], 1)]


@given(st.integers(1, 4).flatmap(noisy), st.sampled_from([(1, 0), (Fraction(1, 4), 0), (2, Fraction(1, 2))]))
def test_agrees_with_its_twin_on_noisy_rounds(rounds, parameters):
    r, margin = parameters
    learner = ls.DiagonalSecondOrder(float(r), float(margin), bias=0)
    theirs, total, diagonal, _ = diagonal_second_order(rounds, r, margin)
    ours, state = scores_of(learner, rounds)
    if agree(ours, theirs, edges=(float(margin), -float(margin))) == len(rounds):
        assert state.weights[::2].tolist() == [float(x) for x in total]
        assert (state.weights[1::2] + float(r)).tolist() == [float(x) for x in diagonal]


@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_the_gold_case_of_and(bias):
    rounds = AND * 5
    _, total, diagonal, updates = diagonal_second_order(rounds)
    assert (total, diagonal, len(updates)) == ([1, 1, -2], [4, 4, 7], 6)
    assert updates[-1] < 8  # silent from the third sweep on
    X = np.array([x for x, _ in rounds], float)[:, : 2 if bias else 3]
    stream = ls.Recorded(X, [y for _, y in rounds], classes=[-1, 1])
    game = ls.play(ls.DiagonalSecondOrder(bias=bias), stream)
    state = game.player.state
    sums, squares = (
        np.concatenate((state.weights[part::2], state.bias[part : part + 1] if bias else [])) for part in (0, 1)
    )
    assert (sums.tolist(), squares.tolist()) == ([1, 1, -2], [3, 3, 6])
    assert game.updates == 6


def test_a_margin_that_scores_never_reach_updates_for_ever():
    rounds = AND * 40
    scores, total, _, updates = diagonal_second_order(rounds, margin=1)
    assert (len(updates), total) == (160, [0, 0, -80])
    assert sum(y * s <= 0 for (_, y), s in zip(rounds, scores, strict=True)) == 41
    stream = ls.Recorded([x[:2] for x, _ in rounds], [y for _, y in rounds], classes=[-1, 1])
    game = ls.play(ls.DiagonalSecondOrder(margin=1.0), stream)
    assert (game.updates, game.player.state.bias.tolist()) == (160, [-80, 160])


def test_a_network_of_winners_is_the_learner_over_blocks():
    rng = np.random.default_rng(3)
    X, y = rng.integers(-2, 3, (80, 3)).astype(float), rng.integers(0, 3, 80)
    network = ls.Network(ls.DiagonalSecondOrder(ridge=0.5, margin=0.25, bias=0))
    player = ls.Player(network, classes=(0, 1, 2))
    total, squares = np.zeros((3, 3)), np.full((3, 3), 0.5)
    for x, label in zip(X, y.tolist(), strict=True):
        scores = (x * total / (squares + x * x)).sum(axis=1)
        assert player.score(x) == pytest.approx(scores, rel=1e-12, abs=1e-12)
        rival = max((c for c in range(3) if c != label), key=lambda c: (scores[c], -c))
        if scores[label] - scores[rival] <= 0.25:
            for c, sign in ((label, 1), (rival, -1)):
                total[c] += sign * x
                squares[c] += x * x
        player.update(x, label)
    assert player.tally.updates > 20
    with pytest.raises(NotImplementedError, match="no weight for each attribute"):
        network.plane(player.state)


def test_no_comparator_breaks_the_bound_and_one_nearly_attains_it():
    """For any rounds, any u; a single short row and u = 1 / x attain it in the limit."""
    rng, largest = np.random.default_rng(0), 0.0
    for game in range(60):
        d, r, margin = rng.integers(1, 4), rng.choice([0.1, 1.0, 10.0]), rng.choice([0.0, 0.5])
        X = rng.normal(size=(rng.integers(1, 40), d)) * (0.01 if game % 5 == 0 else 1)
        y = np.where(rng.random(len(X)) < 0.5, 1, -1)
        scores, _, _, updates = diagonal_second_order(list(zip(X.tolist(), y.tolist(), strict=True)), r, margin)
        z, ahead = (X * y[:, None])[updates], sum(max(0.0, float(y[t] * scores[t])) for t in updates)
        squares = (z**2).sum(axis=0)
        charge = sum(log1p(s / r) for s in squares) + 2 * ahead
        for u in (*rng.normal(size=(8, d)), z[0] / (z[0] @ z[0]), z.sum(axis=0) / (r + squares)):
            bound = np.maximum(0, 1 - z @ u).sum() + sqrt(((r + squares) * u * u).sum() * charge)
            assert len(updates) <= bound * (1 + 1e-12)
            largest = max(largest, len(updates) / bound)
    assert largest > 0.96


def test_refuses_what_it_cannot_use():
    for wrong in ({"ridge": 0}, {"margin": -1}, {"bias": -1}):
        with pytest.raises(BadParameter, match=next(iter(wrong))):
            ls.DiagonalSecondOrder(**wrong)
