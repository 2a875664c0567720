"""Leading rounds of a stream, collected in memory to be looked at in any order."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Chunk, Examples
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import BadParameter
from littlestone.base.features import Indexed
from littlestone.environments.derived import join_chunks
from littlestone.game.sources import can_read, read


def open_stream(source: Any) -> Stream:
    """The stream that was given, or the one in the file that was."""
    stream = read(source) if not isinstance(source, Stream) and can_read(source) else source
    if not isinstance(stream, Stream):
        raise BadParameter(f"only a stream, such as Recorded(X, y) or a file, can be looked through; got {source!r}")
    return stream


def collect_rounds(stream: Stream, rounds: int | None = None, features: Any = None) -> Any:
    """Leading rounds as one chunk, their instances as a learner sees them, their labels the user's own."""
    reads = features or stream.features() or Indexed()
    parts: list[Chunk] = []
    for chunk in take_rounds(stream.chunks(), rounds):
        done = 0
        while done < len(chunk):  # features stop before a round that they refuse, and raise when it comes first
            parts.append(reads.read_chunk(chunk[done:]))
            done += len(parts[-1])
    if not parts:
        return Examples(np.zeros(1, np.int64), np.zeros(0, np.int32), None, np.zeros(0, np.int64), 0)
    return join_chunks(parts)
