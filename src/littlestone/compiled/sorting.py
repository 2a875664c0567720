"""Sorting whole numbers inside a compiled loop, by a heap: Numba's own sort takes a second and more to compile."""

from typing import Any

import numpy as np

from littlestone.compiled.decorators import kernel


@kernel
def sift(keys: Any, root: Any, end: int) -> None:
    """Move the key at `root` down a heap that ends before `end` until none below it is larger."""
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= keys[root]:
            return
        keys[root], keys[child] = keys[child], keys[root]
        root = child


@kernel
def sort(keys: Any) -> None:
    """Put the keys in ascending order, in place, in n log n steps whatever they are."""
    size = keys.size
    for parent in range(size // 2 - 1, -1, -1):
        sift(keys, parent, size)
    for end in range(size - 1, 0, -1):
        keys[0], keys[end] = keys[end], keys[0]
        sift(keys, np.int64(0), end)
