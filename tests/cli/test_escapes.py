"""Labels, names and file names of any characters: no output acts on a terminal, and a line stays one line.

Every command is run twice on the same rounds, once with plain names and once with ones that hold control characters.
The second run must print as many lines as the first, and no character that a terminal would obey.
"""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.base.printed_text import quote
from littlestone.cli import COMMANDS, main

OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
ACTIVE = re.compile(f"[{OBEYED}]")
PLAIN = {"labels": ["ham", "spam"], "names": ["free", "money"], "file": "data"}
NASTY = {
    "labels": ["\x1b[31mham\n2 lines", "\x9b1mspam\r\t\u202e\x7f\u2028"],
    "names": ["\x1b]0;title\x07\nfree", "money\u2066\x85\ufeff\x1c"],
    "file": "d\x1b[2J\na\rt\u202ea",
}
characters = st.sampled_from(
    [*"\n\r\t\x1b\x07\x08\x0b\x1c\x7f\x85\x9b\u2028\u2029\u202e\u2066\u061c\ufeff", *'"\\ [31m]/:a=']
)
texts = st.text(characters, max_size=6)


@st.composite
def vocabularies(draw):
    """Labels and names of such characters, which differ in what cannot be mistaken for an escape."""
    labels, names = ([f"{draw(texts)}{mark}" for mark in "xy"] for _ in range(2))
    forbidden = str.maketrans("", "", "/")
    return {"labels": labels, "names": names, "file": "f" + draw(texts).translate(forbidden)}


def rounds(words, count=12):
    return [({words["names"][t % 2]: 1.0 + t % 3, "other": 0.5}, words["labels"][t % 2]) for t in range(count)]


def write_jsonl(folder, words):
    path = folder / f"{words['file']}.jsonl"
    path.write_text("".join(json.dumps(x | {"label": y}) + "\n" for x, y in rounds(words)))
    return path


def write_csv(folder, words):
    path, told = folder / f"{words['file']}.csv", io.StringIO()
    table = csv.writer(told, quoting=csv.QUOTE_ALL, lineterminator="\n")
    table.writerow([*words["names"], "label"])
    for t, (x, y) in enumerate(rounds(words)):
        table.writerow([*(x.get(name, 0) for name in words["names"]), y if t < 12 else ""])
    path.write_bytes(told.getvalue().encode())
    return path


def write_panel(folder, words):
    path, told = folder / f"{words['file']}.panel.csv", io.StringIO()
    table = csv.writer(told, quoting=csv.QUOTE_ALL, lineterminator="\n")
    table.writerow([*words["names"], "day", "outcome"])
    for t in range(8):
        table.writerow([t % 2, 1, f"{words['labels'][0]} {t}", t % 2])
    path.write_bytes(told.getvalue().encode())
    return path


def run(*words, status=0):
    """The bytes on standard output and standard error of a command."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == status, (words, done.output, done.exception)
    for told in (done.stdout_bytes.decode(), done.stderr_bytes.decode()):
        assert not ACTIVE.search(told), (words, told)
    return done


def count_lines(done):
    return done.stdout_bytes.count(b"\n"), done.stderr_bytes.count(b"\n")


def run_all(folder, words):
    """Run every command that is handed data: how many lines each printed, and which labels were guessed."""
    rows, table, panel = write_jsonl(folder, words), write_csv(folder, words), write_panel(folder, words)
    model, page = folder / f"{words['file']}.lst", folder / f"{words['file']}.html"
    proof, missing = folder / f"{words['file']}.json", folder / f"{words['file']}.gone"
    guesses, journal = folder / "guesses", folder / f"{words['file']}.mistakes"
    named = ("--learner", "perceptron")
    done = {
        "learn": run("learn", rows, *named, "--model", model, "--certify", "--predictions", guesses, "--report", page),
        "learn csv": run("learn", table, "--label", "label", "--mistakes", journal, "--cache"),
        "learn again": run("learn", rows, "--model", model, "--resume"),
        "learn json": run("learn", rows, "--json"),
        "predict": run("predict", model, rows, "--scores"),
        "predict json": run("predict", model, rows, "--json"),
        "explain": run("explain", model),
        "explain rows": run("explain", model, rows, "--rows", "3"),
        "explain json": run("explain", model, rows, "--json"),
        "race": run("race", rows, *named, "--learner", "network"),
        "race with one out": run("race", write_third_class(folder, words), *named, "--learner", "network"),
        "certify": run("certify", model, rows, "--output", proof),
        "certify json": run("certify", model, rows, "--json"),
        "verify": run("verify", proof, rows),
        "verify json": run("verify", proof, rows, "--json"),
        "verify independently": run("verify", proof, rows, "--independent"),
        "convert-certificate": run("convert-certificate", proof, rows),
        "sign with no key": run("sign", proof, "--key", rows, status=1),
        "not signed": run("verify", proof, rows, "--signed-by", rows, status=1),
        "rounds": run("rounds", rows),
        "separable": run("separable", rows),
        "floor": run("floor", rows, "--seconds", "1"),
        "plan": run("plan", "--from", rows),
        "grade": run("grade", write_student(folder, words), "--exercise", "2", status=1),
        "grade json": run("grade", write_student(folder, words), "--exercise", "2", "--json", status=1),
        "experts": run("experts", panel, "--outcome", "outcome", "--date", "day", "--rounds", "3"),
        "experts json": run("experts", panel, "--outcome", "outcome", "--date", "day", "--json"),
        "no such data": run("learn", missing, status=1),
        "no such model": run("predict", missing, rows, status=1),
        "no such column": run("learn", table, "--label", words["names"][0] + "!", status=1),
        "no such expert": run("experts", panel, "--outcome", words["names"][0] + "!", status=1),
        "no such date": run("experts", panel, "--outcome", "outcome", "--date", words["names"][0] + "!", status=1),
        "no number": run("experts", panel, "--outcome", "day", status=1),
        "other classes": run("learn", write_third_class(folder, words), *named),
        "an input as output": run("learn", rows, "--model", rows, status=2),
        "not JSON": run("learn", write_broken(folder, words), status=1),
        "no such learner": run("learn", rows, "--learner", words["names"][0], status=2),
        "no such option": run("learn", rows, "--" + words["names"][1].replace("=", ""), status=2),
        "no such command": run(words["names"][1], status=2),
        "no such format": run("learn", rows, "--format", words["names"][0], status=2),
        "no such theorem": run("certify", model, rows, "--theorem", words["names"][0], status=1),
        "no certificate": run("verify", rows, rows, status=1),
        "no file": run("verify", missing, rows, status=2),
        "no file to plan from": run("plan", "--from", missing, status=2),
    }  # fmt: skip
    for name in (
        "predict json",
        "explain json",
        "learn json",
        "certify json",
        "verify json",
        "experts json",
        "grade json",
    ):
        json.loads(done[name].stdout)
    for line in journal.read_text().split("\n")[:-1]:
        json.loads(line)
    assert not ACTIVE.search(page.read_text())
    found = {name: count_lines(one) for name, one in done.items()}
    header, _, said = done["predict"].stdout_bytes.partition(b"\n")
    assert not ACTIVE.search(header.decode())
    assert header.startswith(b"guess\tscore:")
    assert read_back(header.decode().partition("score:")[2]) in words["labels"]
    for name, told in (("guesses learned", guesses.read_bytes()), ("guesses", said)):
        assert not ACTIVE.search(told.decode())
        lines = told.decode().split("\n")[:-1]
        found[name] = ["" if not line else words["labels"].index(read_back(line.split("\t")[0])) for line in lines]
    assert len(found["guesses"]) == len(found["guesses learned"]) == len(rounds(words))
    return found


def write_third_class(folder, words):
    path = folder / f"{words['file']}.third.jsonl"
    told = [*rounds(words), ({}, words["labels"][0] + "!")]
    path.write_text("".join(json.dumps(x | {"label": y}) + "\n" for x, y in told))
    return path


def write_student(folder, words):
    """A learner that guesses a label that there is not, and fails with names in its message."""
    path = folder / f"{words['file']}.py"
    guess, name = words["labels"][0], words["names"][0]
    path.write_text(
        "class Learner:\n    def __init__(self, labels):\n        self.labels = labels\n"
        f"    def predict(self, x):\n        if len(self.labels) == 2:\n            return {guess!r}\n"
        f"        raise ValueError({name!r})\n    def update(self, x, y):\n        pass\n"
    )
    return path


def write_broken(folder, words):
    path = folder / f"{words['file']}.broken.jsonl"
    path.write_text(json.dumps({"label": words["labels"][0], words["names"][0]: [[1]]}) + "\n")
    return path


def read_back(line):
    """The label of a line of predictions."""
    return json.loads(line) if line.startswith('"') else line


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """How many lines each command prints where all names are plain."""
    return run_all(tmp_path_factory.mktemp("plain"), PLAIN)


@pytest.mark.long
def test_names_that_a_terminal_would_obey_are_escaped_by_every_command(plain, tmp_path):
    assert run_all(tmp_path, NASTY) == plain


@settings(max_examples=5)
@given(words=vocabularies())
def test_names_of_any_characters_are_escaped_by_every_command(plain, tmp_path_factory, words):
    assert run_all(tmp_path_factory.mktemp("nasty"), words) == plain


def test_every_command_that_is_handed_data_was_run(plain):
    without_data = {"atlas", "demo", "learners", "play", "warm"}
    assert {name.split()[0] for name in plain} >= set(COMMANDS) - without_data


@given(st.text())
def test_what_is_quoted_is_read_back(text):
    shown = quote(text)
    assert read_back(shown) == text
    assert not re.search(f"[\n\t{OBEYED}\ud800-\udfff]", shown)


def test_tables_and_bars_on_a_terminal_style_themselves_and_obey_no_name(tmp_path):
    words = NASTY | {"names": ["\x1b]0;title\x07[red]free", "money\x1b[31m"]}
    panel, rows = write_panel(tmp_path, words), write_jsonl(tmp_path, words)
    for command in (["experts", panel, "--outcome", "outcome", "--date", "day", "--rounds", "3"], ["learn", rows]):
        told = run_on_terminal(command)
        assert "\x1b[" in told or command[0] == "learn"
        for word in ("\x1b]0", "\x07", "\x1b[31m", "\x9b", "\x1b[2J", "\u202e"):
            assert word not in told
    assert "\\u001b]0;title\\u0007[red]free" in run_on_terminal(
        ["experts", panel, "--outcome", "outcome", "--date", "day"]
    )


def run_on_terminal(words):
    """What a command writes to a terminal."""
    reads, writes = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "200", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "littlestone", *map(str, words)]
    with subprocess.Popen(command, stdin=writes, stdout=writes, stderr=writes, env=environment) as process:
        os.close(writes)
        told = b""
        with suppress(OSError):  # which is how the end of a terminal shows
            while piece := os.read(reads, 1 << 16):
                told += piece
    os.close(reads)
    assert process.returncode == 0, told
    return told.decode()


def test_what_a_command_prints_by_itself_is_escaped_too(monkeypatch):
    """A print that forgets about such characters, in any command, is seen to by the stream that it goes to."""

    @click.command()
    def careless():
        print("\x1b[2J out")
        print("\x07 err", file=sys.stderr)
        click.echo("\u202e echo")

    monkeypatch.setattr(type(main), "get_command", lambda *_: careless)
    done = run("careless")
    assert (done.stdout, done.stderr) == ("\\u001b[2J out\n\\u202e echo\n", "\\u0007 err\n")
