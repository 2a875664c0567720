"""Files written whole or not at all, and never over what is read."""

import errno
import glob
import hashlib
import io
import os
import platform
import re
import secrets
import stat
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from littlestone.base.errors import require

fcntl: Any
try:
    import fcntl
except ImportError:  # there are no such locks on Windows
    fcntl = None

LOCAL = ("file", "local")  # schemes of addresses that are paths of this machine


def replace(path: str | os.PathLike[str], parts: Iterable[Any], check: Callable[[Path], Any] | None = None) -> None:
    """Put the parts in the place of a file: under another name first, on the disk before it has the right one.

    `check` is called with that other name before the old file is given up; an error that it raises keeps the old one.
    Only a regular file is replaced: what is sent to a pipe or a device goes there.
    """
    name = os.fspath(path)
    if is_special(path):
        with io.BufferedWriter(_NamedFile(name, name)) as file:
            file.writelines(parts)
        return
    target = Path(os.path.realpath(path))
    with hold_draft(target.parent, name, *_find_owner(target)) as draft:
        with io.BufferedWriter(_NamedFile(draft, name)) as file:
            for part in parts:
                file.write(part)
            file.flush()
            with name_errors(name):
                os.fsync(file.fileno())
        if check is not None:
            check(draft)
        os.replace(draft, target)
    if hasattr(os, "O_DIRECTORY"):  # the new name, too, must survive a power cut
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def open_text(path: str, mode: str = "w") -> TextIO:
    """A file to write text to: UTF-8 whatever the locale; an error while it is written names it."""
    return io.TextIOWrapper(io.BufferedWriter(_NamedFile(path, path, mode)), encoding="utf-8")


class _NamedFile(io.FileIO):
    """A file to write, whose errors have the name that the user knows it by."""

    def __init__(self, path: str | os.PathLike[str], shown: str, mode: str = "w") -> None:
        self._shown = shown
        super().__init__(path, mode)

    def write(self, data: Any) -> int:
        with name_errors(self._shown):
            return super().write(data)

    def close(self) -> None:
        with name_errors(self._shown):
            super().close()


@contextmanager
def name_errors(path: str) -> Iterator[None]:
    """Let errors of the system within, such as that of a full disk, name a file."""
    try:
        yield
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), path) from None


def _find_owner(target: Path) -> tuple[int | None, tuple[int, int] | None]:
    """The permissions and the owner of a file that is there, which one in its place takes over."""
    try:
        about = os.stat(target)
    except OSError:
        return None, None
    return stat.S_IMODE(about.st_mode), (about.st_uid, about.st_gid)


@contextmanager
def hold_lock(path: str) -> Iterator[None]:
    """Let no other process hold the same lock meanwhile: that of the file at `path`, which need not exist.

    The lock is one of the system on an empty file beside it, so that it ends with the process, however that ends. What
    is no regular file, or on a system or disk without locks, is not locked.
    """
    require_writable(path)
    target = Path(os.path.realpath(path))
    if fcntl is None or is_special(path):
        yield
        return
    beside = target.with_name(f".littlestone-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}.lock")
    handle = _lock_file(beside, path)
    try:
        yield
    finally:
        with suppress(OSError):
            beside.unlink()  # while it is locked: another run then sees that it was removed, and creates a new one
        os.close(handle)


def _lock_file(beside: Path, path: str) -> int:
    """Open and lock the file beside the one at `path`."""
    while True:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            os.close(handle)
            busy = "another run is writing this file: wait until it ends, or write to another one"
            raise BlockingIOError(problem.errno, busy, path) from None
        except OSError:  # of a file system without locks
            return handle
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), os.stat(beside)):
                return handle
        os.close(handle)  # the run before removed it between the two calls


@contextmanager
def hold_draft(
    folder: Path, wanted_by: str, mode: int | None = None, owner: tuple[int, int] | None = None
) -> Iterator[Path]:
    """An empty file for what is to be renamed when it is whole; if it is not, whatever stopped it, it is removed.

    It is locked as long as it is held, so that a draft without a lock is one of a process that was killed: those are
    removed here first. An error names the file that the draft is `wanted_by`. It has the permissions `mode`, and its
    owner and group where the system allows that; None: those of any new file.
    """
    sweep_drafts(folder)
    with name_errors(wanted_by):
        draft, handle = _make_draft(folder, 0o666 if mode is None else mode & 0o600)
    try:
        if owner is not None and hasattr(os, "fchown"):
            with suppress(OSError):
                os.fchown(handle, *owner)
        if mode is not None:
            os.chmod(draft, mode)
        if fcntl is None:  # where there are no locks an open file cannot be renamed either
            os.close(handle)
        yield draft
    finally:
        draft.unlink(missing_ok=True)
        if fcntl is not None:
            os.close(handle)


def _make_draft(folder: Path, mode: int) -> tuple[Path, int]:
    """A new file under a name of ours, locked."""
    while True:
        draft = folder / f"{_name_drafts()}{secrets.token_hex(8)}.tmp"
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        with suppress(OSError):  # of a file system without locks, where no draft is swept either
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX)
        if draft.exists():  # another process may have swept it before it was locked
            return draft, handle
        os.close(handle)


@cache
def sweep_drafts(folder: Path) -> None:
    """Remove drafts of this machine and user that have no lock; once a process for each folder."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if fcntl is not None and re.fullmatch(re.escape(_name_drafts()) + r"[0-9a-f]{16}\.tmp", name):
                _remove_unless_held(folder / name)


def _remove_unless_held(draft: Path) -> None:
    with suppress(OSError):  # it is locked, or gone, or of another user
        handle = os.open(draft, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            about = os.fstat(handle)
            if stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid():
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                draft.unlink()
        finally:
            os.close(handle)


@cache
def _name_drafts() -> str:
    """How the names of drafts of this machine begin: whether one of another machine is held cannot be known here."""
    return f".littlestone-{hashlib.sha256(platform.node().encode()).hexdigest()[:8]}-"


def require_outputs(outputs: Mapping[str, str | None], inputs: Iterable[str] = ()) -> None:
    """Refuse outputs that cannot be written or would overwrite something, before the work whose results they hold."""
    for path in outputs.values():
        require_writable(path)
    require_apart(outputs, inputs)


def require_apart(outputs: Mapping[str, str | None], inputs: Iterable[str]) -> None:
    """Refuse an output that is an input too, by whatever name, or another output.

    Args:
        outputs: Where each option writes, by its name; None: nowhere.
        inputs: What is read: paths, addresses, globs of them, "-" for standard input.
    """
    taken: dict[Hashable, str] = {}
    for source in inputs:
        taken |= dict.fromkeys(_list_identities(source), f"what is read from {source}")
    for option, path in outputs.items():
        for name in [] if path is None else _list_identities(path):
            free = name not in taken
            require(free, f"{option} {path} would overwrite {taken.get(name)}: give {option} another file")
            taken[name] = f"what {option} writes"


def require_writable(path: str | os.PathLike[str] | None) -> None:
    """Refuse a path that no file can be written to, before the work whose result it is to hold; None is no path."""
    if path is None or is_special(path):
        return
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder to write to", os.fspath(path))
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, "the folder cannot be written to", os.fspath(path))


def is_special(path: int | str | os.PathLike[str]) -> bool:
    """Whether there is something other than a regular file or a folder: a pipe or a device."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def find_local(address: str) -> str:
    """The path that an address such as file:///data/rows.svm stands for; anything else as it is.

    >>> find_local("file:///data/rows.svm"), find_local("s3://data/rows.svm"), find_local("rows.svm")
    ('/data/rows.svm', 's3://data/rows.svm', 'rows.svm')
    """
    scheme, mark, path = address.partition("://")
    return os.path.expanduser(path) if mark and scheme.lower() in LOCAL else address


def _list_identities(path: str) -> Iterator[Hashable]:
    """What tells regular files apart whatever they are called: of those that a path, an address or "-" means."""
    path = find_local(path)
    exists = path == "-" or os.path.exists(path)
    for one in [path] if exists or not glob.has_magic(path) else glob.glob(path, recursive=True):
        try:
            about = os.fstat(0) if one == "-" else os.stat(one)
        except OSError:  # it does not exist yet, or standard input is closed
            yield os.path.realpath(one)
            continue
        if stat.S_ISREG(about.st_mode):
            yield about.st_dev, about.st_ino
