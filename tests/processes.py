"""Processes of this machine, as tests that start and end some of them see them."""

import os
import signal
from contextlib import suppress
from pathlib import Path


def heed_signals():
    """Take signals as a process of a terminal does, before another program takes our place.

    What `nohup`, or a shell that starts us in the background, wants ignored would be ignored there too.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def processes():
    """Every running process by id: its parent and its command line."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if stat[0] != "Z":
                found[int(folder.name)] = (int(stat[1]), command)
    return found


def reader_of(path):
    """The process that has a file open, and is not this one."""
    for pid in processes():
        with suppress(OSError):
            if pid != os.getpid() and str(path) in map(os.readlink, Path(f"/proc/{pid}/fd").iterdir()):
                return pid
    return None


def end(pid):
    """End a process and all that it has started, by their ids."""
    running, family = processes(), {pid}
    while more := {child for child, (parent, _) in running.items() if parent in family} - family:
        family |= more
    for member in family:
        with suppress(ProcessLookupError):
            os.kill(member, signal.SIGKILL)
