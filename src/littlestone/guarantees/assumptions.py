"""Estimates: the assumptions of a plan, guessed from the head of a stream."""

from typing import Any

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadInstance, require
from littlestone.base.labels import Labels
from littlestone.certificates.make.margins import Rows, hard_margin, soft_margin
from littlestone.game.leading_rounds import collect_rounds, open_stream

HEAD = 4096  # rounds of a stream's head
FEW = 0.05  # the share of rounds that an OR may get wrong and still be taken for the target


def estimate(stream: Any, rounds: int = HEAD, examples: int | None = None) -> Assumptions:
    """What the head of a stream or file suggests: estimates, as the rest need not be like its head."""
    stream = open_stream(stream)
    chunk = collect_rounds(stream, rounds)
    require(isinstance(chunk, Examples), "a plan is about rows of attributes, not points", BadInstance)
    assert isinstance(chunk, Examples)
    require(len(chunk) > 0, "a stream without rounds suggests nothing", BadInstance)
    labels = Labels(())
    codes = labels.encode(chunk.labels, 2)
    if len(codes) < len(chunk):
        labels.number(chunk.labels[len(codes)], 2)  # raises
    rows = chunk.sparse()
    total = examples or stream.rounds or len(chunk)
    about: dict[str, Any] = {"examples": total, "estimated": len(chunk)}
    about["active"] = max(1, int(np.diff(rows.indptr).max()))
    values = None if rows.values is None else rows.values[rows.indptr[0] : rows.indptr[-1]]
    if values is None or bool((values == 1).all()):
        members, wrong = disjunction(rows, codes > 0)
        if members and wrong <= FEW * len(chunk):
            return Assumptions(max(chunk.width, 1), len(members), None, wrong / len(chunk), **about)
    return _margin(rows, codes > 0, about)


def disjunction(rows: Examples, positive: Array) -> tuple[list[int], int]:
    """A short OR found greedily, by the rounds it gets right, and how many it gets wrong."""
    assert rows.indices is not None
    indices, row = rows.indices[rows.indptr[0] : rows.indptr[-1]], np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    covered, members = np.zeros(len(rows), bool), list[int]()
    while True:
        worth = np.where(covered, 0.0, np.where(positive, 1.0, -1.0))
        gain = np.bincount(indices, weights=worth[row], minlength=max(rows.width, 1))
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            return members, int(np.count_nonzero(covered != positive))
        members.append(best)
        covered[row[indices == best]] = True


def _margin(rows: Examples, positive: Array, about: dict[str, Any]) -> Assumptions:
    """The margin of the best hyperplane found, the constant counted among the attributes."""
    counts, sign = np.diff(rows.indptr), np.where(positive, 1.0, -1.0)
    assert rows.indices is not None
    span = slice(rows.indptr[0], rows.indptr[-1])
    values = np.ones(span.stop - span.start) if rows.values is None else rows.values[span].astype(np.float64)
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    indptr = np.concatenate(([0], np.cumsum(counts + 1)))
    given = np.ones(indptr[-1], bool)
    given[indptr[:-1]] = False
    indices, entries = np.zeros(indptr[-1], np.int64), np.repeat(sign, counts + 1)
    indices[given], entries[given] = rows.indices[span].astype(np.int64) + 1, values / largest * entries[given]
    z = Rows(indptr, indices, entries, rows.width + 1, np.ones(len(rows)))
    separator = hard_margin(z, sweeps=100)
    u = separator.vector if separator.margin > 0 else soft_margin(z, float(z.squares.max()))
    scale = float(np.abs(u).sum()) or 1.0
    products = z.products(u) / scale
    right = products[products > 0]
    margin = float(np.quantile(right, 0.0 if separator.margin > 0 else 0.1)) if len(right) else 1.0
    wrong = int(np.count_nonzero(products < margin * (1 - 1e-9)))
    even = max(1, round(scale**2 / (float(u @ u) or 1.0)))  # as many equal weights have the same lengths
    about["active"] += 1
    return Assumptions(rows.width + 1, min(even, rows.width + 1), min(margin, 1.0), wrong / len(rows), **about)
