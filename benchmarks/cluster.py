"""The cluster: two workers against one on the same shards, and what mixing costs beside a pass.

A worker has one core: it parses in one thread and learns in the same. Passes by one worker and by two take turns in the
same Ray, from the same start, after a pass that compiles; Ray's own start is not counted. CPU seconds say how the work
is shared, and how many cores other processes kept busy meanwhile: two workers gain nothing where these have one of two.
"""

import os
import tempfile
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.timing import Line, measure_best, print_table
from littlestone import cluster
from littlestone.base.learner import Size
from littlestone.base.mixing import AVERAGED, join_along_tree
from littlestone.cluster.passes import Job, play_pass

SHARDS, ROWS, ENTRIES = 8, 400_000, 40  # of the stream that is learned
BITS, MIXED = 18, 24  # of its attributes; and of those of the states whose mixture is timed
TURNS = 8


def write_shards(folder: Path, bits: int) -> Path:
    """Shards of sparse rows in svmlight text, the same rows under eight names."""
    folder.mkdir()
    rng, width = np.random.default_rng(0), 2**bits
    u = rng.normal(size=width)
    with (folder / "0.svm").open("w") as file:
        for _ in range(ROWS // 10_000):
            numbers = np.sort(rng.integers(1, width, (10_000, ENTRIES)), axis=1)
            labels = np.where(u[numbers].sum(axis=1) > 0, "+1", "-1")
            for x, y in zip(numbers.tolist(), labels, strict=True):
                file.write(f"{y} " + " ".join(f"{i}:1" for i in dict.fromkeys(x)) + "\n")
    for number in range(1, SHARDS):
        os.link(folder / "0.svm", folder / f"{number}.svm")
    return folder


def measure_passes(
    ray: Any, folder: Path, workers: tuple[int, ...], turns: int = TURNS
) -> tuple[list[float], list[str]]:
    """Measure the best time of a pass for each number of workers, and the CPU seconds of each process in one."""
    job = Job(ls.AveragedPerceptron(), cluster.list_shards(f"{folder}/*.svm"))
    execute = {number: cluster.make_ray_executor(ray, number) for number in workers}
    start, _ = play_pass(job.start_player(), job, 1, execute[max(workers)])
    took = measure_best(*(lambda by=by: play_pass(start, job, 2, by) for by in execute.values()), turns=turns)
    who, shown = ray.remote(find_process), list[str]()
    pids = set(ray.get([who.remote() for _ in range(8)]))
    for by in execute.values():
        begun, busy, at = {pid: measure_process(pid) for pid in pids}, measure_machine(), perf_counter()
        play_pass(start, job, 2, by)
        each = sorted((measure_process(pid) - begun[pid] for pid in pids), reverse=True)
        others = (measure_machine() - busy - sum(each)) / (perf_counter() - at)
        shown.append(f"{each[0]:.2f} + {each[1]:.2f} (others: {others:.1f} cores)")
    return took, shown


def find_process() -> int:
    """The number of the worker's process, after a while, so that another one answers too."""
    sleep(0.2)
    return os.getpid()


def measure_process(pid: int) -> float:
    """CPU seconds of a process."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measure_machine() -> float:
    """CPU seconds of all processes: user, nice, system."""
    ticks = Path("/proc/stat").read_text().split(maxsplit=4)[1:4]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measure_mixing() -> tuple[float, int]:
    """Seconds to mix the averaged states of eight shards, and the bytes of one."""
    rng, learner = np.random.default_rng(0), ls.AveragedPerceptron()
    start = learner.start(Size(2**MIXED, 2, np.float32))
    state = start._replace(weights=rng.normal(size=2 ** (MIXED + 1)).astype(np.float32))
    parts = lambda: (AVERAGED.Mix.weigh(state) for _ in range(SHARDS))  # noqa: E731
    (took,) = measure_best(lambda: AVERAGED.mix_sum(start, join_along_tree(AVERAGED.add_sums, parts())), turns=3)
    return took, state.weights.nbytes


def main() -> None:
    os.environ.setdefault("RAY_AUTH_TOKEN", os.urandom(32).hex())
    with tempfile.TemporaryDirectory() as folder:
        small, large = write_shards(Path(folder, "small"), BITS), write_shards(Path(folder, "large"), MIXED)
        with cluster.connect(None, 2) as ray:
            (alone, both), shares = measure_passes(ray, small, (1, 2))
            (wide,), _ = measure_passes(ray, large, (2,), 2)
        bytes_ = SHARDS * (small / "0.svm").stat().st_size
    print(
        f"a pass of {SHARDS * ROWS * ENTRIES:,} entries, {bytes_ / 2**20:,.0f} MB of text in {SHARDS} shards: ", end=""
    )
    print(f"{alone:.2f} s with one worker, {both:.2f} s with two")
    print(f"CPU seconds of the workers' processes in such a pass: {shares[0]} by one at a time, {shares[1]} by two")
    took, size = measure_mixing()
    print(
        f"mixing 2^{MIXED} averaged weights of {SHARDS} shards: {took:.2f} s on one core, {took / SHARDS:.2f} s a shard"
    )
    print(f"({size / 2**20:,.0f} MB each); a pass of as many entries into them by two workers: {wide:.2f} s, ", end="")
    print(f"and mixing is {took / 2 / wide:.0%} of the time that both have")
    print_table(
        "Cluster, always by the clock on the wall",
        [Line(f"two workers, {SHARDS} shards of {ROWS:,} rows", "one worker", alone / both, 1.5)],
    )


if __name__ == "__main__":
    main()
