"""Recorded: a stream that is already in memory.

Rows of attributes come as a NumPy or SciPy matrix or a data frame, or as lists of dicts; points of a concept class's
domain as any other sequence. Labels are anything hashable. It is checked once and can be played as often as wanted.

>>> Recorded([[1, 0], [0, 1]], ["yes", "no"]).rounds
2
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from littlestone.environment import Stream
from littlestone.examples import Chunk, Examples, Instances
from littlestone.learner import Size


class Recorded(Stream):
    """Rounds in memory; `classes` declares the labels, in order, before the first round."""

    def __init__(self, X: Any, y: Any, classes: Iterable[Hashable] = ()) -> None:
        rows = hasattr(X, "tocsr") or hasattr(X, "iloc") or np.ndim(X if isinstance(X, np.ndarray) else _head(X)) == 2
        self._chunk: Chunk = Examples.of(X, y) if rows else Instances.of(X, y)
        self._classes = tuple(classes)
        self.rounds = len(self._chunk)

    def size(self) -> Size:
        chunk = self._chunk
        if isinstance(chunk, Examples) and chunk.values is not None:
            return Size(chunk.width, real=chunk.values.dtype.type)
        return Size(chunk.width)

    def classes(self) -> tuple[Hashable, ...]:
        return self._classes

    def chunks(self) -> Iterator[Chunk]:
        yield self._chunk

    def __repr__(self) -> str:
        kind = f"{self._chunk.width} attributes" if isinstance(self._chunk, Examples) else "points"
        return f"Recorded({self.rounds} rounds of {kind})"


def _head(X: Any) -> Any:
    """The first rows, enough to tell a matrix from a list of points."""
    head = list(X[:2])
    return head if all(isinstance(x, list | np.ndarray) for x in head) else [0]
