"""Reading: a stream of rounds from files, in any of the formats that `readers` know.

The format is guessed from the file's name, or from its first bytes where the name says nothing, and `str(reading)`
says what was guessed. Blocks of whole records are parsed in several threads and come out in order: the chunks are the
same, to the bit, as with one thread. A record that a format refuses stops the game with its file, line and column, or
is skipped and counted.

>>> import io
>>> reading = read(io.BytesIO(b"-1 3:0.5\\n+1 4:1\\n"))
>>> print(reading)
<BytesIO>, read as svmlight
>>> [chunk.labels.tolist() for chunk in reading.chunks()]
[[-1, 1]]
"""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, BadLabel, require
from littlestone.base.features import Crossed, Features, Hashed, Indexed, Named, TfIdf, Words
from littlestone.base.features.numbered_columns import add_columns
from littlestone.base.features.schema import DATE, TEXT, Schema, list_few, tell_idle
from littlestone.base.learner import Size
from littlestone.base.printed_text import escape, quote
from littlestone.compiled.threads import count_cores
from littlestone.readers.blocks import MARK, Block, map_in_order, read_blocks, read_head
from littlestone.readers.format import (
    Format,
    Lines,
    Problem,
    Whole,
    find_format,
    guess_format,
    join_types,
    make_format,
    take_words,
)
from littlestone.readers.parsing import FirstBlock
from littlestone.readers.source import EXPANSION, SourceFile, list_files

MANY = 100  # classes that are taken as they come
ROWS_PER_CLASS = 10  # rows read for each class from which on more of them are taken too
PLACES = 10  # of skipped records that are remembered
CORES = count_cores()  # that parse unless told otherwise


class RoundPlace(NamedTuple):
    """Where a record was refused, and why."""

    name: str
    line: int
    column: int
    problem: str

    def __str__(self) -> str:
        return f"{quote(self.name)}, line {self.line}, byte {self.column}: {self.problem}"


@dataclass
class Skipped:
    """How many records were skipped in the latest pass, and the places of the first few.

    `tell` is called at each of them, after the rounds before it have been given and before those after it are.
    """

    count: int = 0
    places: list[RoundPlace] = field(default_factory=list)
    tell: Callable[[], None] | None = None
    words: int = 0  # cells in columns of numbers that hold none and count as missing

    def __str__(self) -> str:
        return "\n".join([f"{self.count:,} skipped", *map(str, self.places)])


class Reading(Stream):
    """A stream of rounds read from files; every pass reads them anew.

    `skipped` tells of the latest pass, and `ended` whether the file read last has the end of its last line.
    """

    def __init__(self, files: list[SourceFile], format: Format, on_error: str, threads: int) -> None:
        self.files = files
        self.format = format
        self.on_error = on_error
        self.threads = threads
        self.skipped, self.ended, self._first = Skipped(), True, FirstBlock()
        self.cross: tuple[str, ...] = ()
        self.like: Schema | None = None
        self.words: dict[str, Any] = {}  # options of `Words`, where columns hold texts
        self.many_classes = True  # whether labels may be classes however many there are
        self.known: Container[Any] = ()  # labels that do not count as many: those of a model

    def features(self) -> Features:
        return self.make_features(None)

    def make_features(self, hashed: Hashed | None) -> Features:
        """What reads the rounds: `hashed` numbers attributes, if it is there, otherwise what the format wants."""
        if not self.words.get("tf_idf"):
            return self._make_plain_features(hashed)
        words = self._make_plain_features(hashed)
        require(isinstance(words, Words), "tf_idf=True is for texts; here are none")
        return TfIdf(cast(Words, words))

    def _make_plain_features(self, hashed: Hashed | None) -> Features:
        """What reads the rounds and weighs nothing."""
        offered = self.format.features()
        schema = self.schema()
        if isinstance(offered, Words):
            offered.features = offered.features if hashed is None else hashed
            return offered
        inner = cross_features(offered if hashed is None else hashed, self.cross)
        tables = (schema.list_columns(TEXT), schema.list_columns(DATE)) if schema.kinds else ((), ())
        words = {name: value for name, value in self.words.items() if name != "tf_idf"}
        if not any(tables) and words.get("counts", True):
            return inner
        named = isinstance(inner, Hashed | Named | Crossed)
        require(named, "counts=False is for attributes with names, such as words; here they are numbers")
        return Words(cast(Named, inner), columns=tables[0], dates=tables[1], **words)

    def size(self) -> Size:
        real = np.dtype(getattr(self.format, "real", np.float32))
        return Size(self.features().width, real=real.type)

    def schema(self) -> Schema:
        """What the columns are; those of a model where these are to be taken for them."""
        return self.like if self.like is not None and self.like.lenient else self.format.schema()

    @property
    def ignored(self) -> list[str]:
        """The columns that are left out because a model does not know them."""
        return self.like.list_new(list(dict(self.format.schema().kinds))) if self.like and self.like.kinds else []

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say about the columns, in sentences."""
        return (*getattr(self.format, "notes", ()), *tell_idle(self.words, self.format.schema()))

    def chunks(self) -> Iterator[Chunk]:
        read = self.format.features()
        names = read.names if isinstance(read, Indexed) else ()
        missing = [name for name in self.like.used if name not in names] if self.like and self.like.lenient else []
        for chunk in self.parse_files() if self.many_classes else self._refuse_many_classes():
            if names and isinstance(chunk, Examples):
                yield add_columns(replace(chunk, names=names), missing)
            else:
                yield chunk

    def parse_files(self) -> Iterator[Chunk]:
        """The rounds as the format has them."""
        self.skipped.count, self.skipped.places[:] = 0, []
        self.skipped.words = 0
        for part in self.files:
            if isinstance(self.format, Whole):
                yield from self.format.chunks(part)
            else:
                yield from self._read_records(part)

    def _refuse_many_classes(self) -> Iterator[Chunk]:
        """Yield the chunks; raise before the first in which labels are too many and too different for classes."""
        met = set[Any]()
        rows = 0
        for chunk in self.parse_files():
            met.update(label for label in list_distinct(chunk.labels) if label not in self.known)
            rows += len(chunk)
            if len(met) > MANY and len(met) > rows / ROWS_PER_CLASS:
                raise BadLabel(self._tell_many(len(met), rows, all(isinstance(one, int | float) for one in met)))
            yield chunk
        self.many_classes = True  # a further pass has no more of them

    def _tell_many(self, labels: int, rows: int, numbers: bool) -> str:
        """What to say where labels can hardly be classes."""
        schema = self.schema()
        said = f"column {schema.label!r}, taken for the label, has" if schema.label is not None else "there are"
        told = f"{said} {labels:,} different values in {rows:,} rows, too many for classes"
        if schema.label is not None:
            columns = [*(name for name, _ in schema.kinds), schema.label]
            told += f"; the columns are {list_few(columns)}: label= says which is the label"
        return f"{told};{' --task regression predicts numbers;' * numbers} many_classes=True learns them all the same"

    def look(self) -> Chunk | None:
        """The first rounds, looked at before they are played; None if there are none."""
        if isinstance(self.format, Lines):
            return self._first.look(self.files[0], self.format, self.on_error == "skip")
        with closing(cast(Any, self.parse_files())) as chunks:
            return next((chunk for chunk in chunks if len(chunk)), None)

    def forget(self) -> None:
        """Keep no copy of what cannot be read twice, such as standard input: it can then be played once."""
        if isinstance(self.format, Lines):  # other formats go back and forth
            for part in self.files:
                part.forget()

    def _read_records(self, part: SourceFile) -> Iterator[Chunk]:
        """The rounds of one file of records."""
        format = self.format
        skip = self.on_error == "skip"
        near = part.path is not None
        before = 0
        assert isinstance(format, Lines)
        with (
            closing(read_blocks(part, format)) as pieces,
            closing(
                map_in_order(lambda block: self._first.parse(format, block, skip), pieces, self.threads, near)
            ) as results,
        ):
            for block, result in results:
                self.ended = block.ended
                for piece in result.pieces:
                    if not isinstance(piece, Problem):
                        yield piece
                    elif skip:
                        self._count(block, piece, before)
                    else:
                        raise _make_error(block, piece, before)
                before += result.lines
                self.skipped.words += result.words

    def _count(self, block: Block, problem: Problem, before: int) -> None:
        self.skipped.count += 1
        if len(self.skipped.places) < PLACES:
            error = _make_error(block, problem, before)
            self.skipped.places.append(RoundPlace(error.name, error.line or 0, error.column or 0, error.problem))
        if self.skipped.tell is not None:
            self.skipped.tell()

    def __str__(self) -> str:
        names = [part.name for part in self.files]
        more = f" and {len(names) - 1} more files" if len(names) > 1 else ""
        said = [f"{quote(names[0])}{more}, read as {self.format.name}"]
        schema = self.schema()
        for kind, parts in ((TEXT, "words"), (DATE, "dates")) if schema.kinds else ():
            listed = ", ".join(schema.list_columns(kind))
            said += [escape(f"{listed}: {parts}")] if listed else []
        return "; ".join(said)

    def __repr__(self) -> str:
        return f"Reading({self})"


def read(
    source: Any,
    format: str | Format | None = None,
    *,
    label: Any = None,
    labelled: bool | None = True,
    on_error: Literal["stop", "skip"] = "stop",
    threads: int | None = None,
    cache: bool | str | os.PathLike[str] = False,
    cross: str | Sequence[str] = (),
    many_classes: bool = True,
    **options: Any,
) -> Reading:
    """A stream of rounds from a path, a glob, a list of paths, "-" or a binary file.

    `format` names it, if it must not be guessed; `options` are the format's own. `label` chooses the label where a
    format leaves a choice; with `labelled=False` rows have none, as for prediction, with None they may have some.
    `like=player.schema` says what the columns are: label and types are taken from it, columns that it does not have are
    left out, and one that is missing is refused. `threads` parse (None: all cores).
    `cache` keeps what was parsed for further passes, beside the file or at the path it gives. `cross` adds products of
    two namespaces or columns, such as `"user:item"`, to what a player reads. With `many_classes=False` more than 100
    different labels are refused if they are more than a tenth of the rows read. `expansion` is how
    many times their size compressed data may grow to (200); 256 MB are allowed in any case.
    """
    require(on_error in ("stop", "skip"), f"on_error must be 'stop' or 'skip', got {on_error!r}")
    require(threads is None or threads >= 1, f"threads must be at least 1, got {threads}")
    expansion = options.pop("expansion", EXPANSION)
    like = options.pop("like", None)
    require(expansion >= 1, f"expansion must be at least 1, got {expansion}")
    files = [replace(part, expansion=expansion) for part in list_files(source)]
    head = read_head(files)
    words = dict[str, Any]()
    if not isinstance(format, Format):
        kind = find_format(format) if format is not None else guess_format(files[0].name, head, like)
        takes = {part.name for part in fields(kind)}  # type: ignore[arg-type]
        if labelled is None and "like" not in takes:
            labelled = kind.has_labels(head)
        words = take_words(kind, options)
        options |= join_types(kind, options)
        wanted = options | ({} if label is None else {"label": label}) | ({} if labelled else {"labelled": labelled})
        wanted |= {"skips": True} if on_error == "skip" and "skips" in takes else {}
        format = make_format(kind, wanted | ({"like": like} if like is not None and "like" in takes else {}))
    try:
        if isinstance(format, Whole):
            format = format.settle(files[0])
        elif isinstance(format, Lines):
            while not format.is_settled_by(head) and (longer := read_head(files, head.count(b"\n") + 1)) != head:
                head = longer
            format = format.settle(head)
        if like is not None:
            like.require_like(format.schema())
    except BadData as problem:
        raise BadData(problem.problem, files[0].name, problem.line, problem.column) from None
    reading = Reading(files, format, on_error, threads or CORES)
    if cache:
        from littlestone.readers.cache import Cached

        reading = Cached(reading, None if cache is True else cache)
    reading.cross = (cross,) if isinstance(cross, str) else tuple(cross)
    reading.like = like
    reading.words = words
    reading.many_classes = many_classes
    return reading


def list_distinct(labels: Array) -> Iterable[Any]:
    """The labels of rows, each once."""
    if labels.dtype.kind in "iu" and len(labels) and int(labels.max()) - int(labels.min()) < len(labels):
        lowest = int(labels.min())
        return [lowest + int(step) for step in np.flatnonzero(np.bincount(labels - lowest))]
    return set(labels.tolist())


def cross_features(features: Features, pairs: Sequence[str]) -> Features:
    """The features with products of two namespaces or columns, such as `user:item`, where any are asked for."""
    if not pairs:
        return features
    named = isinstance(features, Hashed | Named)
    require(named, f"products of columns need attributes by name, which {type(features).__name__} does not give")
    return Crossed(cast(Hashed, features), pairs)


def _make_error(block: Block, problem: Problem, before: int) -> BadData:
    """The error for a problem in a block that has `before` lines before it."""
    text = block.data[: problem.at].tobytes()
    line = before + text.count(b"\n") + 1
    column = problem.at - text.rfind(b"\n")
    if block.first and text.startswith(MARK) and b"\n" not in text:
        column -= len(MARK)
    return BadData(problem.text, block.part.name, line, column)
