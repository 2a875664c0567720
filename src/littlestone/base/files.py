"""Files written whole or not at all, and never over what is read."""

import errno
import glob
import hashlib
import os
import platform
import re
import secrets
import stat
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

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
    if is_special(path):
        with open(path, "wb") as file:
            file.writelines(parts)
        return
    target = Path(os.path.realpath(path))
    with hold_draft(target.parent, os.fspath(path)) as draft:
        with draft.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
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


@contextmanager
def hold_draft(folder: Path, wanted_by: str) -> Iterator[Path]:
    """An empty file for what is to be renamed when it is whole; if it is not, whatever stopped it, it is removed.

    It is locked as long as it is held, so that a draft without a lock is one of a process that was killed: those are
    removed here first. An error names the file that the draft is `wanted_by`.
    """
    sweep_drafts(folder)
    try:
        draft, handle = _make_draft(folder)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, wanted_by) from None
    try:
        if fcntl is None:  # where there are no locks an open file cannot be renamed either
            os.close(handle)
        yield draft
    finally:
        draft.unlink(missing_ok=True)
        if fcntl is not None:
            os.close(handle)


def _make_draft(folder: Path) -> tuple[Path, int]:
    """A new file under a name of ours, locked."""
    while True:
        draft = folder / f"{_name_drafts()}{secrets.token_hex(8)}.tmp"
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
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
