"""The command `grade`: points, transcripts and exit statuses."""

import json

import pytest
from click.testing import CliRunner

from laws.grading.solutions import SOLVED
from littlestone.cli import main


@pytest.fixture
def grade(tmp_path):
    def run(source, *words):
        path = tmp_path / "my_learner.py"
        path.write_text(source)
        return CliRunner().invoke(main, ["grade", str(path), *words])

    return run


def test_a_right_learner_has_all_points_and_exit_status_0(grade):
    said = grade(SOLVED[7][0], "--exercise", "8")
    assert said.exit_code == 0
    assert "thresholds on 0..6                      3         3   2 of  2  all games of any length" in said.stdout
    assert said.stdout.endswith("10 of 10 points\n")


def test_a_wrong_one_has_fewer_a_transcript_and_exit_status_1(grade):
    said = grade(SOLVED[6][0], "--exercise", "8")
    assert said.exit_code == 1
    assert "      1  0       yes  no  mistake\n" in said.stdout
    assert "3 mistakes, and the bound allows 2" in said.stdout
    told = json.loads(grade(SOLVED[6][0], "--exercise", "8", "--json").stdout)
    assert told["points"] == 3
    assert [part["worst"] for part in told["parts"]] == [7, 5, 3, 4]
    assert told["parts"][1]["rounds"][0] == {"x": 0, "said": True, "y": False, "cost": 1}


def test_fractions_are_written_as_text(grade):
    said = grade(SOLVED[10][0], "--exercise", "11", "--json")
    assert said.exit_code == 0
    assert json.loads(said.stdout)["parts"][0]["worst"] == "5/6"


def test_an_endless_loop_is_stopped_and_said(grade):
    source = SOLVED[0][0].replace("return self.known.get(x, False)", "while True: pass")
    said = grade(source, "--exercise", "1", "--seconds", "12")
    assert said.exit_code == 1
    assert "it was stopped: it gave no answer within 1 seconds" in said.stdout


def test_what_is_no_exercise_or_no_file_is_wrong_usage(grade, tmp_path):
    said = grade("", "--exercise", "99")
    assert said.exit_code == 2
    assert "there are exercises 1 to" in said.stderr
    assert CliRunner().invoke(main, ["grade", str(tmp_path / "none.py"), "--exercise", "1"]).exit_code == 2
