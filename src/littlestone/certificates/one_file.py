"""The verifier in one file, which imports nothing of ours, and that of what it leaves out, in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from littlestone.base.errors import BadData

NAME = "littlestone_verify.py"
MORE = "littlestone_verify_more.py"
READS = (".svm", ".svmlight", ".libsvm", ".csv", ".tsv", ".tab", ".txt", ".rounds")  # files that it reads itself
TRUE, FALSE, NOT_COVERED = range(3)  # its exit status


class Verdict(NamedTuple):
    """The exit status of the one file and the line that it printed."""

    status: int
    line: str


def find_one_file(name: str = NAME) -> Path:
    """Where such a file is: in an installed package beside this module, in the project in its folder `verifier`."""
    here = Path(__file__)
    for path in (here.with_name(name), here.parents[3] / "verifier" / name):
        if path.is_file():
            return path
    raise BadData(f"{name} is neither beside {here.name} nor in the folder verifier of the project")


def run_one_file(certificate: str, data: str) -> Verdict:
    """Run the one file, or the one that it says to cover the learner, with nothing of this process but Python."""
    said = _run(NAME, certificate, data)
    return _run(MORE, certificate, data) if said.status == NOT_COVERED and MORE in said.line else said


def _run(name: str, certificate: str, data: str) -> Verdict:
    command = [sys.executable, "-I", str(find_one_file(name)), certificate, data]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    line = done.stdout.strip() or done.stderr.strip().rpartition("\n")[2]
    return Verdict(done.returncode if done.stdout else NOT_COVERED, line)
