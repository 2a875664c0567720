"""The commands `plan` and `separable`: what they print, their JSON and their exit codes."""

import json

import pytest
from click.testing import CliRunner

from littlestone.cli.commands.plan import plan
from littlestone.cli.commands.separable import separable

XOR = "-1 \n+1 2:1\n+1 1:1\n-1 1:1 2:1\n"
AND = "-1 \n-1 2:1\n-1 1:1\n+1 1:1 2:1\n"


def run(command, *arguments, text=None):
    return CliRunner().invoke(command, list(arguments), input=text)


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "data.svm"
        path.write_text(text)
        return str(path)

    return written


def test_separable_prints_a_proof_of_either_answer(file):
    result = run(separable, file(XOR))
    assert result.exit_code == 0
    assert result.stdout.startswith("not separable: 4 of 4 rounds")
    result = run(separable, file(AND))
    assert result.exit_code == 0
    assert "at most 51 updates" in result.stdout


def test_separable_as_json_holds_the_whole_proof(file):
    record = json.loads(run(separable, file(XOR), "--json").stdout)
    assert record["multiples"] == {"0": 1, "1": 1, "2": 1, "3": 1}
    record = json.loads(run(separable, file(AND), "--json").stdout)
    weights, constant = record["weights"], record["constant"]
    assert sum(weights) + constant > 0 > max(weights) + constant
    through = json.loads(run(separable, file(AND), "--json", "--bias", "0").stdout)
    assert not through["separable"]  # a row without attributes is never above 0
    assert json.loads(run(separable, file(XOR), "--json", "--rounds", "3").stdout)["separable"]


def test_bad_data_is_refused_with_its_place_and_without_a_traceback(file):
    result = run(separable, file("+1 1:1\n-1 1:x\n"))
    assert result.exit_code == 1
    assert "line 2" in result.stderr
    assert "Traceback" not in result.output
    assert run(separable, "/nonexistent").exit_code == 1
    assert run(separable, file(AND), "--bias", "-1").exit_code == 2
    result = run(separable, file("1 1:1\n2 1:2\n3 1:3\n"))
    assert result.exit_code == 1
    assert "tells 2 apart" in result.stderr


def test_plan_prints_a_table_and_json():
    result = run(plan, "--attributes", "100", "--relevant", "5")
    assert result.exit_code == 0
    assert "106  Winnow()" in result.stdout
    record = json.loads(run(plan, "--attributes", "100", "--relevant", "5", "--json").stdout)
    assert {entry["guarantee"] for entry in record["entries"]} >= {106, 71, 2121}


def test_plan_estimates_from_a_file_and_says_so(file):
    rows = ["-1 2:1", "+1 1:1", "+1 1:1 2:1", "-1 3:1"] * 20
    result = run(plan, "--from", file("\n".join(rows) + "\n"))
    assert result.exit_code == 0
    assert "estimated from the first 80 rounds: a guess" in result.stdout
    assert "the OR of 1 of 3 attributes" in result.stdout or "the OR of 1 of 4 attributes" in result.stdout


def test_plan_refuses_nonsense_as_wrong_usage(file):
    for arguments in ([], ["--attributes", "5", "--relevant", "9"], ["--attributes", "5", "--noise", "0.1"]):
        result = run(plan, *arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith("littlestone plan: ")
    assert run(plan, "--from", file("+1 1:x\n")).exit_code == 1
    assert run(plan, "--from", file(AND), "--attributes", "3").exit_code == 2


def test_plan_knows_numbers_by_their_range_and_guesses_them_from_a_file(tmp_path):
    told = ("--attributes", "20", "--labels", "-5", "5", "--error", "0.5", "--examples", "100000")
    result = run(plan, *told)
    assert result.exit_code == 0
    assert "Ridge(): at most 0." in result.stdout
    assert "Winnow" not in result.stdout
    assert json.loads(run(plan, *told, "--json").stdout)["recommended"] == "Ridge()"
    path = tmp_path / "rows.csv"
    path.write_text("x,price\n" + "".join(f"{t % 7},{2.5 * (t % 7) + t % 3}\n" for t in range(200)))
    result = run(plan, "--from", str(path), "--label", "price", "--examples", "1000000")
    assert "labels are from 0 to 17" in result.stdout
    assert "estimated from the first 200 rounds" in result.stdout
    result = run(plan, "--from", str(path), "--label", "price", "--task", "classification")
    assert result.exit_code == 1
    assert "tells 2 apart" in result.stderr


def test_plan_refuses_what_is_not_about_its_kind_of_labels(file):
    for arguments, message in [
        (["--attributes", "5", "--error", "1"], "say --labels LOW HIGH"),
        (["--attributes", "5", "--task", "regression"], "say --labels LOW HIGH"),
        (["--attributes", "5", "--labels", "0", "1"], "how many examples"),
        (["--attributes", "5", "--labels", "0", "1", "--examples", "9", "--noise", "0.1"], "--noise is about classes"),
        (["--attributes", "5", "--labels", "0", "1", "--task", "classification"], "are for numbers"),
        (["--from", file(AND), "--relevant", "3"], "leave out --relevant"),
    ]:
        result = run(plan, *arguments)
        assert result.exit_code == 2, arguments
        assert message in result.stderr
