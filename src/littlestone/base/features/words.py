"""Words: attributes of a text, by the words in it.

A text becomes its words, or runs of words or of characters (`tokenizer.py` says what they are), and other features
number those: `Hashed` ones unless told otherwise. What a reader has split up already is numbered alike. A word that
comes more than once counts as often, or with `counts=False` once.

Of a table, the cells of `columns` are split up, their words being attributes `column^word`, and the dates of `dates`
into what they are made of (`split_cells.py`); everything else in a row stays as it is.

>>> features = Words(Named())
>>> features("Free money, free!")
Row(indices=array([0, 1], dtype=int32), values=array([2., 1.]))
>>> features.name(1)
'money'
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Chunk, Examples, Instances, Row, Tokens
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import OuterFeatures
from littlestone.base.features.crossed import Crossed
from littlestone.base.features.dicts import read_named_values
from littlestone.base.features.hashed import Hashed
from littlestone.base.features.named import Named
from littlestone.base.features.names import pack_names
from littlestone.base.features.numbered_columns import name_chunk
from littlestone.base.features.split_cells import split_cells, split_dates
from littlestone.base.features.tokenizer import Tokenizer


@dataclass(slots=True)
class Words(OuterFeatures):
    """Texts as rows of words.

    Args:
        features: What numbers the words: Hashed() or Named().
        ngrams: Sequences of up to this many words are attributes too, >= 1.
        characters: The least and the largest length of sequences of characters to add; None adds none.
        lower: Read capital letters as small ones.
        counts: An attribute's value is how often the word occurs; otherwise every attribute that occurs has 1.
        columns: The columns of a table that hold texts; without any, an instance is a text.
        dates: The columns that hold dates.
    """

    features: Hashed | Named | Crossed = field(default_factory=Hashed)
    ngrams: int = 1
    characters: tuple[int, int] | None = None
    lower: bool = True
    counts: bool = True
    columns: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    _tokenizer: Tokenizer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._tokenizer = Tokenizer(self.ngrams, self.characters, self.lower)
        self.characters = self._tokenizer.characters
        self.columns, self.dates = tuple(self.columns), tuple(self.dates)

    def __call__(self, x: Any) -> Row:
        if isinstance(x, Mapping) and (self.columns or self.dates):
            named, values = read_named_values(x)
            told = "columns have names that are strings"
            require(all(isinstance(name, str) for name in named), told, BadInstance)
            spans = pack_names(named)
            read = self.features.read_chunk(
                self._split(Tokens(np.array([0, len(values)]), *spans, values, np.zeros(1)))
            )
            assert isinstance(read, Examples)
            row = read[0]
        elif not isinstance(x, str | bytes):
            row = self.features(x)
        else:
            read = self.features.read_chunk(self._tokenizer.tokens([x]))
            assert isinstance(read, Examples)
            row = read[0]
        return row if self.counts else Row(row.indices, np.ones_like(row.values))

    def read_chunk(self, chunk: Chunk) -> Chunk:
        if isinstance(chunk, Instances):
            texts = 0
            while texts < len(chunk) and isinstance(chunk.points[texts], str | bytes):
                texts += 1
            if texts == 0:
                return OuterFeatures.read_chunk(self, chunk)
            chunk = self._split_texts(chunk[:texts])
        elif self.columns or self.dates:
            chunk = self._split(name_chunk(chunk))
        read = self.features.read_chunk(chunk)
        assert isinstance(read, Examples)
        return read if self.counts else replace(read, values=np.ones_like(read.values))

    def _split(self, chunk: Chunk) -> Chunk:
        """Rows of a table with the cells of texts and dates split up."""
        if isinstance(chunk, Tokens):
            chunk = split_cells(chunk, self.columns, self._tokenizer.read_lines) if self.columns else chunk
            chunk = split_cells(chunk, self.dates, split_dates) if self.dates else chunk
        return chunk

    def _split_texts(self, chunk: Instances) -> Tokens:
        """Leading texts split up; one that cannot be written in UTF-8 ends them, or is refused if it is the first."""
        try:
            rows = self._tokenizer.tokens(chunk.points)
        except BadInstance:
            if len(chunk) == 1:
                raise
            return self._split_texts(chunk[: len(chunk) // 2])
        return rows.with_labels(chunk.labels)

    def record(self) -> dict[str, Any]:
        options = {"ngrams": self.ngrams, "characters": self.characters, "lower": self.lower, "counts": self.counts}
        tables = {name: value for name, value in (("columns", self.columns), ("dates", self.dates)) if value}
        return {"features": self.features, **options, **tables}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        inner = record["features"]
        ngrams = record["ngrams"]
        characters = record["characters"]
        lower = record["lower"]
        counts = record["counts"]
        runs = characters is None or (type(characters) is tuple and all(type(size) is int for size in characters))
        plain = type(ngrams) is int and runs and {type(lower), type(counts)} == {bool}
        tables = tuple(record.get(name, ()) for name in ("columns", "dates"))
        plain = plain and all(type(one) is tuple and all(type(name) is str for name in one) for one in tables)
        require(plain and isinstance(inner, Hashed | Named | Crossed), "words that no option asks for", BadModel)
        return cls(inner, ngrams, characters, lower, counts, *tables)


def mark_presence(features: Any) -> Any:
    """Features that give 1 to every attribute that occurs, where attributes have names; any others as they are."""
    if isinstance(features, Words):
        return replace(features, counts=False)
    return Words(features, counts=False) if isinstance(features, Hashed | Named | Crossed) else features
