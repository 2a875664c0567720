"""Linked rows: the rows that one target of a network looks at: some of the attributes, and what other targets say.

What other targets say comes first, one attribute for each of them, which is 1 where that target says yes; the other
attributes follow in their order. So a target's attributes keep their numbers when more of them turn up.

>>> from littlestone.base.chunks import Examples
>>> rows = Examples.of([[0, 5.0, 7.0], [6.0, 0, 0]], [0, 1])
>>> Link((2, 0), (1,)).select(rows, np.array([[1], [0]]))[0]
Row(indices=array([0, 2], dtype=int32), values=array([1., 7.]))
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Examples


class Link(NamedTuple):
    """What a target is linked to: attributes (None: all), and the targets whose answers are attributes of it."""

    attributes: tuple[int, ...] | None = None
    targets: tuple[int, ...] = ()

    def count(self, attributes: int) -> int:
        """How many attributes the target has in a game of this many."""
        return len(self.targets) + (attributes if self.attributes is None else len(self.attributes))

    def select(self, rows: Examples, said: Array) -> Examples:
        """The rows as the target sees them; `said` has a column of 0 and 1 for each target that it listens to."""
        if self.attributes is None and not self.targets:
            return rows
        rows = rows.to_sparse()
        assert rows.indices is not None
        here = slice(rows.indptr[0], rows.indptr[-1])
        indices = rows.indices[here]
        values = None if rows.values is None else rows.values[here]
        places = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
        if self.attributes is not None:
            listed = np.array(sorted(self.attributes), np.int32)
            at = np.minimum(np.searchsorted(listed, indices), max(len(listed) - 1, 0))
            kept = listed[at] == indices if len(listed) else np.zeros(len(indices), bool)
            indices = at[kept]
            places = places[kept]
            values = None if values is None else values[kept]
        told, columns = np.nonzero(said)
        every = np.append(told, places)
        numbers = np.append(columns, indices + len(self.targets))
        order = np.lexsort((numbers, every))
        if values is not None:
            values = np.append(np.ones(len(told), values.dtype), values)[order]
        indptr = np.searchsorted(every[order], np.arange(len(rows) + 1))
        width = self.count(rows.width)
        return replace(rows, indptr=indptr, indices=numbers[order].astype(np.int32), values=values, width=width)


@lru_cache(maxsize=256)
def order_targets(links: tuple[tuple[int, ...], ...]) -> tuple[int, ...] | None:
    """The targets that are listed, each after all that it listens to; None where some listen to one another in turn."""
    order = list[int]()
    left = set(range(len(links)))
    while left:
        ready = sorted(c for c in left if not left & set(links[c]))
        if not ready:
            return None
        order += ready
        left -= set(ready)
    return tuple(order)
