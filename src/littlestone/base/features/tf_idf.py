"""TfIdf: words that many texts have count for less, by the texts learned before.

The value v of an attribute becomes v (1 + ln((n + 1) / (m + 1))), where n texts were learned before this one and m of
them had the attribute. So the first text is as other features give it, an attribute that every text has stays as it
is, and one never met before counts most. A text that is only asked about is weighed in the same way and not counted,
nor is one whose label came later (`predict(x, ticket=True)`).

>>> from littlestone import Named
>>> features = TfIdf(Words(Named()))
>>> for text in ("see the cat", "see the dog"):
...     print(features(text).values.round(2).tolist())
[1.0, 1.0, 1.0]
[1.0, 1.0, 1.69]
>>> features.look("the end").values.round(2).tolist()
[1.0, 2.1]
"""

import copy
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import OuterFeatures
from littlestone.base.features.words import Words
from littlestone.compiled import U, kernel, logarithm

MOST = 2**31 - 1  # texts that are counted


@kernel
def weigh(indptr: Array, indices: Array, values: Array, counts: Array, texts: int, learned: bool) -> Any:
    """Weigh the values of rows in place by what was counted before each, and count the rows if they are learned."""
    for t in range(indptr.size - 1):
        for k in range(indptr[t], indptr[t + 1]):
            met = counts[U(indices[k])]
            values[k] = values[k] * (1.0 + logarithm((texts + 1.0) / (met + 1.0)))
        if learned:
            texts += 1
            for k in range(indptr[t], indptr[t + 1]):
                counts[U(indices[k])] += 1


@dataclass(slots=True)
class TfIdf(OuterFeatures):
    """Other features, whose values shrink as more texts have the attribute.

    Args:
        features: What splits up and numbers texts: `Words(...)`.
    """

    features: Words = field(default_factory=Words)
    texts: int = field(default=0, init=False)  # learned so far
    _counts: Array = field(default_factory=lambda: np.zeros(0, np.int32), init=False, repr=False)
    _added: list[Array] = field(default_factory=list, init=False, repr=False, compare=False)  # since a mark

    def __call__(self, x: Any) -> Row:
        return self._weigh_row(self.features(x), learned=True)

    def read_chunk(self, chunk: Chunk) -> Chunk:
        return self._weigh(self.features.read_chunk(chunk), learned=True)

    def look(self, x: Any) -> Row:
        return self._weigh_row(self.features(x), learned=False)

    def look_chunk(self, chunk: Chunk) -> Chunk:
        return self._weigh(self.features.read_chunk(chunk), learned=False)

    def _weigh_row(self, row: Row, learned: bool) -> Row:
        rows = Examples(np.array([0, row.length]), row.indices, row.values, np.zeros(1), self.width)
        seen = self._weigh(rows, learned)
        return Row(row.indices, seen.values)

    def _weigh(self, rows: Chunk, learned: bool) -> Examples:
        """Rows with their values weighed."""
        listed = isinstance(rows, Examples) and rows.indices is not None and rows.values is not None
        require(listed, "tf-idf is for texts, whose rows list their words", BadInstance)
        assert isinstance(rows, Examples)
        assert rows.indices is not None
        assert rows.values is not None
        require(self.texts + len(rows) <= MOST, f"tf-idf counts at most {MOST:,} texts", BadInstance)
        if len(self._counts) < self.width:
            counts = np.zeros(max(self.width, 2 * len(self._counts)), np.int32)
            counts[: len(self._counts)] = self._counts
            self._counts = counts
        values = rows.values.copy()
        weigh(rows.indptr, rows.indices, values, self._counts, self.texts, learned)
        if learned:
            self.texts += len(rows)
            self._added.append(rows.indices[rows.indptr[0] : rows.indptr[-1]])
        return replace(rows, values=values)

    def mark(self) -> Any:
        self._added.clear()
        return self.texts, self.features.mark()

    def undo(self, mark: Any) -> None:
        self.texts, inner = mark
        for indices in self._added:
            np.subtract.at(self._counts, indices, 1)
        self._added.clear()
        self.features.undo(inner)

    def renew(self) -> Self:
        return type(self)(copy.deepcopy(self.features))

    def record(self) -> dict[str, Any]:
        return {"features": self.features, "texts": self.texts, "counts": self._counts}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        inner, texts, counts = (record[name] for name in ("features", "texts", "counts"))
        known = isinstance(inner, Words) and type(texts) is int and 0 <= texts <= MOST
        told = isinstance(counts, np.ndarray) and counts.dtype == np.int32 and counts.ndim == 1
        require(known and told and len(counts) <= 2 * max(inner.width, 1), "counts of other texts", BadModel)
        right = not len(counts) or (int(counts.min()) >= 0 and int(counts.max()) <= texts)
        require(right, "counts of more texts than were learned", BadModel)
        made = cls(inner)
        made.texts = texts
        made._counts = counts
        return made
