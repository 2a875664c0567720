"""Late kernels: plain Python while little is to do, then machine code; what they answer is the same."""

import math
import os
import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from littlestone.base.domain import count_inside
from littlestone.compiled import CompileClock, foresee, kernel, late_kernel, late_kernels
from littlestone.compiled.decorators import find_place
from littlestone.compiled.exponential import fma

ROWS = "".join(f"{t % 2} {1 + t % 3}:0.{t % 7} {5 + t % 2}:2\n" for t in range(60))


@pytest.fixture
def total(monkeypatch):
    """A late kernel, in a process where these may be late, and that was never compiled."""
    monkeypatch.delenv("LITTLESTONE_COMPILE")
    salt = int.from_bytes(os.urandom(6))  # a constant, so that its machine code is not that of an earlier test

    @late_kernel(lambda numbers: numbers.size)
    def total(numbers):
        found, wrapped = np.float32(0), np.uint64(salt) * np.uint64(0)
        for k in range(numbers.size):
            found += numbers[k]
        return found, wrapped - np.uint64(1)

    return total


def test_little_work_is_done_in_plain_python(total):
    answer = total(np.ones(10, np.float32))
    assert answer == (10.0, 2**64 - 1)  # words wrap around without a warning
    assert [type(part) for part in answer] == [float, int]  # as machine code hands them over
    assert total.compiled.signatures == []


def test_work_that_would_take_too_long_is_compiled_and_gives_the_same(total, monkeypatch):
    few = np.linspace(0, 1, 1000, dtype=np.float32)
    plain = total(few)
    assert total.compiled.signatures == []
    monkeypatch.setattr(late_kernels, "PATIENCE", 0.0)
    assert total(few) == plain
    assert len(total.compiled.signatures) == 1


def test_a_clock_counts_a_late_kernel_from_when_it_is_compiled(total, monkeypatch):
    with CompileClock() as clock:
        total(np.ones(10, np.float32))
        assert clock.seconds == 0  # plain Python is learning, however slow
        monkeypatch.setattr(late_kernels, "PATIENCE", 0.0)
        total(np.ones(10, np.float32))
        assert clock.seconds > 0


def test_the_first_call_is_compiled_if_it_is_large(total):
    total(np.ones(1 + int(late_kernels.PATIENCE / late_kernels.PACE), np.float32))
    assert len(total.compiled.signatures) == 1


def test_it_is_compiled_if_much_is_foreseen(total):
    foresee(total, 1)
    total(np.ones(3, np.float32))
    assert total.compiled.signatures == []
    foresee(total, 1e12)
    total(np.ones(3, np.float32))
    assert len(total.compiled.signatures) == 1
    foresee(total.py_func, 1e12)  # what is no late kernel has nothing to decide


def let_calls_take(monkeypatch, seconds):
    """Make the clock tell that each call of a late kernel took some seconds."""
    times = (k // 2 + k % 2 * seconds for k in range(100))
    monkeypatch.setattr(late_kernels.time, "thread_time", lambda: next(times))


def test_a_short_first_call_says_little_about_how_long_others_take(total, monkeypatch):
    let_calls_take(monkeypatch, 0.01)
    total(np.ones(1, np.float32))  # ten milliseconds for one entry
    foresee(total, 500_000)
    total(np.ones(1, np.float32))
    assert total.compiled.signatures == []
    foresee(total, 700_000)  # at 3.2 microseconds each, beside what was spent
    total(np.ones(1, np.float32))
    assert len(total.compiled.signatures) == 1


def test_calls_say_how_long_others_take(total, monkeypatch):
    let_calls_take(monkeypatch, 1.0)
    total(np.ones(100_000, np.float32))  # so 1.3 s for 200,000 entries, with what is supposed before the first call
    let_calls_take(monkeypatch, 0.0)
    foresee(total, 150_000)
    total(np.ones(1, np.float32))
    assert total.compiled.signatures == []
    foresee(total, 160_000)
    total(np.ones(1, np.float32))
    assert len(total.compiled.signatures) == 1


def test_a_kernel_that_takes_long_to_compile_has_more_patience(total):
    work = 1 + int(late_kernels.PATIENCE / late_kernels.PACE)
    patient = late_kernels.LateKernel(total.compiled, lambda numbers: work, times=2.0)
    patient(np.ones(3, np.float32))
    assert total.compiled.signatures == []
    assert late_kernels.LateKernel(total.compiled, lambda numbers: work)(np.ones(3, np.float32))[0] == 3
    assert len(total.compiled.signatures) == 1


def test_time_spent_is_counted_over_all_processes(total, monkeypatch):
    monkeypatch.setattr(late_kernels, "NOTED", 0.0)
    note = os.path.join(find_place(total.py_func), "plain")
    total(np.ones(1000, np.float32))
    with open(note) as file:
        assert 0 < float(file.read()) < late_kernels.PATIENCE
    with open(note, "w") as file:  # as if earlier runs had taken long
        file.write("1000")
    again = late_kernels.LateKernel(total.compiled, lambda numbers: numbers.size)
    assert again(np.ones(3, np.float32))[0] == 3
    assert len(total.compiled.signatures) == 1
    with open(note, "w") as file:
        file.write("damaged")
    third = late_kernels.LateKernel(total.compiled, lambda numbers: numbers.size)
    assert third(np.ones(3, np.float32))[0] == 3


def test_a_kernel_that_is_told_to_hurry_is_compiled(total, monkeypatch):
    monkeypatch.setenv("LITTLESTONE_COMPILE", "now")
    total(np.ones(3, np.float32))
    assert len(total.compiled.signatures) == 1


def test_a_late_kernel_can_be_called_by_another(total):
    @late_kernel(lambda numbers: numbers.size)
    def twice(numbers):
        return 2 * total(numbers)[0]

    @kernel
    def compiled(numbers):
        return 2 * total(numbers)[0]

    numbers = np.linspace(0, 1, 11, dtype=np.float32)
    assert twice(numbers) == compiled(numbers)
    assert twice.compiled.signatures == []


def test_the_work_in_rows_of_ones_without_values_is_counted_too(monkeypatch):
    monkeypatch.delenv("LITTLESTONE_COMPILE")
    for name, value in {"_ready": False, "_spent": 0.0, "_work": 1e5, "_took": 0.3}.items():
        monkeypatch.setattr(count_inside, name, value)  # as in a process that has not called it
    assert count_inside(np.array([0, 2, 2]), None, 0.5, 2.0) == 2
    assert count_inside(np.array([0, 2, 2]), None, 2.0, 4.0) == 0


def test_an_interrupt_waits_until_a_plain_kernel_is_done(monkeypatch):
    monkeypatch.delenv("LITTLESTONE_COMPILE")

    @late_kernel(lambda numbers: numbers.size)
    def fill(numbers):
        for k in range(numbers.size):
            numbers[k] = 1
            if k == 3:
                signal.raise_signal(signal.SIGINT)

    numbers = np.zeros(50)
    with pytest.raises(KeyboardInterrupt):
        fill(numbers)
    assert numbers.sum() == 50  # no round is left half learned
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_plain_products_and_sums_are_rounded_once():
    source = np.random.default_rng(7)
    for _ in range(2000):
        a, b = source.normal(size=2) * 2.0 ** source.integers(-40, 40, 2)
        c = -a * b * (1 + source.choice((0, 2.0**-52, 2.0**-30))) if source.random() < 0.5 else source.normal()
        assert fma(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))
    assert fma(1e300, 1e300, 0.0) == math.inf
    assert fma(1e300, 1e300, -math.inf) == -math.inf
    assert fma(2.0**-600, 2.0**-474, 0.0) == 2.0**-1074


@pytest.mark.parametrize("learner", ["logistic", "averaged-perceptron"])
def test_a_first_run_on_a_small_file_compiles_nothing_and_ends_in_the_same_model(tmp_path, learner):
    data = tmp_path / "rows.svm"
    data.write_text(ROWS)
    models = [tmp_path / f"{name}.lst" for name in ("plain", "compiled")]
    for model, how in zip(models, ("late", "now"), strict=True):
        cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")} if how == "late" else {}
        command = [sys.executable, "-m", "littlestone", "learn", data, "--learner", learner, "--model", model]
        run = subprocess.run(
            command, env=os.environ | cache | {"LITTLESTONE_COMPILE": how}, capture_output=True, text=True, check=True
        )
        assert run.stderr == ""  # nothing about compiling
    assert list(tmp_path.glob("cache/**/*.nbi")) == []
    assert models[0].read_bytes() == models[1].read_bytes()
