"""Files written whole or not at all."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def replace(target: Path, parts: Iterable[Any]) -> None:
    """Put the parts in the place of a file: under another name first, on the disk before it has the right one."""
    draft = target.parent / f".{secrets.token_hex(8)}.tmp"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
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
