"""Products: rows of attributes turned into rows of their products, block by block, inside compiled loops.

A product of different attributes has a number of its own, by the highest of them, then by the next: with at most two
factors x1, x2, x1 x2, x3, x1 x3, x2 x3, ... It does not depend on how many attributes there are. Or a product is
hashed: its number is then the high bits of the sum of its attributes' codes, and an attribute alone is numbered after
all of these. `Interactions` plays with it.

>>> [find_number([i], 2) for i in range(3)], find_number([0, 1], 2), find_number([1, 2], 2)
([0, 1, 3], 2, 5)
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, require
from littlestone.base.features import TOP
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value, rule

MOST = 2**28  # products that are numbered one by one, and products of one row
BLOCK = 2**16  # products formed before they are played; twice as many are hardly faster
WORD = 2**32 - 1
# what `expand` may answer instead of the room that a row needs
BEYOND = -1
NOT_FINITE = -2


class Out(NamedTuple):
    """Where the products of rows are written, each by its number and its value."""

    numbers: Any
    products: Any


class Lower(NamedTuple):
    """The products of up to d attributes taken so far, counts[d] of them: `keys` make their numbers, `parts` values."""

    keys: Any
    parts: Any
    counts: Any


@rule
def count_products(attributes: Any, degree: Any) -> Any:
    """How many products there are of 1 to `degree` different attributes; above MOST, some number above it."""
    if degree == 1:
        return attributes
    if degree == 2:
        return attributes * (attributes + 1) // 2
    total = 0
    sets = 1
    for size in range(degree):
        sets = sets * (attributes - size) // (size + 1)
        total += sets
        if total > MOST:
            break
    return total


@rule
def hash_attribute(attribute: Any) -> Any:
    """32 bits that look random, different for different attributes: the last step of MurmurHash3 (A. Appleby).

    It leaves 0 as it is, and an attribute whose code is 0 would vanish from every sum: so one is added first.
    """
    word = int(attribute) + 1
    word = ((word ^ (word >> 16)) * 0x85EBCA6B) & WORD
    word = ((word ^ (word >> 13)) * 0xC2B2AE35) & WORD
    return word ^ (word >> 16)


@rule
def gather(indices: Any, values: Any, a: Any, b: Any, listed: Array, entries: Array) -> Any:
    """Copy the entries of a row that are not zero, by ascending attribute; the highest attribute."""
    count = 0
    for j in range(a, b):
        value = read_value(values, j)
        if value != 0:
            i = np.int64(read_attribute(indices, j, a))
            k = count
            while k > 0 and listed[k - 1] > i:
                listed[k], entries[k] = listed[k - 1], entries[k - 1]
                k -= 1
            listed[k], entries[k] = i, value
            count += 1
    return listed[count - 1] if count > 0 else -1


@array_rule
def write_products(out: Any, at: Any, lower: Any, d: Any, base: Any, value: Any, shift: Any) -> None:
    """Write, from place `at` on, an attribute of this value times each of the `lower` products of up to d attributes.

    Places are unsigned in these innermost loops: no test for indices that count from the end.
    """
    numbers = out.numbers
    products = out.products
    keys = lower.keys
    parts = lower.parts
    to = U(at)
    count = U(lower.counts[d])
    d = U(d)
    if shift > 0:
        for q in range(count):
            numbers[to + q] = np.int32(((base + keys[d, q]) & WORD) >> shift)
            products[to + q] = value * parts[d, q]
    else:
        for q in range(count):
            numbers[to + q] = np.int32(base + keys[d, q])
            products[to + q] = value * parts[d, q]


@rule
def merge(numbers: Array, products: Array, slots: Array, first: Any, end: Any) -> Any:
    """Add up the products from `first` to `end` that share a number; where those that are left end.

    `slots` is a hash table, by the low bits of a number, of where it was put.
    """
    size = 1
    while size < 2 * (end - first):
        size *= 2
    for k in range(U(size)):
        slots[k] = -1
    mask = U(size - 1)
    kept = first
    for k in range(U(first), U(end)):
        slot = U(numbers[k]) & mask
        while slots[slot] >= 0 and numbers[U(slots[slot])] != numbers[k]:
            slot = (slot + U(1)) & mask
        if slots[slot] >= 0:
            products[U(slots[slot])] += products[k]
        else:
            slots[slot], numbers[U(kept)], products[U(kept)] = kept, numbers[k], products[k]
            kept += 1
    return kept


@rule
def count_infinite(products: Array, first: Any, end: Any) -> Any:
    """How many products are not finite numbers."""
    count = 0
    for k in range(U(first), U(end)):
        count += not np.isfinite(products[k])
    return count


@kernel
def expand(
    indptr: Array,
    indices: Any,
    values: Any,
    degree: int,
    bits: int,
    most: int,
    starts: Array,
    numbers: Array,
    products: Array,
) -> Any:
    """Expand leading rows while there is room: how many, and what stopped it, the room needed or a reason.

    A flat entry point: the arrays of a chunk, three numbers of `Interactions`, and the arrays to write. Attributes are
    taken in ascending order.
    """
    room = numbers.size
    one = 0 if bits > 0 else 1
    shift = 32 - bits if bits > 0 else 0
    listed = np.empty(room, np.int64)
    entries = np.empty(room, products.dtype)
    keys = np.empty((degree, room), np.int64)
    parts = np.empty((degree, room), products.dtype)
    counts = np.zeros(degree, np.int64)
    lower = Lower(keys, parts, counts)
    slots = np.empty(4 * room if bits > 0 else 0, np.int32)
    end = 0
    starts[0] = end
    for t in range(indptr.size - 1):
        a = U(indptr[t])
        b = U(indptr[t + 1])
        first = end
        active = 0
        for j in range(a, b):
            if read_value(values, j) != 0:
                active += 1
        need = count_products(active, degree)
        if need > room - end:
            return t, need
        if gather(indices, values, a, b, listed, entries) >= most:
            return t, BEYOND
        counts[:] = 0
        for p in range(active):
            i = listed[p]
            value = entries[p]
            base = hash_attribute(i) if bits > 0 else count_products(i, degree)
            before = counts[degree - 1]
            numbers[end], products[end] = (1 << bits) + i if bits > 0 else base, value
            write_products(Out(numbers, products), end + 1, lower, degree - 1, base + one, value, shift)
            end += 1 + before
            for d in range(degree - 1, 0, -1):
                base = hash_attribute(i) if bits > 0 else count_products(i, d)
                at = counts[d]
                before = counts[d - 1]
                keys[d, at], parts[d, at] = base, value
                for q in range(before):
                    keys[d, at + 1 + q] = base + one + keys[d - 1, q]
                    parts[d, at + 1 + q] = value * parts[d - 1, q]
                counts[d] = at + 1 + before
        if bits > 0:
            end = merge(numbers, products, slots, first, end)
        if count_infinite(products, first, end) > 0:
            return t, NOT_FINITE
        starts[t + 1] = end
    return indptr.size - 1, 0


def find_number(attributes: Sequence[int], degree: int, bits: int = 0) -> int:
    """The number of the product of these attributes; `bits=0`: one by one."""
    if bits and len(attributes) > 1:
        return int((sum(map(hash_attribute, attributes)) & WORD) >> (32 - bits))
    if bits:
        return (1 << bits) + attributes[0]
    falling = enumerate(sorted(attributes, reverse=True))
    return int(sum(count_products(i, degree - k) for k, i in falling)) + len(attributes) - 1


@cache
def find_most(degree: int, bits: int = 0) -> int:
    """How many attributes there can be, so that all products have numbers."""
    if bits:
        return TOP - (1 << bits)
    low = 0
    high = MOST
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_products(middle, degree) <= MOST else (low, middle - 1)
    return low


def count_numbers(attributes: int, degree: int, bits: int = 0) -> int:
    """How many numbers the products of some attributes have."""
    attributes = min(attributes, find_most(degree, bits))
    return (attributes and (1 << bits) + attributes) if bits else int(count_products(attributes, degree))


class Scratch:
    """The buffer into which rows are expanded, block after block; it grows only for a row that does not fit."""

    def __init__(self, degree: int, bits: int, rounds: int, values: Array | None, room: int = BLOCK) -> None:
        self.degree, self.bits, self.boolean = degree, bits, values is None
        self.real: Any = np.float32 if values is None else values.dtype
        self.starts = np.empty(rounds + 1, np.int64)
        self._resize(room)

    def fill(self, indptr: Array, indices: Array | None, values: Array | None) -> int:
        """Expand leading rows; how many, at least one unless the first is refused."""
        highest = find_most(self.degree, self.bits)
        into = (self.starts, self.numbers, self.products)
        rows, stopped = expand(indptr, indices, values, self.degree, self.bits, highest, *into)
        if rows or not stopped:
            return int(rows)
        remedy = "" if self.bits else ": bits=22 would let them share 2^22 numbers"
        kind = f"products of up to {self.degree} attributes"
        require(stopped != BEYOND, f"{kind} need attributes below {highest}, got a higher one{remedy}", BadInstance)
        require(stopped != NOT_FINITE, f"{kind} must be finite numbers, got infinity", BadInstance)
        require(stopped <= MOST, f"a row may have 2^28 {kind}, got one with more", BadInstance)
        self._resize(stopped)
        return self.fill(indptr, indices, values)

    def rows(self, count: int) -> tuple[Array, Array, Array | None]:
        """What was expanded, in compressed sparse form; None for values that are all 1."""
        end = self.starts[count]
        return self.starts[: count + 1], self.numbers[:end], None if self.boolean else self.products[:end]

    def _resize(self, room: int) -> None:
        self.numbers, self.products = np.empty(room, np.int32), np.empty(room, self.real)
