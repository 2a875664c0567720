"""Frames, files, Series and dicts where rounds or rows are meant; races in Python."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import littlestone as ls
from littlestone.base.errors import BadData, BadInstance, BadParameter

NUMBERS = pd.DataFrame({"size": [1.0, 0, 3, 0] * 10, "weight": [0.0, 2, 0, 1] * 10, "label": ["x", "y"] * 20})
MIXED = NUMBERS.assign(kind=["red", "blue"] * 20)[["kind", "size", "label", "weight"]]


@pytest.mark.parametrize("frame", [NUMBERS, MIXED], ids=["numbers", "mixed"])
@pytest.mark.parametrize("make", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_a_frame_is_read_with_its_labels(frame, make):
    stream = ls.read(make(frame))
    assert [label for chunk in stream.chunks() for label in chunk.labels.tolist()] == ["x", "y"] * 20
    by_hand = ls.play(ls.Perceptron(), ls.Recorded(frame.drop(columns="label"), frame["label"]))
    game = ls.play(ls.Perceptron(), make(frame))
    assert (game.rounds, game.mistakes) == (40, by_hand.mistakes)
    assert np.array_equal(game.player.state.weights, by_hand.player.state.weights)


def test_the_label_of_a_frame_is_the_usual_one_the_last_or_as_told():
    frame = pd.DataFrame({"a": [1, 0], "b": [5, 6], "c": [7, 8]})
    assert [c.labels.tolist() for c in ls.read(frame).chunks()] == [[7, 8]]
    assert [c.labels.tolist() for c in ls.read(frame, label="a").chunks()] == [[1, 0]]
    assert [c.labels.tolist() for c in ls.read(frame, label=1).chunks()] == [[5, 6]]
    assert [c.labels.tolist() for c in ls.read(frame.rename(columns={"b": "target"})).chunks()] == [[5, 6]]
    with pytest.raises(BadData, match="the label 'z' is none of the 3 columns"):
        ls.read(frame, label="z")
    with pytest.raises(BadParameter, match="a frame is read as it is: leave out format, ngrams"):
        ls.read(frame, "csv", ngrams=2)
    with pytest.raises(BadData, match="a frame needs an attribute and a label"):
        ls.read(frame[["a"]])


def test_a_series_or_a_dict_is_matched_by_name():
    player = ls.play(ls.Perceptron(), ls.read(NUMBERS)).player
    row = NUMBERS[["size", "weight"]].iloc[2]
    assert player.score(row) == player.score([3.0, 0.0]) == player.score({"weight": 0.0, "size": 3.0})
    assert player.score(row[["weight", "size"]]) == player.score([3.0, 0.0])
    assert player.score({"weight": 2.0}) == player.score([0.0, 2.0])
    with pytest.raises(BadInstance, match="'colour' is none of the columns that the model knows"):
        player.predict({"colour": 1.0})
    mixed = ls.play(ls.Perceptron(), ls.read(MIXED)).player
    one = {"kind": "red", "size": 3.0, "weight": 0.0}
    assert mixed.score(pd.Series(one)) == mixed.score(one)
    mixed.update(pd.Series(one), "x")
    assert mixed.tally.rounds == 41
    plain = ls.play(ls.Perceptron(), ls.Recorded([[1.0, 0.0], [0.0, 1.0]], ["x", "y"])).player
    assert plain.score(pd.Series([2.0, 0.0])) == plain.score([2.0, 0.0]) == plain.score({0: 2.0})


def test_many_are_predicted_from_frames_arrays_lists_and_files(tmp_path):
    player = ls.play(ls.Perceptron(), ls.read(NUMBERS)).player
    rows = NUMBERS[["size", "weight"]]
    expected = [player.predict(x) for x in rows.to_numpy()]
    assert player.predict_many(rows) == expected
    assert player.predict_many(rows[["weight", "size"]]) == expected
    assert player.predict_many(NUMBERS) == expected
    assert player.predict_many(pl.from_pandas(rows)) == expected
    assert player.predict_many(rows.to_numpy()) == player.predict_many(rows.to_numpy().tolist()) == expected
    assert player.predict_many(scipy.sparse.csr_matrix(rows.to_numpy())) == expected
    assert player.predict_many(ls.read(NUMBERS)) == expected
    assert player.tally.rounds == 40
    with pytest.raises(BadData, match="there is no column 'weight', which the model knows"):
        player.predict_many(rows[["size"]])
    NUMBERS.to_csv(tmp_path / "rows.csv", index=False)
    rows.to_csv(tmp_path / "new.csv", index=False)
    assert player.predict_many(tmp_path / "rows.csv") == expected
    assert player.predict_many(str(tmp_path / "new.csv"), labelled=False) == expected


def test_many_texts_are_predicted(tmp_path):
    text = "ham\tSee you at five\nspam\tFREE entry now\n" * 10
    (tmp_path / "m.txt").write_text(text)
    player = ls.play(ls.AveragedPerceptron(), tmp_path / "m.txt").player
    assert player.predict_many(["see you", "free entry"]) == ["ham", "spam"]
    assert player.predict_many(one for one in ["see you", "free entry"]) == ["ham", "spam"]
    assert player.predict_many(tmp_path / "m.txt") == ["ham", "spam"] * 10
    assert player.predict_many([]) == []


def test_a_race_in_python_has_its_best_first(tmp_path):
    found = ls.race(NUMBERS)
    mistakes = [game.judged.mistakes for game in found.games]
    assert mistakes == sorted(mistakes)
    assert len(mistakes) > 10
    assert found.best is found.games[0].player
    assert repr(found).split()[:3] == ["mistakes", "rate", "log-loss"]
    assert str(found.games[0].player.learner) in repr(found).splitlines()[1]
    alone = ls.play(ls.Perceptron(), ls.read(NUMBERS))
    few = ls.race(ls.read(NUMBERS), [ls.Perceptron(), ls.Winnow(threshold=2.0)])
    assert {type(game.player.learner): game.mistakes for game in few.games}[ls.Perceptron] == alone.mistakes
    data = tmp_path / "rows.svm"
    data.write_text("1 1:0.5\n0 2:1\n" * 5)
    gone = ls.race(str(data), [ls.Winnow(threshold=2.0), ls.Perceptron()])
    assert (len(gone.games), gone.entries[-1].problem is not None) == (1, True)
    assert "out" in repr(gone).splitlines()[-1]
    with pytest.raises(BadParameter, match="every learner left the race"):
        ls.race(str(data), [ls.Winnow(threshold=2.0)]).best  # noqa: B018
