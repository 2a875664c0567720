"""Environments, one way of choosing instances and labels a file."""

from littlestone.environments.bisection import Bisection
from littlestone.environments.panel import Panel
from littlestone.environments.recorded import Recorded

__all__ = ["Bisection", "Panel", "Recorded"]
