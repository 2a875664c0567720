"""Signals are obeyed within a second, however long a chunk takes and whatever a command is doing."""

import os
import signal
import subprocess
import sys
import time

import pytest

import littlestone as ls

LABELS = 20_000
COMMAND = [sys.executable, "-m", "littlestone"]


@pytest.fixture(scope="module")
def many_labels(tmp_path_factory):
    """Half a megabyte in which every row has a label of its own."""
    path = tmp_path_factory.mktemp("labels") / "many.csv"
    path.write_text("a,b,label\n" + "".join(f"{t % 7}.25,{t % 11}.5,c{t}\n" for t in range(LABELS)))
    return path


def start(*words, **options):
    return subprocess.Popen([*COMMAND, *map(str, words)], stderr=subprocess.PIPE, text=True, **options)


def test_a_run_over_thousands_of_labels_ends_soon_after_the_first_signal(many_labels, tmp_path):
    model = tmp_path / "many.lst"
    run = start("learn", many_labels, "--many-classes", "--model", model, stdout=subprocess.DEVNULL)
    used = 0.0
    while used < 4 and run.poll() is None:  # seconds of the processor: it is learning by then
        time.sleep(0.1)
        with open(f"/proc/{run.pid}/stat") as stat:
            used = sum(map(int, stat.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
    sent = time.monotonic()
    run.send_signal(signal.SIGTERM)
    try:
        told = run.communicate(timeout=20)[1]
    finally:
        run.kill()
    assert run.returncode == 128 + signal.SIGTERM
    assert time.monotonic() - sent < 10  # a second on a machine that does nothing else
    player = ls.load(model)
    assert 0 < player.tally.rounds == len(player.labels) < LABELS
    assert f"stopped after {player.tally.rounds:,} rounds" in told


@pytest.mark.parametrize("words", [["learn", "-", "--format", "csv"], ["predict", "model", "-", "--format", "csv"]])
def test_an_interrupt_before_there_are_data_says_nothing_and_exits_with_130(words, tmp_path):
    ls.play(ls.Perceptron(), ls.Recorded([[1.0], [0.0]], [True, False])).player.save(tmp_path / "model")
    run = start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path)
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    printed, told = run.communicate(timeout=60)
    assert (run.returncode, printed) == (130, "")
    assert "Aborted" not in told
    assert "Traceback" not in told
