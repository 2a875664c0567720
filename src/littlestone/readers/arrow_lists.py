"""Lists: list columns of an Arrow table as rows of attributes, in the columns' own memory."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadData
from littlestone.compiled import kernel, read_value

SORTED = 0
UNSORTED = 1
NEGATIVE = 2
NOT_FINITE = 3
TOP = 2**31  # attribute numbers are below this


@kernel
def inspect_rows(indptr: Any, indices: Any, values: Any) -> Any:
    """Whether rows are in order or what is wrong, in which row, and one more than the highest attribute."""
    width = np.int64(0)
    how = SORTED
    for t in range(indptr.size - 1):
        before: Any = np.int64(-1)
        wrong = 0
        unordered = 0
        for k in range(np.uint64(indptr[t]), np.uint64(indptr[t + 1])):
            here = np.int64(indices[k])
            wrong += 0 if here >= 0 and np.isfinite(read_value(values, k)) else 1
            unordered += 0 if here > before else 1
            before = here
            width = max(width, here + 1)
        if wrong:
            for k in range(indptr[t], indptr[t + 1]):
                if indices[k] < 0:
                    return NEGATIVE, t, np.int64(indices[k])
            return NOT_FINITE, t, width
        if unordered:
            how = UNSORTED
    return how, 0, width


def read_lists(indices: Any, values: Any, labels: Array, real: str, before: int) -> Examples:
    """Rows of a column of lists of integers and, if given, one of lists of numbers; `before` rows came before."""
    _require_complete(indices, "indices", before)
    indptr = indices.offsets.to_numpy(zero_copy_only=True).astype(np.int64)
    listed = indices.values.to_numpy(zero_copy_only=True)
    used = listed[indptr[0] : indptr[-1]]
    if len(used) and int(used.max()) >= TOP:
        t = int(np.searchsorted(indptr, indptr[0] + int(np.argmax(used >= TOP)), side="right")) - 1
        raise BadData(f"an attribute's number is below 2^31, got {used.max()} in row {before + t}")
    listed = listed.astype(np.int32, copy=False)
    numbers = None
    if values is not None:
        _require_complete(values, "values", before)
        offsets = values.offsets.to_numpy(zero_copy_only=True)
        differ = np.diff(offsets) != np.diff(indptr)
        if differ.any():
            t = int(np.argmax(differ))
            counts = f"{indptr[t + 1] - indptr[t]} indices and {offsets[t + 1] - offsets[t]} values"
            raise BadData(f"row {before + t} has {counts}: there must be as many")
        numbers = values.values.to_numpy(zero_copy_only=True)[offsets[0] : offsets[-1]].astype(real, copy=False)
    listed = listed[indptr[0] : indptr[-1]]
    indptr = indptr - indptr[0]
    how, t, width = inspect_rows(indptr, listed, numbers)
    if how == NEGATIVE:
        raise BadData(f"an attribute's number is at least 0, got {width} in row {before + t}")
    if how == NOT_FINITE:
        raise BadData(f"values must be finite numbers, got NaN or infinity in row {before + t}")
    if how == UNSORTED:
        from scipy.sparse import csr_array

        numbers = np.ones(len(listed), real) if numbers is None else numbers
        return Examples.of(csr_array((numbers, listed, indptr), shape=(len(labels), int(width))), labels)
    return Examples(indptr, listed, numbers, labels, int(width))


def _require_complete(lists: Any, name: str, before: int) -> None:
    """Refuse missing lists, and lists with missing entries."""
    if lists.null_count:
        t = int(np.argmin(lists.is_valid().to_numpy(zero_copy_only=False)))
        raise BadData(f"the {name} are missing in row {before + t}: a row without attributes has an empty list")
    if lists.values.null_count:
        raise BadData(f"the {name} have a missing entry, in a list after row {before}")
