"""ROMMA: its steps by hand and against its twin, its bound under attack and attained, and where it starts again."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone.base.chunks import Row
from littlestone.base.learner import Size, copy_state
from littlestone.base.theorem import StepFacts


def weights_of(player):
    return player.learner.plane(player.state)[0].ravel()


def allowed(learner, u, X):
    """The bound of the theorem for a target of whole weights and positive rows."""
    reach, margin = int((X**2).sum(axis=1).max()), Fraction(int((X @ u).min()))
    return learner.theorems()[0].value(StepFacts(Fraction(int(u @ u)), Fraction(reach), margin))


def test_the_gold_run_by_hand():
    player = ls.Player(ls.Romma(bias=0))
    player.update([2.0, 0.0], True)
    assert weights_of(player).tolist() == [0.5, 0]
    player.update([-1.0, 1.0], True)  # a = -1/2, |x|^2 |w|^2 = 1/2, q = 1/4: c = 4, d = 1.5
    assert weights_of(player).tolist() == [0.5, 1.5]
    player.update([1.0, -1.0], False)  # the same row: its margin is 1
    player.update([4.0, 1.0], True)
    assert player.tally.updates == 2


@pytest.mark.parametrize("aggressive", [False, True])
@pytest.mark.parametrize(("bias", "noise"), [(0, 0.0), (0.5, 0.0), (1, 0.05), (1, 0.5)])
def test_agrees_with_its_twin(aggressive, bias, noise):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 5))
    y = (X @ rng.normal(size=5) > 0) ^ (rng.random(300) < noise)
    player = ls.Player(ls.Romma(aggressive, bias), classes=(False, True))
    game = ls.play(player, ls.Recorded(X, y), transcript=True)
    expected, weights, updates = reference.romma(list(zip(X.tolist(), y, strict=True)), 5, aggressive, bias)
    assert [bool(round.guess) for round in game.transcript] == expected
    assert player.tally.updates == updates
    assert weights_of(player)[:5] == pytest.approx(weights[:5], rel=1e-4)


def test_every_mistake_makes_the_weights_longer_and_agrees_with_what_was_there():
    rng = np.random.default_rng(4)
    target = rng.normal(size=6)
    player = ls.Player(ls.Romma(bias=0))
    mistakes = 0
    for x in rng.normal(size=(400, 6)):
        label, before = bool(x @ target > 0), weights_of(player)[:6] if mistakes else np.zeros(6)
        updates = player.tally.updates
        player.update(x, label)
        if player.tally.updates > updates:
            w, z = weights_of(player)[:6], x if label else -x
            assert z @ w == pytest.approx(1)
            assert w @ before >= before @ before * (1 - 1e-9)
            assert w @ w >= (before @ before + 1 / (x @ x)) * (1 - 1e-9)
            mistakes += 1
    assert mistakes > 5


@pytest.mark.parametrize("aggressive", [False, True])
@given(seed=st.integers(0, 10**6))
def test_never_exceeds_its_bound_on_separable_data(aggressive, seed):
    rng = np.random.default_rng(seed)
    u, X = rng.integers(-4, 5, size=5), rng.integers(-4, 5, size=(60, 5))
    X = X[X @ u > 0]
    if len(X) == 0:
        return
    learner = ls.Romma(aggressive, bias=0)
    player = ls.Player(learner, classes=(False, True))
    for _ in range(20):
        signs = rng.choice([-1, 1], len(X))
        ls.play(player, ls.Recorded(X * signs[:, None].astype(float), signs > 0))
    counted = player.tally.mistakes if aggressive else player.tally.updates
    assert counted <= allowed(learner, u, X)


@pytest.mark.parametrize("aggressive", [False, True])
@pytest.mark.parametrize("u", [(1,), (1, 0), (1, 1), (2, -1), (1, 1, 1)], ids=str)
def test_no_order_of_rows_forces_more_mistakes_than_the_theorem_allows(u, aggressive):
    rows = np.array([x for x in product((-1, 0, 1), repeat=len(u)) if np.dot(u, x) > 0])
    learner = ls.Romma(aggressive, bias=0)
    limit, states = allowed(learner, np.array(u), rows), {}

    @cache
    def mistakes(key, depth):
        """The most mistakes, aggressive updates between them left out, in any order of rounds."""
        worst = 0
        for x in rows.astype(float):
            state = copy_state(states[key])
            row = Row(None, x)
            score = learner.score(state, row)
            learner.round(state, row, 1)
            after = state.weights.round(9).tobytes() + state.scale.round(9).tobytes()
            if score <= 0 and depth <= limit:
                states[after] = state
                worst = max(worst, 1 + mistakes(after, depth + 1))
        return worst

    states[b""] = learner.start(Size(len(u)))
    assert 1 <= mistakes(b"", 0) <= limit


def test_basis_vectors_force_every_mistake_that_the_theorem_allows():
    for n in (1, 2, 4, 9, 50):
        player = ls.Player(ls.Romma(bias=0), classes=(False, True))
        for x in np.eye(n):
            player.update(x, not player.predict(x))
        assert player.tally.mistakes == n == allowed(ls.Romma(), np.ones(n, int), np.eye(n, dtype=int))


def test_opposite_rows_start_again():
    player = ls.Player(ls.Romma(bias=0))
    player.update([4.0, 0.0], True)
    player.update([-2.0, 0.0], True)  # no v has 4 v1 >= 1 and -2 v1 >= 1
    assert weights_of(player).tolist() == [-0.5, 0]
    assert player.state.scale[0] == 1


def test_weights_stay_finite_where_no_target_agrees():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(20000, 4)), rng.random(20000) < 0.5
    for aggressive in (False, True):
        game = ls.play(ls.Romma(aggressive), ls.Recorded(X, y))
        w = weights_of(game.player)
        assert game.updates > 5000
        assert np.isfinite(w).all()
        assert w @ w < 2**42
        kept = np.append(game.player.state.weights, game.player.state.bias)
        assert game.player.state.scale[1] == pytest.approx(kept @ kept, rel=1e-6)


def test_an_aggressive_update_ends_with_margin_one_and_may_forget_the_past():
    player = ls.Player(ls.Romma(aggressive=True, bias=0))
    player.update([4.0, 0.0], True)  # w = (1/4, 0)
    player.update([1.0, 0.0], True)  # agreement 1/4 < 1, |x|^2 |w|^2 = 1/16 <= 1/4: (1, 0) alone
    assert weights_of(player).tolist() == [1, 0]
    player.update([1.0, 0.0], True)
    assert player.tally.updates == 2


def test_a_budget_needs_a_target_that_agreed_so_far():
    player = ls.Player(ls.Romma(bias=0))
    player.update([1.0, 0.0], True)
    learner, state = player.learner, player.state
    assert learner.remaining(state, [1, 1], margin=1, reach=1).value == 1  # |u|^2 - |w|^2 = 2 - 1
    with pytest.raises(ls.errors.NotCertified, match="earlier rounds"):
        learner.remaining(state, [0, 1], margin=1, reach=1)
