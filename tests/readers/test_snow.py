"""Examples of the SNoW architecture, read and written."""

import io

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadData, BadParameter
from littlestone.cli import main


def read(text, **options):
    """Label and row of each round."""
    found = []
    for chunk in ls.read(io.BytesIO(text.encode()), format="snow", **options).chunks():
        for t, label in enumerate(chunk.labels.tolist()):
            found.append((label, dict(zip(chunk[t].indices.tolist(), chunk[t].values.tolist(), strict=True))))
    return found


def test_numbers_strengths_and_spaces():
    text = "0, 96, 116, 119(0.25), 7:\n\n1,97 ,\t116 ( -1e-3 ):\r\n5:  \n"
    assert read(text) == [(0, {7: 1, 96: 1, 116: 1, 119: 0.25}), (1, {97: 1, 116: -0.001}), (5, {})]


def test_attributes_are_sorted_and_the_target_may_stand_anywhere_if_it_is_told_apart():
    assert read("9, 3, 1, 5:\n0, 4:\n", targets=2) == [(1, {3: 1, 5: 1, 9: 1}), (0, {4: 1})]


def test_without_labels_all_numbers_but_those_of_targets_are_attributes():
    assert read("9, 1, 5:\n4:\n", targets=2, labelled=False) == [(None, {5: 1, 9: 1}), (None, {4: 1})]
    assert read("9, 5:\n", labelled=False) == [(None, {5: 1, 9: 1})]


@pytest.mark.parametrize(
    ("line", "options", "words"),
    [
        ("1, 2", {}, "a colon after the last"),
        ("1, 2, 3, 2:", {}, "stands once"),
        ("1, 2(nan):", {}, "a strength is a decimal number"),
        ("1, 2(" + "1" * 500 + "):", {}, "a strength is a decimal number"),
        ("1, 2(0.5:", {}, "commas separate numbers"),
        ("1, 2(1e999):", {}, "range of float64"),
        ("1, 2147483648:", {}, "below 2147483648"),
        ("1, 99999999999999999999999:", {}, "below 2147483648"),
        ("1(2), 3:", {}, "a target has no strength"),
        ("5, 9, 12; 5, 10:", {}, "for some targets only"),
        ("1,, 2:", {}, "a number is expected"),
        ("1, 2 3:", {}, "commas separate numbers"),
        ("1, -2:", {}, "a number is expected"),
        ("one, 2:", {}, "a number is expected"),
        ("7, 8:", {"targets": 2}, "one target, a number below 2: this one has 0"),
        ("0, 1, 8:", {"targets": 2}, "this one has 2"),
    ],
)
def test_what_is_no_example_is_refused_with_its_line(line, options, words):
    with pytest.raises(BadData, match=words) as refused:
        read(f"1, 2:\n{line}\n" if not options else f"1, 8:\n{line}\n", **options)
    assert "line 2" in str(refused.value)


def test_a_bad_line_can_be_passed_over():
    assert read("1, 2:\ngarbage\n0, 3:\n", on_error="skip") == [(1, {2: 1}), (0, {3: 1})]


def test_it_is_recognised_by_its_first_bytes_and_by_its_name(tmp_path):
    (tmp_path / "rows.data").write_text("0, 5, 7:\n1, 6, 7(0.5):\n")
    assert str(ls.read(tmp_path / "rows.data")).endswith("read as snow")
    (tmp_path / "rows.snow").write_text("0:\n")
    assert str(ls.read(tmp_path / "rows.snow")).endswith("read as snow")
    (tmp_path / "rows.csv").write_text("0, 5, 7\n1, 6, 7\n")
    assert str(ls.read(tmp_path / "rows.csv")).endswith("read as csv")
    (tmp_path / "table").write_text("0, 5, 7\n1, 6, 7\n")
    assert str(ls.read(tmp_path / "table")).endswith("read as csv")


def test_what_was_written_is_read_back(tmp_path):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 12)) < 0.3, rng.normal(size=(200, 12)), 0.0)
    X[::2] = X[::2] != 0
    y = rng.choice(["ham", "spam", "eggs"], 200)
    labels = ls.write_snow(ls.Recorded(X, y), tmp_path / "rows.snow")
    stream = ls.read(tmp_path / "rows.snow", targets=3)
    (chunk,) = stream.chunks()
    dense = np.zeros((200, 15))
    for t in range(200):
        dense[t, chunk[t].indices] = chunk[t].values
    assert (dense[:, 3:] == X).all()
    assert [labels[k] for k in chunk.labels.tolist()] == y.tolist()


def test_dicts_and_words_are_numbered_when_written(tmp_path):
    stream = ls.Recorded([{"free": 1, "money": 2}, {"money": 1}], ["spam", "ham"])
    assert ls.write_snow(stream, tmp_path / "rows.snow") == ("spam", "ham")
    assert (tmp_path / "rows.snow").read_text() == "0, 2, 3(2.0):\n1, 3:\n"


def test_the_command_line_learns_from_examples_with_different_rules(tmp_path):
    rng = np.random.default_rng(1)
    X = (rng.random((400, 20)) < 0.2).astype(float)
    ls.write_snow(ls.Recorded(X, X[:, 3] > 0, classes=[False, True]), tmp_path / "rows.snow")
    rules = "snow:winnow:threshold=3+perceptron:margin=1+naive-bayes"
    model = str(tmp_path / "model.lst")
    done = CliRunner().invoke(
        main, ["learn", str(tmp_path / "rows.snow"), "--learner", rules, "--model", model, "--json"]
    )
    assert done.exit_code == 0, done.output
    assert ls.load(model).tally.mistakes < 60
    shown = CliRunner().invoke(main, ["explain", model])
    assert shown.exit_code == 0, shown.output
    assert " 5\n" in shown.output  # attribute 3, after the numbers of two targets
    guessed = CliRunner().invoke(main, ["predict", model, str(tmp_path / "rows.snow")])
    assert guessed.exit_code == 0, guessed.output


def test_targets_are_counted_from_one():
    with pytest.raises(BadParameter, match="targets must be at least 1"):
        read("0, 1:\n", targets=0)
