"""Remote: a file at an address, opened through fsspec."""

import io
from collections.abc import Callable
from typing import Any

from littlestone.base.errors import BadData


class RemoteFile(io.RawIOBase):
    """A file at an address; whatever goes wrong on the way there is an error in words, with the address."""

    def __init__(self, file: Any) -> None:
        self._name = file.full_name
        self._file = self._attempt(file.open)

    def _attempt(self, call: Callable[..., Any], *given: Any) -> Any:
        try:
            return call(*given)
        except Exception as problem:  # each kind of address has errors of its own
            raise BadData(f"cannot be read: {problem}", self._name) from None

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._attempt(self._file.seek, offset, whence))

    def readinto(self, buffer: Any) -> int:
        return int(self._attempt(self._file.readinto, buffer))

    def close(self) -> None:
        if hasattr(self, "_file"):  # it could be opened
            self._file.close()
        super().close()
