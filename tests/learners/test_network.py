"""The network of linear units: its twin, its two-class form, classes that appear late, and its theorem."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference

WIDTH = 4
rounds = st.lists(
    st.tuples(st.lists(st.integers(-2, 2), min_size=WIDTH, max_size=WIDTH), st.integers(0, 10)), min_size=1, max_size=40
)


def in_order_of_appearance(labels):
    """Class numbers as a player gives them to names it has not seen."""
    numbers = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


@pytest.mark.parametrize("updates", ["winner", "each"])
@pytest.mark.parametrize("margin", [0, 2])
@pytest.mark.parametrize("form", [np.array, sp.csr_array])
@given(played=rounds)
def test_agrees_with_its_twin_while_classes_appear(updates, margin, form, played):
    X, names = np.array([x for x, _ in played], float), [f"class {y}" for _, y in played]
    player = ls.Player(ls.Network(ls.Perceptron(margin=margin), updates))
    guesses, codes = player.replay(next(ls.Recorded(form(X), names).chunks()))
    expected, weights = reference.network(
        [(x, y) for (x, _), y in zip(played, in_order_of_appearance(names), strict=True)], WIDTH, margin, 1, updates
    )
    assert codes.tolist() == in_order_of_appearance(names)
    assert guesses.tolist() == expected
    assert guesses[0] == 0  # whatever name that class gets
    units = player.state.weights.reshape(-1, len(player.state.bias))
    for c, unit in weights.items():
        assert [*units[:WIDTH, c], player.state.bias[c]] == unit


@given(played=rounds)
def test_live_rounds_chunks_and_the_whole_stream_end_in_the_same_state(played):
    X, names = np.array([x for x, _ in played], float), [y + 5 for _, y in played]
    whole, cut, live = (ls.Player(ls.Network(ls.AveragedPerceptron())) for _ in range(3))
    ls.play(whole, ls.Recorded(X, names))
    half = len(X) // 2
    ls.play(cut, ls.Recorded(X[:half], names[:half])) if half else None
    ls.play(cut, ls.Recorded(X[half:], names[half:]))
    for x, y in zip(X, names, strict=True):
        live.update(x, y)
    assert whole.tally == cut.tally == live.tally
    for player in (cut, live):
        assert np.allclose(player.score(X[0]), whole.score(X[0]), rtol=0, atol=0)


@pytest.mark.parametrize(
    "unit", [ls.Perceptron(), ls.Perceptron(margin=1), ls.AveragedPerceptron(), ls.AggressivePerceptron()], ids=repr
)
def test_a_network_of_two_classes_plays_the_same_game_as_its_unit(unit):
    rng = np.random.default_rng(6)
    X, y = rng.integers(-3, 4, size=(500, 6)).astype(float), rng.random(500) < 0.5
    alone = ls.play(unit, ls.Recorded(X, y))
    scaled = ls.Perceptron(margin=2 * unit.margin) if unit == ls.Perceptron(margin=1) else unit
    pair = ls.play(ls.Network(scaled), ls.Recorded(X, y))
    assert (alone.mistakes, alone.updates) == (pair.mistakes, pair.updates)


def test_one_against_all_is_one_binary_learner_for_each_class():
    rng = np.random.default_rng(8)
    X, y = rng.integers(-3, 4, size=(400, 6)).astype(float), rng.integers(0, 3, 400)
    player = ls.Player(ls.Network(ls.Perceptron(), "each"), classes=(0, 1, 2))
    ls.play(player, ls.Recorded(X, y))
    units = player.state.weights.reshape(-1, len(player.state.bias))
    for c in range(3):
        alone = ls.play(ls.Perceptron(), ls.Recorded(X, y == c)).player.state
        assert units[:6, c].tolist() == alone.weights.tolist()
        assert player.state.bias[c] == alone.bias[0]


def test_multiclass_passive_aggressive_reaches_its_margin_at_once():
    player = ls.Player(ls.Network(ls.PassiveAggressive("0")), classes="abc")
    for x, y in (([1.0, 2.0], "b"), ([2.0, -1.0], "c"), ([0.5, 0.5], "a")):
        own, before = "abc".index(y), player.score(x)
        rival = max((c for c in range(3) if c != own), key=lambda c: before[c])
        player.update(x, y)
        assert player.score(x)[own] - player.score(x)[rival] == pytest.approx(1)


def test_never_exceeds_the_multiclass_bound_on_separable_data():
    rng = np.random.default_rng(3)
    for k in (3, 5):
        U = rng.integers(-3, 4, size=(k, 6))
        X = rng.integers(-3, 4, size=(400, 6))
        top = np.sort(X @ U.T, axis=1)
        X = X[top[:, -1] > top[:, -2]]
        gaps = np.sort(X @ U.T, axis=1)
        gamma, radius = int((gaps[:, -1] - gaps[:, -2]).min()), int((X**2).sum(axis=1).max())
        player = ls.Player(ls.Network(ls.Perceptron(bias=0)), classes=range(k))
        for _ in range(10):
            ls.play(player, ls.Recorded(X.astype(float), (X @ U.T).argmax(axis=1)))
        assert 0 < player.tally.updates <= Fraction(2 * radius * int((U**2).sum()), gamma**2)


def test_probabilities_of_all_classes_sum_to_one_and_follow_the_scores():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(900, 5))
    y = np.array(["x", "y", "z"])[X[:, :3].argmax(axis=1)]
    player = ls.play(ls.Network(ls.AveragedPerceptron()), ls.Recorded(X, y)).player
    chances = player.probability(X[0])
    assert chances.sum() == pytest.approx(1)
    assert player.labels.names[int(np.argmax(chances))] == player.predict(X[0])
    assert chances.argsort().tolist() == player.score(X[0]).argsort().tolist()


def test_a_binary_learner_refuses_a_third_class_and_names_network():
    player = ls.Player(ls.Perceptron())
    player.update([1, 0], "a")
    player.update([0, 1], "b")
    with pytest.raises(ls.errors.BadLabel, match="Network"):
        player.update([1, 1], "c")
    assert player.tally.rounds == 2


def test_winnow_units_learn_disjunctions_one_against_all():
    rng = np.random.default_rng(2)
    X = (rng.random((1500, 40)) < 0.1).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 0, "ab", np.where(X[:, 7] > 0, "c", "none"))
    player = ls.play(ls.Network(ls.Winnow(), "each"), ls.Recorded(X, y)).player
    for c, name in enumerate(player.labels.names):
        alone = ls.Player(ls.Winnow(threshold=40), classes=(False, True))
        met = int(np.flatnonzero(y == name)[0])
        if c < 2:  # classes 0 and 1 are there from the first round, later ones from their debut
            met = 0
        ls.play(alone, ls.Recorded(X[met:], y[met:] == name))
        assert player.state.units[c].weights.tolist() == alone.state.weights.tolist()


def test_refuses_what_is_not_a_linear_unit():
    with pytest.raises(ls.errors.BadParameter, match="linear learner"):
        ls.Network(ls.Halving(ls.Thresholds(3)))
    with pytest.raises(ls.errors.BadParameter, match='updates="each"'):
        ls.Network(ls.Winnow())
    with pytest.raises(ls.errors.BadParameter, match="winner"):
        ls.Network(ls.Perceptron(), updates="loser")
