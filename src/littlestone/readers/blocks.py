"""Blocks: a file's bytes in pieces of whole records, each followed by bytes that may be read but mean nothing.

A byte order mark at the beginning of a file is skipped, and a last record without the end of its line is given one.
Blocks are parsed in several threads; what comes of them comes in order.

A reader makes several arrays of a megabyte for each block. The operating system clears fresh memory page by page when
it is first touched, which costs as much as a third of parsing; memory that was used before costs nothing. So memory is
used again as soon as no array uses it any more: an array from `allocate` is a view of a larger one in a list. The
interpreter counts references: when every view of an array is gone, its memory is handed out again. A chunk that is kept
keeps its memory.

>>> list(map_in_order(str.upper, iter("abc"), threads=2))
[('a', 'A'), ('b', 'B'), ('c', 'C')]
>>> first = allocate(SMALL, np.uint8)
>>> first.base is not allocate(SMALL, np.uint8).base
True
"""

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, repeat
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadData
from littlestone.readers.format import PADDING, Lines
from littlestone.readers.source import SourceFile

SIZE = 3 << 19  # bytes of a block: it stays in the cache between reading, parsing and learning
HEAD = 1 << 20  # bytes by which a format settles what only a beginning can tell
LIMIT = 1 << 26  # bytes of the longest record
MARK = b"\xef\xbb\xbf"
NEWLINE = ord("\n")
SMALL = 1 << 18  # bytes of an array below which fresh memory is as good
KEPT = 1 << 27  # bytes that are kept at most
FREE = sys.getrefcount(object()) + 2  # references to an array that only the list and the loop know
T = TypeVar("T")

_arrays: list[Array] = []
_lock = Lock()
_counted = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the lock, counts of references are not exact


class Block(NamedTuple):
    """Whole records `data[start:end]` of a file; a file's first block says how many lines come before `start`.

    The last block of a file without the end of its last line is not `ended`: that line may have been cut short.
    """

    data: Array
    start: int
    end: int
    part: SourceFile
    first: bool
    ended: bool


class End(NamedTuple):
    """What comes after the last item, and the error for which there is no other."""

    error: Exception | None


def allocate(size: int, dtype: Any) -> Array:
    """Return an array of this size; its entries may hold anything."""
    kind = np.dtype(dtype)
    needed = size * kind.itemsize
    if needed < SMALL or needed > KEPT // 4 or not _counted:
        return np.empty(size, kind)
    with _lock:
        for array in _arrays:
            if needed <= array.size <= 2 * needed and sys.getrefcount(array) == FREE:
                return array[:needed].view(kind)
        array = np.empty(needed + needed // 8, np.uint8)
        _arrays.append(array)
        while sum(one.size for one in _arrays) > KEPT:
            del _arrays[0]  # its views stay valid
        return array[:needed].view(kind)


def fill(file: Any, room: memoryview) -> int:
    """Read until the room is full or the file ends; how many bytes were read."""
    total = 0
    while total < len(room):
        got = file.readinto(room[total:])
        if not got:
            break
        total += got
    return total


def read_blocks(part: SourceFile, format: Lines, size: int = SIZE, limit: int = LIMIT) -> Generator[Block, None, None]:
    """The file's records, about `size` bytes at a time."""
    with part.open() as file:
        room, held, first, ended = size, 0, True, True
        data = allocate(room + 1 + PADDING, np.uint8)
        while True:
            held += fill(file, memoryview(data.data)[held:room])
            if held == 0:
                return
            if held < room:
                if data[held - 1] != NEWLINE:
                    data[held], ended = NEWLINE, False
                    held += 1
                end = held
            else:
                end = format.cut(data, held)
            if end == 0:
                if room >= limit:
                    raise BadData(f"a record is longer than {limit} bytes", part.name)
                room *= 2
                data = np.concatenate((data[:held], np.empty(room + 1 + PADDING - held, np.uint8)))
                continue
            data[held : held + PADDING] = 0
            start = find_first_record(bytes(data[:end]), part, format) if first else 0
            yield Block(data, start, end, part, first, ended)
            if held < room:
                return
            rest, room, first = data[end:held], max(size, held - end + 1), False
            held = len(rest)
            data = allocate(room + 1 + PADDING, np.uint8)
            data[:held] = rest


def find_first_record(head: bytes, part: SourceFile, format: Lines) -> int:
    """How many bytes at the beginning of a file are no records: a byte order mark, a header."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadData("this is UTF-16 text: convert it to UTF-8", part.name)
    mark = len(MARK) if head.startswith(MARK) else 0
    return mark + format.skip(head[mark:])


def map_in_order(
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
    turn, done, numbered = Lock(), dict[int, tuple[T | End, Any]](), enumerate(_add_end(items))
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


def _add_end(items: Iterator[T]) -> Iterator[T | End]:
    """The items, and then, however often it is asked for, their end."""
    error = None
    try:
        yield from items
    except Exception as problem:
        error = problem
    yield from repeat(End(error))
