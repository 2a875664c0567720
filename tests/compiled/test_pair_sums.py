"""Dense rows are scored by weights and averages four entries at a time, with the bits of one entry after another."""

import numpy as np
import pytest

from littlestone.compiled import U, kernel
from littlestone.learners.shared.averages import score_both


@kernel
def score_compiled(weights, indices, values, a, b, share):
    return score_both(weights, weights[0], weights[1], (indices, values, U(a), U(b)), U(0), share, 0.5)


@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 3, 4, 7, 20, 33])
def test_dense_rows_have_the_scores_of_listed_entries_and_of_plain_python(real, width):
    rng = np.random.default_rng(width)
    weights, values = rng.standard_normal(2 * width).astype(real), rng.standard_normal(5 + width).astype(real)
    weights[1::2] *= 1e6  # sums of averages, so that the order of additions shows
    listed = np.concatenate((np.zeros(5), np.arange(width))).astype(np.int32)
    row = (weights, None, values, 5, 5 + width, 1e-6)
    dense = score_compiled(*row)
    assert dense == score_compiled(weights, listed, *row[2:])
    plain = score_both(weights, weights[0], weights[1], (None, values, U(5), U(5 + width)), U(0), 1e-6, 0.5)
    assert dense == (float(plain[0]), float(plain[1]))
    means = np.float64(weights[::2]) - np.float64(weights[1::2]) * 1e-6
    assert dense[0] == pytest.approx(np.float64(weights[::2]) @ np.float64(values[5:]), abs=1e-4)
    assert dense[1] == pytest.approx(means[0] / 2 + means @ np.float64(values[5:]), abs=1e-9)
