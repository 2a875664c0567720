"""The command `experts`."""

import gzip
import json

import numpy as np
import pytest
from click.testing import CliRunner

from littlestone.cli import DataOptions, main
from littlestone.cli.commands.experts import read_table

PANEL = "day,truth,ann,bob,eve\nmon,1,0.9,0.2,0.5\ntue,0,0.2,0.9,\nwed,1,0.8,0.1,0.5\nthu,0,0.1,0.7,0.5\n"


@pytest.fixture
def panel(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text(PANEL)
    return str(path)


def run(*arguments, **options):
    return CliRunner().invoke(main, ["experts", *arguments], **options)


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
        (PANEL, ["--outcome", "truth"], "round 1, column 'day': 'mon' is not a number; name a column of dates"),
        (PANEL, ["--outcome", "weather", "--date", "day"], "line 1: the label 'weather' is none of the 5 columns"),
        (PANEL, ["--outcome", "truth", "--date", "year"], "no column 'year'"),
        (PANEL, ["--outcome", "eve", "--date", "day"], "line 3, byte 15: the label, column 'eve', is missing"),
        (PANEL, ["--outcome", "day"], "round 1, column 'day': 'mon' is not a number"),
        ("truth,a\n1,1\n0\n", ["--outcome", "truth"], "line 3, byte 2: a record has 2 cells, the line ends after 1"),
        ("truth,a\n", ["--outcome", "truth"], "at least one round"),
        ("truth,day\n1,mon\n", ["--outcome", "truth", "--date", "day"], "a column for each expert"),
        ("truth,a\n2,0.5\n", ["--outcome", "truth", "--loss", "brier"], "must be 0 or 1"),
    ],
)
def test_a_bad_table_is_refused_in_one_line_without_a_traceback(tmp_path, text, arguments, said):
    path = tmp_path / "panel.csv"
    path.write_text(text)
    result = run(str(path), *arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("littlestone: ")
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_wrong_usage_and_files_that_are_not_there_end_as_in_every_command(panel):
    result = run(panel, "--outcome", "truth", "--date", "day", "--loss", "grief")
    assert (result.exit_code, "littlestone: --loss must be one of" in result.stderr) == (2, True)
    result = run(f"{panel}.none", "--outcome", "truth")
    assert (result.exit_code, "panel.csv.none: there is no such file" in result.stderr) == (1, True)


def test_a_table_is_read_as_other_data_are(panel, tmp_path):
    """Compressed, with another delimiter, quoted, in several files, some of its records skipped: the same books."""
    expected = run(panel, "--outcome", "truth", "--date", "day", "--json").stdout
    for name, text in {
        "semicolons.csv": PANEL.replace(",", ";"),
        "quoted.csv": PANEL.replace("mon", '"mo, n"').replace("ann", '"ann"'),
        "short.csv": PANEL.replace("thu", "wed,1\nthu"),
        "spaced.csv": PANEL.replace(",", " , "),
    }.items():
        (tmp_path / name).write_text(text)
        told = run(str(tmp_path / name), "--outcome", "truth", "--date", "day", "--on-error", "skip", "--json")
        assert told.stdout == expected, name
    (tmp_path / "panel.csv.gz").write_bytes(gzip.compress(PANEL.encode()))
    assert run(str(tmp_path / "panel.csv.gz"), "--outcome", "truth", "--date", "day", "--json").stdout == expected
    lines = PANEL.splitlines(keepends=True)
    for part, rows in enumerate((lines[1:3], lines[3:])):
        (tmp_path / f"part{part}.csv").write_text("".join([lines[0], *rows]))
    assert run(str(tmp_path / "part*.csv"), "--outcome", "truth", "--date", "day", "--json").stdout == expected


def test_a_forecast_of_nothing_is_not_a_missing_one_and_names_may_hold_anything(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("y,a,a=b,c=\n0,0,1,0\n1,,1,1\n1,0,,1\n")
    books = json.loads(run(str(path), "--outcome", "y", "--json").stdout)
    assert books["WeightedMajority"]["best"] == "c="
    table = read_table(DataOptions(kind="csv", label="y").open([str(path)]), "y", None)
    assert table.names == ["a", "a=b", "c="]
    np.testing.assert_array_equal(table.forecasts, [[0, 1, 0], [np.nan, 1, 1], [0, np.nan, 1]])
    assert table.outcomes.tolist() == [0, 1, 1]
    assert table.dates == [1, 2, 3]
