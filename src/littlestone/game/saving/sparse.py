"""Sparse arrays: of an array that is mostly as it was at the start, only the entries that are not.

An array `weights` becomes `weights@places`, in ascending order, and `weights@values`; the document has its shape.
Entries are compared by their bits with those of a state that starts, where there is such an array, or else with zeros.

>>> arrays = {"w": np.where(np.arange(4096) == 7, 2.5, 0)}
>>> shapes = thin_out(arrays, {"w": None})
>>> shapes, arrays["w@places"], arrays["w@values"]
({'w': [4096]}, array([7], dtype=uint32), array([2.5]))
>>> restore_array("w", shapes["w"], arrays, None)[6:9]
array([0. , 2.5, 0. ])
"""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.row_table import RowTable
from littlestone.game.saving.states import Arrays, require_sound

PLACES = "@places"
VALUES = "@values"
LEAST = 1 << 12  # bytes of an array of which entries are left out
MOST = 4 << 30  # bytes that all such arrays of a file may take: as many as data may make a player grow by
PIECE = 1 << 18  # entries that are compared at once
WIDE = 2**32  # entries from which places take eight bytes

Shapes = dict[str, list[int]]


def thin_out(arrays: Arrays, starts: Mapping[str, Array | None]) -> Shapes:
    """Leave out of arrays what is as at the start, where that halves them; the shapes of those that changed.

    `starts` has the arrays that may be thinned out, with what they were at the start; None: zeros.
    """
    large = {path: start for path, start in starts.items() if path in arrays and arrays[path].nbytes >= LEAST}
    if sum(_count_bytes(arrays[path]) for path in large) > MOST:
        large = {}
    shapes: Shapes = {}
    for path, start in large.items():
        array: Any = arrays[path]
        if isinstance(array, RowTable):
            places, values = array.list_changed()
            places = places.astype(_type_places(prod(array.shape)))
        else:
            found = _find_changed(array, start if _is_alike(array.shape, array.dtype, start) else None)
            if found is None:
                continue
            places = found
            values = array.ravel()[found]
        if places.nbytes + values.nbytes <= _count_bytes(array) // 2:
            shapes[path] = list(array.shape)
            arrays[path + PLACES], arrays[path + VALUES] = places, values
            del arrays[path]
    for path, array in arrays.items():
        if isinstance(array, RowTable):
            arrays[path] = array.spread()
    return shapes


def count_claimed(shapes: Any, arrays: Arrays, memory: int = MOST) -> int:
    """The bytes that arrays take which a file has in part, once all shapes were looked at; no more than `memory`."""
    require_sound(isinstance(shapes, dict), "sparse arrays that have no shapes")
    claimed = 0
    for path, shape in shapes.items():
        plain = isinstance(shape, list) and all(type(number) is int and 0 <= number < 2**48 for number in shape)
        known = plain and path not in arrays and {path + PLACES, path + VALUES} <= arrays.keys()
        require_sound(known, f"a sparse array {path} of shape {shape}")
        claimed += prod(shape) * arrays[path + VALUES].itemsize
    told = f"sparse arrays would take {claimed:,} bytes of memory, and {memory:,} are allowed"
    require_sound(claimed <= memory, f"{told}: load(memory=bytes), --memory GB")
    return claimed


def restore_array(path: str, shape: list[int], arrays: Arrays, start: Any, own: Any = None) -> Any:
    """The array that was thinned out; `start`, which is used up, is what it was at the start, or a table of rows.

    Where `own` is the same array already, it is that: a file that was just written takes no memory to check.
    """
    places = arrays.pop(path + PLACES)
    values = arrays.pop(path + VALUES)
    size = prod(shape)
    listed = places.dtype == _type_places(size) and places.ndim == 1 and places.shape == values.shape
    ordered = listed and (places[1:] > places[:-1]).all() and (len(places) == 0 or int(places[-1]) < size)
    require_sound(bool(ordered), f"places of {path} that are none of {size} in ascending order")
    if own is not None and _is_same(own, shape, start, places, values):
        return own
    if isinstance(start, RowTable):
        require_sound((size,) == start.shape and values.dtype == start.dtype, f"{path} of shape {shape}")
        return RowTable.from_changed(start.attributes, start.block, places.astype(np.int64), values)
    whole = start if start is not None and _is_alike(shape, values.dtype, start) else np.zeros(shape, values.dtype)
    flat = whole.reshape(-1)
    flat[places] = values
    return flat.reshape(shape)


def _is_same(own: Any, shape: list[int], start: Any, places: Array, values: Array) -> bool:
    """Whether an array, or a table of rows, has these values at these places, bit for bit, and no other changes."""
    if (
        tuple(own.shape) != tuple(shape)
        or own.dtype != values.dtype
        or isinstance(own, RowTable) != isinstance(start, RowTable)
    ):
        return False
    if isinstance(own, RowTable):
        changed, held = own.list_changed()
    else:
        found = _find_changed(own, start if _is_alike(shape, own.dtype, start) else None)
        changed, held = (places[:0], values) if found is None else (found, own.reshape(-1)[found])
    return np.array_equal(changed, places) and held.tobytes() == values.tobytes()


def _count_bytes(array: Any) -> int:
    """How many bytes all entries take."""
    return int(prod(array.shape) * array.dtype.itemsize)


def _is_alike(shape: Any, kind: Any, start: Array | None) -> bool:
    return isinstance(start, np.ndarray) and start.shape == tuple(shape) and start.dtype == kind


def _find_changed(array: Array, start: Array | None) -> Array | None:
    """The places of a flat array whose bits are not those of the start, or not zeros; None if they are too many.

    Too many are those that would not halve the array: a list of all its places takes more memory than the array itself.
    """
    bits = np.ascontiguousarray(array).reshape(-1).view(f"u{array.itemsize}")
    before = None if start is None else np.ascontiguousarray(start).reshape(-1).view(bits.dtype)
    kind = _type_places(len(bits))
    found = [np.zeros(0, kind)]
    left = array.nbytes // 2 // (kind.itemsize + array.itemsize)
    for first in range(0, len(bits), PIECE):
        piece = bits[first : first + PIECE]
        changed = piece if before is None else piece != before[first : first + PIECE]
        found.append((np.flatnonzero(changed) + first).astype(kind))
        left -= len(found[-1])
        if left < 0:
            return None
    return np.concatenate(found)


def _type_places(size: int) -> Any:
    return np.dtype(np.uint32 if size <= WIDE else np.uint64)
