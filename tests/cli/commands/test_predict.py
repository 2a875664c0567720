"""What `predict` writes: the label of each row, and numbers in columns that have names, alike for all learners."""

import json

import pytest
from click.testing import CliRunner

from command_runs import run
from littlestone.cli import main

TWO = "".join(f"{('ham', 'spam')[t % 2]}\t{('see you', 'free money')[t % 2]} {t % 3}\n" for t in range(40))
THREE = TWO + "".join(f"eggs\tfor breakfast {t}\n" for t in range(20))
LEARNERS = (
    "perceptron",
    "averaged-perceptron",
    "logistic",
    "ada-grad",
    "naive-bayes",
    "network:perceptron",
    "network:winnow",
)


@pytest.mark.parametrize("learner", LEARNERS)
def test_probabilities_have_a_column_for_each_class(learner, tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "m.lst"
    data.write_text(TWO.replace(" 0", "").replace(" 1", "").replace(" 2", ""))
    run("learn", data, "--learner", learner, "--model", model, "--quiet")
    header, *rows = [line.split("\t") for line in run("predict", model, data, "--probabilities").stdout.splitlines()]
    assert header == ["guess", "probability:ham", "probability:spam"]
    assert [row[0] for row in rows] == ["ham", "spam"] * 20
    for guess, *chances in rows:
        ham, spam = map(float, chances)
        assert ham + spam == pytest.approx(1)
        assert (spam > ham) == (guess == "spam")


def test_more_classes_have_more_columns(tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "m.lst"
    data.write_text(THREE)
    run("learn", data, "--model", model, "--quiet")
    header, *rows = run("predict", model, data, "--scores", "--probabilities").stdout.splitlines()
    classes = ("ham", "spam", "eggs")
    assert header == "\t".join(["guess", *(f"score:{c}" for c in classes), *(f"probability:{c}" for c in classes)])
    guess, *numbers = rows[-1].split("\t")
    scores, chances = [float(n) for n in numbers[:3]], [float(n) for n in numbers[3:]]
    assert (guess, max(scores), max(chances)) == ("eggs", scores[2], chances[2])
    assert sum(chances) == pytest.approx(1)


def test_the_score_of_two_classes_is_that_of_the_second(tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "m.lst"
    data.write_text(TWO)
    run("learn", data, "--model", model, "--quiet")
    header, ham, spam, *_ = [line.split("\t") for line in run("predict", model, data, "--scores").stdout.splitlines()]
    assert header == ["guess", "score:spam"]
    assert float(ham[1]) < 0 < float(spam[1])


def test_labels_alone_have_no_header_and_json_has_the_columns(tmp_path):
    data, model, file = tmp_path / "messages.txt", tmp_path / "m.lst", tmp_path / "said.txt"
    data.write_text(TWO)
    run("learn", data, "--model", model, "--quiet")
    assert run("predict", model, data).stdout.splitlines() == ["ham", "spam"] * 20
    record = json.loads(run("predict", model, data, "--probabilities", "--json").stdout)
    assert record["columns"] == ["guess", "probability:ham", "probability:spam"]
    assert len(record["predictions"]) == 40
    assert "columns" not in json.loads(run("predict", model, data, "--json").stdout)
    run("predict", model, data, "--probabilities", "--output", file)
    assert file.read_text().splitlines()[0] == "guess\tprobability:ham\tprobability:spam"
    assert len(file.read_text().splitlines()) == 41


def test_the_header_comes_once_however_many_blocks_there_are(tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "m.lst"
    data.write_text(TWO * 3000)
    run("learn", data, "--model", model, "--quiet")
    said = run("predict", model, data, "--probabilities").stdout.splitlines()
    assert (len(said), sum(line.startswith("guess") for line in said)) == (120_001, 1)


def learn_colours(tmp_path):
    """A model of colours, and the rows that it learned."""
    rows = [f"{('0.5,red', '-1.5,blue')[t % 2]},{'yn'[t % 2]}\n" for t in range(60)]
    (tmp_path / "learned.csv").write_text("a,colour,label\n" + "".join(rows))
    run("learn", tmp_path / "learned.csv", "--model", tmp_path / "m.lst", "--quiet")
    return tmp_path / "m.lst", rows


@pytest.mark.parametrize("bad", [{0}, {2, 3, 7}, {59}, set(range(0, 60, 2)), set(range(30))])
def test_a_row_that_is_skipped_has_an_empty_line(bad, tmp_path):
    model, rows = learn_colours(tmp_path)
    new = tmp_path / "new.csv"
    new.write_text("a,colour,label\n" + "".join("oops,red,y\n" if t in bad else row for t, row in enumerate(rows)))
    expected = ["" if t in bad else "yn"[t % 2] for t in range(60)]
    done = run("predict", model, new, "--on-error", "skip")
    assert done.stdout.split("\n") == [*expected, ""]
    said = "1 row was" if len(bad) == 1 else f"{len(bad)} rows were"
    assert f"{said} skipped; the first: {new}, line {min(bad) + 2}, byte 1: column 'a' holds numbers" in done.stderr
    assert run("predict", model, new, "--on-error", "skip", "--cache").stdout == done.stdout
    assert run("predict", model, new, "--on-error", "skip", "--cache").stdout == done.stdout
    record = json.loads(run("predict", model, new, "--on-error", "skip", "--json").stdout)
    assert record["predictions"] == [guess or None for guess in expected]
    assert (record["rounds"], record["skipped"]) == (60 - len(bad), len(bad))
    header, *table = run("predict", model, new, "--on-error", "skip", "--probabilities").stdout.split("\n")[:-1]
    assert header == "guess\tprobability:y\tprobability:n"
    assert [line.split("\t")[0] for line in table] == expected
    assert {line.count("\t") for line in table} == {2}


@pytest.mark.parametrize("more", [[], ["--probabilities"], ["--json"]])
def test_a_file_of_which_nothing_can_be_read_fails_with_an_empty_line_for_each_row(more, tmp_path):
    model, _ = learn_colours(tmp_path)
    (tmp_path / "new.csv").write_text("a,colour,label\n" + 3 * "oops,red,y\n")
    words = ["predict", str(model), str(tmp_path / "new.csv"), "--on-error", "skip", *more]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "3 rows were skipped" in done.stderr
    assert "not one row could be read" in done.stderr
    written = json.loads(done.stdout)["predictions"] if "--json" in more else done.stdout
    assert written == ([None] * 3 if "--json" in more else "\n\n\n")
