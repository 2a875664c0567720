from collections import deque
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from guessers import Scrambled
from littlestone.base.chunks import Row
from littlestone.base.errors import BadInstance, BadLabel
from littlestone.base.features import Named, Words
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Recorded
from littlestone.environments import recorded as module
from littlestone.game.play import play
from littlestone.learners import Halving, Memorizer, Perceptron
from littlestone.readers.reading import read

TABLE = [[1.0, 0.0, 2.5], [0.0, 0.0, 0.0], [0.0, -3.0, 1.0]]
LABELS = ["yes", "no", "yes"]


def rows(stream):
    """Every row as {attribute: value} with its label."""
    said = []
    for chunk in stream.chunks():
        for t in range(len(chunk)):
            row = chunk[t].to_sparse()
            said.append((dict(zip(row.indices.tolist(), row.values.tolist(), strict=True)), chunk.labels[t]))
    return said


EXPECTED = [({0: 1.0, 2: 2.5}, "yes"), ({}, "no"), ({1: -3.0, 2: 1.0}, "yes")]


def wide(matrix):
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


@pytest.mark.parametrize(
    "X",
    [
        TABLE,
        tuple(TABLE),
        np.array(TABLE),
        np.array(TABLE, order="F"),
        np.array(TABLE, np.float32),
        np.array(TABLE, object),
        [np.array(row) for row in TABLE],
        sp.csr_matrix(TABLE),
        sp.csr_array(TABLE),
        sp.coo_matrix(TABLE),
        sp.csc_matrix(TABLE),
        wide(sp.csr_matrix(TABLE)),
        *(sp.coo_matrix(TABLE).asformat(kind) for kind in ("bsr", "dia", "dok", "lil")),
        pl.DataFrame(TABLE, schema=["a", "b", "c"], orient="row"),
        pd.DataFrame(TABLE, columns=["a", "b", "c"]),
        pd.DataFrame({"a": [True, False, False], "b": [0, 0, -3], "c": [2.5, 0, 1]}),
    ],
    ids=lambda X: type(X).__name__,
)
def test_the_same_rows_come_from_every_kind_of_table(X):
    stream = Recorded(X, LABELS)
    assert rows(stream) == EXPECTED
    assert rows(stream) == EXPECTED  # and again
    assert stream.rounds == 3
    assert stream.size().attributes == 3
    assert stream.classes() == ()


class Frame:
    """What other data frames have in common with pandas'."""

    columns = ("a", "b", "c")

    def __len__(self):
        return 3

    def to_numpy(self):
        return np.array(TABLE)


def test_any_frame_that_becomes_numpy_will_do():
    assert rows(Recorded(Frame(), pd.Series(LABELS))) == EXPECTED


def test_single_precision_stays_single():
    assert Recorded(np.array(TABLE, np.float32), LABELS).size().real is np.float32
    assert Recorded(np.array(TABLE), LABELS).size().real is np.float64


def test_arrays_that_fit_are_not_copied():
    matrix, dense, y = sp.csr_matrix(TABLE), np.array(TABLE), np.array(LABELS)
    (chunk,) = Recorded(matrix, y).chunks()
    assert np.shares_memory(chunk.values, matrix.data)
    assert np.shares_memory(chunk.indices, matrix.indices)
    assert np.shares_memory(chunk.labels, y)
    (chunk,) = Recorded(dense, y).chunks()
    assert np.shares_memory(chunk.values, dense)
    points = np.arange(5)
    (chunk,) = Recorded(points, [True] * 5).chunks()
    assert np.shares_memory(chunk.points, points)


def test_duplicate_entries_are_summed_and_the_callers_matrix_stays_as_it_was():
    matrix = sp.csr_matrix((np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    assert rows(Recorded(matrix, ["yes"])) == [({0: 2.0, 1: 5.0}, "yes")]
    assert matrix.data.tolist() == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    "X",
    [
        [{"free": 1}, {"money": 2.0}, {}],
        ["free money", "hello", ""],
        [(0, 1), (1, 1), (0, 0)],
        [3, 1, 4],
        range(3),
        np.array([3, 1, 4]),
        pd.Series(["red", "blue", "red"]),
        deque(["red", "blue", "red"]),
        [Fraction(1, 3), Fraction(2, 3), Fraction(0)],
        [{1: 1}, [0, 1], (1, 2)],
    ],
    ids=lambda X: type(X).__name__,
)
def test_whatever_is_no_row_is_a_point_as_it_was_given(X):
    (chunk,) = Recorded(X, LABELS).chunks()
    assert list(chunk) == list(X)
    assert not isinstance(chunk[0], Row)


def test_a_class_reads_its_own_points_and_bits_from_rows():
    assert play(Halving(Thresholds(9)), Recorded([3, 5, 4], [False, True, True])).certificate().holds
    bits = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    in_rows = play(Halving(Parities(3)), Recorded(bits, [1, 1, 0]))
    in_points = play(Halving(Parities(3)), Recorded([tuple(x) for x in bits], [1, 1, 0]))
    assert in_rows.mistakes == in_points.mistakes
    assert in_rows.certificate() == in_points.certificate()


def test_labels_stay_what_they_are():
    for y in ([1, "spam", None.__class__], [(1, 2), (3, 4), (5, 6)], [True, 0, -1], ["a", "b", "a"]):
        (chunk,) = Recorded([1, 2, 3], y).chunks()
        assert chunk.labels.tolist() == y
        assert [type(label) for label in chunk.labels.tolist()] == [type(label) for label in y]


def test_declared_classes_are_told_beforehand():
    assert Recorded([1, 2], ["b", "a"], classes=["a", "b", "c"]).classes() == ("a", "b", "c")
    assert Recorded([1, 2], ["b", "a"], classes=None).classes() == ()


def test_a_long_stream_comes_in_chunks_that_change_nothing(monkeypatch):
    y = [t % 3 == 0 for t in range(50)]
    whole = play(Scrambled(), Recorded(list(range(50)), y))
    monkeypatch.setattr(module, "ROUNDS", 7)
    assert [len(chunk) for chunk in Recorded(list(range(50)), y).chunks()] == [7] * 7 + [1]
    cut = play(Scrambled(), Recorded(list(range(50)), y))
    assert cut.mistakes == whole.mistakes
    assert cut.player.state == whole.player.state


def test_an_empty_stream_is_a_game_of_no_rounds():
    for X in ([], np.zeros((0, 4)), sp.csr_matrix((0, 4))):
        assert play(Scrambled(), Recorded(X, [])).rounds == 0


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1, 2], [3], [4, 5]], "row 1 has 1 attributes, the rows before have 2"),
        ([[1, 2], [3, "x"], [4, 5]], "got 'x' in row 1, column 1"),
        ([["1", "2"], ["3", "4"], ["5", "6"]], "got '1' in row 0, column 0"),
        ([[1, 2], [3, None], [4, 5]], "got None in row 1, column 1"),
        ([[1, 2], [3, 4], [float("nan"), 5]], "got nan in row 2"),
        (np.array([[1, 2], [np.inf, 4], [5, np.nan]]), "got inf in row 1"),
        (sp.csr_matrix([[1, 2], [0, 0], [0, np.nan]]), "got nan in row 2"),
        (sp.csr_matrix(np.eye(3) * 1j), "got a sparse matrix of complex128"),
        (np.eye(3) * 1j, r"got \(?1j\)? in row 0, column 0|got 1j"),
        (pd.DataFrame({"size": [1, 2, 3], "colour": ["red", 2, None]}), "texts, got 2 in row 1, column 'colour'"),
        (pd.DataFrame({"size": [1, 2, np.inf], "colour": list("abc")}), "numbers, got inf in row 2, column 'size'"),
        (
            pd.DataFrame({"at": pd.to_timedelta(["1 day"] * 3), "colour": list("abc")}),
            "got Timedelta.* column 'at'",
        ),
        (pd.DataFrame([["a", 1]] * 3, columns=["size", "size"]), "two columns are called 'size'"),
        (pl.DataFrame({"size": [1.0, -np.inf, 3.0]}), "numbers, got -inf in row 1, column 'size'"),
        (np.zeros(3, [("a", float), ("b", int)]), "structured array of .*data frame"),
        (sp.coo_array(np.arange(3)), "got 1 dimension"),
        (pd.DataFrame({"size": [1, 2, {}]}), "got {} in row 2, column 'size'"),
        (np.zeros((3, 2, 2)), "3 dimension"),
        ([[[1]], [[2]], [[3]]], "3 dimensions"),
        ([[[1]], [[2, 3]], [[4]]], "rows of rows"),
        ((x for x in range(3)), r"got a generator: list\(X\) holds one that ends"),
        ("abc", "got a str"),
        ({1: 2}, "got a dict"),
        ({1, 2, 3}, "got a set"),
        (7, "got a int"),
        (None, "got a NoneType"),
    ],
)
def test_the_first_bad_row_is_named(X, message):
    with pytest.raises(BadInstance, match=message):
        Recorded(X, LABELS)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 2], "3 rows need as many labels, got 2"),
        ([1, None, 2], "got None in row 1"),
        ([1.0, 2.0, float("nan")], "got nan in row 2"),
        (np.array([1.0, np.nan, 0.0]), "got nan in row 1"),
        (pd.Series(["a", None, "b"]), "in row 1"),
        (pd.Series([1, None, 2], dtype="Int64"), "in row 1"),
        ([1, [2], 3], r"got \[2\] in row 1"),
        (np.zeros((3, 1)), "y must be one label a round"),
        ((y for y in [1, 2, 3]), r"got a generator: list\(y\) holds"),
        ("abc", "y must be a sequence held in memory"),
        (None, "y must be a sequence held in memory"),
    ],
)
def test_the_first_bad_label_is_named(y, message):
    with pytest.raises(BadLabel, match=message):
        Recorded([1, 2, 3], y)


def test_it_says_what_it_holds():
    assert repr(Recorded(TABLE, LABELS)) == "Recorded(3 rounds of 3 attributes)"
    assert repr(Recorded([1, 2, 3], LABELS)) == "Recorded(3 rounds of points)"


NOMINAL = {"colour": ["red", "blue", None], "size": [1.5, 0.0, -2.0], "big": [True, False, True]}
NAMED = [{"colour=red": 1, "size": 1.5, "big": 1}, {"colour=blue": 1}, {"size": -2, "big": 1}]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(NOMINAL),
        pd.DataFrame(NOMINAL).astype({"colour": "category"}),
        pd.DataFrame(NOMINAL).astype({"colour": object}),
        pl.DataFrame(NOMINAL),
        pl.DataFrame(NOMINAL).with_columns(pl.col("colour").cast(pl.Categorical)),
    ],
    ids=["str", "category", "object", "polars", "polars category"],
)
def test_nominal_columns_are_attributes_by_name(X):
    stream = Recorded(X, LABELS)
    (chunk,) = stream.chunks()
    assert list(chunk) == NAMED
    assert isinstance(stream.features(), Named)
    assert repr(stream) == "Recorded(3 rounds of named attributes)"
    assert play(Perceptron(), stream).player.features.numbers.keys() == {"colour=red", "colour=blue", "size", "big"}
    with pytest.raises(BadLabel, match="3 rows need as many labels, got 2"):
        Recorded(X, LABELS[:2])


def test_dicts_are_read_by_name_and_columns_of_numbers_keep_theirs():
    rows = [{"free": 1, "colour": "red"}, {"money": 2.0}, {}]
    game = play(Perceptron(), Recorded(rows, LABELS))
    assert game.player.features.numbers.keys() == {"free", "colour=red", "money"}
    assert game.player.predict({"free": 1, "colour": "red"}) == "yes"
    assert Recorded(pd.DataFrame(TABLE, columns=["a", "b", "c"]), LABELS).features().names == ("a", "b", "c")
    assert Recorded([{1: 1}, {2: 1}, {}], LABELS).features() is None
    assert Recorded(np.array(TABLE), LABELS).features() is None


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_missing_cell_of_a_frame_is_missing_as_in_csv(frame, tmp_path):
    table = frame({"size": [1.0, None, 3.0], "n": [None, 2, 3]})
    (chunk,) = Recorded(table, LABELS).chunks()
    assert chunk.values.tolist() == [1, 0, 0, 2, 3, 3]
    assert chunk.names == ("size", "n")
    path = tmp_path / "a.csv"
    path.write_text("size,n,y\n1.0,,yes\nNaN,2,no\n3.0,3,yes\n")
    (same,) = read(path).chunks()
    assert same.values.tolist() == chunk.values.tolist()
    mixed = frame({"size": [1.0, None, 3.0], "colour": ["red", None, "blue"]})
    assert list(next(Recorded(mixed, LABELS).chunks())) == [
        {"size": 1, "colour=red": 1},
        {},
        {"size": 3, "colour=blue": 1},
    ]
    assert Recorded(pd.DataFrame({"n": pd.array([1, None, 2], dtype="Int64")}), LABELS).schema().kinds == (
        ("n", "number"),
    )


def test_dates_and_texts_of_a_frame_are_split_up():
    table = {
        "at": pd.to_datetime(["2020-01-01 10:30", None, "2021-02-05 00:00"]),
        "text": ["a good film", "a bad one", "so so so"],
    }
    for frame in (pd.DataFrame(table), pl.DataFrame(table)):
        stream = Recorded(frame, LABELS)
        assert stream.schema().kinds == (("at", "date"), ("text", "text"))
        named = play(Perceptron(), stream).player.features.features.numbers
        assert {"at^year=2020", "at^weekday=wednesday", "at^hour=10", "at^elapsed", "text^good", "text^so"} <= set(
            named
        )
        (read_as,) = Recorded(frame, LABELS, types={"text": "category", "at": "ignore"}).chunks()
        assert read_as[0] == {"text=a good film": 1}


def test_texts_are_read_by_their_words():
    game = play(Perceptron(), Recorded(["free money", "hello", "free"] * 5, LABELS * 5))
    assert isinstance(game.player.features, Words)
    assert game.player.predict("money for free") == "yes"
    assert game.mistakes <= 3


def test_a_learner_that_is_particular_reads_instances_in_its_own_way():
    bits = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    by_name = play(Halving(Parities(3)), Recorded(pd.DataFrame(bits, columns=["a", "b", "c"]), [1, 1, 0]))
    assert by_name.certificate() == play(Halving(Parities(3)), Recorded(bits, [1, 1, 0])).certificate()
    with pytest.raises(BadInstance, match="hashable"):
        play(Memorizer(), Recorded([{"a": 1}], ["x"]))
