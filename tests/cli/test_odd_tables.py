"""Tables that cannot be learned as they are: a plain sentence says where and what to type, never a number."""

import json

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadData
from littlestone.cli import main
from littlestone.cli.flags import name_flags


def attempt(path, text, *words):
    path.write_text(text)
    return CliRunner().invoke(main, ["learn", str(path), *words])


def rows(cell, at, rounds=60):
    """A table of numbers with one other cell, in the row `at`."""
    lines = [f"{t % 37 + 0.5},{cell if t == at else t % 31},{'yn'[t % 2]}\n" for t in range(rounds)]
    return "a,b,label\n" + "".join(lines)


@pytest.mark.parametrize(("cell", "at"), [("oops", 40), ("inf", 3), ("-Infinity", 50), ("oops", 2500)])
def test_a_word_in_a_column_of_numbers_is_refused_with_its_line_and_the_remedy(cell, at, tmp_path):
    text = rows(cell, at, 3000)
    done = attempt(tmp_path / "a.csv", text)
    assert done.exit_code == 1
    assert done.stdout == ""
    told = f"a.csv, line {at + 2}: column 'b' holds numbers, got {cell!r}; --types b=category takes any text\n"
    assert told in done.stderr
    assert attempt(tmp_path / "a.csv", text, "--types", "b=category").exit_code == 0
    assert attempt(tmp_path / "a.csv", text, "--ignore", "b").exit_code == 0
    skipped = json.loads(attempt(tmp_path / "a.csv", text, "--on-error", "skip", "--json").stdout)
    assert (skipped["rounds"], skipped["skipped"], skipped["attributes"]) == (2999, 1, 2)
    for more in ([], ["--on-error", "skip"]):
        missing = json.loads(attempt(tmp_path / "a.csv", text, "--types", "b=number", "--json", *more).stdout)
        assert (missing["rounds"], missing["skipped"], missing["words_as_missing"]) == (3000, 0, 1)
    assert "1 cells in columns of numbers hold words" in attempt(tmp_path / "a.csv", text, "--types", "b=number").stdout


def test_a_word_after_the_first_megabyte_is_refused_with_its_line(tmp_path):
    done = attempt(tmp_path / "a.csv", rows("oops", 150_000, 150_001))
    assert done.exit_code == 1
    assert "line 150002" in done.stderr
    assert "column 'b' holds numbers, got 'oops'; --types b=category takes any text\n" in done.stderr


def test_words_after_the_first_megabyte_are_skipped_or_missing(tmp_path):
    text = rows("oops", 150_000, 150_100)
    skipped = json.loads(attempt(tmp_path / "a.csv", text, "--on-error", "skip", "--json").stdout)
    assert (skipped["rounds"], skipped["skipped"], skipped["words_as_missing"]) == (150_099, 1, 0)
    for more in ([], ["--cache"], ["--cache"]):
        missing = json.loads(attempt(tmp_path / "a.csv", text, "--types", "b=number", "--json", *more).stdout)
        assert (missing["rounds"], missing["skipped"], missing["words_as_missing"]) == (150_100, 0, 1)


def test_a_word_that_counts_as_missing_is_read_as_an_empty_cell(tmp_path):
    words = 'a,b,c,label\n1,"oops, again",red,y\n2, oops ,red,n\n3,7,blue,y\n4,NA,red,n\n5,8,red,y\n6,oops\n'
    empty = "a,b,c,label\n1,,red,y\n2,,red,n\n3,7,blue,y\n4,,red,n\n5,8,red,y\n6,oops\n"
    for named in (True, False):
        found = []
        for number, text in enumerate((words, empty)):
            path = tmp_path / f"{number}.csv"
            path.write_text(text if named else text.replace(",red", "").replace(",blue", "").replace("b,c", "b"))
            stream = ls.read(path, types={"b": "number"}, on_error="skip")
            found.append([(chunk[t], chunk.labels[t]) for chunk in stream.chunks() for t in range(len(chunk))])
            assert (stream.skipped.count, stream.skipped.words) == (1, 0 if number else 2)
        assert str(found[0]) == str(found[1])
        assert len(found[0]) == 5


def write_prices(path, cell):
    """A table with semicolons, a price in the form of `cell`, and a target that goes with it."""
    numbers = [(t % 23 / 4 + 0.25, t % 7 + 0.5, t % 23 / 2) for t in range(200)]
    path.write_text("price;size;target\n" + "".join(";".join(map(cell, row)) + "\n" for row in numbers))
    return path


def test_decimal_commas_are_numbers_where_cells_are_separated_by_something_else(tmp_path):
    told = write_prices(tmp_path / "a.csv", lambda x: f"{x:.2f}".replace(".", ","))
    plain = write_prices(tmp_path / "b.csv", lambda x: f"{x:.2f}")
    found = [list(ls.read(path).chunks()) for path in (told, plain)]
    assert str([(chunk.values.tolist(), chunk.labels.tolist()) for chunk in found[0]]) == str(
        [(chunk.values.tolist(), chunk.labels.tolist()) for chunk in found[1]]
    )
    assert ls.read(told).notes == ("numbers have decimal commas, 3,5 being 3.5, in 'price', 'size', 'target'",)
    record = json.loads(CliRunner().invoke(main, ["learn", str(told), "--json"]).stdout)
    assert record["task"] == "regression"
    model = tmp_path / "m.lst"
    CliRunner().invoke(main, ["learn", str(plain), "--model", str(model)])
    guesses = [CliRunner().invoke(main, ["predict", str(model), str(path)]).stdout for path in (told, plain)]
    assert guesses[0] == guesses[1] != ""


@pytest.mark.parametrize("cell", ["1.234", "1.5", "1.234,5", "-0.25", "1.5e3"])
@pytest.mark.parametrize("column", ["price", "target"])
def test_a_point_in_a_column_of_decimal_commas_is_refused_in_every_block(cell, column, tmp_path):
    path = tmp_path / "a.csv"
    row = f"{cell};7\n" if column == "price" else f"7;{cell}\n"
    whole = 1_400_000  # rows of the second part, with neither commas nor points, fill several blocks
    path.write_text("price;target\n" + "3,25;1,5\n4,75;2,25\n" * 60_000 + "3;1\n" * whole + row + "3;1\n" * 10)
    place = f"a.csv, line {120_000 + whole + 2}, byte {1 if column == 'price' else 3}"
    told = f"{place}: column '{column}' has decimal commas, got '{cell}', which has a point"
    for types in ({}, {column: "number"}):
        with pytest.raises(BadData) as refused:
            list(ls.read(path, types=types).chunks())
        assert told in str(refused.value)
    skipped = ls.read(path, on_error="skip")
    assert sum(len(chunk) for chunk in skipped.chunks()) == 120_000 + whole + 10
    assert skipped.skipped.count == 1


def test_a_word_in_a_column_of_decimal_commas_counts_as_missing_if_numbers_were_asked_for(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("price;target\n" + "3,25;1,5\n4,75;2,25\n" * 60_000 + "n.a.;7\n")
    stream = ls.read(path, types={"price": "number"})
    assert [*list(stream.chunks())[-1].values[-3:]] == [3.25, 4.75, 0]
    assert stream.skipped.words == 1


@pytest.mark.parametrize(
    "cell", [lambda t: f"{t + 1},{t % 900 + 100}", lambda t: f"1.{t + 100},5", lambda t: f"{t},1,2"]
)
def test_commas_that_may_stand_for_thousands_are_refused(cell, tmp_path):
    text = "a;label\n" + "".join(f"{cell(t)};{'yn'[t % 2]}\n" for t in range(60))
    done = attempt(tmp_path / "a.csv", text)
    assert done.exit_code == 1
    assert "column 'a' holds numbers with commas" in done.stderr


def test_a_few_words_among_few_numbers_are_categories(tmp_path):
    text = "children,label\n" + "".join(f"{('0', '1', '2', '3+')[t % 4]},{'yn'[t % 2]}\n" for t in range(80))
    done = attempt(tmp_path / "a.csv", text, "--json")
    assert json.loads(done.stdout)["attributes"] == 4


def test_numbers_that_are_too_large_are_refused(tmp_path):
    done = attempt(tmp_path / "a.csv", rows("1e400", 5))
    assert done.exit_code == 1
    assert "line 7, byte 5: a number must be in the range of float32, got '1e400'" in done.stderr
    done = attempt(tmp_path / "a.jsonl", '{"a": 1e400, "label": 1}\n')
    assert done.exit_code == 1
    assert "must be finite" in done.stderr


def test_a_header_of_digits_is_no_row_and_what_was_decided_is_said(tmp_path):
    rows = "".join(f"{t % 7 + 0.5},{t % 5 - 0.25},{'yn'[t % 2]}\n" for t in range(40))
    done = attempt(tmp_path / "a.csv", "0,1,2\n" + rows, "--label", "2", "--json")
    assert (json.loads(done.stdout)["rounds"], json.loads(done.stdout)["classes"]) == (40, ["y", "n"])
    assert "the first line, 0, 1, 2, is taken for names of columns (--no-header: it is a row)\n" in done.stderr
    whole = "0,1,2\n" + "".join(f"{t % 7},{t % 5},{t % 2}\n" for t in range(40))
    done = attempt(tmp_path / "a.csv", whole, "--json")
    assert "the first line, 0, 1, 2, is taken for a row (--header: it names the columns)\n" in done.stderr
    assert json.loads(done.stdout)["rounds"] == 41
    done = attempt(tmp_path / "a.csv", whole, "--header", "--json")
    assert (json.loads(done.stdout)["rounds"], json.loads(done.stdout)["classes"]) == (40, [0, 1])
    done = attempt(tmp_path / "a.csv", whole, "--header", "--no-header")
    assert (done.exit_code, "--header and --no-header contradict each other" in done.stderr) == (2, True)


def test_a_header_alone_is_refused(tmp_path):
    done = attempt(tmp_path / "a.csv", "a,b,label\n", "--model", str(tmp_path / "m.lst"))
    assert done.exit_code == 1
    assert "line 1: there is a header, but not at least one round below it (--no-header: it is a row)" in done.stderr
    assert not (tmp_path / "m.lst").exists()


def test_one_class_is_said(tmp_path):
    done = attempt(tmp_path / "a.csv", "a,b,label\n1,2,x\n2,3,x\n")
    assert done.exit_code == 0
    told = "all 2 rounds have the label 'x', so there is nothing to tell apart"
    assert f"littlestone: {told}; --label COLUMN says which column holds labels\n" in done.stderr


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_cells_that_all_differ_are_said(suffix, tmp_path):
    table = [{"id": f"u{t}", "n": t % 3, "label": "yn"[t % 2]} for t in range(30)]
    lines = ["id,n,label", *(",".join(map(str, row.values())) for row in table)]
    text = "\n".join(lines) if suffix == "csv" else "\n".join(map(json.dumps, table))
    done = attempt(tmp_path / f"a.{suffix}", text + "\n")
    assert (
        "the cells of column 'id' all differ, so nothing is learned from them; --ignore id leaves it out\n"
        in done.stderr
    )
    assert "differ" not in attempt(tmp_path / f"a.{suffix}", text + "\n", "--ignore", "id").stderr
    labels = attempt(tmp_path / f"a.{suffix}", text + "\n", "--label", "id")
    assert "every row has a label of its own in column 'id'; --label says which column holds labels\n" in labels.stderr


def test_delimiters_and_headers_are_told_by_flags(tmp_path):
    bars = "a|b|y\n" + "".join(f"{t % 5}|{t % 3}|{'yn'[t % 2]}\n" for t in range(20))
    done = attempt(tmp_path / "a.csv", bars, "--delimiter", "|", "--json")
    assert (json.loads(done.stdout)["attributes"], json.loads(done.stdout)["rounds"]) == (2, 20)
    words = "red,big,yes\n" + "".join(f"{'blue' if t % 2 else 'green'},small,no\n" for t in range(9))
    assert json.loads(attempt(tmp_path / "b.csv", words, "--json").stdout)["rounds"] == 9
    assert json.loads(attempt(tmp_path / "b.csv", words, "--no-header", "--json").stdout)["rounds"] == 10
    wrong = attempt(tmp_path / "a.csv", bars, "--delimiter", "||")
    assert wrong.exit_code == 2
    assert "a delimiter is one character" in wrong.stderr


def test_columns_are_ignored_or_kept(tmp_path):
    text = "a,b,c,label\n" + "".join(f"{t % 5},{t % 3},{t % 2},{'yn'[t % 2]}\n" for t in range(20))
    assert (
        json.loads(attempt(tmp_path / "a.csv", text, "--ignore", "a", "--ignore", "b", "--json").stdout)["attributes"]
        == 1
    )
    assert (
        json.loads(attempt(tmp_path / "a.csv", text, "--keep", "a", "--keep", "b", "--json").stdout)["attributes"] == 2
    )
    none = attempt(tmp_path / "a.csv", text, "--keep", "d")
    assert none.exit_code == 1
    assert "column 'd' is none of the 4 columns 'a', 'b', 'c', 'label'" in none.stderr


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("types={'age': 'category'} takes any text", "--types age=category takes any text"),
        ("types={'my age': 'text'}", "--types 'my age'=text"),
        ("ignore=['at'] leaves it out", "--ignore at leaves it out"),
        ("no label: none is here; say label=", "no label: none is here; say --label"),
        ("say format= one of csv", "say --format one of csv"),
        ("--expansion or expansion= allows more", "--expansion allows more"),
        ("(labelled=False: rows without labels)", "(--unlabelled: rows without labels)"),
        ("got 'label=5'", "got 'label=5'"),
        ("so Winnow(threshold=...) must be given", "so --set threshold=... must be given"),
    ],
)
def test_errors_name_flags(said, typed):
    assert name_flags(said) == typed
