"""Pages: the rounds of a stream as whole numbers see them.

The first rounds of any stream, read through features and labels as a player reads them, come as rows over columns;
column 0 is the constant attribute, column j + 1 is attribute j. A float is a whole number times a power of two:
`fraction_bits` says which power serves a whole stream.

>>> fraction_bits(np.array([1.0, 0.75, -6.0])), scaled(0.75, 2)
(2, 3)
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.certificates.digest import Digest, listed


class Page(NamedTuple):
    """Some rounds: rows over columns, column 0 being the constant attribute, and the class numbers."""

    first: int
    indptr: Array
    columns: Array
    values: Array
    codes: Array

    def row(self, t: int, bits: int) -> tuple[list[int], list[int]]:
        """A row's columns, and its values in units of 2^-bits."""
        part = slice(self.indptr[t], self.indptr[t + 1])
        return self.columns[part].tolist(), [scaled(value, bits) for value in self.values[part].tolist()]


class Seen(NamedTuple):
    """A first look at the rounds: their digest, classes, bits of the values, and whether the first label surprises."""

    digest: str
    rounds: int
    classes: int
    width: int
    bits: int
    surprise: bool


def read_rounds(stream: Stream, read: Any, labels: Labels, rounds: int, limit: int) -> Iterator[Any]:
    """The first rounds of a stream, chunk by chunk as `read` reads them, labelled by their class numbers."""
    left = rounds
    for chunk in stream.chunks():
        part = chunk[:left]
        while len(part):
            seen = read(part)
            codes = labels.encode(part.labels[: len(seen)], limit)
            yield seen.labelled(codes)
            left, part = left - len(codes), part[len(codes) :]
        if left <= 0:
            break


def is_surprise(stream: Stream, declared: list[Any]) -> bool:
    """Whether no guess can have meant the first label of a stream, as no classes were known."""
    return Labels(declared).is_surprise(next(iter(stream.chunks())).labels[:1][0])


def pages(stream: Stream, features: Any, labels: Labels, rounds: int, constant: float, limit: int) -> Iterator[Page]:
    """The first rounds of a stream as pages."""
    first = 0
    for seen in read_rounds(stream, features.chunk, labels, rounds, limit):
        if not isinstance(seen, Examples) or seen.importance is not None:
            raise NotCertified("the rounds are not rows of attributes of equal importance")
        counts, indices, values = listed(seen, np.arange(len(seen)))
        more = int(constant != 0)
        indptr = np.concatenate(([0], np.cumsum(counts + more)))
        columns, numbers = np.zeros(indptr[-1], np.int64), np.full(indptr[-1], constant)
        given = np.ones(indptr[-1], bool)
        if more:
            given[indptr[:-1]] = False
        columns[given], numbers[given] = indices + 1, values
        yield Page(first, indptr, columns, numbers, seen.labels)
        first += len(seen)


def look(stream: Stream, features: Any, declared: list[Any], rounds: int, constant: float, limit: int) -> Seen:
    """The digest of the first rounds, and what must be known before they are gone through."""
    require(len(declared) <= limit, f"{len(declared)} classes are too many for this learner", NotCertified)
    digest, labels = Digest(), Labels(declared)
    width, need, top, surprise = 1, fraction_bits(np.array([constant])), 1, False
    for page in pages(stream, features, labels, rounds, 0.0, limit):
        if page.first == 0:
            surprise = is_surprise(stream, declared)
        indices = (page.columns - 1).astype(np.int32)
        digest.add(Examples(page.indptr, indices, page.values, page.codes, 0))
        width = max(width, int(page.columns.max(initial=0)) + 1)
        need, top = max(need, fraction_bits(page.values)), max(top, int(page.codes.max(initial=0)))
    return Seen(digest.text(), digest.rounds, max(top + 1, len(labels)), width, need, surprise)


def opened(certificate: Certificate, stream: Stream, features: Any, constant: float, limit: int) -> Seen:
    """A first look at the rounds that a certificate speaks of; refused if they are others, or listed out of order."""
    rounds, updated = certificate.rounds, certificate.updated
    seen = look(stream, fresh(features), list(certificate.learner.get("classes", [])), rounds, constant, limit)
    require(seen.rounds == rounds, f"the stream has {seen.rounds} rounds, not {rounds}", NotCertified)
    require(seen.digest == certificate.stream, "the rounds are not those of the certificate", NotCertified)
    whole = all(type(number) is int for number in (*updated, *certificate.marks))
    rising = whole and all(a < b for a, b in zip((-1, *updated), (*updated, rounds), strict=True))
    require(rising, "the update rounds are not listed in order", NotCertified)
    return seen


def fraction_bits(values: Array) -> int:
    """The least k for which all values are whole multiples of 2^-k."""
    mantissas, exponents = np.frexp(values[values != 0])
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return int(np.max(53 - trailing - exponents, initial=0))


def scaled(value: float, bits: int) -> int:
    """value times 2^bits, which is whole."""
    numerator, denominator = value.as_integer_ratio()
    return (numerator << bits) // denominator


def fresh(features: Any) -> Any:
    """Features that have met nothing yet, or those that were given."""
    return Indexed() if features is None else features
