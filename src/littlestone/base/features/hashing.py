"""Hashing: names, as UTF-8 bytes, to keys of 64 bits.

A name is read eight bytes at a time, the last group filled up with zeros; each group is mixed in by an exclusive or, a
product and a fold, and so is the length at the end. Each step can be undone, so different names of equal length and at
most eight bytes have different keys; any two longer ones meet with a chance of about 2^-64, unless somebody who knows
the rule wants them to. A tokeniser may hash while it scans: `begin`, `add` for each group of eight bytes, `end`.

>>> key_of("free") == key_of(b"free") != key_of("money")
True
"""

from typing import Any

from littlestone.base.chunks import Array
from littlestone.compiled import U, load_word, multiply_words, rule

START, FACTOR = U(0x9E3779B97F4A7C15), U(0xD6E8FEB86659FD93)
ZERO, ONE, SEVEN, EIGHT, HALF, ALL = U(0), U(1), U(7), U(8), U(32), U(2**64 - 1)
MASK = 2**64 - 1


@rule
def begin() -> Any:
    """What a hash is before the first byte."""
    return START


@rule
def add(hashed: Any, word: Any) -> Any:
    """A hash with eight more bytes, or fewer and zeros above them."""
    mixed = multiply_words(hashed ^ word, FACTOR)
    return mixed ^ (mixed >> HALF)


@rule
def end(hashed: Any, length: Any) -> Any:
    """The key, after so many bytes."""
    return add(add(hashed, U(length)), ZERO)


@rule
def leading(word: Any, count: Any) -> Any:
    """The first `count` of a word's bytes, 1 to 8, the others being zeros."""
    return word & (ALL >> (EIGHT * (EIGHT - U(count))))


@rule
def tail(text: Array, at: Any, count: Any) -> Any:
    """Bytes `at` to `at + count` as a word, none of those after them being read."""
    word = ZERO
    for k in range(U(count)):
        word |= U(text[U(at) + k]) << (EIGHT * k)
    return word


@rule
def key(text: Array, start: Any, length: Any) -> Any:
    """The key of `text[start:start + length]`; no byte outside the array is read."""
    at, left, hashed = U(start), U(length), begin()
    while left > EIGHT:
        hashed = add(hashed, load_word(text, at))
        at += EIGHT
        left -= EIGHT
    if left > ZERO:
        inside = at + EIGHT <= U(text.size)
        hashed = add(hashed, leading(load_word(text, at), left) if inside else tail(text, at, left))
    return end(hashed, length)


@rule
def number_key(number: Any) -> Any:
    """The key of an attribute that has a number instead of a name: that of the number's eight bytes."""
    return end(add(begin(), U(number)), EIGHT)


def key_of(name: str | bytes) -> int:
    """The key of a name; bytes that are not UTF-8 stand in a string as Python's surrogate escapes."""
    text = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    hashed = int(START)
    for at in range(0, len(text), 8):
        hashed = _added(hashed, int.from_bytes(text[at : at + 8], "little"))
    return _added(_added(hashed, len(text)), 0)


def _added(hashed: int, word: int) -> int:
    mixed = (hashed ^ word) * int(FACTOR) & MASK
    return mixed ^ (mixed >> 32)
