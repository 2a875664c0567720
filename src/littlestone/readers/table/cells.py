"""Cells: where the cells of a table in text begin and end, found eight bytes at a time.

A cell ends at a delimiter or at the end of its line. Spaces around it do not belong to it. One that begins with a
double quote ends with the next one; delimiters and line ends between them belong to it, and two quotes in a row are
one quote of its text. Inside a cell that does not begin with a quote, a quote is a character like any other. Lines
end with LF, CR LF or CR CR LF. Every loop here relies on the last byte of a block being LF.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.features.hashing import add_to_hash, has_same_bytes, keep_bytes, start_hash
from littlestone.compiled import U, count_trailing_zeros, kernel, load_word, long_rule, multiply_words, rule
from littlestone.readers.format import PADDING

ZERO, ONE, EIGHT = U(0), U(1), U(8)
LF = 10
CR = 13
SPACE = 32
QUOTE = 34
SCATTER, SPREAD = U(0x9E3779B97F4A7C15), U(0xD6E8FEB86659FD93)
SHORT = U(16)  # bytes of a cell that two words hold
ALL = U(2**64 - 1)
LFS, ONES, HIGHS = U(0x0A0A0A0A0A0A0A0A), U(0x0101010101010101), U(0x8080808080808080)
# kinds of cells: the last holds quotes that are written twice
PLAIN = 0
QUOTED = 1
DOUBLED = 2
# a quote without its partner; text between a closing quote and the delimiter
UNCLOSED = -1
TRAILED = -2
LONG = 63  # bytes from which on sizes are not told apart


class KnownWords(NamedTuple):
    """Texts one after another as bytes, for compiled loops that compare cells with them."""

    text: Array
    ends: Array  # of the texts
    sizes: Any  # bit k says whether one of them has k bytes, those of LONG and more together

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Put texts one after another."""
        coded = [one.encode("utf-8", "surrogateescape") for one in texts]
        sizes = sum({1 << min(len(one), LONG) for one in coded})
        return cls(pad(b"".join(coded)), np.cumsum([len(one) for one in coded], dtype=np.int64), U(sizes))


def pad(data: bytes) -> Array:
    """Return the bytes with others after them that may be read."""
    return np.frombuffer(bytearray(data) + bytes(PADDING), np.uint8)  # writable, as blocks are


@long_rule
def find_end(data: Array, p: Any, delimiter: Any) -> Any:
    """The place of the next delimiter or line end."""
    marks = ONES * U(delimiter)
    while True:
        word = load_word(data, p)
        one = word ^ marks
        other = word ^ LFS
        hit = ((one - ONES) & ~one & HIGHS) | ((other - ONES) & ~other & HIGHS)
        if hit != ZERO:
            return p + (count_trailing_zeros(hit) >> U(3))
        p += EIGHT


@long_rule
def read_cell(data: Array, p: Any, end: Any, delimiter: Any) -> Any:
    """The cell that starts at p: its first byte, the one after its last, its delimiter or line end, its kind."""
    while data[p] == SPACE:
        p += ONE
    first = p
    if data[p] != QUOTE:
        p = find_end(data, p, delimiter)
        last = p
        while data[p] == LF and last > first and data[last - ONE] == CR:
            last -= ONE
        while last > first and data[last - ONE] == SPACE:
            last -= ONE
        return first, last, p, PLAIN
    p = p + ONE
    kind = QUOTED
    while True:
        while p < end and data[p] != QUOTE:
            p += ONE
        if p >= end:
            return first, p, p, UNCLOSED
        if data[p + ONE] != QUOTE:
            break
        p = p + ONE + ONE
        kind = DOUBLED
    last = p
    p += ONE
    while data[p] == SPACE:
        p += ONE
    while data[p] == CR and data[p + ONE] in (CR, LF):
        p += ONE
    if data[p] != U(delimiter) and data[p] != LF:
        return p, p, p, TRAILED
    return first + ONE, last, p, kind


@long_rule
def drop_return(data: Array, first: Any, end: Any) -> Any:
    """Where a cell without quotes ends if `end` is its delimiter or line end: a line may end with CR LF."""
    return U(end) - U((data[U(end)] == LF) & (data[U(end) - U(U(end) > first)] == CR))


@long_rule
def is_plain(data: Array, first: Any, last: Any) -> Any:
    """Whether a cell is empty, or begins with neither quote nor space and ends with no space."""
    return last == first or (data[first] > QUOTE and data[last - ONE] > SPACE)


@long_rule
def has_zero(data: Array, first: Any, last: Any) -> Any:
    """Whether one of some bytes is 0."""
    found = False
    for p in range(first, last):
        found |= data[p] == 0
    return found


@long_rule
def is_empty_line(data: Array, p: Any) -> Any:
    """Whether a line ends where it starts."""
    while data[p] == CR:
        p += ONE
    return data[p] == LF


@long_rule
def load_both_ends(data: Array, at: Any, length: Any) -> Any:
    """The first and the last eight bytes of a cell, or all of them twice; of a short one that is everything."""
    most = min(length, EIGHT)
    return keep_bytes(load_word(data, at), most), keep_bytes(load_word(data, at + length - most), most)


@rule
def hash_ends(head: Any, tail: Any, length: Any, seed: Any) -> Any:
    """A hash of a short cell for looking it up among those met before in the block; every byte counts in bits 32 to 63.

    A product carries bits upwards only, so one is folded and the other turned around before the next.
    """
    one = multiply_words(head ^ length, SCATTER)
    other = multiply_words(tail + U(seed), SPREAD)
    return multiply_words(one ^ (one >> U(32)) ^ (other >> U(29) | other << U(35)), SCATTER)


@long_rule
def hash_cell(data: Array, at: Any, length: Any, seed: Any) -> Any:
    """A hash of any cell: that of its ends if it is short."""
    if length <= SHORT:
        head, tail = load_both_ends(data, at, length) if length > ZERO else (ZERO, ZERO)
        return hash_ends(head, tail, length, seed)
    hashed = start_hash() ^ U(seed)
    k = ZERO
    while k + EIGHT <= length:
        hashed = add_to_hash(hashed, load_word(data, at + k))
        k += EIGHT
    if k < length:
        hashed = add_to_hash(hashed, keep_bytes(load_word(data, at + k), length - k))
    return multiply_words(hashed ^ length, SCATTER)


@long_rule
def is_among(data: Array, first: Any, last: Any, words: Any) -> Any:
    """Return whether a cell is one of some `KnownWords`."""
    if words.sizes >> min(last - first, U(LONG)) & ONE == ZERO:
        return False
    start = ZERO
    for k in range(words.ends.size):
        stop = U(words.ends[k])
        if stop - start == last - first and has_same_bytes(data, first, words.text, start, stop - start):
            return True
        start = stop
    return False


@kernel
def find_last_end(data: Array, size: int, delimiter: int) -> Any:
    """The place after the last line end that is outside quotes, by reading every cell; 0 if there is none."""
    p = ZERO
    end = U(size)
    found = ZERO
    fresh = True
    while p < end:
        byte = data[p]
        if fresh and byte == QUOTE:
            p += ONE
            while p < end and (data[p] != QUOTE or (p + ONE < end and data[p + ONE] == QUOTE)):
                p += ONE if data[p] != QUOTE else ONE + ONE
            fresh = False
        elif byte == LF:
            found = p + ONE
            fresh = True
        else:
            fresh = byte == U(delimiter) or (fresh and byte == SPACE)
        p += ONE
    return np.int64(found)


@kernel
def find_record_end(data: Array, at: int, end: int, delimiter: int) -> Any:
    """The place after the record of which a cell, or what follows one, starts at `at`."""
    p = U(at)
    stop = U(end)
    while True:
        _, _, q, kind = read_cell(data, p, stop, delimiter)
        if kind < PLAIN:  # where quotes make no sense, the line ends the record
            p = q if kind == TRAILED else p
            while p < stop and data[p] != LF:
                p += ONE
            return np.int64(min(p + ONE, stop))
        p = q + ONE
        if data[q] == LF:
            return np.int64(p)


@kernel
def number_cells(data: Array, cells: Array, table: Array, codes: Array, samples: Array) -> Any:
    """Number the different texts among cells (first byte, the one after the last, kind): a code each, a sample each.

    The table has -1 everywhere, and a power of two of slots, more than there are cells.
    """
    met = 0
    slots = U(table.size)
    for t in range(codes.size):
        first = U(cells[t, 0])
        length = U(cells[t, 1] - cells[t, 0])
        kind = cells[t, 2]
        slot = hash_cell(data, first, length, kind) >> U(32) & slots - ONE
        while True:
            code = table[slot]
            if code < 0:
                code = met
                samples[met], table[slot] = t, met
                met += 1
                break
            one = samples[code]
            begun = U(cells[one, 0])
            long = U(cells[one, 1] - cells[one, 0])
            if cells[one, 2] == kind and long == length and has_same_bytes(data, begun, data, first, length):
                break
            slot = slot + ONE & slots - ONE
        codes[t] = code
    return met


def decode_cell(data: Array | bytes, first: int, last: int, kind: int) -> str:
    """What a cell says; bytes that are not UTF-8 stand there as Python's surrogate escapes."""
    said = bytes(data[first:last]).decode("utf-8", "surrogateescape")
    return said.replace('""', '"') if kind == DOUBLED else said


def decode_cells(data: Array, cells: Array) -> Array:
    """What many cells say, few of them differing."""
    codes = np.empty(len(cells), np.int32)
    samples = np.empty(len(cells), np.int32)
    table = np.full(1 << (2 * len(cells)).bit_length(), -1, np.int32)
    met = number_cells(data, cells, table, codes, samples)
    names = np.empty(met, object)
    names[:] = [decode_cell(data, *cells[sample].tolist()) for sample in samples[:met]]
    return names[codes]
