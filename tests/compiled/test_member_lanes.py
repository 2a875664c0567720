"""Members side by side: vectors answer what plain Python does, to the bit."""

import numpy as np
import pytest

from littlestone.compiled import add_scores, kernel, teach_members

EXTREMES = [0.0, 1e-30, -1e30, 1.0, -1.0, 1e-45]


@kernel
def play_both(table, known, values, scores, pulls):
    for j in range(values.size):
        add_scores(table, np.uint64(14 * j), known, values[j], scores, np.uint64(1), 4, 2)
        teach_members(table, np.uint64(14 * j), pulls, values[j], np.uint64(1), 4, 2)


@kernel
def play_coin(table, known, values, scores, pulls):
    for j in range(values.size):
        add_scores(table, np.uint64(3 * j), known, values[j], scores, np.uint64(1), 0, 1)
        teach_members(table, np.uint64(3 * j), pulls, values[j], np.uint64(1), 0, 1)


@pytest.mark.parametrize(("play", "width"), [(play_both, 14), (play_coin, 3)])
def test_compiled_and_plain_agree_to_the_bit(play, width):
    rng = np.random.default_rng(0)
    table = rng.standard_normal((2000, width)).astype(np.float32) * 10.0 ** rng.integers(-9, 9, (2000, width))
    members = 6 if width == 14 else 1
    table[:200] = rng.choice(EXTREMES, (200, width))
    table[:, members:] = abs(table[:, members:])  # squares and wealths
    known, pulls = np.array([0.125, 1.0, 4.0, 32.0]), rng.standard_normal(8)
    values = np.concatenate((rng.choice([0.0, 1.0, -1.0, 1e-30], 100), rng.standard_normal(1900)))
    ends = []
    with np.errstate(all="ignore"):
        for way in (play, play.py_func):
            numbers, scores = table.astype(np.float32).ravel(), np.zeros(8)
            way(numbers, known, values, scores, pulls)
            ends.append((numbers.tobytes(), scores.tobytes()))
            assert not np.array_equal(numbers, table.ravel())
            assert scores[0] == scores[7] == 0
            assert np.isfinite(scores).all()
    assert ends[0] == ends[1]
