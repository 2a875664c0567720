"""Batches: the cells of many rows at once: where they end first, then what their numbers are.

Ends are found 64 bytes at a time, as if no cell were quoted. Numbers are understood in loops without branches, which a
compiler turns into vectors: a minus perhaps, then up to 24 bytes, digits with at most one point among the first eight.
Reading cell by cell takes from a batch what it knows: if a cell starts where the batch has it, and its number is
clear. All else, quotes and spaces among it, is read with care.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, count_bits, count_trailing_zeros, load_word, long_rule, mark_bytes, rule
from littlestone.readers.decimals import MINUS, NOUGHT, PLUS, POWERS, TENS, are_digits, is_far, spell
from littlestone.readers.table.cells import ALL, CR, EIGHT, HIGHS, LF, ONE, ONES, ZERO, KnownWords

WIDE = U(64)  # bytes that are looked at together
CELLS = 512  # of a batch, if its rows are not longer: what is known of them stays in a near cache
KEPT, PIECES = U(18), U(16)  # digits of a number that count, and those of two words
POINTS, NOUGHTS = U(0x2E2E2E2E2E2E2E2E), U(0x3030303030303030)
EXACT = U(2**53)  # up to here every whole number is a float64
LONG = U(10**14)  # from here on a cut changes less than `is_far` asks for
SIGNS = np.array([1.0, -1.0])
# left to others, right as a float32, as a float64 too, none: taken for 0
UNCLEAR = 0
SINGLE = 1
DOUBLE = 2
EMPTY = 3
# roles of columns
IGNORED = 0
NUMBER = 1
NOMINAL = 2
NUMBER_LABEL = 3
NOMINAL_LABEL = 4
UNSOUGHT = U(2**31)  # in a tag: names of such a cell are not looked for


@long_rule
def list_cells(data: Array, start: Any, stop: Any, delimiter: Any, columns: int, rows: int, ends: Array) -> Any:
    """List where the cells of some rows end, or of fewer, until one has another number of cells: how many rows.

    Cell c, counted from 1, ends at `ends[c]`, and `ends[0]` is the place before the first one. There is room for 64
    cells more than those rows have.
    """
    base = start
    c = ONE
    begun = ZERO
    found = 0
    ends[0] = np.int64(start) - 1
    while True:
        lines = mark_bytes(data, base, LF, LF)
        known = c - ONE
        hits = lines | mark_bytes(data, base, delimiter, delimiter)
        while lines != ZERO:
            line = lines & (~lines + ONE)
            if known + count_bits(hits & (line - ONE)) + ONE - begun != U(columns):
                return found
            begun = begun + U(columns)
            found = found + 1
            while c <= begun:
                ends[c] = base + count_trailing_zeros(hits)
                hits &= hits - ONE
                c += ONE
            if found == rows or base + count_trailing_zeros(line) + ONE >= stop:
                return found
            lines &= lines - ONE
            known = c - ONE
        while hits != ZERO:
            ends[c] = base + count_trailing_zeros(hits)
            hits &= hits - ONE
            c += ONE
        if c - ONE - begun >= U(columns):
            return found
        base += WIDE


@long_rule
def load_first_words(data: Array, ends: Array, chosen: Array, start: Any, stop: Any, words: Any) -> Any:
    """The first word of some chosen cells, after their signs, and how many bytes they have; the most of these."""
    (first, _, _, lengths, signs, _, _), longest = words, ZERO
    for k in range(start, stop):
        at = U(ends[U(chosen[k]) - ONE]) + ONE
        end = U(ends[U(chosen[k])])
        minus = U(data[at] == MINUS)  # in an empty cell, this is the byte that ends it
        first[k] = load_word(data, at + minus)
        lengths[k], signs[k] = end - at - minus, minus
        longest = max(longest, end - at - minus)
    return longest


@long_rule
def load_next_words(data: Array, ends: Array, chosen: Array, start: Any, stop: Any, words: Any) -> None:
    """The two words after those."""
    _, second, third, _, signs, _, _ = words
    for k in range(start, stop):
        at = U(ends[U(chosen[k]) - ONE]) + ONE + signs[k]
        second[k], third[k] = load_word(data, at + EIGHT), load_word(data, at + PIECES)


@rule
def move_to_end(word: Any, count: Any) -> Any:
    """The first `count` bytes of a word, 0 to 8, moved to its end."""
    return word << ((EIGHT - count) << U(3)) if count > ZERO else ZERO


@rule
def are_all_digits(word: Any, count: Any) -> Any:
    """Whether bytes after `move_to_end` are digits."""
    return are_digits(word | (NOUGHTS >> (count << U(3)) if count < EIGHT else ZERO))


@rule
def close_gap(low: Any, high: Any, before: Any) -> Any:
    """A word in which the bytes after the point, those of the next word among them, close up over it."""
    return (low & before) | ((low >> EIGHT | high << U(56)) & ~before)


@long_rule
def read_short_numbers(start: Any, stop: Any, words: Any) -> None:
    """Turn up to eight bytes of each of some numbers into the whole number that its digits are, in place.

    `points` is where the point was, at the end if there was none, and `good` is 0 for what is no such number.
    """
    first, _, _, lengths, _, points, good = words
    for k in range(start, stop):
        word = first[k]
        length = lengths[k]
        marks = word ^ POINTS
        point = min(count_trailing_zeros((marks - ONES) & ~marks & HIGHS) >> U(3), length)
        digits = length - U(point < length)
        count = min(digits, EIGHT)
        kept = move_to_end(close_gap(word, ZERO, mask_before(point)), count)
        good[k] = U(are_all_digits(kept, count) & (digits - ONE < EIGHT))
        first[k], points[k] = spell(kept), point


@long_rule
def read_long_numbers(start: Any, stop: Any, words: Any) -> None:
    """The same of up to 24 bytes: the numbers that eight digits, the next eight, and the two after those are."""
    first, second, third, lengths, _, points, good = words
    for k in range(start, stop):
        one = first[k]
        two = second[k]
        three = third[k]
        length = lengths[k]
        marks = one ^ POINTS
        point = min(count_trailing_zeros((marks - ONES) & ~marks & HIGHS) >> U(3), length)
        point = length if point == EIGHT else point
        before = mask_before(min(point, EIGHT))
        rest = ALL if point == length else ZERO  # without a point nothing closes up
        digits = length - U(point < length)
        counts = min(digits, EIGHT), min(max(digits, EIGHT) - EIGHT, EIGHT), min(max(digits, PIECES) - PIECES, EIGHT)
        one = move_to_end(close_gap(one, two, before), counts[0])
        two = move_to_end(close_gap(two, three, rest), counts[1])
        three = close_gap(three, ZERO, rest)
        well = are_all_digits(one, counts[0]) & are_all_digits(two, counts[1])
        well &= are_all_digits(move_to_end(three, counts[2]), counts[2])
        good[k] = U(well & (digits > ZERO) & (digits <= U(24)))
        first[k], second[k], third[k] = spell(one), spell(two), spell(move_to_end(three, min(counts[2], KEPT - PIECES)))
        points[k] = point


@rule
def mask_before(point: Any) -> Any:
    """The bits of the bytes before the point, all where there is none."""
    return (ONE << (point << U(3))) - ONE if point < EIGHT else ALL


@long_rule
def finish_numbers(start: Any, stop: Any, words: Any, longest: Any, values: Array, kinds: Array) -> None:
    """The numbers themselves, and of which kind each is."""
    first, second, third, lengths, signs, points, good = words
    for k in range(start, stop):
        length = lengths[k]
        point = points[k]
        digits = length - U(point < length)
        mantissa = first[k]
        is_cut = False
        if longest > EIGHT:
            more = min(max(digits, EIGHT) - EIGHT, EIGHT)
            most = min(max(digits, PIECES) - PIECES, KEPT - PIECES)
            mantissa = (mantissa * TENS[more] + second[k]) * TENS[most] + third[k]
            is_cut = digits > KEPT
        places = min(digits, KEPT) - point if point < length else ZERO
        value = np.float64(np.int64(mantissa)) / POWERS[places]
        clear = (good[k] != ZERO) & is_far(value) & ((not is_cut) | ((point < length) & (mantissa >= LONG)))
        right = DOUBLE if (mantissa < EXACT) & (not is_cut) else SINGLE
        is_empty = length + signs[k] == ZERO
        values[k] = 0.0 if is_empty else value * SIGNS[signs[k]]
        kinds[k] = EMPTY if is_empty else right if clear else UNCLEAR


@rule
def is_padded(data: Array, at: Any) -> Any:
    """Whether the number that starts there has a zero before it: 042, but neither 0 nor 0.5."""
    at += U((data[at] == MINUS) | (data[at] == PLUS))
    return (data[at] == NOUGHT) & (U(data[at + ONE]) - U(NOUGHT) < U(10))


class TextTable(NamedTuple):
    """A block of a table in text, whose last byte is a line end."""

    data: Array
    stop: Any  # the place after the last record
    delimiter: Any
    roles: Array  # of its columns
    numerics: int  # columns that are attributes and hold numbers
    missing: KnownWords  # cells that count as empty
    exact: Any  # whether labels that are numbers must have no zeros before them, as codes have

    @classmethod
    def of(
        cls,
        data: Array,
        stop: int,
        delimiter: str,
        roles: tuple[int, ...],
        missing: Sequence[str],
        exact: bool = False,
    ) -> Self:
        """Put together what is known of a block before its first record is read."""
        kinds = np.array(roles, np.int8)
        return cls(data, U(stop), U(ord(delimiter)), kinds, roles.count(NUMBER), KnownWords.of(missing), exact)


class Room(NamedTuple):
    """What is known of a batch: of its numbers and of its other cells, those of each row together."""

    ends: Array  # of its cells, which are counted from 1
    plain: Array  # which of its rows hold nothing that is to be read with care
    chosen: Array  # the cells that are numbers: first attributes, then labels
    words: tuple[Array, ...]  # room to work: three words, lengths, signs, points, and whether all is well
    values: Array  # these numbers
    kinds: Array  # and how clear they are
    others: Array  # all other cells
    tags: Array  # of their columns, and whether their names are looked for
    places: Array  # where numbers go in a row of attributes
    seats: Array  # where other cells go: among attributes, as a label after them, or to the very end
    names: Array  # the attributes' names
    weights: Array  # and their values
    rest: Array  # the other cells whose name is not known at first sight
    fresh: Array  # how many names each column brought
    texts: tuple[Array, ...]  # of other cells: both ends, lengths, slots, states

    @classmethod
    def of(cls, roles: tuple[int, ...]) -> Self:
        """Room for a batch of a table with columns of these roles: one row at least."""
        rows, chosen, others, tags, places, seats, names = _plan(roles)
        words = np.empty((7, len(chosen)), np.uint64)
        texts = np.empty((4, len(others)), np.uint64)
        return cls(
            ends=np.empty(rows * len(roles) + 1 + 64, np.int64),
            plain=np.empty(rows, np.bool_),
            chosen=chosen,
            words=tuple(words),
            values=np.empty(len(chosen)),
            kinds=np.empty(len(chosen), np.int8),
            others=others,
            tags=tags.copy(),
            places=places,
            seats=seats,
            names=names.copy(),
            weights=np.ones(len(names)),
            rest=np.empty(len(others) + 1, np.int64),
            fresh=np.zeros(len(roles), np.int64),
            texts=(*texts, np.empty(len(others), np.int8)),
        )


@lru_cache(maxsize=8)
def _plan(roles: tuple[int, ...]) -> tuple[Any, ...]:
    """What is the same for all batches: their rows, and which cells go where."""
    columns = len(roles)
    kinds = np.array(roles)
    rows = max(CELLS // columns, 1)
    cells = np.arange(1, rows * columns + 1).reshape(rows, columns)
    inside = np.isin(kinds, (NUMBER, NOMINAL))
    width = int(inside.sum())
    seats = np.full((rows, columns), rows * (width + 1))
    seats[:, inside] = np.arange(rows * width).reshape(rows, width)
    seats[:, kinds == NOMINAL_LABEL] = rows * width + np.arange(rows)[:, None]
    names = np.zeros(rows * (width + 1) + 1, np.int32)
    names[seats] = np.arange(columns)
    chosen = np.concatenate((cells[:, kinds == NUMBER].ravel(), cells[:, kinds == NUMBER_LABEL].ravel()))
    others = cells[:, np.isin(kinds, (IGNORED, NOMINAL, NOMINAL_LABEL))].ravel()
    column = (others - 1) % columns
    tags = (4 * column).astype(np.uint64) | np.where(kinds[column] == IGNORED, UNSOUGHT, ZERO)
    return rows, chosen, others, tags, seats.ravel()[chosen - 1], seats.ravel()[others - 1], names


@long_rule
def read_batch(table: Any, p: Any, enough: Any, room: Any) -> Any:
    """Read a batch that starts at p: how many rows it has, none if the first has another number of cells.

    Attributes are plain if their numbers are clear `enough`, labels if they are right as a float64.
    """
    ends = room.ends
    plain = room.plain
    chosen = room.chosen
    words = room.words
    values = room.values
    kinds = room.kinds
    data = table.data
    columns = table.roles.size
    most = plain.size
    per_row = U(table.numerics)
    labels = U(values.size // most - table.numerics)
    lengths = words[3]
    rows = list_cells(data, p, table.stop, table.delimiter, columns, most, ends)
    for r in range(rows):
        plain[r] = True
    start = ZERO
    count = per_row
    highest = EMPTY
    for _ in range(2):  # attributes, then labels
        after = start + U(rows) * count
        unclear = 0
        longest = load_first_words(data, ends, chosen, start, after, words)
        if count > ZERO and chosen[start + count - ONE] == columns:  # these end lines, perhaps after a CR
            for k in range(start + count - ONE, after, count):
                lengths[k] -= U(data[ends[chosen[k]] - 1] == CR)
        if longest <= EIGHT:
            read_short_numbers(start, after, words)
        else:
            load_next_words(data, ends, chosen, start, after, words)
            read_long_numbers(start, after, words)
        finish_numbers(start, after, words, longest, values, kinds)
        if table.exact and highest == DOUBLE:
            for k in range(start, after):
                if is_padded(data, U(ends[U(chosen[k]) - ONE]) + ONE):
                    kinds[k] = UNCLEAR
        for k in range(start, after):
            unclear += (kinds[k] < enough) | (kinds[k] > highest)
        if unclear > 0:
            for k in range(start, after):
                plain[(k - start) // count] &= (kinds[k] >= enough) & (kinds[k] <= highest)
        start = U(most) * per_row
        count = labels
        enough = DOUBLE
        highest = DOUBLE
    return rows
