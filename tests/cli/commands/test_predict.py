"""What `predict` writes: the label of each row, and numbers in columns that have names, alike for all learners."""

import json

import pytest

from command_runs import run

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
