"""Columns are matched by their names: exchanged, dropped, added or renamed, no wrong answer has status 0."""

import json
from dataclasses import replace

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.base.errors import BadData, BadInstance, NotCertified
from littlestone.base.features import Hashed
from littlestone.cli import main

NAMES, COLOURS = ("height", "weight", "age"), ("red", "blue", "green")
FORMATS = ("csv", "jsonl", "parquet")


def make_rows(mixed=False, rounds=200):
    """Rows by name, with a label that the weight decides, and in a mixed table the colour too."""
    rng = np.random.default_rng(7)
    rows = []
    for _ in range(rounds):
        row = dict(zip(NAMES, rng.integers(-40, 40, 3).tolist(), strict=True))
        if mixed:
            row["colour"] = COLOURS[rng.integers(3)]
        rows.append(row | {"sold": "yes" if row["weight"] + 9 * (row.get("colour") == "red") > 0 else "no"})
    return rows


def write(path, rows):
    """Write rows in the format of the file's ending."""
    names = list(rows[0])
    if path.suffix == ".csv":
        lines = [",".join(names), *(",".join(str(row[name]) for name in names) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pyarrow.parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in names}), path)
    return path


def attempt(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(params=[(learned, mixed) for learned in FORMATS for mixed in (False, True)], ids=str)
def trained(request, tmp_path):
    """A model, the rows it learned in its format, and what it says of them."""
    learned, mixed = request.param
    rows = make_rows(mixed)
    data, model = write(tmp_path / f"data.{learned}", rows), tmp_path / "m.lst"
    run("learn", data, "--model", model, "--label", "sold", "--quiet")
    return model, rows, run("predict", model, data).stdout


@pytest.mark.parametrize("format", FORMATS)
def test_columns_in_another_order_are_predicted_the_same(trained, format, tmp_path):
    model, rows, said = trained
    names = list(rows[0])[::-1]
    other = write(tmp_path / f"reversed.{format}", [{name: row[name] for name in names} for row in rows])
    done = run("predict", model, other)
    assert done.stdout == said
    wrong = sum(guess != row["sold"] for guess, row in zip(said.split(), rows, strict=True))
    assert f"{wrong:,} of 200 differ from the labels" in done.stderr


@pytest.mark.parametrize("format", FORMATS)
def test_an_unlabelled_file_needs_no_flag(trained, format, tmp_path):
    model, rows, said = trained
    rows = [{name: row[name] for name in row if name != "sold"} for row in rows]
    done = run("predict", model, write(tmp_path / f"unlabelled.{format}", rows))
    assert done.stdout == said
    assert "differ" not in done.stderr


@pytest.mark.parametrize("format", FORMATS)
def test_a_further_column_is_ignored_and_said(trained, format, tmp_path):
    model, rows, said = trained
    done = run("predict", model, write(tmp_path / f"more.{format}", [{"id": 7} | row for row in rows]))
    assert done.stdout == said
    assert "the model does not know these columns, which are ignored: 'id'\n" in done.stderr


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("command", ["predict", "resume", "certify"])
def test_a_missing_or_renamed_column_stops_every_command(trained, format, command, tmp_path):
    model, rows, _ = trained
    for change in ("dropped", "renamed"):
        others = [{("mass" if name == "weight" else name): row[name] for name in row} for row in rows]
        if change == "dropped":
            others = [{name: row[name] for name in row if name != "mass"} for row in others]
        data = write(tmp_path / f"{change}.{format}", others)
        words = {
            "predict": ("predict", model, data),
            "resume": ("learn", data, "--model", model, "--resume"),
            "certify": ("certify", model, data),
        }
        done = attempt(*words[command])
        assert done.exit_code == 1
        assert done.stdout == ""
        assert f"{data}: there is no column 'weight', which the model knows; the columns are" in done.stderr
        assert "; --force goes on\n" in done.stderr


def test_force_takes_a_missing_column_for_zero(trained, tmp_path):
    model, rows, _ = trained
    zero = write(tmp_path / "zero.csv", [row | {"weight": 0} for row in rows])
    data = write(tmp_path / "gone.csv", [{name: row[name] for name in row if name != "weight"} for row in rows])
    assert run("predict", model, data, "--force").stdout == run("predict", model, zero).stdout


def test_labels_of_which_the_model_knows_none_are_an_error(trained, tmp_path):
    model, rows, said = trained
    data = write(tmp_path / "others.csv", [row | {"sold": f"{row['sold']}!"} for row in rows])
    for words in (("predict", model, data), ("learn", data, "--model", model, "--resume")):
        done = attempt(*words)
        assert done.exit_code == 1
        assert done.stdout == ""
        assert "none of the labels 'yes!', 'no!' is known to the model" in done.stderr.replace(
            "'no!', 'yes!'", "'yes!', 'no!'"
        )
        assert "--force goes on" in done.stderr
    assert run("predict", model, data, "--force").stdout == said
    assert run("predict", model, data, "--unlabelled").stdout == said


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [("x.svm", "1 1:2 2:3\n", "attributes by number (svmlight)"), ("x.vw", "1 | a b\n", "rows of vw (vw)"),
     ("x.txt", "yes\tfree money\n", "rows of text (text)")],
)  # fmt: skip
def test_another_format_is_noticed(trained, name, text, found, tmp_path):
    model, _, _ = trained
    (tmp_path / name).write_text(text)
    done = attempt("predict", model, tmp_path / name)
    assert done.exit_code == 1
    assert "the model learned columns with names (" in done.stderr
    assert f"here are {found}; --force goes on" in done.stderr


@pytest.mark.parametrize(
    ("name", "row"),
    [("a.svm", "{label} 1:{a} 2:{b}\n"), ("a.vw", "{label} | x:{a} y:{b}\n"), ("a.txt", "{label}\tword{a} word{b}\n")],
)
def test_rows_without_columns_need_no_flag_either(name, row, tmp_path):
    pairs = [(t % 7 - 3, t % 5 - 2) for t in range(60)]
    data, bare, model = tmp_path / name, tmp_path / f"bare_{name}", tmp_path / "m.lst"
    lines = [row.format(label=int(a > b), a=a, b=b) for a, b in pairs]
    data.write_text("".join(lines))
    bare.write_text("".join(line.split("\t" if name == "a.txt" else " ", 1)[1] for line in lines))
    run("learn", data, "--model", model, "--quiet")
    done = run("predict", model, bare)
    assert done.stdout == run("predict", model, data).stdout
    assert done.stderr == ""


def test_a_table_without_a_header_is_matched_by_position(tmp_path):
    rows = [f"{t % 7},{t % 5},{'yes' if t % 7 > t % 5 else 'no'}\n" for t in range(70)]
    data, few, model = tmp_path / "a.csv", tmp_path / "few.csv", tmp_path / "m.lst"
    data.write_text("".join(rows))
    few.write_text("".join(row.rsplit(",", 1)[0] + "\n" for row in rows[:3]))
    run("learn", data, "--model", model, "--quiet")
    assert run("predict", model, few).stdout.split() == run("predict", model, data).stdout.split()[:3]


def test_certify_and_verify_read_columns_by_name(tmp_path):
    rows, model, proof = make_rows(), tmp_path / "m.lst", tmp_path / "c.json"
    first, *others = list(rows[0])
    data = write(tmp_path / "a.csv", rows)
    run("learn", data, "--model", model, "--learner", "perceptron", "--quiet")
    turned = write(tmp_path / "b.csv", [{name: row[name] for name in (*others, first)} for row in rows])
    assert (
        run("certify", model, turned).stdout
        == run("certify", model, data, "--output", proof).stdout.split("\n  written")[0] + "\n"
    )


@pytest.mark.parametrize("mixed", [False, True], ids=["numbers", "mixed"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("learner", ["perceptron", "logistic"])
def test_a_certificate_knows_its_columns(learner, format, mixed, tmp_path):
    rows = make_rows(mixed)
    names = ["sold", *(name for name in rows[0] if name != "sold")]  # the label is not the last column

    def order(name, names, rows=rows):
        return write(tmp_path / f"{name}.{format}", [{name: row[name] for name in names} for row in rows])

    data, turned = order("data", names), order("turned", names[::-1])
    model, claimed, again = tmp_path / "m.lst", tmp_path / "c.json", tmp_path / "again.json"
    run("learn", data, "--label", "sold", "--learner", learner, "--model", model, "--quiet")
    run("certify", model, data, "--output", claimed)
    assert json.loads(claimed.read_text())["columns"]["label"] == "sold"
    verified = run("verify", claimed, data).stdout  # without --label
    assert "verified over 200 rounds" in verified
    assert run("verify", claimed, turned).stdout == verified
    run("certify", model, turned, "--output", again)
    assert json.loads(again.read_text()) == json.loads(claimed.read_text())
    refused = attempt("verify", claimed, order("lacking", [name for name in names if name != "age"]))
    assert refused.exit_code == 1
    assert "there is no column 'age'" in refused.output
    wrong = [row | {"age": row["weight"], "weight": row["age"]} for row in rows]
    assert attempt("verify", claimed, order("wrong", names, wrong)).exit_code == 1
    if format == "csv" and learner == "perceptron":
        assert "true" in run("verify", claimed, turned, "--independent").stdout


@pytest.mark.parametrize("told", [[], {"format": "csv"}, {"format": 1}, "csv"], ids=str)
def test_columns_that_no_table_has_are_refused(told, tmp_path):
    stream = ls.read(write(tmp_path / "data.csv", make_rows()), label="sold")
    certificate = ls.play(ls.Perceptron(), stream).certificate()
    assert ls.verify(certificate, stream)
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, columns=told), stream)


def test_old_models_are_matched_by_position_and_say_so(tmp_path):
    rows, model = make_rows(), tmp_path / "m.lst"
    player = ls.Player(ls.Perceptron())
    for row in rows:
        player.update([row[name] for name in NAMES], row["sold"])
    player.save(model)
    done = run("predict", model, write(tmp_path / "a.csv", rows))
    assert "the model is from before columns had names: they are matched by position" in done.stderr
    assert done.stdout.split() == [player.predict([row[name] for name in NAMES]) for row in rows]


@pytest.mark.parametrize("bits", [None, 12])
def test_a_player_of_a_numeric_table_reads_dicts_and_other_tables(bits, tmp_path):
    rows = make_rows()
    data = write(tmp_path / "a.csv", rows)
    player = ls.Player(ls.Perceptron(), features=None if bits is None else Hashed(bits))
    game = ls.play(player, data)
    assert game.mistakes > 0
    row = {name: float(rows[0][name]) for name in NAMES}
    assert player.score(row) == player.score([row[name] for name in NAMES])
    assert player.score({"weight": 3.0}) == player.score([0.0, 3.0, 0.0])
    with pytest.raises(
        BadInstance, match="'mass' is none of the columns that the model knows: 'height', 'weight', 'age'"
    ):
        player.predict({"mass": 3.0})
    turned = write(tmp_path / "b.csv", [{name: row[name] for name in list(row)[::-1]} for row in rows])
    like = ls.read(turned, like=player.schema)
    (chunk,) = like.chunks()
    (plain,) = ls.read(data).chunks()
    assert player.predictions(chunk) == player.predictions(plain)
    again, live = ls.Player(ls.Perceptron(), seed=1), ls.Player(ls.Perceptron(), seed=1)
    for one, transcript in ((again, False), (live, True)):
        ls.play(one, data)
        ls.play(one, ls.read(turned, label="sold"), transcript=transcript)
    assert again.tally == live.tally
    assert again.score(row) == live.score(row)
    with pytest.raises(BadData, match=r"there is no column 'height', nor '[^']+', '[^']+'"):
        ls.play(player, write(tmp_path / "c.csv", [{"mass": 1, "sold": "yes"}, {"mass": 2, "sold": "no"}]))


def test_a_model_of_a_numeric_table_keeps_its_columns_in_its_file(tmp_path):
    rows, model = make_rows(), tmp_path / "m.lst"
    player = ls.Player(ls.Perceptron(), features=Hashed(10))
    ls.play(player, write(tmp_path / "a.csv", rows))
    player.save(model)
    loaded = ls.load(model)
    assert loaded.schema == player.schema
    assert loaded.schema.label == "sold"
    assert loaded.schema.kinds == tuple((name, "number") for name in NAMES)
    assert loaded.features.columns == NAMES
    assert loaded.score({"age": 2.0}) == player.score([0.0, 0.0, 2.0])


def test_explain_reads_columns_by_name_too(trained, tmp_path):
    model, rows, _ = trained
    names = [name for name in list(rows[0])[::-1] if name != "sold"]
    bare = write(tmp_path / "bare.csv", [{name: row[name] for name in names} for row in rows[:2]])
    data = write(tmp_path / "again.csv", rows[:2])
    said = [json.loads(run("explain", model, path, "--rows", 2, "--json").stdout)["rows"] for path in (bare, data)]
    for one, other in zip(*said, strict=True):
        assert one["prediction"] == other["prediction"]
        assert one["score"] == pytest.approx(other["score"])
        assert {part["name"] for part in one["weights"]} == {part["name"] for part in other["weights"]}


@pytest.mark.parametrize(
    ("name", "rows", "others"),
    [
        ("a.vw", ["1 | free money\n", "0 | hello you\n"], ["1 | maison jardin\n", "0 | chat chien\n"]),
        ("a.svm", ["1 1:1 2:1\n", "0 3:1\n"], ["1 70:1\n", "0 80:1 90:2\n"]),
    ],
)
def test_rows_that_share_nothing_with_the_model_are_noticed(name, rows, others, tmp_path):
    data, other, model = tmp_path / name, tmp_path / f"other_{name}", tmp_path / "m.lst"
    data.write_text("".join(rows * 5))
    other.write_text("".join(others * 5))
    run("learn", data, "--model", model, "--quiet")
    before = model.read_bytes()
    for words in (("predict", model, other), ("learn", other, "--model", model, "--resume")):
        done = attempt(*words)
        assert done.exit_code == 1
        assert done.stdout == ""
        assert (
            "the model knows none of the attributes of the first 10 rows: it learned other data; --force goes on"
            in done.stderr
        )
        assert model.read_bytes() == before
    assert len(run("predict", model, other, "--force").stdout.split()) == 10
    other.write_text("".join([*others, *rows]))
    assert len(run("predict", model, other).stdout.split()) == 4
