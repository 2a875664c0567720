"""The second-order perceptron: its twin, which solves the paper's equations anew each round, and its theorem."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadParameter
from littlestone.base.learner import Size
from littlestone.learners import SecondOrderPerceptron
from reference import second_order_perceptron
from row_games import agree, noisy, scores_of


@given(
    st.integers(1, 4).flatmap(lambda d: noisy(d, longest=14)),
    st.sampled_from([Fraction(1), Fraction(3), Fraction(1, 2)]),
)
def test_agrees_with_its_twin_on_noisy_rounds(rounds, a):
    ours, state = scores_of(learner := SecondOrderPerceptron(float(a)), rounds)
    theirs, M = second_order_perceptron(rounds, a), learner.matrix(learner.start(Size(len(rounds[0][0]))))
    for t, ((x, y), score, exact) in enumerate(zip(rounds, ours, theirs, strict=True)):
        spread = np.array(x) @ M @ np.array(x)
        # the paper has x in its matrix as well, which divides the score and leaves its sign
        assert score / (1 + spread) == pytest.approx(float(exact), rel=1e-7, abs=1e-9), f"round {t + 1}"
        if score != exact and abs(exact) < 1e-9:
            return  # rounding decides from here on
        if y * exact <= 0:
            M = np.linalg.inv(np.linalg.inv(M) + np.outer(x, x))
    assert learner.matrix(state) == pytest.approx(M, rel=1e-6, abs=1e-9)


@given(noisy(3, longest=40), st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.sampled_from([0.5, 1.0, 4.0]))
def test_never_exceeds_its_bound_for_any_comparator(rounds, u, a):
    scores, state = scores_of(learner := SecondOrderPerceptron(a), rounds)
    taught = [(np.array(x), y) for (x, y), score in zip(rounds, scores, strict=True) if y * score <= 0 and any(x)]
    assert learner.moves(state) == len(taught)
    X = sum((np.outer(x, x) for x, _ in taught), np.zeros((3, 3)))
    logarithms = np.log1p(np.maximum(np.linalg.eigvalsh(X), 0) / a).sum()
    for v in (np.array(u, float), np.array(u) / 8):
        hinge = sum(max(0.0, 1 - y * (v @ x)) for x, y in taught)
        assert len(taught) <= hinge + np.sqrt((a * v @ v + v @ X @ v) * logarithms) + 1e-6


def test_its_bound_is_attained_by_the_comparator_zero_on_any_rounds():
    # with u = 0 the bound is the number of update rounds itself
    rounds = [([1, 0], 1), ([0, 1], -1), ([1, 1], -1), ([1, -1], -1)]
    scores, state = scores_of(learner := SecondOrderPerceptron(), rounds)
    assert learner.moves(state) == sum(y * s <= 0 for (_, y), s in zip(rounds, scores, strict=True)) >= 3


def test_long_rows_meet_the_same_matrix():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 45)), rng.choice([-1, 1], 30)
    rounds = [(x.tolist(), int(label)) for x, label in zip(X, y, strict=True)]
    scores, state = scores_of(learner := SecondOrderPerceptron(2.0), rounds)
    M, v = 2.0 * np.eye(45), np.zeros(45)
    theirs = []
    for x, label in zip(X, y, strict=True):
        theirs.append(v @ np.linalg.solve(M, x))
        if label * theirs[-1] <= 0:
            v, M = v + label * x, M + np.outer(x, x)
    assert agree(scores, theirs) == 30
    assert learner.matrix(state) == pytest.approx(np.linalg.inv(M))


def test_refuses_bad_parameters():
    for bad in ({"ridge": 0}, {"ridge": float("nan")}, {"bias": -0.5}):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            SecondOrderPerceptron(**bad)
