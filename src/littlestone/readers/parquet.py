"""Parquet and Arrow: tables in columns, by the package pyarrow (littlestone[parquet]).

Where there are list columns, `indices` of integers and perhaps `values` of numbers, each row is a round of an attribute
for every entry, and the columns' own memory becomes the chunk. Rows whose indices do not ascend are sorted and entries
listed twice summed, which takes a copy; negative indices, values that are not finite and missing lists are refused.

Any other table is read as CSV is: columns of numbers or booleans are attributes, those of texts, dates or categories
`column=cell`; `types` says which, if it must not be guessed. If all are numbers, rows are dense, in float32 where that
holds every column exactly, otherwise float64. A missing cell (null or NaN) counts as 0. Columns of other types are
refused unless they are in `ignore`. The label is the column called label, class, target or y, otherwise the last one,
or as told by name or position; it is a number, a boolean or a text, and never missing. Rows are read in batches and no
file is ever held whole.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, Self, cast, final

import numpy as np

from littlestone.base.chunks import Array, Examples, Tokens
from littlestone.base.errors import BadData, require
from littlestone.base.features import Features, Indexed, Named
from littlestone.base.features.columns import Column, rows_from_columns
from littlestone.base.features.names import find_repeated
from littlestone.base.features.schema import (
    CATEGORY,
    DATE,
    IGNORE,
    NUMBER,
    OTHER,
    Schema,
    guess_kind,
    refuse_booleans,
    require_kinds,
    settle_kinds,
)
from littlestone.readers.arrow_files import open_file, read_ahead, refuse_damage
from littlestone.readers.arrow_lists import read_lists
from littlestone.readers.format import Whole
from littlestone.readers.source import import_extra
from littlestone.readers.table.sniff import LABELS, RECORDS, find_column

ROWS = 1 << 14  # of a batch
EXACT = ("bool", "int8", "int16", "uint8", "uint16", "halffloat", "float")  # types that float32 holds exactly
TEXTS = ("string", "large_string", "string_view")


class Table(NamedTuple):
    """An open file."""

    schema: Any
    batches: Callable[[list[str]], Iterator[Any]]


@dataclass(frozen=True)
class Columnar(Whole):
    """What both formats share: `kinds` is settled by the first file."""

    label: str | int | None = None
    indices: str = "indices"
    values: str = "values"
    ignore: tuple[str, ...] = ()
    labelled: bool | None = True  # None: if there is a column of labels
    types: Mapping[str, str] | None = None
    like: Schema | None = None  # of what was read before: other columns are left out
    kinds: tuple[tuple[str, str], ...] = ()  # settled: the columns that are read, and the types of those that are rows
    held: tuple[str, ...] = ()  # settled: what these columns hold
    target: str | None = None  # settled: the column that is the label

    def __post_init__(self) -> None:
        require(not isinstance(self.ignore, str), f"ignore is a list of columns, got {self.ignore!r}")
        require_kinds(self.types)

    def settle(self, part: Any) -> Self:
        """The format with the types that the file's columns have."""
        with self._open(part) as table:
            schema = table.schema
            names = [name for name in schema.names if name not in self.ignore]
            twice = find_repeated(names)
            if twice is not None:
                raise BadData(f"two columns are called {twice!r}", part.name)
            words = [name for name in names if str(schema.field(name).type) in TEXTS]
            first = next((batch for batch in table.batches(words or names[:1]) if batch.num_rows), None)
            require(first is not None or not self.labelled, "there are columns, but not one row", BadData)
        target = self._find_target(names, part.name)
        kinds = {name: str(schema.field(name).type) for name in names if name != target}
        if _is_list(kinds.get(self.indices, "")):
            kinds = {name: kinds[name] for name in (self.indices, self.values) if name in kinds}
            self._check_lists(kinds, part.name)
        guessed = {name: _guess_kind(kind, first, name) for name, kind in kinds.items()}
        held = settle_kinds(guessed, None if _is_list(kinds.get(self.indices, "")) else self.like, self.types)
        ignore = (*self.ignore, *(name for name, kind in held.items() if kind == IGNORE))
        kinds = {name: kinds[name] for name in held if name in kinds and name not in ignore}
        for name, kind in kinds.items():
            if held[name] == OTHER and not _is_list(kind):
                allowed = "attributes are numbers, texts, dates, or lists called indices= and values="
                raise BadData(f"column {name!r} holds {kind}: {allowed}; ignore=[{name!r}] leaves it out", part.name)
            if held[name] == NUMBER and not _is_number(kind):
                raise BadData(f"column {name!r} holds {kind}, which are no numbers", part.name)
            if kind == "bool":
                refuse_booleans(name, held[name], self.like, ("parquet", "arrow"))
        if not kinds:
            raise BadData(f"there is no column of attributes beside {names}", part.name)
        labelled = target is not None if self.labelled is None else self.labelled
        listed = {"kinds": tuple(kinds.items()), "held": tuple(held[name] for name in kinds)}
        return replace(self, ignore=ignore, labelled=labelled, target=target, **cast(Any, listed))

    def _find_target(self, names: list[str], file: str) -> str | None:
        label = self.like.label if self.label is None and self.like is not None else self.label
        if label is not None and (self.labelled or label in names):
            try:
                return names[find_column(label, names, "the label")]
            except BadData as problem:
                raise BadData(problem.problem, file) from None
        usual = next((name for name in LABELS if name in names), None)
        if usual is None and self.labelled:
            lists = (self.indices, self.values) if self.indices in names else ()
            return next((name for name in reversed(names) if name not in lists), None)
        return usual

    def _check_lists(self, kinds: dict[str, str], file: str) -> None:
        inner = {name: kind[kind.index("<") :] for name, kind in kinds.items() if _is_list(kind)}
        whole = any(f": {kind}" in inner[self.indices] for kind in ("int", "uint"))
        if not whole:
            raise BadData(f"column {self.indices!r} holds {kinds[self.indices]}: indices are lists of integers", file)
        if self.values in kinds and (
            self.values not in inner or not _is_number(inner[self.values][1:-1].split(": ")[1])
        ):
            raise BadData(f"column {self.values!r} holds {kinds[self.values]}: values are lists of numbers", file)

    def features(self) -> Features:
        """By number for lists and for columns of numbers, which keep their names; otherwise by name."""
        if self._lists:
            return Indexed()
        plain = {*self.held} <= {NUMBER}
        return Indexed(names=tuple(name for name, _ in self.kinds)) if plain else Named()

    def schema(self) -> Schema:
        """What the columns hold; of lists there is nothing to say."""
        if self._lists:
            return Schema(self.name)
        kinds = [(name, held) for (name, _), held in zip(self.kinds, self.held, strict=True)]
        label = self.target if self.labelled else None
        return Schema(self.name, label, (*kinds, *((name, IGNORE) for name in self.ignore)))

    @property
    def real(self) -> str:
        """The floating type of rows."""
        kinds = dict(self.kinds)
        if self._lists:
            wide = "double" in kinds.get(self.values, "") or "64" in kinds.get(self.values, "")
            return "float64" if wide or "int32" in kinds.get(self.values, "") else "float32"
        pairs = zip(kinds.values(), self.held, strict=True)
        return "float32" if all(kind in EXACT or held != NUMBER for kind, held in pairs) else "float64"

    @property
    def _lists(self) -> bool:
        return any(name == self.indices and _is_list(kind) for name, kind in self.kinds)

    def chunks(self, part: Any) -> Iterator[Examples | Tokens]:
        with self._open(part) as table:
            for name, kind in [*self.kinds, *([(self.target, None)] if self.target and self.labelled else [])]:
                there = str(table.schema.field(name).type) if name in table.schema.names else "nothing"
                if there != kind and (kind is not None or there == "nothing"):
                    raise BadData(f"column {name!r} holds {there}, in the first file {kind}", part.name)
            columns = [name for name, _ in self.kinds] + ([self.target] if self.target and self.labelled else [])
            before = 0
            for batch in read_ahead(table.batches(columns)):
                if batch.num_rows:
                    try:
                        yield self._make_chunk(batch, before)
                    except BadData as problem:
                        raise BadData(problem.problem, part.name) from None
                before += batch.num_rows

    def _make_chunk(self, batch: Any, before: int) -> Examples | Tokens:
        labels = self._read_labels(batch, before)
        if self._lists:
            values = batch.column(self.values) if self.values in dict(self.kinds) else None
            return read_lists(batch.column(self.indices), values, labels, self.real, before)
        pairs = zip(self.kinds, self.held, strict=True)
        columns = [_make_column(name, batch.column(name), held, self.real, before) for (name, _), held in pairs]
        if any(column.numbers is None for column in columns):
            return rows_from_columns(columns, labels)
        dense = np.stack([np.nan_to_num(np.asarray(column.numbers)) for column in columns], axis=1)
        width = len(columns)
        return Examples(np.arange(len(labels) + 1) * width, None, dense.ravel(), labels, width)

    def _read_labels(self, batch: Any, before: int) -> Array:
        if not (self.labelled and self.target):
            return np.full(batch.num_rows, None)
        column = batch.column(self.target)
        if column.null_count:
            t = int(np.argmin(column.is_valid().to_numpy(zero_copy_only=False)))
            raise BadData(f"the label, column {self.target!r}, is missing in row {before + t}")
        if _is_text(str(column.type)):
            column = column if "dictionary" in str(column.type) else column.dictionary_encode()
            names = np.array(column.dictionary.to_pylist(), object)
            return np.asarray(names[column.indices.to_numpy(zero_copy_only=False)])
        if not _is_number(str(column.type)):
            raise BadData(f"column {self.target!r} holds {column.type}: a label is a number, a boolean or a text")
        labels: Array = column.to_numpy(zero_copy_only=False)
        if not np.isfinite(labels.astype(np.float64)).all():
            t = int(np.argmin(np.isfinite(labels.astype(np.float64))))
            raise BadData(f"a label must be a finite number, got {labels[t]} in row {before + t}")
        return labels

    @abstractmethod
    def _open(self, part: Any) -> AbstractContextManager[Table]:
        """A file's schema, and its batches of chosen columns."""


@final
@dataclass(frozen=True)
class Parquet(Columnar):
    """The module docstring says how a table is read."""

    name: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        return head.startswith(b"PAR1")

    @contextmanager
    def _open(self, part: Any) -> Iterator[Table]:
        parquet = import_extra("pyarrow.parquet", "parquet", part.name)
        arrow = import_module("pyarrow")
        with refuse_damage(arrow, part.name), parquet.ParquetFile(open_file(arrow, part, b"PAR1")) as file:
            yield Table(file.schema_arrow, lambda columns: file.iter_batches(ROWS, columns=columns))


@final
@dataclass(frozen=True)
class Arrow(Columnar):
    """Arrow IPC, as a file or as a stream; the module docstring says how a table is read."""

    name: ClassVar[str] = "arrow"
    suffixes: ClassVar[tuple[str, ...]] = (".arrow", ".feather", ".ipc", ".arrows")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        return head.startswith((b"ARROW1", b"\xff\xff\xff\xff"))

    @contextmanager
    def _open(self, part: Any) -> Iterator[Table]:
        ipc = import_extra("pyarrow.ipc", "parquet", part.name)
        arrow = import_module("pyarrow")
        with refuse_damage(arrow, part.name), closing(open_file(arrow, part, b"ARROW1")) as file:
            if file.read(6) == b"ARROW1":
                table = ipc.open_file(file)
                batches = (table.get_batch(k) for k in range(table.num_record_batches))
            else:
                file.seek(0)
                batches = table = ipc.open_stream(file)
            yield Table(table.schema, lambda columns: (_validate(batch.select(columns)) for batch in batches))


def _validate(batch: Any) -> Any:
    """The batch, once every offset and index in it is known to stay within its memory: Arrow maps what it is given."""
    batch.validate(full=True)
    return batch


def _is_list(kind: str) -> bool:
    return kind.startswith(("list<", "large_list<"))


def _is_number(kind: str) -> bool:
    return kind in (*EXACT, "double", "int32", "int64", "uint32", "uint64")


def _is_text(kind: str) -> bool:
    return kind in TEXTS or kind.startswith(tuple(f"dictionary<values={text}," for text in TEXTS))


def _guess_kind(kind: str, first: Any, name: str) -> str:
    """What a column of this type holds, by the first rows where it is of texts."""
    if not _is_text(kind):
        return NUMBER if _is_number(kind) else DATE if kind.startswith(("date", "timestamp")) else OTHER
    with suppress(UnicodeDecodeError):  # who reads the rows says which text is not UTF-8
        if first is not None and kind in TEXTS:
            return guess_kind([cell for cell in first.column(name).slice(0, RECORDS).to_pylist() if cell])
    return CATEGORY


def _make_column(name: str, column: Any, held: str, real: str, before: int) -> Column:
    """A column of a wide table; what is missing is NaN or -1."""
    unfit = BadData(f"column {name!r} holds {column.type}: a column of a table is of numbers or of texts")
    if held == OTHER:
        raise unfit
    if held != NUMBER:
        column = column if _is_text(str(column.type)) else column.cast("string")
        column = column if str(column.type).startswith("dictionary") else column.dictionary_encode()
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        return Column(name, codes=codes, texts=column.dictionary.to_pylist())
    try:
        numbers = column.to_numpy(zero_copy_only=False).astype(real, copy=False)  # with nulls, a float column with NaN
    except (TypeError, ValueError):
        raise unfit from None
    if np.isinf(numbers).any():
        raise BadData(f"column {name!r} has an infinite number in row {before + int(np.argmax(np.isinf(numbers)))}")
    return Column(name, numbers=numbers)
