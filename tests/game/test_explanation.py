"""Explanations: weights that make the score, in the names of the features."""

import json

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.base.traits import ListedWeights
from littlestone.game.explanation import CONSTANT

TEXTS = [("free money now", "spam"), ("see you now", "ham"), ("money for you", "ham"), ("free entry", "spam")] * 4
BINARY = [
    ls.Perceptron(),
    ls.Perceptron(bias=0.5, margin=1),
    ls.AveragedPerceptron(),
    ls.PassiveAggressive(),
    ls.PNormPerceptron(),
    ls.Arow(),
    ls.Arow(diagonal=True),
    ls.SecondOrderPerceptron(),
    ls.Winnow(threshold=2),
    ls.Winnow(threshold=2, eliminate=True),
    ls.Winnow(threshold=2, real=True),
    ls.BalancedWinnow(),
    ls.BalancedWinnow(bias=0),
]
MANY = [
    ls.NaiveBayes(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.AveragedPerceptron()),
    ls.Network(ls.Winnow(threshold=2), updates="each"),
]


def taught(learner, rounds=TEXTS, features=None):
    player = ls.Player(learner, features=features or ls.Words(ls.Named(), counts=False))
    for x, y in rounds:
        player.update(x, y)
    return player


@pytest.mark.parametrize("learner", BINARY, ids=repr)
def test_shares_add_up_to_the_score(learner):
    player = taught(learner)
    for x in ("free money for you", "unknown", "see see"):
        why = player.explain(x)
        assert why.score == pytest.approx(player.score(x), abs=1e-9)
        assert sum(row.weight for row in why.rows) == pytest.approx(player.score(x), abs=1e-9)
        assert {row.label for row in why.rows} <= {"ham"}  # the second class met is the positive one
        assert {row.name for row in why.rows} <= {*x.split(), CONSTANT}


@pytest.mark.parametrize("learner", [ls.AveragedPerceptron(), ls.Network(ls.AveragedPerceptron())], ids=repr)
def test_the_constant_is_averaged_as_weights_are(learner):
    said = ["x", "d b", "c d", "d b", "c d", "b d", "a c", "b d"]
    player = taught(learner, zip(said, ["spam", "spam", "ham", "ham", "spam", "spam", "ham", "spam"], strict=True))
    assert player.explain("unknown").score == pytest.approx(player.score("unknown"))
    assert np.all(np.abs(np.asarray(player.score("unknown")) % 1) > 0.01)  # so no weight that played


@pytest.mark.parametrize("learner", MANY, ids=repr)
def test_each_class_has_shares_that_add_up_to_its_score(learner):
    player = taught(learner, [*TEXTS, ("hello there", "chat")])
    x = "free money there"
    why = player.explain(x)
    assert why.score == pytest.approx(player.score(x).tolist())
    for label, score in zip(["spam", "ham", "chat"], why.score, strict=True):
        assert sum(row.weight for row in why.rows if row.label == label) == pytest.approx(score)
    whole = player.explain(top=2)
    assert {row.label for row in whole.rows} == {"spam", "ham", "chat"}


def test_the_largest_weights_come_first_by_name():
    player = ls.Player(ls.Perceptron(bias=0), features=ls.Named(), classes=("ham", "spam"))
    player.update({"free": 1.0, "money": 5.0, "see": -2.0}, "spam")
    told = player.explain(top=2)
    assert [(row.label, row.name, row.weight) for row in told.rows] == [("spam", "money", 5.0), ("spam", "see", -2.0)]
    assert str(told) == "spam       +5  money\nspam       -2  see"
    assert json.loads(told.to_json())["weights"][0] == {"label": "spam", "name": "money", "weight": 5.0}
    assert player.explain(top=9).rows[2].name == "free"
    assert player.explain(top=1).score is None


def test_hashed_names_are_told_as_long_as_they_are_remembered_and_slots_after_that():
    features = ls.Hashed(bits=10, remember=1)
    player = ls.Player(ls.Perceptron(bias=0), features=features)
    player.update({"free": 2.0, "money": 1.0}, True)
    assert [row.name for row in player.explain().rows] == ["free", features.slot("money")]


def test_numbered_attributes_are_told_by_number_and_labels_may_be_anything():
    player = ls.Player(ls.Perceptron(), classes=((0, 1), (1, 0)))
    player.update([0, 3.0], (1, 0))
    assert player.explain().rows[0][1:] == (1, 3.0)
    assert json.loads(player.explain([0, 1.0]).to_json()) == {
        "score": 4.0,
        "weights": [
            {"label": "(1, 0)", "name": 1, "weight": 3.0},
            {"label": "(1, 0)", "name": CONSTANT, "weight": 1.0},
        ],
    }


def test_attributes_nobody_met_are_not_told():
    player = taught(ls.Winnow(threshold=4))  # whose state has room for more than were met, of weight 1
    assert len(player.explain(top=100).rows) == player.features.width


@pytest.mark.parametrize("learner", [ls.Halving(ls.Thresholds(4)), ls.KernelPerceptron(), ls.Memorizer()], ids=repr)
def test_a_learner_without_weights_says_so(learner):
    with pytest.raises(NotImplementedError, match="no weight for each attribute"):
        ls.Player(learner).explain()


def test_as_many_are_told_as_are_asked_for():
    player = taught(ls.Perceptron())
    assert len(player.explain(top=1).rows) == len(player.explain("free money", top=1).rows) == 1
    for refused in (lambda: player.explain(top=0), lambda: player.explain("free", top=0)):
        with pytest.raises(BadParameter, match="top"):
            refused()


def test_explaining_changes_no_weight():
    player = taught(ls.Perceptron())
    before = player.state.weights.copy()
    player.explain("something new")
    assert np.array_equal(player.state.weights[: len(before)], before)


def test_before_anything_was_learned_every_attribute_weighs_nothing():
    nothing = ListedWeights(np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros(2))
    assert nothing.find(np.array([0, 7])).tolist() == [[0, 0], [0, 0]]
    some = ListedWeights(np.array([2, 5]), np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2))
    assert some.find(np.array([5, 3, 2, 9])).tolist() == [[3, 4], [0, 0], [1, 2], [0, 0]]


@pytest.mark.parametrize("learner", [ls.Logistic(), ls.AdaGrad(), ls.Coin(), ls.Ridge()], ids=str)
def test_attributes_count_by_their_weights_in_units_of_their_columns(learner):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3)) * [1e-6, 1.0, 1e6]  # noise in small units, noise, and what the label depends on
    y = X[:, 2] if learner.numeric else X[:, 2] > 0
    player = ls.play(learner, ls.Recorded(X, y)).player
    assert player.explain().rows[0].name == 2
    weights = [abs(row.weight) for row in player.explain().rows]
    assert weights != sorted(weights, reverse=True)


def test_a_class_that_never_came_is_not_named():
    for label, sign in (("yes", 1), (False, 1), (True, 1)):
        player = ls.Player(ls.Perceptron())
        player.update({0: 1.0, 2: 3.0}, label)
        assert {row.label for row in player.explain().rows} == {label}
        assert [row.weight for row in player.explain().rows] == [3.0 * sign, 1.0 * sign]
        assert {row.label for row in player.explain({2: 1.0}).rows} == {label}
        assert player.explain({2: 1.0}).score > 0
