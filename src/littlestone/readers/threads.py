"""Threads: iterators that work on their next items while the one before is used.

>>> list(ahead(iter("abc")))
['a', 'b', 'c']
>>> list(in_order(str.upper, iter("abc"), threads=2))
[('a', 'A'), ('b', 'B'), ('c', 'C')]
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, repeat
from threading import Lock
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class End(NamedTuple):
    """What comes after the last item, and the error for which there is no other."""

    error: Exception | None


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


def in_order(
    work: Callable[[T], Any], items: Iterator[T], threads: int, near: bool = False
) -> Generator[tuple[T, Any], None, None]:
    """Each item with what `work` makes of it, in order, a few of them ahead of their use.

    An error comes when its item would, whatever the number of threads. If items are `near`, a thread works on those
    that it took itself, whose bytes its core then holds; others are taken here, where waiting can be interrupted.
    """
    if threads == 1:
        for item in items:
            yield item, work(item)
        return
    turn, done, numbered = Lock(), dict[int, tuple[T | End, Any]](), enumerate(_ended(items))
    waiting: deque[Future[tuple[int, T | End, Any]]] = deque()
    pool = ThreadPoolExecutor(threads)

    def step(taken: tuple[int, T | End] | None) -> tuple[int, T | End, Any]:
        if taken is None:
            with turn:
                taken = next(numbered)
        number, one = taken
        return number, one, None if isinstance(one, End) else work(one)

    try:
        for number in count():
            while len(waiting) <= 2 * threads:
                waiting.append(pool.submit(step, None if near else next(numbered)))
            while number not in done:
                other, one, result = waiting.popleft().result()
                done[other] = one, result
            one, result = done.pop(number)
            if not isinstance(one, End):
                yield one, result
            elif one.error is not None:
                raise one.error
            else:
                return
    finally:
        pool.shutdown(cancel_futures=True)


def _ended(items: Iterator[T]) -> Iterator[T | End]:
    """The items, and then, however often it is asked for, their end."""
    error = None
    try:
        yield from items
    except Exception as problem:
        error = problem
    yield from repeat(End(error))
