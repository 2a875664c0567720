"""Streams made from streams: cut finer, entered late, shuffled in windows, or with some rounds held out.

They change which rounds come, or in what pieces, never what a round is.

>>> from littlestone.environments import Recorded
>>> rows = Recorded([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
>>> [chunk.labels.tolist() for chunk in Cut(rows, lambda t: t + 3).chunks()]
[[0, 1, 0], [1]]
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances, Tokens
from littlestone.base.environment import Stream
from littlestone.base.errors import require
from littlestone.base.features import Features
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

    def __repr__(self) -> str:
        return str(self.stream)


class Cut(Derived):
    """Chunks that end where `following` says: it gives, for a round, the next one that begins a chunk."""

    def __init__(self, stream: Stream, following: Callable[[int], int], first: int = 0) -> None:
        super().__init__(stream)
        self.following, self.first = following, first

    def chunks(self) -> Iterator[Chunk]:
        played = self.first
        for chunk in self.stream.chunks():
            done = 0
            while done < len(chunk):
                end = min(len(chunk), done + self.following(played) - played)
                yield chunk[done:end]
                played, done = played + end - done, end


class After(Derived):
    """The rounds after the first so many."""

    def __init__(self, stream: Stream, rounds: int) -> None:
        super().__init__(stream)
        self.left_out = rounds

    def chunks(self) -> Iterator[Chunk]:
        left = self.left_out
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


class Paced(Derived):
    """Chunks with something done before each is played, and after it, when what it taught is complete.

    `after` is told the chunk and answers True to end the stream there.
    """

    def __init__(
        self, stream: Stream, before: Callable[[Chunk], None] | None, after: Callable[[Chunk], bool | None]
    ) -> None:
        super().__init__(stream)
        self.before, self.after = before, after

    def chunks(self) -> Iterator[Chunk]:
        for chunk in self.stream.chunks():
            if self.before is not None:
                self.before(chunk)
            yield chunk
            if self.after(chunk):
                return


class Shuffled(Derived):
    """Rounds shuffled within windows of so many: each window is permuted by coins from the seed."""

    def __init__(self, stream: Stream, window: int, seed: int = 0) -> None:
        super().__init__(stream)
        require(window >= 2, f"a window to shuffle in has at least 2 rounds, got {window}")
        self.window, self.seed = window, seed

    def chunks(self) -> Iterator[Chunk]:
        rng = np.random.default_rng(self.seed)
        held: list[Chunk] = []
        for chunk in Cut(self.stream, lambda t: (t // self.window + 1) * self.window).chunks():
            held.append(chunk)
            if sum(map(len, held)) == self.window:
                yield from _permuted(held, rng)
                held = []
        if held:
            yield from _permuted(held, rng)


class HeldOut(Derived):
    """All rounds but every so many, which `judge` is shown, before the rounds around them are played."""

    def __init__(self, stream: Stream, every: int, judge: Callable[[Chunk], None], first: int = 0) -> None:
        super().__init__(stream)
        require(every >= 2, f"at most every second round can be held out, got every {every}")
        self.every, self.judge, self.first = every, judge, first

    def chunks(self) -> Iterator[Chunk]:
        before = self.first
        for chunk in self.stream.chunks():
            number = before + np.arange(1, len(chunk) + 1)
            held = number % self.every == 0
            before += len(chunk)
            if held.any():
                self.judge(chunk.take(np.flatnonzero(held)))
                chunk = chunk.take(np.flatnonzero(~held))
            if len(chunk):
                yield chunk


def _permuted(held: list[Chunk], rng: Any) -> Iterator[Chunk]:
    whole = joined(held)
    yield whole.take(rng.permutation(len(whole)))


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks of one stream, one after another."""
    first = chunks[0]
    if len(chunks) == 1:
        return first
    labels = np.concatenate([chunk.labels for chunk in chunks])
    if isinstance(first, Instances):
        return Instances([x for chunk in chunks for x in chunk], labels)  # type: ignore[union-attr]
    parts: list[Any] = [chunk.take(np.arange(len(chunk))) for chunk in chunks]  # each entry once, from the first on
    ends = np.cumsum([0, *(part.indptr[-1] for part in parts)])
    indptr = np.concatenate([[0], *(part.indptr[1:] + end for part, end in zip(parts, ends, strict=False))])
    values = _all(parts, "values", lambda part: np.ones(part.indptr[-1], np.float32))
    importance = _all(parts, "importance", lambda part: np.ones(len(part)))
    if isinstance(first, Examples):
        indices = None if first.indices is None else np.concatenate([part.indices for part in parts])
        return Examples(indptr, indices, values, labels, max(part.width for part in parts), importance)
    shifts = np.cumsum([0, *(len(part.text) for part in parts)])
    starts = np.concatenate([part.starts + shift for part, shift in zip(parts, shifts, strict=False)])
    text, lengths, keys = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("text", "lengths", "keys")
    )
    return Tokens(indptr, text, starts, lengths, keys, values, labels, importance)


def _all(parts: list[Any], name: str, ones: Callable[[Any], Array]) -> Array | None:
    """A column of all parts, with ones where only some have it; None where none has."""
    columns = [getattr(part, name) for part in parts]
    if all(column is None for column in columns):
        return None
    return np.concatenate(
        [ones(part) if column is None else column for part, column in zip(parts, columns, strict=True)]
    )
