"""Files that pyarrow reads: opened in memory pages of their own, read ahead in a thread, and told when damaged."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from littlestone.base.errors import BadData

T = TypeVar("T")


def read_ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, one of them made ahead in another thread; an error comes when its item would."""
    pool = ThreadPoolExecutor(1)
    end = object()
    try:
        waiting = pool.submit(next, items, end)
        while (item := waiting.result()) is not end:
            waiting = pool.submit(next, items, end)
            yield item  # type: ignore[misc]
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def refuse_damage(arrow: Any, name: str) -> Iterator[None]:
    """Say of a file that pyarrow cannot read that it is damaged."""
    try:
        yield
    except (arrow.ArrowException, OSError, EOFError, UnicodeDecodeError, OverflowError) as problem:
        raise BadData(f"the file is damaged or cut short: {str(problem).splitlines()[0]}", name) from None


def open_file(arrow: Any, part: Any, magic: bytes) -> Any:
    """The file in memory pages of its own where it is local and not compressed; otherwise its bytes."""
    if part.path is not None:
        with part.path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b" or file.read(2) == b"\x2f\xfd"
        if not packed:
            return arrow.memory_map(str(part.path))
    with part.open() as file:
        return arrow.BufferReader(file.read())
