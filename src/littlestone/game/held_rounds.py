"""Held: leading rounds of a stream kept in memory, to be looked at in any order."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances
from littlestone.base.environment import Stream
from littlestone.base.errors import BadParameter
from littlestone.base.features import Indexed
from littlestone.readers.reading import read
from littlestone.readers.source import is_source


def stream_of(source: Any) -> Stream:
    """The stream that was given, or the one in the file that was."""
    stream = read(source) if not isinstance(source, Stream) and is_source(source) else source
    if not isinstance(stream, Stream):
        raise BadParameter(f"only a stream, such as Recorded(X, y) or a file, can be looked through; got {source!r}")
    return stream


def held(stream: Stream, rounds: int | None = None, features: Any = None) -> Examples | Instances:
    """Leading rounds as one chunk, their instances as a learner sees them, their labels the user's own."""
    reads = features or stream.features() or Indexed()
    parts: list[Chunk] = []
    kept = 0
    for chunk in stream.chunks():
        done, left = 0, len(chunk) if rounds is None else min(len(chunk), rounds - kept)
        while done < left:  # features stop before a round that they refuse, and raise when it comes first
            seen = reads.chunk(chunk[done:left])
            parts.append(seen)
            done += len(seen)
        kept += done
        if rounds is not None and kept >= rounds:
            break
    return _joined(parts)


def reordered(chunk: Examples | Instances, order: Array) -> Examples | Instances:
    """The same rounds in another order, or some of them."""
    labels = chunk.labels[order]
    if not isinstance(chunk, Examples):
        return Instances([chunk.points[t] for t in order.tolist()], labels)
    starts, counts = chunk.indptr[:-1][order], np.diff(chunk.indptr)[order]
    indptr = np.concatenate(([0], np.cumsum(counts)))
    entries = np.repeat(starts - indptr[:-1], counts) + np.arange(indptr[-1])
    indices = None if chunk.indices is None else chunk.indices[entries]
    return Examples(indptr, indices, None if chunk.values is None else chunk.values[entries], labels, chunk.width)


def _joined(parts: list[Chunk]) -> Examples | Instances:
    if not all(isinstance(part, Examples) for part in parts):
        points = [part[t] for part in parts for t in range(len(part))]
        return Instances(points, np.concatenate([part.labels for part in parts]))
    rows = [part for part in parts if isinstance(part, Examples)]
    if not rows:
        return Examples(np.zeros(1, np.int64), np.zeros(0, np.int32), None, np.zeros(0, np.int64), 0)
    width = max(part.width for part in rows)
    if len(rows) > 1 and any(part.indices is None for part in rows):
        rows = [part.sparse() for part in rows]
    lengths = np.concatenate([np.diff(part.indptr) for part in rows])
    spans = [slice(part.indptr[0], part.indptr[-1]) for part in rows]
    values = None
    if any(part.values is not None for part in rows):
        given = [
            np.ones(s.stop - s.start) if p.values is None else p.values[s] for p, s in zip(rows, spans, strict=True)
        ]
        values = np.concatenate(given)
    listed = [part.indices[span] for part, span in zip(rows, spans, strict=True) if part.indices is not None]
    labels = np.concatenate([part.labels for part in rows])
    return Examples(
        np.concatenate(([0], np.cumsum(lengths))), np.concatenate(listed) if listed else None, values, labels, width
    )
