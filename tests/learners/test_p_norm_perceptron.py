"""The p-norm perceptron: its twin, the perceptron inside it, and its bound in the right pair of norms."""

from fractions import Fraction
from math import e, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadParameter, NotCertified
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Perceptron, PNormPerceptron
from reference import p_norm_perceptron
from row_games import noisy, scores_of


@given(st.integers(1, 4).flatmap(noisy), st.integers(2, 5))
def test_agrees_with_its_twin_exactly_on_integers(rounds, p):
    ours, state = scores_of(learner := PNormPerceptron(p, bias=0), rounds)
    theirs, t = p_norm_perceptron(rounds, p)
    assert ours == theirs
    assert state.weights[1::2].tolist() == t
    assert learner.moves(state) == sum(y * s <= 0 for (_, y), s in zip(rounds, theirs, strict=True))


@given(noisy(3), st.sampled_from([0.0, 1.0, 2.0]))
def test_with_p_2_it_is_the_perceptron(rounds, bias):
    ours, state = scores_of(PNormPerceptron(2, bias), rounds)
    theirs, weights = scores_of(Perceptron(bias=bias), rounds)
    assert ours == theirs
    assert (state.weights[::2] == weights.weights).all()


@given(st.integers(0, 2**32), st.integers(3, 12), st.sampled_from([2.0, 3.0, 4.5, None]))
def test_never_exceeds_its_bound_on_separable_rounds(seed, d, p):
    rng = np.random.default_rng(seed)
    learner = PNormPerceptron.tuned(d, bias=0) if p is None else PNormPerceptron(p, bias=0)
    X, u = rng.choice([-1.0, 1.0], (60, d)), np.zeros(d)
    u[:1] = 1.0  # one attribute decides
    y = X @ u
    player = play(learner, Recorded(X, y)).player
    made = player.tally.updates + play(player, Recorded(X, y)).updates
    p, q = learner.power, learner.power / (learner.power - 1)
    radius, norm = (np.abs(X) ** p).sum(1).max() ** (1 / p), (np.abs(u) ** q).sum() ** (1 / q)
    assert learner.bound(margin=1, radius=radius * 1.000001, norm=norm).allows(made)
    if d >= 3 and p == 2 * log(d):
        assert made <= e * (2 * log(d) - 1)


def test_the_bound_is_attained_by_basis_vectors_at_p_2():
    X = np.eye(9)
    game = play(PNormPerceptron(2.0, bias=0), Recorded(X, np.ones(9)))
    assert game.updates == 9 == PNormPerceptron(2.0).bound(margin=Fraction(1, 3)).value


def test_tuning_takes_twice_the_logarithm_and_never_less_than_two():
    assert PNormPerceptron.tuned(99).power == 2 * log(100)
    assert PNormPerceptron.tuned(99, bias=0).power == 2 * log(99)
    assert PNormPerceptron.tuned(1).power == 2


def test_refuses_bad_parameters():
    for bad in ({"power": 1.5}, {"power": float("inf")}, {"bias": -1}):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            PNormPerceptron(**bad)
    with pytest.raises(NotCertified):
        PNormPerceptron().bound()
    with pytest.raises(BadParameter):
        PNormPerceptron().bound(margin=1, radius=0)
