"""Frames: the columns of a pandas or polars frame, numbers told from texts.

A column of texts or categories is nominal, and a missing cell in it stays missing. Numbers and booleans are numbers; a
missing one is refused, as it is in any matrix, and so are dates, and columns that mix texts with numbers.
"""

from numbers import Real
from typing import Any

import numpy as np

from littlestone.base.errors import BadInstance, require
from littlestone.base.features.columns import Column, encode_cells
from littlestone.base.features.names import find_repeated


def columns_from_frame(frame: Any) -> list[Column]:
    """A frame's columns if some of them are nominal; none if it is no such frame, or a matrix of numbers."""
    if not (hasattr(frame, "columns") and (hasattr(frame, "iloc") or hasattr(frame, "get_columns"))):
        return []
    names = [str(name) for name in frame.columns]
    series = frame.get_columns() if hasattr(frame, "get_columns") else [frame.iloc[:, j] for j in range(len(names))]
    if not any(_is_nominal(one) for one in series):
        return []
    twice = find_repeated(names)
    if twice is not None:
        raise BadInstance(f"two columns are called {twice!r}: names must differ")
    return [_make_column(name, one) for name, one in zip(names, series, strict=True)]


def _is_nominal(series: Any) -> bool:
    """Whether some cell is a text; dates and whatever else there is are refused as cells of a matrix are."""
    kind = str(series.dtype).lower()
    if kind.startswith(("int", "uint", "float", "bool", "datetime", "date", "duration", "timedelta")):
        return False
    return any(isinstance(cell, str) for cell in series.to_list())


def _make_column(name: str, series: Any) -> Column:
    cells = series.to_list()
    if _is_nominal(series):
        for t, cell in enumerate(cells):
            fits = isinstance(cell, str) or _is_missing(cell)
            others = "in this column others are texts"
            require(fits, f"{others}, got {cell!r} in row {t}, column {name!r}", BadInstance)
        codes, texts = encode_cells([cell if isinstance(cell, str) else None for cell in cells])
        return Column(name, codes=codes, texts=texts)
    for t, cell in enumerate(cells):
        fits = isinstance(cell, Real | np.bool_) and np.isfinite(float(cell))
        wanted = "attributes must be texts or finite numbers"
        require(bool(fits), f"{wanted}, got {cell!r} in row {t}, column {name!r}", BadInstance)
    return Column(name, numbers=np.array(cells, np.float32 if str(series.dtype).lower() == "float32" else np.float64))


def _is_missing(cell: Any) -> bool:
    """None, NaN, or pandas' NA, which is neither true nor false."""
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True
