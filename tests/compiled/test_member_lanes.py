"""Members side by side: vectors answer what NumPy does in plain Python, to the bit."""

import numpy as np
import pytest

from littlestone.compiled import kernel
from littlestone.learners.shared.first_order_members import make_first_order
from littlestone.learners.shared.scale_free import RowReading

EXTREMES = [0.0, 1e-30, -1e30, 1.0, -1.0, 1e-45]


def make_play(rates, wealths):
    shrink, score, learn = make_first_order(rates, wealths)

    @kernel
    def play(table, reading, count, known, scores, pulls):
        score(table, np.uint64(2), reading, count, known, scores, np.uint64(1))
        learn(table, np.uint64(2), reading, count, pulls, np.uint64(1))
        shrink(table, reading.starts[3] + np.uint64(2), 0.3)

    return play


@pytest.mark.parametrize("twice", [False, True], ids=["once", "an attribute twice in a row"])
@pytest.mark.parametrize(("rates", "wealths"), [(4, 2), (0, 1), (1, 0)])
def test_compiled_and_plain_agree_to_the_bit(rates, wealths, twice):
    rng, play, members = np.random.default_rng(0), make_play(rates, wealths), rates + wealths
    stride = 2 + 2 * members + wealths
    table = rng.standard_normal((2000, stride)).astype(np.float32) * 10.0 ** rng.integers(-9, 9, (2000, stride))
    table[:200] = rng.choice(EXTREMES, (200, stride))
    table[:, 2 + members :] = abs(table[:, 2 + members :])  # squares and wealths
    known, pulls = np.array([0.125, 1.0, 4.0, 32.0])[:rates], rng.standard_normal(members + 2)
    reading = RowReading.of(1999)
    reading.starts[:] = stride * np.arange(2000)
    if twice:
        reading.starts[7] = reading.starts[5]
    reading.values[:] = np.concatenate((rng.choice([0.0, 1.0, -1.0, 1e-30], 100), rng.standard_normal(1900)))
    ends = []
    with np.errstate(all="ignore"):
        for way in (play, play.py_func):
            numbers, scores = table.astype(np.float32).ravel(), np.full(members + 2, 7.0)
            way(numbers, reading, np.uint64(2000), known, scores, pulls)
            ends.append((numbers.tobytes(), scores.tobytes()))
            assert not np.array_equal(numbers, table.ravel())
            assert scores[0] == scores[-1] == 7
            assert np.isfinite(scores).all()
    assert ends[0] == ends[1]


def test_a_row_without_entries_scores_zero():
    play = make_play(1, 1)
    for way in (play, play.py_func):
        scores = np.full(4, 7.0)
        way(np.zeros(12, np.float32), RowReading.of(3), np.uint64(0), np.ones(1), scores, np.ones(4))
        assert scores.tolist() == [7, 0, 0, 7]
