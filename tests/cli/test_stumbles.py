"""Files as people have them: each is read as it is meant, or refused in a sentence that says what to do."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadData, BadInstance
from littlestone.base.features.schema import tell_unknown
from littlestone.cli import main

COLOURS = ("red", "green", "blue")
ROWS = [(COLOURS[t % 3], ("small", "large")[t % 2], "yn"[t % 3 == 0]) for t in range(60)]


def invoke(*words, given=None):
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def write(path, header, rows=ROWS, delimiter=","):
    path.write_text("".join(delimiter.join(map(str, row)) + "\n" for row in (header, *rows)))
    return path


def learn(path, *words):
    done = invoke("learn", path, "--json", *words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refuse(path, *words):
    done = invoke("learn", path, *words)
    assert (done.exit_code, done.stdout) == (1, "")
    return done.stderr


def test_a_header_without_a_name_for_the_row_numbers_is_a_header(tmp_path):
    told = learn(write(tmp_path / "a.csv", ("", "colour", "size", "class"), [(t, *row) for t, row in enumerate(ROWS)]))
    assert (told["rounds"], told["attributes"], told["classes"]) == (60, 6, ["n", "y"])


def test_a_header_with_a_delimiter_at_the_end_is_a_header(tmp_path):
    told = learn(write(tmp_path / "a.csv", ("colour", "size", "class", ""), [(*row, "") for row in ROWS]))
    assert (told["rounds"], told["attributes"]) == (60, 5)


def test_a_header_that_has_a_name_twice_is_refused_and_not_learned(tmp_path):
    told = refuse(write(tmp_path / "a.csv", ("colour", "colour", "class")))
    assert told.endswith("a.csv, line 1: two columns are called 'colour': names must differ, or say --no-header\n")


def test_without_a_header_a_first_row_in_which_a_word_comes_twice_is_a_row(tmp_path):
    told = learn(write(tmp_path / "a.csv", ("x", "x", "n"), [("x", "o", "y"), ("o", "x", "n")] * 20))
    assert told["rounds"] == 41


def test_a_quote_that_is_not_closed_is_said(tmp_path):
    (tmp_path / "a.csv").write_text('a,class\n1,"x\n2,y\n3,z\n')
    assert "a.csv, line 2: a cell begins with a quote that is not closed\n" in refuse(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("cell", "label"), [(lambda t: f"{t},5,5", lambda t: "yn"[t % 2]), (lambda t: t % 2, lambda t: f"{t + 1},250")]
)
def test_numbers_with_commas_are_refused_with_the_remedy(cell, label, tmp_path):
    path = write(tmp_path / "a.csv", ("a", "b", "class"), [(cell(t), t, label(t)) for t in range(60)], ";")
    told = refuse(path)
    assert "holds numbers with commas, such as '" in told
    assert "write 3.5 for 3,5 and 1234 for 1,234; --types " in told


def test_dates_in_an_order_that_is_not_certain_are_said_to_be_categories(tmp_path):
    rows = [(f"{t % 12 + 1:02}/{t % 9 + 1:02}/2024", "yn"[t % 2]) for t in range(80)]
    done = invoke("learn", write(tmp_path / "a.csv", ("when", "class"), rows))
    assert done.exit_code == 0
    assert "column 'when' looks like dates, such as '01/01/2024', but dates are read as 2026-12-31" in done.stderr
    assert "--ignore when leaves it out\n" in done.stderr


def test_a_column_that_is_ignored_is_not_the_label(tmp_path):
    path = write(tmp_path / "a.csv", ("colour", "size", "class"))
    assert learn(path, "--ignore", "class")["classes"] == ["small", "large"]


def test_a_column_that_is_not_there_is_answered_with_the_nearest(tmp_path):
    path = write(tmp_path / "a.csv", ("colour", "size", "class"))
    assert "column 'color' is none of the 3 columns 'colour', 'size', 'class': did you mean 'colour'?" in refuse(
        path, "--ignore", "color"
    )
    assert "name one column at a time" in refuse(path, "--keep", "colour,size")
    assert "did you mean 'colour'?" in refuse(path, "--label", "color")


def test_options_of_texts_are_said_to_change_nothing_where_there_is_no_text(tmp_path):
    done = invoke("learn", write(tmp_path / "a.csv", ("colour", "size", "class")), "--ngrams", "2")
    assert "no column holds text, so --ngrams changes nothing; --types COLUMN=text names one\n" in done.stderr


def test_another_header_in_a_second_file_is_refused_with_its_name(tmp_path):
    one, two = (write(tmp_path / name, ("colour", part, "class")) for name, part in (("a.csv", "size"), ("b.csv", "x")))
    done = invoke("learn", one, two)
    assert done.exit_code == 1
    assert f"{tmp_path}/b.csv, line 1: the header names colour, x, class; the first file's names" in done.stderr


def test_a_json_document_over_several_lines_is_told_apart_from_json_lines(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"a": 1, "class": "y"}], indent=1))
    told = refuse(tmp_path / "a.json")
    assert "one JSON document over several lines: JSON lines have an object in each" in told
    assert "jq -c" in told


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_json_numbers_with_a_late_word_are_refused_as_in_a_table(tmp_path):
    records = [{"a": t % 50, "class": "yn"[t % 2]} for t in range(300)] + [{"a": "oops", "class": "y"}]
    told = refuse(write_lines(tmp_path / "a.jsonl", records))
    assert "a.jsonl, line 301, byte 1: column 'a' holds numbers, got 'oops'; --types a=category takes any text" in told
    assert learn(tmp_path / "a.jsonl", "--types", "a=category")["attributes"] == 51


def test_json_numbers_in_quotes_are_numbers_and_numbers_among_words_are_words(tmp_path):
    quoted = [{"a": str(t % 7) if t % 3 else t % 7, "class": "yn"[t % 2]} for t in range(60)]
    assert learn(write_lines(tmp_path / "a.jsonl", quoted))["attributes"] == 1
    mixed = [{"a": ("S", "M", 38, 40)[t % 4], "class": "yn"[t % 2]} for t in range(60)]
    path = write_lines(tmp_path / "b.jsonl", mixed)
    assert learn(path, "--model", tmp_path / "m.lst")["attributes"] == 4
    done = invoke("predict", tmp_path / "m.lst", path)
    assert done.stderr == "0 of 60 differ from the labels (0.00%)\n"


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    frames = pytest.importorskip("pandas")
    frames.DataFrame({"a": [1.0], "class": ["y"]}).iloc[:0].to_parquet(tmp_path / "a.parquet")
    assert refuse(tmp_path / "a.parquet").endswith("a.parquet: there are columns, but not one row\n")


@pytest.mark.parametrize("lines", ["free entry now\nsee you at five\n", "now, free entry\n", "free\n"])
def test_a_model_of_texts_reads_any_lines_from_a_pipe(lines, tmp_path):
    (tmp_path / "a.txt").write_text("ham\tsee you at five\nspam\tfree entry now\n" * 20)
    learn(tmp_path / "a.txt", "--model", tmp_path / "m.lst")
    done = invoke("predict", tmp_path / "m.lst", "-", given=lines)
    assert (done.exit_code, done.stdout.split()[0]) == (0, "spam")
    assert done.stdout.count("\n") == lines.count("\n")


def test_rows_of_another_width_than_the_columns_are_refused():
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame({"a": [1.0, 2.0, 3.0] * 8, "b": [0.0, 1.0] * 12, "class": ["x", "y"] * 12})
    player = ls.play(ls.Logistic(), ls.read(frame)).player
    assert player.predict_many(frame[["a", "b"]].to_numpy()) == player.predict_many(frame)
    for row in (np.ones(1), np.ones(3), [1.0, 2.0, 3.0]):
        with pytest.raises(BadInstance, match=r"a row of [13] numbers, where the model knows 2 columns: 'a', 'b'"):
            player.predict(row)
        with pytest.raises(BadInstance, match=r"a row of [13] numbers"):
            player.predict_many(np.array([row, row]))


def test_a_dict_without_any_column_of_the_model_is_refused_and_lenient_goes_on_without_one():
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame([dict(zip(("colour", "size", "class"), row, strict=True)) for row in ROWS])
    player = ls.play(ls.Logistic(), ls.read(frame)).player
    assert player.predict({"colour": "red"}) == player.predict({"colour=red": 1.0}) == "n"
    with pytest.raises(BadInstance, match="'color' is none of the columns that the model knows: 'colour', 'size'"):
        player.predict({"color": "red"})
    with pytest.raises(BadData, match=r"there is no column 'size', which the model knows; .*; lenient=True goes on"):
        player.predict_many(frame[["colour"]])
    few = [player.predict({"colour": colour}) for colour in frame["colour"]]
    assert player.predict_many(frame[["colour"]], lenient=True) == few


def write_truths(folder, name, words=None, label=None):
    """A table with a column of booleans: as words in CSV, as booleans in Parquet and JSON lines."""
    truths = [t % 3 == 0 for t in range(60)]
    rows = {"flag": truths, "b": list(range(60)), "class": label or ["yn"[truth] for truth in truths]}
    path = folder / name
    if name.endswith("csv"):
        rows["flag"] = [words[truth] for truth in truths]
        return write(path, tuple(rows), zip(*rows.values(), strict=True))
    if name.endswith("parquet"):
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.table(rows), path)
        return path
    path.write_text(
        "".join(json.dumps(dict(zip(rows, row, strict=True))) + "\n" for row in zip(*rows.values(), strict=True))
    )
    return path


@pytest.mark.parametrize("words", [("False", "True"), ("false", "true"), ("FALSE", "TRUE"), (0, 1)])
@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl"])
def test_words_for_booleans_are_booleans_where_the_model_learned_these(name, words, tmp_path):
    path = write_truths(tmp_path, name)
    learn(path, "--model", tmp_path / "m.lst")
    done = invoke("predict", tmp_path / "m.lst", write_truths(tmp_path, "b.csv", words))
    assert (done.exit_code, done.stdout) == (0, invoke("predict", tmp_path / "m.lst", path).stdout)
    other = invoke("predict", tmp_path / "m.lst", write_truths(tmp_path, "c.csv", ("no", "yes")))
    assert other.exit_code == 1
    assert "column 'flag' holds numbers, got 'yes'" in other.stderr


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl"])
def test_booleans_are_refused_where_the_model_learned_words(name, tmp_path):
    learn(write_truths(tmp_path, "b.csv", ("False", "True")), "--model", tmp_path / "m.lst")
    done = invoke("predict", tmp_path / "m.lst", write_truths(tmp_path, name))
    assert (done.exit_code, done.stdout) == (1, "")
    assert "column 'flag' holds booleans, and words in what the model learned: write them as those words" in done.stderr


def test_booleans_that_are_taken_as_categories_are_the_same_ones_in_the_next_file(tmp_path):
    path = write_truths(tmp_path, "a.parquet")
    learn(path, "--types", "flag=category", "--model", tmp_path / "m.lst")
    assert invoke("predict", tmp_path / "m.lst", path).exit_code == 0


def test_labels_that_are_written_alike_are_said_to_be_of_two_kinds(tmp_path):
    truths = [t % 3 == 0 for t in range(60)]
    learn(write_truths(tmp_path, "a.parquet", label=truths), "--model", tmp_path / "m.lst")
    done = invoke("predict", tmp_path / "m.lst", write_truths(tmp_path, "b.csv", (0, 1), label=truths))
    assert done.exit_code == 1
    assert "(they are written alike, but some are texts and some are not);" in done.stderr


def test_a_name_in_another_form_of_unicode_is_refused_in_words(tmp_path):
    one, two = "caf\u00e9", "cafe\u0301"
    learn(write(tmp_path / "a.csv", (one, "size", "class")), "--model", tmp_path / "m.lst")
    other = write(tmp_path / "b.csv", (two, "size", "class"))
    said = "'cafe\\u0301' there and 'caf\\xe9' look alike, in two forms of Unicode; write both in the same one"
    done = invoke("predict", tmp_path / "m.lst", other)
    assert (done.exit_code, done.stdout) == (1, "")
    assert said in done.stderr
    assert said in refuse(other, "--ignore", one)
    assert tell_unknown(5, ["5", "size"]) == "5 is none of the 2 columns '5', 'size': did you mean '5'?"
