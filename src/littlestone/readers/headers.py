"""Headers: whether the first record of a table names its columns, decided by comparing it with the rows below.

>>> is_header([["age", "label"], ["39", "yes"], ["50", "no"]], ())
True
>>> is_header([["0", "1", "2"], ["0.5", "-1.25", "yes"]], ())  # as pandas names columns that have no name
True
>>> is_header([["0", "1", "2"], ["1", "0", "2"]], ())
False
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from littlestone.readers.decimals import DECIMAL

FEWEST = 2  # records by which a header with an error is told: itself and a row
LONG_RUN = 5  # numbers in a row, from 0 or 1 on, that name columns even over whole numbers
SHORT_RUN = 3  # numbers in a row that name columns from another number on, such as years
PADDED = re.compile(r"[+-]?0[0-9]", re.ASCII)
WHOLE = re.compile(r"0|[1-9][0-9]*", re.ASCII)


def is_number(said: str) -> bool:
    """Whether the text is a decimal number, as the compiled loops read it."""
    return DECIMAL.fullmatch(said.encode("utf-8", "surrogateescape")) is not None


def is_header(table: list[list[str]], missing: Sequence[str]) -> bool:
    """Whether the first record names the columns: its cells differ, are words, and do not occur again below.

    One may occur again, such as a label y, if some other column holds nothing but numbers below. If none does, some may
    be empty, such as that over numbers of rows, and two may be the same, which is an error of that header. Numbers name
    columns if they count them and the rows below are of another kind (`is_numbered_header`).
    """
    if not table:
        return False
    names = [one for one in table[0] if one]
    if any(is_number(one) for one in names):
        return is_numbered_header(table, missing)
    if any(one in missing for one in names):
        return False
    below: list[Any] = [set(column) for column in zip_longest(*table[1:])]
    again = [name in column for name, column in zip(table[0], below, strict=False) if name]
    if len(set(table[0])) < len(table[0]) or len(names) < len(table[0]):
        return len(table) > FEWEST and 2 * len(names) > len(table[0]) and not any(again)
    counted = any(all(is_number(cell) for cell in column if cell) and any(column) for column in below)
    return counted or not any(again)


def counts_columns(record: Sequence[str], missing: Sequence[str]) -> bool:
    """Whether numbers in a record rise by one, as names of columns do: 0, 1, 2, or 2024, 2025, 2026 beside words."""
    numbers = [cell for cell in record if is_number(cell)]
    if not numbers or not all(WHOLE.fullmatch(cell) for cell in numbers) or "" in record[1:]:
        return False
    counted = all(int(b) == int(a) + 1 for a, b in pairwise(numbers))
    begins = len(numbers) > int(numbers[0]) <= 1 or len(numbers) >= SHORT_RUN
    return counted and begins and len(set(record)) == len(record) and not any(cell in missing for cell in record)


def is_numbered_header(table: list[list[str]], missing: Sequence[str]) -> bool:
    """Whether a first record with numbers in it names the columns: it counts them, and the rows below are unlike it.

    They are unlike if below a number there are only words or only fractions, or below a word only numbers. Over rows of
    whole numbers, five numbers or more from 0 or 1 on name columns unless one of the rows counts or shuffles them too.
    """
    first = table[0]
    rows = table[1:]
    if not rows or not counts_columns(first, missing):
        return False
    unlike = False
    for name, column in zip(first, zip_longest(*rows, fillvalue=""), strict=False):
        cells = [cell for cell in column if cell and cell not in missing]
        if not is_number(name) and name in cells:
            return False
        if not name or not cells:
            continue
        numbers = sum(map(is_number, cells))
        if is_number(name):
            fractions = numbers == len(cells) and not any(WHOLE.fullmatch(cell.lstrip("+-")) for cell in cells)
            unlike |= fractions or numbers == 0
        else:
            unlike |= numbers == len(cells)
    counted = [cell for cell in first if is_number(cell)]
    long = len(counted) >= LONG_RUN and int(counted[0]) <= 1
    return unlike or (long and not any(sorted(row) == sorted(first) or counts_columns(row, missing) for row in rows))


def are_padded(cells: Iterable[str]) -> bool:
    """Whether some of these numbers have zeros before them, as codes have: 00501 and 501 are two of those."""
    return any(PADDED.match(cell) for cell in cells)


def tell_header(table: list[list[str]], header: bool, missing: Sequence[str]) -> list[str]:
    """What to say of a decision that may be wrong: about a first record that counts columns."""
    if not counts_columns(table[0], missing):
        return []
    shown = ", ".join(table[0][:5]) + (", ..." if len(table[0]) > len(table[0][:5]) else "")
    if header:
        return [f"the first line, {shown}, is taken for names of columns (header=False: it is a row)"]
    bare = len(table[0]) >= SHORT_RUN and all(map(is_number, table[0]))
    return [f"the first line, {shown}, is taken for a row (header=True: it names the columns)"] * bare
