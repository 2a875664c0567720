"""Row order: rows whose attributes came in any order, and some more than once, put in order."""

from typing import Any

import numpy as np

from littlestone.compiled import kernel, sort


@kernel
def sort_rows(indptr: Any, indices: Any, values: Any) -> Any:
    """Sort every row by attribute, sum duplicates in the order they came and close the gaps.

    Returns how many rows come before the first whose sums are out of range.
    """
    longest = 0
    a = 0
    end = 0
    for row in range(indptr.size - 1):
        longest = max(longest, indptr[row + 1] - indptr[row])
    order = np.empty(longest, np.int64)
    kept = np.empty(longest)
    for row in range(indptr.size - 1):
        size = indptr[row + 1] - a
        ascending = True
        begin = end
        finite = True
        for k in range(size):
            order[k], kept[k] = (np.int64(indices[a + k]) << 32) | k, values[a + k]
            ascending &= k == 0 or order[k - 1] >> 32 < order[k] >> 32
        if not ascending:
            sort(order[:size])
        for k in range(size):
            index = np.int32(order[k] >> 32)
            value = kept[order[k] & 0xFFFFFFFF]
            if end > begin and indices[end - 1] == index:
                values[end - 1] += value
            else:
                indices[end], values[end] = index, value
                end += 1
            finite &= np.isfinite(values[end - 1])
        if not finite:
            return row
        a, indptr[row + 1] = indptr[row + 1], end
    return indptr.size - 1
