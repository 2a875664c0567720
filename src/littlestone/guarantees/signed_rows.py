"""Signed rows: the rounds of two classes as rows z = y (x, 1), and sums of their multiples in exact arithmetic."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadInstance, TooLarge, require
from littlestone.base.labels import Labels
from littlestone.certificates.digest import add_constant, list_entries
from littlestone.certificates.make.margins import Rows

WIDEST = 2**28  # attributes: several vectors of as many numbers are made


class SignedRows(NamedTuple):
    """The rows z, the constant in column 0, the first round of each different row, and the labels -1 and +1."""

    rows: Rows
    firsts: Array
    names: tuple[Any, ...]


def encode_two(chunk: Any) -> tuple[Array, tuple[Any, ...]]:
    """The class numbers of rows of two classes, and these; refuse points, very high attributes and a third class."""
    require(isinstance(chunk, Examples), "a hyperplane separates rows of attributes, not points", BadInstance)
    high = f"the highest attribute is number {chunk.width - 1:,}, and there may be {WIDEST:,} of them here"
    require(chunk.width <= WIDEST, f"{high}: number attributes one after another", TooLarge)
    labels = Labels(())
    codes = labels.encode(chunk.labels, 2)
    if len(codes) < len(chunk):
        labels.encode_one(chunk.labels[len(codes)], 2)  # raises
    return codes, tuple(labels.names)


def sign_rows(chunk: Any, bias: float) -> SignedRows:
    """The rows of a chunk with the sign of their labels, entries of one attribute added up and those of 0 left out."""
    from scipy.sparse import csr_array

    codes, names = encode_two(chunk)
    counts, indices, values = list_entries(chunk, np.arange(len(chunk)))
    sign = np.where(codes > 0, 1.0, -1.0)
    indptr = np.concatenate(([0], np.cumsum(counts)))
    matrix = csr_array((values.astype(np.float64) * np.repeat(sign, counts), indices, indptr),
                       shape=(len(chunk), max(chunk.width, 1)))  # fmt: skip
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    entries = add_constant(np.diff(matrix.indptr), matrix.indices, matrix.data, sign * bias)
    rows = Rows(*entries, matrix.shape[1] + 1, np.ones(len(chunk)))
    firsts = {_pack_row(rows, t): t for t in range(len(rows) - 1, -1, -1)}
    return SignedRows(rows, np.array(sorted(firsts.values()), np.int64), names)


def _pack_row(rows: Rows, t: int, sign: float = 1.0) -> bytes:
    span = slice(rows.indptr[t], rows.indptr[t + 1])
    return bytes(rows.indices[span].tobytes() + (sign * rows.values[span]).tobytes())


def find_contradiction(rows: Rows) -> dict[int, int]:
    """Two rounds with one x and both labels."""
    met: dict[bytes, int] = {}
    for t in range(len(rows)):
        met.setdefault(_pack_row(rows, t), t)
        if (other := met.get(_pack_row(rows, t, -1.0))) is not None and other != t:
            return {other: 1, t: 1}
    return {}


def cancels(rows: Rows, multiples: dict[int, int]) -> bool:
    """Whether whole multiples >= 0, not all 0, of the rows add up to exactly 0."""
    sums: dict[int, Fraction] = {}
    for t, count in multiples.items():
        for k in range(rows.indptr[t], rows.indptr[t + 1]):
            column = int(rows.indices[k])
            sums[column] = sums.get(column, Fraction(0)) + count * Fraction(float(rows.values[k]))
    return bool(multiples) and all(count > 0 for count in multiples.values()) and not any(sums.values())
