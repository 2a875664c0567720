"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.halving import Halving
from littlestone.learners.standard_optimal import StandardOptimal

ALL = (Halving, StandardOptimal)

__all__ = ["Halving", "StandardOptimal"]
