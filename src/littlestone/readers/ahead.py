"""Ahead: an iterator that works on its next item while somebody uses the one before.

>>> list(ahead(iter("abc")))
['a', 'b', 'c']
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterator[T]) -> Iterator[T]:
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
