"""Vowpal Wabbit text: `[label [importance [base]]] ['tag] |namespace[:scale] name[:value] ... |namespace ...`.

    1 2.0 'email7|words free:2 money |sender:0.5 unknown
    -1 | 13:0.25 24:1

A name is `namespace^name`, as Vowpal Wabbit prints it, and the name alone in the namespace without a name. A value is
1 unless it is given, times the scale of its namespace, in float32. Names are compared as text: `07` is not `7`.
The importance goes into `importance`; a base other than 0, a starting prediction, is refused because nothing here
would heed it. The word before the first bar is a tag, read over, if it begins with a quotation mark or touches the bar:
as in Vowpal Wabbit, `1|a` has the tag 1 and no label. Here that is an error unless rows are said to have no labels
(`labelled=False`: what stands in the place of labels is not looked at). So is a line without a bar, a label that is no
number, a feature without a name, a second colon, a number that is not finite. Empty lines are no rounds; lines may end
with CR LF; bytes that are not UTF-8 are kept in names as they are. Tabs are spaces after the bar. Before it, a tab
after a word is refused, and so is a CR within a line: Vowpal Wabbit drops what stands before the one, after the other.

>>> import numpy as np
>>> text = b"1 2.0 'tag|words free:2 money |sender:0.5 unknown\\n"
>>> chunk = VowpalWabbit().parse(np.frombuffer(text + bytes(64), np.uint8), 0, len(text)).chunk
>>> chunk.labels, chunk.importance, chunk[0]
(array([1]), array([2.]), {'words^free': 2.0, 'words^money': 1.0, 'sender^unknown': 0.5})
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from littlestone.base.chunks import Array, Tokens
from littlestone.base.features import Features, Named
from littlestone.base.features.hashing import hash_name
from littlestone.compiled import U, late_kernel, load_word, rule, store_word
from littlestone.readers.blocks import allocate
from littlestone.readers.decimals import NUMBER, decide, read_float, solve_exactly
from littlestone.readers.format import Lines, Parsed, Problem, count_lines, describe_token, estimate_rows, to_integers

ZERO, ONE, EIGHT = U(0), U(1), U(8)
TAB = 9
NEWLINE = 10
RETURN = 13
SPACE = 32
QUOTE = 39
COLON = 58
HAT = 94
BAR = 124
DOUBTFUL = 1024  # numbers left to exact arithmetic for which there is room at first
LONGEST = 1 << 28  # bytes of all names of a block: a long namespace is repeated for each of its features
HOW = range(14)
DONE, FULL, NO_BAR, LABEL, MISSING, MANY, WEIGHT, BASE, TAG, TABBED, NAME, COLONS, RANGE, CONTROL = HOW
ALLOWED = {
    NO_BAR: "a line has a bar | before its features",
    LABEL: "before the bar stand label, importance and base, which are numbers",
    MISSING: "a line begins with its label, a number, and a space before the bar (labelled=False: rows without labels)",
    MANY: "before the bar stand at most three numbers and a tag",
    WEIGHT: "an importance is a number from 0 on",
    BASE: "a base other than 0 cannot be heeded here",
    TAG: "a tag is the last word before the bar",
    TABBED: "words before the bar are followed by spaces, not tabs: Vowpal Wabbit drops what stands before a tab",
    NAME: "a feature is written name or name:value, a namespace |name or |name:scale, and neither name is empty",
    COLONS: "a value is a decimal number such as -0.5 or 1e-3, and a space or a bar after it",
    RANGE: "a number must be in the range of float32 (of labels and importances: float64)",
    CONTROL: "text has no control characters",
}
ROW = re.compile(rb"(%b\s+){1,3}('\S*\s*|[^\s|]+)?\||('\S*\s*)?\|" % NUMBER)
LABELLED = re.compile(rb"%b[ \t]" % NUMBER)  # what a row with a label begins with
FIRST = re.compile(r"^[ \t\r]*([^ \t\r\n]+)", re.MULTILINE)  # the label of each row


@rule
def skip_blanks(data: Any, at: Any) -> Any:
    """The place after spaces, tabs, and a CR that ends the line."""
    while data[at] in (SPACE, TAB) or (data[at] == RETURN and data[at + ONE] in (RETURN, NEWLINE)):
        at += ONE
    return at


@rule
def is_end(byte: Any) -> Any:
    """Whether a word ends before this byte; control characters end it too, and are refused."""
    return byte <= SPACE or byte == BAR


@rule
def copy_name(source: Any, start: Any, length: Any, text: Any, at: Any) -> Any:
    """Copy bytes, eight at a time: up to seven more are written after them, and mean nothing; the place after them."""
    for k in range(ZERO, length, EIGHT):
        store_word(text, at + k, load_word(source, start + k))
    return at + length


@late_kernel(lambda *rest: 1)
def read_before_bar(data: Any, at: Any, numbers: Any, doubts: int, doubtful: Any, solved: Any) -> Any:
    """Read what stands before the bar: how it went, where it ended, how many numbers, whether tagged, doubts."""
    count = 0
    tagged = False
    while data[at] != BAR:
        if data[at] == NEWLINE:
            return NO_BAR, at, count, doubts
        end = at
        while not is_end(data[end]):
            end += ONE
        if tagged:
            return TAG, at, count, doubts
        if data[end] < SPACE and skip_blanks(data, end) == end and data[end] != NEWLINE:
            return CONTROL, end, count, doubts
        if data[at] == QUOTE or data[end] == BAR:
            tagged = True
        else:
            value, sure, after = read_float(data, at, np.bool_(True))
            if after != end or after == at:
                return LABEL, at, count, doubts
            if count == 3:
                return MANY, at, count, doubts
            value, doubts = decide(value, sure, at, doubts, doubtful, solved)
            if not np.isfinite(value):
                return RANGE, at, count, doubts
            if count == 1 and value < 0:
                return WEIGHT, at, count, doubts
            if count == 2 and value != 0:
                return BASE, at, count, doubts
            numbers[count] = value
            count += 1
        while data[end] == SPACE:
            end += ONE
        if data[end] == TAB:
            return TABBED, at, count, doubts
        at = skip_blanks(data, end)
    return DONE, at, count, doubts


@late_kernel(lambda data, start, end, *rest: end - start)
def parse(data: Any, start: int, end: int, labelled: bool, arrays: Any, doubtful: Any, solved: Any) -> Any:
    """Rows of whole lines: how it ended, where, how many rows and lines there are, bytes of text, doubts."""
    indptr, text, starts, lengths, keys, values, labels, importance = arrays
    at = U(start)
    stop = U(end)
    row = 0
    met = 0
    k = ZERO
    used = ZERO
    doubts = 0
    numbers = np.empty(3)
    indptr[0] = 0
    while at < stop:
        at = skip_blanks(data, at)
        if data[at] != NEWLINE:
            begin = at
            if row == labels.size:
                return FULL, at, row, met, used, doubts
            numbers[0], numbers[1], numbers[2] = 0.0, 1.0, 0.0
            how, at, count, doubts = read_before_bar(data, at, numbers, doubts, doubtful, solved)
            bar = at
            while data[bar] != BAR and data[bar] != NEWLINE:
                bar += ONE
            if data[bar] == NEWLINE:
                return NO_BAR, begin, row, met, used, doubts
            if labelled and how != DONE:
                return how, at, row, met, used, doubts
            at = bar
            if labelled and count == 0:
                return MISSING, begin, row, met, used, doubts
            labels[row], importance[row] = numbers[0], numbers[1]
            while data[at] == BAR:
                space = at + ONE
                at = space
                while not is_end(data[at]) and data[at] != COLON:
                    at += ONE
                width = at - space
                scale = np.float32(1.0)
                if data[at] == COLON:
                    value, sure, after = read_float(data, at + ONE, np.bool_(False))
                    if width == ZERO:
                        return NAME, space, row, met, used, doubts
                    if after == at + ONE or not is_end(data[after]):
                        return COLONS, at + ONE, row, met, used, doubts
                    value, doubts = decide(value, sure, at + ONE, doubts, doubtful, solved)
                    if not np.isfinite(value):
                        return RANGE, at + ONE, row, met, used, doubts
                    scale = np.float32(value)
                    at = after
                while True:
                    at = skip_blanks(data, at)
                    if data[at] == NEWLINE or data[at] == BAR:
                        break
                    first = at
                    worth = scale
                    while not is_end(data[at]) and data[at] != COLON:
                        at += ONE
                    length = at - first
                    if length == ZERO:
                        return NAME if data[at] == COLON else CONTROL, at, row, met, used, doubts
                    if data[at] == COLON:
                        value, sure, after = read_float(data, at + ONE, np.bool_(False))
                        if after == at + ONE or not is_end(data[after]):
                            return COLONS, at + ONE, row, met, used, doubts
                        value, doubts = decide(value, sure, at + ONE, doubts, doubtful, solved)
                        worth = np.float32(value) * scale
                        if not np.isfinite(worth):
                            return RANGE, at + ONE, row, met, used, doubts
                        at = after
                    if used + width + length + U(32) > U(text.size):
                        return FULL, at, row, met, used, doubts
                    starts[k] = np.int64(used)
                    if width > ZERO:
                        used = copy_name(data, space, width, text, used)
                        text[used] = HAT
                        used += ONE
                    used = copy_name(data, first, length, text, used)
                    lengths[k] = np.int32(used - U(starts[k]))
                    keys[k] = hash_name(text, U(starts[k]), used - U(starts[k]))
                    values[k] = worth
                    k += ONE
            row += 1
            indptr[row] = np.int64(k)
        at += ONE
        met += 1
    return DONE, at, row, met, used, doubts


@final
@dataclass(frozen=True)
class VowpalWabbit(Lines):
    """Names are `namespace^name`; a player numbers them with `Named()` unless told otherwise."""

    labelled: bool = True

    name: ClassVar[str] = "vw"
    suffixes: ClassVar[tuple[str, ...]] = (".vw",)

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        rows = [row for line in head.split(b"\n")[:20] if (row := line.strip())]
        return 2 * sum(ROW.match(row) is not None for row in rows) > len(rows)  # a few may be bad, and are named later

    @classmethod
    def has_labels(cls, head: bytes) -> bool:
        rows = [row for line in head.split(b"\n")[:20] if (row := line.strip())]
        return 2 * sum(LABELLED.match(row) is not None for row in rows) > len(rows)

    def features(self) -> Features:
        return Named()

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        size = end - start
        # two bytes at least
        most = size // 2 + 1
        room = estimate_rows(data, start, end)
        longest = 2 * size + 64
        starts = allocate(most, np.int64)
        lengths = allocate(most, np.int32)
        keys = allocate(most, np.uint64)
        values = allocate(most, np.float32)
        doubtful = np.empty(DOUBTFUL, np.int64)
        solved = np.empty(0)
        while True:
            indptr = np.empty(room + 1, np.int64)
            labels = np.empty(room)
            importance = np.empty(room)
            text = allocate(longest, np.uint8)
            arrays = indptr, text, starts, lengths, keys, values, labels, importance
            how, at, rows, met, used, doubts = parse(data, start, end, self.labelled, arrays, doubtful, solved)
            if how == FULL and rows == room:
                room = count_lines(data, start, end)
            elif how == FULL and longest < LONGEST:
                longest *= 4
            elif doubts > len(doubtful):
                doubtful = np.empty(doubts, np.int64)
            elif doubts > len(solved):
                solved = solve_exactly(data, doubtful[:doubts], np.float32)
            else:
                break
        count = int(indptr[rows])
        weights = importance[:rows]
        starts, lengths, keys, values = (part[:count] for part in (starts, lengths, keys, values))
        named = np.full(rows, None)
        if self.labelled:
            named = to_integers(labels[:rows], lambda: FIRST.findall(data[start:end].tobytes().decode("latin-1")))
        given = None if (weights == 1).all() else weights
        chunk = Tokens(indptr[: rows + 1], text[:used], starts, lengths, keys, values, named, given)
        if how == DONE:
            return Parsed(chunk, None, int(met))
        allowed = ALLOWED.get(how, f"the names of a block's features must take less than {LONGEST} bytes")
        return Parsed(chunk, Problem(int(at), f"{allowed}; got {describe_token(data, int(at))}"), int(met))
