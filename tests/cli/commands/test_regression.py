"""Numbers from the shell: the task guessed and said, errors instead of mistakes, models, resumed runs and refusals."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_diabetes

import littlestone as ls
from command_runs import run
from littlestone.cli import main
from littlestone.cli.commands.tasks import are_numbers

X, Y = load_diabetes(return_X_y=True, scaled=False)
LABEL = ("--label", "y")


@pytest.fixture
def data(tmp_path):
    lines = [
        ",".join("abcdefghij") + ",y",
        *(",".join(map(repr, [*row, y])) for row, y in zip(X.tolist(), Y, strict=True)),
    ]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(lines).replace("np.float64(", "").replace(")", "") + "\n")
    return path


def refused(*words):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 2, done.output
    return done.output


def test_labels_that_are_numbers_of_many_values_are_predicted_and_that_is_said(data):
    done = run("learn", data, *LABEL)
    assert "the labels are numbers of many values, which Ridge predicts (--task regression)" in done.stderr
    assert "--task classification learns them as classes" in done.stderr
    guesses = []
    game = ls.play(
        ls.Ridge(),
        ls.read(str(data), label="y"),
        watch=lambda _, said, labels: guesses.extend((labels - said).tolist()),
    )
    assert game.rounds == 442
    error = np.abs(guesses[1:]).mean()
    assert f"MAE  {error:.5g}, {error:.5g} of the latest 441; a constant " in done.stdout
    assert "round 1 is not judged, as no label was known" in done.stdout
    apart = np.abs(np.diff(Y))
    assert f"the last label repeated {apart.mean():.5g}\n" in done.stdout
    assert f"the last label repeated {np.sqrt((apart**2).mean()):.5g}\n" in done.stdout
    assert "RMSE  57.14" in done.stdout
    assert "class" not in done.stdout
    record = json.loads(run("learn", data, *LABEL, "--json").stdout)
    assert (record["task"], record["learner"]) == ("regression", "Ridge()")
    assert record["progressive"]["mae"] == pytest.approx(error)
    assert record["progressive"]["r2"] == pytest.approx(0.4506, abs=0.0001)


def test_labels_are_looked_at_in_as_many_rows_whatever_their_length(tmp_path):
    path, more = tmp_path / "late.csv", "0," * 100
    rows = [f"{t},{more}{0 if t < 400 else t % 200}" for t in range(1100)]
    path.write_text("\n".join([",".join(f"x{k}" for k in range(101)) + ",y", *rows]) + "\n")
    assert "which Ridge predicts" in run("learn", path, *LABEL).stderr


def test_the_task_can_be_said(data):
    assert "mistakes" in run("learn", data, *LABEL, "--task", "classification").stdout
    typed = run("learn", "-", "--format", "csv", *LABEL, "--task", "regression", typed=data.read_text())
    assert "CoinRegression(criterion='huber')" in typed.stdout
    set_up = run("learn", data, *LABEL, "--task", "regression", "--set", "ridge=2")
    assert "Ridge(ridge=2)" in set_up.stdout
    assert "numbers of many values" not in set_up.stderr
    quantile = run("learn", data, *LABEL, "--learner", "coin-regression:criterion=pinball,quantile=0.9")
    assert "at quantile 0.9" in quantile.stdout
    assert "Ridge() is for regression: leave out --task classification" in refused(
        "learn", data, *LABEL, "--learner", "ridge", "--task", "classification"
    )


def test_few_values_words_and_numbers_of_rows_are_classes():
    assert are_numbers([0.5 * t for t in range(30)])
    assert are_numbers([str(t % 150) for t in range(400)])
    assert not are_numbers([0.5 * (t % 3) for t in range(30)])
    assert not are_numbers(list(range(400)))  # a number for each row
    assert not are_numbers([t % 26 for t in range(400)])
    assert not are_numbers(["a", "b"])
    assert not are_numbers([float("nan")] * 3)
    assert not are_numbers([])


def test_predictions_are_numbers_and_judged_by_their_error(data, tmp_path):
    model, lines = tmp_path / "m.lst", tmp_path / "said.txt"
    run("learn", data, *LABEL, "--model", model, "--predictions", lines, "--quiet")
    said = [float(line) for line in lines.read_text().splitlines()]
    assert np.abs(np.array(said) - Y).mean() == pytest.approx(45.948, abs=0.01)
    done = run("predict", model, data, *LABEL)
    player = ls.load(model)
    error = np.abs([float(line) for line in done.stdout.splitlines()] - Y).mean()
    assert float(done.stdout.splitlines()[0]) == player.predict(X[0].astype(np.float32).astype(np.float64))
    assert f"mean absolute error {error:.5g} in 442 rounds" in done.stderr
    assert json.loads(run("predict", model, data, *LABEL, "--json").stdout)["mae"] == pytest.approx(error)


def test_a_run_goes_on_where_it_stopped(data, tmp_path):
    text, half = data.read_text().splitlines(keepends=True), tmp_path / "half.csv"
    once, twice = tmp_path / "once.lst", tmp_path / "twice.lst"
    told = ("--format", "csv", *LABEL, "--learner", "ridge", "--json")
    whole = json.loads(run("learn", "-", *told, "--model", once, typed="".join(text)).stdout)
    run("learn", "-", *told, "--model", twice, typed="".join(text[:200]))
    rest = ("learn", "-", "--format", "csv", *LABEL, "--model", twice, "--resume", "--json")
    again = json.loads(run(*rest, typed="".join(text)).stdout)
    assert again["progressive"] == whole["progressive"]
    assert ls.load(twice).tally == ls.load(once).tally
    half.write_text(text[0] + text[1])
    assert "Ridge() is for regression" in refused(
        "learn", half, *LABEL, "--model", twice, "--resume", "--task", "classification"
    )


def test_held_out_rounds_are_judged_and_a_report_is_written(data, tmp_path):
    done = run("learn", data, *LABEL, "--holdout", "5", "--report", tmp_path / "r.html")
    assert "held out  MAE" in done.stdout
    assert "of 88 rounds" in done.stdout
    page = (tmp_path / "r.html").read_text()
    assert "RMSE" in page
    assert "What was guessed for what" not in page
    assert page.count("<svg") == 2
    assert page.count("a constant guess") >= 2
    assert "over all 354 rounds" in page
    assert "Attributes that count most" in page


@pytest.mark.parametrize(
    "asked", [("--mistakes", "x.txt"), ("--until-error", "0.1"), ("--snapshots",), ("--check-order",)], ids=str
)
def test_what_counts_mistakes_is_refused_in_words(data, tmp_path, asked, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refused("learn", data, *LABEL, "--learner", "ridge", *asked)
    assert f"{asked[0]} counts mistakes: numbers are predicted here" in said


def test_a_cluster_is_refused_in_words(data):
    said = refused("learn", data, *LABEL, "--task", "regression", "--cluster", "local")
    assert "numbers are predicted on one stream: leave out --cluster" in said


def test_what_errs_more_than_a_constant_is_told_so(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "far.csv"
    rows = ["x,y", *(f"{rng.normal()},{1000 + rng.normal()}" for _ in range(60))]
    path.write_text("\n".join(rows))
    assert "a constant guess would have erred less" in run("learn", path, *LABEL, "--learner", "coin-regression").stdout


def test_a_run_is_certified_and_the_certificate_verified(data, tmp_path):
    model, written = tmp_path / "m.lst", tmp_path / "c.json"
    done = run("learn", data, *LABEL, "--certify", "--model", model)
    assert "square loss <= 1468381 holds: Ridge, square loss" in done.stdout
    assert "a fixed linear rule has 1272819, no rule at all 2644379" in done.stdout
    assert "the form with logarithms allows" in done.stdout
    assert "square loss <= 1468381 holds" in run("certify", model, data, "--output", written).stdout
    assert "verified over 442 rounds, the counts exactly" in run("verify", written, data, *LABEL).stdout
    quantile = run("learn", data, *LABEL, "--learner", "coin-regression:criterion=pinball,quantile=0.9", "--certify")
    assert "pinball loss <= " in quantile.stdout


def test_learners_that_predict_numbers_race(data, tmp_path):
    done = run("race", data, *LABEL)
    assert "numbers of many values" in done.stderr
    assert done.stdout.splitlines()[2].split()[:2] == ["RMSE", "MAE"]
    assert done.stdout.splitlines()[3].endswith("ridge")
    record = json.loads(run("race", data, *LABEL, "--json").stdout)
    assert record["learners"][0]["rmse"] == pytest.approx(57.14, abs=0.01)
    assert "--plot draws mistakes" in refused("race", data, *LABEL, "--plot", tmp_path / "x.png")


def test_a_learner_that_does_worse_than_the_last_label_repeated_is_told_so(tmp_path):
    rng = np.random.default_rng(0)
    y, noise = 1000 + np.cumsum(rng.normal(size=500)), rng.normal(size=500)
    path = tmp_path / "walk.csv"
    path.write_text("x,y\n" + "".join(f"{x},{label}\n" for x, label in zip(noise, y, strict=True)))
    said = run("learn", path, *LABEL).stdout
    assert "remedy  repeating the last label would have erred less: " in said
