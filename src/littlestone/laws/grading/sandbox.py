"""A sandbox: the process in which a student's file runs, its limits, and how it is ended.

The process has a session and a group of its own, a folder that is removed afterwards, and limits on memory, processor
time, waiting time and the number of processes. What exceeds one of them is ended by the id of its group, and whatever
of it is left elsewhere by its own id. Requests and answers are lines of JSON of bounded length.

This stops accidents: endless loops, processes that multiply, memory without end. It stops no malice. The file runs with
the rights of the user who starts it: it can read, change and remove that user's files, use the network, and signal or
trace that user's other processes, the grader among them. Code of strangers belongs on a machine, or in a container,
that has nothing to lose. What the process answers is not trusted: it is checked and bounded before it is used.
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self

from littlestone.base.errors import LittlestoneError
from littlestone.laws.grading.student import DIGITS, LONGEST, write_value

ANSWER = 1 << 22  # bytes of an answer
OFTEN = 0.1  # seconds between looks at what a process does while it is awaited
MARK = "LITTLESTONE_GRADED"
FRACTION = re.compile(rf"-?[0-9]{{1,{DIGITS}}}(/[0-9]{{1,{DIGITS}}})?")


STRANGE = "it wrote something else than answers where answers are read"


class StudentStopped(LittlestoneError):
    """A student's process was ended: it exceeded a limit or went away. The words say which."""


class End(NamedTuple):
    """What a list of calls came to: what each said, and the node where they ended, or what went wrong."""

    said: tuple[Any, ...]
    node: int
    wrong: str


class Sandbox:
    """A student's file in a process of its own.

    Args:
        path: The file.
        methods: What its class must have.
        memory: How many bytes of addresses it may have.
        seconds: How long one answer may take, and a twelfth of the processor time in all.
        processes: How many processes it may have at once, itself among them.
        guarded: Whether it is forbidden to start processes, where the system can; otherwise they are counted only.
    """

    def __init__(
        self, path: str, methods: tuple[str, ...], memory: int = 1 << 30, seconds: float = 5.0, processes: int = 4,
        guarded: bool = True,
    ) -> None:  # fmt: skip
        self.seconds = seconds
        self.processes = processes
        self.memory = memory
        self.mark = f"{MARK}={uuid.uuid4().hex}"
        self.folder = tempfile.TemporaryDirectory(prefix="littlestone-grade-")
        given = [str(Path(path).resolve()), ",".join(methods), str(memory), str(max(1, round(12 * seconds)))]
        started = [sys.executable, "-s", "-P", "-B", str(Path(__file__).with_name("student.py")), *given]
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")
        environment = dict.fromkeys(names, "1") | {"PYTHONHASHSEED": "0"} | dict([self.mark.split("=")])
        self.process = subprocess.Popen(
            [*started, "yes" if guarded else "no"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment, cwd=self.folder.name, start_new_session=True,
        )  # fmt: skip
        self.unread = b""
        self.found: dict[str, Any] = {}
        try:
            self.found = self._await_answer(slower=4)
        except BaseException:
            self.end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def make(self, told: dict[str, Any]) -> End:
        """A fresh object of the student's class, made with these values."""
        return self._read_end({"said": [], **self.ask({"told": told})}, 0)

    def play(self, plays: Sequence[tuple[int, list[Any]]]) -> list[End]:
        """Play each list of calls on a copy of its node; where each ended."""
        ends = self.ask({"plays": plays}).get("ends")
        if not isinstance(ends, list) or len(ends) != len(plays):
            self._stop(STRANGE)
        return [self._read_end(end, len(calls)) for end, (_, calls) in zip(ends, plays, strict=True)]

    def play_one(self, node: int, *calls: Any) -> End:
        """Play calls on a copy of a node."""
        return self.play([(node, list(calls))])[0]

    def _read_end(self, end: Any, calls: int) -> End:
        """What an answer says, if it has the form of one."""
        try:
            said = read_said(end.get("said"))
            wrong = end.get("wrong", "")
            node = end.get("node", -1)
        except (AttributeError, ValueError, ZeroDivisionError):
            self._stop(STRANGE)
        formed = isinstance(said, tuple) and isinstance(wrong, str) and type(node) is int
        if not formed or not (len(said) <= calls if wrong else len(said) == calls and node >= 0):
            self._stop(STRANGE)
        return End(said, node, wrong[:LONGEST])

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; StudentStopped if there is none."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(request, default=write_value).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            self._stop(self._explain_end())
        return self._await_answer()

    def _await_answer(self, slower: int = 1) -> dict[str, Any]:
        assert self.process.stdout is not None
        last = time.monotonic() + self.seconds * slower
        pipe = self.process.stdout.fileno()
        while b"\n" not in self.unread:
            ready, _, _ = select.select([pipe], [], [], OFTEN)
            if ready:
                piece = os.read(pipe, 1 << 16)
                self.unread += piece
                if not piece:
                    self._stop(self._explain_end())
                if len(self.unread) > ANSWER:
                    self._stop(f"it wrote more than {ANSWER:,} bytes in one answer")
            elif len(self._list_members()) > self.processes:
                self._stop(f"it started processes: more than {self.processes} at once")
            if time.monotonic() > last:
                self._stop(f"it gave no answer within {self.seconds:g} seconds")
        line, _, self.unread = self.unread.partition(b"\n")
        try:
            answer = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._stop(STRANGE)
        return answer

    def _explain_end(self) -> str:
        """Say how a process ended that went away by itself."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)
        code = self.process.returncode
        if code == -signal.SIGXCPU:
            return f"it used more than {max(1, round(12 * self.seconds))} seconds of the processor"
        if code is not None and code < 0:
            return f"its process was ended by {signal.Signals(-code).name}, memory may have run out"
        return "its process ended by itself (is there sys.exit() in the file?)"

    def _stop(self, words: str) -> NoReturn:
        self.end()
        raise StudentStopped(words)

    def _list_members(self) -> dict[int, int]:
        """All processes that came from the student's, of its session or with its mark: their ids and groups."""
        mark = self.mark.encode()
        members = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, IndexError):
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                if stat[0] == "Z":
                    continue
                if int(stat[3]) == self.process.pid or mark in (folder / "environ").read_bytes():
                    members[int(folder.name)] = int(stat[2])
        return members

    def end(self) -> None:
        """End the process, its group, and all that came from it."""
        for _ in range(100):
            members = self._list_members()
            groups = set(members.values()) | ({self.process.pid} if self.process.poll() is None else set())
            for group in groups - {os.getpgrp()}:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
            if not members:
                break
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with suppress(OSError):
            self.folder.cleanup()


def read_said(value: Any) -> Any:
    """What a student's class said: plain values, tuples of them for lists, and fractions; ValueError for all else."""
    if isinstance(value, list):
        return tuple(map(read_said, value))
    if isinstance(value, dict):
        text = value.get("fraction")
        if not isinstance(text, str) or not FRACTION.fullmatch(text):
            raise ValueError("no fraction")
        return Fraction(text)
    if isinstance(value, str) and len(value) > LONGEST:
        raise ValueError("too long")
    return value


def _refuse(constant: str) -> NoReturn:
    """Refuse what is no number in JSON."""
    raise ValueError(f"{constant} is no number")
