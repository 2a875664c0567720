"""Estimates: the assumptions of a plan, guessed from the head of a stream."""

from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadInstance, require
from littlestone.certificates.make.margins import find_separator, fit_soft_margin
from littlestone.game.leading_rounds import collect_rounds, open_stream
from littlestone.guarantees.signed_rows import encode_two, sign_rows

HEAD = 4096  # rounds of a stream's head
FEW = 0.05  # the share of rounds that an OR may get wrong and still be taken for the target


def estimate(stream: Any, rounds: int = HEAD, examples: int | None = None) -> Assumptions:
    """Guess the assumptions of a plan from the head of a stream or file; the rest need not be like its head.

    Args:
        stream: A stream, or a file as `read` takes it.
        rounds: How many rounds to look at. More cost time and make a better guess.
        examples: How many rounds there will be in all; None: as many as the stream says, or as were looked at.
    """
    stream = open_stream(stream)
    chunk: Any = collect_rounds(stream, rounds)
    require(isinstance(chunk, Examples), "a plan is about rows of attributes, not points", BadInstance)
    require(len(chunk) > 0, "a stream without rounds suggests nothing", BadInstance)
    codes, _ = encode_two(chunk)
    rows, total = chunk.to_sparse(), examples or stream.rounds or len(chunk)
    about: dict[str, Any] = {"examples": total, "estimated": len(chunk)}
    about["active"] = max(1, int(np.diff(rows.indptr).max()))
    values = None if rows.values is None else rows.values[rows.indptr[0] : rows.indptr[-1]]
    if values is None or bool((values == 1).all()):
        members, wrong = find_disjunction(rows, codes > 0)
        if members and wrong <= FEW * len(chunk):
            return Assumptions(max(chunk.width, 1), len(members), None, wrong / len(chunk), **about)
    return _estimate_margin(chunk, about)


def find_disjunction(rows: Examples, positive: Array) -> tuple[list[int], int]:
    """Find a short OR greedily, by the rounds it gets right.

    Returns:
        The attributes in it.
        How many rounds it gets wrong.
    """
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


def _estimate_margin(chunk: Examples, about: dict[str, Any]) -> Assumptions:
    """The margin of the best hyperplane found, the constant counted among the attributes, which are scaled to 1."""
    z = sign_rows(chunk, 1.0).rows
    given = z.indices > 0
    largest = float(np.abs(z.values[given]).max(initial=0.0)) or 1.0
    z = replace(z, values=np.where(given, z.values / largest, z.values))
    separator = find_separator(z, sweeps=100)
    u = separator.vector if separator.margin > 0 else fit_soft_margin(z, float(z.squares.max()))
    scale = float(np.abs(u).sum()) or 1.0
    products = z.multiply(u) / scale
    right = products[products > 0]
    margin = float(np.quantile(right, 0.0 if separator.margin > 0 else 0.1)) if len(right) else 1.0
    wrong = int(np.count_nonzero(products < margin * (1 - 1e-9)))
    even = max(1, round(scale**2 / (float(u @ u) or 1.0)))  # as many equal weights have the same lengths
    about["active"] += 1
    return Assumptions(z.width, min(even, z.width), min(margin, 1.0), wrong / len(z), **about)
