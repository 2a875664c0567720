"""Memory for large arrays that is used again as soon as no array uses it any more.

A reader makes several arrays of a megabyte for each block. The operating system clears fresh memory page by page when
it is first touched, which costs as much as a third of parsing; memory that was used before costs nothing. An array
from here is a view of a larger one in a list. The interpreter counts references: when every view of an array is gone,
its memory is handed out again. A chunk that is kept keeps its memory.

>>> first = allocate(SMALL, np.uint8)
>>> first.base is not allocate(SMALL, np.uint8).base
True
"""

import sys
from threading import Lock
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


SMALL = 1 << 18  # bytes below which fresh memory is as good
KEPT = 1 << 27  # bytes that are kept at most
FREE = sys.getrefcount(object()) + 2  # references to an array that only the list and the loop know

_arrays: list[Array] = []
_lock = Lock()
_counted = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the lock, counts of references are not exact


def allocate(size: int, dtype: Any) -> Array:
    """Return an array of this size; its entries may hold anything."""
    kind = np.dtype(dtype)
    needed = size * kind.itemsize
    if needed < SMALL or needed > KEPT // 4 or not _counted:
        return np.empty(size, kind)
    with _lock:
        for array in _arrays:
            if needed <= array.size <= 2 * needed and sys.getrefcount(array) == FREE:
                return array[:needed].view(kind)
        array = np.empty(needed + needed // 8, np.uint8)
        _arrays.append(array)
        while sum(one.size for one in _arrays) > KEPT:
            del _arrays[0]  # its views stay valid
        return array[:needed].view(kind)
