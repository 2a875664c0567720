"""Forms for plain Python, on whole arrays: they do what the loops that are compiled do, to the bit."""

from types import SimpleNamespace

import numpy as np
import pytest

from littlestone.learners.shared.forecast_bench import ScaledRows
from littlestone.learners.shared.newton_members import Newton, copy_newton, look_ahead, rescale, step_along
from littlestone.learners.shared.scale_free import NEW, RowReading, copy_rows, fit_sizes, look_up

STRIDE = 6  # float32: a size of two, and four numbers


@pytest.fixture(params=range(20))
def rng(request):
    return np.random.default_rng(request.param)


def run_both(rule, make):
    """What a rule answers and leaves behind, in its form for plain Python and as a loop."""
    ends = []
    for way in (rule, rule.py_func):
        arguments = make()
        with np.errstate(all="ignore"):
            answer = way(*arguments)
        ends.append((answer, [part.tobytes() for part in flatten(arguments)]))
    assert ends[0] == ends[1]
    return ends[0][0]


def flatten(parts):
    for part in parts:
        if isinstance(part, np.ndarray):
            yield part
        elif isinstance(part, tuple):
            yield from flatten(part)


def make_rows(rng):
    reals = rng.standard_normal(40 * STRIDE).astype(np.float32)
    rows = ScaledRows.of(reals, STRIDE)
    rows.sizes[:: STRIDE // 2] = rng.choice([0.0, 0.5, 2.0], 40)
    return rows


def make_reading(rng, count, twice=False):
    reading = RowReading.of(12)
    rows = rng.permutation(40)[:count]
    if twice and count > 3:
        rows[3] = rows[1]
    reading.rows[:count], reading.starts[:count] = rows, rows * STRIDE
    reading.values[:count] = rng.standard_normal(count) * 10.0 ** rng.integers(-9, 9, count)
    return reading


@pytest.mark.parametrize("constant", [False, True])
def test_a_row_is_looked_up(rng, constant):
    count = int(rng.integers(0, 9))
    places = np.where(rng.random(30) < 0.5, 0, rng.permutation(30)).astype(np.int32)
    rounds = SimpleNamespace(
        indptr=np.array([0, 3, 3 + count]),
        indices=rng.permutation(40)[: 3 + count].astype(np.int32),  # some of them beyond what the state has places for
        values=rng.choice([0.0, -0.0, 1.5, -2.0], 3 + count),
    )
    found = run_both(
        look_up, lambda: (places.copy(), make_rows(np.random.default_rng(0)), rounds, 1, constant, RowReading.of(12))
    )
    assert found[0] == constant + np.count_nonzero(rounds.values[3:])


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("guard", [False, True])
def test_sizes_are_fitted(rng, guard, twice):
    count, seed = np.uint64(rng.integers(0, 12)), int(rng.integers(1 << 30))

    def make():
        own = np.random.default_rng(seed)
        rows = make_rows(own)
        return rows.sizes, rows.shift, make_reading(own, int(count), twice), count, guard

    run_both(fit_sizes, make)


def test_rows_are_copied(rng):
    count, seed = np.uint64(rng.integers(0, 12)), int(rng.integers(1 << 30))

    def make():
        own = np.random.default_rng(seed)
        rows, reading = make_rows(own), make_reading(own, int(count))
        reading.rows[: count // 2] = NEW
        return rows, reading, count, np.full(13 * STRIDE, 7.0, np.float32)

    run_both(copy_rows, make)


def make_newton(rng):
    matrices = rng.standard_normal((2, 48, 48)) * 10.0 ** rng.integers(-5, 5, (2, 48, 48))
    return Newton(rng.standard_normal((2, 48)), matrices, rng.standard_normal((2, 48)))


def test_members_look_ahead(rng):
    count, seed = np.uint64(rng.integers(0, 12)), int(rng.integers(1 << 30))

    def make():
        own = np.random.default_rng(seed)
        newton, reading = make_newton(own), make_reading(own, int(count))
        reading.rows[: count // 3] = NEW
        return newton, 1, np.int64(40), reading, count, 0.1

    run_both(look_ahead, make)


def test_members_are_rescaled(rng):
    seed = int(rng.integers(1 << 30))

    def make():
        newton = make_newton(np.random.default_rng(seed))
        newton.matrices[1, 5, 5] = 2.0
        return newton, 1, np.int64(40), np.uint64(5), 0.3, 0.1

    run_both(rescale, make)


@pytest.mark.parametrize("zeros", [0, 7, 40])
def test_members_step(rng, zeros):
    seed = int(rng.integers(1 << 30))

    def make():
        newton = make_newton(np.random.default_rng(seed))
        newton.along[1, :zeros] = -0.0
        newton.matrices[1, :, :10] = -0.0
        return newton, 1, np.int64(40), -0.7, 0.2

    run_both(step_along, make)


def test_members_are_copied(rng):
    newton = make_newton(rng)
    run_both(copy_newton, lambda: (newton.centres, newton.matrices, make_newton(np.random.default_rng(1))))
