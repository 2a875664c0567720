"""Cores: how many threads of this process can run at once, and work shared out among them."""

import os
from bisect import bisect
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any


def count_cores() -> int:
    """Return how many cores this process may use, where the system tells, or how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(work: Callable[[int, int], Any], ends: Sequence[int]) -> None:
    """Call work(first, last) for one range of pieces a core, about equally long, and wait for all of them.

    `ends` says where each piece ends; it belongs to the range in which its middle lies. The work should release the
    interpreter lock.

    >>> done = []
    >>> share_out(lambda first, last: done.extend(range(first, last)), [5, 6, 9])
    >>> sorted(done)
    [0, 1, 2]
    """
    parts = min(count_cores(), len(ends))
    pieces = range(len(ends))
    reached = [2 * ends[-1] * part // parts for part in range(parts + 1)]
    cuts = [bisect(pieces, here, key=lambda k: ends[k] + (ends[k - 1] if k else 0)) for here in reached]
    ranges = [(first, last) for first, last in pairwise(cuts) if first < last]
    others = [(span, _start_threads().submit(work, *span)) for span in ranges[1:]]
    try:
        work(*ranges[0])
    finally:  # an interrupt arrives when the work of this thread is done: it must not leave the rest undone
        for span, other in others:
            if other.cancel():  # not begun: no core was free for it
                work(*span)
            else:
                other.result()


@cache
def _start_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count_cores(), "littlestone")


if hasattr(os, "register_at_fork"):  # threads do not survive a fork: the child starts its own
    os.register_at_fork(after_in_child=_start_threads.cache_clear)
