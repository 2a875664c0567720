"""Environments, one way of choosing instances and labels a file; the command line reads `__all__`."""

from littlestone.environments.bisection import Bisection
from littlestone.environments.mistake_tree import MistakeTree
from littlestone.environments.recorded import Recorded

__all__ = [
    "Bisection",
    "MistakeTree",
    "Recorded",
]
