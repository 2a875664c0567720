"""Timing: candidates take turns in one process, and a table of ratios is printed and noted for the page.

By the clock on the wall the best of several turns counts. On a machine that others use too, CLOCK=processor counts
processor time instead, medians of five turns: then nothing is seen of what several threads gain, and threads of a BLAS
that wait count as work.
"""

import gc
import os
import platform
import resource
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any, NamedTuple

BY_PROCESSOR = os.environ.get("CLOCK") == "processor"


class Line(NamedTuple):
    """One measured path: how many times as fast as the peer, the floor we hold and the aim."""

    path: str
    peer: str
    ratio: float
    floor: float
    aim: float | None = None


class Table(NamedTuple):
    """What was measured of some paths."""

    title: str
    lines: list[Line]


PRINTED: list[Table] = []  # by this process


def measure_best(*candidates: Callable[[], Any], turns: int = 5, rest: float = 0) -> list[float]:
    """The best time of each candidate over several turns, after one that compiles and warms up.

    `rest` is seconds before each turn: threads of a BLAS go on spinning for a while after its last call.
    """
    if BY_PROCESSOR:
        return measure_medians(*candidates)
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
            begun = read_processor()
            candidate()
            if turn:
                times[place].append(read_processor() - begun)
    return [median(one) for one in times]


def read_clock() -> float:
    """Seconds by the clock that counts."""
    return read_processor() if BY_PROCESSOR else perf_counter()


def read_processor() -> float:
    """Processor time of this process and the commands it ran, in seconds; `os.times` counts in hundredths."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


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


def describe_clock() -> str:
    """How times were taken, and how busy the machine is."""
    clock = "processor time, medians of five turns" if BY_PROCESSOR else "time on the wall, best of several turns"
    return f"{clock}, load {os.getloadavg()[0]:.1f}"


def print_table(title: str, lines: list[Line]) -> None:
    """Print what was measured beside what is promised, and note it."""
    PRINTED.append(Table(title, lines))
    print(f"\n{title}\n{describe_machine()}; {describe_clock()}\n")
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
