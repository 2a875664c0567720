"""A column that can hardly hold classes, such as an identifier or a text, stops every command that learns, at once."""

import json
import time

import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone import cluster
from littlestone.base.errors import BadLabel, LittlestoneError
from littlestone.cli import main
from littlestone.cluster.passes import play_serially

ROWS = 20_000
SAID = "column 'headline', taken for the label, has 20,000 different values in 20,000 rows, too many for classes"
REMEDY = (
    "the columns are 'a', 'b', 'headline': --label says which is the label; --many-classes learns them all the same"
)


def write(path, classes, rows, prefix="h"):
    """A table whose labels come in turn."""
    lines = [f"{t % 7},{t % 5 + 0.5},{prefix}{t % classes}\n" for t in range(rows)]
    path.write_text("a,b,headline\n" + "".join(lines))
    return str(path)


@pytest.mark.parametrize(
    "words", [["learn"], ["race"], ["learn", "--league", "perceptron"], ["learn", "--learner", "network:perceptron"]]
)
def test_a_label_for_each_row_stops_every_command_that_learns_before_the_first_row(words, tmp_path):
    path, begun = write(tmp_path / "a.csv", ROWS, ROWS), time.process_time()
    done = CliRunner().invoke(main, [words[0], path, *words[1:]])
    assert done.exit_code == 1
    assert f"{SAID}; {REMEDY}\n" in done.stderr
    assert done.stdout == ""
    assert time.process_time() - begun < 5  # some of it for compiling; learning them takes minutes


def test_a_label_for_each_row_stops_a_cluster(tmp_path):
    path = write(tmp_path / "a.csv", ROWS, ROWS)
    with pytest.raises(LittlestoneError, match="20,000 different values"):
        cluster.learn(None, [path], execute=play_serially, many_classes=False)


@pytest.mark.parametrize(
    ("classes", "rows", "learns"),
    [(100, 150, True), (101, 1009, False), (101, 1010, True), (150, 1499, False), (150, 1500, True), (26, 30, True)],
)
def test_more_than_a_hundred_classes_need_ten_rows_each(classes, rows, learns, tmp_path):
    done = CliRunner().invoke(main, ["learn", write(tmp_path / "a.csv", classes, rows), "--json"])
    assert done.exit_code == (0 if learns else 1)
    if learns:
        assert len(json.loads(done.stdout)["classes"]) == classes
    else:
        assert f"has {classes} different values in {rows:,} rows" in done.stderr


def test_one_who_insists_learns_them(tmp_path):
    path = write(tmp_path / "a.csv", 150, 200)
    record = json.loads(run("learn", path, "--many-classes", "--json").stdout)
    assert (len(record["classes"]), record["rounds"]) == (150, 200)
    run("race", path, "--many-classes", "--learner", "network:perceptron")
    assert sum(len(chunk) for chunk in ls.read(path).chunks()) == 200
    with pytest.raises(BadLabel, match=r"150 different values.*many_classes=True"):
        list(ls.read(path, many_classes=False).chunks())


def test_numbers_that_are_predicted_may_all_differ_and_classes_that_are_numbers_may_not(tmp_path):
    path = write(tmp_path / "a.csv", 500, 600, prefix="")
    for words in (["learn", path], ["learn", path, "--learner", "ridge"], ["race", path]):
        run(*words)
    done = CliRunner().invoke(main, ["learn", path, "--learner", "network:perceptron"])
    assert done.exit_code == 1
    assert "500 different values in 600 rows, too many for classes" in done.stderr
    assert "--task regression predicts numbers" in done.stderr


@pytest.mark.parametrize("prefix", ["", "h"])
def test_who_says_that_labels_are_classes_insists_too(prefix, tmp_path):
    """The note about numbers of many values promises it of --task classification."""
    path = write(tmp_path / "a.csv", 150, 200, prefix)
    words = ("--task", "classification", "--json")
    for named in (("--learner", "network:perceptron"), ("--league", "network:perceptron")):
        assert len(json.loads(run("learn", path, *named, *words).stdout)["classes"]) == 150
    raced = json.loads(run("race", path, "--learner", "network:perceptron", *words).stdout)
    assert raced["learners"][0]["rounds"] == 200


def test_rows_without_columns_and_rows_in_a_pipe_are_counted_too(tmp_path):
    rows = "".join(f"{t} {t % 3 + 1}:1\n" for t in range(300))
    words = ["learn", "-", "--format", "svmlight"]
    done = CliRunner().invoke(main, words, input=rows)
    assert done.exit_code == 1
    assert "there are 300 different values in 300 rows, too many for classes; --task regression" in done.stderr


def test_classes_that_a_model_knows_are_not_counted_again(tmp_path):
    first, model = write(tmp_path / "a.csv", 150, 3000), tmp_path / "m.lst"
    run("learn", first, "--model", model, "--quiet", "--learner", "network:perceptron")
    record = json.loads(
        run("learn", write(tmp_path / "b.csv", 150, 160), "--model", model, "--resume", "--json").stdout
    )
    assert record["rounds"] == 160
    other = write(tmp_path / "c.csv", 150, 160, prefix="new")
    done = CliRunner().invoke(main, ["learn", other, "--model", str(model), "--resume", "--force"])
    assert "150 different values in 160 rows" in done.stderr


def test_a_second_pass_is_not_counted_anew(tmp_path):
    path = write(tmp_path / "a.csv", 120, 2400)
    words = ("--passes", 2, "--certify", "--learner", "network:perceptron", "--json")
    assert json.loads(run("learn", path, *words).stdout)["rounds"] == 4800
