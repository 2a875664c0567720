"""Tokenizer: words, runs of words and runs of characters, found and hashed in one pass over bytes.

A word is a run of ASCII letters, digits, underscores and bytes from 128 on: so letters of any script in UTF-8 belong to
words, and so do Latin-1's, and nothing is ever undecodable. Everything else separates words. `lower` makes A to Z
lower case, in ASCII only. A row's words, with one space between two of them, are its normal form: the names of words
and of runs of words (`ngrams`) are spans of it, and so are runs of `characters`, code points of UTF-8, which may
contain spaces.

>>> [*Tokenizer(ngrams=2).tokens(["Free money, NOW!"])[0]]
['free', 'money', 'free money', 'now', 'money now']
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Tokens
from littlestone.base.errors import BadInstance, require
from littlestone.base.features.hashing import (
    add_to_hash,
    finish_hash,
    has_same_bytes,
    hash_name,
    keep_bytes,
    start_hash,
)
from littlestone.compiled import U, count_trailing_zeros, late_kernel, load_word, rule, store_word

ZERO, ONE, TWO, THREE, FOUR, EIGHT = U(0), U(1), U(2), U(3), U(4), U(8)
TAB = 9
NEWLINE = 10
RETURN = 13
SPACE = 32
PADDING = 64  # bytes after a text that may be read or written, though they mean nothing
MOST, LAST = 16, U(15)  # words or characters in a run at most: a power of two, and the mask of numbers below it
DONE, NO_TAB, NO_LABEL = range(3)  # how a pass over lines ends


def _repeat_byte(byte: int) -> Any:
    return U(byte * 0x0101010101010101)


HIGHS, SEVENS, CASE, UNDERSCORE = _repeat_byte(0x80), _repeat_byte(0x7F), _repeat_byte(0x20), _repeat_byte(ord("_"))
FROM_A, PAST_Z = _repeat_byte(0x80 - ord("a")), _repeat_byte(0x7F - ord("z"))
FROM_CAPITAL, PAST_CAPITAL = _repeat_byte(0x80 - ord("A")), _repeat_byte(0x7F - ord("Z"))
FROM_0, PAST_9 = _repeat_byte(0x80 - ord("0")), _repeat_byte(0x7F - ord("9"))
GAP = np.array([not (chr(byte).isalnum() or byte in (ord("_"), NEWLINE)) for byte in range(128)] + [False] * 128)


@rule
def make_lower(word: Any) -> Any:
    """Eight bytes with A to Z in lower case."""
    ascii = word & SEVENS  # adding cannot carry into the next byte
    capital = (ascii + FROM_CAPITAL) & ~(ascii + PAST_CAPITAL) & ~word & HIGHS
    return word | (capital >> TWO)


@rule
def mark_separators(word: Any) -> Any:
    """The high bit of each of eight bytes that belongs to no word."""
    ascii = word & SEVENS
    folded = ascii | CASE
    letter = (folded + FROM_A) & ~(folded + PAST_Z)
    digit = (ascii + FROM_0) & ~(ascii + PAST_9)
    underscore = ~((ascii ^ UNDERSCORE) + SEVENS)
    return ~(letter | digit | underscore | word) & HIGHS


class WordSpans(NamedTuple):
    """Where the names of entries stand in the rows' normal form, and their keys."""

    text: Array
    starts: Array
    lengths: Array
    keys: Array


class Runs(NamedTuple):
    """What is asked for: lower case, runs of words up to a length (0: none), runs of characters (0, 0: none)."""

    lower: bool
    ngrams: int
    low: int
    high: int


@rule
def add_characters(first: Any, stop: Any, runs: Any, out: Any, k: Any) -> Any:
    """Runs of code points of a row's normal form: the place after their entries."""
    text, starts, lengths, keys = out
    at = first
    while at < stop:
        after = at
        size = 0
        while after < stop and size < runs.high:
            after += ONE
            while after < stop and text[after] & 0xC0 == 0x80:
                after += ONE
            size += 1
            if size >= runs.low:
                starts[k], lengths[k], keys[k] = at, after - at, hash_name(text, at, after - at)
                k += ONE
        at += ONE
        while at < stop and text[at] & 0xC0 == 0x80:
            at += ONE
    return k


@rule
def add_words(data: Any, at: Any, runs: Any, used: Any, out: Any, k: Any, recent: Array) -> Any:
    """The words from `at` to the end of the line, and what runs are asked for: the places after line, text, entries."""
    text, starts, lengths, keys = out
    first = used
    count = ZERO
    while True:
        while GAP[data[at]]:
            at += ONE
        if data[at] == NEWLINE:
            break
        start = used
        hashed = start_hash()
        word = make_lower(load_word(data, at)) if runs.lower else load_word(data, at)
        other = mark_separators(word)
        while other == ZERO:
            hashed = add_to_hash(hashed, word)
            store_word(text, used, word)
            at += EIGHT
            used += EIGHT
            word = make_lower(load_word(data, at)) if runs.lower else load_word(data, at)
            other = mark_separators(word)
        size = count_trailing_zeros(other) >> THREE
        if size > ZERO:
            hashed = add_to_hash(hashed, keep_bytes(word, size))
            store_word(text, used, word)
            at += size
            used += size
        if runs.ngrams > 0:
            starts[k], lengths[k], keys[k] = start, used - start, finish_hash(hashed, used - start)
            k += ONE
            if runs.ngrams > 1:
                recent[count & LAST] = start
                for size in range(ONE, min(U(runs.ngrams), count + ONE)):
                    begun = recent[(count - size) & LAST]
                    starts[k], lengths[k], keys[k] = begun, used - begun, hash_name(text, begun, used - begun)
                    k += ONE
        count += ONE
        text[used] = SPACE
        used += ONE
    if runs.high > 0 and used > first:
        k = add_characters(first, used - ONE, runs, out, k)
    return at, used, k


@rule
def number_label(data: Any, start: Any, length: Any, firsts: Array, classes: Any, table: Array) -> Any:
    """The number of a label among those of this pass, a new one if it was not met in it."""
    mask = U(table.size - 1)
    slot = hash_name(data, start, length) & mask
    while table[slot] >= 0:
        c = table[slot]
        if U(firsts[c, 1]) == length and has_same_bytes(data, firsts[c, 0], data, start, length):
            return np.int64(c)
        slot = (slot + ONE) & mask
    table[slot], firsts[classes, 0], firsts[classes, 1] = classes, start, length
    return np.int64(classes)


@late_kernel(lambda data, span, *rest: span[1] - span[0])
def tokenise(data: Any, span: Any, options: Any, arrays: Any) -> Any:
    """Rows of lines, each of which ends: how it ended, where, and how many rows, bytes of text and classes there are.

    Of label c, `firsts[c]` says where in the data it first stood and how long it is; `codes` are the rows' labels.
    """
    (start, stop), (labelled, lower, ngrams, low, high) = span, options
    runs = Runs(lower, ngrams, low, high)
    text, starts, lengths, keys, indptr, codes, firsts, table = arrays
    out = WordSpans(text, starts, lengths, keys)
    at = U(start)
    used = ZERO
    k = ZERO
    row = 0
    classes = 0
    recent = np.zeros(MOST, np.uint64)
    indptr[0] = 0
    while at < U(stop):
        begun = at
        blank = True
        if labelled:
            while data[at] != TAB and data[at] != NEWLINE:
                blank = blank and (data[at] == SPACE or data[at] == RETURN)
                at += ONE
            if data[at] == NEWLINE and blank:
                at += ONE
                continue
            if data[at] == NEWLINE or at == begun:
                return NO_TAB if data[at] == NEWLINE else NO_LABEL, np.int64(begun), row, np.int64(used), classes
            codes[row] = number_label(data, begun, at - begun, firsts, classes, table)
            classes = max(classes, codes[row] + 1)
            at += ONE
        at, used, k = add_words(data, at, runs, used, out, k, recent)
        at += ONE
        row += 1
        indptr[row] = k
    return DONE, np.int64(at), row, np.int64(used), classes


class Pass(NamedTuple):
    """What a pass over lines found: how it ended, at which byte, and the rounds before that."""

    how: int
    at: int
    chunk: Tokens


@final
@dataclass(frozen=True)
class Tokenizer:
    """Runs of up to `ngrams` words, or runs of `characters` (from, to); the module docstring says what a word is."""

    ngrams: int = 1
    characters: tuple[int, int] | None = None
    lower: bool = True

    def __post_init__(self) -> None:
        require(1 <= self.ngrams <= MOST, f"ngrams must be 1 to {MOST}, got {self.ngrams}")
        if self.characters is not None:
            told = f"characters must be None or (from, to) with 1 <= from <= to <= {MOST}, got {self.characters}"
            pair = tuple(self.characters)
            require(len(pair) == 2 and 1 <= pair[0] <= pair[1] <= MOST, told)
            object.__setattr__(self, "characters", pair)
            require(self.ngrams == 1, f"runs of characters or runs of words, not both: got ngrams={self.ngrams}")

    def pass_over(self, data: Array, start: int, stop: int, labelled: bool) -> Pass:
        """The lines `data[start:stop]`, the last of which ends; PADDING more bytes are there to be read."""
        low, high = self.characters or (0, 0)
        ngrams = 0 if high else self.ngrams
        size = stop - start
        rows = int(np.count_nonzero(data[start:stop] == NEWLINE))
        entries = (high - low + 1) * size if high else ngrams * (size // 2 + 1)
        text = np.empty(size + PADDING, np.uint8)
        indptr = np.empty(rows + 1, np.int64)
        starts = np.empty(entries, np.int64)
        lengths = np.empty(entries, np.int32)
        keys = np.empty(entries, np.uint64)
        codes = np.empty(rows, np.int32)
        firsts = np.empty((rows, 2), np.int64)
        table = np.full(1 << (2 * rows + 2).bit_length(), -1, np.int32) if labelled else np.full(2, -1, np.int32)
        arrays = (text, starts, lengths, keys, indptr, codes, firsts, table)
        how, at, rows, used, classes = tokenise(data, (start, stop), (labelled, self.lower, ngrams, low, high), arrays)
        names = np.full(max(classes, 1), None)
        for c, (begun, length) in enumerate(firsts[:classes].tolist()):
            names[c] = bytes(data[begun : begun + length]).decode("utf-8", "surrogateescape")
        labels = names[codes[:rows]] if labelled else np.full(rows, None)
        total = int(indptr[rows])
        spans = (starts[:total], lengths[:total], keys[:total])
        return Pass(how, at, Tokens(indptr[: rows + 1], text[: used + PADDING], *spans, None, labels))

    def tokens(self, texts: Iterable[str | bytes]) -> Tokens:
        """One row for each text."""
        listed = [_make_line(text) for text in texts]
        return self.read_lines(np.frombuffer(b"\n".join([*listed, bytes(PADDING)]), np.uint8))

    def read_lines(self, data: Array) -> Tokens:
        """One row for each line, the last of which ends; PADDING bytes follow it."""
        return self.pass_over(data, 0, len(data) - PADDING, False).chunk


def _make_line(text: Any) -> bytes:
    """A text as one line of bytes."""
    require(isinstance(text, str | bytes), f"a text is a string, got a {type(text).__name__}", BadInstance)
    try:
        line: bytes = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError:
        raise BadInstance(f"a text must be what UTF-8 can write, got {text!r:.60}") from None
    return line.replace(b"\n", b" ")
