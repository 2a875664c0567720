"""Blocks: a file's bytes in pieces of whole records, each followed by bytes that may be read but mean nothing.

A byte order mark at the beginning of a file is skipped, and a last record without the end of its line is given one.
"""

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadData
from littlestone.compiled.reused_memory import allocate
from littlestone.readers.format import PADDING, Lines
from littlestone.readers.source import SourceFile

SIZE = 3 << 19  # bytes of a block: it stays in the cache between reading, parsing and learning
HEAD = 1 << 20  # bytes by which a format settles what only a beginning can tell
LIMIT = 1 << 26  # bytes of the longest record
MARK = b"\xef\xbb\xbf"
NEWLINE = ord("\n")


class Block(NamedTuple):
    """Whole records `data[start:end]` of a file; a file's first block says how many lines come before `start`."""

    data: Array
    start: int
    end: int
    part: SourceFile
    first: bool


def filled(file: Any, room: memoryview) -> int:
    """Read until the room is full or the file ends; how many bytes were read."""
    total = 0
    while total < len(room):
        got = file.readinto(room[total:])
        if not got:
            break
        total += got
    return total


def blocks(part: SourceFile, format: Lines, size: int = SIZE, limit: int = LIMIT) -> Generator[Block, None, None]:
    """The file's records, about `size` bytes at a time."""
    with part.open() as file:
        room, held, first = size, 0, True
        data = allocate(room + 1 + PADDING, np.uint8)
        while True:
            held += filled(file, memoryview(data.data)[held:room])
            if held == 0:
                return
            if held < room:
                if data[held - 1] != NEWLINE:
                    data[held] = NEWLINE
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
            start = skipped(bytes(data[:end]), part, format) if first else 0
            yield Block(data, start, end, part, first)
            if held < room:
                return
            rest, room, first = data[end:held], max(size, held - end + 1), False
            held = len(rest)
            data = allocate(room + 1 + PADDING, np.uint8)
            data[:held] = rest


def skipped(head: bytes, part: SourceFile, format: Lines) -> int:
    """How many bytes at the beginning of a file are no records: a byte order mark, a header."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadData("this is UTF-16 text: convert it to UTF-8", part.name)
    mark = len(MARK) if head.startswith(MARK) else 0
    return mark + format.skip(head[mark:])
