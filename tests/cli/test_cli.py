import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from littlestone.cli import main
from places import SOURCE


def run(*words, typed=""):
    return CliRunner().invoke(main, list(words), input=typed)


def test_a_game_is_played_and_shown():
    said = run("play", "halving", "--concepts", "thresholds:1024", "--against", "bisection")
    assert said.exit_code == 0
    assert said.stderr == ""
    assert re.search(r"mistakes  10 \(100\.00%\)", said.stdout)
    assert "10 mistakes <= 10 holds: Halving" in said.stdout


def test_json_is_one_object_with_everything_promised():
    said = run("play", "halving", "--concepts", "thresholds:6", "--against", "bisection", "--json", "--transcript")
    record = json.loads(said.stdout)
    certificate = record.pop("certificate")
    assert record == {
        "learner": "Halving(concepts=Thresholds(n=6))",
        "against": "Bisection(Thresholds(n=6))",
        "rounds": 3,
        "mistakes": 3,
        "updates": 3,
        "target": "x >= 0",
        "transcript": [
            {"number": t, "x": x, "guess": False, "y": True, "mistake": True} for t, x in ((1, 3), (2, 1), (3, 0))
        ],
    }
    assert certificate["bound"] == 3
    assert certificate["holds"] is True


def test_json_without_certificate_or_target_says_null():
    record = json.loads(run("play", "me", "--against", "constant-experts:2", "--json", typed="y\nn\n").stdout)
    assert record["certificate"] is None
    assert record["target"] is None
    assert record["mistakes"] == 2


def test_numbers_of_numpy_are_numbers_in_json():
    said = run("play", "me", "--against", "random-experts:2,3", "--json", "--transcript", typed="y\n" * 3)
    assert all(isinstance(line["y"], bool) for line in json.loads(said.stdout)["transcript"])


def test_a_transcript_shows_every_round():
    said = run("play", "halving", "--concepts", "parities:3", "--against", "basis-vectors:3", "--transcript")
    lines = said.stdout.splitlines()[:3]
    assert lines == [f"   {t + 1}  x  {{{t}: 1}} -> False, was True" for t in range(3)]


def test_an_endless_game_stops_after_a_hundred_rounds_or_when_told():
    typed = ("play", "halving", "--concepts", "thresholds:20", "--against", "nature", "--json")
    assert json.loads(run(*typed).stdout)["rounds"] == 100
    assert json.loads(run(*typed, "--rounds", "7").stdout)["rounds"] == 7


def test_the_seed_decides_the_game():
    def game(seed):
        typed = ("play", "halving", "--concepts", "parities:5", "--against", "nature", "--rounds", "9", "--transcript")
        return run(*typed, "--seed", str(seed)).stdout

    assert game(1) == game(1)
    assert game(1) != game(2)
    targets = {re.search("target  (.*)", game(seed)).group(1) for seed in range(6)}
    assert len(targets) > 1


def test_a_person_can_guess():
    said = run("play", "me", "--concepts", "thresholds:14", "--against", "bisection", typed="y\nn\ny\nn\n")
    assert said.exit_code == 0
    assert "7: your guess (y/n, q ends): " in said.stderr
    assert "mistakes  4 (100.00%)" in said.stdout
    assert "your guess" not in said.stdout


def test_a_person_can_answer():
    said = run("play", "halving", "--concepts", "thresholds:15", "--against", "me", typed="7\ny\n9\nn\ny\nq\n")
    assert said.exit_code == 0
    assert "no concept of Thresholds(n=15)" in said.stderr
    assert "rounds  2" in said.stdout


@pytest.mark.parametrize("typed", ["y\nq\n", "y\n"])
def test_a_person_can_stop_and_still_sees_the_game(typed):
    said = run("play", "me", "--concepts", "thresholds:14", "--against", "bisection", "--json", typed=typed)
    assert said.exit_code == 0
    assert json.loads(said.stdout)["rounds"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("halv", "--against", "bisection"), "learner 'halv' is not known: did you mean halving. There are: .*halving"),
        (("halving", "--concepts", "rings:3", "--against", "bisection"), "concept class 'rings' .* thresholds"),
        (("halving", "--concepts", "thresholds:3", "--against", "b"), "environment 'b' is not known; .*bisection"),
        (("halving", "--against", "bisection"), "halving needs a concept class, such as --concepts"),
        (("me", "--against", "bisection"), "bisection needs a concept class, such as --concepts"),
        (("me", "--against", "nature"), "nature needs a concept class"),
        (("halving", "--concepts", "thresholds:-1", "--against", "bisection"), r"n must be in \[0"),
        (("halving", "--concepts", "thresholds:x", "--against", "bisection"), "n must be a whole number, got 'x'"),
        (("halving", "--concepts", "parities:3", "--against", "bisection"), "Bisection plays on Thresholds"),
        (("me", "--against", "me"), "one side may be you, not both"),
        (("me",), "Missing option '--against'"),
        (("me", "--against", "contrary", "--rounds", "-1"), "Invalid value for '--rounds'"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_allowed(words, message):
    said = run("play", *words)
    assert said.exit_code == 2
    assert re.search(message, said.stderr)
    assert said.stdout == ""
    assert "Traceback" not in said.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--concepts", "parities:4", "--against", "noisy:0.5"), "shortest inconsistent prefix"),
        (("--concepts", "thresholds:4", "--against", "contrary"), "shortest inconsistent prefix"),
        (("--concepts", "parities:4", "--against", "contrary"), r"an instance of Parities\(n=4\)"),
        (("--concepts", "thresholds:1000000000", "--against", "nature"), "more than 1048576 instances"),
    ],
)
def test_refused_data_exits_with_1_and_says_why(words, message):
    said = run("play", "halving", *words)
    assert said.exit_code == 1
    assert re.search(message, said.stderr)
    assert said.stdout == ""
    assert "Traceback" not in said.output


def test_the_demo_shows_every_scene_and_the_next_command():
    said = run("demo")
    assert said.exit_code == 0
    assert "29 mistakes <= 29 holds" in said.stdout
    assert re.search(r"\n +halving +6 / 6", said.stdout)
    assert re.search(r"round 10 +1 ", said.stdout)
    assert "littlestone play me" in said.stdout
    games = said.stdout.partition("A billion and two concepts")[2]
    assert max(map(len, games.splitlines()[12:])) <= 80


def test_the_demo_has_the_same_numbers_in_json():
    record = json.loads(run("demo", "--json").stdout)
    assert record["duel"] == {"mistakes": 29, "bound": 29}
    assert record["survivors"] == [2**k for k in range(10, -1, -1)]
    halving = {result["arena"]: result for result in record["race"] if result["learner"] == "halving"}
    assert halving["thresholds, bisection"]["mistakes"] == halving["thresholds, bisection"]["bound"] == 6
    assert all(result["mistakes"] <= result["bound"] for result in halving.values())


def python(*words, typed="", **more):
    source = str(SOURCE)
    environment = {**os.environ, "PYTHONPATH": source, **more}
    return subprocess.run(
        [sys.executable, *words], input=typed, capture_output=True, text=True, check=False, env=environment, timeout=120
    )


def test_it_runs_as_a_program():
    said = python("-m", "littlestone", "play", "me", "--against", "contrary", "--json", typed="y\nn\nq\n")
    assert said.returncode == 0
    assert json.loads(said.stdout)["mistakes"] == 2
    refused = python("-m", "littlestone", "play", "nobody", "--against", "contrary")
    assert refused.returncode == 2
    assert refused.stderr.startswith("littlestone: learner 'nobody' is not known; there are: ")
    assert len(refused.stderr.splitlines()) == 1


def test_help_imports_nothing_heavy():
    program = (
        "import sys\n"
        "from littlestone.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'rich'} & set(sys.modules)))\n"
    )
    said = python("-c", program)
    assert said.stdout.splitlines()[-1] == "[]"
    assert "play" in said.stdout
    assert "demo" in said.stdout


def test_learning_and_predicting_import_only_what_they_use(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("1 1:1\n-1 2:1\n" * 20)
    program = (
        "import sys\n"
        "from littlestone.cli import main\n"
        "main({}, standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('littlestone.')))\n"
    )
    for words in (["learn", str(data), "--model", str(model)], ["predict", str(model), str(data)]):
        said = python("-c", program.format(words))
        assert said.returncode == 0, said.stderr
        used = set(said.stdout.splitlines()[-1].split())
        assert {"littlestone.readers.svmlight", "littlestone.learners.averaged_perceptron"} <= used
        others = {
            "readers.csv",
            "readers.vw",
            "learners.winnow",
            "concepts.rectangles",
            "learners.experts.voting_loop",
            "learners.shared.kernel_functions",
        }
        assert not {f"littlestone.{name}" for name in others} & used


def test_the_demo_draws_in_plain_letters_where_it_must():
    said = python("-m", "littlestone", "demo", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert said.returncode == 0
    assert said.stdout.isascii()
    assert "###" in said.stdout
