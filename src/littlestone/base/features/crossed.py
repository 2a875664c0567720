"""Crossed: products of attributes of two namespaces or columns, as attributes of their own.

A name's namespace is what stands before its first `^` or `=`, or all of it: `words^free` is in `words`, `colour=red` in
`colour`, `age` in `age`. For each pair such as "words:sender" a row gets one attribute more for every name of the first
and every name of the second: it is called by both names with a `*` between them, and its value is the product of their
values. A namespace crossed with itself gives each pair of different names once, in the order of the row.

>>> Crossed(Named(), ["colour:age"]).names({"colour=red": 1.0, "age": 39.0})
{'colour=red': 1.0, 'age': 39.0, 'colour=red*age': 39.0}
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row, Tokens
from littlestone.base.errors import BadInstance, BadModel, TooLarge, require
from littlestone.base.features.contract import OuterFeatures
from littlestone.base.features.dicts import read_named_values
from littlestone.base.features.hashed import Hashed
from littlestone.base.features.hashing import has_same_bytes, hash_name
from littlestone.base.features.named import Named
from littlestone.base.features.names import pack_names
from littlestone.compiled import kernel, read_value, rule

MOST = 1 << 24  # attributes of a row, its products among them
HAT, EQUALS, STAR = b"^=*"


@rule
def space(text: Array, start: Any, length: Any, known: Array, bounds: Array) -> Any:
    """The number of a name's namespace among those known, -1 for any other."""
    size = 0
    while size < length and text[start + size] != HAT and text[start + size] != EQUALS:
        size += 1
    for n in range(bounds.size - 1):
        if bounds[n + 1] - bounds[n] == size and has_same_bytes(known, bounds[n], text, start, size):
            return n
    return -1


@kernel
def cross(rows: Any, rule: Any, out: Any) -> Any:
    """Rows with their names, each once, and then their products: how many entries and bytes there are, or would be.

    Nothing is written from where there is no more room on, so that a first call without any measures. A row of more
    than MOST entries stops it: then its number is the third answer, otherwise -1.
    """
    (indptr, text, starts, lengths, keys, values), (known, bounds, pairs) = rows, rule
    out_indptr, out_text, out_starts, out_lengths, out_keys, out_values = out
    end = 0
    used = 0
    for t in range(indptr.size - 1):
        a = indptr[t]
        b = indptr[t + 1]
        spaces = np.full(b - a, -1, np.int64)
        sums = np.zeros(b - a)
        first = np.full(b - a, True)
        for k in range(a, b):
            spaces[k - a] = space(text, starts[k], lengths[k], known, bounds)
            sums[k - a] = 0.0 + np.float64(read_value(values, k))
            if spaces[k - a] >= 0:
                for j in range(a, k):
                    alike = first[j - a] and keys[j] == keys[k] and lengths[j] == lengths[k]
                    if alike and has_same_bytes(text, starts[j], text, starts[k], lengths[k]):
                        sums[j - a] += sums[k - a]
                        first[k - a] = False
                        break
        begun = end
        for k in range(a, b):
            if first[k - a]:
                if end < out_keys.size and used + lengths[k] <= out_text.size:
                    for j in range(lengths[k]):
                        out_text[used + j] = text[starts[k] + j]
                    out_starts[end], out_lengths[end], out_keys[end] = used, lengths[k], keys[k]
                    out_values[end] = sums[k - a]
                end = end + 1
                used = used + lengths[k]
        for p in range(len(pairs)):
            for k in range(a, b):
                if spaces[k - a] != pairs[p, 0] or not first[k - a]:
                    continue
                for j in range(k + 1 if pairs[p, 0] == pairs[p, 1] else a, b):
                    if spaces[j - a] != pairs[p, 1] or not first[j - a]:
                        continue
                    size = lengths[k] + 1 + lengths[j]
                    if end < out_keys.size and used + size <= out_text.size:
                        for i in range(lengths[k]):
                            out_text[used + i] = text[starts[k] + i]
                        out_text[used + lengths[k]] = STAR
                        for i in range(lengths[j]):
                            out_text[used + lengths[k] + 1 + i] = text[starts[j] + i]
                        out_starts[end], out_lengths[end], out_keys[end] = used, size, hash_name(out_text, used, size)
                        out_values[end] = sums[k - a] * sums[j - a]
                    end = end + 1
                    used = used + size
                    if end - begun > MOST:
                        return end, used, t
        out_indptr[t + 1] = end
    return end, used, -1


def add_products(chunk: Tokens, pairs: Iterable[str]) -> Tokens:
    """The same rows with the products of each pair of namespaces after their names.

    They end before a row of too many; if that is the first, its error.
    """
    known, numbers = _number_pairs(pairs)
    text = b"".join(known)
    bounds = np.cumsum([0, *map(len, known)])
    chunk = chunk.expand_names()
    rows = (chunk.indptr, chunk.text, chunk.starts, chunk.lengths, chunk.keys, chunk.values)
    rule = (np.frombuffer(text + b"\0", np.uint8), bounds, np.array(numbers, np.int64).reshape(-1, 2))
    indptr = np.zeros(len(chunk) + 1, np.int64)
    entries = 0
    size = 0
    for _ in range(2):
        spans = (np.empty(entries, np.int64), np.empty(entries, np.int32), np.empty(entries, np.uint64))
        room = np.empty(size, np.uint8)
        values = np.empty(entries)
        entries, size, wrong = cross(rows, rule, (indptr, room, *spans, values))
        require(wrong != 0, f"a row may have {MOST:,} attributes, products among them; one has more", TooLarge)
        if wrong > 0:
            return add_products(chunk[:wrong], pairs)
    return replace(chunk, indptr=indptr, text=room, starts=spans[0], lengths=spans[1], keys=spans[2], values=values)


def _number_pairs(pairs: Iterable[Any]) -> tuple[list[bytes], list[tuple[int, int]]]:
    """The namespaces that are crossed, and which of them with which."""
    known: dict[bytes, int] = {}
    numbers = []
    for pair in pairs:
        both = pair.split(":") if isinstance(pair, str) else []
        require(len(both) == 2 and all(both), f'a cross is two namespaces or columns, "a:b", got {pair!r}')
        one, other = (known.setdefault(name.encode("utf-8", "surrogateescape"), len(known)) for name in both)
        numbers.append((one, other))
    return list(known), numbers


@dataclass(slots=True)
class Crossed(OuterFeatures):
    """Named or hashed attributes and products of them.

    Args:
        features: What numbers attributes and products: Hashed() or Named().
        pairs: Which namespaces or columns to multiply, such as "words:sender"; one string or several.
    """

    features: Hashed | Named
    pairs: Iterable[str] = ()

    def __post_init__(self) -> None:
        self.pairs = (self.pairs,) if isinstance(self.pairs, str) else tuple(self.pairs)
        _number_pairs(self.pairs)

    def names(self, x: Any) -> dict[str, float]:
        """An instance with its products."""
        return self._make_tokens(x)[0]

    def __call__(self, x: Any) -> Row:
        read = self.features.read_chunk(self._make_tokens(x))
        assert isinstance(read, Examples)
        return read[0]

    def read_chunk(self, chunk: Chunk) -> Chunk:
        if isinstance(chunk, Tokens):
            return self.features.read_chunk(add_products(chunk, self.pairs))
        return OuterFeatures.read_chunk(self, chunk)

    def _make_tokens(self, x: Any) -> Tokens:
        require(isinstance(x, Mapping), f"crossed attributes come as a dict, got a {type(x).__name__}", BadInstance)
        named, values = read_named_values(x)
        told = "crossed attributes have names that are strings"
        require(all(isinstance(name, str) for name in named), told, BadInstance)
        row = Tokens(np.array([0, len(values)]), *pack_names(named), values.astype(np.float64), np.zeros(1, np.int32))
        return add_products(row, self.pairs)

    def record(self) -> dict[str, Any]:
        return {"features": self.features, "pairs": self.pairs}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        inner = record["features"]
        pairs = record["pairs"]
        right = isinstance(inner, Hashed | Named) and type(pairs) is tuple
        require(right, "products that no option asks for", BadModel)
        return cls(inner, pairs)
