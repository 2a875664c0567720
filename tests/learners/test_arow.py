"""AROW, full and diagonal: its twin, its theorem on noisy rounds, growth, and a published figure."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance, BadParameter, TooLarge
from littlestone.base.learner import Size
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Arow, Network, PNormPerceptron, SecondOrderPerceptron
from reference import arow, arow_network
from row_games import agree, noisy, scores_of


@given(st.integers(1, 4).flatmap(noisy), st.booleans(), st.sampled_from([Fraction(1), Fraction(1, 4), Fraction(8)]))
def test_agrees_with_its_twin_on_noisy_rounds(rounds, diagonal, r):
    learner = Arow(float(r), diagonal)
    theirs, w, S = arow(rounds, r, diagonal)
    ours, state = scores_of(learner, rounds)
    if agree(ours, theirs, edges=(0.0, 1.0)) == len(rounds):
        weights = state.weights[::2] if diagonal else state.weights
        assert weights == pytest.approx([float(entry) for entry in w], rel=1e-6, abs=1e-9)
        assert learner.matrix(state) == pytest.approx(np.array(S, float), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("updates", ["winner", "each"])
@given(noisy(4, longest=30), st.sampled_from([1.0, 0.25, 8.0]), st.integers(0, 2**32))
def test_a_network_of_diagonals_agrees_with_its_twin(updates, rounds, r, seed):
    """The true class steps towards x by its variances, the best other one away from it; or each on its own."""
    labels = np.random.default_rng(seed).integers(0, 3, len(rounds)).tolist()
    rounds = [(x, label) for (x, _), label in zip(rounds, labels, strict=True)]
    learner = Network(Arow(r, diagonal=True), updates)
    theirs, w = arow_network(rounds, 3, r, updates)
    state = learner.start(Size(4, 3))
    for (x, y), expected in zip(rounds, theirs, strict=True):
        row = Row(None, np.array(x, float))
        assert learner.score(state, row)[:3] == pytest.approx(expected, rel=1e-6, abs=1e-9)
        gaps = [expected[y] - max(expected[:y] + expected[y + 1 :])] if updates == "winner" else map(abs, expected)
        tied = any(abs(a - b) < 1e-9 and (a, b) != (0, 0) for a, b in itertools.combinations(expected, 2))
        if tied or min(abs(gap - 1) for gap in gaps) < 1e-9:
            break  # rounding may decide
        learner.round(state, row, y)
    else:
        assert learner.plane(state)[0].T == pytest.approx(np.array(w), rel=1e-6, abs=1e-9)


def test_a_network_of_diagonals_plays_alike_live_in_chunks_and_with_late_classes():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 6)), np.array(list("abcd"))[np.minimum(rng.integers(0, 4, 200), np.arange(200) // 20)]
    learner = Network(Arow(2.0, diagonal=True, bias=1.0))
    whole = play(learner, Recorded(X, y)).player
    live = Player(learner)
    for row, label in zip(X, y, strict=True):
        live.update(row, str(label))
    assert live.tally == whole.tally
    met = len(whole.labels)
    assert met == 4
    for one, other in zip(learner.plane(live.state), learner.plane(whole.state), strict=True):
        assert one[: other.shape[0]].tobytes() == other.tobytes()
    weighted = replace(Examples.of(X, np.zeros(200, np.int32)), importance=np.ones(200))
    with pytest.raises(BadInstance, match="every round once"):
        learner.replay(learner.start(Size(6, 2)), weighted, np.zeros(200, np.int32))


def test_the_full_matrix_has_no_shared_loops_and_learns_each_class_on_its_own():
    with pytest.raises(BadParameter, match='updates="each"'):
        Network(Arow())
    with pytest.raises(BadParameter, match='updates="each"'):
        Network(PNormPerceptron())
    X, y = np.eye(3).repeat(4, axis=0), np.arange(3).repeat(4)
    for unit in (Arow(), PNormPerceptron()):
        assert play(Network(unit, "each"), Recorded(X, y)).mistakes <= 6


@given(noisy(3, longest=40), st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.sampled_from([0.5, 1.0, 4.0]))
def test_never_exceeds_its_bound_for_any_comparator(rounds, u, r):
    learner = Arow(r)
    scores, state = scores_of(learner, rounds)
    taught = [(np.array(x), y, score) for (x, y), score in zip(rounds, scores, strict=True) if y * score < 1]
    X = sum((np.outer(x, x) for x, _, _ in taught), np.zeros((3, 3)))
    mistakes, others = sum(y * s <= 0 for _, y, s in taught), sum(y * s > 0 for _, y, s in taught)
    for v in (np.array(u, float), np.array(u) / 8, np.zeros(3)):
        hinge = sum(max(0.0, 1 - y * (v @ x)) for x, y, _ in taught)
        spread = np.sqrt(r * v @ v + v @ X @ v) * np.sqrt(np.linalg.slogdet(np.eye(3) + X / r)[1] + others)
        assert mistakes <= spread + hinge - others + 1e-6
    assert learner.moves(state) == sum(any(x) for x, _, _ in taught)


def test_an_agreement_of_one_teaches_nothing():
    learner = Arow()
    state = learner.start(Size(1))
    x = Row(None, np.array([1.0]))
    state.weights[0] = 1.0
    learner.round(state, x, 1)
    assert learner.moves(state) == 0
    state.weights[0] = np.nextafter(1, 0)
    learner.round(state, x, 1)
    assert learner.moves(state) == 1


def test_with_unit_regularization_its_step_is_that_of_the_second_order_perceptron():
    rounds = [([1, 2, 0], 1), ([2, 1, 1], -1), ([0, 3, 1], -1)]  # every round is a mistake for both
    states = [scores_of(learner, rounds)[1] for learner in (Arow(), SecondOrderPerceptron())]
    assert [state.counts[1] for state in states] == [3, 3]
    assert all((a == b).all() for a, b in zip(*states, strict=True))


@pytest.mark.parametrize("diagonal", [False, True])
def test_new_attributes_start_where_old_ones_did(diagonal):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-2, 3, (30, 40)).astype(float), rng.choice([-1, 1], 30)
    X[:15, 3:] = 0
    learner = Arow(diagonal=diagonal, bias=1.0)
    whole, grown = learner.start(Size(40)), learner.start(Size(3))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        if t == 15:
            grown = learner.grow(grown, Size(40))
        row = Row(None, x).to_sparse()
        assert learner.round(whole, row, int(label > 0)) == learner.round(grown, row, int(label > 0))
    assert all((a == b).all() for a, b in zip(whole, grown, strict=True))


@pytest.mark.parametrize("diagonal", [False, True])
def test_the_bias_is_a_constant_attribute(diagonal):
    rng = np.random.default_rng(4)
    X, y = rng.integers(-2, 3, (40, 3)).astype(float), rng.choice([-1, 1], 40)
    kept = play(Arow(diagonal=diagonal, bias=2.0), Recorded(X, y)).player
    folded = play(Arow(diagonal=diagonal), Recorded(np.column_stack((np.full(40, 2.0), X)), y)).player
    weights = folded.state.weights[::2] if diagonal else folded.state.weights
    ours = kept.state.weights[::2] if diagonal else kept.state.weights
    assert [kept.state.bias[0], *ours] == pytest.approx(weights)
    assert kept.learner.matrix(kept.state) == pytest.approx(folded.learner.matrix(folded.state))
    assert kept.tally == folded.tally
    assert kept.probability([1, 2, 0]) == pytest.approx(folded.probability([2, 1, 2, 0]))


def test_float32_rows_are_learned_in_their_own_type_where_that_is_safe():
    X, y = np.array([[1, 2], [2, -1]], np.float32), [True, False]
    assert play(Arow(diagonal=True), Recorded(X, y)).player.state.weights.dtype == np.float32
    assert play(Arow(), Recorded(X, y)).player.state.weights.dtype == np.float64
    wide, narrow = (play(Arow(), Recorded(X.astype(kind), y)).player.state.weights for kind in (np.float64, np.float32))
    assert narrow == pytest.approx(wide)


@pytest.mark.parametrize("diagonal", [False, True])
def test_refuses_what_it_cannot_use(diagonal):
    for bad in ({"regularization": 0}, {"regularization": float("inf")}, {"bias": -1}):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            Arow(diagonal=diagonal, **bad)
    learner = Arow(diagonal=diagonal)
    chunk = Examples.of(np.ones((1, 2)), np.ones(1, np.int32))
    weighty = Examples(chunk.indptr, None, chunk.values, chunk.labels, 2, np.array([2.0]))
    with pytest.raises(BadInstance, match="importance"):
        learner.replay(learner.start(Size(2)), weighty, np.zeros(1, np.int32))


def test_a_matrix_too_large_for_memory_is_refused_and_its_diagonal_is_not():
    with pytest.raises(TooLarge, match="at most"):
        Arow().start(Size(1 << 20))
    assert len(Arow(diagonal=True).start(Size(1 << 20)).weights) == 1 << 21
