"""Make each system call of `learn` on its own files go wrong, one at a time; started by a test in a process of its own.

The process has the library of failing_calls.c loaded before all others. Each run is a fork of it, where everything is
compiled, with one fault: a call that fails once, one that fails from then on, as on a disk that stays full, or a read
or write that comes up short. After each, one of two things must hold:

- The status is 0, and every output is that of an undisturbed run.
- The status is not 0, and one line says why. The model and the cache are the old ones or whole new ones: what is there
  loads, and a run that goes on from it ends with the model of an undisturbed run. Predictions, which are written while
  the run goes on, are a beginning of what they were to be, or the old ones. No draft is left.

    python system_calls.py FOLDER EVERY     tries every EVERY-th fault in this folder; prints what was found as JSON
"""

import ctypes
import errno
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow  # noqa: F401 - loaded once for all runs

from littlestone.cli import main
from littlestone.game.model import read

KINDS = ("open", "read", "write", "fsync", "rename", "mmap", "close", "truncate")  # as in failing_calls.c
ALWAYS = 10**9
PROBLEMS = {  # what may go wrong: errors, or 0 for a call that comes up short
    "open": ("EIO", "EMFILE", "EACCES", "EINTR"),
    "read": ("EIO", "EINTR", ""),
    "write": ("ENOSPC", "EIO", "EINTR", ""),
    "fsync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "EACCES"),
    "mmap": ("ENOMEM",),
    "close": ("EIO",),
    "truncate": ("EIO",),
}
STAY = {"write": ("ENOSPC",), "open": ("EMFILE",), "read": ("EIO",)}  # what may last
COMMANDS = {  # each with what stands in the folder before
    "fresh": (["rows.svm", "--cache", "--passes", "2", "--holdout", "7"], ()),
    "cached": (["rows.svm", "--cache"], ("rows.svm.cache.arrow",)),
    "piped": (["-", "--format", "svmlight", "--passes", "2"], ()),
}


class Fault(NamedTuple):
    """The calls of one kind that go wrong, from number `first` to number `last`, and how."""

    kind: str
    first: int
    last: int
    problem: str

    def arm(self, folder, log):
        how = getattr(errno, self.problem) if self.problem else 0
        ctypes.CDLL(None).arm(os.fsencode(folder), log, KINDS.index(self.kind), self.first, self.last, how)


NONE = Fault("open", 0, 0, "EIO")


class Outcome(NamedTuple):
    """What a run left behind: its status, what it said, and its files."""

    status: int
    out: str
    err: str
    files: dict[str, bytes]

    @property
    def record(self):
        """What was printed, without the time it took."""
        return json.loads(self.out) | {"seconds": 0}


class Runs:
    """Runs of one command in a folder of its own, each from the same beginning."""

    def __init__(self, folder, name):
        self.folder, self.words, self.name = folder / name, COMMANDS[name][0], name
        self.folder.mkdir()
        self.outside = folder / f"{name}.outside"
        self.outside.mkdir()
        write_rows(self.folder / "rows.svm", 1200)
        write_rows(self.outside / "other.svm", 50)
        old = [str(self.outside / "other.svm"), "--model", str(self.outside / "old.lst"), "--quiet"]
        main(["learn", *old], standalone_mode=False)
        self.before = {"m.lst": (self.outside / "old.lst").read_bytes(), "p.txt": b"an old file\n"}
        whole = self.run(NONE)
        self.before |= {path: whole.files[path] for path in COMMANDS[name][1]}
        self.whole = self.run(NONE)  # the first may have compiled
        assert self.whole.status == 0, self.whole.err
        self.calls = [line.split(" ", 1) for line in (self.outside / "log").read_text().splitlines()]

    def reset(self):
        for path in self.folder.iterdir():
            if path.name != "rows.svm":
                path.unlink()
        for name, data in self.before.items():
            (self.folder / name).write_bytes(data)

    def run(self, fault, more=(), reset=True):
        """Run the command in a fork of this process, with a fault."""
        if reset:
            self.reset()
        child = os.fork()
        if child == 0:
            status = 70
            try:
                status = self.play(fault, more)
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        out, err = ((self.outside / name).read_text() for name in ("out", "err"))
        files = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        return Outcome(os.waitstatus_to_exitcode(status), out, err, files)

    def play(self, fault, more):
        """The command itself, as the program runs it; its status."""
        os.chdir(self.folder)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(self.outside / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        if "-" in self.words:
            feed(self.folder / "rows.svm")
        os.environ["TMPDIR"] = str(self.folder)
        log = os.open(self.outside / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        given = ["--model", "m.lst", "--checkpoint", "500", "--predictions", "p.txt", "--json", "--quiet"]
        words = [
            str(self.folder / word) if word in ("rows.svm", "m.lst", "p.txt") else word
            for word in [*self.words, *given, *more]
        ]
        fault.arm(self.folder, log)
        try:
            main(["learn", *words], prog_name="littlestone")
        except SystemExit as end:
            sys.stdout.flush()
            return int(end.code or 0)
        return 71

    def faults(self):
        """Every fault there may be: each call of an undisturbed run, each way in which it may go wrong."""
        for kind, count in Counter(kind for kind, _ in self.calls).items():
            for number in range(1, count + 1):
                for problem in PROBLEMS[kind]:
                    yield Fault(kind, number, number, problem)
                for problem in STAY.get(kind, ()):
                    yield Fault(kind, number, ALWAYS, problem)

    def object_to(self, fault):
        """What is wrong after a run with this fault; nothing if all is well."""
        found = self.run(fault)
        self.failed = found.status != 0
        if not self.failed:
            return self.object_to_success(found)
        return self.object_to_failure(found)

    def object_to_success(self, found):
        if found.record != self.whole.record:
            return "status 0, but other figures"
        for name in ("m.lst", "p.txt"):
            if found.files.get(name) != self.whole.files[name]:
                return f"status 0, but {name} differs"
        for name in found.files.keys() - self.whole.files.keys():
            return f"status 0, but {name} was left"
        cache = "rows.svm.cache.arrow"
        if cache in found.files and found.files[cache] != self.whole.files[cache]:
            return "status 0, but the cache differs"
        return None

    def object_to_failure(self, found):
        if found.status not in (1, 2) or "Traceback" in found.err or not found.err.startswith("littlestone: "):
            return f"status {found.status}: {found.err[-300:]}"
        lines = [line for line in found.err.splitlines() if not line.endswith("it ends where the run did")]
        if len(lines) != 1:
            return f"more than a line: {found.err[-300:]}"
        for name in found.files.keys() - self.whole.files.keys() - self.before.keys():
            return f"{name} was left"
        cache = found.files.get("rows.svm.cache.arrow")
        if cache is not None and cache != self.whole.files["rows.svm.cache.arrow"]:
            return "the cache is half-written"
        predictions = found.files.get("p.txt", b"")
        if predictions != self.before["p.txt"] and not self.whole.files["p.txt"].startswith(predictions):
            return "the predictions are neither the old ones nor a beginning of the new ones"
        if "m.lst" not in found.files:
            return "the model is gone"
        if found.files["m.lst"] in (self.before["m.lst"], self.whole.files["m.lst"]):
            return None
        assert "run" in read(self.folder / "m.lst").about
        if "-" in self.words:  # standard input cannot be read again
            return None
        again = self.run(NONE, ["--resume"], reset=False)
        if again.status or again.files["m.lst"] != self.whole.files["m.lst"]:
            return f"a run that went on ended otherwise: status {again.status}, {again.err[-300:]}"
        return None


def feed(path):
    """Make a pipe standard input, filled by a child that is done with it at once."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        data = path.read_bytes()
        while data:
            data = data[os.write(theirs, data) :]
        os._exit(0)
    os.close(theirs)
    os.dup2(ours, 0)


def write_rows(path, rows):
    rng = np.random.default_rng(5)
    lines = []
    for _ in range(rows):
        numbers = np.flatnonzero(rng.random(12) < 0.4) + 1
        lines.append(
            f"{int(3 in numbers) ^ int(rng.random() < 0.05)} " + " ".join(f"{k}:{k % 3 + 1}" for k in numbers) + "\n"
        )
    path.write_text("".join(lines))


def warm_up(folder):
    """Load the machine code that every run needs, so that forks of this process have it."""
    write_rows(folder / "rows.svm", 1200)
    words = [str(folder / "rows.svm"), "--cache", "--passes", "2", "--holdout", "7", "--model", str(folder / "m.lst")]
    main(
        ["learn", *words, "--checkpoint", "500", "--predictions", str(folder / "p.txt"), "--quiet"],
        standalone_mode=False,
    )


def torture(folder, every):
    warm_up(folder)
    found = {"runs": 0, "calls": {}, "failed": 0, "objections": []}
    for name in COMMANDS:
        runs = Runs(folder, name)
        found["calls"][name] = Counter(kind for kind, _ in runs.calls)
        for fault in list(runs.faults())[::every]:
            objection = runs.object_to(fault)
            found["runs"] += 1
            found["failed"] += runs.failed
            if objection:
                found["objections"].append([name, *fault, objection])
    print(json.dumps(found))


def start(folder, every):
    """Compile the library, and try every so many-th fault in a process that has it loaded; what was found."""
    compiler, library = find_compiler(), folder / "failing_calls.so"
    source = Path(__file__).with_name("failing_calls.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    command = [sys.executable, __file__, folder, str(every)]
    preload = os.environ | {"LD_PRELOAD": str(library)}
    done = subprocess.run(command, env=preload, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def find_compiler():
    """A C compiler of this machine; None if there is none."""
    return shutil.which("cc") or shutil.which("gcc")


if __name__ == "__main__":
    torture(Path(sys.argv[1]).resolve(), int(sys.argv[2]))
