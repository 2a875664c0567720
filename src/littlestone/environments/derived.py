"""Streams made from streams: entered late, joined, shuffled in windows, weighed, or without the rounds held out.

They change which rounds come, in what order, or how much they count, never what a round is.

>>> from littlestone.environments import Recorded
>>> rows = Recorded([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
>>> [chunk.labels.tolist() for chunk in After(rows, 3).chunks()]
[[1]]
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances, Tokens
from littlestone.base.class_weights import ClassWeights
from littlestone.base.environment import Stream, cut_chunks
from littlestone.base.errors import require
from littlestone.base.features import Features
from littlestone.base.features.schema import Schema
from littlestone.base.learner import Size


class Derived(Stream):
    """A stream of another one's rounds."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def size(self) -> Size:
        return self.stream.size()

    def classes(self) -> tuple[Hashable, ...]:
        return self.stream.classes()

    def features(self) -> Features | None:
        return self.stream.features()

    def schema(self) -> Schema | None:
        return self.stream.schema()

    def __repr__(self) -> str:
        return str(self.stream)


class After(Derived):
    """The rounds of a stream after the first `rounds`."""

    def __init__(self, stream: Stream, rounds: int) -> None:
        super().__init__(stream)
        self.skips = rounds

    def chunks(self) -> Iterator[Chunk]:
        left = self.skips
        for chunk in self.stream.chunks():
            if left < len(chunk):
                yield chunk[left:]
            left = max(0, left - len(chunk))


class Joined(Derived):
    """Several streams one after another, as one."""

    def __init__(self, streams: Sequence[Stream]) -> None:
        super().__init__(streams[0])
        self.streams = streams

    def chunks(self) -> Iterator[Chunk]:
        for stream in self.streams:
            yield from stream.chunks()


class Shuffled(Derived):
    """Rounds shuffled within windows of `window` rounds: each is permuted by coins from the seed."""

    def __init__(self, stream: Stream, window: int, seed: int = 0) -> None:
        super().__init__(stream)
        require(window >= 2, f"a window to shuffle in has at least 2 rounds, got {window}")
        self.window = window
        self.seed = seed

    def chunks(self) -> Iterator[Chunk]:
        rng = np.random.default_rng(self.seed)
        parts: list[Chunk] = []
        for chunk in cut_chunks(self.stream.chunks(), lambda t: (t // self.window + 1) * self.window):
            parts.append(chunk)
            if sum(map(len, parts)) == self.window:
                yield _permute(parts, rng)
                parts = []
        if parts:
            yield _permute(parts, rng)


class Weighed(Derived):
    """The rounds of a stream, each counting as much as its class does, times its own importance if it has one."""

    def __init__(self, stream: Stream, weights: ClassWeights) -> None:
        super().__init__(stream)
        self.weights = weights

    def chunks(self) -> Iterator[Chunk]:
        weights = self.weights.restart()
        for chunk in self.stream.chunks():
            require(not isinstance(chunk, Instances), f"{self.weights.source} is for rows of attributes")
            assert not isinstance(chunk, Instances)
            importance = weights.weigh(chunk.labels)
            yield replace(chunk, importance=importance if chunk.importance is None else chunk.importance * importance)


class WithoutHeldOut(Derived):
    """All rounds but the last of every `every`; `first` rounds came before the stream's first."""

    def __init__(self, stream: Stream, every: int, first: int = 0) -> None:
        super().__init__(stream)
        require(every >= 2, f"at most every second round can be held out, got every {every}")
        self.every = every
        self.first = first

    def chunks(self) -> Iterator[Chunk]:
        before = self.first
        for chunk in self.stream.chunks():
            learned = np.flatnonzero((before + np.arange(1, len(chunk) + 1)) % self.every)
            before += len(chunk)
            if len(learned):
                yield chunk.take(learned)


def _permute(parts: list[Chunk], rng: np.random.Generator) -> Chunk:
    whole = join_chunks(parts)
    return whole.take(rng.permutation(len(whole)))


def join_chunks(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks of one stream, one after another; dense rows stay dense if all have as many attributes."""
    first = chunks[0]
    if len(chunks) == 1:
        return first
    labels = np.concatenate([chunk.labels for chunk in chunks])
    if isinstance(first, Instances):
        return Instances([x for chunk in chunks for x in chunk], labels)  # type: ignore[union-attr]
    if len({(chunk.width, getattr(chunk, "indices", None) is None) for chunk in chunks}) > 1:
        chunks = [chunk.to_sparse() if isinstance(chunk, Examples) else chunk for chunk in chunks]
    # each entry once
    first = chunks[0]
    parts = list[Any](chunk.take(np.arange(len(chunk))) for chunk in chunks)
    ends = np.cumsum([0, *(part.indptr[-1] for part in parts)])
    indptr = np.concatenate([[0], *(part.indptr[1:] + end for part, end in zip(parts, ends, strict=False))])
    values = _join_column(parts, "values", lambda part: np.ones(part.indptr[-1], np.float32))
    importance = _join_column(parts, "importance", lambda part: np.ones(len(part)))
    if isinstance(first, Examples):
        indices = None if first.indices is None else np.concatenate([part.indices for part in parts])
        return Examples(
            indptr, indices, values, labels, max(part.width for part in parts), importance, names=first.names
        )
    shifts = np.cumsum([0, *(len(part.text) for part in parts)])
    starts = np.concatenate([part.starts + shift for part, shift in zip(parts, shifts, strict=False)])
    text, lengths, keys = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("text", "lengths", "keys")
    )
    return Tokens(indptr, text, starts, lengths, keys, values, labels, importance)


def _join_column(parts: list[Any], name: str, ones: Callable[[Any], Array]) -> Array | None:
    """A column of all parts, with ones where only some have it; None where none has."""
    columns = [getattr(part, name) for part in parts]
    if all(column is None for column in columns):
        return None
    return np.concatenate(
        [ones(part) if column is None else column for part, column in zip(parts, columns, strict=True)]
    )
