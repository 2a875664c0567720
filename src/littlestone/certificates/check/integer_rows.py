"""The rounds of a stream as a checker reads them: rows over columns, of whole numbers times a power of two.

The first rounds of any stream, read through features and labels as a player reads them, come as rows over columns;
column 0 is the constant attribute, column j + 1 is attribute j. A float is a whole number times a power of two:
`count_fraction_bits` says which power serves a whole stream.

>>> count_fraction_bits(np.array([1.0, 0.75, -6.0])), scale_up(0.75, 2)
(2, 3)
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import NEGATIVE, POSITIVE, Labels
from littlestone.certificates.digest import Digest, add_constant, list_entries


class ColumnChunk(NamedTuple):
    """Some rounds: rows over columns, column 0 being the constant attribute, and the class numbers."""

    first: int
    indptr: Array
    columns: Array
    values: Array
    codes: Array

    def row(self, t: int, bits: int) -> tuple[list[int], list[int]]:
        """The columns of a row, and its values in units of 2^-bits."""
        part = slice(self.indptr[t], self.indptr[t + 1])
        return self.columns[part].tolist(), [scale_up(value, bits) for value in self.values[part].tolist()]


class Stretch(NamedTuple):
    """Rounds of a chunk that are played with the same weights: up to an update, or to the end of the chunk."""

    chunk: ColumnChunk
    start: int  # its place in the chunk
    update: int | None  # the number of the update in which it ends
    codes: Array
    lengths: Array  # how many entries each row has
    rows: Array  # to which row each entry belongs
    columns: Array  # of the entries
    values: Array

    @property
    def first(self) -> int:
        """The number of its first round."""
        return self.chunk.first + self.start

    @property
    def listed(self) -> Array:
        """Whether each round is an update."""
        last = np.zeros(len(self.codes), bool)
        last[-1] = self.update is not None
        return last

    def row(self, r: int, bits: int) -> tuple[list[int], list[int]]:
        """The columns and the values of one of its rows, in units of 2^-bits."""
        return self.chunk.row(self.start + r, bits)

    def add_up(self, parts: Array) -> Array:
        """The sum over each row of one number for each entry."""
        return np.bincount(self.rows, weights=parts, minlength=len(self.codes))


def cut_at_updates(chunks: Iterable[ColumnChunk], updated: tuple[int, ...]) -> Iterator[Stretch]:
    """Rounds cut after each update; refuse an update beyond the last round."""
    place = 0
    for chunk in chunks:
        t = 0
        while t < len(chunk.codes):
            due = updated[place] - chunk.first if place < len(updated) else len(chunk.codes)
            end = min(due + 1, len(chunk.codes))
            part = slice(chunk.indptr[t], chunk.indptr[end])
            lengths = np.diff(chunk.indptr[t : end + 1])
            rows = np.repeat(np.arange(end - t), lengths)
            given = chunk.codes[t:end], lengths, rows, chunk.columns[part], chunk.values[part]
            yield Stretch(chunk, t, place if due < end else None, *given)
            place = place + (due < end)
            t = end
    require(place == len(updated), "an update is listed beyond the last round", NotCertified)


class StreamFacts(NamedTuple):
    """What must be known of rounds before they are gone through."""

    digest: str
    rounds: int
    classes: int
    width: int  # columns
    bits: int  # all values are whole multiples of 2^-bits
    surprise: bool = False  # whether the first guess is a mistake whatever it was


@dataclass(frozen=True)
class ColumnStream:
    """The first rounds of a stream, to be read as often as needed.

    Args:
        stream: The rounds.
        features: What reads instances; None: as attributes by number.
        declared: The classes known before the first round.
        rounds: How many rounds to read.
        constant: The value of the constant attribute; 0 leaves it out.
        limit: How many classes the learner tells apart.
        weighed: Whether rounds may be of unequal importance, of which nothing is read here.
    """

    stream: Stream
    features: Any
    declared: list[Any]
    rounds: int
    constant: float
    limit: int
    weighed: bool = False

    def read(self, labels: Labels | None = None, constant: float | None = None) -> Iterator[ColumnChunk]:
        """The rounds from the first one on; `labels`, if given, are told the classes as they turn up."""
        labels = labels or Labels(self.declared)
        constant = self.constant if constant is None else constant
        features = Indexed() if self.features is None else self.features.renew()
        first = 0
        for seen in read_rounds(self.stream, features.read_chunk, labels, self.rounds, self.limit):
            if not isinstance(seen, Examples) or not (self.weighed or seen.importance is None):
                raise NotCertified("the rounds are not rows of attributes of equal importance")
            counts, indices, values = list_entries(seen, np.arange(len(seen)))
            yield ColumnChunk(first, *add_constant(counts, indices, values, constant), seen.labels)
            first += len(seen)

    def survey(self, version: int | None = VERSION) -> StreamFacts:
        """Read all rounds once, for their digest, by this version, and what a replay of them needs to know."""
        many = len(self.declared)
        require(many <= self.limit, f"{many} classes are too many for this learner", NotCertified)
        digest = Digest(version)
        labels = Labels(self.declared)
        width = 1
        bits = count_fraction_bits(np.array([self.constant]))
        top = 1
        for chunk in self.read(labels, constant=0.0):
            indices = (chunk.columns - 1).astype(np.int32)
            digest.add(Examples(chunk.indptr, indices, chunk.values, chunk.codes, 0))
            width = max(width, int(chunk.columns.max(initial=0)) + 1)
            bits = max(bits, count_fraction_bits(chunk.values))
            top = max(top, int(chunk.codes.max(initial=0)))
        return StreamFacts(digest.text(), digest.rounds, max(top + 1, len(labels)), width, bits)


def open_stream(
    certificate: Certificate, stream: Stream, features: Any, constant: float, limit: int, weighed: bool = False
) -> tuple[ColumnStream, StreamFacts]:
    """Look at the rounds that a certificate speaks of, and refuse others, or update rounds listed out of order.

    Returns:
        The rounds, to be read again.
        What is known of them.
    """
    declared = list(certificate.learner.get("classes", []))
    rounds = certificate.rounds
    updated = certificate.updated
    again = ColumnStream(stream, features, declared, rounds, constant, limit, weighed)
    facts = again.survey(certificate.version)
    facts = facts._replace(surprise=is_surprise(stream, certificate.learner))
    require_same_rounds(certificate, facts.rounds, facts.digest)
    require_rising(updated, certificate.marks, rounds)
    return again, facts


def require_same_rounds(certificate: Certificate, rounds: int, digest: str) -> None:
    """Refuse rounds that are not those of the certificate, by their number and their fingerprint."""
    require(rounds == certificate.rounds, f"the stream has {rounds} rounds, not {certificate.rounds}", NotCertified)
    require(digest == certificate.stream, "the rounds are not those of the certificate", NotCertified)


def require_rising(updated: tuple[int, ...], marks: tuple[int, ...], rounds: int) -> None:
    """Refuse update rounds that are not listed in order."""
    whole = all(type(number) is int for number in (*updated, *marks))
    rising = whole and all(a < b for a, b in zip((-1, *updated), (*updated, rounds), strict=True))
    require(rising, "the update rounds are not listed in order", NotCertified)


def read_rounds(stream: Stream, read: Any, labels: Labels, rounds: int, limit: int) -> Iterator[Any]:
    """The first rounds of a stream, chunk by chunk as `read` reads them, labelled by their class numbers."""
    left = rounds
    for chunk in stream.chunks():
        part = chunk[:left]
        while len(part):
            seen = read(part)
            codes = labels.encode(part.labels[: len(seen)], limit)
            yield seen.with_labels(codes)
            left = left - len(codes)
            part = part[len(codes) :]
        if left <= 0:
            break


def is_surprise(stream: Stream, about: Mapping[str, Any]) -> bool:
    """Whether the first guess is a mistake in any case: an unusual label comes first, nothing is said of classes.

    Certificates that say `classes: []`, as they do now, count that guess by its class number as any other.
    """
    first = next((chunk.labels[0] for chunk in stream.chunks() if len(chunk)), 0)
    return "classes" not in about and first not in (*NEGATIVE, *POSITIVE)


def count_fraction_bits(values: Array) -> int:
    """The least k for which all values are whole multiples of 2^-k."""
    mantissas, exponents = np.frexp(values[values != 0])
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return int(np.max(53 - trailing - exponents, initial=0))


def scale_up(value: float, bits: int) -> int:
    """The value times 2^bits, which is whole."""
    numerator, denominator = value.as_integer_ratio()
    return (numerator << bits) // denominator
