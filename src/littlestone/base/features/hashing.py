"""Hashing: names, as UTF-8 bytes, to keys of 64 bits.

A name is read eight bytes at a time, the last group filled up with zeros; each group is mixed in by an exclusive or, a
product and a fold, and so is the length at the end. Each step can be undone, so different names of equal length and at
most eight bytes have different keys; any two longer ones meet with a chance of about 2^-64, unless someone who knows
the rule wants them to. A tokeniser may hash while it scans: `start_hash`, `add_to_hash` for each group of eight bytes,
`finish_hash`.

>>> hash_text("free") == hash_text(b"free") != hash_text("money")
True
"""

from typing import Any, cast

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, require
from littlestone.compiled import U, array_rule, load_word, multiply_words, rule

START, FACTOR = U(0x9E3779B97F4A7C15), U(0xD6E8FEB86659FD93)
ZERO, ONE, SEVEN, EIGHT, HALF, ALL = U(0), U(1), U(7), U(8), U(32), U(2**64 - 1)
MASK = 2**64 - 1


@rule
def start_hash() -> Any:
    """What a hash is before the first byte."""
    return START


@rule
def add_to_hash(hashed: Any, word: Any) -> Any:
    """A hash with eight more bytes, or fewer and zeros above them."""
    mixed = multiply_words(hashed ^ word, FACTOR)
    return mixed ^ (mixed >> HALF)


@rule
def finish_hash(hashed: Any, length: Any) -> Any:
    """The key, after all bytes are mixed in."""
    return add_to_hash(add_to_hash(hashed, U(length)), ZERO)


@rule
def keep_bytes(word: Any, count: Any) -> Any:
    """The first `count` of a word's bytes, 1 to 8, the others being zeros."""
    return word & (ALL >> (EIGHT * (EIGHT - U(count))))


@array_rule
def has_same_bytes(one: Array, a: Any, other: Array, b: Any, length: Any) -> Any:
    """Return whether a number of bytes are the same at `a` in one array and at `b` in another."""
    k = ZERO
    first = U(a)
    second = U(b)
    size = U(length)
    while k + EIGHT <= size and load_word(one, first + k) == load_word(other, second + k):
        k += EIGHT
    while k < size and one[first + k] == other[second + k]:
        k += ONE
    return k == size


@rule
def load_tail(text: Array, at: Any, count: Any) -> Any:
    """Bytes `at` to `at + count` as a word, none of those after them being read."""
    word = ZERO
    for k in range(U(count)):
        word |= U(text[U(at) + k]) << (EIGHT * k)
    return word


@rule
def hash_name(text: Array, start: Any, length: Any) -> Any:
    """The key of `text[start:start + length]`; no byte outside the array is read."""
    at = U(start)
    left = U(length)
    hashed = start_hash()
    while left > EIGHT:
        hashed = add_to_hash(hashed, load_word(text, at))
        at += EIGHT
        left -= EIGHT
    if left > ZERO:
        inside = at + EIGHT <= U(text.size)
        hashed = add_to_hash(hashed, keep_bytes(load_word(text, at), left) if inside else load_tail(text, at, left))
    return finish_hash(hashed, length)


@rule
def hash_number(number: Any) -> Any:
    """The key of an attribute that has a number instead of a name: that of the number's eight bytes."""
    return finish_hash(add_to_hash(start_hash(), U(number)), EIGHT)


def hash_text(name: str | bytes) -> int:
    """The key of a name; bytes that are not UTF-8 stand in a string as Python's surrogate escapes."""
    text = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    hashed = int(START)
    for at in range(0, len(text), 8):
        hashed = _add(hashed, int.from_bytes(text[at : at + 8], "little"))
    return _add(_add(hashed, len(text)), 0)


def _add(hashed: int, word: int) -> int:
    mixed = (hashed ^ word) * int(FACTOR) & MASK
    return mixed ^ (mixed >> 32)


def to_bytes(name: Any) -> str | bytes:
    """Return what is hashed of a name or number; refuse anything else."""
    if isinstance(name, int | np.integer) and 0 <= name < 2**63:
        return int(name).to_bytes(8, "little")
    require(isinstance(name, str | bytes), f"hashed attributes have names or numbers, got {name!r}", BadInstance)
    return cast(str, name)


def to_plain(name: Any) -> Any:
    """A name as JSON keeps it."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    return int(name) if isinstance(name, np.integer) else name
