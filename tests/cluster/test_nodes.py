"""A cluster of several nodes, started as its page says: one that dies in mid-pass changes no bit."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone import cluster
from littlestone.base.learner import fingerprint
from littlestone.cluster.passes import play_serially
from places import ROOT
from processes import end, processes, reader_of

BIN = Path(sys.executable).parent
PATIENCE = 90  # seconds


def waited(found):
    """What a question is answered with, asked again until it is."""
    begun = time.monotonic()
    while not (answer := found()):
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)
    return answer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nodes:
    """A cluster on this machine: a head that plays nothing, and nodes of one worker each."""

    def __init__(self, folder):
        self.folder, self.address, self.started = folder, f"127.0.0.1:{free_port()}", []
        paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        self.environment = os.environ | {"RAY_AUTH_TOKEN": "e" * 64, "RAY_AUTH_MODE": "token", "PYTHONPATH": paths}

    def add(self, *words):
        log, short = (
            self.folder / f"{len(self.started)}.log",
            ["--object-store-memory=80000000", "--disable-usage-stats"],
        )
        command = [BIN / "ray", "start", "--block", "--node-ip-address=127.0.0.1", *short, *words]
        with log.open("w") as out:
            node = subprocess.Popen(command, env=self.environment, stdout=out, stderr=out)
        self.started.append(node)
        waited(lambda: "block forever" in log.read_text())
        assert node.poll() is None
        return node

    def __enter__(self):
        port = self.address.rpartition(":")[2]
        self.add("--head", f"--port={port}", "--num-cpus=0", "--include-dashboard=false", f"--temp-dir={self.folder}")
        return self

    def __exit__(self, *_):
        for node in self.started:
            end(node.pid)
            node.wait()


@pytest.fixture
def nodes():
    pytest.importorskip("ray")
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # a socket's path must be short
    with Nodes(folder) as nodes:
        yield nodes
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.long
def test_a_node_that_dies_in_mid_pass_changes_no_bit(nodes, tmp_path):
    rng, paths = np.random.default_rng(1), []
    for number in range(6):
        X = rng.normal(size=(200, 8)).round(2)
        rows = (f"{int(x[0] > x[1])} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x)) for x in X)
        paths.append(tmp_path / f"{number}.svm")
        paths[-1].write_text("".join(f"{row}\n" for row in rows))
    expected = cluster.learn(None, [str(path) for path in paths], passes=2, execute=play_serially)

    workers = [nodes.add(f"--address={nodes.address}", "--num-cpus=1") for _ in range(2)]
    pipe, content = paths[3], paths[3].read_bytes()
    pipe.unlink()
    os.mkfifo(pipe)
    model = tmp_path / "m.lst"
    words = ["learn", *map(str, paths), "--cluster", nodes.address, "--passes", "2", "--model", str(model)]
    command, both = (
        [BIN / "python", "-m", "littlestone", *words],
        {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT},
    )
    run = subprocess.Popen(command, env=nodes.environment, text=True, **both)
    try:
        handle = os.open(pipe, os.O_WRONLY)  # waits for whoever plays the shard
        node, running = waited(lambda: reader_of(pipe)), processes()
        while node not in [each.pid for each in workers]:
            node = running[node][0]
        os.write(handle, content[: len(content) // 2])
        end(node)  # with all that it holds
        os.close(handle)
        pipe.unlink()
        pipe.write_bytes(content)
        said, _ = run.communicate(timeout=PATIENCE)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 0, said
    assert [node.poll() is None for node in nodes.started].count(True) == 2
    assert fingerprint(ls.load(model).state) == fingerprint(expected.player.state)
    assert ls.load(model).tally == expected.player.tally
