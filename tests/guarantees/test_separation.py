import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import littlestone as ls
from littlestone import Nature, Perceptron, Player, Recorded, play, separable
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotCertified
from reference import perceptron_cycle

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def zero_sum(X, y, multiples, bias=1):
    """The sum of whole multiples of y (x, bias), in fractions."""
    sums = [Fraction(0)] * (len(X[0]) + 1)
    for t, count in multiples.items():
        sign = 1 if y[t] else -1
        for j, value in enumerate([*X[t], bias]):
            sums[j] += count * sign * Fraction(value)
    return not any(sums)


def test_exclusive_or_is_not_separable_and_every_row_is_needed_once():
    found = separable(Recorded(CORNERS, [False, True, True, False]))
    assert not found
    assert found.multiples == {0: 1, 1: 1, 2: 1, 3: 1}
    assert found.updates is None
    assert "4 of 4 rounds, taken 1 time each" in str(found)


def test_conjunction_is_separable_with_the_margin_of_the_textbook():
    stream = Recorded(CORNERS, [False, False, False, True])
    found = separable(stream)
    assert found
    assert found.margin == pytest.approx(17**-0.5, rel=1e-5)
    assert found.margin <= 17**-0.5 <= found.limit * (1 + 1e-9)
    assert found.updates == 51
    assert found.check(stream)


def test_of_all_functions_of_three_bits_104_are_separable():
    rows = list(product((0, 1), repeat=3))
    answers = 0
    for labels in product((False, True), repeat=8):
        found = separable(Recorded([list(row) for row in rows], list(labels)))
        assert found.check(Recorded([list(row) for row in rows], list(labels)))
        answers += bool(found)
    assert answers == 104  # Muroga's count of threshold functions


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.lists(st.integers(-3, 3), min_size=2, max_size=2), st.booleans()), min_size=1, max_size=12)
)
def test_it_agrees_with_the_perceptron_that_stops_or_returns_to_where_it_was(rounds):
    X, y = [x for x, _ in rounds], [label for _, label in rounds]
    found = separable(Recorded(X, y))
    repeats = perceptron_cycle([[*x, 1] for x in X], [1 if label else -1 for label in y], 3000)
    assert bool(found) == (repeats is None)
    if found:
        u = [*found.weights, found.constant]
        scores = [(1 if label else -1) * sum(a * b for a, b in zip(u, [*x, 1], strict=True)) for x, label in rounds]
        assert min(scores) > 0
        assert min(scores) / np.linalg.norm(u) >= found.margin * (1 - 1e-12)
    else:
        assert zero_sum(X, y, found.multiples)
        assert zero_sum(X, y, {t: count for t, count in enumerate(repeats) if count})


def test_the_perceptron_stops_within_the_updates_it_names():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 6)).astype(float)
    y = X @ np.array([3, 2, 2, -1, -1, 0]) > 2.5
    found, player = separable(Recorded(X, y)), Player(Perceptron())
    while (game := play(player, Recorded(X, y))).updates:
        pass
    assert game.updates == 0
    assert player.tally.updates <= found.updates


def test_one_instance_with_both_labels_is_proof_enough_wherever_it_comes():
    X = np.arange(20.0).reshape(10, 2)
    X[7] = X[2]
    y = np.arange(10) % 3 == 0
    y[[2, 7]] = True, False
    found = separable(Recorded(csr_matrix(X), y))
    assert found.multiples == {2: 1, 7: 1}
    assert found.check(Recorded(X, y))


def test_what_floats_cannot_tell_is_decided_in_whole_numbers():
    """0.1 + 0.2 lies above 0.3 by one unit in the last place, 54 bits below the constant attribute."""
    stream = Recorded([[0.3], [0.1 + 0.2]], [False, True])
    assert separable(stream).check(stream)
    near = Recorded([[0.3], [0.3 + 2**-30]], [False, True])
    assert separable(near).check(near)


def test_rows_that_differ_in_the_last_bit_are_decided():
    stream = Recorded([[3, 0], [2, -1073741824.0], [3, 9.313225746154785e-10]], [False, False, True])
    found = separable(stream)
    assert found
    assert found.check(stream)
    exclusive = Recorded([[0.3, 1], [0.1 + 0.2, 1], [0.3, -1], [0.1 + 0.2, -1]], [False, True, True, False])
    assert separable(exclusive).multiples == {0: 1, 1: 1, 2: 1, 3: 1}


@pytest.mark.parametrize("size", [1e-170, 1e-320, 1e300])
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_values_whose_squares_are_no_floats_are_decided(size, bias):
    stream = Recorded([[size], [-size]], [True, False])
    found = separable(stream, bias=bias)
    assert found
    assert found.check(stream)
    assert 0 < found.margin <= Fraction(size)
    assert found.updates >= int(1 + (Fraction(bias) / Fraction(size)) ** 2)  # what the widest margin allows, or more
    assert json.loads(json.dumps(found.record(), allow_nan=False))["separable"]
    assert "separable: " in str(found)
    both = separable(Recorded([[size], [size]], [True, False]), bias=bias)
    assert both.multiples == {0: 1, 1: 1}


def test_a_vector_that_no_floats_come_near_is_given_in_whole_numbers():
    """Between neighbours p / q of a Farey sequence, every fraction has a denominator of q + q' at least: 54 bits."""
    q, other = 2**53 - 1, 2**53 - 5
    p = pow(other, -1, q)
    p_other = (p * other - 1) // q
    stream = Recorded([[q, -p], [other, -p_other]], [False, True])
    found = separable(stream, bias=0)
    assert found.whole
    assert found.check(stream)
    u = [int(weight) for weight in found.weights]
    assert q * u[0] - p * u[1] < 0 < other * u[0] - p_other * u[1]
    assert "whole numbers" in str(found)
    assert json.loads(json.dumps(found.record()))["weights"] == [str(weight) for weight in u]
    assert not found.check(Recorded([[q, -p], [other, -p_other]], [True, False]))


def test_of_many_rounds_only_those_that_matter_are_decided_in_whole_numbers():
    low, high = np.linspace(0, 0.3, 4000), np.linspace(0.1 + 0.2, 1, 4000)
    stream = Recorded(np.concatenate((low, high))[:, None], np.arange(8000) >= 4000)
    found = separable(stream)
    assert found
    assert found.check(stream)


def test_rounds_too_large_to_decide_are_left_undecided_in_words():
    X = np.eye(300)
    X[0, 0] = 1e-200
    X[1] = X[0] * (1 + 2**-52) + X[2] * 1e-250
    with pytest.raises(NotCertified, match="too many to decide in whole numbers: scale attributes"):
        separable(Recorded(np.vstack((X, X[0] * (1 + 2**-51))), np.arange(301) % 2 == 0))


def test_many_rounds_that_cancel_need_no_whole_numbers():
    rng = np.random.default_rng(0)
    stream = Recorded(rng.integers(0, 2, (400, 60)).astype(float), rng.integers(0, 2, 400))
    found = separable(stream)
    assert not found
    assert found.check(stream)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from([0, 1, -1, 1e-200, 1 + 2**-52, 1e200, 3e-320]), min_size=2, max_size=2)
                  , st.booleans()), min_size=1, max_size=6)
)  # fmt: skip
def test_values_of_any_size_are_decided_with_a_proof(rounds):
    stream = Recorded([x for x, _ in rounds], [label for _, label in rounds])
    found = separable(stream)
    assert found.check(stream)
    assert found or zero_sum([x for x, _ in rounds], [label for _, label in rounds], found.multiples)


def test_bias_zero_asks_for_a_hyperplane_through_the_origin():
    stream = Recorded([[1.0], [2.0]], [False, True])
    assert separable(stream)
    through = separable(stream, bias=0)
    assert through.multiples == {0: 2, 1: 1}
    assert through.check(stream)
    assert separable(Recorded([[0.0], [1.0]], [True, True]), bias=0).multiples == {0: 1}  # a row of zeros is never > 0


def test_one_class_and_no_rounds_are_separable():
    assert separable(Recorded([[1.0], [-1.0]], [True, True]))
    assert separable(Recorded(np.zeros((0, 2)), []))


def test_what_it_cannot_judge_is_refused():
    with pytest.raises(BadParameter, match="only a stream"):
        separable(Nature(lambda x: True, lambda rng: [1.0]))
    with pytest.raises(BadInstance, match="attributes must be numbers"):
        separable(Recorded([("a", "b", "c"), ("d", "e", "f")], [True, False]))
    with pytest.raises(BadLabel, match="tells 2 apart"):
        separable(Recorded(np.eye(3), ["a", "b", "c"]))
    with pytest.raises(BadParameter, match="bias"):
        separable(Recorded(np.eye(2), [True, False]), bias=-1)


def test_a_wrong_proof_is_not_accepted():
    good = Recorded(CORNERS, [False, True, True, False])
    other = Recorded(CORNERS, [False, False, False, True])
    assert not separable(good).check(other)
    assert not separable(other).check(good)


def test_the_record_is_json_and_holds_the_whole_proof():
    found = separable(Recorded(CORNERS, [False, True, True, False]))
    assert json.loads(json.dumps(found.record()))["multiples"] == {"0": 1, "1": 1, "2": 1, "3": 1}
    other = separable(Recorded(CORNERS, [False, False, False, True]))
    record = json.loads(json.dumps(other.record()))
    assert record["separable"]
    assert len(record["weights"]) == 2


@pytest.mark.parametrize("size", [1e200, 1e-200, 2.0**-250 * 0.99, 2.0**250 * 1.01])
def test_it_is_said_of_which_rows_the_perceptron_refuses_some(size):
    stream = ls.Recorded([[size, 0.0], [0.0, size], [1.0, 0.0]], [True, False, True])
    found = ls.separable(stream)
    assert found.refused == 2
    assert "the Perceptron refuses 2 of them" in str(found)
    assert "in exact arithmetic it would make at most" in " ".join(str(found).split())
    with pytest.raises(ls.errors.BadInstance):
        ls.play(ls.Perceptron(), stream)


@pytest.mark.parametrize("size", [2.0**-250, 2.0**250, 1.0])
def test_rows_that_the_perceptron_takes_are_not_called_refused(size):
    stream = ls.Recorded([[size, 0.0], [0.0, -size], [0.0, 0.0]], [True, False, True])
    assert ls.separable(stream).refused == 0
    ls.play(ls.Perceptron(), stream)
