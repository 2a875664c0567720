"""Tables and caches: CSV against pandas, Parquet against pyarrow's own reading, a parsed cache against VW's.

The files are made in a temporary folder, brought into the page cache, and deleted at the end.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import littlestone as ls
from benchmarks.files import warm_file, write_file
from benchmarks.streams import make_sparse_rows
from benchmarks.timing import Line, measure_best, print_table

ROWS, SPARSE = 500_000, 100_000  # of a table, and of a file of sparse rows
TURNS = 9  # two cores are free at once less often than one, where they are shared with others
FASTEST = "--quiet --sgd --loss_function hinge --power_t 0 -l 1 -b 18 --noconstant"  # VW's nearest to a Perceptron


def make_numbers(rng: np.random.Generator, digits: int | None) -> pd.DataFrame:
    """Make twenty columns of numbers, with all their digits or some after the point."""
    frame = pd.DataFrame(rng.standard_normal((ROWS, 20)), columns=[f"x{j}" for j in range(20)])
    frame = frame if digits is None else frame.round(digits)
    return frame.assign(label=rng.integers(0, 2, ROWS))


def make_mixed(rng: np.random.Generator) -> pd.DataFrame:
    """Six nominal columns, six of numbers, a name that never comes twice, and a label that is a word."""
    words = ["alpha", "beta", "gamma delta", "epsilon-zeta"]
    columns: dict[str, Any] = {f"word{j}": rng.choice(words, ROWS) for j in range(6)}
    columns |= {f"number{j}": rng.standard_normal(ROWS).round(4) for j in range(6)}
    return pd.DataFrame(columns).assign(id=[f"id{k}" for k in range(ROWS)], label=rng.choice(["yes", "no"], ROWS))


def play_rounds(path: Path, **options: Any) -> Callable[[], int]:
    """Read a file to its end, learning nothing."""
    return lambda: sum(map(len, ls.read(path, **options).chunks()))


def compare_tables(folder: Path) -> list[Line]:
    """CSV, parsed but not learned from: all cores, and one."""
    rng, lines = np.random.default_rng(0), []
    kinds = {
        "17 digits": make_numbers(rng, None),
        "4 decimals": make_numbers(rng, 4),
        "words and numbers": make_mixed(rng),
    }
    for name, frame in kinds.items():
        path = folder / "table.csv"
        frame.to_csv(path, index=False)
        warm_file(path)

        def theirs(path: Path = path) -> Any:
            return pd.read_csv(path)

        ours, single, other = measure_best(play_rounds(path), play_rounds(path, threads=1), theirs, turns=TURNS)
        lines.append(Line(f"CSV, {name}", "pandas.read_csv", other / ours, 2, 4))
        lines.append(Line(f"CSV, {name}, one thread", "pandas.read_csv", other / single, 1))
    return lines


def compare_lists(folder: Path) -> list[Line]:
    """List columns of Parquet to a model, against pyarrow's reading of them."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = make_sparse_rows(2**18, SPARSE)
    offsets = pa.array(rows.indptr.astype(np.int32))
    columns = {
        "indices": pa.ListArray.from_arrays(offsets, pa.array(rows.indices)),
        "values": pa.ListArray.from_arrays(offsets, pa.array(rows.values)),
        "label": rows.labels,
    }
    path = folder / "rows.parquet"
    parquet.write_table(pa.table(columns), path, row_group_size=1 << 16)
    warm_file(path)
    ours, other = measure_best(lambda: ls.play(ls.Perceptron(), path), lambda: parquet.read_table(path), turns=TURNS)
    return [Line("Parquet lists to model", "pyarrow.parquet.read_table alone", other / ours, 1 / 1.3, 1 / 1.1)]


def compare_caches(folder: Path) -> list[Line]:
    """A second pass from our cache, against one of VW's from its own less its start-up."""
    rows = make_sparse_rows(2**18, SPARSE)
    ours, theirs = write_file(folder / "rows.svm", rows), write_file(folder / "rows.vw", rows, bar=True)
    single = folder / "single.vw"
    single.write_text("1 | 1:1\n")

    def vowpal_wabbit(path: Path) -> Callable[[], None]:
        command = [sys.executable, "-m", "vowpalwabbit", "-d", str(path), "--cache_file", f"{path}.cache"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return lambda: subprocess.run([*command, *FASTEST.split()], check=True, **quiet) and None  # type: ignore[call-overload]

    stream = ls.read(ours, cache=True)
    kept, other, start = measure_best(
        lambda: ls.play(ls.Perceptron(), stream), vowpal_wabbit(theirs), vowpal_wabbit(single), turns=3
    )
    return [Line("a second pass from the cache", "vw, from its cache file", (other - start) / kept, 5, 9)]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print_table("Tables and caches", [*compare_tables(folder), *compare_lists(folder), *compare_caches(folder)])
