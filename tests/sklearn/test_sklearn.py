"""Learners in scikit-learn's house: its own checks, the same game, and pipelines end to end."""

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import littlestone as ls
import row_learners
from littlestone import learners
from littlestone.base.errors import BadLabel, BadParameter, NotCertified
from littlestone.base.features import Indexed
from littlestone.sklearn import CombinedClassifier, OnlineClassifier
from long_cases import leave_most_to_test_all
from places import DATA


def checked(model):
    """What scikit-learn's checks say; the array-API one runs only where another array library is set up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, of data made to provoke them
        results = check_estimator(model, on_fail=None, on_skip=None)
    told = [(one["check_name"], one["status"], one["exception"]) for one in results if one["status"] != "passed"]
    return len(results), [one for one in told if one[:2] != ("check_array_api_input", "skipped")]


@pytest.mark.parametrize("learner", leave_most_to_test_all(row_learners.EVERY, 7), ids=row_learners.name)
def test_every_learner_passes_the_checks_of_scikit_learn_without_exception(learner):
    count, failed = checked(OnlineClassifier(learner))
    assert failed == []
    assert count > 50


def test_no_learner_over_rows_is_left_out():
    rows = {"Network"}
    for make in learners.ALL:
        try:
            rows |= {make.__name__} if isinstance(make().features(), Indexed) and not make.numeric else set()
        except TypeError:
            pass  # it needs a concept class or a learner
    # elimination takes rows too, but stops at the first label that contradicts it, so it cannot fit just any rows
    assert {type(one).__name__ for one in row_learners.EVERY} >= rows - {"Elimination"}
    assert "Elimination" in rows


def halfspaces(rows=200, attributes=6, classes=2, seed=0, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, attributes))
    y = (X @ rng.standard_normal((attributes, classes))).argmax(axis=1)
    flipped = rng.random(rows) < noise
    y[flipped] = rng.integers(0, classes, int(flipped.sum()))
    return X, y


@pytest.mark.parametrize(
    "learner", [one for one in row_learners.EVERY if one not in (None, ls.NaiveBayes())], ids=row_learners.name
)
def test_fitting_is_the_game_and_predicting_is_the_players_readout(learner):
    X, y = halfspaces()
    X = (X > 0) * 1.0  # Boolean, which all of them take
    model, game = OnlineClassifier(learner).fit(X, y), ls.play(learner, ls.Recorded(X, y))
    assert model.mistakes_ == game.mistakes > 0
    assert model.predict(X[:50]).tolist() == [game.player.predict(x) for x in X[:50]]


def test_the_positive_class_is_the_last_in_order_whichever_is_met_first():
    rng = np.random.default_rng(0)
    X = (rng.random((500, 100)) < 0.05) * 1.0
    relevant = X[:, 3] + X[:, 5] > 0
    for flip in (0, 1):
        order = np.argsort(relevant == flip, kind="stable")
        y = np.where(relevant, "relevant", "not")[order]
        model = OnlineClassifier(ls.Winnow()).partial_fit(X[order], y)
        assert model.mistakes_ <= ls.Winnow().bound(attributes=100, relevant=2).mistakes
    alone = OnlineClassifier(ls.Winnow()).partial_fit(X[relevant], relevant[relevant]).partial_fit(X, relevant)
    assert alone.mistakes_ <= 44


def test_passes_play_the_rows_again():
    X, y = halfspaces()
    player = ls.Player(ls.Perceptron())
    for _ in range(3):
        ls.play(player, ls.Recorded(X, y))
    model = OnlineClassifier(ls.Perceptron(), passes=3).fit(X, y)
    assert (model.player_.tally.rounds, model.mistakes_) == (600, player.tally.mistakes)
    with pytest.raises(BadParameter, match="at least 1"):
        OnlineClassifier(passes=0).fit(X, y)


@pytest.mark.parametrize(
    "learner", [None, ls.Perceptron(), ls.VotedPerceptron(), ls.NaiveBayes()], ids=row_learners.name
)
def test_pieces_teach_what_the_whole_teaches(learner):
    X, y = halfspaces()
    X = np.abs(X)
    whole, pieces = OnlineClassifier(learner).fit(X, y), OnlineClassifier(learner)
    for first in range(0, 200, 30):
        pieces.partial_fit(X[first : first + 30], y[first : first + 30])
    assert pieces.mistakes_ == whole.mistakes_
    assert pieces.predict(X).tolist() == whole.predict(X).tolist()


def test_classes_may_grow_without_being_declared_and_the_default_goes_on():
    X, y = halfspaces(classes=4)
    names = np.array(["north", "east", "south", "west"])[y]
    model = OnlineClassifier().partial_fit(X[y < 2], names[y < 2])
    assert model.classes_.tolist() == ["east", "north"]
    assert model.player_.learner == ls.Logistic()
    seen = model.predict(X[y < 2])
    model.partial_fit(X[:1], names[:1]).partial_fit(X, names)
    assert model.classes_.tolist() == ["east", "north", "south", "west"]
    assert model.player_.learner == ls.Logistic()
    assert set(seen) == {"east", "north"}
    for _ in range(3):
        model.partial_fit(X, names)
    assert (model.predict(X) == names).mean() > 0.7
    assert model.predict_proba(X).argmax(axis=1).tolist() == np.searchsorted(model.classes_, model.predict(X)).tolist()
    assert model.decision_function(X).shape == (200, 4)


def test_a_two_class_learner_asked_for_by_name_refuses_a_third_and_names_network():
    X, y = halfspaces(classes=3)
    with pytest.raises(BadLabel, match="Network"):
        OnlineClassifier(ls.Perceptron()).fit(X, y)
    model = OnlineClassifier(ls.Perceptron()).partial_fit(X[y < 2], y[y < 2])
    with pytest.raises(ValueError, match="Network"):
        model.partial_fit(X, y)
    assert model.classes_.tolist() == [0, 1]


def test_declared_classes_are_known_from_the_start_and_are_a_promise():
    X, y = halfspaces(classes=3)
    model = OnlineClassifier().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert model.predict_proba(X).shape == model.decision_function(X).shape == (200, 3)
    assert model.partial_fit(X, y).player_.learner == ls.Logistic()
    with pytest.raises(BadLabel, match="declared"):
        model.partial_fit(X, y + 1)
    with pytest.raises(BadLabel, match="declared"):
        model.partial_fit(X, y, classes=[0, 1])
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "learner",
    [ls.Perceptron(), ls.AveragedPerceptron(), ls.Network(ls.AveragedPerceptron()), ls.Winnow()],
    ids=row_learners.name,
)
def test_dense_sparse_and_both_kinds_of_indices_agree(learner):
    X, y = halfspaces()
    X = (X > 0) * 1.0
    narrow, wide = sp.csr_array(X), sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    models = [OnlineClassifier(learner).fit(rows, y) for rows in (X, narrow, wide, sp.csc_array(X))]
    assert len({model.mistakes_ for model in models}) == 1
    assert len({tuple(model.predict(rows)) for model in models for rows in (X, narrow, wide)}) == 1


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_bring_the_names_of_their_columns(frame):
    X, y = halfspaces(attributes=3)
    table = frame({name: X[:, k] for k, name in enumerate("abc")})
    model = OnlineClassifier().fit(table, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.predict(table).tolist() == OnlineClassifier().fit(X, y).predict(X).tolist()
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[["c", "b", "a"]])


CURVED = (
    ls.Forgetron,
    ls.KernelPerceptron,
    ls.VotedPerceptron,
    ls.NaiveBayes,
    ls.AppleTasting,
    ls.Conservative,
    ls.Interactions,
    ls.Logistic,
    ls.Aioli,
    ls.DiagonalSecondOrder,
)
LINEAR = [
    one for one in row_learners.EVERY
    if one is not None and not isinstance(one, CURVED)
]  # fmt: skip


@pytest.mark.parametrize("learner", LINEAR, ids=row_learners.name)
@pytest.mark.parametrize("labels", [("no", "yes"), ("yes", "no"), (1, 2)])
def test_the_score_is_linear_in_the_coefficients_and_positive_for_the_second_class(learner, labels):
    X, y = halfspaces()
    X, y = (X > 0) * 1.0, np.array(labels)[y]
    model = OnlineClassifier(learner).fit(X, y)
    scores = model.decision_function(X)
    assert model.coef_.shape == (1, 6)
    np.testing.assert_allclose(scores, X @ model.coef_[0] + model.intercept_[0], atol=1e-9 * np.abs(scores).max())
    assert (model.classes_[(scores > 0).astype(int)] == model.predict(X)).all()


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.Winnow(), ls.Network(ls.Perceptron())], ids=row_learners.name)
def test_scores_favour_the_second_class_even_if_it_was_met_alone_first(learner):
    X, y = halfspaces()
    X, y = (X > 0) * 1.0, np.array(["no", "yes"])[y]
    model = OnlineClassifier(learner).partial_fit(X[y == "yes"][:1], ["yes"]).partial_fit(X, y)
    scores = model.decision_function(X)
    assert model.player_.labels.names == ["yes", "no"]
    np.testing.assert_allclose(scores, X @ model.coef_[0] + model.intercept_[0], atol=1e-9)
    assert (model.classes_[(scores > 0).astype(int)] == model.predict(X)).all()
    read = [model.player_.predict(x) for x in X]
    assert model.predict(X).tolist() == read


def test_each_of_many_classes_has_its_coefficients():
    X, y = halfspaces(classes=4)
    for learner in (ls.AdaGrad(), ls.Network(ls.Perceptron()), ls.Network(ls.PassiveAggressive(), updates="each")):
        model = OnlineClassifier(learner).fit(X, y[::-1])
        assert model.coef_.shape == (4, 6)
        np.testing.assert_allclose(model.decision_function(X), X @ model.coef_.T + model.intercept_, atol=1e-9)


def test_only_what_a_learner_can_say_is_offered():
    X, y = halfspaces()
    voted = OnlineClassifier(ls.VotedPerceptron()).fit(X, y)
    assert hasattr(voted, "decision_function")
    assert not hasattr(voted, "predict_proba")
    assert not hasattr(voted, "coef_")
    assert not hasattr(OnlineClassifier().fit(X, y), "coef_")  # a mixture's score is not linear
    assert not hasattr(OnlineClassifier(ls.Conservative(ls.Perceptron())), "decision_function")
    chances = OnlineClassifier().fit(X, y).predict_proba(X)
    assert chances.sum(axis=1) == pytest.approx(1)


def test_what_was_learned_from_weighted_rows_has_no_certificate():
    X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1, 0])
    weighted = OnlineClassifier(ls.Perceptron()).partial_fit(X, y, sample_weight=[2.0, 3.0])
    assert weighted.player_.tally == OnlineClassifier(ls.Perceptron()).partial_fit(X, y).player_.tally
    with pytest.raises(NotCertified, match="unequal importance: play them without sample_weight"):
        weighted.certificate(X, y)
    again = weighted.fit(X, y)
    assert again.certificate(X, y).holds


def test_a_sample_weight_is_how_far_a_round_moves_the_weights():
    X, y = halfspaces()
    plain, double = OnlineClassifier(ls.Perceptron()), OnlineClassifier(ls.Perceptron(rate=2))
    weighted = clone(plain).partial_fit(X, y, sample_weight=np.full(200, 2.0))
    assert weighted.coef_.tolist() == double.fit(X, y).coef_.tolist()
    assert weighted.mistakes_ == plain.fit(X, y).mistakes_
    kept = y == 1
    some = clone(plain).partial_fit(X, y, sample_weight=kept * 1.0)
    assert some.player_.tally.updates < weighted.player_.tally.updates
    assert clone(plain).partial_fit(X, y, sample_weight=np.zeros(200)).player_.tally.updates == 0
    with pytest.raises(BadParameter, match="at least 0"):
        plain.partial_fit(X, y, sample_weight=-np.ones(200))


@pytest.mark.parametrize(
    "learner",
    [
        ls.Arow(),
        ls.Winnow(),
        ls.VotedPerceptron(),
        ls.Network(ls.Winnow(), updates="each"),
        ls.Conservative(ls.Perceptron()),
    ],
    ids=row_learners.name,
)
def test_learners_that_count_every_round_once_refuse_weights_in_words(learner):
    X, y = halfspaces()
    with pytest.raises(BadParameter, match="sample_weight has no meaning"):
        OnlineClassifier(learner).partial_fit(X, y, sample_weight=np.full(200, 2.0))
    OnlineClassifier(learner).partial_fit(X, y, sample_weight=np.ones(200))


def test_boolean_learners_see_what_exceeds_the_threshold():
    counts, y = np.array([[3, 0], [0, 1], [2, 5], [0, 0]] * 5), np.array([1, 0, 1, 0] * 5)
    boolean = (counts > 0) * 1
    model = OnlineClassifier(ls.Winnow()).fit(counts, y)
    assert model.mistakes_ == OnlineClassifier(ls.Winnow(), binarize=None).fit(boolean, y).mistakes_
    with pytest.raises(ValueError, match="0 or 1"):
        OnlineClassifier(ls.Winnow(), binarize=None).fit(counts, y)
    with pytest.raises(ValueError, match="Negative values"):
        OnlineClassifier(ls.NaiveBayes()).fit(-counts, y)
    high = OnlineClassifier(ls.Winnow(), binarize=2).fit(counts, y)
    assert high.player_.features.read_chunk(ls.Recorded(counts, y)._chunk).values.max() == 1
    assert high.predict([[2, 0]]) == high.predict([[0, 0]])
    signs = OnlineClassifier(ls.BalancedWinnow()).fit(counts - 1, y)
    assert signs.predict([[9, -1]]) == signs.predict([[1, -0.5]])


def test_parameters_reach_into_the_learner():
    model = OnlineClassifier(ls.Network(ls.Perceptron()))
    assert model.get_params()["learner__learner__margin"] == 0
    assert "learner__learner__margin" not in model.get_params(deep=False)
    model.set_params(learner__learner__margin=2.0, learner__updates="each", passes=2)
    assert model.learner == ls.Network(ls.Perceptron(margin=2.0), updates="each")
    assert clone(model).get_params() == model.get_params()
    model.set_params(learner=ls.Winnow(), learner__promotion=1.5)
    assert model.learner == ls.Winnow(promotion=1.5)
    with pytest.raises(BadParameter, match="its parameters are promotion"):
        model.set_params(learner__rate=1)
    with pytest.raises(BadParameter, match="only a named learner"):
        OnlineClassifier().set_params(learner__rate=1)


def test_a_learner_that_does_not_take_rows_is_refused_when_fitted():
    for learner in (ls.Halving(ls.Thresholds(4)), ls.WeightedMajority(), "perceptron"):
        with pytest.raises(BadParameter, match="rows of attributes"):
            OnlineClassifier(learner).fit([[0], [1]], [0, 1])


def test_a_search_runs_over_learners_and_their_fields_in_parallel():
    X, y = halfspaces(rows=300)
    grid = [
        {"learner": [ls.Perceptron(), ls.PassiveAggressive(), ls.Winnow()]},
        {"learner": [ls.AveragedPerceptron()], "learner__margin": [0.0, 1.0], "passes": [1, 5]},
    ]
    search = GridSearchCV(OnlineClassifier(), grid, n_jobs=2, cv=3).fit(X, y)
    alone = GridSearchCV(OnlineClassifier(), grid, cv=3).fit(X, y)
    assert search.best_score_ == alone.best_score_ > 0.8
    assert len(search.cv_results_["params"]) == 7
    assert search.best_params_ == alone.best_params_


def test_pickles_go_on_where_they_were_and_arrays_that_cannot_be_written_are_read():
    X, y = halfspaces()
    X.flags.writeable = False
    model = OnlineClassifier(ls.Arow()).fit(X, y)
    copied = pickle.loads(pickle.dumps(model))
    assert copied.partial_fit(X, y).mistakes_ == model.partial_fit(X, y).mistakes_
    assert copied.coef_.tolist() == model.coef_.tolist()


def test_the_certificate_of_a_fitted_model_holds_and_verifies():
    X, y = halfspaces(noise=0)
    model = OnlineClassifier(ls.Perceptron(), passes=2).fit(X, y)
    certificate = model.certificate(X, y)
    assert certificate.holds
    assert certificate.updates == model.player_.tally.updates
    assert ls.verify(certificate, ls.Recorded(np.vstack((X, X)), np.hstack((y, y))))
    with pytest.raises(NotCertified, match=r"certificate\(X, y\)"):
        model.certificate()
    with pytest.raises(NotCertified, match="not what was played"):
        model.certificate(X, 1 - y)
    boolean = (X > 0).astype(float)
    exact = OnlineClassifier(ls.Elimination()).fit(boolean, boolean[:, 0])
    assert exact.certificate().holds


WORDS = {"spam": ("free", "win", "cash", "prize"), "ham": ("see", "you", "at", "home")}


def messages(count=300, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.choice(["spam", "ham"], count)
    return [" ".join([*rng.choice(WORDS[label], 3), *rng.choice(["a", "the", "to"], 3)]) for label in labels], labels


@pytest.mark.parametrize("learner", [None, ls.Winnow(threshold=8), ls.PassiveAggressive()], ids=row_learners.name)
def test_text_is_classified_in_a_pipeline(learner):
    texts, labels = messages()
    model = make_pipeline(HashingVectorizer(n_features=2**12, alternate_sign=False), OnlineClassifier(learner))
    assert cross_val_score(model, texts, labels, cv=3).min() > 0.9


def test_nominal_columns_are_classified_in_a_pipeline():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"colour": rng.choice(["red", "green"], 300), "size": rng.random(300)})
    labels = np.where((table["colour"] == "red") & (table["size"] > 0.3), "buy", "leave")
    columns = ColumnTransformer([("names", OneHotEncoder(), ["colour"]), ("numbers", MinMaxScaler(), ["size"])])
    model = make_pipeline(columns, OnlineClassifier(ls.AveragedPerceptron(), passes=5)).fit(table, labels)
    assert model.score(table, labels) > 0.95
    assert model.predict(table[:3]).dtype.kind == "U"


@pytest.mark.skipif(not (DATA / "sms_spam").exists(), reason="sms_spam is not part of the project and not beside it")
def test_real_messages_are_filtered_with_fewer_than_one_mistake_in_fifteen():
    lines = (DATA / "sms_spam" / "SMSSpamCollection").read_text().splitlines()
    labels, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
    rows = HashingVectorizer(n_features=2**18, alternate_sign=False).transform(texts)
    model = OnlineClassifier().fit(rows, labels)
    assert model.mistakes_ < len(labels) / 15


POOL = [
    ("always no", DummyClassifier(strategy="constant", constant=0)),
    ("logistic", make_pipeline(StandardScaler(), LogisticRegression())),
    ("tree", DecisionTreeClassifier(max_depth=1)),
]


@pytest.mark.long
def test_combined_classifiers_pass_the_checks_of_scikit_learn():
    plain = [("logistic", LogisticRegression()), ("tree", DecisionTreeClassifier(random_state=0))]
    assert checked(CombinedClassifier(plain))[1] == []
    taught = [("ours", OnlineClassifier()), ("theirs", SGDClassifier(random_state=0))]
    assert checked(CombinedClassifier(taught))[1] == []


def test_combining_follows_the_best_and_every_forecast_was_made_before_its_label():
    X, y = halfspaces(rows=400, noise=0)
    model = CombinedClassifier(POOL).fit(X, y)
    assert max(model.weights_, key=model.weights_.get) == "logistic"
    assert model.combination_.player.tally.rounds == 400 - 16
    assert model.certificate().holds
    assert (model.predict(X) == y).mean() > 0.95
    noise = np.random.default_rng(1).integers(0, 2, 400)
    memory = CombinedClassifier([("tree", DecisionTreeClassifier())]).fit(X, noise)
    assert memory.mistakes_ > 384 * 0.35  # a tree that had seen the rows it forecasts would make none


def test_combining_prefit_classifiers_never_teaches_them():
    X, y = halfspaces(rows=300)
    fitted = [(name, clone(one).fit(X, y)) for name, one in POOL]
    model = CombinedClassifier(fitted, prefit=True).fit(X, y)
    assert model.combination_.player.tally.rounds == 300
    assert model.estimators_[2] is fitted[2][1]
    assert hasattr(model, "partial_fit")
    assert not hasattr(CombinedClassifier(POOL), "partial_fit")


def test_combining_goes_on_with_more_rows_and_takes_probabilities_where_the_learner_does():
    X, y = halfspaces(rows=300)
    names = np.array(["no", "yes"])[y]
    pool = [("one", OnlineClassifier(ls.Perceptron())), ("two", OnlineClassifier(ls.NaiveBayes()))]
    for learner in (None, ls.Hedge(loss=ls.Absolute())):
        model = CombinedClassifier(pool, learner)
        with pytest.raises(BadLabel, match="name the classes"):
            model.partial_fit(np.abs(X), names)
        for first in range(0, 300, 50):
            model.partial_fit(np.abs(X[first : first + 50]), names[first : first + 50], classes=["no", "yes"])
        assert model.combination_.player.tally.rounds == 250
        assert set(model.predict(np.abs(X))) <= {"no", "yes"}
        assert sum(model.weights_.values()) == pytest.approx(1)
    model = CombinedClassifier(POOL).set_params(tree__max_depth=3)
    assert model.get_params()["tree__max_depth"] == 3


BLOCKED = """
import sys
sys.modules[{package!r}] = None
try:
    import littlestone.{module}
except ImportError as problem:
    print(problem)
"""


@pytest.mark.parametrize(
    ("module", "package", "told"),
    [
        ("sklearn", "sklearn", "littlestone.sklearn needs scikit-learn: pip install 'littlestone[sklearn]'"),
        ("river", "river", "littlestone.river needs river: pip install 'littlestone[river]'"),
    ],
)
def test_a_missing_extra_is_named_in_one_line(module, package, told):
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", BLOCKED.format(module=module, package=package)]
    env = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == told + "\n"


def test_both_houses_are_reached_by_their_names():
    assert ls.sklearn.OnlineClassifier is OnlineClassifier
    assert ls.river.OnlineClassifier is not OnlineClassifier
