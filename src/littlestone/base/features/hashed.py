"""Hashed: attributes by the hash of their name or number, in 2^bits slots, whatever turns up.

Memory is fixed beforehand: every name has its slot, and names that meet in one slot are one attribute, their values
added. `collisions` counts the entries of rows whose slot was first taken by another name: of each slot 32 bits of its
first name's hash are kept, so one in 2^31 goes unnoticed, and so does the first name's own share. `slots` of them are
taken, and `entries` were read, those of `predict` among them. The first `remember` slots taken keep the name that took
them, so that what was learned can be read.

Rows list slots in the order in which they first appear, their values being float32.

>>> features = Hashed(bits=10)
>>> row = features({"free": 1.0, "money": 2.0})
>>> row.values.tolist(), [features.name(slot) for slot in row.indices.tolist()], features.collisions
([1.0, 2.0], ['free', 'money'], 0)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row, Tokens, to_floats
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import Features, read_row, require_as_many_values
from littlestone.base.features.dicts import read_named_values
from littlestone.base.features.hashing import add_to_hash, hash_number, hash_text, to_bytes, to_plain
from littlestone.base.features.names import copy_names, hash_any_names
from littlestone.base.features.numbered_columns import number_chunk, number_instance
from littlestone.compiled import U, kernel, late_kernel, prefetch, read_attribute, read_value

ENTRIES, COLLISIONS, SLOTS, FRESH = range(4)  # what `counts` holds; the last: of how many slots a name was asked
ZERO, ONE, WORD, LOW = U(0), U(1), U(64), U(2**32 - 1)
HIGHEST = float(np.finfo(np.float32).max)


@kernel
def number_keys(indices: Array, keys: Array) -> Any:
    """Write the keys of attribute numbers."""
    for k in range(indices.size):
        keys[k] = hash_number(indices[k])


@late_kernel(lambda indptr, keys, *rest: keys.size)
def fold(
    indptr: Array,
    keys: Array,
    which: Any,
    values: Any,
    bits: int,
    salt: Any,
    tags: Array,
    counts: Array,
    fresh: Array,
    out_indptr: Array,
    out_indices: Array,
    out_values: Array,
) -> Any:
    """Rows of keys, one for each entry or by number, to rows of slots; how many were done before one not finite.

    Entries of one key are summed first, then keys of one slot, both in their order: a row of names without duplicates
    gives the same bits. `fresh` lists slot and entry of what took a slot.
    It is called every round, so it takes one argument for each array.
    """
    longest = 1
    for t in range(indptr.size - 1):
        longest = max(longest, indptr[t + 1] - indptr[t])
    size = 4
    while size < 2 * longest:
        size *= 2
    heads = np.full(size, -1, np.int64)  # by the low bits of a slot; a row's places lie above those of rows before it
    mask = U(size - 1)
    shift = WORD - U(bits)
    slots = np.empty(longest, np.int64)
    own = np.empty(longest, np.uint64)
    sums = np.empty(longest, np.float64)
    chain = np.empty(longest, np.int64)
    first = np.empty(longest, np.int64)
    end = 0
    base = 0
    for t in range(indptr.size - 1):
        count = 0
        for k in range(indptr[t], indptr[t + 1]):
            mixed = add_to_hash(keys[read_attribute(which, U(k), ZERO)] ^ salt, ZERO)
            slot = np.int64(mixed >> shift)
            value = 0.0 + np.float64(read_value(values, k))
            at = U(slot) & mask
            while heads[at] >= base and slots[heads[at] - base] != slot:
                at = (at + ONE) & mask
            here = heads[at] - base
            before = np.int64(-1)
            while here >= 0 and own[here] != mixed:
                here, before = chain[here], here
            if here >= 0:
                sums[here] += value
                continue
            prefetch(tags, slot)
            slots[count], own[count], sums[count], chain[count], first[count] = slot, mixed, value, -1, k
            if before >= 0:
                chain[before] = count
            else:
                heads[at] = base + count
            count += 1
        base += count
        start = end
        for j in range(count):  # the entries in front of their chains, in order
            if slots[j] >= 0:
                total = sums[j]
                here = chain[j]
                while here >= 0:
                    total += sums[here]
                    slots[here] = -1 - slots[here]  # told apart, and not lost
                    here = chain[here]
                value32 = np.float32(total)
                if not np.isfinite(value32):
                    return t
                out_indices[end], out_values[end] = slots[j], value32
                end += 1
        out_indptr[t + 1] = end
        counts[ENTRIES] += count
        if end - start < count:
            for j in range(count):
                slots[j] = max(slots[j], -1 - slots[j])
        for j in range(count):
            at = U(slots[j])
            tag = np.uint32((own[j] | ONE) & LOW)
            if tags[at] == 0:
                tags[at] = tag
                counts[SLOTS] += 1
                fresh[0, counts[FRESH]], fresh[1, counts[FRESH]] = slots[j], first[j]
                counts[FRESH] += 1
            elif tags[at] != tag:
                counts[COLLISIONS] += 1
    return indptr.size - 1


@dataclass(slots=True)
class Hashed(Features):
    """Names or numbers hashed to a fixed number of attributes.

    Args:
        bits: There are 2^bits attributes, 1 to 30. More means fewer collisions and more memory.
        seed: Changes which names collide, for data in which someone chose names that do.
        remember: How many names to keep for `explain`, >= 0; 0 keeps none.
    """

    bits: int = 22
    seed: int = 0
    remember: int = 100_000
    width: int = field(default=0, init=False)
    _salt: Any = field(default=None, init=False, repr=False)
    _tags: Array = field(init=False, repr=False)
    _counts: Array = field(init=False, repr=False)
    columns: tuple[str, ...] = field(default=(), init=False, repr=False)  # of a table of numbers, in their order
    _names: dict[int, Any] = field(default_factory=dict, init=False, repr=False)
    _waiting: list[tuple[Array, bytes, Array]] = field(default_factory=list, init=False, repr=False)
    _taken: list[Array] = field(default_factory=list, init=False, repr=False, compare=False)  # slots, since a mark

    def __post_init__(self) -> None:
        require(1 <= self.bits <= 30, f"bits must be 1 to 30, got {self.bits}")
        require(0 <= self.seed < 2**63, f"seed must be in [0, 2^63), got {self.seed}")
        require(self.remember >= 0, f"remember must be at least 0, got {self.remember}")
        self.width = 1 << self.bits
        self._salt = U(hash_text(self.seed.to_bytes(8, "little")))
        self._tags, self._counts = np.zeros(self.width, np.uint32), np.zeros(4, np.int64)

    @property
    def entries(self) -> int:
        """How many names or numbers were read, each once a row."""
        return int(self._counts[ENTRIES])

    @property
    def collisions(self) -> int:
        """How many of them met a slot that another had taken first."""
        return int(self._counts[COLLISIONS])

    @property
    def slots(self) -> int:
        """How many slots are taken."""
        return int(self._counts[SLOTS])

    @property
    def names(self) -> dict[int, Any]:
        """The names that are remembered, by the slots they took first."""
        for slots, text, lengths in self._waiting:  # made when they are asked for, and not while a stream is read
            at = 0
            for slot, length in zip(slots.tolist(), lengths.tolist(), strict=True):
                self._names[slot] = text[at : at + length].decode("utf-8", "surrogateescape")
                at += length
        self._waiting.clear()
        return self._names

    def name(self, number: int) -> Any:
        """The name that first took a slot; None if nothing did or it is not remembered."""
        return self.names.get(number)

    def mark(self) -> bytes:
        self._taken.clear()
        return self._counts.tobytes()

    def undo(self, mark: bytes) -> None:
        for slots in self._taken:
            self._tags[slots] = 0
            for slot in slots.tolist():
                self.names.pop(slot, None)
        self._counts[:] = np.frombuffer(mark, np.int64)

    def slot(self, name: str | bytes | int) -> int:
        """The slot of a name or number."""
        key = hash_text(to_bytes(name))
        return int(add_to_hash(U(key) ^ self._salt, ZERO) >> WORD - U(self.bits))

    def __call__(self, x: Any) -> Row:
        names, values = _read(number_instance(x, self.columns) if self.columns else x)
        if isinstance(names, np.ndarray):
            keys = np.empty(len(names), np.uint64)
            number_keys(names, keys)
        else:
            keys = hash_any_names(names)
        indptr, indices, sums, (slots, first) = self._fold(np.array([0, len(keys)]), keys, None, values)
        require(len(indptr) == 2, f"attributes must be finite numbers, {HIGHEST} at most", BadInstance)
        if len(slots):
            self.names.update(
                (slot, to_plain(names[k])) for slot, k in zip(slots.tolist(), first.tolist(), strict=True)
            )
        return Row(indices, sums)

    def read_chunk(self, chunk: Chunk) -> Chunk:
        if self.columns:
            chunk = number_chunk(chunk, self.columns)
        if isinstance(chunk, Tokens):
            *rows, (slots, first) = self._fold(chunk.indptr, chunk.keys, chunk.which, chunk.values)
            if len(slots):
                first = first if chunk.which is None else chunk.which[first]
                self._waiting.append((slots, *copy_names(chunk.text, chunk.starts, chunk.lengths, first)))
        elif isinstance(chunk, Examples):
            listed = chunk.to_sparse()
            assert listed.indices is not None
            a = listed.indptr[0]
            b = listed.indptr[-1]
            keys = np.empty(b - a, np.uint64)
            numbers = listed.indices[a:b]
            values = listed.values
            number_keys(numbers, keys)
            *rows, (slots, first) = self._fold(listed.indptr - a, keys, None, None if values is None else values[a:b])
            self.names.update(zip(slots.tolist(), numbers[first].tolist(), strict=True))
        else:
            return Features.read_chunk(self, chunk)
        done = len(rows[0]) - 1
        require(done > 0 or not len(chunk), f"attributes must be finite numbers, {HIGHEST} at most", BadInstance)
        importance = None if chunk.importance is None else chunk.importance[:done]
        return Examples(rows[0], rows[1], rows[2], chunk.labels[:done], self.width, importance)

    def _fold(self, indptr: Array, keys: Array, which: Any, values: Any) -> tuple[Array, Array, Array, Array]:
        """Leading rows of slots: where each starts, the slots, their values; and slots to remember, with an entry."""
        entries = int(indptr[-1] - indptr[0])
        left = self.remember - len(self._names) - sum(len(slots) for slots, *_ in self._waiting)
        fresh = np.empty((2, entries), np.int64)
        starts = np.zeros_like(indptr)
        indices = np.empty(entries, np.int32)
        sums = np.empty(entries, np.float32)
        self._counts[FRESH] = 0
        rule = (self.bits, self._salt, self._tags, self._counts, fresh)
        done = fold(indptr, keys, which, values, *rule, starts, indices, sums)
        # what is remembered holds no more than itself
        end = starts[done]
        new = fresh[:, : self._counts[FRESH]].copy()
        if new.size:
            self._taken.append(new[0])
        return starts[: done + 1], indices[:end], sums[:end], new[:, :left]

    def record(self) -> dict[str, Any]:
        names = [list(pair) for pair in self.names.items()]
        options = {"bits": self.bits, "seed": self.seed, "remember": self.remember}
        columns = {"columns": self.columns} if self.columns else {}
        return {**options, **columns, "names": names, "tags": self._tags, "counts": self._counts[:FRESH]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        options = {name: record[name] for name in ("bits", "seed", "remember")}
        names = dict(record["names"])
        tags = record["tags"]
        counts = record["counts"]
        columns = record.get("columns", ())
        require(type(columns) is tuple and all(type(one) is str for one in columns), "other columns", BadModel)
        require(all(type(value) is int for value in options.values()), f"options {options}", BadModel)
        arrays = isinstance(tags, np.ndarray) and isinstance(counts, np.ndarray)
        told = arrays and (tags.dtype, counts.dtype, counts.shape) == (np.uint32, np.int64, (FRESH,))
        require(told and 1 <= options["bits"] <= 30 and tags.shape == (1 << options["bits"],), "other tags", BadModel)
        features = cls(**options)
        kept = all(type(slot) is int and 0 <= slot < len(tags) for slot in names) and len(names) <= features.remember
        require(kept and all(isinstance(name, str | int) for name in names.values()), "other names", BadModel)
        entries, collisions, slots = counts.tolist()
        counted = slots == np.count_nonzero(tags) and 0 <= collisions <= entries - slots
        require(counted, f"{collisions} collisions of {entries} entries in {slots} slots", BadModel)
        features._names, features._tags, features._counts[:FRESH] = names, tags, counts
        features.columns = columns
        return features


def _read(x: Any) -> tuple[Any, Any]:
    """Names or an array of numbers, with their values."""
    if isinstance(x, Mapping):
        named, given = read_named_values(x)
        return list(named), given
    require(not isinstance(x, str | bytes), f"a text needs features=Words(), got {x!r:.60}", BadInstance)
    listed = isinstance(x, tuple) and len(x) == 2 and (isinstance(x[0], list | tuple) or np.ndim(x[0]) == 1)
    if listed and len(x[0]) and isinstance(x[0][0], str):
        names = list(x[0])
        values = None if x[1] is None else to_floats(x[1])
        require_as_many_values(len(names), "names", values)
        return names, values
    row = read_row(x).to_sparse()
    assert row.indices is not None
    low = int(row.indices.min(initial=0))
    require(low >= 0, f"attribute numbers must be at least 0, got {low}", BadInstance)
    return row.indices, row.values
