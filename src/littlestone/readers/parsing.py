"""Parsing: what becomes of a block of records, and a first block that is looked at before it is played."""

from contextlib import closing
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Chunk
from littlestone.readers.blocks import Block, read_blocks
from littlestone.readers.format import Lines, Problem, count_lines
from littlestone.readers.source import SourceFile

STEP = 1 << 11  # half the bytes tried first after a record that was skipped


class Result(NamedTuple):
    """What became of a block: its rounds and its refused records (the first, or all skipped) in order; its lines."""

    pieces: list[Chunk | Problem]
    lines: int
    words: int = 0  # cells in columns of numbers that hold none and count as missing

    @property
    def chunks(self) -> list[Chunk]:
        """The rounds."""
        return [piece for piece in self.pieces if not isinstance(piece, Problem)]

    @property
    def problems(self) -> list[Problem]:
        """The refused records."""
        return [piece for piece in self.pieces if isinstance(piece, Problem)]


def parse_block(format: Lines, block: Block, skip: bool) -> Result:
    """Parse a block, going on after refused records if they are to be skipped."""
    data = block.data
    start = block.start
    last = block.end
    pieces = list[Chunk | Problem]()
    counted = None
    window = last
    words = 0
    while start < last:
        end = min(start + window, last)
        if end < last:  # after a refused record go on in small steps, since the next one may be near
            end = start + format.cut(data[start:], end - start)
        if end > start:
            chunk, problem, counted, missing = format.parse(data, start, end)
            words += missing
            if len(chunk):
                pieces.append(chunk)
            if problem is not None:
                pieces.append(problem)
                if not skip:
                    break
                end = format.after(data, problem.at, last)
                window = STEP
        start = end
        window = 2 * window
    if counted is None or block.start or any(isinstance(piece, Problem) for piece in pieces):
        counted = count_lines(data, 0, last)
    return Result(pieces, int(counted), words)


class FirstBlock:
    """The first block of a file: if it was looked at, it is not parsed a second time when it is played."""

    def __init__(self) -> None:
        self._kept: tuple[Block, Result] | None = None

    def look(self, part: SourceFile, format: Lines, skip: bool) -> Chunk | None:
        """The first chunk of a file, which is kept; None if its first block has none."""
        with closing(read_blocks(part, format)) as blocks:
            block = next((block for block in blocks if block is not None), None)
        if block is None:
            return None
        self._kept = block, parse_block(format, block, skip)
        return next(iter(self._kept[1].chunks), None)

    def parse(self, format: Lines, block: Block, skip: bool) -> Result:
        """Parse a block, or give what is kept of it, once; a file that has changed meanwhile is parsed anew."""
        if block.first and self._kept is not None:
            (kept, result), self._kept = self._kept, None
            same = kept.part is block.part and (kept.start, kept.end) == (block.start, block.end)
            if same and np.array_equal(kept.data[: kept.end], block.data[: block.end]):
                return result
        return parse_block(format, block, skip)
