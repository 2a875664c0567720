"""Reading against Vowpal Wabbit, scikit-learn and a C++ loop: from a generated file of 600 MB to a model, one pass.

The files are made in a temporary folder, brought into the page cache, and deleted at the end. Each part measures some
lines of the table: a function from the files to lines, listed in PARTS.
"""

import ctypes
import io
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import littlestone as ls
from benchmarks.files import warm_file, write_file
from benchmarks.linear import list_pointers
from benchmarks.streams import make_sparse_rows
from benchmarks.timing import Line, measure_best, print_table, read_clock
from littlestone.base.chunks import Examples
from littlestone.readers.blocks import read_blocks
from littlestone.readers.source import list_files
from littlestone.readers.svmlight import Svmlight

FASTEST = "--quiet --sgd --loss_function hinge --power_t 0 -l 1 -b 18 --noconstant"  # VW's nearest to a Perceptron
LONG = 3 * 10**9  # bytes of the stream whose memory is measured


class Files(NamedTuple):
    """The same rows in memory and in files."""

    folder: Path
    rows: Examples
    svmlight: Path
    vw: Path


def make_files(folder: Path) -> Files:
    rows = make_sparse_rows(2**18)
    files = Files(folder, rows, write_file(folder / "rows.svm", rows), write_file(folder / "rows.vw", rows, bar=True))
    warm_file(files.svmlight)
    warm_file(files.vw)
    return files


def run_vowpal_wabbit(path: Path, *options: str) -> Callable[[], None]:
    """One pass of the program over a file, as a process of its own."""
    command = [sys.executable, "-m", "vowpalwabbit", "-d", str(path), *FASTEST.split(), *options]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) and None


def compare_models(files: Files) -> list[Line]:
    """A file to a model in one process, against Vowpal Wabbit less its start-up."""
    empty = files.folder / "empty.vw"
    empty.write_text("1 | 1:1\n")
    ours, single, theirs, start = measure_best(
        lambda: ls.play(ls.Perceptron(), files.svmlight),
        lambda: ls.play(ls.Perceptron(), ls.read(files.svmlight, threads=1)),
        run_vowpal_wabbit(files.vw),
        run_vowpal_wabbit(empty),
        turns=3,
    )
    theirs -= start
    return [
        Line(
            f"svmlight file to model ({_format_rate(files.svmlight, ours)})", "vw, its text format", theirs / ours, 3, 6
        ),
        Line(
            f"the same, one thread ({_format_rate(files.svmlight, single)})",
            "vw, its text format",
            theirs / single,
            3,
            6,
        ),
    ]


def compare_commands(files: Files) -> list[Line]:
    """The whole command, a process of its own with compiled code on disk, against Vowpal Wabbit's."""
    small = files.folder / "small.svm"
    with files.svmlight.open("rb") as file:
        small.write_bytes(file.read(1 << 20).rpartition(b"\n")[0] + b"\n")

    def ours(*words: str) -> Callable[[], Any]:
        line = [sys.executable, "-m", "littlestone", *words]
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL, env=kept)  # as an installed one runs

    learn = ("--learner", "perceptron", "--quiet")
    whole, theirs, megabyte, words = measure_best(
        ours("learn", str(files.svmlight), *learn),
        run_vowpal_wabbit(files.vw),
        ours("learn", str(small), *learn),
        ours("--help"),
        turns=3,
    )
    return [
        Line("littlestone learn, the whole command", "vw, the whole command", theirs / whole, 1.7, 3),
        Line(f"littlestone learn, a 1 MB file, {megabyte:.2f} s", "0.8 s", 0.8 / megabyte, 1),
        Line(f"littlestone --help, {1000 * words:.0f} ms", "150 ms", 0.15 / words, 1),
    ]


def compare_scikit(files: Files) -> list[Line]:
    """The same against scikit-learn's loader and its fastest learner; once, since it takes long."""
    from sklearn.datasets import load_svmlight_file
    from sklearn.linear_model import SGDClassifier

    begun = read_clock()
    X, y = load_svmlight_file(str(files.svmlight), dtype=np.float32, n_features=2**18, zero_based=True)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0, penalty=None, max_iter=1, tol=None).fit(X, y)
    theirs = read_clock() - begun
    (ours,) = measure_best(lambda: ls.play(ls.Perceptron(), files.svmlight), turns=3)
    return [Line("svmlight file to model", "load_svmlight_file + SGDClassifier", theirs / ours, 12, 25)]


def compare_parsing(files: Files) -> list[Line]:
    """Parsing alone, one thread, blocks in memory, against a byte loop in C++."""
    if shutil.which("g++") is None:
        return []
    library = files.folder / "parse.so"
    source = Path(__file__).with_name("reference_parse.cpp")
    subprocess.run(["g++", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    native = ctypes.CDLL(str(library))
    format, size = Svmlight(), 1 << 20
    held = [block for block, _ in zip(read_blocks(list_files(files.svmlight)[0], format), range(100), strict=False)]
    arrays: tuple[Any, ...] = (np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.float32))
    arrays = (*arrays, np.empty(size))

    def ours() -> None:
        for block in held:
            format.parse(block.data, block.start, block.end)

    def theirs() -> None:
        for block in held:
            native.parse(*list_pointers(block.data[block.start :], block.data[block.end :], *arrays))

    mine, other = measure_best(ours, theirs)
    return [Line("svmlight parsing alone", "g++ -O3 -march=native, a byte loop", other / mine, 1.0, 1.4)]


class Endless(io.RawIOBase):
    """A stream of the same lines over and over, up to a number of bytes, that is on no disk."""

    def __init__(self, lines: bytes, size: int) -> None:
        self.lines, self.size, self.at = memoryview(lines), size, 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self.at = offset if whence == os.SEEK_SET else self.at + offset
        return self.at

    def readinto(self, buffer: Any) -> int:
        place = self.at % len(self.lines)
        size = min(len(buffer), len(self.lines) - place, self.size - self.at)
        buffer[:size] = self.lines[place : place + size]
        self.at += size
        return size


def print_peak(lines: Path) -> None:
    """In a process of its own: how many bytes a long stream takes beyond a short one; printed."""
    text = lines.read_bytes()
    text = text[: text.rfind(b"\n") + 1]
    player = ls.Player(ls.Perceptron())
    with lines.open("rb") as file:
        ls.play(player, ls.read(file, "svmlight"), rounds=10)  # compiled, seated, the first block read
    player.see({2**18 - 1: 1.0})
    before = read_status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak of importing and compiling
    ls.play(player, ls.read(Endless(text, LONG // len(text) * len(text)), "svmlight"))
    print(read_status("VmHWM") - before)


def read_status(name: str) -> int:
    """What the system says of this process's memory, in bytes."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name)]
    return 1024 * int(line.split()[1])


def measure_memory(files: Files) -> list[Line]:
    """The most memory that a stream of 3 GB takes beside the state, where the system tells."""
    if not Path("/proc/self/clear_refs").exists():
        return []
    lines = files.folder / "lines.svm"
    with files.svmlight.open("rb") as file:
        lines.write_bytes(file.read(1 << 24))
    code = f"from benchmarks.ingest import print_peak; from pathlib import Path; print_peak(Path({str(lines)!r}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    used = int(done.stdout) / 1e6
    return [Line(f"memory of a 3 GB stream above the state, {used:.0f} MB", "300 MB", 300 / max(used, 1), 1, 2)]


PARTS: tuple[Callable[[Files], list[Line]], ...] = (
    compare_models,
    compare_commands,
    compare_parsing,
    measure_memory,
    compare_scikit,
)


def _format_rate(path: Path, seconds: float) -> str:
    return f"{path.stat().st_size / seconds / 1e6:.0f} MB/s"


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder))
        size = files.svmlight.stat().st_size / 1e6
        lines = [line for part in PARTS for line in part(files)]
    print_table(f"Reading: {size:.0f} MB of svmlight, {len(files.rows):,} rows, warm page cache, Perceptron", lines)


if __name__ == "__main__":
    main()
