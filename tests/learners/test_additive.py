"""What the additive learners share: agreement with the plain twins, with other libraries, and with themselves."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone.base.chunks import Examples
from littlestone.learners.shared.linear import read_rounds
from littlestone.learners.shared.rounds import BINS, EARLY, find_bin

TWINS = [
    (ls.Perceptron(), reference.perceptron, {}),
    (ls.Perceptron(margin=3), reference.perceptron, {"margin": 3}),
    (ls.Perceptron(rate=2, bias=0), reference.perceptron, {"rate": 2, "bias": 0}),
    (ls.Perceptron(tie="plus"), reference.perceptron, {"tie": "plus"}),
    (ls.Perceptron(tie="minus", bias=3), reference.perceptron, {"tie": "minus", "bias": 3}),
    (ls.Perceptron(tie="plus", margin=2), reference.perceptron, {"tie": "plus", "margin": 2}),
    (ls.AggressivePerceptron(), reference.aggressive_perceptron, {}),
    (ls.AggressivePerceptron(bias=0, tie="plus"), reference.aggressive_perceptron, {"bias": 0, "tie": "plus"}),
    (ls.AveragedPerceptron(), reference.averaged_perceptron, {}),
]
FLOATING = [  # steps that are not whole numbers: equal guesses, weights to rounding
    (ls.Perceptron(normalized=True), reference.perceptron, {"normalized": True}),
    (ls.PassiveAggressive("0"), reference.passive_aggressive, {"variant": "0"}),
    (ls.PassiveAggressive("I", aggressiveness=0.1), reference.passive_aggressive, {"aggressiveness": 0.1}),
    (ls.PassiveAggressive("II", bias=0), reference.passive_aggressive, {"variant": "II", "bias": 0}),
    (ls.Alma(), reference.alma, {}),
    (ls.Alma(alpha=1, bias=0), reference.alma, {"alpha": 1, "bias": 0}),
    (ls.Alma(alpha=0.2, margin=3, rate=0.5), reference.alma, {"alpha": 0.2, "margin": 3, "rate": 0.5}),
]
WIDTH = 5
rows = st.lists(st.lists(st.integers(-3, 3), min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=40)


def reported(player: ls.Player) -> list[float]:
    """The weights that the player reports, read off its scores: one attribute at a time, the constant last."""
    origin = player.score(np.zeros(WIDTH))
    return [player.score(row) - origin for row in np.eye(WIDTH)] + [origin]


@pytest.mark.parametrize(
    ("learner", "twin", "options"), TWINS, ids=lambda part: repr(part) if isinstance(part, ls.Learner) else ""
)
@pytest.mark.parametrize("form", [np.array, sp.csr_array])
@given(data=st.data())
def test_agrees_with_its_twin_on_noisy_integers(learner, twin, options, form, data):
    X = data.draw(rows)
    y = data.draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X)))
    player = ls.Player(learner, classes=(False, True))
    stream = ls.Recorded(form(np.array(X, float)), y)
    guesses = [bool(round.guess) for round in ls.play(player, stream, transcript=True).transcript]
    expected, weights, updates = twin(list(zip(X, y, strict=True)), WIDTH, **options)
    assert guesses == expected
    assert player.tally.updates == updates
    weights = [*weights[:WIDTH], weights[WIDTH] * options.get("bias", 1)]
    assert reported(player) == pytest.approx(weights, abs=1e-9 if twin is reference.averaged_perceptron else 0)


@pytest.mark.parametrize(
    ("learner", "twin", "options"), FLOATING, ids=lambda part: repr(part) if isinstance(part, ls.Learner) else ""
)
def test_agrees_with_its_twin_where_steps_are_fractions(learner, twin, options):
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(300, WIDTH)), rng.random(300) < 0.5
    player = ls.Player(learner, classes=(False, True))
    guesses = [bool(round.guess) for round in ls.play(player, ls.Recorded(X, y), transcript=True).transcript]
    expected, weights, updates = twin(list(zip(X.tolist(), y.tolist(), strict=True)), WIDTH, **options)
    assert guesses == expected
    assert player.tally.updates == updates
    weights = [*weights[:WIDTH], weights[WIDTH] * options.get("bias", 1)]
    assert reported(player) == pytest.approx(weights, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("learner", [twin[0] for twin in TWINS + FLOATING], ids=str)
def test_dense_and_sparse_rows_of_integers_play_the_same_game(learner):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-2, 3, size=(200, 40)).astype(float), rng.random(200) < 0.5
    dense, sparse = (ls.play(learner, ls.Recorded(form(X), y)) for form in (np.array, sp.csr_array))
    assert dense.mistakes == sparse.mistakes
    assert dense.player.state.weights == pytest.approx(sparse.player.state.weights, rel=1e-12)


@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("values", [True, False], ids=["values", "all ones"])
def test_the_compiled_loop_equals_its_plain_body_bit_for_bit(real, values):
    rng = np.random.default_rng(5)
    X = sp.random_array((60, 30), density=0.3, rng=rng, dtype=real).tocsr()
    chunk = Examples.of(X, rng.integers(0, 2, 60).astype(np.int32))
    if not values:
        chunk = Examples(chunk.indptr, chunk.indices, None, chunk.labels, chunk.width)
    for learner in (ls.Perceptron(margin=0.5), ls.AveragedPerceptron(), ls.PassiveAggressive("II")):
        states = [learner.start(ls.learner.Size(30, 2, real)) for _ in range(2)]
        played = [np.zeros(60, np.int32) for _ in range(2)]
        learner.loops.replay(states[0], read_rounds(learner, chunk), played[0], learner.params)
        learner.loops.replay.py_func(states[1], read_rounds(learner, chunk), played[1], learner.params)
        assert played[0].tolist() == played[1].tolist()
        for compiled, plain in zip(*states, strict=True):
            assert compiled.tobytes() == plain.tobytes()


@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 7, 8, 16, 20, 31, 32, 33])
def test_dense_rows_held_in_registers_leave_the_bits_of_the_plain_body(real, width):
    rng = np.random.default_rng(width)
    X, y = rng.normal(size=(80, width)).astype(real), rng.integers(0, 2, 80).astype(np.int32)
    X[::9] = 0  # ties
    whole = Examples.of(X, y)
    ragged = Examples(np.array([0, width, 2 * width - 1, 3 * width - 1]), None, whole.values, y[:3], width)
    for learner in (ls.Perceptron(margin=0.5), ls.Perceptron(tie="plus"), ls.PassiveAggressive("II")):
        size = ls.learner.Size(width, 2, real)
        states = [learner.start(size) for _ in range(3)]
        for chunk in (whole[:50], ragged, whole[50:]):
            played = [np.zeros(len(chunk), np.int32) for _ in range(3)]
            marks = [np.zeros(len(chunk)) for _ in range(2)]
            learner.loops.replay(states[0], read_rounds(learner, chunk), played[0], learner.params, marks[0])
            learner.loops.replay.py_func(states[1], read_rounds(learner, chunk), played[1], learner.params, marks[1])
            for t in range(len(chunk)):
                played[2][t] = learner.round(states[2], chunk[t], int(chunk.labels[t]))
            assert played[0].tolist() == played[1].tolist() == played[2].tolist()
            assert marks[0].tobytes() == marks[1].tobytes()
        for compiled, plain, live in zip(*states, strict=True):
            assert compiled.tobytes() == plain.tobytes() == live.tobytes()


def test_a_step_beyond_floats_does_not_spoil_the_unused_lanes_of_a_register():
    chunk = Examples.of(np.ones((2, 1), np.float32), np.array([1, 1], np.int32))
    learner, guesses = ls.Perceptron(), np.zeros(2, np.int32)
    state = learner.start(ls.learner.Size(1, 2, np.float32))
    beyond = learner.params._replace(rate=1e39)  # which no learner has
    learner.loops.replay(state, read_rounds(learner, chunk), guesses, beyond)
    assert guesses.tolist() == [0, 1]
    assert state.weights.tolist() == [math.inf]


def test_perceptron_equals_scikit_learn_on_integers():
    from sklearn.linear_model import Perceptron

    rng = np.random.default_rng(11)
    X, y = rng.integers(-3, 4, size=(400, 12)).astype(float), rng.integers(0, 2, 400)
    theirs = Perceptron(shuffle=False, max_iter=1, tol=None, penalty=None).fit(X, y)
    ours = ls.play(ls.Perceptron(), ls.Recorded(X, y)).player.state
    assert ours.weights.tolist() == theirs.coef_[0].tolist()
    assert ours.bias.tolist() == theirs.intercept_.tolist()


def test_passive_aggressive_equals_scikit_learn():
    from sklearn.linear_model import SGDClassifier

    rng = np.random.default_rng(12)
    X, y = rng.integers(-3, 4, size=(400, 12)).astype(float), rng.integers(0, 2, 400)
    options = {"loss": "hinge", "penalty": None, "shuffle": False, "fit_intercept": False, "max_iter": 1, "tol": None}
    for rate, variant in (("pa1", "I"), ("pa2", "II")):
        theirs = SGDClassifier(learning_rate=rate, eta0=0.25, **options).fit(X, y)
        ours = ls.play(ls.PassiveAggressive(variant, aggressiveness=0.25, bias=0), ls.Recorded(X, y)).player.state
        assert ours.weights == pytest.approx(theirs.coef_[0], rel=1e-9)


def test_averaged_perceptron_equals_scikit_learn_on_integers():
    from sklearn.linear_model import SGDClassifier

    rng = np.random.default_rng(13)
    X, y = rng.integers(-3, 4, size=(400, WIDTH)).astype(float), rng.integers(0, 2, 400)
    options = {"learning_rate": "constant", "eta0": 1, "penalty": None, "shuffle": False, "max_iter": 1, "tol": None}
    theirs = SGDClassifier(loss="perceptron", average=True, fit_intercept=False, **options).fit(X, y)
    ours = ls.play(ls.AveragedPerceptron(bias=0), ls.Recorded(X, y)).player
    assert reported(ours)[:WIDTH] == pytest.approx(theirs.coef_[0], rel=1e-9)


def test_perceptron_equals_river_on_integers():
    from river import linear_model

    rng = np.random.default_rng(14)
    X, y = rng.integers(-3, 4, size=(300, 6)), rng.integers(0, 2, 300)
    theirs = linear_model.Perceptron()
    player = ls.Player(ls.Perceptron(), features=ls.Named())
    for row, label in zip(X, y, strict=True):
        x = {f"a{k}": int(value) for k, value in enumerate(row)}
        theirs.learn_one(x, bool(label))
        player.update(x, bool(label))
    ours = {name: player.state.weights[k] for name, k in player.features.numbers.items()}
    assert ours == {name: theirs.weights.get(name, 0) for name in ours}
    assert player.state.bias[0] == theirs.intercept


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.Perceptron(rate=0),
        lambda: ls.Perceptron(rate=float("nan")),
        lambda: ls.Perceptron(margin=-1),
        lambda: ls.Perceptron(bias=float("inf")),
        lambda: ls.Perceptron(tie="both"),
        lambda: ls.PassiveAggressive("III"),
        lambda: ls.PassiveAggressive(aggressiveness=0),
        lambda: ls.PassiveAggressive(margin=0),
    ],
)
def test_refuses_parameters_that_no_theorem_covers(make):
    with pytest.raises(ls.errors.BadParameter, match="must be"):
        make()


def test_nan_is_refused_before_it_touches_the_state():
    player = ls.Player(ls.Perceptron())
    player.update([1, 0], True)
    before = [part.tobytes() for part in player.state]
    with pytest.raises(ls.errors.BadInstance, match="finite"):
        player.update([float("nan"), 0], False)
    with pytest.raises(ls.errors.BadInstance, match="finite"):
        player.update({0: float("inf")}, False)
    assert [part.tobytes() for part in player.state] == before
    assert player.tally.rounds == 1


def test_attributes_listed_twice_are_summed():
    twice, once = ls.Player(ls.Perceptron()), ls.Player(ls.Perceptron())
    twice.update((np.array([4, 2, 4]), np.array([1.0, 1.0, 2.0])), True)
    once.update({2: 1.0, 4: 3.0}, True)
    assert twice.state.weights.tolist() == once.state.weights.tolist()


def test_weights_grow_on_demand_and_keep_their_values():
    player = ls.Player(ls.AveragedPerceptron(bias=0))
    for attribute in (1, 5, 70, 3000):
        player.update({attribute: 1.0}, True)
    assert [player.score({attribute: 1.0}) for attribute in (1, 5, 70, 3000, 9999)] == [1.0, 0.75, 0.5, 0.25, 0.0]


def test_importance_scales_the_step():
    chunk = Examples.of(np.eye(2), np.array([1, 0], np.int32))
    heavy = Examples(chunk.indptr, chunk.indices, chunk.values, chunk.labels, 2, importance=np.array([2.0, 3.0]))
    player = ls.Player(ls.Perceptron(bias=0))
    player.replay(heavy)
    assert player.state.weights.tolist() == [2.0, -3.0]


def test_probability_rises_with_the_score_and_learns_its_slope_from_mistakes():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(4000, 3))
    noisy = (X[:, 0] > 0) ^ (rng.random(4000) < 0.3)
    clean = X[:, 0] > 0
    sure, unsure = (ls.play(ls.AveragedPerceptron(), ls.Recorded(X, y)).player for y in (clean, noisy))
    for player in (sure, unsure):
        x, far = [1.0, 0, 0], [3.0, 0, 0]
        assert 0.5 < player.probability(x) < player.probability(far) < 1
        assert player.probability([-1.0, 0, 0]) < 0.5
    assert sure.probability([3.0, 0, 0]) > 0.95 > unsure.probability([3.0, 0, 0])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_scores_are_sorted_into_half_octaves(score):
    """By the bits of the float, as `frexp` takes it apart."""
    fraction, exponent = math.frexp(abs(score))
    size = 2 * exponent + (fraction > 0.7071067811865476) + BINS // 4
    expected = min(max(size, 0), BINS // 2 - 1) if score else 0
    assert find_bin(score) == expected + (BINS // 2 if score > 0 else 0)


@pytest.mark.parametrize("cuts", [(), (1000, 1030), (1023, 1024, 1025, 1040, 1041)])
def test_all_early_scores_and_every_sixteenth_later_one_enter_the_histogram(cuts):
    rng, rounds = np.random.default_rng(1), EARLY + 97
    X = np.column_stack((np.ones(rounds), rng.normal(size=rounds)))
    learner = ls.Perceptron(bias=0)
    state = learner.start(ls.learner.Size(2, 2, np.float64))
    state.weights[:] = 1, 0  # every score is 1, and no round teaches
    chunk = Examples.of(X, np.ones(rounds, np.int32))
    for a, b in itertools.pairwise((0, *cuts, rounds)):
        learner.replay(state, chunk[a:b], np.zeros(b - a, np.int32))
        assert state.scores.sum() == sum(t < EARLY or t % 16 == 0 for t in range(b))
    assert state.scores.sum() == state.scores[1, find_bin(1.0)]
