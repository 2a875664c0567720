"""Data at an address, served on this machine: a connection that breaks off, and the run that goes on after it."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.request import Request, urlopen

import fsspec
import pytest
from click.testing import CliRunner
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

import littlestone as ls
from command_runs import LINES, run
from littlestone.cli import main
from littlestone.readers import source

DATA = "".join(f"{line.rstrip()} # {'long' * 10_000}\n" for line in LINES).encode()  # several blocks
HALF = len(DATA) // 2


class Loopback(AbstractFileSystem):
    """Files of a server on this machine, read in pieces, as fsspec reads those of any server."""

    protocol, cachable = "loopback", False

    def info(self, path, **_):
        with urlopen(Request(f"http://{path}", method="HEAD")) as answer:
            return {"name": path, "size": int(answer.headers["Content-Length"]), "type": "file"}

    def _open(self, path, mode="rb", **_):
        return RemoteFile(self, path, mode, block_size=1 << 20)


class RemoteFile(AbstractBufferedFile):
    def _fetch_range(self, start, end):
        with urlopen(Request(f"http://{self.path}", headers={"Range": f"{start}-{end}"})) as answer:
            return answer.read()


class Answers(BaseHTTPRequestHandler):
    """The data, in the ranges that are asked for; once it fails, less than was promised."""

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.data)))
        self.end_headers()

    def do_GET(self):
        start, end = map(int, self.headers["Range"].split("-"))
        piece = self.server.data[start:end]
        self.send_response(200)
        self.send_header("Content-Length", str(len(piece)))
        self.end_headers()
        self.wfile.write(piece[: HALF - start] if self.server.fails and end > HALF else piece)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(source, "SCHEMES", (*source.SCHEMES, "loopback"))
    fsspec.register_implementation("loopback", Loopback, clobber=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.data, server.fails = DATA, False
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("options", [(), ("--passes", "2", "--holdout", "7")])
def test_a_run_goes_on_after_a_connection_that_broke_off(options, server, tmp_path):
    address = f"loopback://127.0.0.1:{server.server_port}/rows.svm"

    def words(name):
        outputs = [f"--{kind}={tmp_path / name}.{kind}" for kind in ("predictions", "mistakes", "model")]
        return ["learn", address, *outputs, *options, "--checkpoint", "50"]

    run(*words("whole"))
    server.fails = True
    broken = CliRunner().invoke(main, words("cut"))
    assert broken.exit_code == 1, broken.output
    assert broken.stderr.splitlines()[-1].startswith(f"littlestone: {address}: ")
    assert 0 < ls.load(tmp_path / "cut.model").tally.rounds < 150
    server.fails = False
    said = run(*words("cut"), "--resume")
    assert "rounds that the model learned last: going on after them" in said.stderr
    for kind in ("predictions", "mistakes", "model"):
        assert (tmp_path / f"cut.{kind}").read_bytes() == (tmp_path / f"whole.{kind}").read_bytes(), kind
