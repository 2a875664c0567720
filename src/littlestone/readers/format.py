"""Format: the contract of a data format. A frozen record of options that turns the bytes of files into chunks.

A format of lines parses blocks of whole records, in any order and in several threads: what it must know beforehand
(a header, the types of columns, the delimiter) it settles once, from the first megabyte. Where a record is refused, the
rounds before it are kept; `reading` decides whether to stop there or to skip it, and names file, line and column.

Below the contract stand the formats that there are, and how one is found for a file and made with its options.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from pathlib import PurePath
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array, Examples, Tokens
from littlestone.base.errors import BadData, require
from littlestone.base.features import Features
from littlestone.base.features.schema import IGNORE, KEEP, Schema

NEWLINE = 10
RETURN = 13
SAMPLE = 1 << 14  # bytes by which the number of rows of a block is guessed
LONG = 2.0**53  # from here on float64 does not tell all whole numbers apart
WHOLE = re.compile(r"[+-]?[0-9]+")
WORDS = ("ngrams", "lower", "counts", "tf_idf")  # options of words, which formats with columns leave to features
FORMATS = {  # and their modules, in the order in which they are asked; one that precedes another comes before it
    "Svmlight": "svmlight",
    "VowpalWabbit": "vw",
    "Text": "text",
    "SnowExamples": "snow",
    "Csv": "csv",
    "Jsonl": "jsonl",
    "Parquet": "parquet",
    "Arrow": "parquet",
}
PADDING = 64  # bytes after a block that may be read, though they mean nothing


class Problem(NamedTuple):
    """A record that was refused: the byte at which it went wrong, what was found there and what is allowed."""

    at: int
    text: str


class Parsed(NamedTuple):
    """Rounds of a block, all of them or those before the first refused record."""

    chunk: Examples | Tokens
    problem: Problem | None = None
    lines: int | None = None  # how many lines they take, if the format has counted
    words: int = 0  # cells in columns of numbers that hold none and count as missing


class Format(ABC):
    """Subclasses are frozen dataclasses, final, one format each."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()  # of file names, without .gz or .zst
    precedes: ClassVar[tuple[str, ...]] = ()  # formats that may recognise the same bytes, but with less reason

    @classmethod
    @abstractmethod
    def recognises(cls, head: bytes) -> bool:
        """Whether a file that begins so may be of this format."""

    @abstractmethod
    def features(self) -> Features:
        """What a player should read its chunks with, unless told otherwise."""

    @classmethod
    def has_labels(cls, head: bytes) -> bool:
        """Whether the rows of a file that begins so have labels, where that can be told without its columns."""
        return True

    def schema(self) -> Schema:
        """What the columns are, once it is settled."""
        return Schema(self.name)


class Lines(Format):
    """A format of records that end with lines, parsed block by block."""

    def settle(self, head: bytes) -> Self:
        """The same format with everything that only the first megabyte can tell."""
        return self

    def is_settled_by(self, head: bytes) -> bool:
        """Whether the first lines of a stream that pauses after them tell enough; if not, more are waited for."""
        return True

    def skip(self, head: bytes) -> int:
        """How many bytes at the beginning of a file are no records, such as a header."""
        return 0

    def cut(self, data: Array, size: int) -> int:
        """The place after the last whole record among the first `size` bytes; 0 if there is none."""
        window = 1 << 12
        while True:
            first = max(0, size - window)
            place = data[first:size].tobytes().rfind(b"\n") + 1
            if place or first == 0:
                return first + place if place else 0
            window *= 4

    def after(self, data: Array, at: int, end: int) -> int:
        """The place after the record in which `at` lies: where parsing goes on when it is skipped."""
        size = 1 << 12
        while at < end:
            place = data[at : min(at + size, end)].tobytes().find(b"\n")
            if place >= 0:
                return at + place + 1
            at = at + size
            size = 4 * size
        return end

    @abstractmethod
    def parse(self, data: Array, start: int, end: int) -> Parsed:
        """The rounds in whole records `data[start:end]`; PADDING more bytes may be read."""


class Whole(Format):
    """A format that reads files in its own way, such as one with an index at its end."""

    def settle(self, part: Any) -> Self:
        """The same format with everything that only the first file can tell."""
        return self

    @abstractmethod
    def chunks(self, part: Any) -> Iterator[Examples | Tokens]:
        """The rounds of one file: a `source.Part`, with `name`, `path` (None if not local) and `open()`."""


def count_lines(data: Array, start: int, end: int) -> int:
    """How many lines end among these bytes."""
    return data[start:end].tobytes().count(NEWLINE)


def estimate_rows(data: Array, start: int, end: int) -> int:
    """More rows than the block is likely to hold, one a line, by its first lines."""
    sample = min(end - start, SAMPLE)
    return 64 + 2 * count_lines(data, start, start + sample) * (end - start) // max(sample, 1)


def describe_token(data: Array, at: int) -> str:
    """What stands at `at`, short enough for a message."""
    near = data[at : at + 64].tobytes()
    (text,) = re.findall(rb"^\S*", near)
    if not text:
        return "the end of the line" if re.match(rb"\r*\n", near) else "a CR" if near[0] == RETURN else "a space"
    shown = text[:40].decode("utf-8", "backslashreplace")
    return repr(shown) if len(text) <= 40 else f"{shown!r}..."


def to_integers(labels: Array, find_texts: Callable[[], list[str]] = list) -> Array:
    """Numbers as integers if all of them are; those from 2^53 on, which float64 rounds, by the texts they come from."""
    if np.abs(labels).max(initial=0) >= LONG and len(texts := find_texts()) >= len(labels):
        return _read_long(labels.tolist(), texts)
    with np.errstate(invalid="ignore"):
        integers = labels.astype(np.int64)
    return integers if (integers == labels).all() else labels


def _read_long(labels: list[float], texts: list[str]) -> Array:
    """Whole numbers of any length as they were written; other numbers stay floats."""
    exact = list[Any]()
    for label, text in zip(labels, texts, strict=False):
        whole = int(text) if WHOLE.fullmatch(text) else label
        exact.append(whole if float(whole) == label else label)
    if all(label == int(label) and abs(label) < 2**63 for label in exact):
        return np.array([int(label) for label in exact])
    named = np.empty(len(exact), object)
    named[:] = exact
    return named


def list_formats() -> Iterator[type[Format]]:
    """List every format, each imported when its turn comes: one who reads svmlight does not wait for CSV."""
    for name, module in FORMATS.items():
        yield getattr(import_module(f"littlestone.readers.{module}"), name)


def find_format(name: str) -> type[Format]:
    """The format of a name."""
    known = {kind.name: kind for kind in list_formats()}
    near = [f": did you mean {one}?" for one in get_close_matches(str(name), known, 1)]
    require(name in known, f"format must be one of {', '.join(known)}, got {name!r}{''.join(near)}")
    return known[name]


def guess_format(name: str, head: bytes, like: Schema | None = None) -> type[Format]:
    """The format by the name's ending, or else by the first bytes; texts for a model of texts may be any lines."""
    endings = [ending for ending in PurePath(name.lower()).suffixes if ending not in (".gz", ".zst")]
    for kind in list_formats():
        if endings and endings[-1] in kind.suffixes:
            return kind
    likely = list[type[Format]]()
    for kind in list_formats():  # those that others precede come after them
        if not any(kind.name in other.precedes for other in likely) and kind.recognises(head):
            likely.append(kind)
    if like is not None and like.format == "text" and {kind.name for kind in likely} <= {"csv"}:
        return find_format("text")
    known = ", ".join(kind.name for kind in list_formats())
    if not likely and head.lstrip()[:1] in (b"[", b"{"):
        words = "this looks like one JSON document over several lines: JSON lines have an object in each"
        raise BadData(f"{words}, which `jq -c '.[]'` makes of a list", name)
    if not likely:
        raise BadData(f"the first bytes are of no format known here: say format= one of {known}", name)
    if len(likely) > 1:
        either = " or ".join(kind.name for kind in likely)
        raise BadData(f"this may be {either}: say format=", name)
    return likely[0]


def make_format(kind: type[Format], options: dict[str, Any]) -> Format:
    """The format with its options; one that it does not have is named."""
    known = [part.name for part in fields(kind) if part.init]  # type: ignore[arg-type]
    for name in options:
        require(name in known, f"{kind.name} has no option {name!r}: its options are {', '.join(known)}")
    return kind(**options)


def take_words(kind: type[Format], options: dict[str, Any]) -> dict[str, Any]:
    """Take out the options of words that features heed, where the format itself does not."""
    takes = {part.name for part in fields(kind)}  # type: ignore[arg-type]
    split = WORDS if "like" in takes else WORDS[3:] if "counts" in takes else WORDS[2:]
    return {name: options.pop(name) for name in split if name in options}


def join_types(kind: type[Format], options: dict[str, Any]) -> dict[str, Any]:
    """The types of columns, with those that are to be ignored or kept; `*` stands for all that are not named."""
    takes = {part.name for part in fields(kind)}  # type: ignore[arg-type]
    if "types" not in takes or not {"ignore", "keep"} & set(options):
        return {}
    ignored, kept = (options.pop(name, ()) for name in ("ignore", "keep"))
    for name, listed in (("ignore", ignored), ("keep", kept)):
        require(not isinstance(listed, str), f"{name} is a list of columns, got {listed!r}")
    types = dict.fromkeys(kept, KEEP) | dict.fromkeys(ignored, IGNORE) | dict(options.get("types") or {})
    return {"types": types | ({"*": IGNORE} if kept else {})}
