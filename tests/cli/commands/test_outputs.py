"""Outputs: never over an input or another output, by whatever name, and only regular files are replaced."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.base.files import replace, require_outputs
from littlestone.cli import COMMANDS, main

ROWS = "1 1:1 2:1\n0 2:1\n1 1:1\n0 3:1\n" * 3
PANEL = "a,b,y\n0.5,0.25,1\n0.75,0.5,0\n"


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text(ROWS)
    return path


def names_of(data):
    """Other names of a file."""
    symbolic, hard = data.parent / "symbolic", data.parent / "hard"
    symbolic.symlink_to(data)
    os.link(data, hard)
    return [data, symbolic, hard, data.parent / ".." / data.parent.name / data.name, os.path.relpath(data)]


@pytest.mark.parametrize("option", ["--model", "--predictions", "--mistakes", "--report"])
def test_learn_writes_over_no_input(option, data):
    for name in names_of(data):
        said = run("learn", data, option, name)
        assert said.exit_code == 2
        assert f"{option} {name} would overwrite what is read from {data}" in said.stderr
        assert data.read_text() == ROWS
    said = run("learn", data.parent / "*.svm", option, data)
    assert (said.exit_code, data.read_text()) == (2, ROWS)
    with data.open() as file:
        said = run("learn", data, option, f"/proc/self/fd/{file.fileno()}")
    assert (said.exit_code, data.read_text()) == (2, ROWS)


def test_no_other_command_writes_over_what_it_reads(data, tmp_path):
    model, panel = tmp_path / "m.lst", tmp_path / "panel.csv"
    panel.write_text(PANEL)
    assert run("learn", data, "--learner", "perceptron", "--model", model, "--quiet").exit_code == 0
    kept = model.read_bytes()
    for words in (
        ("predict", model, data, "--output", data),
        ("predict", model, data, "--output", model),
        ("certify", model, data, "--output", data),
        ("certify", model, data, "--output", model),
        ("race", data, "--plot", data),
        ("experts", panel, "--outcome", "y", "--plot", panel),
        ("learn", data, "--cluster", "local", "--model", data),
    ):
        said = run(*words)
        assert (said.exit_code, "would overwrite" in said.stderr) == (2, True), words
        assert (data.read_text(), model.read_bytes(), panel.read_text()) == (ROWS, kept, PANEL)


def list_outputs():
    """Every option of every command that takes a file which need not exist, and so writes it."""
    for name in COMMANDS:
        for option in main.get_command(None, name).params:
            kind = option.type
            if isinstance(option, click.Option) and isinstance(kind, click.Path) and not kind.exists:
                yield name, option.opts[0]


@pytest.mark.parametrize(("command", "option"), list(list_outputs()))
def test_no_option_writes_over_data_that_are_named_by_an_address(command, option, data, tmp_path):
    model, address = tmp_path / "m.lst", f"file://{data}"
    if command in ("plan", "atlas"):
        pytest.skip("reads no data, or writes none")
    assert run("learn", data, "--learner", "perceptron", "--model", model, "--quiet").exit_code == 0
    before = {
        "predict": [model],
        "certify": [model],
        "convert-certificate": [model],
        "experts": ["--outcome", "y"],
        "sign": ["--key", model],
        "learn": ["--league", "perceptron"] if option == "--plot" else [],
    }
    for written in (address, f"local://{data}", f"{address[:-3]}*"):
        read = data if command == "sign" else written
        said = run(command, *before.get(command, []), read, option, data)
        assert (said.exit_code, data.read_text()) == (2, ROWS)
        assert f"{option} {data} would overwrite what is read from {read}" in said.stderr


def test_data_named_by_an_address_of_this_machine_are_read_as_the_file_is(data, tmp_path):
    found = []
    for name in (data, f"file://{data}", f"FILE://{tmp_path}/r*.svm"):
        told = json.loads(run("learn", name, "--json", "--cache").stdout)
        found.append((told["rounds"], told["mistakes"]))
    assert found == [(12, found[0][1])] * 3
    assert (tmp_path / "rows.svm.cache.arrow").exists()


def test_a_cache_is_not_written_over_what_is_read(data, tmp_path):
    other = tmp_path / "rows.svm.cache.arrow"
    other.write_text(ROWS)
    said = run("learn", data, other, "--format", "svmlight", "--cache")
    assert (said.exit_code, other.read_text()) == (2, ROWS)
    assert f"would overwrite what is read from {other}" in said.stderr


def test_an_atlas_that_cannot_be_written_is_refused_first(tmp_path):
    said = run("atlas", "--points", 2, "--output", tmp_path / "none" / "a.csv")
    assert (said.exit_code, said.stdout) == (1, "")
    assert "no such folder to write to" in said.stderr


def test_two_outputs_are_two_files(data, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    for other in (tmp_path / "new", tmp_path / "link"):
        said = run("learn", data, "--model", tmp_path / "new", "--predictions", other)
        assert said.exit_code == 2
        assert "would overwrite what --model writes: give --predictions another file" in said.stderr
    assert not (tmp_path / "new").exists()
    assert run("learn", data, "--predictions", "/dev/null", "--mistakes", "/dev/null", "--quiet").exit_code == 0


def test_standard_input_from_a_file_is_an_input(data, monkeypatch):
    with data.open() as file:
        monkeypatch.setattr(os, "fstat", lambda number: os.stat(file.name))
        with pytest.raises(BadParameter, match=r"--model .* would overwrite what is read from -"):
            require_outputs({"--model": str(data)}, ["-"])


def test_a_model_that_is_gone_on_with_is_no_input(data, tmp_path):
    model = tmp_path / "m.lst"
    assert run("learn", data, "--model", model, "--quiet").exit_code == 0
    assert run("learn", data, "--model", model, "--resume", "--quiet").exit_code == 0


def test_devices_and_pipes_are_written_to_and_stay_what_they_are(data, tmp_path):
    before = os.stat("/dev/null")
    for option in ("--model", "--report", "--predictions"):
        assert run("learn", data, option, "/dev/null", "--quiet").exit_code == 0
    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    replace(pipe, [b"whole", b" contents"])
    reader.join(10)
    assert (got, stat.S_ISFIFO(os.stat(pipe).st_mode)) == ([b"whole contents"], True)


def test_a_link_goes_on_to_lead_to_the_file_that_is_replaced(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    replace(tmp_path / "link", [b"new"])
    assert (Path(tmp_path / "file").read_bytes(), (tmp_path / "link").is_symlink()) == (b"new", True)


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
from littlestone.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("option", ["--model", "--certificate", "--report", "--predictions", "--mistakes", "--plot"])
def test_a_disk_that_is_full_is_named_with_the_file_and_what_is_left_too(option, data, tmp_path):
    data.write_text((ROWS + "0 1:1 2:1\n1 3:1\n") * 60)
    path = tmp_path / f"out{'.svg' if option == '--plot' else ''}"
    words = ["learn", data, option, path, *(["--league", "perceptron"] if option == "--plot" else [])]
    words += ["--learner", "perceptron"] if option == "--certificate" else []
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert f"littlestone: {path}: File too large" in done.stderr
    streamed = option in ("--predictions", "--mistakes")
    assert path.exists() == streamed
    assert (f"littlestone: {path} is incomplete: it ends where the run did" in done.stderr) == streamed
    assert {one.name for one in tmp_path.iterdir()} == {data.name} | ({path.name} if streamed else set())


def test_predictions_that_end_early_are_said_to(data, tmp_path):
    model, path = tmp_path / "m.lst", tmp_path / "out"
    run("learn", data, "--model", model, "--quiet")
    data.write_text(ROWS * 30 + "1 nonsense\n")
    said = run("predict", model, data, "--output", path)
    assert said.exit_code == 1
    assert f"{path} is incomplete: it ends where the run did" in said.stderr
    full = run("predict", model, data, "--output", "/dev/full")
    assert "littlestone: /dev/full: No space left on device" in full.stderr


def test_a_picture_is_written_where_it_was_asked_for(data, tmp_path):
    for name, head in (("plain", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.PDF", b"%PDF")):
        assert run("race", data, "--learner", "perceptron", "--plot", tmp_path / name).exit_code == 0
        assert (tmp_path / name).read_bytes().startswith(head)
    said = run("race", data, "--learner", "perceptron", "--plot", tmp_path / "a.xyz")
    assert said.exit_code == 2
    assert "no picture is called .xyz, only " in said.stderr


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_permissions_when_it_is_replaced(mode, data, tmp_path):
    model = tmp_path / "m.lst"
    run("learn", data, "--model", model, "--quiet")
    model.chmod(mode)
    run("learn", data, "--model", model, "--quiet")
    assert stat.S_IMODE(model.stat().st_mode) == mode


def test_a_cache_of_private_data_is_private(data, tmp_path):
    data.chmod(0o600)
    assert run("learn", data, "--cache", "--quiet").exit_code == 0
    assert stat.S_IMODE((tmp_path / "rows.svm.cache.arrow").stat().st_mode) == 0o600


HOLDS = "import sys, time; from littlestone.base.files import hold_lock\nwith hold_lock(sys.argv[1]):\n"
HOLDS += "    print('held', flush=True); time.sleep(600)"


@pytest.mark.parametrize("options", [("--resume",), (), ("--league", "perceptron"), ("--cluster", "local")])
def test_two_runs_do_not_write_one_model(options, data, tmp_path):
    model = tmp_path / "m.lst"
    assert run("learn", data, "--model", model, "--quiet").exit_code == 0
    kept = model.read_bytes()
    holder = subprocess.Popen([sys.executable, "-c", HOLDS, str(model)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        for name in (model, tmp_path / ".." / tmp_path.name / "m.lst"):
            said = run("learn", data, "--model", name, *options)
            assert said.exit_code == 1
            assert f"{name}: another run is writing this file: wait until it ends" in said.stderr
            assert model.read_bytes() == kept
        assert run("learn", data, "--model", tmp_path / "other.lst", "--quiet").exit_code == 0
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    assert len(list(tmp_path.glob(".*.lock"))) == 1  # left by the process that was killed
    assert run("learn", data, "--model", model, "--quiet", "--resume").exit_code == 0
    assert list(tmp_path.glob(".*.lock")) == []


def test_of_many_runs_at_once_none_loses_rounds(data, tmp_path):
    model, files = tmp_path / "m.lst", []
    assert run("learn", data, "--model", model, "--quiet").exit_code == 0
    for number in range(4):
        files.append(tmp_path / f"{number}.svm")
        files[-1].write_text(f"1 {number + 1}:1\n" + ROWS * 200)
    command = [sys.executable, "-m", "littlestone", "learn", "--model", model, "--resume", "--quiet"]
    started = [subprocess.Popen([*command, one], stderr=subprocess.DEVNULL) for one in files]
    learned = [one.wait() == 0 for one in started]
    assert any(learned)
    assert ls.load(model).tally.rounds == 12 + sum(learned) * 2401


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_files_are_utf_8_and_printing_does_not_crash_in_any_locale(encoding, tmp_path):
    data, model, words = tmp_path / "rows.txt", tmp_path / "m.lst", "é漢\tgrüße 漢字\nspam\tfree money\n" * 4
    data.write_text(words, encoding="utf-8")
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": f"{encoding}:strict",
    }
    outputs = {name: tmp_path / name for name in ("predictions", "mistakes", "report", "output")}
    written = [word for name, path in list(outputs.items())[:3] for word in (f"--{name}", path)]
    for command in (
        ["learn", data, "--model", model, *written],
        ["predict", model, data, "--output", outputs["output"]],
        ["predict", model, data, "--probabilities"],
        ["explain", model],
    ):
        line = [sys.executable, "-m", "littlestone", *map(str, command)]
        done = subprocess.run(line, capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
    assert outputs["output"].read_text(encoding="utf-8").splitlines() == ["é漢", "spam"] * 4
    assert "é漢" in outputs["predictions"].read_text(encoding="utf-8")
