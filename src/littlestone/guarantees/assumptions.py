"""Estimates: the assumptions of a plan, guessed from the head of a stream."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadInstance, BadLabel, require
from littlestone.base.labels import Numbers
from littlestone.base.learner import UNLIMITED
from littlestone.base.number_assumptions import FASTEST, NumberAssumptions
from littlestone.certificates.make.margins import find_separator, fit_soft_margin
from littlestone.game.leading_rounds import collect_rounds, open_stream
from littlestone.game.regressor import LOOKED_AT, are_numbers
from littlestone.guarantees.signed_rows import encode_two, sign_rows

HEAD = 4096  # rounds of a stream's head
DAMP = 0.1  # how strongly weights of a rule for numbers are held at zero
Task = Literal["classification", "regression"]
FEW = 0.05  # the share of rounds that an OR may get wrong and still be taken for the target


def estimate(
    stream: Any, rounds: int = HEAD, examples: int | None = None, task: Task | None = None
) -> Assumptions | NumberAssumptions:
    """Guess the assumptions of a plan from the head of a stream or file; the rest need not be like its head.

    Args:
        stream: A stream, or a file as `read` takes it.
        rounds: How many rounds to look at. More cost time and make a better guess.
        examples: How many rounds there will be in all; None: as many as the stream says, or as were looked at.
        task: "classification" or "regression"; None: regression where labels are numbers of many values.
    """
    stream = open_stream(stream)
    chunk: Any = collect_rounds(stream, rounds)
    require(isinstance(chunk, Examples), "a plan is about rows of attributes, not points", BadInstance)
    require(len(chunk) > 0, "a stream without rounds suggests nothing", BadInstance)
    rows = chunk.to_sparse()
    total = examples or stream.rounds or len(chunk)
    if task == "regression" or (task is None and are_numbers(chunk.labels[:LOOKED_AT].tolist())):
        return _estimate_numbers(rows, total)
    codes, _ = encode_two(chunk)
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
    indices = rows.indices[rows.indptr[0] : rows.indptr[-1]]
    row = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    covered = np.zeros(len(rows), bool)
    members = list[int]()
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


def _estimate_numbers(rows: Examples, total: int) -> NumberAssumptions:
    """The range of the labels, and what least squares leave, values being over the largest of their attribute."""
    from scipy.sparse import csr_array, hstack
    from scipy.sparse.linalg import lsqr

    y = np.asarray(Numbers().encode(rows.labels, UNLIMITED), np.float64)
    low = float(y.min())
    high = float(y.max())
    require(low < high, "labels that are all the same suggest nothing", BadLabel)
    entries = slice(rows.indptr[0], rows.indptr[-1])
    values = np.ones(entries.stop - entries.start) if rows.values is None else rows.values[entries].astype(np.float64)
    given = values != 0
    columns, values = rows.indices[entries][given], values[given]  # type: ignore[index]
    row = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))[given]
    met, firsts, places = np.unique(columns, return_index=True, return_inverse=True)
    sizes = np.zeros(len(met))
    np.maximum.at(sizes, places, np.abs(values))
    scaled = csr_array((values / sizes[places], (row, places)), shape=(len(rows), len(met)))
    scaled = hstack([scaled, np.ones((len(rows), 1))], "csr")
    middle = float(y.mean())
    u = lsqr(scaled, y - middle, damp=DAMP)[0]
    u[-1] = min(max(u[-1] + middle, low), high)
    error = float(np.sqrt(np.mean((y - scaled @ u) ** 2)))
    from_first = np.abs(y - y[0])
    growths = [*(sizes / np.abs(values[firsts])).tolist(), float(from_first.max() / from_first[from_first > 0][0])]
    return NumberAssumptions(
        max(rows.width, 1),
        (low, high),
        total,
        max(1, int(np.count_nonzero(u[:-1]))),
        float(np.abs(u[:-1]).max(initial=0.0)),
        error,
        max(1, int(np.bincount(row, minlength=1).max(initial=0))),
        min(max(growths), FASTEST),
        len(rows),
    )
