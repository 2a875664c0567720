"""The command `experts`."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from littlestone.cli.commands.experts import experts

PANEL = "day,truth,ann,bob,eve\nmon,1,0.9,0.2,0.5\ntue,0,0.2,0.9,\nwed,1,0.8,0.1,0.5\nthu,0,0.1,0.7,0.5\n"


@pytest.fixture
def panel(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text(PANEL)
    return str(path)


def run(*arguments, **options):
    return CliRunner().invoke(experts, list(arguments), **options)


def test_every_learner_is_run_and_the_best_one_shows_its_books(panel):
    result = run(panel, "--outcome", "truth", "--date", "day", "--rounds", "2", "--switches", "1")
    assert result.exit_code == 0
    for word in ("Aggregating", "Hedge", "AdaHedge", "FixedShare", "best expert: ann", "best with 1 switches", "thu"):
        assert word in result.output


def test_json_says_the_same_in_one_object(panel):
    result = run(panel, "--outcome", "truth", "--date", "day", "--loss", "brier", "--json")
    books = json.loads(result.output)
    assert books["Aggregating"]["best"] == "ann"
    assert books["Aggregating"]["regret"] <= books["Aggregating"]["bound"] == pytest.approx(np.log(3))
    assert books["Hedge"]["rounds"] == 4


def test_votes_are_followed_by_those_who_vote(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("y,a,b\n1,1,0\n0,0,1\n1,1,1\n")
    result = run(str(path), "--outcome", "y")
    assert all(name in result.output for name in ("WeightedMajority", "ImprovedMajority", "FollowTheLeader"))
    assert "ZeroOne" in result.output


def test_a_picture_is_drawn(panel, tmp_path):
    pytest.importorskip("matplotlib")
    result = run(panel, "--outcome", "truth", "--date", "day", "--plot", str(tmp_path / "books.png"))
    assert result.exit_code == 0
    assert (tmp_path / "books.png").stat().st_size > 10_000


def test_standard_input_is_a_table_too():
    assert run("-", "--outcome", "truth", "--date", "day", "--loss", "absolute", input=PANEL).exit_code == 0


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (PANEL, ["--outcome", "truth"], "name a column of dates"),
        (PANEL, ["--outcome", "weather", "--date", "day"], "no column 'weather'"),
        (PANEL, ["--outcome", "truth", "--date", "year"], "no column 'year'"),
        (PANEL, ["--outcome", "truth", "--date", "day", "--loss", "grief"], "--loss must be one of"),
        (PANEL, ["--outcome", "eve", "--date", "day"], "line 3 has no 'eve'"),
        ("truth,a\n1,1\n0\n", ["--outcome", "truth"], "line 3 has 1 cells"),
        ("truth,a\n", ["--outcome", "truth"], "at least one round"),
        ("truth,a\n2,0.5\n", ["--outcome", "truth", "--loss", "brier"], "must be 0 or 1"),
    ],
)
def test_a_bad_table_is_refused_in_one_line_without_a_traceback(tmp_path, text, arguments, said):
    path = tmp_path / "panel.csv"
    path.write_text(text)
    result = run(str(path), *arguments)
    assert result.exit_code == 1
    assert said in result.stderr
    assert "Traceback" not in result.output
