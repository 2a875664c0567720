"""Rows as a run held them: listed or dense, which decides in which order its sums were taken.

A certificate says it in its field `rows`. Rows that are read in another form are brought into that one: dense rows have
an entry for every attribute, 0 or not; listed ones have those that were listed.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.certificates.check.integer_rows import is_surprise, read_rounds
from littlestone.certificates.digest import list_entries


def read_form(about: Any) -> tuple[str, int, str]:
    """The form of rows, the length of dense ones and the type of their values, as a certificate says it."""
    form = about["form"]
    width = about["width"]
    kind = about["values"]
    known = form in ("listed", "dense") and kind in ("float32", "float64", "ones") and len(about) == 3
    known = known and type(width) is int and 0 <= width < 2**31 and (form == "dense" or width == 0)
    require(known, f"no rows are held as {about}", NotCertified)
    return form, width, kind


class ArrangedChunk(NamedTuple):
    """Some rounds as compiled loops read them; row t has the entries from indptr[t] to indptr[t + 1]."""

    first: int
    indptr: Array
    columns: Array  # the attribute of every entry
    values: Array
    codes: Array

    def row(self, t: int) -> tuple[Array, Array]:
        """The attributes and the values of a row."""
        part = slice(self.indptr[t], self.indptr[t + 1])
        return self.columns[part], self.values[part]


class ArrangedRows(NamedTuple):
    """The rounds that a certificate speaks of, to be read again as the run held them."""

    stream: Stream
    features: Any
    labels: Labels  # the classes known before the first round
    rounds: int
    limit: int  # of classes
    dense: bool
    width: int
    kind: str  # of the values: "float32", "float64", or "ones" where all are 1
    surprise: bool = False  # whether the first guess is a mistake whatever it was

    @classmethod
    def of(cls, certificate: Certificate, stream: Stream, features: Any, limit: int) -> Self:
        """The rows of a certificate that says how they were held, or that has none."""
        form, width, kind = ("listed", 0, "float64") if certificate.rounds == 0 else read_form(certificate.rows)
        features = Indexed() if features is None else features
        labels = Labels(certificate.learner.get("classes", []))
        surprise = is_surprise(stream, certificate.learner)
        return cls(stream, features, labels, certificate.rounds, limit, form == "dense", width, kind, surprise)

    def read(self, real: Any) -> Iterator[ArrangedChunk]:
        """The rounds from the first one on, their values in this type."""
        first = 0
        for seen in read_rounds(
            self.stream, self.features.renew().read_chunk, self.labels.copy(), self.rounds, self.limit
        ):
            yield ArrangedChunk(first, *self.arrange(seen, real), seen.labels)
            first += len(seen)

    def arrange(self, seen: Examples, real: Any) -> tuple[Array, Array, Array]:
        """Where rows start and end, the attributes of their entries, and the values."""
        if not self.dense and seen.indices is not None:
            part = slice(seen.indptr[0], seen.indptr[-1])
            indices = seen.indices[part]
            values = np.ones(len(indices), real) if seen.values is None else seen.values[part].astype(real)
            return seen.indptr - seen.indptr[0], indices.astype(np.int64), values
        counts, indices, values = list_entries(seen, np.arange(len(seen)))
        if not self.dense:
            return np.concatenate(([0], np.cumsum(counts))), indices.astype(np.int64), values.astype(real)
        require(bool((indices < self.width).all()), f"a row has more than {self.width} attributes", NotCertified)
        filled = np.zeros((len(seen), self.width), real)
        filled[np.repeat(np.arange(len(seen)), counts), indices] = values
        return np.arange(len(seen) + 1) * self.width, np.tile(np.arange(self.width), len(seen)), filled.ravel()
