"""Timing: candidates take turns in one process, the best of several turns counts, and a table of ratios is printed."""

import gc
import os
import platform
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any, NamedTuple


class Line(NamedTuple):
    """One measured path: how many times as fast as the peer, the floor we hold and the aim."""

    path: str
    peer: str
    ratio: float
    floor: float
    aim: float | None = None


def measure_best(*candidates: Callable[[], Any], turns: int = 5, rest: float = 0) -> list[float]:
    """The best time of each candidate over several turns, after one that compiles and warms up.

    `rest` is seconds before each turn: threads of a BLAS go on spinning for a while after its last call.
    """
    times = [float("inf")] * len(candidates)
    for turn in range(turns + 1):
        for place, candidate in enumerate(candidates):
            gc.collect()
            sleep(rest)
            begun = perf_counter()
            candidate()
            if turn:
                times[place] = min(times[place], perf_counter() - begun)
    return times


def measure_medians(*candidates: Callable[[], Any], turns: int = 5) -> list[float]:
    """The median processor time of each candidate, commands that it ran included, after one turn that warms up."""
    times: list[list[float]] = [[] for _ in candidates]
    for turn in range(turns + 1):
        for place, candidate in enumerate(candidates):
            gc.collect()
            begun = sum(os.times()[:4])
            candidate()
            if turn:
                times[place].append(sum(os.times()[:4]) - begun)
    return [median(one) for one in times]


def describe_machine() -> str:
    """What this runs on, in a line."""
    cpu = next(
        (line.split(":")[1].strip() for line in _read_lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    import numba
    import numpy

    versions = f"Python {platform.python_version()}, NumPy {numpy.__version__}, Numba {numba.__version__}"
    return f"{cpu}, {os.cpu_count()} cores, {versions}"


def print_table(title: str, lines: list[Line]) -> None:
    """Print what was measured beside what is promised."""
    print(f"\n{title}\n{describe_machine()}\n")
    print(f"{'path':<58} {'against':<38} {'ratio':>8} {'floor':>7} {'aim':>7}")
    for line in lines:
        aim = "" if line.aim is None else f"{line.aim:g}x"
        verdict = "" if line.ratio >= line.floor else "  BELOW ITS FLOOR"
        print(f"{line.path:<58} {line.peer:<38} {line.ratio:>7.2f}x {line.floor:>6g}x {aim:>7}{verdict}")


def _read_lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []
