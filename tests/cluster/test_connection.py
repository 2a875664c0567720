"""Joining a cluster: an address without one is answered in words, at once; a signal leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from click.testing import CliRunner

from littlestone.base.errors import BadParameter
from littlestone.cli import main
from littlestone.cluster import connection
from littlestone.cluster.connection import connect, require_answer
from processes import heed_signals, processes

PATIENCE = 120  # seconds


class Server:
    """A server on this machine that accepts connections and says the same to each, or nothing."""

    def __init__(self, said):
        self.said, self.door = said, socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.door.getsockname()[1]}"
        self.guests = []

    def __enter__(self):
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def serve(self):
        while True:
            try:
                guest, _ = self.door.accept()
            except OSError:
                return
            self.guests.append(guest)
            guest.sendall(self.said)

    def __exit__(self, *_):
        self.door.close()
        for guest in self.guests:
            guest.close()


def test_an_address_where_nothing_listens_is_answered_in_a_line(tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "a.svm").write_text("1 1:1\n0 2:1\n")
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"127.0.0.1:{door.getsockname()[1]}"
    begun = time.monotonic()
    said = CliRunner().invoke(main, ["learn", str(tmp_path / "a.svm"), "--cluster", address])
    assert said.exit_code == 2
    assert said.stderr.startswith(f"littlestone: no Ray cluster could be joined at {address}: ")
    assert "Connection refused; start the head there" in said.stderr
    assert len(said.stderr.splitlines()) == 1
    assert time.monotonic() - begun < 15 + 30  # importing Ray takes a while on a machine that is busy


def test_what_answers_otherwise_than_ray_or_not_at_all_is_refused(monkeypatch):
    monkeypatch.setattr(connection, "PATIENCE", 0.5)
    with Server(b"") as silent, pytest.raises(BadParameter, match=r"nothing answered within 0\.5 seconds"):
        require_answer(silent.address)
    with Server(b"HTTP/1.1 400 Bad Request\r\n\r\n") as web, pytest.raises(BadParameter, match="is not Ray"):
        require_answer(web.address)
    with Server(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])) as head:
        require_answer(head.address)
        require_answer(f"ray://{head.address}")
    with pytest.raises(BadParameter, match=r"could be joined at no\.such\.host\.invalid:6379"):
        require_answer("no.such.host.invalid:6379")
    require_answer("auto")


def test_an_address_by_the_environment_is_tried_too(monkeypatch):
    pytest.importorskip("ray")
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"127.0.0.1:{door.getsockname()[1]}"
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(BadParameter, match=f"at {address}: .*Connection refused"), connect("auto"):
        pass


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_in_a_line_with_all_its_processes(number, tmp_path):
    pytest.importorskip("ray")
    shards = [tmp_path / f"{k}.svm" for k in range(2)]
    for shard in shards:
        shard.write_text("".join(f"{t % 2} {t % 7 + 1}:1 {t % 2 + 9}:1\n" for t in range(20_000)))
    model, before = tmp_path / "m.lst", set(processes())
    words = ["learn", *shards, "--cluster", "local", "--passes", "100000", "--model", model, "--quiet"]
    environment = os.environ | {"RAY_AUTH_TOKEN": "a" * 64}
    command = [sys.executable, "-m", "littlestone", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    run = subprocess.Popen(command, env=environment, preexec_fn=heed_signals, **pipes)  # noqa: PLW1509
    wait_until(model.exists)
    assert run.poll() is None
    family = find_family(run.pid)
    assert len(family) > 3  # a store, a raylet, workers
    run.send_signal(number)
    _, said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 128 + number, said
    assert said.startswith("stopped within a pass; the passes before it are saved in ")
    assert len(said.splitlines()) == 1
    wait_until(lambda: not family & (processes().keys() - before))


def find_family(pid):
    """A process and all that it has started, by their ids."""
    running, family = processes(), {pid}
    while more := {child for child, (parent, _) in running.items() if parent in family} - family:
        family |= more
    return family


def wait_until(happened):
    begun = time.monotonic()
    while not happened():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.1)
