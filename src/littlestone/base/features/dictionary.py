"""Dictionary: names to numbers in the order in which they were first met, exact, and known to compiled code.

Open addressing by a name's 64-bit key, in linear order; names of equal key and length are told apart byte by byte,
which those of at most eight bytes need not be: their keys differ.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.features.hashing import add_to_hash, finish_hash, has_same_bytes, keep_bytes, start_hash
from littlestone.base.features.names import decode_name
from littlestone.compiled import (
    U,
    count_trailing_zeros,
    is_dense,
    kernel,
    late_kernel,
    load_word,
    long_rule,
    prefetch,
    read_attribute,
    read_value,
    rule,
)

NAMES, BYTES, BEYOND = range(3)  # what `counts` holds: names, the bytes they take, and entries beyond the limit
KEY, START, LENGTH, SEEN = range(4)  # what is kept of a name; `SEEN`: where it stood in the rows read last
# why a row was not done
DONE = 0
NOT_FINITE = -1
NO_ROOM = -2
UNCLEAR = -3
ZERO, ONE, THREE, EIGHT = U(0), U(1), U(3), U(8)
NO_BYTES, SEVENS = U(2**64 - 1), U(0x7F7F7F7F7F7F7F7F)


class Dictionary(NamedTuple):
    """Name k has row k of `names`; the length of one that has no bytes, and is in no slot, is NO_BYTES."""

    slots: Array  # int32, by key: numbers, or -1
    names: Array  # uint64
    text: Array  # uint8, the bytes of all names
    counts: Array  # int64


def make_dictionary(names: int = 1024, text: int = 16384) -> Dictionary:
    """No names yet, and room for a number of names of a number of bytes, both powers of two."""
    slots = np.full(2 * names, -1, np.int32)
    table = np.zeros((names, 4), np.uint64)
    return Dictionary(slots, table, np.zeros(text, np.uint8), np.zeros(3, np.int64))


def make_room(old: Dictionary, names: int, text: int) -> Dictionary:
    """The same names with room for at least this number of names and bytes."""
    names, text = (1 << (max(need, 2) - 1).bit_length() for need in (names, text))
    new = make_dictionary(max(names, len(old.names)), max(text, len(old.text)))
    new.names[: len(old.names)], new.text[: len(old.text)], new.counts[:] = old.names, old.text, old.counts
    fill_slots(*new)
    return new


@kernel
def fill_slots(slots: Array, names: Array, text: Array, counts: Array) -> Any:
    """Put names into empty slots."""
    mask = U(slots.size - 1)
    for k in range(counts[NAMES]):
        if names[k, LENGTH] != NO_BYTES:
            at = names[k, KEY] & mask
            while slots[at] >= 0:
                at = (at + ONE) & mask
            slots[at] = k


@rule
def mark_zeros(word: Any) -> Any:
    """The high bit of every byte that is zero."""
    return ~((((word & SEVENS) + SEVENS) | word) | SEVENS)


@long_rule
def number_name(known: Any, source: Array, span: Any, own: Any, limit: Any) -> Any:
    """The number of the name in a span (start, length), the next one if it is new; -1 if there are `limit` already."""
    slots, names, text, counts = known
    (begin, size), mask = span, U(slots.size - 1)
    start = U(begin)
    length = U(size)
    at = own & mask
    while slots[at] >= 0:
        k = U(slots[at])
        alike = names[k, KEY] == own and names[k, LENGTH] == length
        if alike and (length <= EIGHT or has_same_bytes(text, names[k, START], source, start, length)):
            return np.int64(slots[at])
        at = (at + ONE) & mask
    count = counts[NAMES]
    used = U(counts[BYTES])
    if count >= limit:
        return np.int64(-1)
    slots[at] = count
    names[count, KEY], names[count, START], names[count, LENGTH] = own, used, length
    for j in range(length):
        text[used + j] = source[start + j]
    counts[NAMES] = count + 1
    counts[BYTES] += np.int64(length)
    return count


class Spans(NamedTuple):
    """Rows of names as chunks have them: entry k has name k, or `which[k]`."""

    source: Array  # the bytes of the names
    indptr: Array
    starts: Array
    lengths: Array
    keys: Array
    which: Any
    found: Array  # where names are listed once, the number of each if it is known, otherwise -1
    values: Any


class NumberedRows(NamedTuple):
    """Rows of attributes by number."""

    indptr: Array
    indices: Array
    values: Array  # may be those of the spans


@long_rule
def fill_rows(known: Any, spans: Any, limit: Any, other: Any, out: Any) -> Any:
    """Turn rows of names into rows of numbers: how many were done, and why no more.

    A name beyond the limit becomes attribute `other`, or is left out where that is -1.
    """
    _, names, text, counts = known
    source, indptr, starts, lengths, keys, which, found, values = spans
    out_indptr, out_indices, out_values = out
    end = 0
    zero = out_values.dtype.type(0)
    for t in range(indptr.size - 1):
        a = U(indptr[t])
        b = U(indptr[t + 1])
        size = 0
        for k in range(a, b):
            size += lengths[read_attribute(which, k, ZERO)]
            if not np.isfinite(read_value(values, k)):
                return t, NOT_FINITE
        need = min(counts[NAMES] + np.int64(b - a), limit)
        if need >= len(names) or (counts[NAMES] < limit and counts[BYTES] + size > text.size):
            return t, NO_ROOM
        first = end
        for k in range(a, b):
            e = read_attribute(which, k, ZERO)
            i = np.int64(-1) if is_dense(which) else np.int64(found[e])
            if i < 0:
                i = number_name(known, source, (starts[e], lengths[e]), keys[e], limit)
                if not is_dense(which):
                    found[e] = i
            if i < 0:
                counts[BEYOND] += 1
                i = other
                if i < 0:
                    continue
            seen = np.int64(names[i, SEEN])
            if first <= seen < end and out_indices[seen] == i:
                out_values[seen] += read_value(values, k)
            else:
                out_indices[end], out_values[end] = i, zero + read_value(values, k)
                names[i, SEEN] = end
                end += 1
        out_indptr[t + 1] = end
    return indptr.size - 1, DONE


@late_kernel(lambda known, spans, *rest: spans.indptr[-1] - spans.indptr[0])
def number_rows(known: Dictionary, spans: Spans, limit: int, other: int, out: NumberedRows) -> Any:
    """Do what `fill_rows` does."""
    return fill_rows(known, spans, limit, other, out)


@kernel
def number_names(
    slots: Array,
    names: Array,
    text: Array,
    counts: Array,
    source: Array,
    values: Array,
    limit: int,
    other: int,
    out_indices: Array,
) -> Any:
    """One row of names joined by zero bytes: its length, or why it was not done. Values are summed in place.

    It is called every round, so it takes one argument for each array.

    Eight zero bytes follow the last name; it is unclear where names end if that is not where this number of them does.
    """
    length = values.size
    starts = np.empty(length, np.int64)
    lengths = np.empty(length, np.int32)
    keys = np.empty(length, np.uint64)
    at = U(0)
    last = U(source.size) - EIGHT
    mask = U(slots.size - 1)
    for k in range(length):
        start = at
        hashed = start_hash()
        word = load_word(source, at)
        ends = mark_zeros(word)
        while ends == 0:
            hashed = add_to_hash(hashed, word)
            at += EIGHT
            word = load_word(source, at)
            ends = mark_zeros(word)
        size = count_trailing_zeros(ends) >> THREE
        if size > 0:
            hashed = add_to_hash(hashed, keep_bytes(word, size))
        at += size
        own = finish_hash(hashed, at - start)
        prefetch(slots, np.int64(own & mask))
        starts[k], lengths[k], keys[k] = start, at - start, own
        if k < length - 1:
            at += ONE
        if at > last:
            return UNCLEAR
    if at != last:
        return UNCLEAR
    for k in range(length):
        prefetch(names, 4 * (np.int64(slots[keys[k] & mask]) & ((1 << 31) - 1)))
    indptr = np.array([0, length])
    out_indptr = np.zeros(2, np.int64)
    spans = Spans(source, indptr, starts, lengths, keys, None, np.empty(0, np.int32), values)
    out = NumberedRows(out_indptr, out_indices, values)
    done, why = fill_rows(Dictionary(slots, names, text, counts), spans, limit, other, out)
    return out_indptr[1] if done else why


def list_names(known: Dictionary, first: int = 0) -> list[Any]:
    """The names from number `first` on; None for one that has no bytes."""
    spans = known.names[first : known.counts[NAMES], START : LENGTH + 1].tolist()
    return [None if length == NO_BYTES else decode_name(known.text, start, length) for start, length in spans]
