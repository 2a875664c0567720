"""The first hour: what people type first works, or is refused in a sentence that says what to type instead."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadParameter, TooLarge
from littlestone.cli import main

KEPT = Path(__file__).parents[1] / "kept" / "models"


def invoke(*words, given=None):
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def write_rows(path, width, classes, rows=120, active=20, seed=0):
    rng, lines = np.random.default_rng(seed), list[str]()
    for t in range(rows):
        chosen = np.sort(rng.choice(width, min(active, width), replace=False)) + 1
        lines.append(f"{t % classes} " + " ".join(f"{j}:1" for j in chosen))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_arow_keeps_a_diagonal_where_rows_are_wide_and_says_so(tmp_path):
    path = write_rows(tmp_path / "wide.svm", 13_000, 2)
    done = invoke("learn", path, "--learner", "arow", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["learner"] == str(ls.Arow(diagonal=True))
    assert "keeps only the diagonal of its matrix" in done.stderr
    assert "--learner arow:diagonal=false keeps all of it" in done.stderr
    asked = invoke("learn", write_rows(tmp_path / "b.svm", 600, 2, 10), "--learner", "arow:diagonal=false", "--json")
    assert json.loads(asked.stdout)["learner"] == str(ls.Arow())
    assert asked.stderr == ""


def test_arow_keeps_its_matrix_where_rows_are_narrow(tmp_path):
    done = invoke("learn", write_rows(tmp_path / "narrow.svm", 40, 2), "--learner", "arow", "--json")
    assert json.loads(done.stdout)["learner"] == str(ls.Arow())
    assert done.stderr == ""


def test_arow_learns_texts(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{' '.join(f'w{k}' for k in rng.integers(0, 40_000, 400))},{'ab'[t % 2]}" for t in range(200)]
    path = tmp_path / "text.csv"
    path.write_text("\n".join(["text,label", *rows]) + "\n")
    done = invoke("learn", path, "--learner", "arow", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] == 200


def test_a_matrix_that_is_too_wide_names_the_diagonal():
    player = ls.Player(ls.Arow())
    player.memory = 1 << 40
    with pytest.raises(TooLarge, match=r"Arow keeps a matrix .* diagonal=True"):
        player.update({40_000: 1.0}, True)


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("arow", ls.Network(ls.Arow(), "each")),
        ("perceptron", ls.Network(ls.Perceptron())),
        ("passive-aggressive:aggressiveness=2", ls.Network(ls.PassiveAggressive(aggressiveness=2.0))),
        ("winnow:threshold=4", ls.Network(ls.Winnow(threshold=4.0), "each")),
    ],
)
def test_a_learner_of_two_classes_becomes_a_network_where_there_are_more(typed, played, tmp_path):
    path = write_rows(tmp_path / "three.svm", 30, 3)
    done = invoke("learn", path, "--learner", typed, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["learner"].replace(".0", "") == str(played).replace(".0", "")
    assert len(told["classes"]) == 3
    assert f"--learner network:{typed.partition(':')[0]}" in done.stderr
    alone = json.loads(invoke("learn", path, "--learner", f"network:{typed}", "--json").stdout)
    assert told["mistakes"] == alone["mistakes"]


def test_a_plan_that_promises_nothing_recommends_nothing_and_names_the_league(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{y} " + " ".join(f"{j}:{v:.3f}" for j, v in enumerate(x, 1))
            for x, y in zip(rng.normal(size=(200, 6)), rng.integers(0, 2, 200), strict=True)]  # fmt: skip
    path = tmp_path / "noise.svm"
    path.write_text("\n".join(rows) + "\n")
    last = invoke("plan", "--from", path).stdout.strip().splitlines()[-1]
    assert last.startswith("no learner is recommended: ")
    assert "200" in last
    assert last.endswith("`learn --league` plays many learners and certifies what came of it")
    told = json.loads(invoke("plan", "--from", path, "--json").stdout)
    assert told["recommended"] is None
    assert told["reason"] == last


def test_predictions_take_what_predict_many_takes():
    pandas = pytest.importorskip("pandas")
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    player = ls.play(ls.Player(), ls.Recorded(X[:2], ["a", "b"])).player
    assert player.predictions(X) == player.predict_many(X) == [player.predict(x) for x in X]
    assert np.array_equal(player.probabilities(X), [player.probability(x) for x in X])
    frame = pandas.DataFrame({"one": X[:, 0], "two": X[:, 1]})
    named = ls.play(ls.Player(), ls.Recorded(frame, ["a", "b", "a"])).player
    assert named.predictions(frame) == named.predict_many(frame)
    assert len(named.scores(frame)) == 3


def test_verify_of_a_model_says_that_it_is_a_model(tmp_path):
    path = write_rows(tmp_path / "a.svm", 30, 2)
    done = invoke("verify", KEPT / "ada_hedge.lst", path)
    assert done.exit_code == 1
    assert "is a model, no certificate" in done.stderr
    assert "--certificate" in done.stderr


DICTS = [{"colour=red": 1.0, "size": 2.0}, {"colour=blue": 1.0, "size": 1.0}] * 10
TEXTS = ["a good film", "a bad film"] * 10


def test_a_player_takes_dictionaries_and_texts_as_they_are():
    player = ls.Player()
    for x, y in zip(DICTS, ["r", "b"] * 10, strict=True):
        player.update(x, y)
    assert [player.predict(x) for x in DICTS[:2]] == ["r", "b"]
    named = ls.Player(features=ls.Named())
    for x, y in zip(DICTS, ["r", "b"] * 10, strict=True):
        named.update(x, y)
    assert named.tally == player.tally
    reader = ls.Player()
    for x, y in zip(TEXTS, [True, False] * 10, strict=True):
        reader.update(x, y)
    assert [reader.predict(x) for x in TEXTS[:2]] == [True, False]
    asked_first = ls.Player()
    asked_first.predict(DICTS[0])
    asked_first.update(DICTS[0], "r")
    assert asked_first.tally.rounds == 1


def test_a_player_without_features_plays_streams_of_dictionaries_and_texts():
    for instances in (DICTS, TEXTS):
        stream = ls.Recorded(instances, ["r", "b"] * 10)
        assert ls.play(ls.Player(), stream).mistakes == ls.play(ls.Logistic(), stream).mistakes


def test_a_player_that_was_given_features_keeps_them():
    from littlestone.base.errors import BadInstance

    with pytest.raises(BadInstance, match="attributes are numbered here"):
        ls.Player(features=ls.Indexed()).update(DICTS[0], "r")
    numbered = ls.Player()
    numbered.update({0: 1.0}, "r")
    with pytest.raises(BadInstance, match="attributes are numbered here"):
        numbered.update(DICTS[0], "r")


def test_a_race_takes_names_of_learners():
    stream = ls.Recorded([[1, 0, 1], [0, 1, 0]] * 10, [True, False] * 10)
    found = ls.race(stream, ["logistic", "perceptron:margin=1", ls.Winnow(threshold=2.0)])
    named = ls.race(stream, [ls.Logistic(), ls.Perceptron(margin=1), ls.Winnow(threshold=2.0)])
    assert [(str(one.player.learner), one.mistakes) for one in found.games] == [
        (str(one.player.learner), one.mistakes) for one in named.games
    ]
    with pytest.raises(BadParameter, match="did you mean logistic"):
        ls.race(stream, ["logistik"])


@pytest.mark.parametrize("kind", ["list", "array", "objects", "series"])
def test_an_estimator_takes_texts(kind):
    pandas = pytest.importorskip("pandas")
    from littlestone.sklearn import OnlineClassifier

    make = {"list": list, "array": np.array, "objects": lambda x: np.array(x, object), "series": pandas.Series}[kind]
    model = OnlineClassifier().fit(make(TEXTS), ["good", "bad"] * 10)
    assert model.predict(make(["good", "so bad"])).tolist() == ["good", "bad"]
    assert model.predict_proba(make(TEXTS[:2])).shape == (2, 2)
    assert model.decision_function(make(TEXTS[:2])).shape == (2,)
    model.partial_fit(make(TEXTS), ["good", "bad"] * 10)
    assert model.player_.tally.rounds == 40
    with pytest.raises(ValueError, match="texts"):
        model.predict(np.eye(2))
    frame = pandas.DataFrame({"text": TEXTS})
    assert (
        OnlineClassifier().fit(frame, ["good", "bad"] * 10).mistakes_
        == model.fit(make(TEXTS), ["good", "bad"] * 10).mistakes_
    )


def test_numbers_to_be_predicted_are_not_taken_for_classes_of_a_network(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "numbers.csv"
    path.write_text("\n".join(["a,y", *(f"{v:.3f},{3 * v:.4f}" for v in rng.normal(size=120))]) + "\n")
    done = invoke("learn", path, "--learner", "perceptron")
    assert done.exit_code == 1
    assert "--task regression predicts numbers" in done.stderr
    insisted = invoke("learn", path, "--learner", "perceptron", "--many-classes")
    assert insisted.exit_code == 1
    assert "would be class 3" in insisted.stderr
