"""Cores: how many threads of this process can run at once."""

import os


def cores() -> int:
    """As many as the process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
