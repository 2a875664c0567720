"""Learners for log-loss against Vowpal Wabbit: in memory against its cache, and whole commands on the same rows.

Times are those of the processor, medians of five, since both sides are one pass over the same rows and a machine may
have other work. Vowpal Wabbit's start-up is taken off where ours plays in memory, and not where commands are compared.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.datasets import DATA
from benchmarks.files import warm_file, write_file
from benchmarks.linear import play_pass
from benchmarks.streams import make_dense_rows, make_sparse_rows
from benchmarks.timing import Line, measure_medians, print_table
from littlestone.base.chunks import Examples
from littlestone.base.features import Named

ROWS, PASSES = 100_000, "--quiet --loss_function logistic"


def run_command(*words: str) -> Callable[[], Any]:
    """A module of Python as a command of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-m", *words], check=True, stdout=subprocess.DEVNULL, env=kept)


def run_vowpal(path: Path, bits: int, cached: bool) -> Callable[[], Any]:
    """Vowpal Wabbit with logistic loss, from its text or from a cache, which the first turn makes."""
    more = ("--cache_file", f"{path}.cache") if cached else ()
    return run_command("vowpalwabbit", "-d", str(path), "-b", str(bits), *PASSES.split(), *more)


def compare_memory(bits: int, folder: Path) -> list[Line]:
    """One pass in memory, against one from the cache."""
    chunk = make_sparse_rows(2**bits, ROWS)
    text, single = write_file(folder / f"rows{bits}.vw", chunk, bar=True), folder / f"single{bits}.vw"
    write_file(single, chunk[:1], bar=True)
    mixed, single_rate, theirs, start = measure_medians(
        play_pass(ls.Logistic(), chunk),
        play_pass(ls.AdaGrad(), chunk),
        run_vowpal(text, bits, cached=True),
        run_vowpal(single, bits, cached=True),
    )
    peer = "vw --loss_function logistic, its cache"
    return [
        Line(f"Logistic(), CSR in memory, 2^{bits}", peer, (theirs - start) / mixed, 0.35, 0.6),
        Line(f"AdaGrad(), CSR in memory, 2^{bits}", peer, (theirs - start) / single_rate, 1.5, 2.5),
    ]


def compare_commands(folder: Path) -> list[Line]:
    """`learn` on an svmlight file, against the whole command on Vowpal Wabbit's text."""
    chunk = make_sparse_rows(2**18, ROWS)
    ours, theirs = write_file(folder / "rows.svm", chunk), write_file(folder / "rows.vw", chunk, bar=True)
    warm_file(ours)
    warm_file(theirs)
    whole, other = measure_medians(
        run_command("littlestone", "learn", str(ours), "--quiet"), run_vowpal(theirs, 18, cached=False)
    )
    return [Line("littlestone learn, svmlight, the whole command", "vw, its text", other / whole, 0.6, 1)]


def compare_rows() -> list[Line]:
    """Rows that come one at a time as dictionaries of 57 numbers: predict, then learn."""
    from river import linear_model, preprocessing

    rows = np.random.default_rng(0).normal(size=(2000, 57))
    labels = (rows[:, 0] + rows[:, 1] > 0).tolist()
    instances = [{f"a{k}": value for k, value in enumerate(row)} for row in rows.tolist()]

    def play_ours() -> None:
        player = ls.Player(ls.Logistic(), features=Named())
        for x, y in zip(instances, labels, strict=True):
            player.predict(x)
            player.update(x, y)

    def play_river() -> None:
        model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
        for x, y in zip(instances, labels, strict=True):
            model.predict_one(x)
            model.learn_one(x, y)

    ours, theirs = measure_medians(play_ours, play_river)
    path = f"Logistic(), predict and update of a dict of 57 numbers, {1e6 * ours / len(labels):.0f} µs"
    return [Line(path, "River, StandardScaler | LogisticRegression", theirs / ours, 1)]


def measure_paces() -> list[Line]:
    """Dense rows with second-order members, and the table of spambase."""
    X, y = make_dense_rows(20, 20 * ROWS)
    (dense,) = measure_medians(play_pass(ls.Logistic(), Examples.of(X, y)))
    lines = [
        Line(
            f"Logistic(), dense rows of 20, {ROWS / dense:,.0f} a second", "100,000 a second", ROWS / dense / 100_000, 1
        )
    ]
    if DATA.exists():
        table = DATA / "tables" / "spambase.csv"
        (took,) = measure_medians(run_command("littlestone", "learn", str(table), "--quiet"))
        lines.append(Line(f"littlestone learn on spambase, {took:.2f} s", "1 s", 1 / took, 1))
    return lines


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [*compare_memory(18, folder), *compare_memory(22, folder), *compare_commands(folder)]
    lines += [*compare_rows(), *measure_paces()]
    print_table(f"Learners for log-loss, processor time, medians of five ({ROWS:,} rows)", lines)


if __name__ == "__main__":
    main()
