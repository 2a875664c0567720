"""Rounds as lines of text that any program can read: what `littlestone rounds` writes, and the stream of such a file.

After a first line that says what follows, a line is a round: its label as JSON, a TAB, and the entries of its row in
the order in which a run has them, each `attribute:value`; or `=` and the JSON of an instance that is no row. Values are
dyadic numbers, exactly: a whole number, or `mpe` for m times 2^e. verifier/README.md has an example.

>>> from littlestone.base.chunks import Examples
>>> import numpy as np
>>> list(list_lines(Examples.of(np.array([[0.5, 0, 3]]), ["yes"])))
['"yes"\\t0:1p-1 2:3']
"""

import json
import math
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from littlestone.base.chunks import Chunk, Examples, Instances
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, require
from littlestone.base.features import Indexed
from littlestone.base.features.contract import TOP
from littlestone.base.learner import Size
from littlestone.certificates.digest import write_instance

FIRST = "littlestone rounds 2"
ROUNDS = 4096  # in a chunk
LONGEST = 4000  # characters of a number


def write_dyadic(value: float) -> str:
    """A float as an exact number in ASCII.

    >>> [write_dyadic(value) for value in (3.0, -0.75, 2.0**70, 0.0)]
    ['3', '-3p-2', '1p70', '0']
    """
    if value != value:
        return "nan"
    top, bottom = value.as_integer_ratio()
    if bottom == 1 and abs(top) < 2**53:
        return str(top)
    zeros = (top & -top).bit_length() - 1
    return f"{top >> zeros}p{zeros - bottom.bit_length() + 1}"


def read_dyadic(text: str) -> float:
    """The float that `write_dyadic` wrote; anything else is refused."""
    if text == "nan":
        return math.nan
    mantissa, p, exponent = text.partition("p")
    whole = all(part.removeprefix("-").isdigit() and part.isascii() for part in (mantissa, exponent or "0"))
    require(whole and len(text) < 32 and bool(exponent) == bool(p), f"{text[:40]!r} is no dyadic number", BadData)
    try:
        value = math.ldexp(int(mantissa), int(exponent or 0))
    except OverflowError:
        value = math.inf
    require(write_dyadic(value) == text if value < math.inf else False, f"{text!r} is no float", BadData)
    return value


def list_lines(chunk: Chunk) -> Iterator[str]:
    """The lines of some rounds as a learner sees them, labels being those of the data."""
    labels = [_write_label(label) for label in np.asarray(chunk.labels).tolist()]
    if not isinstance(chunk, Examples):
        yield from (f"{label}\t={write_instance(x)}" for label, x in zip(labels, chunk, strict=True))
        return
    require(chunk.importance is None, "rounds of unequal importance cannot be written down so far", BadData)
    rows = chunk.to_sparse()
    assert rows.indices is not None
    ends = rows.indptr.tolist()
    indices = rows.indices.tolist()
    values = [1.0] * len(indices) if rows.values is None else rows.values.astype(np.float64).tolist()
    for t, label in enumerate(labels):
        entries = zip(indices[ends[t] : ends[t + 1]], values[ends[t] : ends[t + 1]], strict=True)
        yield label + "\t" + " ".join(f"{attribute}:{write_dyadic(value)}" for attribute, value in entries)


def write_rounds(stream: Stream, features: Any = None) -> Iterator[str]:
    """The lines of a stream, the first one included; `features` read its instances, None: as it offers them."""
    read = stream.features() if features is None else features
    yield FIRST
    for chunk in stream.chunks():
        left = chunk
        while len(left):
            if read is None and not isinstance(left, Examples):
                seen: Any = left
            else:
                seen = (Indexed() if read is None else read).read_chunk(left)
            yield from list_lines(seen.with_labels(left.labels[: len(seen)]))
            left = left[len(seen) :]


def _write_label(label: Any) -> str:
    """A label as JSON; one that JSON does not have is refused."""
    plain = isinstance(label, bool | int | str) or (isinstance(label, float) and math.isfinite(label))
    require(plain, f"a label is a text, a number or a truth value, got {label!r}", BadData)
    return json.dumps(label)


class RoundsFile(Stream):
    """The rounds of a file that `littlestone rounds` wrote, to be read as often as needed.

    Args:
        path: The file.
        width: Of dense rows: how many attributes each has, None for rows as they are listed.
    """

    def __init__(self, path: str | PathLike[str], width: int | None = None) -> None:
        self.path = Path(path)
        self.width = width

    def size(self) -> Size:
        return Size(self.width or 0)

    def chunks(self) -> Iterator[Chunk]:
        try:
            yield from self._read_chunks()
        except UnicodeDecodeError:
            raise BadData(f"{self.path} is not UTF-8") from None

    def _read_chunks(self) -> Iterator[Chunk]:
        with self.path.open(encoding="utf-8", newline="\n") as file:
            require(file.readline() == FIRST + "\n", f"the first line must be {FIRST!r}", BadData)
            lines = list[tuple[Any, str]]()
            for number, line in enumerate(file, start=2):
                label, tab, rest = line.rstrip("\n").partition("\t")
                require(bool(tab), f"line {number} of {self.path} has no TAB", BadData)
                lines.append((_read_label(label), rest))
                if len(lines) == ROUNDS:
                    yield self._make_chunk(lines)
                    lines = []
            if lines:
                yield self._make_chunk(lines)

    def _make_chunk(self, lines: list[tuple[Any, str]]) -> Chunk:
        """The rounds of some lines."""
        labels = np.empty(len(lines), object)
        labels[:] = [label for label, _ in lines]
        if all(type(label) is float for label, _ in lines):
            labels = labels.astype(np.float64)
        points = [rest.startswith("=") for _, rest in lines]
        require(all(points) or not any(points), "a file has rows or points, not both", BadData)
        if points[0]:
            return Instances([_to_tuples(_read_json(rest[1:])) for _, rest in lines], labels)
        ends = [0]
        indices = list[int]()
        values = list[float]()
        for _, rest in lines:
            for entry in rest.split(" ") if rest else ():
                attribute, _, value = entry.partition(":")
                whole = attribute.isascii() and attribute.isdigit() and len(attribute) < 32 and int(attribute) < TOP
                require(whole, f"an entry is attribute:value, got {entry[:40]!r}", BadData)
                indices.append(int(attribute))
                values.append(read_dyadic(value))
            ends.append(len(indices))
        if self.width is None:
            entries = np.array(indices, np.int32), np.array(values)
            return Examples(np.array(ends), *entries, labels, int(entries[0].max(initial=-1)) + 1)
        dense = np.zeros((len(lines), self.width))
        require(max(indices, default=-1) < self.width, f"a row has more than {self.width} attributes", BadData)
        dense[np.repeat(np.arange(len(lines)), np.diff(ends)), indices] = values
        return Examples(np.arange(len(lines) + 1) * self.width, None, dense.ravel(), labels, self.width)


def _read_label(text: str) -> Any:
    """A label in JSON, refused if it is none."""
    label = _read_json(text)
    plain = type(label) in (str, int, bool) or (type(label) is float and math.isfinite(label))
    require(plain, f"a label is a text, a number or a truth value, got {text[:40]!r}", BadData)
    return label


def _read_json(text: str) -> Any:
    """A value in JSON, refused if it is none, or has a number whose length makes it slow to read."""
    try:
        return json.loads(text, parse_float=_read_float)
    except (ValueError, RecursionError):
        raise BadData(f"{text[:40]!r} is no JSON") from None


def _read_float(text: str) -> float:
    require(len(text) <= LONGEST, f"a number has {len(text):,} characters", BadData)
    return float(text)


def _to_tuples(value: Any) -> Any:
    """Lists as tuples, as points of a concept class are."""
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value
