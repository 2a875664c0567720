"""Format: the contract of a data format. A frozen record of options that turns the bytes of files into chunks.

A format of lines parses blocks of whole records, in any order and in several threads: what it must know beforehand
(a header, the types of columns, the delimiter) it settles once, from the first block. Where a record is refused, the
rounds before it are kept; `reading` decides whether to stop there or to skip it, and names file, line and column.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple, Self

from littlestone.examples import Array, Examples, Tokens
from littlestone.features import Features

PADDING = 64  # bytes after a block that may be read, though they mean nothing


class Problem(NamedTuple):
    """A record that was refused: the byte at which it went wrong, what was found there and what is allowed."""

    at: int
    text: str


class Parsed(NamedTuple):
    """Rounds of a block, all of them or those before the first refused record."""

    chunk: Examples | Tokens
    problem: Problem | None = None


class Format(ABC):
    """Subclasses are frozen dataclasses, final, one format each."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()  # of file names, without .gz or .zst

    @classmethod
    @abstractmethod
    def recognises(cls, head: bytes) -> bool:
        """Whether a file that begins so may be of this format."""

    @abstractmethod
    def features(self) -> Features:
        """What a player should read its chunks with, unless told otherwise."""


class Lines(Format):
    """A format of records that end with lines, parsed block by block."""

    def settled(self, head: bytes) -> Self:
        """The same format with everything that only the first block can tell."""
        return self

    def skip(self, head: bytes) -> int:
        """How many bytes at the beginning of a file are no records, such as a header."""
        return 0

    def cut(self, data: Array, size: int) -> int:
        """The place after the last whole record among the first `size` bytes; 0 if there is none."""
        place = size
        while place and data[place - 1] != ord("\n"):
            place -= 1
        return place

    @abstractmethod
    def parse(self, data: Array, start: int, end: int) -> Parsed:
        """The rounds in whole records `data[start:end]`; PADDING more bytes may be read."""
