"""CSV: a table in text, one record a line, cells separated by commas, tabs or semicolons.

    age,colour,weight,label
    39,red,70.5,yes
    50,"dark blue",,no

A header is the first record if all its cells differ, none is a number or missing, and none occurs again in its column
or another column holds only numbers. Numbers are names if they count the columns, as in pandas, and the rows below are
of another kind (`readers.headers`). Labels are numbers if all of them are and none has a zero before it,
as codes have; where the first megabyte has no such zero, a label with one is refused later.
Columns without a name are called c0, c1, ... The label is the column called label, class, target or y, otherwise the
last one; or as told, by name or by position (-1: the last). A column of which every cell in the first megabyte is a
number or missing holds numbers; any other holds dates, texts or categories (`guess_kind`). `types` decides otherwise,
with "number", "category", "text", "date" or "ignore" for a column. Types then stay as they are: a cell that does not
fit is refused. Where all attributes are numbers, rows are dense, in float32; otherwise attributes have names, `column`
with the number as its value, or `column=cell`, which features split into words if it is text.

A missing cell is empty or one of `missing`; it counts as 0, that is, it takes no part. A label must not be missing.
Spaces around cells are dropped and empty lines passed over. Quotes are those of RFC 4180: a cell in double quotes may
hold delimiters, line ends and, written twice, quotes. Text is UTF-8; other bytes are kept as they are, but a byte 0
is refused wherever it is looked at.

>>> data = b"age,colour,label\\n39,red,yes\\n"
>>> format = Csv().settle(data)
>>> format
Csv(label='label', delimiter=',', header=True, types={'age': 'number', 'colour': 'category', 'label': 'category'})
>>> chunk = format.parse(np.frombuffer(data, np.uint8), format.skip(data), len(data)).chunk
>>> chunk[0], chunk.labels[0]
({'age': 39.0, 'colour=red': 1.0}, 'yes')
"""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self, final

import numpy as np

from littlestone.base.chunks import Array, Examples, Tokens
from littlestone.base.errors import BadData, require
from littlestone.base.features import Features, Indexed, Named
from littlestone.base.features.schema import BOOLEAN, Schema, require_kinds
from littlestone.readers.blocks import allocate
from littlestone.readers.decimals import DECIMAL, round_exactly
from littlestone.readers.format import Lines, Parsed, Problem, count_lines, to_integers
from littlestone.readers.headers import counts_columns, is_header
from littlestone.readers.table import rows as records
from littlestone.readers.table import sniff as heads
from littlestone.readers.table.assemble import TableRows
from littlestone.readers.table.batch import IGNORED, NOMINAL, NOMINAL_LABEL, NUMBER, NUMBER_LABEL, Room, TextTable
from littlestone.readers.table.block_names import BYTES, NAMES, BlockDictionary
from littlestone.readers.table.cells import (
    TRAILED,
    UNCLOSED,
    KnownWords,
    decode_cells,
    find_last_end,
    find_record_end,
)
from littlestone.readers.table.mending import COMMAS, mend_cells
from littlestone.readers.table.settling import settle_columns

Type = Literal["number", "category", "text", "date", "ignore", "nominal"]
ROLES = {"number": NUMBER, "category": NOMINAL, "text": NOMINAL, "date": NOMINAL, "ignore": IGNORED}
LABEL_ROLES = {NUMBER: NUMBER_LABEL, NOMINAL: NOMINAL_LABEL, IGNORED: NOMINAL_LABEL}
MISSING = ("?", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "None")
TRUTHS = {"True": True, "true": True, "TRUE": True, "False": False, "false": False, "FALSE": False}
TRUE, FALSE = (KnownWords.of([word for word, truth in TRUTHS.items() if truth is one]) for one in (True, False))
QUOTE = ord('"')
QUOTE_MARK = re.compile(rb'"')


@final
@dataclass(frozen=True, repr=False)
class Csv(Lines):
    """Options left None are settled by the first megabyte; `labelled=False`: a label is not looked for, nor at."""

    label: str | int | None = None
    delimiter: str | None = None
    header: bool | None = None
    types: Mapping[str | int, Type] | None = None
    missing: tuple[str, ...] = MISSING
    labelled: bool | None = True  # None: if there is a column of labels
    real: Literal["float32", "float64"] = "float32"  # of dense rows
    like: Schema | None = None  # of what was read before, whose types and label these columns have
    columns: tuple[str, ...] = ()  # settled: the names of the columns
    roles: tuple[int, ...] = ()  # settled: what each column is
    kinds: tuple[str, ...] = ()  # settled: what each column holds
    order: tuple[str, ...] = ()  # settled: the columns as in what was read before, in which rows list their entries
    notes: tuple[str, ...] = ()  # settled: what there is to say about them
    mended: tuple[int, ...] = ()  # settled: what is mended in each column of numbers, if anything
    exact: bool = False  # settled: whether labels are numbers that must have no zeros before them
    skips: bool = False  # whether records with a word among numbers are skipped, so that the column may hold numbers

    name: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab")

    def __post_init__(self) -> None:
        one = self.delimiter is None or (len(self.delimiter) == 1 and 0 < ord(self.delimiter) < 128)
        require(
            one and self.delimiter not in ('"', "\n", "\r", " "),
            f"a delimiter is one character, not a quote, a space or a line end, got {self.delimiter!r}",
        )
        require_kinds(self.types)
        require(self.real in ("float32", "float64"), f"real must be 'float32' or 'float64', got {self.real!r}")
        require(not isinstance(self.missing, str), f"missing is a list of words, got {self.missing!r}")
        object.__setattr__(self, "missing", tuple(self.missing))

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        return heads.is_table(heads.keep_whole_lines(head))

    def is_settled_by(self, head: bytes) -> bool:
        """Whether there is a record after what may be a header."""
        head = heads.keep_whole_lines(head)
        table, _ = heads.read_records(head, self.delimiter or heads.guess_delimiter(head) or ",", 2)
        possible = self.header
        if possible is None:
            possible = is_header(table, self.missing)
            possible |= self.like is None and len(table) == 1 and counts_columns(table[0], self.missing)
        return len(table) > possible

    def settle(self, head: bytes) -> Self:
        """The format with delimiter, header, names, label and types as the first megabyte has them."""
        settled = settle_columns(self, head)
        at = settled.pop("label")
        columns = settled["columns"]
        roles = [ROLES[kind] for kind in settled["kinds"]]
        if at is not None:
            roles[at] = LABEL_ROLES[roles[at]] if settled["labelled"] else IGNORED
        if not {NUMBER, NOMINAL} & set(roles):
            raise BadData(f"every column but the label is ignored: {', '.join(columns[:8])}", line=1)
        return replace(self, roles=tuple(roles), **settled)

    def skip(self, head: bytes) -> int:
        """The length of the header; one that names other columns than the first file's is refused."""
        if not self.header:
            return 0
        assert self.delimiter is not None
        table, after = heads.read_records(heads.keep_whole_lines(head), self.delimiter, 1)
        found = heads.name_columns(table[0], 0) if table else self.columns
        if found != self.columns:
            raise BadData(
                f"the header names {', '.join(found[:8])}; the first file's names {', '.join(self.columns[:8])}", line=1
            )
        return after

    def features(self) -> Features:
        """By position, with names, if all attributes are numbers; otherwise by name."""
        return Named() if NOMINAL in self.roles else Indexed(names=self.attributes)

    def schema(self) -> Schema:
        at = next((j for j, role in enumerate(self.roles) if role in LABEL_ROLES.values()), None)
        label, label_kind = (None, None) if at is None else (self.columns[at], self.kinds[at])
        columns = zip(self.columns, self.kinds, self.roles, strict=True)
        kinds = {name: "ignore" if role == IGNORED else kind for name, kind, role in columns}
        listed = tuple((name, kinds[name]) for name in self.order if name != label)
        return Schema(self.name, label, listed, label_kind=label_kind)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the columns that are attributes."""
        pairs = zip(self.columns, self.roles, strict=True)
        return tuple(name for name, role in pairs if role in (NUMBER, NOMINAL))

    @cached_property
    def _ranks(self) -> dict[str, int]:
        """The place of each column in what was read before."""
        return {name: place for place, name in enumerate(self.order)}

    @cached_property
    def _turned(self) -> bool:
        """Whether these columns come in another order than in what was read before."""
        return any(self._ranks[a] > self._ranks[b] for a, b in pairwise(self.attributes))

    def cut(self, data: Array, size: int) -> int:
        if QUOTE_MARK.search(data[:size].data) is None:
            return Lines.cut(self, data, size)
        mark = len(heads.MARK) if bytes(data[:3]) == heads.MARK else 0
        end = int(find_last_end(data[mark:], size - mark, ord(self.delimiter or ",")))
        return end + mark if end else 0

    def after(self, data: Array, at: int, end: int) -> int:
        data, stop = heads.terminate(data, at, end)
        return min(int(find_record_end(data, at, stop, ord(self.delimiter or ","))), end)

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        if not self._has_commas:  # with them a point is refused, in a block without a comma too
            parsed, mendable = self._parse(data, data, start, end)
            if not mendable:
                return parsed
        mended, words = self._mend(data, start, end)
        parsed, _ = self._parse(mended, data, start, end)
        if parsed.problem is not None:  # words after it are counted when these rows are read
            before = data[start : parsed.problem.at].tobytes().rfind(b"\n") + 1
            _, words = self._mend(data, start, start + before)
        return parsed._replace(words=words)

    @cached_property
    def _has_commas(self) -> bool:
        """Whether a column has decimal commas."""
        return any(how & COMMAS for how in self.mended)

    def _mend(self, data: Array, start: int, end: int) -> tuple[Array, int]:
        """A copy of a block whose columns of numbers are mended, and how many words became missing in them."""
        (copy, stop), columns = heads.terminate(data.copy(), start, end), np.array(self.mended)
        known = KnownWords.of(self.missing), TRUE, FALSE
        return copy, int(mend_cells(copy, start, stop, ord(self.delimiter or ","), *known, columns))

    def _parse(self, data: Array, written: Array, start: int, end: int) -> tuple[Parsed, bool]:
        """Read a block, which was `written` as it is or was mended since.

        Returns:
            Its rounds.
            Whether they end at a cell that can be mended.
        """
        assert self.delimiter is not None, "a format is settled before it parses"
        met = count_lines(written, start, end)
        fresh = data is written
        data, end = heads.terminate(data, start, end)
        is_named = NOMINAL in self.roles
        width = len(self.attributes)
        rows = met + 1
        table = TextTable.of(data, end, self.delimiter, self.roles, self.missing, self.exact)
        labels = np.zeros(rows)
        doubts = np.empty((rows * (width + 1), 2), np.int64)
        values = allocate(rows * width, np.float32 if is_named else self.real)
        indptr = np.arange(rows + 1) * width
        words = np.empty((rows, 1 if is_named else 3), np.int64)
        names = which = None
        if is_named:
            names = BlockDictionary.of(self._list_prefixes(), end - start, (rows + 1) * (width + 1))
            which = allocate(rows * width, np.int32)
        into = Room.of(self.roles), TableRows(indptr, values, labels, which, words), names
        rows, at = records.read_plain_rows(table, start, *into)
        doubtful = 0
        wrong = records.FINE
        column = 0
        if at < end:
            rows, doubtful, wrong, at, column = records.read_any_rows(rows, at, doubts, table, *into)
        problem = None if wrong == records.FINE else self._make_problem(written, at, wrong, column)
        if fresh and wrong == records.NOT_A_NUMBER and any(self.mended):
            return Parsed(Examples(indptr[:1], None, values[:0], labels[:0], width), problem, met), True
        for place, at in doubts[:doubtful].tolist():
            numeral = DECIMAL.match(data.data, at)
            assert numeral is not None, "a number was found there"
            number = round_exactly(bytes(numeral.group()).decode(), np.float64 if place < 0 else values.dtype.type)
            if not np.isfinite(number):
                rows = -1 - place if place < 0 else int(np.searchsorted(indptr, place, side="right")) - 1
                problem = self._make_problem(written, at, records.TOO_LARGE, 0)
                break
            if place < 0:
                labels[-1 - place] = number
            else:
                values[place] = number
        indptr = indptr[: rows + 1]
        values = values[: indptr[-1]]
        if NOMINAL_LABEL in self.roles:
            told = decode_cells(data, words[:rows]) if names is None else names.decode_cells(data, words[:rows, 0])
            if self.like is not None and self.like.label_kind == BOOLEAN and {*told.tolist()} <= TRUTHS.keys():
                told = np.array([TRUTHS[label] for label in told.tolist()], bool)
        else:
            told = np.full(rows, None)
            if NUMBER_LABEL in self.roles:
                told = to_integers(labels[:rows], lambda: self._list_labels(data[start:end].tobytes()))
        if names is None or which is None:
            return Parsed(Examples(indptr, None, values, told, width), problem, met), False
        found = names.counts[NAMES]
        used = names.counts[BYTES]
        starts, lengths, keys = (part[:found] for part in (names.starts, names.lengths, names.keys))
        weights = values if NUMBER in self.roles else None
        chunk = Tokens(indptr, names.text[:used], starts, lengths, keys, weights, told, which=which[: indptr[-1]])
        return Parsed(self._put_in_order(chunk, names) if self._turned else chunk, problem, met), False

    def _put_in_order(self, rows: Tokens, names: BlockDictionary) -> Tokens:
        """Rows whose entries are in the order of what was read before: sums depend on it, and numbers of names."""
        assert rows.which is not None
        places = np.array([self._ranks[name] for name in self.columns])[names.list_columns()[rows.which]]
        order = np.lexsort((places, np.repeat(np.arange(len(rows)), np.diff(rows.indptr))))
        return replace(rows, which=rows.which[order], values=None if rows.values is None else rows.values[order])

    def _list_labels(self, data: bytes) -> list[str]:
        """The labels of records as they are written."""
        at = self.roles.index(NUMBER_LABEL)
        text = io.StringIO(data.decode("utf-8", "surrogateescape"), newline="")
        return [row[at].strip() for row in csv.reader(text, delimiter=self.delimiter or ",") if len(row) > at]

    def _list_prefixes(self) -> tuple[str, ...]:
        """What attributes' names begin with, column by column."""
        pairs = zip(self.columns, self.roles, strict=True)
        return tuple(f"{name}=" if role == NOMINAL else name for name, role in pairs)

    def _make_problem(self, data: Array, at: int, wrong: int, column: int) -> Problem:
        """What was found where a record is refused, and what is allowed."""
        if at and data[at - 1] == QUOTE and wrong != TRAILED:
            at -= 1  # a record that is skipped is read from a cell's beginning on
        name = self.columns[column]
        found = heads.quote_cell(data, at, self.delimiter or ",")
        nominal = f"types={{{name!r}: 'category'}} takes any text"
        if found.strip("'").lower() in ("true", "false"):
            nominal = "booleans among numbers are written 1 and 0"
        number = f"column {name!r} holds numbers, got {found}; {nominal}"
        if self.mended and self.mended[column] & COMMAS and "." in found:
            number = (
                f"column {name!r} has decimal commas, got {found}, which has a point: write 1234 or 1,234 for 1.234"
            )
        apart = f"types={{{name!r}: 'category'}} keeps 042 and 42 apart, types={{{name!r}: 'number'}} takes both for 42"
        said = {
            UNCLOSED: "this quote is never closed; a quote inside a quoted cell is written twice",
            TRAILED: f"after a closing quote comes a delimiter or the end of the line, got {found}",
            records.NOT_A_NUMBER: number,
            records.NO_LABEL: f"the label, column {name!r}, is missing; got {found}",
            records.PADDED: f"label {found} has a leading zero, as codes have: {apart}",
            records.TOO_LARGE: f"a number must be in the range of {self.real}, got {found}",
            records.TOO_FEW: f"a record has {len(self.columns)} cells, the line ends after {column + 1}",
            records.TOO_MANY: f"a record has {len(self.columns)} cells, got more",
            records.BINARY: "a byte 0 is no text: CSV is read as UTF-8",
        }
        return Problem(int(at), said[int(wrong)])

    def __repr__(self) -> str:
        options: dict[str, Any] = {"label": self.label, "delimiter": self.delimiter, "header": self.header}
        options |= {"types": self.types, "missing": self.missing, "labelled": self.labelled, "real": self.real}
        if self.columns:
            held = dict(zip(self.columns, self.kinds, strict=True))
            options["types"] = {name: held[name] for name in self.order}
            at = next((j for j, role in enumerate(self.roles) if role in (NUMBER_LABEL, NOMINAL_LABEL)), None)
            options["label"] = self.label if at is None else self.columns[at]
        usual = {part.name: part.default for part in fields(self)}
        shown = ", ".join(f"{name}={value!r}" for name, value in options.items() if value != usual[name])
        return f"Csv({shown})"
