"""How many modules a run goes through: each that does something, none that only passes things along."""

import json
import os
import subprocess
import sys

import pytest

from places import SOURCE

COUNT = """
import json, sys, threading

modules = set()

def is_importing(frame):
    while frame is not None:
        if "importlib" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False

def note(frame, event, argument):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.partition(".")[0] == "littlestone" and name not in modules:
        if frame.f_code.co_name != "<module>" and not is_importing(frame):
            modules.add(name)

from littlestone.cli import main

threading.setprofile(note)
sys.setprofile(note)
main(sys.argv[1:], standalone_mode=False)
sys.setprofile(None)
print(json.dumps(sorted(modules)), file=sys.stderr)
"""


def modules_of(*words):
    """The modules of the package with a call of a Python function, in any thread, imports left out."""
    home = os.environ | {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *map(str, words)], env=home, capture_output=True, text=True, check=True
    )
    return json.loads(done.stderr.splitlines()[-1])


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("path") / "t.svm"
    path.write_text("".join(f"{t % 2} {1 + t % 3}:1 {5 + t % 2}:2\n" for t in range(300)))
    modules_of("learn", path, "--certify")  # compiles what is not compiled yet
    return path


@pytest.mark.parametrize(("options", "most"), [(["--certify"], 65), ([], 56)], ids=["certified", "learned"])
def test_a_run_goes_through_few_modules(data, options, most):
    found = modules_of("learn", data, *options)
    assert len(found) <= most, found
