"""Small files that ask for much memory are refused in words, and memory is linear in the number of labels."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from littlestone.cli import main

LIMITED = """
import json, resource, sys
from click.testing import CliRunner
from littlestone.cli import main
room = 2 << 30
resource.setrlimit(resource.RLIMIT_AS, (room, room))
told = []
for words in json.loads(sys.stdin.read()):
    done = CliRunner().invoke(main, words)
    told.append([done.exit_code, done.stdout, done.stderr])
print(json.dumps(told))
"""


def run_in_two_gigabytes(*commands):
    """The exit status, standard output and standard error of each command, run in a process with 2 GB of addresses."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    told = json.dumps([[str(word) for word in words] for words in commands])
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], input=told, capture_output=True, text=True, env=environment, check=True
    )
    return json.loads(done.stdout)


def test_one_index_does_not_allocate_what_it_names(tmp_path):
    wide, rows, model = tmp_path / "wide.svm", tmp_path / "rows.svm", tmp_path / "m.lst"
    rows.write_text("1 1:1 5:1\n-1 2:1\n1 3:1\n")
    wide.write_text("1 1:1 5:1\n-1 2000000000:1\n1 3:1\n")
    learned, *refused, hashed = run_in_two_gigabytes(
        ["learn", rows, "--learner", "perceptron", "--model", model],
        ["learn", wide],
        ["learn", wide, "--learner", "network"],
        ["learn", wide, "--memory", "1000"],
        ["race", wide],
        ["predict", model, wide],
        ["explain", model, wide, "--rows", "2"],
        ["certify", model, wide],
        ["separable", wide],
        ["plan", "--from", wide],
        ["learn", wide, "--bits", "20"],
    )
    assert (learned[0], hashed[0]) == (0, 0)
    for status, _, said in refused:
        assert (status, said.count("\n")) == (1, 1), said
        assert "--bits" in said or "number attributes one after another" in said
        assert "Traceback" not in said
    assert "the highest attribute is number 2,000,000,000" in refused[0][2]
    assert "there is not enough memory" in refused[2][2]


@pytest.mark.long
def test_memory_is_linear_in_the_number_of_labels(tmp_path):
    data, model = tmp_path / "ids.csv", tmp_path / "m.lst"
    data.write_text("a,b,id\n" + "".join(f"{t % 7},{t % 11},user{t}\n" for t in range(2500)))
    (told,) = run_in_two_gigabytes(["learn", data, "--label", "id", "--many-classes", "--model", model, "--json"])
    assert told[0] == 0, told[2]
    judged = json.loads(told[1])["progressive"]
    assert (judged["confusion"], judged["rounds"], judged["mistakes"]) == (
        None,
        2500,
        2499,
    )  # the first guess is class 0
    assert [one["rounds"] for one in judged["classes"]] == [1] * 2500


@pytest.mark.parametrize("gigabytes", ["0", "-1", "much"])
def test_memory_is_a_positive_number(gigabytes, tmp_path):
    assert CliRunner().invoke(main, ["learn", str(tmp_path), "--memory", gigabytes]).exit_code == 2
