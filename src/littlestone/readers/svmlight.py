"""svmlight, also called libsvm: `label index:value index:value ... # comment`, one round a line.

    -1 3:0.25 17:1e-3 40321:2   # anything
    +1 qid:7 3:1

The label is a number. An attribute's number is the index as it is written, whether a file counts from 0 or from 1: a
stream cannot be looked through beforehand, and to a learner it makes no difference. Indices may come in any order and
more than once: a row is sorted and duplicates are summed, in the order they are written. `qid:` after the label is
read over. Tokens are separated by spaces or tabs; empty lines and comments are no rounds; lines may end with CR LF.
Values are rounded to the nearest float32 (`real="float64"`: float64); NaN, infinities and values beyond the range are
refused, and so are negative indices and those from 2^31 on. With `labelled=False` a label may be missing, and is not
looked at if it is there.

>>> import numpy as np
>>> chunk = Svmlight().parse(np.frombuffer(b"-1 3:0.25 1:2 # seen\\n" + bytes(64), np.uint8), 0, 21).chunk
>>> chunk.labels, chunk[0]
(array([-1]), Row(indices=array([1, 3], dtype=int32), values=array([2.  , 0.25], dtype=float32)))
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import require
from littlestone.base.features import TOP, Indexed
from littlestone.compiled import U, count_trailing_zeros, late_kernel, load_word, mark_bytes, rule
from littlestone.readers.blocks import allocate
from littlestone.readers.decimals import (
    NUMBER,
    POWERS,
    TENS,
    count_digits,
    decide,
    is_far,
    read_float,
    solve_exactly,
    spell_leading,
)
from littlestone.readers.format import Lines, Parsed, Problem, count_lines, describe_token, estimate_rows, to_integers
from littlestone.readers.row_order import sort_rows

ZERO, ONE, TWO, THREE, SEVEN, EIGHT = U(0), U(1), U(2), U(3), U(7), U(8)
TAB = 9
NEWLINE = 10
RETURN = 13
SPACE = 32
HASH = 35
POINT = 46
NOUGHT = 48
NINE = 57
COLON = 58
Q = 113
DOUBTFUL = 1024  # numbers left to exact arithmetic for which there is room at first
DONE, FULL, LABEL, INDEX, LARGE, COLONS, VALUE, RANGE, SUM, QUERY = range(10)  # how a call ends
ALLOWED = {
    LABEL: "a line begins with its label, a number",
    INDEX: "an attribute is written index:value, and an index is a whole number from 0 on",
    LARGE: "an index is below {top}; with more attributes than that, name them and use Hashed",
    COLONS: "an attribute is written index:value",
    VALUE: "a value is a decimal number such as -0.5 or 1e-3",
    RANGE: "a number must be in the range of {real}",
    SUM: "the values of an attribute that is listed twice must add up to a number in the range of {real}",
    QUERY: "a query is written qid: and a whole number",
}
ROW = re.compile(rb"%b(\s+qid:\d+)?(\s+\d+:%b)*\s*(#.*)?" % (NUMBER, NUMBER))
FIRST = re.compile(r"^[ \t\r]*([^ \t\r\n#]+)", re.MULTILINE)  # the label of each row


@rule
def is_end(byte: Any) -> Any:
    """Whether a token ends before this byte."""
    return byte in (SPACE, NEWLINE, TAB, RETURN, HASH)


@rule
def is_blank(byte: Any) -> Any:
    """Whether this byte separates tokens."""
    return byte in (SPACE, TAB, RETURN)


@rule
def mark_others(data: Any, at: Any) -> Any:
    """Return a word whose bit k says whether byte `at + k` is no digit, for 64 bytes."""
    return ~mark_bytes(data, at, NOUGHT, NINE)


@late_kernel(lambda *rest: 1)
def skip_query(data: Any, at: Any) -> Any:
    """The place after `qid:` and a whole number; `at` if that is not what stands there."""
    after = at + U(4)
    if data[at] != Q or data[at + ONE] != 105 or data[at + TWO] != 100 or data[at + U(3)] != COLON:
        return at
    while count_digits(load_word(data, after)) > ZERO:
        after += count_digits(load_word(data, after))
    return after if after > at + U(4) and is_end(data[after]) else at


@late_kernel(lambda data, start, end, *rest: end - start)
def parse(data: Any, start: int, end: int, labelled: bool, top: int, arrays: Any) -> Any:
    """Rows of whole lines: how it ended, where, how many rows and lines there are, how many numbers were in doubt.

    And whether the attributes of every row ascend; their entries stand as they come.
    Places of numbers in doubt go to `doubtful`, as far as there is room; called again, their values are `solved`.
    """
    indptr, indices, values, labels, doubtful, solved = arrays
    at = U(start)
    stop = U(end)
    row = 0
    met = 0
    k = ZERO
    doubts = 0
    ascending: Any = True
    indptr[0], wide = 0, values.itemsize == 8
    while at < stop:
        while is_blank(data[at]):
            at += ONE
        if data[at] != NEWLINE and data[at] != HASH:
            if row == labels.size:
                return FULL, np.int64(at), row, met, doubts, ascending
            first = k
            last = np.int64(-1)
            queries = True
            value, sure, after = read_float(data, at, np.bool_(True))
            labels[row] = 0
            if labelled or data[after] != COLON:
                if after == at or not is_end(data[after]):
                    return LABEL, np.int64(at), row, met, doubts, ascending
                value, doubts = decide(value, sure, at, doubts, doubtful, solved)
                if not np.isfinite(value):
                    return RANGE, np.int64(at), row, met, doubts, ascending
                labels[row] = value
                at = after + U(data[after] == SPACE)
            base = at
            others = mark_others(data, at)
            while True:
                colon = count_trailing_zeros(others)  # common cases first, at a glance: 12345:0.678 and a space
                beyond = others & (others - ONE)
                point = count_trailing_zeros(beyond)
                rest = beyond & (beyond - ONE)
                if rest == ZERO and base < at:
                    base = at
                    others = mark_others(data, at)
                    continue
                after = count_trailing_zeros(rest)
                word = load_word(data, base + colon)
                size = base + colon - at
                places = after - point - ONE
                byte = data[base + after]
                if (
                    size - ONE < EIGHT
                    and places - ONE < EIGHT
                    and word & U(0xFF00FF) == U(0x2E003A)
                    and point - colon == TWO
                    and byte in (SPACE, NEWLINE)
                ):
                    index = np.int64(spell_leading(load_word(data, at), size))
                    mantissa = ((word >> EIGHT) & U(15)) * TENS[places]
                    mantissa += spell_leading(load_word(data, base + point + ONE), places)
                    value = np.float64(np.int64(mantissa)) / POWERS[places]
                    if index < top and (is_far(value) or wide):
                        indices[k], values[k] = index, value
                        ascending &= index > last
                        others = rest & (rest - ONE)
                        last = index
                        k = k + ONE
                        at = base + after + ONE
                        if byte == SPACE:
                            continue
                        at -= ONE
                        break
                # then 12345:67 and a space
                byte = data[base + point]
                places = point - colon - ONE
                if (
                    size - ONE < EIGHT
                    and places - ONE < SEVEN
                    and word & U(255) == U(COLON)
                    and byte in (SPACE, NEWLINE)
                ):
                    index = np.int64(spell_leading(load_word(data, at), size))
                    value = np.float64(np.int64(spell_leading(word >> EIGHT, places)))
                    if index < top and (is_far(value) or wide):
                        indices[k], values[k] = index, value
                        ascending &= index > last
                        others = rest
                        last = index
                        k = k + ONE
                        at = base + point + ONE
                        if byte == SPACE:
                            continue
                        at -= ONE
                        break
                while is_blank(data[at]):
                    at += ONE
                if data[at] == NEWLINE or data[at] == HASH:
                    break
                word = load_word(data, at)
                count = count_digits(word)
                if count == ZERO:
                    queries = queries and k == first
                    after = skip_query(data, at) if queries else at
                    if after == at:
                        return QUERY if queries and data[at] == Q else INDEX, np.int64(at), row, met, doubts, ascending
                    at = after + U(data[after] == SPACE)
                    queries = False
                    base = at
                    others = mark_others(data, at)
                    continue
                index = np.int64(spell_leading(word, count))
                after = at + count
                if count == EIGHT:
                    while data[after] >= 48 and data[after] <= 57:
                        index = min(10 * index + np.int64(data[after]) - 48, np.int64(1) << 40)
                        after += ONE
                if data[after] != COLON:
                    return COLONS, np.int64(at), row, met, doubts, ascending
                if index >= top:
                    return LARGE, np.int64(at), row, met, doubts, ascending
                at = after + ONE
                value, sure, after = read_float(data, at, wide)
                if after == at or not is_end(data[after]):
                    return VALUE, np.int64(at), row, met, doubts, ascending
                value, doubts = decide(value, sure, at, doubts, doubtful, solved)
                if not np.isfinite(value):
                    return RANGE, np.int64(at), row, met, doubts, ascending
                indices[k], values[k] = index, value
                ascending = ascending and index > last
                last = index
                k += ONE
                at = after + U(data[after] == SPACE)
                base = at
                others = mark_others(data, at)
            row += 1
            indptr[row] = np.int64(k)
        while data[at] != NEWLINE:
            at += ONE
        at += ONE
        met += 1
    return DONE, np.int64(at), row, met, doubts, ascending


@final
@dataclass(frozen=True)
class Svmlight(Lines):
    """`attributes`: refuse indices from there on."""

    labelled: bool = True
    attributes: int | None = None
    real: Literal["float32", "float64"] = "float32"

    name: ClassVar[str] = "svmlight"
    suffixes: ClassVar[tuple[str, ...]] = (".svm", ".svmlight", ".libsvm")

    def __post_init__(self) -> None:
        top = self.attributes
        require(top is None or 0 <= top <= TOP, f"attributes must be in [0, 2^31], got {top}")
        require(self.real in ("float32", "float64"), f"real must be 'float32' or 'float64', got {self.real!r}")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        rows = [line.strip() for line in head.split(b"\n")[:20]]
        rows = [row for row in rows if row and not row.startswith(b"#")]
        good = [row for row in rows if ROW.fullmatch(row)]
        return any(b":" in row for row in good) and 2 * len(good) > len(rows)  # a few may be bad, and are named later

    @classmethod
    def has_labels(cls, head: bytes) -> bool:
        rows = [words for line in head.split(b"\n")[:20] if (words := line.split(b"#")[0].split())]
        return 2 * sum(b":" not in words[0] for words in rows) > len(rows)

    def features(self) -> Indexed:
        return Indexed(self.attributes)

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        entries = (end - start) // 4 + 1
        top = TOP if self.attributes is None else self.attributes
        # four bytes at least make an entry
        indices = allocate(entries, np.int32)
        values = allocate(entries, self.real)
        doubtful = np.empty(DOUBTFUL, np.int64)
        solved = np.empty(0)
        room = estimate_rows(data, start, end)
        while True:
            indptr = np.empty(room + 1, np.int64)
            labels = np.empty(room)
            arrays = indptr, indices, values, labels, doubtful, solved
            how, at, rows, met, doubts, ascending = parse(data, start, end, self.labelled, top, arrays)
            if how == FULL:
                room = count_lines(data, start, end)
            elif doubts > len(doubtful):
                doubtful = np.empty(doubts, np.int64)
            elif doubts > len(solved):
                solved = solve_exactly(data, doubtful[:doubts], np.dtype(self.real).type)
            else:
                break
        if not ascending and (good := sort_rows(indptr[: rows + 1], indices, values)) < rows:
            arrays = indptr, indices, values, labels[:good], doubtful, solved
            how, (_, at, rows, met, *_) = SUM, parse(data, start, end, self.labelled, top, arrays)  # where that row is
            sort_rows(indptr[: rows + 1], indices, values)
        indptr, entries = indptr[: rows + 1], int(indptr[rows])
        width = int(indices[:entries].max(initial=-1)) + 1
        named = np.full(rows, None)
        if self.labelled:
            named = to_integers(labels[:rows], lambda: FIRST.findall(data[start:end].tobytes().decode("latin-1")))
        chunk = Examples(indptr, indices[:entries], values[:entries], named, width)
        allowed = ALLOWED[how].format(top=top, real=self.real) if how != DONE else ""
        return Parsed(chunk, Problem(at, f"{allowed}; got {describe_token(data, at)}") if allowed else None, met)
