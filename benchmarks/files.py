"""The generated files that benchmarks of reading share: the rows of `streams` as svmlight and as Vowpal Wabbit text."""

from pathlib import Path
from typing import Any

import numpy as np

from littlestone.base.chunks import Examples
from littlestone.compiled import kernel, rule


@rule
def write_number(text: Any, at: int, number: int, digits: int) -> Any:
    """Write a whole number, with leading zeros up to `digits`; return the place after it."""
    size, rest = 1, number // 10
    while rest > 0:
        size, rest = size + 1, rest // 10
    size = max(size, digits)
    for k in range(size):
        text[at + size - 1 - k] = 48 + number % 10
        number //= 10
    return at + size


@kernel
def write_rows(text: Any, indptr: Any, indices: Any, values: Any, labels: Any, first: int, last: int, bar: bool) -> Any:
    """Rows as lines of text, values with six decimals; how many bytes."""
    at = 0
    for t in range(first, last):
        text[at], text[at + 1] = 43 if labels[t] else 45, 49  # +1 or -1
        at += 2
        if bar:
            text[at], text[at + 1] = 32, 124
            at += 2
        for k in range(indptr[t], indptr[t + 1]):
            text[at] = 32
            at = write_number(text, at + 1, indices[k], 1)
            text[at] = 58
            millionths = np.int64(values[k] * 1e6 + 0.5)
            at = write_number(text, at + 1, millionths // 1000000, 1)
            text[at] = 46
            at = write_number(text, at + 1, millionths % 1000000, 6)
        text[at] = 10
        at += 1
    return at


def write_file(path: Path, chunk: Examples, bar: bool = False, rows: int = 10_000) -> Path:
    """The rows as an svmlight file, or with a bar after the label as Vowpal Wabbit takes them."""
    text = np.empty(rows * 4096, np.uint8)
    with path.open("wb") as file:
        for first in range(0, len(chunk), rows):
            last = min(first + rows, len(chunk))
            size = write_rows(text, chunk.indptr, chunk.indices, chunk.values, chunk.labels, first, last, bar)
            file.write(text[:size].data)
    return path


def warm_file(path: Path) -> None:
    """Bring a file into the page cache."""
    with path.open("rb") as file:
        while file.read(1 << 24):
            pass
