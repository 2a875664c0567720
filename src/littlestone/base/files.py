"""Files written whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def replace(target: Path, parts: Iterable[Any]) -> None:
    """Put the parts in the place of a file: under another name first, on the disk before it has the right one."""
    draft = target.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as problem:  # the message names the file as the user does
        raise OSError(problem.errno, problem.strerror, os.fspath(target)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
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


def require_writable(path: str | os.PathLike[str] | None) -> None:
    """Refuse a path that no file can be written to, before the work whose result it is to hold; None is no path."""
    if path is None:
        return
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder to write to", os.fspath(path))
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, "the folder cannot be written to", os.fspath(path))
