"""Streams that cannot be rewound, such as a pipe: kept while they are read, and asked whether more comes soon."""

import io
import os
import select
import tempfile
from collections.abc import Callable
from typing import Any

from littlestone.base.errors import BadData, require

MEMORY = 1 << 22  # bytes at the beginning of a stream that are kept without a file: a format is recognised by them


def comes_within(file: Any, seconds: float) -> bool:
    """Whether more bytes of an open file, or its end, come within `seconds`; true where that cannot be known."""
    if hasattr(file, "comes_within"):
        return bool(file.comes_within(seconds))
    try:
        asked = select.poll()
        asked.register(file.fileno(), select.POLLIN)
        return bool(asked.poll(1000 * seconds))
    except (AttributeError, OSError, ValueError):  # it is no pipe, or this system has no such call
        return True


class FromPlace(io.RawIOBase):
    """A file with a place of its own: several may read it one after another, and closing one leaves it open.

    `read` gives bytes from a place on: it fills a buffer as far as bytes come at once, and returns how many. `asks`
    says whether any come within a number of seconds.
    """

    def __init__(
        self,
        read: Callable[[Any, int], int],
        at: int = 0,
        asks: Callable[[int, float], bool] = lambda at, seconds: True,
    ) -> None:
        self._read = read
        self._at = at
        self._asks = asks

    def comes_within(self, seconds: float) -> bool:
        return self._asks(self._at, seconds)

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset if whence == os.SEEK_SET else self._at + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        got = self._read(memoryview(buffer), self._at)
        self._at += got
        return got


def read_into(file: Any, buffer: Any, live: bool = False) -> int:
    """Fill a buffer, if the file is `live` as far as bytes come at once; how many they are."""
    at_once = live and hasattr(file, "read1")  # a buffered file waits for more, unless it is asked so
    if hasattr(file, "readinto") and not at_once:
        return int(file.readinto(buffer) or 0)
    data = (file.read1 if at_once else file.read)(len(buffer))
    require(isinstance(data, bytes), f"a file must give bytes, got a {type(data).__name__}: open it in binary mode")
    buffer[: len(data)] = data
    return len(data)


class KeptStream:
    """What was read so far of a stream that cannot be rewound: its beginning in memory, the rest in a temporary file.

    Once told to forget, it keeps the beginning alone.
    """

    def __init__(self, file: Any, name: str, ours: bool) -> None:
        self.file = file
        self.name = name
        self.ours = ours
        self.copy = tempfile.SpooledTemporaryFile(MEMORY)  # noqa: SIM115 - it lives as long as the source does
        self.size = self.kept = 0
        self.keeps = True

    def __del__(self) -> None:
        if hasattr(self, "copy"):  # a temporary file could be made
            self.copy.close()
        if self.ours:
            self.file.close()

    def forget(self) -> None:
        """Keep no more than the beginning."""
        self.keeps = False

    def comes_within(self, at: int, seconds: float) -> bool:
        """Whether there are bytes from place `at` on, or the end, within `seconds`."""
        return at < self.kept or comes_within(self.file, seconds)

    def read_into(self, buffer: Any, at: int) -> int:
        """Bytes from place `at` on, as many as come at once."""
        if at < self.kept:
            self.copy.seek(at)
            return int(self.copy.readinto(buffer[: self.kept - at]))
        if at < self.size:
            raise BadData("this can be read only once: put it into a file to read it again", self.name)
        got = read_into(self.file, buffer, live=True)
        if self.kept == self.size and (self.keeps or self.size + got <= MEMORY):
            self._keep(buffer[:got])
        self.size += got
        return got

    def _keep(self, piece: Any) -> None:
        try:
            self.copy.seek(self.kept)
            self.copy.write(piece)
            self.copy.flush()
        except OSError as problem:
            why = f"it is kept in {tempfile.gettempdir()} to be read again, which failed: {problem.strerror}"
            raise BadData(f"{why}; the variable TMPDIR names another folder", self.name) from None
        self.kept += len(piece)
