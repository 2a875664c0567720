"""Indexed: attributes by number.

>>> Indexed()({7: 1.0, 3: 0.5})
Row(indices=array([3, 7], dtype=int32), values=array([0.5, 1. ]))
"""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy import ndarray

from littlestone.base.chunks import Chunk, Examples, Row
from littlestone.base.errors import BadInstance, BadModel, require
from littlestone.base.features.contract import (
    FLOAT32,
    FLOAT64,
    INT32,
    NOT_FINITE,
    TOP,
    UNSORTED,
    Features,
    inspect_row,
    read_row,
    sort_row,
)
from littlestone.base.features.numbered_columns import number_chunk, number_instance


@dataclass(slots=True)
class Indexed(Features):
    """Attributes by number: dense vectors, {number: value}, (numbers, values), SciPy rows.

    Args:
        attributes: How many there are, >= 0, for rules that depend on it; None: they are counted as they come.
        names: Names of the columns, where a table has them: rows of other tables, and dicts, are matched by them.
    """

    attributes: int | None = None
    names: tuple[str, ...] = ()
    width: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        require(self.attributes is None or self.attributes >= 0, f"attributes must be >= 0, got {self.attributes}")
        self.width = self.attributes or 0

    def __call__(self, x: Any) -> Row:
        if type(x) is tuple and len(x) == 2:  # the form made for speed: a pair of arrays
            indices, values = x
            if type(indices) is ndarray and type(values) is ndarray and indices.dtype is INT32:
                kind = values.dtype
                shape = indices.shape
                if (kind is FLOAT32 or kind is FLOAT64) and values.shape == shape and len(shape) == 1:
                    width = inspect_row(indices, values, shape[0])
                    if 0 <= width <= self.width:
                        return Row(indices, values)
        row = read_row(number_instance(x, self.names) if self.names else x)
        if row.indices is None:
            return self._check_width(row, row.length)
        width = inspect_row(row.indices, row.values, row.length)
        if width == NOT_FINITE:
            raise BadInstance("attributes must be finite numbers, got NaN or infinity")
        if width == UNSORTED:
            row = sort_row(row)
            width = int(row.indices[-1]) + 1  # type: ignore[index]
        return self._check_width(row, width)

    def read_chunk(self, chunk: Chunk) -> Chunk:
        if self.names:
            chunk = number_chunk(chunk, self.names)
        if not isinstance(chunk, Examples):
            return Features.read_chunk(self, chunk)
        if self.attributes is None or chunk.width <= self.attributes:
            self._check_width(Row(None, None), chunk.width)
            return chunk
        entries = slice(chunk.indptr[0], chunk.indptr[-1])
        beyond = None if chunk.indices is None else np.flatnonzero(chunk.indices[entries] >= self.attributes)
        if beyond is not None and not len(beyond):
            return chunk
        place = 0 if beyond is None else beyond[0]
        first = int(np.searchsorted(chunk.indptr, chunk.indptr[0] + place, side="right")) - 1
        if first == 0 and len(chunk):
            self(chunk[0])  # raises
        return chunk[:first]

    def name(self, number: int) -> Any:
        """The name of an attribute, or its number if it has none."""
        return self.names[number] if number < len(self.names) else number

    def record(self) -> dict[str, Any]:
        return {"attributes": self.attributes, "names": list(self.names), "width": self.width}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        attributes, names, width = (record[name] for name in ("attributes", "names", "width"))
        whole = type(width) is int and (attributes is None or type(attributes) is int)
        known = isinstance(names, list) and all(isinstance(name, str) for name in names)
        require(whole and known, f"{attributes} attributes of width {width}, or their names", BadModel)
        features = cls(attributes, tuple(names))
        features.width = width
        return features

    def _check_width(self, row: Row, width: int) -> Row:
        if width > self.width:
            top = TOP if self.attributes is None else self.attributes
            require(width <= top, f"attribute numbers must be below {top}, got {width - 1}", BadInstance)
            self.width = width
        return row
