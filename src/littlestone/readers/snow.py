"""snow, the examples of the SNoW architecture: numbers with commas between them and a colon after them, a round a line.

    0, 96, 116, 119(0.25), 2012:
    1, 97, 116:

A number names a target or an attribute that is active; its strength, in parentheses, is 1 unless it is given. The
target of a round is its label: the first number, or, with `targets=k`, that below k, wherever it stands. An attribute's
number is the one that is written. With `labelled=False` all numbers from `targets` on are attributes. Spaces and tabs
may stand between the parts; empty lines are no rounds; lines may end with CR LF. Refused are a line without a colon at
its end, a number that comes twice, numbers from 2^31 on, a target with a strength, strengths that are not finite, a
round with no target or several (SNoW then teaches several targets; here a round has one label), and examples that are
for some targets only, `5, 9; 5, 10:`, since that would be read over.

A. Carlson, C. Cumby, J. Rosen, N. Rizzolo and D. Roth. The SNoW user manual (example files, the sequential model,
tutorial). University of Illinois, 2004.

>>> import numpy as np
>>> chunk = SnowExamples().parse(np.frombuffer(b"0, 96, 12(0.25):\\n" + bytes(64), np.uint8), 0, 17).chunk
>>> chunk.labels, chunk[0]
(array([0]), Row(indices=array([12, 96], dtype=int32), values=array([0.25, 1.  ])))
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from littlestone.base import files
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadInstance, require
from littlestone.base.features import TOP, Indexed
from littlestone.readers.decimals import DECIMAL
from littlestone.readers.format import Lines, Parsed, Problem, describe_token

BLANK = rb"[ \t\r]*"
PART = re.compile(rb"%b(\d+)%b(?:\(([^(),;]*)\)%b)?" % (BLANK, BLANK, BLANK))
PLAIN = re.compile(rb"[ \t]*\d{1,19}[ \t]*(?:,[ \t]*\d{1,19}[ \t]*)*")
LIKELY = re.compile(rb"\d[\d,.()eE+\- \t]*:")
# digits of a number, and of a strength, from which on none is read
LONGEST = 20
LONG = 400


class BadExample(Exception):
    """What is wrong with a line, and at which byte of it."""

    def __init__(self, at: int, text: str) -> None:
        self.at = at
        self.text = text


def split_line(line: bytes) -> tuple[list[int], list[float]]:
    """The numbers of a line and their strengths."""
    end = len(line.rstrip(b" \t\r"))
    if line[end - 1 : end] != b":":
        raise BadExample(0, "an example is numbers with commas between them and a colon after the last")
    body = line[: end - 1]
    if PLAIN.fullmatch(body):
        plain = [int(part) for part in body.split(b",")]
        return plain, [1.0] * len(plain)
    numbers = list[int]()
    strengths = list[float]()
    at = 0
    while True:
        found = PART.match(body, at)
        if found is None:
            told = "an example for some targets only is not read here" if b";" in body else "a number is expected"
            raise BadExample(at, f"{told}: a part is written 17 or 17(0.25)")
        if len(found[1]) >= LONGEST:
            raise BadExample(found.start(1), f"a number is below {TOP}")
        numbers.append(int(found[1]))
        strengths.append(1.0 if found[2] is None else _read_strength(found[2].strip(), found.start(2)))
        at = found.end()
        if at == len(body):
            return numbers, strengths
        if body[at : at + 1] != b",":
            told = "an example for some targets only is not read here" if b";" in body else "commas separate numbers"
            raise BadExample(at, f"{told}: a part is written 17 or 17(0.25)")
        at += 1


def _read_strength(text: bytes, at: int) -> float:
    if len(text) >= LONG or not DECIMAL.fullmatch(text):
        raise BadExample(at, "a strength is a decimal number such as 0.5 or 1e-3")
    if not np.isfinite(float(text)):
        raise BadExample(at, "a strength must be in the range of float64")
    return float(text)


@final
@dataclass(frozen=True)
class SnowExamples(Lines):
    """`targets`: numbers below it are targets; None: the first number of each example is one."""

    labelled: bool = True
    targets: int | None = None

    name: ClassVar[str] = "snow"
    suffixes: ClassVar[tuple[str, ...]] = (".snow",)
    precedes: ClassVar[tuple[str, ...]] = ("csv",)

    def __post_init__(self) -> None:
        require(self.targets is None or 1 <= self.targets < TOP, f"targets must be at least 1, got {self.targets}")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        rows = [row for line in head.split(b"\n")[:20] if (row := line.strip())]
        return 2 * sum(LIKELY.fullmatch(row) is not None for row in rows) > len(
            rows
        )  # a few may be bad, and are named later

    def features(self) -> Indexed:
        return Indexed()

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        at = start
        problem = None
        met = 0
        rows = list[tuple[list[int], list[float]]]()
        labels = list[int]()
        for line in data[start:end].tobytes().removesuffix(b"\n").split(b"\n"):
            if line.strip():
                try:
                    numbers, strengths = split_line(line)
                    labels.append(self._take_label(numbers, strengths))
                    rows.append((numbers, strengths))
                except BadExample as refused:
                    place = at + refused.at
                    problem = Problem(place, f"{refused.text}; got {describe_token(data, place)}")
                    break
            at += len(line) + 1
            met += 1
        return Parsed(self._stack_rows(rows, labels), problem, met)

    def _take_label(self, numbers: list[int], strengths: list[float]) -> int:
        """Take the targets out of the numbers of an example: its label, 0 where rows have none."""
        top = self.targets
        places = [k for k, number in enumerate(numbers) if top is not None and number < top]
        if top is None and self.labelled:
            places = [0]
        if self.labelled and len(places) != 1:
            raise BadExample(0, f"an example has one target, a number below {top}: this one has {len(places)}")
        if any(strengths[k] != 1 for k in places):
            raise BadExample(0, "a target has no strength")
        label = numbers[places[0]] if places else 0
        for k in reversed(places):
            del numbers[k], strengths[k]
        if len(set(numbers)) < len(numbers):
            raise BadExample(0, "a number stands once in an example")
        if max(numbers, default=0) >= TOP or label >= TOP:
            raise BadExample(0, f"a number is below {TOP}")
        return label

    def _stack_rows(self, rows: list[tuple[list[int], list[float]]], labels: list[int]) -> Examples:
        indptr = np.cumsum([0, *(len(numbers) for numbers, _ in rows)])
        places = np.repeat(np.arange(len(rows)), np.diff(indptr))
        indices = np.zeros(indptr[-1], np.int64)
        values = np.zeros(indptr[-1])
        for k, (numbers, strengths) in enumerate(rows):
            indices[indptr[k] : indptr[k + 1]], values[indptr[k] : indptr[k + 1]] = numbers, strengths
        order = np.lexsort((indices, places))
        named = np.array(labels, np.int64) if self.labelled else np.full(len(rows), None)
        width = int(indices.max(initial=-1)) + 1
        return Examples(indptr, indices[order].astype(np.int32), values[order], named, width)


def write_snow(stream: Stream, path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Write a stream's rounds as examples of SNoW; its labels, in the order of the numbers that they have there.

    Targets have the numbers from 0 on, in the order that the stream declares or else in which they come; attributes
    have theirs after those of all targets. `read(path, targets=k)` reads the file, k being the number of labels.
    """
    features = stream.features() or Indexed()
    known = dict[Any, int]()
    for label in stream.classes() or (one for chunk in stream.chunks() for one in chunk.labels.tolist()):
        known.setdefault(label, len(known))
    files.replace(path, _write_lines(stream, features, known))
    return tuple(known)


def _write_lines(stream: Stream, features: Any, known: dict[Any, int]) -> Iterator[bytes]:
    for chunk in stream.chunks():
        while len(chunk):
            rows = features.read_chunk(chunk)
            if not isinstance(rows, Examples):
                raise BadInstance("what is written as examples of SNoW are rows of attributes")
            for t, label in enumerate(rows.labels.tolist()):
                require(label in known, f"the stream declared the labels {tuple(known)}, got {label!r}", BadInstance)
                row = rows[t].to_sparse()
                listed = [] if row.indices is None else (row.indices + len(known)).tolist()
                values = [1.0] * len(listed) if row.values is None else row.values.tolist()
                pairs = [(i, v) for i, v in zip(listed, values, strict=True) if v]
                parts = [str(known[label]), *(f"{i}" if v == 1 else f"{i}({v!r})" for i, v in pairs)]
                yield f"{', '.join(parts)}:\n".encode()
            chunk = chunk[len(rows) :]
