"""Files written whole or not at all, and never over what is read."""

import errno
import glob
import os
import secrets
import stat
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from littlestone.base.errors import require


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
    draft = target.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as problem:  # the message names the file as the user does
        raise OSError(problem.errno, problem.strerror, os.fspath(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        if check is not None:
            check(draft)
        os.replace(draft, target)
    except BaseException:  # whatever stopped it, nothing half-written stays behind
        draft.unlink(missing_ok=True)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the new name, too, must survive a power cut
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def require_outputs(outputs: Mapping[str, str | None], inputs: Iterable[str] = ()) -> None:
    """Refuse outputs that cannot be written, before the work whose results they are to hold.

    Args:
        outputs: Where each option writes, by its name; None: nowhere.
        inputs: What is read: paths, globs of them, "-" for standard input. No output may be one of these files, by
            whatever name, and no two outputs may be the same file.
    """
    taken: dict[Hashable, str] = {}
    for source in inputs:
        taken |= dict.fromkeys(_list_identities(source), f"what is read from {source}")
    for option, path in outputs.items():
        require_writable(path)
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


def _list_identities(path: str) -> Iterator[Hashable]:
    """What tells regular files apart whatever they are called: of those that a path, a glob or "-" stands for."""
    exists = path == "-" or os.path.exists(path)
    for one in [path] if exists or not glob.has_magic(path) else glob.glob(path, recursive=True):
        try:
            about = os.fstat(0) if one == "-" else os.stat(one)
        except OSError:  # it does not exist yet, or standard input is closed
            yield os.path.realpath(one)
            continue
        if stat.S_ISREG(about.st_mode):
            yield about.st_dev, about.st_ino
