"""Frames: the columns of a pandas or polars frame, and what each of them holds.

Numbers and booleans are numbers, dates are dates, and columns of strings hold dates, texts or categories, as in CSV;
pandas' and polars' own categories stay categories. A missing cell (None, NaN, NaT) is missing, as it is in CSV; an
infinite number is refused, and so is a column that mixes texts with numbers.
"""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, require
from littlestone.base.features.columns import Column, encode_cells
from littlestone.base.features.names import find_repeated
from littlestone.base.features.schema import CATEGORY, DATE, IGNORE, NUMBER, guess_kind, require_kinds, settle_kinds

NUMBERS = ("int", "uint", "float", "bool")  # what the names of types of numbers begin with
FIRST = 100  # cells by which it is guessed what a column holds


def is_frame(thing: Any) -> bool:
    """Whether it has columns, as frames of pandas and polars do."""
    return hasattr(thing, "columns") and (hasattr(thing, "iloc") or hasattr(thing, "get_columns"))


def columns_from_frame(frame: Any, types: Mapping[str, str] | None = None) -> dict[str, tuple[Column, str]]:
    """A frame's columns by name, with what they hold: as told by `types`, or as guessed."""
    names = [str(name) for name in frame.columns]
    twice = find_repeated(names)
    if twice is not None:
        raise BadInstance(f"two columns are called {twice!r}: names must differ")
    require_kinds(types)
    known = dict(zip(names, _list_series(frame), strict=True))
    kinds = settle_kinds({name: guess_series_kind(one) for name, one in known.items()}, None, types)
    return {name: (_make_column(name, known[name], kind), kind) for name, kind in kinds.items() if kind != IGNORE}


def guess_series_kind(series: Any) -> str:
    """What the cells of a column are, by its type and, of texts, by the first ones."""
    kind = str(series.dtype).lower()
    if kind.startswith(NUMBERS):
        return NUMBER
    if kind.startswith(("datetime", "date")):
        return DATE
    texts = [cell for cell in series.to_list() if isinstance(cell, str)]
    if kind.startswith(("categor", "enum")):
        return CATEGORY if texts else NUMBER
    return guess_kind(texts[:FIRST]) if texts else NUMBER


def has_words(frame: Any) -> bool:
    """Whether it is a frame with a column that does not hold numbers."""
    return is_frame(frame) and any(guess_series_kind(one) != NUMBER for one in _list_series(frame))


def _list_series(frame: Any) -> list[Any]:
    """The columns of a frame, in their order."""
    if hasattr(frame, "get_columns"):
        return list(frame.get_columns())
    return [frame.iloc[:, j] for j in range(frame.shape[1])]


def _make_column(name: str, series: Any, kind: str) -> Column:
    if kind == NUMBER and str(series.dtype).lower().startswith(NUMBERS):
        real = np.float32 if str(series.dtype).lower() == "float32" else np.float64
        told = {"dtype": real, "na_value": np.nan} if hasattr(series, "iloc") else {}
        return _check_numbers(name, np.asarray(series.to_numpy(**told), real))
    cells = [None if _is_missing(cell) else cell for cell in series.to_list()]
    if kind != NUMBER:
        for t, cell in enumerate(cells):
            fits = kind == DATE or cell is None or isinstance(cell, str) or str(series.dtype) != "object"
            others = "in this column others are texts"
            require(fits, f"{others}, got {cell!r} in row {t}, column {name!r}", BadInstance)
        codes, texts = encode_cells([cell if cell is None or isinstance(cell, str) else str(cell) for cell in cells])
        return Column(name, codes=codes, texts=texts)
    for t, cell in enumerate(cells):
        fits = cell is None or isinstance(cell, Real | np.bool_)
        wanted = "attributes must be texts or finite numbers"
        require(fits, f"{wanted}, got {cell!r} in row {t}, column {name!r}", BadInstance)
    return _check_numbers(name, np.array([np.nan if cell is None else cell for cell in cells], np.float64))


def _check_numbers(name: str, numbers: Array) -> Column:
    """A column of numbers, of which none is infinite; NaN is missing."""
    if np.isinf(numbers).any():
        t = int(np.argmax(np.isinf(numbers)))
        wanted = "attributes must be texts or finite numbers"
        raise BadInstance(f"{wanted}, got {numbers[t]} in row {t}, column {name!r}")
    return Column(name, numbers=numbers)


def _is_missing(cell: Any) -> bool:
    """None, NaN, or pandas' NA, which is neither true nor false."""
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True
