"""Settling: what the first megabyte of a table in text decides for the rest of it.

That is the delimiter, whether there is a header, the names of the columns, which of them is the label, and what each
holds; whatever was told, or is known of a table that was read before, is not guessed. Where a guess would go wrong
in silence, such as a word in a column of numbers, the table is refused with the remedy.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

from littlestone.base.errors import BadData
from littlestone.base.features.schema import (
    CATEGORY,
    IGNORE,
    NUMBER,
    Schema,
    guess_kind,
    list_few,
    list_unlike,
    settle_kinds,
)
from littlestone.readers.headers import FEWEST as FEWEST_RECORDS
from littlestone.readers.headers import are_padded, is_header, is_number, tell_header
from littlestone.readers.table import sniff as heads
from littlestone.readers.table.cells import KnownWords
from littlestone.readers.table.mending import BOOLEANS, COMMAS, WORDS

FEWEST = 10  # different numbers by which a column with a few words among them is one of numbers
SHARE = 0.9  # of its cells that are numbers
WITH_COMMAS = re.compile(r"[+-]?\d+([.,]\d+)*", re.ASCII)  # numbers with a comma, for decimals or for thousands
DECIMAL_COMMA = re.compile(r"[+-]?(\d+(,\d*)?|,\d+)([eE][+-]?\d+)?", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)  # which may be one, or three decimals
ZERO = re.compile(rb"(?:^|[^0-9.])0[0-9]")  # a number with a zero before it
INFINITE = ("inf", "infinity")


def settle_columns(told: Any, head: bytes) -> dict[str, Any]:
    """What `Csv` needs beside what it was `told`, by the names of its fields; `label` is the column's position."""
    head = heads.keep_whole_lines(head)
    if b"\0" in head:
        raise BadData("a byte 0 is no text: CSV is read as UTF-8", line=1 + head[: head.index(b"\0")].count(b"\n"))
    delimiter = told.delimiter or heads.guess_delimiter(head) or ","
    table, _ = heads.read_records(head, delimiter)
    if not table:
        raise BadData("there is no record: neither a header nor a row", line=1)
    header = _has_header(told, table)
    notes = tell_header(table, header, told.missing) if told.header is None else []
    columns = heads.name_columns(table[0] if header else None, len(table[0]))
    if len(columns) < (2 if told.labelled else 1):
        allowed = "a table has an attribute and a label at least, separated by , ; or a tab, or by delimiter="
        raise BadData(f"found one column, {table[0][0][:40]!r}: {allowed}", line=1)
    begun = head[heads.read_records(head, delimiter)[1] :].strip()
    if begun and len(table) < FEWEST_RECORDS:
        raise BadData("a cell begins with a quote that is not closed", line=1 + len(table))
    if header and len(table) == 1 and told.labelled:
        raise BadData("there is a header, but not at least one round below it (header=False: it is a row)", line=1)
    start = heads.read_records(head, delimiter, 1)[1] if header else 0
    numeric = heads.is_numeric(head, start, delimiter, len(columns), KnownWords.of(told.missing))
    types = _name_types(told, columns)
    label = _find_label(told, columns, types)
    cells = {name: [row[j] for row in table[header:] if row[j : j + 1]] for j, name in enumerate(columns)}
    cells = {name: [cell for cell in said if cell and cell not in told.missing] for name, said in cells.items()}
    guessed = {name: NUMBER if numeric[j] else guess_kind(cells[name]) for j, name in enumerate(columns)}
    commas = {
        name
        for j, name in enumerate(columns)
        if delimiter != "," and _has_decimal_commas(cells[name], head, delimiter, header, j, told.missing)
    }
    guessed |= dict.fromkeys(commas, NUMBER)
    kinds = settle_kinds(guessed, told.like, types)
    for j, name in enumerate(columns):
        if kinds[name] == guessed[name] == CATEGORY and name not in types:
            _refuse_commas(cells[name], name)
            if j != label and _refuse_words(cells[name], head, delimiter, j, name, told):
                kinds[name] = NUMBER
    if commas:
        notes.append(f"numbers have decimal commas, 3,5 being 3.5, in {list_few(sorted(commas))}")
    target = None if label is None else columns[label]
    exact = bool(told.labelled) and target is not None and types.get(target) != NUMBER  # or labels are not needed
    if (
        target is not None and label is not None and target not in types
    ):  # labels that are words may look like numbers in another file
        words = told.like is not None and told.like.label_kind == CATEGORY
        target = columns[label]
        numbers = guessed[target] == NUMBER and not words
        if (
            numbers
            and told.like is None
            and ZERO.search(head)
            and are_padded(_list_cells(head, delimiter, header, label))
        ):
            numbers = False
            codes = f"labels in column {target!r} are written with leading zeros, so 01 and 1 are two classes"
            notes.append(f"{codes}; types={{{target!r}: 'number'}} takes them for numbers")
        kinds[target] = NUMBER if numbers else CATEGORY
    unlike = list_unlike({name: said for name, said in cells.items() if kinds[name] == CATEGORY}, target)
    return {
        "delimiter": delimiter,
        "header": header,
        "columns": columns,
        "kinds": tuple(kinds[name] for name in columns),
        "order": tuple(name for name in kinds if name in guessed),
        "label": label,
        "labelled": label is not None if told.labelled is None else told.labelled,
        "mended": tuple(
            0
            if kinds[name] != NUMBER
            else COMMAS * (name in commas)
            | BOOLEANS * (told.like is not None and j != label)
            | WORDS * (types.get(name) == NUMBER and j != label)
            for j, name in enumerate(columns)
        ),
        "exact": exact and label is not None and kinds[columns[label]] == NUMBER,
        "notes": () if told.like is not None else (*notes, *unlike),
    }


def _has_header(told: Any, table: list[list[str]]) -> bool:
    """Whether the first record names the columns."""
    like: Schema | None = told.like
    if told.header is not None:
        return bool(told.header)
    if like is not None and like.kinds:
        known = {*dict(like.kinds), like.label}
        if any(name in known and not is_number(name) for name in table[0]):
            return True
        if any(is_number(name) for name in like.used):  # a row may hold some of these numbers, but hardly all
            return {*like.used} <= {*table[0]}
        if known <= {None, *heads.name_columns(None, len(known))}:  # that table had no header either
            return False
    return (isinstance(told.label, str) and told.label in table[0]) or is_header(table, told.missing)


def _find_label(told: Any, columns: tuple[str, ...], types: dict[str, str]) -> int | None:
    """The position of the label: as told, as in the table before, by its name, or the last that is not ignored."""
    known = told.label if told.label is not None or told.like is None else told.like.label
    if known is not None:
        if not told.labelled and known not in columns and isinstance(known, str):
            return None
        return heads.find_column(known, columns, "the label")
    usual = next((columns.index(name) for name in heads.LABELS if name in columns and types.get(name) != IGNORE), None)
    offered = [j for j, name in enumerate(columns) if types.get(name) != IGNORE]
    return offered[-1] if usual is None and told.labelled and offered else usual


def _name_types(told: Any, columns: tuple[str, ...]) -> dict[str, str]:
    """The types that were told, by the names of their columns."""
    places = {name: heads.find_column(name, columns, "column") for name in told.types or {} if name != "*"}
    return {columns[places[name]] if name in places else name: kind for name, kind in (told.types or {}).items()}


def _list_cells(head: bytes, delimiter: str, header: bool, j: int) -> list[str]:
    """The cells of a column in the first megabyte."""
    records = csv.reader(io.StringIO(head.decode("utf-8", "surrogateescape"), newline=""), delimiter=delimiter)
    return [record[j].strip() for record in records if j < len(record)][header:]


def _refuse_commas(cells: Sequence[str], name: str) -> None:
    """Refuse a column of numbers that have commas: as categories they would mean nothing."""
    found = next((cell for cell in cells if "," in cell), None)
    if found is not None and len(set(cells)) >= FEWEST and all(WITH_COMMAS.fullmatch(cell) for cell in cells):
        remedy = f"write 3.5 for 3,5 and 1234 for 1,234; types={{{name!r}: 'category'}} takes any text"
        raise BadData(f"column {name!r} holds numbers with commas, such as {found[:40]!r}: {remedy}")


def _refuse_words(cells: Sequence[str], head: bytes, delimiter: str, j: int, name: str, told: Any) -> bool:
    """Refuse a column that is all but one of numbers: as categories they would mean nothing.

    Where records with a word among numbers are skipped, say instead that the column is one of numbers.
    """
    numbers = [cell for cell in cells if is_number(cell)]
    few = [cell for cell in cells if not is_number(cell)]
    infinite = bool(numbers) and bool(few) and all(cell.lstrip("+-").lower() in INFINITE for cell in few)
    if not infinite and (len(set(numbers)) < FEWEST or len(numbers) < SHARE * len(cells)):
        return False
    if told.skips:
        return True
    records = csv.reader(io.StringIO(head.decode("utf-8", "surrogateescape"), newline=""), delimiter=delimiter)
    for record in records:
        cell = record[j].strip() if j < len(record) else ""
        if cell and cell != name and cell not in told.missing and not is_number(cell):
            remedy = f"types={{{name!r}: 'category'}} takes any text"
            raise BadData(f"column {name!r} holds numbers, got {cell[:40]!r}; {remedy}", line=records.line_num)
    return False


def _has_decimal_commas(cells: Sequence[str], head: bytes, delimiter: str, header: bool, j: int, missing: Any) -> bool:
    """Whether a column holds numbers with decimal commas, and none that may be a comma for thousands alone."""
    if not cells or not any("," in cell for cell in cells) or not all(DECIMAL_COMMA.fullmatch(cell) for cell in cells):
        return False
    listed = [cell for cell in _list_cells(head, delimiter, header, j) if cell and cell not in missing]
    plain = all(DECIMAL_COMMA.fullmatch(cell) for cell in listed)
    return plain and not all(THOUSANDS.fullmatch(cell) for cell in listed if "," in cell)
