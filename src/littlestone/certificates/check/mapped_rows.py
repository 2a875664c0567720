"""Certificates of learners over rows that were rewritten: products of attributes, attributes with their negations.

Such a certificate is that of the learner inside, over the rows that it saw. The rewriting is written down once more,
in the order in which the run formed it; the certificate is then checked on the rows that it gives.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.learner import UNLIMITED, Size
from littlestone.certificates.check.integer_rows import ColumnStream, open_stream
from littlestone.certificates.check.report import Report, require_words

MAPS = ("Interactions", "Duplicated")
WORD = 2**32 - 1
Check = Callable[[Certificate, Stream], Report]


class MappedStream(Stream):
    """The rounds of a stream with rewritten rows."""

    def __init__(
        self, stream: Stream, features: Any, about: Mapping[str, Any], declared: list[Any], rounds: int
    ) -> None:
        self.stream, self.reading = stream, Indexed() if features is None else features
        self.about = about
        self.declared = declared
        self.rounds = rounds
        self.attributes = stream.size().attributes
        if about["name"] == "Duplicated":
            self.attributes = about["attributes"] or self.attributes
            known = type(self.attributes) is int and self.attributes >= 1
            require(known, "negations are of attributes known from the start", NotCertified)
        else:
            degree = about["degree"]
            bits = about["bits"]
            known = type(degree) is int and 2 <= degree <= 64
            known = known and (bits is None or (type(bits) is int and 1 <= bits <= 30))
            require(known, f"no learner has parameters {dict(about)}", NotCertified)

    def size(self) -> Size:
        n = self.attributes
        if self.about["name"] == "Duplicated":
            return self.stream.size()._replace(attributes=2 * n)
        degree = self.about["degree"]
        bits = self.about["bits"]
        wide = (n and (1 << bits) + n) if bits else sum(comb(n, size) for size in range(1, degree + 1))
        return self.stream.size()._replace(attributes=wide)

    def classes(self) -> tuple[Any, ...]:
        return tuple(self.declared)

    def chunks(self) -> Iterator[Examples]:
        for chunk in take_rounds(self.stream.chunks(), self.rounds):
            left = chunk
            while len(left):
                seen = self.reading.read_chunk(left)
                if not isinstance(seen, Examples) or seen.importance is not None:
                    raise NotCertified("the rounds are not rows of attributes of equal importance")
                yield self._map(seen, left.labels[: len(seen)])
                left = left[len(seen) :]

    def _map(self, seen: Examples, labels: Any) -> Examples:
        """Some rounds with their rows rewritten."""
        real: Any = np.float32 if seen.values is None else seen.values.dtype.type
        starts = [0]
        numbers = list[int]()
        values = list[Any]()
        for t in range(len(seen)):
            a = int(seen.indptr[t])
            b = int(seen.indptr[t + 1])
            listed = range(b - a) if seen.indices is None else seen.indices[a:b].tolist()
            entries = [real(1)] * (b - a) if seen.values is None else list(seen.values[a:b])
            row = sorted((i, x) for i, x in zip(listed, entries, strict=True) if x != 0)
            for number, value in self._rewrite(row):
                numbers.append(number)
                values.append(value)
            starts.append(len(numbers))
        ones = seen.values is None or self.about["name"] == "Duplicated"
        given = None if ones else np.array(values, real)
        return Examples(np.array(starts), np.array(numbers, np.int32), given, labels, self.size().attributes)

    def _rewrite(self, row: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
        """A row as the learner inside saw it, by its entries that are not 0."""
        if self.about["name"] == "Interactions":
            return list_products(row, self.about["degree"], self.about["bits"] or 0)
        n = self.attributes
        require(all(i < n and x == 1 for i, x in row), f"a row is not one of {n} attributes of 0 or 1", NotCertified)
        active = {i for i, _ in row}
        return [(2 * i + (i not in active), 1.0) for i in range(n)]


def list_products(row: list[tuple[int, Any]], degree: int, bits: int) -> list[tuple[int, Any]]:
    """The products of 1 to `degree` attributes of a row, by number; a new value is multiplied with what was before.

    Attributes are taken in order. Hashed products that share a number are added where the first of them stands.
    """
    lower: list[list[tuple[tuple[int, ...], Any]]] = [[] for _ in range(degree)]  # entry d: of 1 to d attributes
    found = list[tuple[int, Any]]()
    places = dict[int, int]()
    for i, x in row:
        for chosen, value in [((i,), x), *(((*part, i), x * rest) for part, rest in lower[degree - 1])]:
            number = number_product(chosen, degree, bits)
            if bits and number in places:
                found[places[number]] = number, found[places[number]][1] + value
            else:
                places[number] = len(found)
                found.append((number, value))
        for d in range(degree - 1, 0, -1):
            lower[d] += [((i,), x), *(((*part, i), x * rest) for part, rest in lower[d - 1])]
    return found


def number_product(chosen: tuple[int, ...], degree: int, bits: int) -> int:
    """Without `bits`, by the highest attribute, then by the next; with them, by a hash of several attributes."""
    if not bits:
        lower = [sum(comb(i, size) for size in range(1, degree - k + 1)) for k, i in enumerate(chosen[::-1])]
        return sum(lower) + len(chosen) - 1
    if len(chosen) == 1:
        return (1 << bits) + chosen[0]
    total = 0
    for i in chosen:  # the last step of MurmurHash3
        word = i + 1
        word = (word ^ word >> 16) * 0x85EBCA6B & WORD
        word = (word ^ word >> 13) * 0xC2B2AE35 & WORD
        total += word ^ word >> 16
    return (total & WORD) >> (32 - bits)


def check_mapped(certificate: Certificate, stream: Stream, features: Any, check: Check) -> Report:
    """Check a certificate of a learner over rewritten rows; `check` is asked about the learner inside."""
    about = certificate.learner
    inner = certificate.learner["learner"]
    own = ("degree", "bits") if about["name"] == "Interactions" else ("attributes",)
    require_words(about, ("name", "learner", *own), ("real", "classes"))
    for name in own:
        whole = type(about[name]) is int and about[name] >= 1
        require(whole or (about[name] is None and name != "degree"), f"no {name} is {about[name]!r}", NotCertified)
    require("classes" not in inner and "real" not in inner, "a learner inside has no classes of its own", NotCertified)
    open_stream(certificate, stream, features, 0.0, UNLIMITED)
    declared = list(about.get("classes", []))
    require(certificate.version is not None, "rows that are rewritten came with version 1: it has none", NotCertified)
    mapped = MappedStream(stream, features, about, declared, certificate.rounds)
    digest = ColumnStream(mapped, None, declared, certificate.rounds, 0.0, UNLIMITED).survey(certificate.version).digest
    known: dict[str, Any] = {name: about[name] for name in ("real", "classes") if name in about}
    return check(replace(certificate, learner={**inner, **known}, stream=digest, columns=None), mapped)
