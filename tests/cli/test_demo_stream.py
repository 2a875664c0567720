"""The demo's stream: the table as recorded, learned by the commands that are shown, better than a constant guess."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer

import littlestone as ls
from littlestone.cli import demo_games, demo_stream, main


def test_the_rows_are_those_recorded_in_their_order(tmp_path):
    kept_back = demo_stream.write_stream(tmp_path)
    recorded = load_breast_cancer()
    read = [line.split(",") for line in (tmp_path / "tumours.csv").read_text().splitlines()]
    following = [line.split(",") for line in (tmp_path / "next.csv").read_text().splitlines()]
    assert read[0][:-1] == following[0] == [name.replace(" ", "_") for name in recorded.feature_names]
    assert np.array_equal(np.array([row[:30] for row in read[1:] + following[1:]], float), recorded.data)
    assert [row[30] for row in read[1:]] + kept_back == list(recorded.target_names[recorded.target])
    assert kept_back == ["malignant", "malignant", "benign"]


def test_what_is_shown_is_learned_certified_verified_predicted_and_drawn(monkeypatch, tmp_path):
    monkeypatch.setattr(demo_stream.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    monkeypatch.setattr(demo_games, "SCENES", ())
    said = CliRunner().invoke(main, ["demo"])
    assert said.exit_code == 0, said.output
    assert "Wolberg, Street and Mangasarian 1993, UCI, CC BY 4.0" in said.stdout.splitlines()[0]
    assert len(re.findall(r"^\$ littlestone ", said.stdout, re.MULTILINE)) == 4
    error, constant = map(float, re.search(r"of 566 \(([\d.]+)%\).*a constant ([\d.]+)%", said.stdout).groups())
    assert (error, constant) == (pytest.approx(4.95), pytest.approx(37.10))
    lost, allowed = map(float, re.search(r"([\d.]+) log-loss <= ([\d.]+) verified over 566", said.stdout).groups())
    assert lost == pytest.approx(72.78)
    assert lost <= allowed < 392.33 / 3  # the log-loss of no rule at all
    guesses = re.findall(r"^(malignant|benign)\t0\.", said.stdout, re.MULTILINE)
    assert guesses == re.search(r"kept back: (.*)\.$", said.stdout, re.MULTILINE)[1].split(", ")
    assert "<svg" in Path(re.search(r"pictures: (.*)$", said.stdout, re.MULTILINE)[1]).read_text()


def test_a_program_is_told_the_same_numbers():
    found = demo_stream.measure_stream()
    assert (found["mistakes"], found["rounds"]) == (28, 566)
    assert found["error"] == pytest.approx(28 / 566)
    assert found["constant"] == pytest.approx(210 / 566)
    assert found["certificate"]["counted"] <= found["certificate"]["bound"]
    assert ls.Logistic().forecasts


def test_the_notice_names_the_table_its_authors_and_its_licence():
    root = Path(__file__).parents[2]
    notice = (root / "NOTICE").read_text()
    assert all(word in notice for word in ("demo_rows.csv", "Wolberg", "Attribution 4.0", "10.24432/C5DW2B"))
    assert '"NOTICE"' in (root / "pyproject.toml").read_text()
