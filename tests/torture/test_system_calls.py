"""Each system call of `learn` on its own files fails or comes up short, one at a time, and nothing is silently lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EVERY = 1 if os.environ.get("LITTLESTONE_TORTURE") else 29  # of these faults, how many are left out in between
COMPILER = shutil.which("cc") or shutil.which("gcc")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine: make torture installs Debian's gcc")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="calls are replaced with LD_PRELOAD, as on Linux")
def test_whatever_call_goes_wrong_outputs_are_whole_or_the_status_says_so(tmp_path):
    library = tmp_path / "failing_calls.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", library, HERE / "failing_calls.c"], check=True)
    command = [sys.executable, HERE / "system_calls.py", tmp_path, str(EVERY)]
    preload = os.environ | {"LD_PRELOAD": str(library)}
    done = subprocess.run(command, env=preload, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print({name: found[name] for name in ("runs", "failed", "calls")})
    for kind in ("open", "read", "write", "fsync", "rename", "mmap", "close"):
        assert found["calls"]["fresh"][kind] > 0, f"no call {kind} was seen: is the library loaded?"
    assert found["failed"] > found["runs"] // 4
    assert found["objections"] == []
