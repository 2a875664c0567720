"""Text: `label<TAB>text`, one round a line.

    ham\tSee you at five?
    spam\tFREE entry: text WIN to 80086 now!

The label is whatever stands before the first TAB, a string. The words after it become attributes, or runs of words
(`ngrams=2`) or of characters (`characters=(3, 5)`): `tokenizer.py` says what a word is. Bytes are taken as they are,
whatever the encoding; upper and lower case are the same in ASCII, and not beyond it, unless `lower=False`. A text
without words is a row without attributes. Empty lines are no rounds; lines may end with CR LF. A line without TAB or
with nothing before it is refused. With `labelled=False` a line is a text, an empty one too, and a TAB separates words.

Words are hashed into 2^bits slots; `Player(learner, features=Words(Named()))` gives each a number of its own.

>>> import numpy as np
>>> data = np.frombuffer(b"spam\\tFree money!\\n" + bytes(64), np.uint8)
>>> chunk = Text().parse(data, 0, len(data) - 64).chunk
>>> chunk.labels, chunk[0]
(array(['spam'], dtype=object), {'free': 1.0, 'money': 1.0})
"""

from dataclasses import dataclass
from typing import ClassVar, final

from littlestone.base.chunks import Array
from littlestone.base.features import Hashed, Words
from littlestone.base.features.tokenizer import NO_LABEL, NO_TAB, Tokenizer
from littlestone.readers.format import Lines, Parsed, Problem, describe_token

ALLOWED = {NO_TAB: "a line is a label, a TAB and a text", NO_LABEL: "a line begins with its label, before the TAB"}
LABEL = 64  # bytes of the longest label by which a file is recognised


@final
@dataclass(frozen=True)
class Text(Lines):
    """The options of `Tokenizer`, and those of `Hashed`."""

    labelled: bool = True
    ngrams: int = 1
    characters: tuple[int, int] | None = None
    lower: bool = True
    counts: bool = True
    bits: int = 22
    seed: int = 0

    name: ClassVar[str] = "text"
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)
    precedes: ClassVar[tuple[str, ...]] = ("csv",)

    def __post_init__(self) -> None:
        self.make_tokenizer()
        Hashed(self.bits, self.seed)

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Lines of a short label without spaces, one TAB, and texts, some of several words."""
        rows = [line.split(b"\t") for line in head.split(b"\n")[:20] if line.strip()]
        plain = all(len(row) == 2 and 0 < len(row[0]) <= LABEL and b" " not in row[0] for row in rows)
        return plain and any(b" " in row[1].strip() for row in rows)

    @classmethod
    def has_labels(cls, head: bytes) -> bool:
        rows = [line for line in head.split(b"\n")[:20] if line.strip()]
        return 2 * sum(b"\t" in row for row in rows) > len(rows)

    def make_tokenizer(self) -> Tokenizer:
        return Tokenizer(self.ngrams, self.characters, self.lower)

    def features(self) -> Words:
        return Words(Hashed(self.bits, self.seed), self.ngrams, self.characters, self.lower, self.counts)

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        how, at, chunk = self.make_tokenizer().pass_over(data, start, end, self.labelled)
        problem = Problem(at, f"{ALLOWED[how]}; got {describe_token(data, at)}") if how in ALLOWED else None
        return Parsed(chunk, problem)
