"""Readers: any bytes are read into well-formed rounds, or refused in words, and blocks and threads change nothing."""

import io
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np

from littlestone.base.chunks import Examples, Tokens
from littlestone.base.errors import BadData
from littlestone.readers.blocks import read_blocks
from littlestone.readers.format import Lines
from littlestone.readers.parsing import parse_block
from littlestone.readers.reading import map_in_order, read

SMALL = 96  # bytes of a block, so that even a short file has several


def well_formed(chunk: Any) -> None:
    """Assert what every chunk promises to learners."""
    indptr = chunk.indptr
    assert len(indptr) == len(chunk) + 1 == len(chunk.labels) + 1
    assert indptr[0] >= 0
    assert (np.diff(indptr) >= 0).all()
    entries = slice(indptr[0], indptr[-1])
    if chunk.values is not None:
        assert np.isfinite(chunk.values[entries]).all()
    if chunk.importance is not None:
        assert len(chunk.importance) == len(chunk)
        assert (np.isfinite(chunk.importance) & (chunk.importance >= 0)).all()
    if isinstance(chunk, Tokens):
        which = np.arange(len(chunk.keys)) if chunk.which is None else chunk.which
        assert len(which[entries]) == indptr[-1] - indptr[0]
        assert which.min(initial=0) >= 0
        starts, lengths = chunk.starts[which[entries]], chunk.lengths[which[entries]].astype(np.int64)
        assert len(chunk.starts) == len(chunk.lengths) == len(chunk.keys)
        assert (starts >= 0).all()
        assert (lengths >= 0).all()
        assert (starts + lengths <= len(chunk.text)).all()
    else:
        assert isinstance(chunk, Examples)
        if chunk.indices is None:
            assert (np.diff(indptr) == chunk.width).all()
        else:
            listed = chunk.indices[entries]
            assert len(listed) == indptr[-1] - indptr[0]
            assert listed.min(initial=0) >= 0
            assert listed.max(initial=-1) < max(chunk.width, 1)


def listed(chunk: Any) -> list[Any]:
    """The rounds of a chunk as plain values that can be compared."""
    found = []
    for t, label in enumerate(chunk.labels.tolist()):
        x = chunk[t]
        if isinstance(chunk, Tokens):
            a, b = chunk.indptr[t], chunk.indptr[t + 1]
            row: Any = [list(x.items()), chunk.expand_names().keys[a:b].tolist()]
        else:
            row = [part if part is None else part.tolist() for part in x]
        weight = 1.0 if chunk.importance is None else float(chunk.importance[t])
        found.append((label, row, weight))  # 1 and 1.0 are one label
    return found


def played(chunks: Any) -> tuple[list[Any], Any]:
    """The rounds, and where and why they ended."""
    found: list[Any] = []
    try:
        for chunk in chunks:
            well_formed(chunk)
            found += listed(chunk)
    except BadData as problem:
        return found, (problem.line, problem.column, problem.problem)
    return found, None


def in_small_blocks(data: bytes, format: Lines) -> Any:
    """The same file in blocks of a few lines, parsed by two threads."""
    part = read(io.BytesIO(data), format=format).files[0]
    with (
        closing(
            read_blocks(part, format, max(SMALL, format.skip(data) + 4))
        ) as pieces,  # the first block holds a header
        closing(map_in_order(lambda block: parse_block(format, block, False), pieces, 2)) as results,
    ):
        for _, result in results:
            yield from result.chunks
            if result.problems:
                raise BadData(result.problems[0].text)


def property_of(name: str, **options: Any) -> Callable[[bytes], bool]:
    """The property of one format: whether the bytes were read to their end."""

    def one(data: bytes) -> bool:
        try:
            reading = read(io.BytesIO(data), format=name, threads=1, **options)
        except BadData:
            return False
        whole, ended = played(reading.chunks())
        again, why = played(read(io.BytesIO(data), format=name, threads=2, **options).chunks())
        assert (again, why) == (whole, ended)
        if isinstance(reading.format, Lines):
            some, why = played(in_small_blocks(data, reading.format))
            assert some == whole
            assert (why and why[2]) == (ended and ended[2])
            skipping = read(io.BytesIO(data), format=name, threads=1, on_error="skip", **options)
            kept, why = played(skipping.chunks())
            assert kept[: len(whole)] == whole
            assert why is not None or (skipping.skipped.count > 0) == (ended is not None)
        return ended is None

    return one
