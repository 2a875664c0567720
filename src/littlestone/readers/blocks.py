"""Blocks: a file's bytes in pieces of whole records, each followed by bytes that may be read but mean nothing.

A byte order mark at the beginning of a file is skipped, and a last record without the end of its line is given one.
Blocks are parsed in several threads; what comes of them comes in order. A stream that is written while it is read gives
a block as soon as it pauses, and after a tenth of a second at the latest: a writer may wait for each answer before the
next line. A fast one has filled a block by then.

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
import time
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
from littlestone.readers.kept_stream import comes_within
from littlestone.readers.source import SourceFile

SIZE = 3 << 19  # bytes of a block: it stays in the cache between reading, parsing and learning
HEAD = 1 << 20  # bytes by which a format settles what only a beginning can tell
LIMIT = 1 << 26  # bytes of the longest record
LATEST = 0.1  # seconds for which whole records of a live stream are held back at most
PAUSE = 0.005  # seconds without a byte after which it pauses
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


def has_paused(part: SourceFile, file: Any, since: float, patience: float = PAUSE) -> bool:
    """Whether what came of a live stream since a time is used now: no more comes soon, or it has waited enough."""
    if not part.live:
        return False
    left = since + LATEST - time.monotonic()
    return left <= 0 or not comes_within(file, min(left, patience))


def read_head(files: list[SourceFile], lines: int = 1) -> bytes:
    """The first bytes of the first file that has any, cut after a line if there is one.

    Of a text they have the first two lines at least, however long these are: a header and a row. Of a live stream they
    are what comes in the first tenth of a second, and `lines` lines at least.
    """
    for part in files:
        with part.open() as file:
            head = b""
            size = HEAD
            since = 0.0
            while len(head) < size and (more := file.read(size - len(head))):
                head = head + more
                since = since or time.monotonic()
                if len(head) == size and size < LIMIT and head.count(b"\n") < 2 and b"\0" not in head:
                    size *= 2
                if head.count(b"\n") >= lines and has_paused(part, file, since, LATEST):
                    break
        if len(head) >= LIMIT and b"\n" not in head and b"\0" not in head:
            raise BadData(f"a record is longer than {LIMIT} bytes", part.name)
        if head:
            head = head.removeprefix(MARK)
            return head[: head.rfind(b"\n") + 1] or head
    raise BadData("the file is empty", files[0].name)


def fill(part: SourceFile, file: Any, room: memoryview) -> tuple[int, bool]:
    """Read until the room is full, the file ends or a live stream pauses.

    Returns:
        How many bytes were read.
        Whether the file has ended.
    """
    total = 0
    since = 0.0
    while total < len(room):
        got = file.readinto(room[total:])
        if not got:
            return total, True
        total = total + got
        since = since or time.monotonic()
        if total < len(room) and has_paused(part, file, since):
            break
    return total, False


def read_blocks(
    part: SourceFile, format: Lines, size: int = SIZE, limit: int = LIMIT
) -> Generator[Block | None, None, None]:
    """The file's records, about `size` bytes at a time; None where a live stream pauses."""
    with part.open() as file:
        room = size
        held = 0
        first = True
        ended = True
        data = allocate(room + 1 + PADDING, np.uint8)
        while True:
            got, over = fill(part, file, memoryview(data.data)[held:room])
            held += got
            if held == 0:
                return
            if over:
                if data[held - 1] != NEWLINE:
                    data[held], ended = NEWLINE, False
                    held += 1
                end = held
            else:
                end = format.cut(data, held)
            if end == 0 and held < room:
                yield None
                continue
            if end == 0:
                if room >= limit:
                    raise BadData(f"a record is longer than {limit} bytes", part.name)
                room *= 2
                data = np.concatenate((data[:held], np.empty(room + 1 + PADDING - held, np.uint8)))
                continue
            data[held : held + PADDING] = 0
            start = find_first_record(bytes(data[:end]), part, format) if first else 0
            whole = over or held == room
            yield Block(data if whole else data[: held + PADDING].copy(), start, end, part, first, ended)
            if over:
                return
            if not comes_within(file, PAUSE if whole else 0):
                yield None
            rest = data[end:held]
            room = max(size, held - end + 1)
            first = False
            held = len(rest)
            data = allocate(room + 1 + PADDING, np.uint8)
            data[:held] = rest


def find_first_record(head: bytes, part: SourceFile, format: Lines) -> int:
    """How many bytes at the beginning of a file are no records: a byte order mark, a header."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadData("this is UTF-16 text: convert it to UTF-8", part.name)
    mark = len(MARK) if head.startswith(MARK) else 0
    try:
        return mark + format.skip(head[mark:])
    except BadData as problem:
        raise BadData(problem.problem, part.name, problem.line, problem.column) from None


def map_in_order(
    work: Callable[[T], Any], items: Iterator[T | None], threads: int, near: bool = False
) -> Generator[tuple[T, Any], None, None]:
    """Each item with what `work` makes of it, in order, a few of them ahead of their use.

    An error comes when its item would, whatever the number of threads. If items are `near`, a thread works on those
    that it took itself, whose bytes its core then holds; others are taken here, where waiting can be interrupted.
    None among these says that the next one may come late: no more are taken before all that were have been given.
    """
    if threads == 1:
        for item in items:
            if item is not None:
                yield item, work(item)
        return
    turn, done, numbered = Lock(), dict[int, tuple[T | End | None, Any]](), enumerate(_add_end(items))
    waiting: deque[Future[tuple[int, T | End | None, Any]]] = deque()
    pool = ThreadPoolExecutor(threads)
    paused = False

    def step(taken: tuple[int, T | End | None] | None) -> tuple[int, T | End | None, Any]:
        if taken is None:
            with turn:
                taken = next(numbered)
        number, one = taken
        return number, one, None if isinstance(one, End) or one is None else work(one)

    try:
        for number in count():
            while len(waiting) <= 2 * threads and not paused:
                taken = None if near else next(numbered)
                paused = taken is not None and taken[1] is None
                waiting.append(pool.submit(step, taken))
            while number not in done:
                other, one, result = waiting.popleft().result()
                done[other] = one, result
            one, result = done.pop(number)
            if one is None:
                paused = False
            elif not isinstance(one, End):
                yield one, result
            elif one.error is not None:
                raise one.error
            else:
                return
    finally:
        pool.shutdown(cancel_futures=True)


def _add_end(items: Iterator[T | None]) -> Iterator[T | End | None]:
    """The items, and then, however often it is asked for, their end."""
    error = None
    try:
        yield from items
    except Exception as problem:
        error = problem
    yield from repeat(End(error))
