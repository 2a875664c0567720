"""Signals and closed pipes: a run ends at once, and what it has learned is kept."""

import signal
import subprocess
import sys
import time
from itertools import islice

import pytest

import littlestone as ls
from command_runs import LINES, STREAM, run
from processes import heed_signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_run_that_waits_on_a_pipe_ends_at_once_and_goes_on_later(number, tmp_path):
    model, whole = tmp_path / "m.lst", tmp_path / "whole.lst"
    run("learn", *STREAM, "--model", whole, "--predictions", tmp_path / "w", typed="".join(LINES))
    command = [sys.executable, "-m", "littlestone", "learn", *STREAM, "--model", str(model), "--predictions",
               str(tmp_path / "p")]  # fmt: skip
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stderr=pipe, bufsize=0, preexec_fn=heed_signals)  # noqa: PLW1509
    long = [f"{line.rstrip()} # {'long' * 10_000}\n" for line in LINES]  # several blocks
    process.stdin.write("".join(long[:290]).encode())
    said = tmp_path / "p"
    while not said.exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(1)
    process.send_signal(number)
    assert process.wait(30) == 128 + number, process.stderr.read()
    assert b"--resume" in process.stderr.read()
    process.stdin.close()
    process.stderr.close()
    rounds = ls.load(model).tally.rounds
    run("learn", *STREAM, "--model", model, "--predictions", said, "--resume", typed="".join(LINES))
    assert 0 < rounds <= 290
    assert model.read_bytes() == whole.read_bytes()
    assert said.read_bytes() == (tmp_path / "w").read_bytes()


def test_a_closed_standard_input_is_said_to_be():
    command = [sys.executable, "-m", "littlestone", "learn", *STREAM]
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *command], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert "standard input is closed" in done.stderr


def test_a_closed_standard_output_ends_quietly(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES) * 100)
    run("learn", data, "--model", model, "--quiet")
    command = [sys.executable, "-m", "littlestone", "predict", str(model), str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert len(list(islice(process.stdout, 3))) == 3
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 128 + signal.SIGPIPE
