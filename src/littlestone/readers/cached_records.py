"""Cached records: where the records of a cache lie, their checksums, and whether their numbers are within bounds."""

import json
import zlib
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Examples, Tokens
from littlestone.compiled import U, kernel, rule

PAGE = U(512)  # words after which sums take turns
STRETCH = U(64)  # words after which the bits of all sums are turned: until then high bits change high ones only
# bytes of Arrow's: after its footer, and before it
FOOTER_END = 10
CONTINUATION = 8


class Record(NamedTuple):
    """Where a record lies in the file, and the checksum of its bytes."""

    start: int
    end: int
    checksum: int


class Damaged(Exception):
    """What the file holds is not what was written."""


def read_index(kept: Any) -> tuple[str, list[Record]]:
    """Read the index of a file.

    Returns:
        What the file was made of.
        Its records, in order.
    """
    with suppress(ValueError):
        footer = int.from_bytes(kept[-FOOTER_END:][:4].to_pybytes(), "little")
        end = kept.size - FOOTER_END - footer - CONTINUATION - 16
        size, checksum = np.frombuffer(kept, np.int64, 2, end).tolist()
        index = kept[end - size : end].to_pybytes() if 0 < size <= end else b""
        if zlib.crc32(index) == checksum:
            made_of, records = json.loads(index)
            return made_of, [Record(*record) for record in records]
    raise Damaged("this is not a whole cache of this version")


@kernel
def sum_bytes(words: Array) -> Any:
    """Compute a checksum that any changed word changes; eight sums go side by side, as fast as memory is read."""
    a = U(1)
    b = U(2)
    c = U(3)
    d = U(4)
    e = U(5)
    f = U(6)
    g = U(7)
    h = U(8)
    k = U(0)
    size = U(len(words))
    while k + STRETCH <= size:
        end = k + STRETCH
        while k < end:
            a = _mix(a, words[k])
            b = _mix(b, words[k + U(1)])
            c = _mix(c, words[k + U(2)])
            d = _mix(d, words[k + U(3)])
            e = _mix(e, words[k + U(4)])
            f = _mix(f, words[k + U(5)])
            g = _mix(g, words[k + U(6)])
            h = _mix(h, words[k + U(7)])
            k += U(8)
        a, b, c, d, e, f, g, h = _turn(h), _turn(a), _turn(b), _turn(c), _turn(d), _turn(e), _turn(f), _turn(g)
    for one in (b, c, d, e, f, g, h):
        a = _turn(_mix(a, one))
    while k < size:
        a = _turn(_mix(a, words[k]))
        k += U(1)
    return a


@rule
def _mix(total: Any, word: Any) -> Any:
    """The sum with one more word; no two words lead from one sum to the same one."""
    return (total ^ word) * U(0x9E3779B97F4A7C15)


@rule
def _turn(total: Any) -> Any:
    """The sum with its high bits, which all words have changed, in the place of its low ones."""
    return (total << U(29)) | (total >> U(35))


def make_chunk(parts: dict[str, Any], record: Any) -> Examples | Tokens:
    """The chunk of a record."""
    labels = next((parts[name] for name in ("integers", "floats", "booleans") if parts[name] is not None), None)
    if labels is None:
        names = np.empty(len(parts["names"]), object)
        names[:] = parts["names"]
        _require_below(parts["codes"], len(names))
        labels = names[parts["codes"]]
    values = parts["singles"] if parts["doubles"] is None else parts["doubles"]
    if parts["text"] is not None:
        spans = (parts["text"], parts["starts"], parts["lengths"], parts["keys"])
        return Tokens(parts["indptr"], *spans, values, labels, parts["importance"], parts["which"])
    width = record.column("width")[0].as_py()
    return Examples(parts["indptr"], parts["indices"], values, labels, width, parts["importance"])


def check_bounds(chunk: Examples | Tokens) -> None:
    """Refuse a chunk unless all its numbers are within the arrays that they point into."""
    indptr = chunk.indptr
    values = chunk.values
    importance = chunk.importance
    rounds = len(chunk.labels)
    if isinstance(chunk, Tokens):
        starts = chunk.starts
        lengths = chunk.lengths
        entries = len(starts if chunk.which is None else chunk.which)
        _require_below(chunk.which, len(starts))
        _require(len(starts) == len(lengths) == len(chunk.keys))
        _require(starts.min(initial=0) >= 0 and lengths.min(initial=0) >= 0)
        _require((starts + lengths).max(initial=0) <= len(chunk.text))
    else:
        entries = chunk.width * rounds if chunk.indices is None else len(chunk.indices)
        _require_below(chunk.indices, chunk.width)
        _require(chunk.indices is not None or bool((np.diff(indptr) == chunk.width).all()))
    _require(len(indptr) == rounds + 1 and (importance is None or len(importance) == rounds))
    _require(indptr[0] == 0 and indptr[-1] == entries and bool((indptr[1:] >= indptr[:-1]).all()))
    _require(values is None or len(values) == entries)


def _require(fits: bool) -> None:
    if not fits:
        raise Damaged("the numbers of the cache are out of their bounds")


def _require_below(numbers: Array | None, width: int) -> None:
    """Refuse numbers that are not below a width; a negative one is huge when read without its sign."""
    _require(numbers is None or not len(numbers) or int(numbers.view(np.uint32).max()) < width)
