"""A trace marks the rounds that moved the state, and is the same game as a replay."""

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
from littlestone.base.learner import Learner

LEARNERS = [
    ls.Perceptron(),
    ls.Perceptron(rate=0.5, margin=2, tie="minus"),
    ls.AveragedPerceptron(),
    ls.AggressivePerceptron(),
    ls.PNormPerceptron(3.0),
    ls.PassiveAggressive("II"),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.Perceptron(), updates="each"),
    ls.Winnow(threshold=6),
    ls.BalancedWinnow(margin=0.25),
    ls.BalancedWinnow(factor=1.5, bias=0),
]


def values_for(learner):
    """The attributes that a learner takes: any, 0 and 1, or -1 too."""
    return {"low": -int(getattr(learner, "least", -2)), "high": 1 if hasattr(learner, "least") else 2}


def rounds(form, classes=2, low=2, high=2):
    rng = np.random.default_rng(0)
    X = rng.integers(-low, high + 1, (200, 6)).astype(float)
    return ls.Recorded(form(X), rng.integers(0, classes, 200))


def players(learner, count):
    return [ls.Player(learner, classes=(0, 1)) for _ in range(count)]


@pytest.mark.parametrize("form", [np.array, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_trace_is_the_replay_with_the_updates_marked(learner, form):
    (chunk,) = rounds(form, **values_for(learner)).chunks()
    replayed, traced = players(learner, 2)
    marks = np.zeros(len(chunk))
    guesses, _ = replayed.replay(chunk)
    again, _ = traced.replay(chunk, marks)
    assert again.tolist() == guesses.tolist()
    assert traced.tally == replayed.tally
    assert np.count_nonzero(marks) == replayed.tally.updates > 20
    for one, other in zip(traced.state, replayed.state, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_marks_stand_where_a_plain_comparison_puts_them(learner):
    (chunk,) = rounds(np.array, **values_for(learner)).chunks()
    fast, slow = players(learner, 2)
    marks, plain = np.zeros(len(chunk)), np.zeros(len(chunk))
    _, codes = fast.replay(chunk, marks)
    slow.start_state(fast.size)
    done = Learner.trace(learner, slow.state, chunk.with_labels(codes), np.zeros(len(chunk), np.int32), plain)
    assert done == len(chunk)
    assert (marks > 0).tolist() == (plain > 0).tolist()
    assert set(plain) == {0, 1}


def test_the_mark_of_an_additive_learner_is_the_length_of_its_step():
    marks = np.zeros(2)
    (chunk,) = ls.Recorded([[3.0], [1.0]], [True, False]).chunks()
    ls.Player(ls.AggressivePerceptron(bias=0)).replay(chunk, marks)
    assert marks.tolist() == [1, 4]
    marks = np.zeros(2)
    ls.Player(ls.PassiveAggressive("0", bias=0)).replay(chunk, marks)
    assert marks.tolist() == pytest.approx([1 / 9, 4 / 3])


def test_the_mark_of_a_winner_names_the_class_that_was_stepped_away_from():
    marks = np.zeros(4)
    (chunk,) = ls.Recorded(np.eye(3)[[0, 1, 2, 0]], ["a", "b", "c", "c"]).chunks()
    ls.Player(ls.Network(ls.Perceptron(bias=0))).replay(chunk, marks)
    assert marks.tolist() == [2, 1, 1, 1]


def test_the_mark_of_each_is_the_set_of_units_that_moved():
    marks = np.zeros(3)
    (chunk,) = ls.Recorded(np.eye(3)[[0, 0, 2]], ["a", "c", "b"], classes=("a", "b", "c")).chunks()
    ls.Player(ls.Network(ls.Perceptron(bias=0), updates="each"), classes=("a", "b", "c")).replay(chunk, marks)
    assert marks.tolist() == [1 + 2 + 4, 1 + 4, 1 + 2 + 4]  # unit b was right in the second round


def test_the_mark_of_balanced_winnow_is_its_phase():
    rng = np.random.default_rng(1)
    (chunk,) = ls.Recorded(rng.integers(-1, 2, (300, 3)).astype(float), rng.integers(0, 2, 300)).chunks()
    player, marks = ls.Player(ls.BalancedWinnow()), np.zeros(300)
    player.replay(chunk, marks)
    phases = [np.count_nonzero(marks == j) for j in range(1, 1 + len(player.state.phases))]
    assert phases == player.state.phases.tolist()
    assert len(phases) > 1
    assert (np.diff(marks[marks > 0]) >= 0).all()


def test_marks_survive_the_growth_of_a_state_between_classes():
    marks = np.zeros(200)
    (chunk,) = rounds(np.array, classes=20).chunks()
    player = ls.Player(ls.Network(ls.Perceptron()))
    player.replay(chunk, marks)
    assert np.count_nonzero(marks) == player.tally.updates > 100
