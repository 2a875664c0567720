"""Words: attributes of a text, by the words in it.

A text becomes its words, or runs of words or of characters (`tokenizer.py` says what they are), and other features
number those: `Hashed` ones unless told otherwise. What a reader has split up already is numbered alike. A word that
comes more than once counts as often, or with `counts=False` once.

>>> features = Words(Named())
>>> features("Free money, free!")
Row(indices=array([0, 1], dtype=int32), values=array([2., 1.]))
>>> features.name(1)
'money'
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Chunk, Examples, Instances, Row, Tokens
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import OuterFeatures
from littlestone.base.features.hashed import Hashed
from littlestone.base.features.named import Named
from littlestone.base.features.tokenizer import Tokenizer


@dataclass(slots=True)
class Words(OuterFeatures):
    """Texts as rows of words.

    Args:
        features: What numbers the words: Hashed() or Named().
        ngrams: Sequences of up to this many words are attributes too, >= 1.
        characters: The least and the largest length of sequences of characters to add; None adds none.
        lower: Read capital letters as small ones.
        counts: An attribute's value is how often the word occurs; otherwise 1.
    """

    features: Hashed | Named = field(default_factory=Hashed)
    ngrams: int = 1
    characters: tuple[int, int] | None = None
    lower: bool = True
    counts: bool = True
    _tokenizer: Tokenizer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._tokenizer = Tokenizer(self.ngrams, self.characters, self.lower)
        self.characters = self._tokenizer.characters

    def __call__(self, x: Any) -> Row:
        if not isinstance(x, str | bytes):
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
        read = self.features.read_chunk(chunk)
        assert isinstance(read, Examples)
        return read if self.counts else replace(read, values=np.ones_like(read.values))

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
        return {"features": self.features, **options}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        inner, ngrams, characters = record["features"], record["ngrams"], record["characters"]
        lower, counts = record["lower"], record["counts"]
        runs = characters is None or (type(characters) is tuple and all(type(size) is int for size in characters))
        plain = type(ngrams) is int and runs and {type(lower), type(counts)} == {bool}
        require(plain and isinstance(inner, Hashed | Named), "words that no option asks for", BadModel)
        return cls(inner, ngrams, characters, lower, counts)
