"""Files are written whole or not at all; drafts of killed processes are swept, and nothing else is."""

import fcntl
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from littlestone.base import files

WRITER = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from littlestone.base.files import replace

    def parts():
        yield b"half of it"
        print("writing", flush=True)
        time.sleep(600)

    replace(sys.argv[1], parts())
""")


@pytest.fixture
def writers():
    """Start processes that write half of a file and wait; those that are left are killed in the end."""
    started = []

    def start(path):
        one = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        started.append(one)
        assert one.stdout.readline() == "writing\n"
        return one

    yield start
    for one in started:
        one.kill()
        one.wait()
        one.stdout.close()


@pytest.fixture(autouse=True)
def sweep_anew():
    """Let every test be as a new process is."""
    files.sweep_drafts.cache_clear()


def list_drafts(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".tmp"))


def test_a_draft_of_a_killed_process_is_swept_at_the_next_write(tmp_path, writers):
    path = tmp_path / "m.lst"
    path.write_bytes(b"old")
    writer = writers(path)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert len(list_drafts(tmp_path)) == 1
    assert path.read_bytes() == b"old"
    files.replace(tmp_path / "other.lst", [b"new"])
    assert sorted(os.listdir(tmp_path)) == ["m.lst", "other.lst"]
    assert path.read_bytes() == b"old"


def test_a_draft_of_a_living_process_stays(tmp_path, writers):
    writers(tmp_path / "m.lst")
    drafts = list_drafts(tmp_path)
    assert len(drafts) == 1
    files.replace(tmp_path / "other.lst", [b"new"])
    assert list_drafts(tmp_path) == drafts
    assert (tmp_path / drafts[0]).exists()


def test_a_draft_that_this_process_holds_stays(tmp_path):
    with files.hold_draft(tmp_path, "a") as one:
        files.sweep_drafts.cache_clear()
        with files.hold_draft(tmp_path, "b") as other:
            assert one.exists()
            assert other.exists()
    assert os.listdir(tmp_path) == []


def test_what_is_not_ours_stays(tmp_path):
    ours = files._name_drafts()
    kept = [".0123456789abcdef.tmp", ".littlestone-00000000-0123456789abcdef.tmp", f"{ours}0123456789abcdef.tmp.bak",
            f"x{ours}0123456789abcdef.tmp", f"{ours}0123456789ABCDEF.tmp", f"{ours}0123.tmp", "m.lst"]  # fmt: skip
    for name in kept:
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / f"{ours}{0:016x}.tmp").mkdir()
    (tmp_path / f"{ours}{1:016x}.tmp").symlink_to("m.lst")
    os.mkfifo(tmp_path / f"{ours}{2:016x}.tmp")
    (tmp_path / f"{ours}{3:016x}.tmp").write_bytes(b"left behind")
    before = set(os.listdir(tmp_path))
    files.replace(tmp_path / "new.lst", [b"new"])
    assert set(os.listdir(tmp_path)) == before - {f"{ours}{3:016x}.tmp"} | {"new.lst"}


def test_a_draft_that_was_swept_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    flock, swept = fcntl.flock, []

    def sweep_first(handle, how):
        if not swept:
            swept.extend(list_drafts(tmp_path))
            os.unlink(tmp_path / swept[0])
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    files.replace(tmp_path / "m.lst", [b"new"])
    assert len(swept) == 1
    assert os.listdir(tmp_path) == ["m.lst"]
    assert (tmp_path / "m.lst").read_bytes() == b"new"


def test_without_locks_files_are_written_and_nothing_is_swept(tmp_path, monkeypatch):
    left = tmp_path / f"{files._name_drafts()}{3:016x}.tmp"
    left.write_bytes(b"left behind")

    def refuse(handle, how):
        raise OSError(95, "Operation not supported")

    for patch in (
        lambda: monkeypatch.setattr(fcntl, "flock", refuse),
        lambda: monkeypatch.setattr(files, "fcntl", None),
    ):
        patch()
        files.sweep_drafts.cache_clear()
        files.replace(tmp_path / "m.lst", [b"new"])
        assert sorted(os.listdir(tmp_path)) == [left.name, "m.lst"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError) as problem:
        files.replace(tmp_path / "none" / "m.lst", [b"new"])
    assert problem.value.filename == str(tmp_path / "none" / "m.lst")
