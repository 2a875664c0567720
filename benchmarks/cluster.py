"""The cluster: two workers against one on the same shards, and what mixing costs beside a pass."""

import os
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

import littlestone as ls
from benchmarks.timing import Line, table
from littlestone import cluster
from littlestone.learner import Size
from littlestone.mixing import AVERAGED, tree

SHARDS, ROWS, ENTRIES, WIDTH = 8, 150_000, 40, 2**18  # of the stream that is learned
BITS = 24  # of the state that is mixed


def written(folder: Path) -> None:
    """Shards of sparse rows in svmlight text, the same rows under eight names."""
    rng = np.random.default_rng(0)
    u = rng.normal(size=WIDTH)
    numbers = np.sort(rng.integers(1, WIDTH, (ROWS, ENTRIES)), axis=1)
    labels = np.where(u[numbers].sum(axis=1) > 0, "+1", "-1")
    rows = (
        f"{y} " + " ".join(f"{i}:1" for i in dict.fromkeys(x)) for x, y in zip(numbers.tolist(), labels, strict=True)
    )
    text = "\n".join(rows) + "\n"
    (folder / "0.svm").write_text(text)
    for number in range(1, SHARDS):
        os.link(folder / "0.svm", folder / f"{number}.svm")


def passes(folder: Path) -> list[Line]:
    """A pass by one worker and by two; Ray's start is not counted, the compiled code is warm."""
    took = {}
    for workers in (1, 2):
        with cluster.connected(None, workers):
            run = cluster.learn(ls.AveragedPerceptron(), f"{folder}/*.svm", passes=9, workers=workers)
            took[workers] = min(one.seconds for one in run.passes[1:])
    entries = SHARDS * ROWS * ENTRIES
    print(f"a pass of {entries:,} entries: {took[1]:.2f} s with one worker, {took[2]:.2f} s with two")
    return [Line(f"two workers, {SHARDS} shards of {ROWS:,} rows", "one worker", took[1] / took[2], 1.5)]


def mixing() -> tuple[float, int]:
    """Seconds to mix the averaged states of eight shards, and the bytes of one."""
    rng, learner = np.random.default_rng(0), ls.AveragedPerceptron()
    start = learner.start(Size(2**BITS, 2, np.float32))
    state = start._replace(weights=rng.normal(size=2 ** (BITS + 1)).astype(np.float32))
    begun = perf_counter()
    AVERAGED.whole(start, tree(AVERAGED.joined, (AVERAGED.part(state) for _ in range(SHARDS))))
    return perf_counter() - begun, state.weights.nbytes


def main() -> None:
    os.environ.setdefault("RAY_AUTH_TOKEN", os.urandom(32).hex())
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder))
        lines = passes(Path(folder))
    took, size = mixing()
    print(
        f"mixing 2^{BITS} averaged weights of {SHARDS} shards: {took:.2f} s, {size / 2**20:,.0f} MB a state, ", end=""
    )
    print(f"{took / SHARDS:.2f} s a shard on one core")
    table("Cluster", lines)


if __name__ == "__main__":
    main()
