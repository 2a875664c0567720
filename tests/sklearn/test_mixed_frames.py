"""Frames that mix numbers with words, given to OnlineClassifier as they are."""

import numpy as np
import pandas
import polars
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import littlestone as ls
from littlestone.base.errors import BadInstance
from littlestone.sklearn import OnlineClassifier

ROUNDS = 240


def frame():
    """Numbers, categories with missing cells, sentences and dates; the label follows from category and number."""
    rng = np.random.default_rng(7)
    job = rng.choice(["clerk", "lawyer", "farmer"], ROUNDS)
    age = rng.integers(20, 60, ROUNDS).astype(float)
    table = pandas.DataFrame(
        {
            "age": age,
            "job": np.where(rng.random(ROUNDS) < 0.1, None, job),
            "note": [f"case number {t} of a {job[t]} seen today" for t in range(ROUNDS)],
            "day": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(np.arange(ROUNDS), "D"),
        }
    )
    return table, np.where((job == "lawyer") | (age > 50), "high", "low")


def test_a_mixed_frame_plays_the_game_that_the_same_table_plays_as_a_stream():
    X, y = frame()
    game = ls.play(ls.Logistic(), ls.Recorded(X, y, classes=["high", "low"]))
    model = OnlineClassifier().fit(X, y)
    assert model.mistakes_ == game.player.tally.mistakes
    assert model.predict(X).tolist() == game.player.predict_many(X)
    chances = model.predict_proba(X)
    assert chances[:, 1].tolist() == [game.player.probability(x) for x in X.to_dict("records")]
    constant = min((y == "high").sum(), (y == "low").sum())
    assert 2 * (model.predict(X) != y).sum() < constant
    assert model.feature_names_in_.tolist() == ["age", "job", "note", "day"]
    assert model.n_features_in_ == 4


def test_columns_are_matched_by_name_and_a_missing_one_is_refused():
    X, y = frame()
    model = OnlineClassifier().fit(X, y)
    assert model.predict(X[["day", "note", "job", "age"]]).tolist() == model.predict(X).tolist()
    assert model.predict(X.assign(extra=1.0)).tolist() == model.predict(X).tolist()
    with pytest.raises(BadInstance, match="there is no column 'job', which the model knows; the columns are"):
        model.predict(X.drop(columns="job"))
    with pytest.raises(BadInstance, match="give a frame, got a ndarray"):
        model.predict(X.to_numpy())


def test_polars_parts_and_unknown_cells_are_taken():
    X, y = frame()
    whole = OnlineClassifier().fit(X, y)
    parts = OnlineClassifier().partial_fit(X[:100], y[:100], classes=["high", "low"]).partial_fit(X[100:], y[100:])
    assert parts.mistakes_ == whole.mistakes_
    assert parts.predict_proba(X).tolist() == whole.predict_proba(X).tolist()
    other = OnlineClassifier().fit(polars.from_pandas(X), y)
    assert other.mistakes_ == whole.mistakes_
    assert whole.predict(X[:2].assign(job="sailor")).shape == (2,)


def test_learners_of_presence_and_linear_ones_certify_mixed_frames():
    X, y = frame()
    winnow = OnlineClassifier(ls.BalancedWinnow()).fit(X, y)
    assert winnow.predict(X).shape == (ROUNDS,)
    model = OnlineClassifier(ls.Perceptron()).fit(X, y)
    assert model.coef_.shape == (1, model.player_.features.width)
    assert model.certificate(X, y).mistakes == model.mistakes_
    assert cross_val_score(clone(model), X, y, cv=3).shape == (3,)
