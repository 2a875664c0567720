"""Entries of rows in CSR form: those of chosen rows, and those of a dense matrix that are not zero."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def select_entries(indptr: Array, rows: Array) -> tuple[Array, Array]:
    """The row pointers of chosen rows, and the places of their entries."""
    counts = indptr[rows + 1] - indptr[rows]
    ends = np.concatenate(([0], np.cumsum(counts)))
    return ends, np.repeat(indptr[rows] - ends[:-1], counts) + np.arange(ends[-1])


def list_entries(dense: Array) -> tuple[Array, Array, Array]:
    """Row pointers, attributes and values of the entries that are not zero."""
    rows, columns = np.nonzero(dense)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(dense))))).astype(np.int64)
    return indptr, columns.astype(np.int32), dense[rows, columns]
