"""Spans: names as bytes in one array, which is how compiled code sees them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance
from littlestone.base.features.hashing import hash_name, hash_text, to_bytes
from littlestone.compiled import late_kernel

NO_BYTES: Array = np.zeros(0, np.uint8)


@late_kernel(lambda text, *rest: text.size)
def hash_names(text: Array, starts: Array, lengths: Array, keys: Array) -> Any:
    """Write the keys of names."""
    for k in range(lengths.size):
        keys[k] = hash_name(text, starts[k], lengths[k])


@late_kernel(lambda text, starts, lengths, which, out: out.size)
def gather(text: Array, starts: Array, lengths: Array, which: Array, out: Array) -> Any:
    """Copy some names, one after another."""
    at = 0
    for k in which:
        for j in range(starts[k], starts[k] + lengths[k]):
            out[at] = text[j]
            at += 1


def pack_names(names: Iterable[str | bytes]) -> tuple[Array, Array, Array, Array]:
    """Names one after another: their bytes, where each starts, how long it is, and its key."""
    try:
        listed = [name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name for name in names]
    except UnicodeEncodeError as problem:
        raise BadInstance(f"a name must be text that UTF-8 can write, got {problem.object!r}") from None
    text = np.frombuffer(b"".join(listed), np.uint8) if listed else NO_BYTES
    lengths = np.fromiter(map(len, listed), np.int32, len(listed))
    starts = np.cumsum(lengths, dtype=np.int64) - lengths
    keys = np.empty(len(listed), np.uint64)
    hash_names(text, starts, lengths, keys)
    return text, starts, lengths, keys


def hash_any_names(names: list[Any]) -> Array:
    """Keys of strings, bytes or numbers."""
    try:
        return pack_names(names)[3]
    except TypeError:
        return np.array([hash_text(to_bytes(name)) for name in names], np.uint64)


def copy_names(text: Array, starts: Array, lengths: Array, which: Array) -> tuple[bytes, Array]:
    """The bytes of some names, one after another, and how long each is."""
    chosen = lengths[which]
    out = np.empty(int(chosen.sum()), np.uint8)
    gather(text, starts, lengths, which, out)
    return out.tobytes(), chosen


def find_repeated(names: Iterable[Any]) -> Any:
    """The first name that came before; None if all differ."""
    met = set[Any]()
    for name in names:
        if name in met:
            return name
        met.add(name)
    return None


def decode_name(text: Array, start: int, length: int) -> str:
    """The name that a span holds."""
    return bytes(text[start : start + length]).decode("utf-8", "surrogateescape")
