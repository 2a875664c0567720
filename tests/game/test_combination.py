"""Combining models: River, scikit-learn, functions and columns as experts."""

import numpy as np
import pytest

from littlestone.base.errors import BadInstance, BadParameter
from littlestone.game.combination import combine
from littlestone.game.player import Player
from littlestone.learners import Aggregating, Hedge, Perceptron, RandomizedWeightedMajority, WeightedMajority
from littlestone.learners.experts.losses import Brier, Square


def test_functions_vote_and_the_good_one_is_found():
    pool = combine({"up": lambda x: True, "right": lambda x: x > 0, "wrong": lambda x: x <= 0}, keep=True)
    rng = np.random.default_rng(0)
    for x in rng.normal(size=60):
        pool.update(x, bool(x > 0))
    assert (pool.predict(0.3), pool.predict(-0.3)) == (True, False)
    assert max(pool.weights, key=pool.weights.get) == "right"
    assert pool.certificate().holds
    assert pool.ledger.names == ("up", "right", "wrong")
    assert pool.ledger.loss[-1] == pool.player.tally.mistakes


def test_columns_of_a_table_are_experts():
    pool = combine(["yes", "no"], Hedge(loss=Square()))
    for _ in range(20):
        pool.update({"yes": 1.0, "no": 0.0}, 1.0)
    assert pool.predict({"yes": 0.9, "no": 0.1}) > 0.8
    assert list(pool.weights) == ["yes", "no"]


def test_one_that_raises_or_says_nothing_sleeps_and_the_report_says_so():
    def moody(x):
        if x % 3 == 0:
            raise RuntimeError("not today")
        return None if x % 3 == 1 else True

    pool = combine([lambda x: True, moody, lambda x: "purple"], names=["calm", "moody", "odd"])
    for x in range(9):
        pool.update(x, True)
    report = pool.report()
    assert report["moody"] == "slept 6 of 9 rounds; last in round 8: answered NaN"
    assert "purple" in report["odd"]
    assert "calm" not in report
    nobody = combine([lambda x: 1 / 0])
    with pytest.raises(BadInstance, match="none to follow"):
        nobody.predict(1)
    with pytest.raises(BadInstance):
        nobody.update(1, True)
    assert nobody.player.tally.rounds == 0


def test_labels_of_any_kind_are_given_as_classes():
    pool = combine([lambda x: "spam", lambda x: "ham"], classes=("ham", "spam"))
    for _ in range(3):
        pool.update("win money", "spam")
    assert pool.predict("win money") == "spam"


def test_saved_and_resumed_is_as_if_never_stopped(tmp_path):
    def experts():
        return {"a": lambda x: x > 0, "b": lambda x: x > 1, "c": lambda x: 1 / (x - 2) > 0}

    rounds = [(x, x > 1) for x in (0, 1, 2, 3, 1, 2, 0, 2)]
    whole, first = combine(experts()), combine(experts())
    for x, y in rounds[:5]:
        first.update(x, y)
    first.save(tmp_path / "pool.npz")
    second = combine(experts()).resume(tmp_path / "pool.npz")
    for x, y in rounds[5:]:
        second.update(x, y)
    for x, y in rounds:
        whole.update(x, y)
    assert (second.weights, second.report(), second.player.tally) == (whole.weights, whole.report(), whole.player.tally)
    with pytest.raises(BadParameter, match="is about"):
        combine({"a": len}).resume(tmp_path / "pool.npz")
    with pytest.raises(BadParameter, match="is about"):
        combine(experts(), Hedge()).resume(tmp_path / "pool.npz")


def test_scikit_learn_models_vote_give_probabilities_and_learn_along_the_way():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = X[:, 0] + X[:, 1] > 0
    frozen = linear.LogisticRegression().fit(X[:50], y[:50])
    liar = linear.LogisticRegression().fit(X[:50], ~y[:50])
    pool = combine([frozen, liar], Aggregating(Brier()), ["honest", "liar"], ask="probability")
    for x, outcome in zip(X[50:], y[50:], strict=True):
        pool.update(x, int(outcome))
    assert pool.weights["honest"] > 0.99
    learner = linear.SGDClassifier(random_state=0)
    votes = combine([learner, lambda x: False], WeightedMajority(), ["sgd", "never"], learning=True)
    for x, outcome in zip(X, y, strict=True):
        votes.update(x, bool(outcome))
    assert votes.weights["sgd"] > 0.99
    assert votes.report()["sgd"].startswith("slept 1 of 200 rounds")  # it was asked before it had learned anything


def test_river_models_learn_while_they_are_followed():
    river = pytest.importorskip("river.linear_model")
    rng = np.random.default_rng(1)
    pool = combine([river.LogisticRegression(), river.Perceptron()], RandomizedWeightedMajority(), learning=True)
    for _ in range(150):
        x = {"a": rng.normal(), "b": rng.normal()}
        pool.update(x, x["a"] > 0)
    assert pool.predict({"a": 3.0, "b": 0.0}) is True
    chance = combine([river.LogisticRegression()], Hedge(loss=Brier()), ask="probability", learning=True)
    chance.update({"a": 1.0}, 1)
    assert 0 <= chance.predict({"a": 1.0}) <= 1


def test_what_cannot_be_combined_is_refused():
    for make in (
        lambda: combine([]),
        lambda: combine([len], Perceptron()),
        lambda: combine([len, len], names=["a", "a"]),
        lambda: combine([len], names=["a", "b"]),
        lambda: combine([len], ask="poem"),
    ):
        with pytest.raises(BadParameter):
            make()


def test_players_of_the_library_are_experts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] > 0).tolist()
    pool = combine({"perceptron": Player(Perceptron()), "logistic": Player()}, learning=True)
    alone = Player(Perceptron())
    chances = combine([Player()], Hedge(loss=Square()), ask="probability", learning=True)
    for x, label in zip(X, y, strict=True):
        pool.update(x, label)
        alone.update(x, label)
        chances.update(x, label)
    assert pool.experts[0].tally == alone.tally
    assert pool.predict(X[0]) in {expert.predict(X[0]) for expert in pool.experts}
    assert pool.player.tally.mistakes < 40
    assert not pool.report()
    assert chances.forecasts(X[0])[0] == pytest.approx(chances.experts[0].probability(X[0]))


def test_bare_learners_are_refused_in_words():
    with pytest.raises(BadParameter, match=r"Perceptron.* is a learner, which has learned nothing: give Player"):
        combine([Perceptron()])
