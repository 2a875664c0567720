"""`littlestone warm`: after it, runs compile nothing; where nothing can be kept, that is said."""

import os
import subprocess
import sys

import pytest

ROUNDS = [(t % 2, t % 9 + 1, t % 5, ("red", "green", "blue")[t % 3]) for t in range(60)]
FILES = {
    "rows.svm": "".join(f"{y} {a}:{b}.25 {a + 20}:-1\n" for y, a, b, _ in ROUNDS),
    "rows.vw": "".join(f"{y + 1} |a {c} n:{a}\n" for y, a, _, c in ROUNDS),
    "texts.txt": "".join(f"{('ham', 'spam')[y]}\tsome {c} text {a}\n" for y, a, _, c in ROUNDS),
    "rows.jsonl": "".join(f'{{"a": {a}, "c": "{c}", "label": "{y}"}}\n' for y, a, _, c in ROUNDS),
    "numbers.csv": "a,b,label\n" + "".join(f"{a},{b}.125,{y}\n" for y, a, b, _ in ROUNDS),
    "words.csv": "a,b,c,label\n" + "".join(f"{a},{b},{c},{('no', 'yes')[y]}\n" for y, a, b, c in ROUNDS),
}
COUNT = """
import sys
from numba.core.event import RecordingListener, install_listener
from littlestone.cli import main
listener = RecordingListener()
with install_listener("numba:compile", listener):
    for path in sys.argv[2:]:
        assert not main.main(["learn", path, "--learner", sys.argv[1]], standalone_mode=False)
met = [str(event.data["dispatcher"].py_func.__qualname__) for _, event in listener.buffer if event.is_start]
print("compiled", len(met), *met)
"""


def call(*words, home):
    environment = os.environ | {"XDG_CACHE_HOME": str(home)}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_after_it_learning_from_any_format_compiles_nothing(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    paths, home = [tmp_path / name for name in FILES], tmp_path / "cache"
    done = call("-m", "littlestone", "warm", "--learner", "averaged-perceptron", home=home)
    assert done.returncode == 0, done.stderr
    assert "csv with words of 2 classes: " in done.stdout
    assert done.stdout.splitlines()[-1].endswith(f"kept in {home / 'littlestone'}")
    counted = call("-c", COUNT, "averaged-perceptron", *paths, home=home)
    assert counted.stdout.splitlines()[-1:] == ["compiled 0"], counted.stderr


def test_a_cache_that_cannot_be_written_is_said_with_the_variable_that_helps(tmp_path):
    (tmp_path / "file").write_text("no folder")
    said = call("-m", "littlestone", "warm", home=tmp_path / "file")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.splitlines() == [
        "littlestone: machine code cannot be kept: name a folder that can be written in XDG_CACHE_HOME"
    ]
    said = call("-m", "littlestone", "learn", tmp_path / "missing.svm", home=tmp_path / "file")
    assert said.stderr.count("XDG_CACHE_HOME") == 1
    assert "once" not in said.stderr
