"""Source: where bytes come from. A path, a glob, a list of them, "-", a binary file object, or an address.

Whatever the source, each of its files can be read from its beginning as often as wanted: what cannot be rewound,
such as standard input, is kept in a temporary file while it is read, unless it is to be read once. Such a source is
live: it can be asked whether more comes soon, so that what was read already can be used. Gzip (any number of
members) and Zstandard (any number of frames) are recognised by their first bytes and decompressed; a stream that
breaks off is an error.

>>> import io
>>> [part.name for part in list_files(io.BytesIO(b"+1 3:1"))]
['<BytesIO>']
"""

import glob
import io
import os
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from littlestone.base.errors import BadData, BadParameter, require
from littlestone.base.files import LOCAL, find_local
from littlestone.readers.kept_stream import FromPlace, KeptStream, comes_within, read_into
from littlestone.readers.remote import RemoteFile

GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
# bytes of gzip and of Zstandard taken at once: they make half a gigabyte at most
STEP = 1 << 18
SMALL_STEP = 1 << 14
EXPANSION = 200  # times the compressed bytes that come to be unpacked, unless told otherwise
SCHEMES = ("http", "https", "ftp", "sftp", "ssh", "s3", "gs", "gcs", "az", "abfs", "hdfs", "hf", "memory")
ALWAYS = 1 << 28  # bytes that are unpacked whatever the ratio


@dataclass(frozen=True, eq=False)
class SourceFile:
    """One file of a source: its name for messages, its path if it is a local file, and how it is opened anew."""

    name: str
    path: Path | None
    raw: Callable[[], Any]
    expansion: float = EXPANSION  # times its size that a compressed file may grow to
    forget: Callable[[], None] = lambda: None  # do not keep what is read from now on: it is to be read once
    live: bool = False  # whether it may be written while it is read, so that bytes come late

    def open(self) -> BinaryIO:
        """The file from its beginning, decompressed."""
        file = self.raw()
        try:
            magic = file.read(4)
            file.seek(-len(magic), os.SEEK_CUR)
            if magic[:2] == GZIP:
                file = _Unpacked(file, self, lambda: zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), STEP)
            elif magic == ZSTANDARD:
                package = import_extra("zstandard", "zstd", self.name)
                file = _Unpacked(file, self, lambda: package.ZstdDecompressor().decompressobj(), SMALL_STEP)
        except BaseException:
            file.close()
            raise
        return cast(BinaryIO, file)


def list_files(source: Any) -> list[SourceFile]:
    """The files of a source, in order: a glob's sorted by name, a list's as listed."""
    if isinstance(source, list | tuple):
        require(len(source) > 0, "a list of files must not be empty")
        return [part for one in source for part in list_files(one)]
    if isinstance(source, str | os.PathLike):
        return _name_source(os.fspath(source))
    require(hasattr(source, "read"), f"a source is a path, a list of paths or a binary file, got {source!r}")
    return [_hold_bytes(source)]


def is_source(thing: Any) -> bool:
    """Whether `list_files` can make something of it."""
    one = thing[0] if isinstance(thing, list | tuple) and thing else thing
    return isinstance(one, str | os.PathLike) or hasattr(one, "read")


def _name_source(address: Any) -> list[SourceFile]:
    require(isinstance(address, str) and address != "", f"a path is text that is not empty, got {address!r}")
    if address == "-":
        return [_keep_stream(sys.stdin.buffer, "standard input")]
    local = find_local(address)
    if "://" in local:
        return _list_remote(address)
    path = Path(local)
    if path.exists():
        if path.is_dir():
            raise BadData("this is a folder; a glob such as folder/*.svm names the files in it", address)
        if path.is_file():
            return [SourceFile(address, path, lambda: _open_local(path))]
        return [_keep_stream(path.open("rb", buffering=0), address, ours=True)]  # a pipe can be read once
    found = sorted(glob.glob(local, recursive=True))
    if not found:
        raise BadData("there is no such file", address)
    return [part for one in found if not Path(one).is_dir() for part in _name_source(one)]


def _open_local(path: Path) -> Any:
    try:
        return path.open("rb", buffering=0)
    except OSError as problem:
        raise BadData(f"cannot be opened: {problem.strerror}", str(path)) from None


def _list_remote(address: str) -> list[SourceFile]:
    scheme = address.partition("://")[0]
    known = ", ".join(f"{one}://" for one in (*LOCAL, *SCHEMES))
    require(scheme in SCHEMES, f"{address}: addresses that begin with {scheme}:// cannot be read, only {known}")
    fsspec = import_extra("fsspec", "remote", address)
    try:
        files = fsspec.open_files(address, "rb", expand=True)
    except ImportError as problem:
        raise BadParameter(f"{address}: {problem}") from None
    except Exception as problem:  # each kind of address has errors of its own
        raise BadData(f"cannot be opened: {str(problem) or type(problem).__name__}", address) from None
    if not files:
        raise BadData("there is no such file", address)
    return [SourceFile(file.full_name, None, partial(RemoteFile, file)) for file in files]


def import_extra(package: str, extra: str, name: str) -> Any:
    """An optional package, or one line that says what to install."""
    try:
        return import_module(package)
    except ImportError:
        raise BadParameter(f"{name} needs the package {package}: install littlestone[{extra}]") from None


def _hold_bytes(file: Any) -> SourceFile:
    """A file object: rewound where that is possible, otherwise kept while it is read."""
    name = str(getattr(file, "name", f"<{type(file).__name__}>"))
    require(not isinstance(file, io.TextIOBase), f"{name} is open as text: open it in binary mode, 'rb'")
    if not (hasattr(file, "seekable") and file.seekable()):
        return _keep_stream(file, name)
    begin = file.tell()

    def read(buffer: Any, at: int) -> int:
        file.seek(at)
        return read_into(file, buffer)

    return SourceFile(name, None, lambda: FromPlace(read, begin))


def _keep_stream(file: Any, name: str, ours: bool = False) -> SourceFile:
    kept = KeptStream(file, name, ours)
    return SourceFile(
        name, None, lambda: FromPlace(kept.read_into, asks=kept.comes_within), forget=kept.forget, live=True
    )


class _Unpacked(io.RawIOBase):
    """A compressed file, decompressed: one member or frame after another, each to its proper end."""

    def __init__(self, file: Any, part: SourceFile, member: Callable[[], Any], step: int) -> None:
        self._step = step
        self._file = file
        self._name = part.name
        self._expansion = part.expansion
        self._member = member
        self._taken = self._made = 0
        self._unpacker: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def comes_within(self, seconds: float) -> bool:
        return bool(self._ready or self._packed) or comes_within(self._file, seconds)

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._unpack_more():
                return 0
        size = min(len(buffer), len(self._ready))
        memoryview(buffer)[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpack_more(self) -> bool:
        """Unpack some more; False at the end of the file."""
        self._packed = self._packed or self._file.read(self._step)
        if self._unpacker is None:
            while self._packed and not self._packed.strip(b"\0"):  # padding of zeros
                self._packed = self._file.read(self._step)
            if not self._packed:
                return False
            self._unpacker = self._member()
        if not self._packed:
            raise BadData("the compressed data break off: the file was cut short", self._name)
        try:
            self._ready = memoryview(self._unpacker.decompress(self._packed))
        except Exception as problem:
            raise BadData(f"the compressed data are damaged: {problem}", self._name) from None
        self._taken, self._made = self._taken + len(self._packed), self._made + len(self._ready)
        if self._made > max(ALWAYS, self._expansion * self._taken):
            found = f"the compressed data grow to more than {self._expansion:g} times their size"
            raise BadData(f"{found}; if that is meant, --expansion or expansion= allows more", self._name)
        self._packed = b""
        if self._unpacker.eof:
            self._taken -= len(self._unpacker.unused_data)
            self._packed = self._unpacker.unused_data
            self._unpacker = None
        return True

    def close(self) -> None:
        self._file.close()
        super().close()
