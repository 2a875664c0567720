"""Learners that predict numbers in scikit-learn's house: its own checks, the same game, and pipelines."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge as BatchRidge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.sklearn import OnlineClassifier, OnlineRegressor

X, Y = load_diabetes(return_X_y=True, scaled=False)


@pytest.mark.parametrize(
    "model",
    [
        OnlineRegressor(),
        OnlineRegressor(ls.CoinRegression("huber"), passes=20),
        OnlineRegressor(ls.CoinRegression(), passes=20),
        OnlineRegressor(quantiles=(0.1, 0.9)),
    ],
    ids=repr,
)
def test_it_passes_the_checks_of_scikit_learn_without_exception(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, of data made to provoke them
        results = check_estimator(model, on_fail=None, on_skip=None)
    told = [(one["check_name"], one["status"], one["exception"]) for one in results if one["status"] != "passed"]
    assert [one for one in told if one[:2] != ("check_array_api_input", "skipped")] == []
    assert len(results) > 50


def test_fitting_is_the_game_and_pieces_teach_what_the_whole_teaches():
    game = ls.play(ls.Ridge(), ls.Recorded(X, Y))
    whole, pieces = OnlineRegressor().fit(X, Y), OnlineRegressor()
    for first in range(0, len(X), 100):
        pieces.partial_fit(X[first : first + 100], Y[first : first + 100])
    said = [game.player.predict(x) for x in X[:50]]
    assert whole.predict(X[:50]).tolist() == pieces.predict(X[:50]).tolist() == said
    assert whole.player_.tally == game.player.tally


def test_it_comes_close_to_the_regression_of_all_rows_at_once():
    model = OnlineRegressor().fit(X, Y)
    best = BatchRidge(alpha=1e-6).fit(X, Y).score(X, Y)
    assert best - 0.02 < model.score(X, Y) <= best
    linear = X @ model.coef_ + model.intercept_
    assert (
        np.abs(linear - model.predict(X)).max() < 0.2 * np.abs(linear).max()
    )  # but for what the row itself holds back


def test_many_attributes_are_bet_on():
    assert OnlineRegressor().fit(X, Y).player_.learner == ls.Ridge()
    wide = sp.random(50, 129, 0.2, "csr", random_state=0)
    assert OnlineRegressor().fit(wide, Y[:50]).player_.learner == ls.CoinRegression("huber")
    assert OnlineRegressor(ls.Ridge()).fit(wide, Y[:50]).player_.learner == ls.Ridge()


def test_sparse_rows_are_the_dense_ones():
    sparse = OnlineRegressor().fit(sp.csr_matrix(X), Y)
    assert sparse.predict(sp.csr_matrix(X[:9])).tolist() == OnlineRegressor().fit(X, Y).predict(X[:9]).tolist()


def test_quantiles_are_a_sorted_band_that_holds_the_share_it_says():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(4000, 3))
    y = rows @ [1.0, -2.0, 0.5] + 5 + rng.normal(size=4000)
    model = OnlineRegressor(quantiles=(0.9, 0.1, 0.5)).fit(rows, y)
    band = model.predict_quantiles(rows)
    assert (np.diff(band, axis=1) >= 0).all()
    assert ((band[:, 0] <= y) & (y <= band[:, 2])).mean() == pytest.approx(0.8, abs=0.08)
    with pytest.raises(BadParameter, match=r"there are no quantiles: OnlineRegressor\(quantiles="):
        OnlineRegressor().fit(rows, y).predict_quantiles(rows)


def test_weights_count_rows_and_a_classifier_is_refused_in_words():
    once = OnlineRegressor().partial_fit(X, Y, sample_weight=np.where(np.arange(len(Y)) < 200, 1.0, 0.0))
    assert once.coef_ != pytest.approx(OnlineRegressor().partial_fit(X, Y).coef_)
    with pytest.raises(BadParameter, match="one that predicts numbers from rows of attributes, such as Ridge"):
        OnlineRegressor(ls.Perceptron()).fit(X, Y)
    with pytest.raises(BadParameter, match=r"Ridge\(\) predicts numbers: OnlineRegressor takes it"):
        OnlineClassifier(ls.Ridge()).fit(X, Y > 100)
    with pytest.raises(BadParameter, match="at least 1"):
        OnlineRegressor(passes=0).fit(X, Y)


def test_searches_pipelines_and_pickles():
    search = GridSearchCV(OnlineRegressor(ls.Ridge()), {"learner__ridge": [0.01, 100.0]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"learner__ridge": 0.01}
    assert cross_val_score(make_pipeline(StandardScaler(), OnlineRegressor()), X, Y, cv=3).mean() > 0.4
    model = clone(OnlineRegressor(quantiles=(0.5,))).fit(X, Y)
    stored = pickle.loads(pickle.dumps(model))
    assert stored.predict(X[:5]).tolist() == model.predict(X[:5]).tolist()
    stored.partial_fit(X, Y)
    assert model.player_.tally.rounds == len(X)
