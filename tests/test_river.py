"""Learners in River's house: its own checks, the same game, and a pipeline with a drift detector."""

import pickle
import random

import pytest
from river import compose, drift, evaluate, feature_extraction, metrics, preprocessing
from river.checks import check_estimator
from river.datasets import ImageSegments, Phishing, TrumpApproval

import littlestone as ls
import row_learners
from littlestone.base.errors import BadLabel, BadParameter
from littlestone.river import OnlineClassifier, OnlineRegressor
from long_cases import leave_most_to_test_all


@pytest.mark.parametrize("learner", leave_most_to_test_all(row_learners.GROWING, 13), ids=row_learners.name)
def test_every_learner_passes_the_checks_of_river(learner):
    random.seed(0)  # they drop attributes by chance
    model = OnlineClassifier(learner)
    assert model._unit_test_skips() == set()
    check_estimator(model)


def test_learning_one_by_one_is_the_game():
    stream = list(Phishing().take(300))
    model, player = OnlineClassifier(ls.Perceptron()), ls.Player(ls.Perceptron(), features=ls.Named())
    for x, y in stream:
        assert model.predict_one(x) == player.predict(x)
        model.learn_one(x, y)
        player.update(x, y)
    assert model.mistakes == player.tally.mistakes > 0


def test_progressive_validation_scores_it_and_probabilities_rank():
    score = evaluate.progressive_val_score(Phishing().take(600), OnlineClassifier(), metrics.Accuracy())
    assert score.get() > 0.8
    ranked = evaluate.progressive_val_score(Phishing().take(600), OnlineClassifier(), metrics.ROCAUC())
    assert ranked.get() > 0.85


def test_a_third_class_may_turn_up_unless_a_learner_was_named():
    segments = list(ImageSegments().take(200))
    model = compose.Pipeline(preprocessing.StandardScaler(), OnlineClassifier())
    score = evaluate.progressive_val_score(segments, model, metrics.Accuracy())
    assert score.get() > 0.6
    last = model["OnlineClassifier"]
    assert last.player.learner == ls.Logistic()
    assert set(model.predict_proba_one(segments[0][0])) == {y for _, y in segments}
    named, two = OnlineClassifier(ls.Perceptron()), segments[0][1]
    third = next(y for _, y in segments if y not in (two, "other"))
    for y in (two, "other"):
        named.learn_one(segments[0][0], y)
    with pytest.raises(BadLabel, match="Network"):
        named.learn_one(segments[0][0], third)
    assert not named._multiclass


def test_nothing_is_known_before_the_first_label_and_only_known_labels_have_a_chance():
    model = OnlineClassifier()
    assert model.predict_one({"a": 1}) is None
    assert model.predict_proba_one({"a": 1}) == {}
    model.learn_one({"a": 1}, "spam")
    assert model.predict_proba_one({"b": 1}) == {"spam": 1.0}
    model.learn_one({"b": 1}, "ham")
    chances = model.predict_proba_one({"b": 1})
    assert set(chances) == {"spam", "ham"}
    assert sum(chances.values()) == pytest.approx(1)
    assert OnlineClassifier(ls.Perceptron()).predict_proba_one({"a": 1}) == {False: 0.5, True: 0.5}
    with pytest.raises(NotImplementedError, match="no probabilities"):
        OnlineClassifier(ls.VotedPerceptron()).predict_proba_one({"a": 1})


def test_a_pipeline_that_starts_anew_when_a_detector_sees_drift():
    rng = random.Random(0)
    stream = []
    for t in range(4000):
        x = {name: rng.gauss(0, 1) for name in "abc"}
        stream.append((x, (x["a"] + x["b"] > 0) != (t >= 2000)))  # after half the rounds every label turns over
    plain = preprocessing.StandardScaler() | OnlineClassifier(ls.AveragedPerceptron())
    aware = preprocessing.StandardScaler() | drift.DriftRetrainingClassifier(
        OnlineClassifier(ls.AveragedPerceptron()), drift.binary.DDM()
    )
    scores = [evaluate.progressive_val_score(stream, model, metrics.Accuracy()).get() for model in (plain, aware)]
    assert scores[1] > scores[0] + 0.1
    assert scores[1] > 0.9


def test_adwin_on_our_mistakes_rings_after_the_drift_and_not_before():
    rng, detector, model, rung = random.Random(0), drift.ADWIN(), OnlineClassifier(ls.Perceptron()), []
    for t in range(4000):
        x = {name: rng.gauss(0, 1) for name in "abc"}
        y = (x["a"] + x["b"] > 0) != (t >= 2000)
        before = model.mistakes
        model.learn_one(x, y)
        detector.update(model.mistakes - before)
        if detector.drift_detected:
            rung.append(t)
    assert any(2000 < t < 2400 for t in rung)
    assert not any(200 < t < 2000 for t in rung)


def test_words_become_attributes_in_a_pipeline():
    spam, ham = ["win free cash", "free prize now"], ["see you at home", "lunch at noon"]
    stream = [example for a, b in zip(spam * 20, ham * 20, strict=True) for example in ((a, "spam"), (b, "ham"))]
    for learner in (None, ls.Winnow(threshold=2), ls.NaiveBayes()):
        model = feature_extraction.BagOfWords() | OnlineClassifier(learner)
        assert evaluate.progressive_val_score(stream, model, metrics.Accuracy()).get() > 0.9


def test_what_cannot_be_a_learner_over_rows_is_refused_and_models_can_be_stored():
    with pytest.raises(BadParameter, match="rows of attributes"):
        OnlineClassifier(ls.Halving(ls.Thresholds(4)))
    model = OnlineClassifier(ls.Winnow(threshold=2))
    for x, y in Phishing().take(50):
        model.learn_one(x, y)
    stored = pickle.loads(pickle.dumps(model))
    x, y = next(iter(Phishing()))
    assert stored.predict_proba_one(x) == model.predict_proba_one(x)
    fresh = model.clone()
    assert fresh.mistakes == 0 < model.mistakes
    assert fresh.learner == model.learner
    memory = OnlineClassifier(ls.Elimination())
    memory.learn_one({"a": 1}, True)
    assert memory.certificate().holds


# --- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "learner", [None, ls.Ridge(), *map(ls.CoinRegression, ("absolute", "pinball", "huber"))], ids=repr
)
def test_regressors_pass_the_checks_of_river(learner):
    random.seed(0)
    model = OnlineRegressor(learner)
    assert model._unit_test_skips() == set()
    check_estimator(model)


def test_a_regressor_plays_the_game_of_its_learner_and_needs_no_scaler():
    stream = list(TrumpApproval().take(400))
    model, player = OnlineRegressor(), ls.Player(ls.Ridge(), features=ls.Named())
    for x, y in stream:
        assert model.predict_one(x) == player.predict(x)
        model.learn_one(x, y)
        player.update(x, y)
    error = evaluate.progressive_val_score(stream, OnlineRegressor(), metrics.MAE()).get()
    assert error < 2.0  # labels are about 40


def test_a_regressor_with_many_attributes_goes_on_as_the_bets_that_learned_beside_it():
    rng = random.Random(0)
    stream = [({f"a{rng.randrange(3 * t + 1)}": 1.0 for _ in range(4)}, rng.gauss(5, 1)) for t in range(200)]
    model, bets = OnlineRegressor(), ls.Player(ls.CoinRegression("huber"), features=ls.Named())
    for x, y in stream:
        model.learn_one(x, y)
        bets.update(x, y)
    assert model.player.learner == ls.CoinRegression("huber")
    assert model.predict_one(stream[0][0]) == bets.predict(stream[0][0])
    assert model.player.tally == bets.tally
    assert pickle.loads(pickle.dumps(model)).predict_one(stream[0][0]) == bets.predict(stream[0][0])
