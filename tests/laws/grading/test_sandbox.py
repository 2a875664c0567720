"""A student's process: endless loops, processes that multiply and memory without end are stopped, whoever runs it."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from littlestone.laws.grading.sandbox import MARK, Sandbox, StudentStopped
from places import SOURCE
from processes import processes

METHODS = ("predict", "update")
LEARNER = """
class Learner:
    def __init__(self):
        pass
    def predict(self, x):
        {body}
    def update(self, x, y):
        pass
"""
LOOP = "while True: pass"
MEMORY = "self.much = bytearray(10 * 10 ** 9); return True"
BOMB = "import os, time; [os.fork() for _ in range(7)]; time.sleep(600)"  # 128 processes, where none is forbidden
ESCAPE = (
    "import os, time; [os.fork() or os.setsid() for _ in range(6)]; time.sleep(600)"  # each with a group of its own
)
ORPHAN = "import os, time; os.fork() or time.sleep(600); return True"  # goes on after the answer
THREADS = "import threading; t = threading.Thread(target=print); t.start(); t.join(); return True"
NUMPY = "import numpy; return bool(numpy.ones(3) @ numpy.ones(3) == 3)"


def write(folder, body):
    path = folder / "my_learner.py"
    path.write_text(LEARNER.format(body=body))
    return str(path)


def ask(path, **limits):
    """What the learner said, or what went wrong with it."""
    with Sandbox(path, METHODS, **limits) as sandbox:
        assert sandbox.found == {}
        assert sandbox.make({}).node == 0
        end = sandbox.play_one(0, ("predict", 0))
    return end.wrong or end.said[0]


def marked():
    """The processes that are left of sandboxes."""
    found = []
    for pid in processes():
        try:
            with open(f"/proc/{pid}/environ", "rb") as environment:
                if f"{MARK}=".encode() in environment.read():
                    found.append(pid)
        except OSError:
            pass
    return found


@pytest.fixture(autouse=True)
def nothing_is_left():
    before = set(marked())
    yield
    for _ in range(50):
        if set(marked()) <= before:
            return
        time.sleep(0.1)
    assert set(marked()) <= before


def test_an_endless_loop_is_stopped(tmp_path):
    with pytest.raises(StudentStopped, match=r"no answer within 0\.5 seconds"):
        ask(write(tmp_path, LOOP), seconds=0.5)


def test_10_gigabytes_are_refused(tmp_path):
    assert "more memory than is allowed" in ask(write(tmp_path, MEMORY))


@pytest.mark.parametrize("body", [BOMB, ESCAPE])
def test_processes_that_multiply_are_stopped_where_they_can_be_forbidden_and_where_not(body, tmp_path):
    with pytest.raises(StudentStopped, match="it started processes"):
        ask(write(tmp_path, body), guarded=False, seconds=20)
    if sys.platform == "linux":
        assert "PermissionError" in ask(write(tmp_path, body))


def test_what_goes_on_after_the_answer_is_ended(tmp_path):
    assert ask(write(tmp_path, ORPHAN), guarded=False) is True


def test_threads_and_numpy_work(tmp_path):
    assert ask(write(tmp_path, THREADS)) is True
    assert ask(write(tmp_path, NUMPY)) is True


def test_what_is_printed_or_read_disturbs_nothing(tmp_path):
    assert ask(write(tmp_path, "print('{}'); import sys; return sys.stdin.read() == ''")) is True


def test_answers_are_short_and_plain(tmp_path):
    assert "more than 20,000 characters" in ask(write(tmp_path, "return 'x' * 10 ** 6"))
    assert "no number, label or list" in ask(write(tmp_path, "return object()"))
    assert "ValueError" in ask(write(tmp_path, "return float('nan')"))


def test_a_flood_where_answers_are_read_is_stopped(tmp_path):
    body = "import os\nfor fd in range(3, 9):\n    try:\n        while True: os.write(fd, b'x' * 65536)\n"
    with pytest.raises(StudentStopped, match="bytes in one answer"):
        ask(write(tmp_path, f"exec({body!r} + '    except OSError: pass')"))


def test_its_folder_is_removed_and_no_large_file_is_written(tmp_path):
    body = "open('large', 'wb').write(bytes(1 << 24)); return True"
    with Sandbox(write(tmp_path, body), METHODS) as sandbox:
        folder = sandbox.folder.name
        sandbox.make({})
        assert "OSError" in sandbox.play_one(0, ("predict", 0)).wrong
    assert not os.path.exists(folder)


AS_ANOTHER = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"]
TASK = """
import sys
sys.path[:0] = {paths!r}
from laws.grading.test_sandbox import *
body, guarded = sys.argv[1], sys.argv[2] == "guarded"
if not os.access(sys.executable, os.X_OK):  # of root alone; what a student's process needs is in any Python
    sys.executable = "/usr/bin/python3"
try:
    print("said", ask(write(Path(sys.argv[3]), body), guarded=guarded, seconds=2.0))
except StudentStopped as stopped:
    print("stopped", stopped)
"""


@pytest.mark.skipif(not shutil.which("setpriv") or os.geteuid() != 0, reason="needs root and setpriv")
@pytest.mark.parametrize(
    ("body", "guarded", "told"),
    [
        (LOOP, "guarded", "stopped it gave no answer"),
        (MEMORY, "guarded", "more memory than is allowed"),
        (BOMB, "guarded", "PermissionError"),
        (BOMB, "counted", "stopped it started processes"),
    ],
)
def test_another_user_than_root_is_held_to_the_same_limits(body, guarded, told, tmp_path):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        task = Path(place) / "task.py"
        paths = [str(SOURCE), str(SOURCE.parent / "tests")]
        task.write_text("from pathlib import Path\n" + TASK.format(paths=paths))
        done = subprocess.run(
            [*AS_ANOTHER, sys.executable, "-B", str(task), body, guarded, place],
            capture_output=True, text=True, check=False, env={"HOME": place, "TMPDIR": place},
        )  # fmt: skip
    if "Permission denied" in done.stderr:
        pytest.skip("another user cannot read the interpreter here")
    assert told in done.stdout, done.stdout + done.stderr
