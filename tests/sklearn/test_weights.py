"""Weights of rows and classes in scikit-learn and River."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import littlestone as ls
from littlestone.base.errors import BadLabel, BadParameter
from littlestone.river import OnlineClassifier as RiverClassifier
from littlestone.river import OnlineRegressor as RiverRegressor
from littlestone.sklearn import OnlineClassifier


def make_rows(rounds=300, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(rounds) < 0.15, "rare", "usual")
    return rng.normal(size=(rounds, 3)) + 0.7 * (y == "rare")[:, None], y


def test_weights_of_rows_are_plays_and_shares_of_a_loss():
    X, y = make_rows()
    weights = np.where(y == "rare", 3.0, 0.5)
    ours = OnlineClassifier(ls.Logistic(guard=False)).fit(X, y, sample_weight=weights)
    player = ls.Player(ls.Logistic(guard=False), classes=("rare", "usual"))
    for x, label, weight in zip(X, y, weights, strict=True):
        player.update(x, label, weight)
    assert ours.player_.state.losses.tolist() == player.state.losses.tolist()
    assert ours.mistakes_ == player.tally.mistakes
    by_class = OnlineClassifier(ls.Logistic(guard=False), class_weight={"rare": 3.0, "usual": 0.5}).fit(X, y)
    assert by_class.player_.state.losses.tolist() == player.state.losses.tolist()
    parts = OnlineClassifier(ls.Logistic(guard=False), class_weight={"rare": 6.0})
    for here in (slice(0, 120), slice(120, 300)):
        parts.partial_fit(X[here], y[here], ["rare", "usual"], np.full(len(y[here]), 0.5))
    assert parts.player_.state.losses.tolist() == player.state.losses.tolist()


def test_balanced_rows_count_by_the_classes_so_far_and_partial_fits_go_on_with_the_counts():
    X, y = make_rows()
    whole = OnlineClassifier(class_weight="balanced").fit(X, y)
    parts = OnlineClassifier(class_weight="balanced")
    for here in (slice(0, 120), slice(120, 300)):
        parts.partial_fit(X[here], y[here], ["rare", "usual"])
    assert parts.player_.state.losses.tolist() == whole.player_.state.losses.tolist()
    plain = OnlineClassifier().fit(X, y)
    assert (whole.predict(X) == "rare").sum() > (plain.predict(X) == "rare").sum()
    twice = OnlineClassifier(class_weight="balanced", passes=2).fit(X, y)
    by_hand = [t / (len(set(y[:t])) * (y[:t] == y[t - 1]).sum()) for t in range(1, 301)]
    player = ls.Player(classes=("rare", "usual"))
    for x, label, weight in zip([*X, *X], [*y, *y], by_hand * 2, strict=True):
        player.update(x, label, weight)
    assert twice.player_.state.losses.tolist() == player.state.losses.tolist()


def test_a_search_reaches_class_weights():
    X, y = make_rows(120)
    found = GridSearchCV(OnlineClassifier(), {"class_weight": [None, "balanced", {"rare": 5.0}]}, cv=2).fit(X, y)
    assert "class_weight" in found.best_params_
    assert clone(OnlineClassifier(class_weight={"rare": 2.0})).class_weight == {"rare": 2.0}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (OnlineClassifier(class_weight="even"), 'a dict or "balanced", got .even.'),
        (OnlineClassifier(class_weight={"rare": 0}), "the weight of 'rare' must be above 0"),
        (OnlineClassifier(class_weight={"other": 2.0}), "there is no label 'other'"),
        (OnlineClassifier(ls.Perceptron(), class_weight="balanced"), "Perceptron.* has none: Logistic"),
    ],
)
def test_wrong_class_weights_are_refused(model, said):
    with pytest.raises(BadParameter, match=said):
        model.fit(*make_rows(20))


def test_learners_without_a_log_loss_have_no_class_weight_and_those_that_count_rounds_once_no_sample_weight():
    assert "class_weight" not in OnlineClassifier(ls.Perceptron()).get_params()
    assert OnlineClassifier(ls.Perceptron(), class_weight="balanced").get_params()["class_weight"] == "balanced"
    X, y = make_rows(20)
    with pytest.raises(BadParameter, match="counts every round once"):
        OnlineClassifier(ls.Winnow()).fit(np.abs(X) > 0.5, y, sample_weight=np.full(20, 2.0))
    with pytest.raises(BadParameter, match="fit takes X, y and sample_weight, got weights"):
        OnlineClassifier().fit(X, y, weights=np.ones(20))


def test_declared_classes_are_there_from_the_first_call():
    X, y = make_rows(40)
    for form in ("units", "softmax", "both"):
        model = OnlineClassifier(ls.Logistic(classes=form)).partial_fit(X, y, classes=["other", "rare", "usual"])
        assert model.classes_.tolist() == ["other", "rare", "usual"]
        assert model.predict_proba(X).shape == (40, 3)
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
        with pytest.raises(BadLabel, match="the classes declared are"):
            model.partial_fit(X[:1], ["new"])


def test_river_takes_the_weight_of_a_round():
    model, player = RiverClassifier(), ls.Player(None, ls.Named())
    rng = np.random.default_rng(1)
    for t in range(60):
        x, w = {"a": float(rng.normal()), "b": 1.0}, [1.0, 0.25, 2.5][t % 3]
        model.learn_one(x, x["a"] > 0, w=w)
        player.update(x, x["a"] > 0, w)
    assert model.player.state.losses.tolist() == player.state.losses.tolist()
    assert model.player.state.counts[4] == 100  # plays: 20 rounds of each weight, the last played three times
    twice, once = RiverRegressor(ls.Ridge()), RiverRegressor(ls.Ridge())
    for t in range(10):
        twice.learn_one({"a": float(t)}, 2.0 * t, w=2.0)
        once.learn_one({"a": float(t)}, 2.0 * t)
    assert twice.predict_one({"a": 3.0}) != once.predict_one({"a": 3.0})
    with pytest.raises(BadParameter, match="at least 0 and finite"):
        model.learn_one({"a": 1.0}, True, w=-1.0)
    with pytest.raises(BadParameter, match="counts every round once"):
        RiverClassifier(ls.Winnow(threshold=4.0)).learn_one({"a": 1}, True, w=2.0)
