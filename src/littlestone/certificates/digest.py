"""Digest: a fingerprint of the rounds of a stream, as a learner sees them.

Rows count by their attributes that are not 0 and labels by their class numbers, so neither the cutting into chunks nor
dense or sparse storage matters. Other instances count by their text. The fingerprint is one SHA-256 over the bytes of
all rounds, one after another; docs/certificate-format.md says what the bytes of a round are. Certificates of version 1
hashed six streams of numbers instead (`_list_six_streams`).

Large chunks are hashed (SHA-256) by a thread beside whatever reads and plays them, a little behind and in order.

>>> from littlestone.base.chunks import Examples
>>> one, other = Digest(), Digest()
>>> one.add(Examples.of([[0, 2], [1, 0]], [1, 0]))
>>> other.add(Examples.of([[0, 2]], [1])); other.add(Examples.of([[1, 0]], [0]))
>>> one.text() == other.text()
True
"""

import hashlib
import json
import struct
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from littlestone.base.bound import VERSION
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.compiled import U, kernel

ZERO = U(0)
FIRST = b"littlestone rounds 2\n"  # what is hashed before the first round
# what a round holds; the last one is added where its label is a number
ONES = 0
SHORT = 1
LONG = 2
TEXT = 3
NUMBER = 4
# bytes of a chunk that is worth a thread, and that may wait for it
LARGE = 1 << 18
BEHIND = 1 << 26


class Digest:
    """A fingerprint that grows: add chunks in order, then read `text()`.

    Args:
        version: That of the certificates whose fingerprint it is; 1 or None: of those before version 2.
    """

    def __init__(self, version: int | None = VERSION) -> None:
        self.rounds = self._entries = self._kind = self._behind = 0
        self._old = version is None or version < 2
        self._parts = [hashlib.sha256() for _ in range(6)] if self._old else [hashlib.sha256(FIRST)]
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: deque[tuple[Future[None], int]] = deque()
        self._forms: set[tuple[str, int, str]] = set()  # in which forms rows came

    @property
    def rows(self) -> dict[str, Any] | None:
        """The form in which all rows came, "listed" or "dense", how many values dense rows have, and their type.

        None if they came in several forms, or are no rows. It is no part of the fingerprint, but of how sums over rows
        are rounded. Ones are float32, if values of other rows are.
        """
        short = ("listed", 0, "float32")
        ones = ("listed", 0, "ones")
        forms = self._forms - {ones} if short in self._forms else self._forms
        if len(forms) != 1:
            return None
        ((form, width, values),) = forms
        return {"form": form, "width": width, "values": values}

    def add(self, chunk: Chunk) -> None:
        """Add rounds, their labels as class numbers."""
        if isinstance(chunk, Examples):
            self._forms.add(_describe_form(chunk))
        self._hash(self._list_six_streams(chunk) if self._old else [(0, list_bytes(chunk))])
        self.rounds += len(chunk)

    def _list_six_streams(self, chunk: Chunk) -> list[tuple[int, Any]]:
        """What certificates of version 1 hash, one stream for each kind: it does not matter where chunks end."""
        lengths, attributes, places, values, longs, labels = range(6)
        more = list[tuple[int, Any]]()
        if isinstance(chunk, Examples):
            counts, indices, numbers = list_entries(chunk, np.arange(len(chunk)))
            more.append((lengths, _view_bytes(counts, "<i8")))
            more.append((attributes, _view_bytes(indices, "<i4")))
            with np.errstate(over="ignore"):  # of three kinds: ones, numbers that are short floats, and the others
                short = numbers.astype(np.float32, copy=False)
            alike = short is numbers and not (numbers == 1).any()
            kinds = np.ones(min(len(numbers), 1) if alike else len(numbers), np.int8)  # alike, the first speaks for all
            if not alike:
                kinds[numbers == 1] = 0
                kinds[short != numbers] = 2
            turns = np.flatnonzero(np.diff(kinds, prepend=np.int8(self._kind)))  # where ones, short, long take turns
            more.append((places, _view_bytes(3 * (self._entries + turns) + kinds[turns], "<i8")))
            more.append((values, _view_bytes(short if alike else short[kinds == 1], "<f4")))
            more.append((longs, _view_bytes(numbers[:0] if alike else numbers[kinds == 2], "<f8")))
            self._entries += len(indices)
            self._kind = int(kinds[-1]) if len(kinds) else self._kind
        else:
            more.append((attributes, "".join(f"{x!r}\n" for x in chunk).encode()))
        given = np.asarray(chunk.labels)
        more.append(
            (labels, _view_bytes(given, "<f8" if given.dtype.kind == "f" else "<i8"))
        )  # outcomes may be numbers
        return more

    def _hash(self, more: list[tuple[int, Any]]) -> None:
        """Hash bytes of each kind, in a thread if there are many."""
        size = sum(memoryview(data).nbytes for _, data in more)
        if size < LARGE and not self._waiting:
            self._update(more)
            return
        self._thread = self._thread or ThreadPoolExecutor(1)
        self._waiting.append((self._thread.submit(self._update, more), size))
        self._behind += size
        self._catch_up(BEHIND)

    def _update(self, more: list[tuple[int, Any]]) -> None:
        for part, data in more:
            self._parts[part].update(data)

    def _catch_up(self, allowed: int) -> None:
        """Wait until no more bytes are behind than allowed."""
        while self._waiting and self._behind > allowed:
            done, size = self._waiting.popleft()
            done.result()
            self._behind -= size

    def text(self) -> str:
        """The fingerprint of all rounds so far."""
        self._catch_up(-1)
        if not self._old:
            return self._parts[0].hexdigest()
        whole = hashlib.sha256(f"{self.rounds}".encode())
        for part in self._parts:
            whole.update(part.digest())
        return whole.hexdigest()


def list_bytes(chunk: Chunk) -> Any:
    """The bytes of rounds that a fingerprint is taken of, labels being class numbers or, as floats, outcomes."""
    labels = np.asarray(chunk.labels)
    flag = NUMBER if labels.dtype.kind == "f" else 0
    labels = np.ascontiguousarray(labels, "<f8" if flag else "<i8")
    if not isinstance(chunk, Examples):
        texts = [write_instance(x).encode() for x in chunk]
        form = "<IId" if flag else "<IIq"
        pairs = zip(texts, labels.tolist(), strict=True)
        return b"".join(struct.pack(form, TEXT + flag, len(text), label) + text for text, label in pairs)
    counts, indices, numbers = list_entries(chunk, np.arange(len(chunk)))
    with np.errstate(over="ignore"):
        short = numbers.astype(np.float32, copy=False)
    long = numbers[:0] if short is numbers else numbers
    if np.isnan(numbers).any():  # an expert asleep: every NaN is written as the same one
        long = np.where(np.isnan(numbers), np.nan, numbers)
    words = np.empty(4 * len(counts) + 3 * len(indices), np.uint32)
    wide = np.ascontiguousarray(long, "<f8").view(np.uint64)
    given = np.ascontiguousarray(indices, "<i4").view(np.uint32), np.ascontiguousarray(short, "<f4").view(np.uint32)
    used = write_rows(counts.astype(np.int64), *given, wide, labels.view(np.uint64), flag, short != numbers, words)
    return words[:used].astype("<u4", copy=False).data


@kernel
def write_rows(
    counts: Array, indices: Array, short: Array, long: Array, labels: Array, flag: int, wide: Array, out: Array
) -> Any:
    """Write the words of rows, and return how many; `wide` says which values are no short floats."""
    at = ZERO
    first = ZERO
    for t in range(counts.size):
        count = U(counts[t])
        kind = ONES
        for k in range(count):
            kind = max(kind, LONG if wide[first + k] else ONES if short[first + k] == 0x3F800000 else SHORT)
        label = labels[t]
        out[at], out[at + U(1)] = kind + flag, count
        out[at + U(2)], out[at + U(3)] = label & U(0xFFFFFFFF), label >> U(32)
        at += U(4)
        for k in range(count):
            out[at + k] = indices[first + k]
        at += count
        if kind == SHORT:
            for k in range(count):
                out[at + k] = short[first + k]
            at += count
        elif kind == LONG:
            for k in range(count):
                out[at + U(2) * k] = long[first + k] & U(0xFFFFFFFF)
                out[at + U(2) * k + U(1)] = long[first + k] >> U(32)
            at += U(2) * count
        first += count
    return at


def write_instance(x: Any) -> str:
    """An instance that is no row as a text: JSON without spaces of what JSON can hold, otherwise of its `repr`."""
    x = x.item() if isinstance(x, np.generic) else x
    try:
        return json.dumps(x, separators=(",", ":"), allow_nan=False, default=_to_plain)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(x))


def _to_plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(value)


def digest_advice(digest: Digest, experts: int) -> str:
    """The fingerprint of rounds of advice, in which an expert that says 0 differs from one that is not there."""
    return hashlib.sha256(f"{experts} {digest.text()}".encode()).hexdigest()


def _describe_form(chunk: Examples) -> tuple[str, int, str]:
    """The form of the rows of a chunk, the length of dense ones, and the type of their values."""
    kind = "ones" if chunk.values is None else chunk.values.dtype.name
    if chunk.indices is not None:
        return "listed", 0, kind
    return "dense", int(chunk.indptr[-1] - chunk.indptr[0]) // max(len(chunk), 1), kind


def _view_bytes(numbers: Array, kind: str) -> Any:
    """The numbers in a fixed type, little end first, without a copy where they have it."""
    return np.ascontiguousarray(numbers, kind).data


@kernel
def copy_stretches(starts: Array, counts: Array, numbers: Array, out: Array) -> Any:
    """Copy stretches of some numbers into `out`, one after another."""
    last = ZERO
    for i in range(starts.size):
        here = U(starts[i])
        for k in range(U(counts[i])):
            out[last + k] = numbers[here + k]
        last += U(counts[i])


def list_entries(chunk: Examples, which: Array) -> tuple[Array, Array, Array]:
    """The entries of some rows that are not 0.

    Returns:
        How many each row has.
        Their attributes.
        Their values.
    """
    if chunk.indices is None:
        assert chunk.values is not None
        dense = chunk.values[chunk.indptr[0] : chunk.indptr[-1]].reshape(len(chunk), -1)[which]
        rows, columns = np.nonzero(dense)
        return np.bincount(rows, minlength=len(which)), columns, dense[rows, columns]
    starts, counts = chunk.indptr[:-1][which], np.diff(chunk.indptr)[which]

    def choose(numbers: Array) -> Array:
        if len(which) == len(chunk):
            return numbers[chunk.indptr[0] : chunk.indptr[-1]]
        out = np.empty(int(counts.sum()), numbers.dtype)
        copy_stretches(starts, counts, numbers, out)
        return out

    indices = choose(chunk.indices)
    if chunk.values is None:
        return counts, indices, np.ones(len(indices), np.float32)
    values = choose(chunk.values)
    kept = values != 0
    if kept.all():
        return counts, indices, values
    rows = np.repeat(np.arange(len(which)), counts)[kept]
    return np.bincount(rows, minlength=len(which)), indices[kept], values[kept]


def add_constant(counts: Array, indices: Array, values: Array, constant: float | Array) -> tuple[Array, Array, Array]:
    """Put a constant, or one for each row, before the entries of each row: as column 0, attribute j becoming j + 1.

    Returns:
        Where each row starts, and where the last one ends.
        The columns.
        The values.
    """
    more = int(np.any(constant != 0))
    indptr = np.concatenate(([0], np.cumsum(counts + more)))
    columns = np.zeros(indptr[-1], np.int64)
    numbers = np.zeros(indptr[-1])
    given = np.ones(indptr[-1], bool)
    if more:
        given[indptr[:-1]], numbers[indptr[:-1]] = False, constant
    columns[given], numbers[given] = indices + 1, values
    return indptr, columns, numbers
