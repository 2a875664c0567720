"""Named: attributes by name, each new name getting the next number.

The dictionary is exact and grows with what it meets, or up to `limit` attributes. Beyond that the newest name yields,
because the weight of an attribute that was given up and its number given to another would be part of no theorem: with
`evict="newest"` a further name is left out of its row, which is then an instance over the attributes that are kept;
with `evict="merge"` all further names are one attribute, the last. `beyond` counts the entries of rows it happened to.

Rows list attributes in the order of their names, their values being float64 unless all were float32.

>>> Named()({"free": 1, "money": 2.0})
Row(indices=array([0, 1], dtype=int32), values=array([1., 2.]))
>>> features = Named(limit=2)
>>> features({"free": 1, "money": 2.0, "now": 1})
Row(indices=array([0, 1], dtype=int32), values=array([1., 2.]))
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row, Tokens
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import TOP, Features, require_finite
from littlestone.base.features.dictionary import (
    BEYOND,
    BYTES,
    LENGTH,
    NAMES,
    NO_BYTES,
    NO_ROOM,
    NOT_FINITE,
    Dictionary,
    NumberedRows,
    Spans,
    fill_slots,
    list_names,
    make_dictionary,
    make_room,
    number_names,
    number_rows,
)
from littlestone.base.features.dicts import read_named_values
from littlestone.base.features.names import pack_names
from littlestone.base.features.numbered_columns import name_chunk, name_instance

OTHERS = "(others)"  # the name of the attribute that names beyond the limit share
END = "\0" * 8  # after names that are joined
NOTHING: Array = np.zeros(0, np.int32)  # numbers known of names that come once


@dataclass(slots=True)
class Named(Features):
    """Attributes by name, numbered in the order in which they come.

    Args:
        limit: How many names may have a number of their own, >= 1; None: all.
        evict: What becomes of names beyond the limit: "newest" ignores them, "merge" gives them one number together.
    """

    limit: int | None = None
    evict: Literal["newest", "merge"] = "newest"
    width: int = field(default=0, init=False)
    _known: Dictionary = field(default_factory=make_dictionary, init=False, repr=False)
    _others: dict[Any, int] = field(default_factory=dict, init=False, repr=False)  # names that are no strings
    _names: dict[Any, int] = field(default_factory=dict, init=False, repr=False)  # those listed already, all of them
    _listed: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)  # the same, in order
    _exact: int = field(default=TOP, init=False, repr=False)  # how many names have a number of their own
    _other: int = field(default=-1, init=False, repr=False)  # the number of all the others

    def __post_init__(self) -> None:
        require(self.limit is None or 1 <= self.limit < TOP, f"limit must be None or at least 1, got {self.limit}")
        require(self.evict in ("newest", "merge"), f'evict must be "newest" or "merge", got {self.evict!r}')
        if self.limit is not None:
            shared = self.evict == "merge"
            self._exact, self._other = self.limit - shared, self.limit - 1 if shared else -1

    @property
    def numbers(self) -> dict[Any, int]:
        """Every name that has a number of its own."""
        self._list_new_names()
        return self._names

    def _list_new_names(self) -> None:
        count = len(self._listed)
        if count < self._known.counts[NAMES]:
            holes = {number: name for name, number in self._others.items()}
            named = enumerate(list_names(self._known, count), count)
            self._listed += [holes.get(number) if name is None else name for number, name in named]
            self._names |= zip(self._listed[count:], range(count, len(self._listed)), strict=True)

    @property
    def beyond(self) -> int:
        """How many entries of rows had names beyond the limit."""
        return int(self._known.counts[BEYOND])

    def name(self, number: int) -> Any:
        """The name of an attribute."""
        if number == self._other:
            return OTHERS
        if len(self._listed) <= number:
            self._list_new_names()
        return self._listed[number]

    def mark(self) -> bytes:
        return self._known.counts.tobytes()

    def undo(self, mark: bytes) -> None:
        known = self._known
        before = np.frombuffer(mark, np.int64)
        if before[NAMES] < known.counts[NAMES]:
            for names in (self._others, self._names):
                for name in [name for name, number in names.items() if number >= before[NAMES]]:
                    del names[name]
            del self._listed[before[NAMES] :]
            known.slots.fill(-1)
            known.counts[:] = before
            fill_slots(*known)
        known.counts[:] = before
        self._measure()

    def __call__(self, x: Any) -> Row:
        if type(x) is not dict:
            x = name_instance(x)
            require(isinstance(x, Mapping), f"named attributes come as a dict, got a {type(x).__name__}", BadInstance)
        x, values = read_named_values(x)
        try:
            joined = np.frombuffer(("\0".join(x) + END).encode("utf-8", "surrogateescape"), np.uint8)
        except (TypeError, UnicodeEncodeError):  # a name that is no string, or none that UTF-8 can write
            return self._read_one_by_one(x, require_finite(values))
        indices = np.empty(len(values), np.int32)
        length = number_names(*self._known, joined, values, self._exact, self._other, indices)
        while length == NO_ROOM:
            self._grow(len(values), len(joined))
            length = number_names(*self._known, joined, values, self._exact, self._other, indices)
        if length < 0:
            return self._read_one_by_one(
                x, require_finite(values)
            )  # values that are not finite, or a name with a zero byte
        self._measure()
        return Row(indices, values) if length == len(values) else Row(indices[:length], values[:length])

    def read_chunk(self, chunk: Chunk) -> Chunk:
        chunk = name_chunk(chunk)
        if not isinstance(chunk, Tokens):
            return Features.read_chunk(self, chunk)
        entries = int(chunk.indptr[-1] - chunk.indptr[0])
        starts = np.zeros(len(chunk) + 1, np.int64)
        indices = np.empty(entries, np.int32)
        sums = np.empty(entries)
        found = np.full(0 if chunk.which is None else len(chunk.keys), -1, np.int32)
        listed = (chunk.starts, chunk.lengths, chunk.keys, chunk.which, found, chunk.values)
        done = 0
        why = NO_ROOM
        while why == NO_ROOM:
            out = NumberedRows(starts[done:], indices[starts[done] :], sums[starts[done] :])
            spans = Spans(chunk.text, chunk.indptr[done:], *listed)
            more, why = number_rows(self._known, spans, self._exact, self._other, out)
            starts[done + 1 : done + more + 1] += starts[done]
            done += more
            if why == NO_ROOM:
                a = chunk.indptr[done]
                b = chunk.indptr[done + 1]
                names = slice(a, b) if chunk.which is None else chunk.which[a:b]
                self._grow(int(b - a), int(chunk.lengths[names].sum()))
        require(done > 0 or why != NOT_FINITE, "attributes must be finite numbers, got NaN or infinity", BadInstance)
        self._measure()
        importance = None if chunk.importance is None else chunk.importance[:done]
        end = starts[done]
        return Examples(starts[: done + 1], indices[:end], sums[:end], chunk.labels[:done], self.width, importance)

    def _read_one_by_one(self, x: Mapping[Any, Any], values: Array) -> Row:
        """A row with names of all kinds; those that are no strings have numbers among the others and no bytes."""
        sums: dict[int, Any] = {}
        for name, value in zip(x, values, strict=True):
            number = self._number(name)
            if number >= 0:
                sums[number] = sums[number] + value if number in sums else value
        self._measure()
        return Row(np.array(list(sums), np.int32), np.array(list(sums.values()), values.dtype))

    def _number(self, name: Any) -> int:
        if name in self._others:
            return self._others[name]
        try:
            require(isinstance(name, str), "not bytes", BadInstance)
            return self._read(pack_names([name]), self._exact, self._other)
        except BadInstance:
            self._grow(1, 0)
            count = self._known.counts[NAMES]
            if count < self._exact:
                self._known.counts[NAMES], self._known.names[count, LENGTH] = count + 1, NO_BYTES
                self._others[name] = int(count)
                return int(count)
            self._known.counts[BEYOND] += 1
            return self._other

    def _grow(self, names: int, text: int) -> None:
        """Make room for a number of names of a number of bytes."""
        known = self._known
        need = int(known.counts[NAMES]) + names + 1
        used = int(known.counts[BYTES]) + text
        if need > len(known.names) or used > len(known.text):
            self._known = make_room(known, need, used)

    def _measure(self) -> None:
        counts = self._known.counts
        self.width = self._other + 1 if self._other >= 0 and counts[BEYOND] else int(counts[NAMES])

    def record(self) -> dict[str, Any]:
        return {"limit": self.limit, "evict": self.evict, "beyond": self.beyond, "names": list(self.numbers)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        limit = record["limit"]
        beyond = record["beyond"]
        names = record["names"]
        whole = all(type(value) is int for value in (0 if limit is None else limit, beyond)) and 0 <= beyond < 2**62
        require(whole and isinstance(names, list), f"a limit of {limit} and {beyond} names beyond it", BadModel)
        features = cls(limit, record["evict"])
        require(len(names) <= features._exact, f"{len(names)} names are more than the limit {limit}", BadModel)
        require(limit is not None or not beyond, f"{beyond} names beyond no limit", BadModel)
        try:
            features._read(pack_names(names))
        except (BadInstance, TypeError, AttributeError):  # not all of them are strings that UTF-8 can write
            features = cls(limit, record["evict"])
            for name in names:
                features._number(name)
        differ = features._known.counts[NAMES] == len(names) == len(features.numbers)
        require(differ, "names of attributes must differ from one another", BadModel)
        features._known.counts[BEYOND] = beyond
        features._measure()
        return features

    def _read(self, names: tuple[Array, Array, Array, Array], limit: int = TOP, other: int = -1) -> int:
        """Give each name a number, and return that of the first one; -1 if it has none."""
        text, starts, lengths, keys = names
        self._grow(len(lengths), len(text))
        spans = Spans(text, np.array([0, len(lengths)]), starts, lengths, keys, None, NOTHING, None)
        out = NumberedRows(np.zeros(2, np.int64), np.empty(len(lengths), np.int32), np.empty(len(lengths)))
        number_rows(self._known, spans, limit, other, out)
        return int(out.indices[0]) if out.indptr[1] else -1
