"""The demo's stream: drawn as it says, learned by the commands that are shown, and better than a constant guess."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import demo_games, demo_stream, main


def test_the_rows_are_drawn_by_their_chances_and_a_courier_becomes_slow():
    rows, chances = demo_stream.draw_rows(demo_stream.ROUNDS)
    late = [row[-1] == "late" for row in rows]
    assert abs(sum(late) - sum(chances)) < 3 * sum(p * (1 - p) for p in chances) ** 0.5
    for first, end, low, high in ((0, demo_stream.CHANGE, 0.2, 0.55), (demo_stream.CHANGE, len(rows), 0.6, 1.0)):
        ben = [label for row, label in zip(rows[first:end], late[first:end], strict=True) if row[3] == "Ben"]
        assert low < sum(ben) / len(ben) < high


def test_what_is_shown_is_learned_certified_verified_predicted_and_drawn(monkeypatch, tmp_path):
    monkeypatch.setattr(demo_stream.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    monkeypatch.setattr(demo_games, "SCENES", ())
    said = CliRunner().invoke(main, ["demo"])
    assert said.exit_code == 0, said.output
    assert len(re.findall(r"^\$ littlestone ", said.stdout, re.MULTILINE)) == 4
    error, constant = map(float, re.search(r"\(([\d.]+)%\).*a constant ([\d.]+)%", said.stdout).groups())
    best = float(re.search(r"errs on ([\d.]+)%", said.stdout)[1])
    assert best < error < constant / 1.5
    assert "log-loss verified" in said.stdout or re.search(r"log-loss <= [\d.]+ verified over 400 rounds", said.stdout)
    assert said.stdout.count("\nlate\t0.") + said.stdout.count("\non time\t0.") == demo_stream.NEXT
    assert "<svg" in Path(re.search(r"pictures: (.*)$", said.stdout, re.MULTILINE)[1]).read_text()


def test_a_program_is_told_the_same_numbers():
    found = demo_stream.measure_stream()
    assert found["best"] < found["error"] < found["constant"]
    assert found["certificate"]["counted"] <= found["certificate"]["bound"]
    assert found["mistakes"] == pytest.approx(found["error"] * found["rounds"])
    assert ls.Logistic().forecasts
