"""The generated stream that benchmarks share: sparse rows with the statistics of a news corpus, some labels flipped.

Attribute numbers follow a Zipf-Mandelbrot law (exponent 1.05, shift 40), scattered over the space; rows have about 75
entries and unit length; a random halfspace, or the best of several, labels them; 5 % of labels are noise.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Examples
from littlestone.base.domain import measure_span

NOISE = 0.05


def make_sparse_rows(width: int, rows: int = 500_000, classes: int = 2, seed: int = 0) -> Examples:
    """CSR rows over `width` attributes, float32, labels as class numbers."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(60, 91, rows)
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    entries = int(indptr[-1])
    low, high = 40.0**-0.05, (width + 40.0) ** -0.05  # the law's distribution function, inverted
    ranks = (low + (high - low) * rng.random(entries)) ** (-1 / 0.05) - 40
    scattered = rng.permutation(width).astype(np.int32)
    row = np.repeat(np.arange(rows), lengths)
    key = row * np.int64(width) + scattered[np.minimum(ranks.astype(np.int64), width - 1)]
    key = np.unique(key)  # sorted within each row, an attribute at most once
    row, indices = key // width, (key % width).astype(np.int32)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows)))).astype(np.int64)
    values = rng.random(len(indices), dtype=np.float32) + np.float32(0.1)
    norms = np.sqrt(np.add.reduceat(values.astype(np.float64) ** 2, indptr[:-1]))
    values = (values / norms[row]).astype(np.float32)
    scores = np.stack([_score_rows(rng.standard_normal(width), indptr, indices, values) for _ in range(classes)])
    labels = (scores[1] > scores[0]).astype(np.int32) if classes == 2 else scores.argmax(axis=0).astype(np.int32)
    flip = rng.random(rows) < NOISE
    labels[flip] = rng.integers(0, classes, int(flip.sum())) if classes > 2 else 1 - labels[flip]
    span = measure_span(values)  # looked at once where rows are made, as `Recorded` and `Examples.of` do
    return Examples(indptr, indices, values, labels, width, span=span)


def make_dense_rows(width: int, entries: int = 40_000_000, seed: int = 0) -> tuple[Array, Array]:
    """Make a dense float32 matrix of this number of entries, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((entries // width, width), dtype=np.float32)
    labels = X @ rng.standard_normal(width, dtype=np.float32) > 0
    return X, (labels ^ (rng.random(len(X)) < NOISE)).astype(np.int32)


def to_matrix(chunk: Examples) -> Any:
    """The same rows as SciPy and scikit-learn take them, with 32-bit indices."""
    import scipy.sparse as sp

    indptr = chunk.indptr.astype(np.int32)
    return sp.csr_matrix((chunk.values, chunk.indices, indptr), shape=(len(chunk), chunk.width))


def _score_rows(target: Array, indptr: Array, indices: Array, values: Array) -> Array:
    return np.add.reduceat(target[indices] * values, indptr[:-1])
