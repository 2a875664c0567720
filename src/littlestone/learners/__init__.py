"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.closure import Closure
from littlestone.learners.consistent import Consistent
from littlestone.learners.elimination import Elimination
from littlestone.learners.halving import Halving
from littlestone.learners.memorizer import Memorizer
from littlestone.learners.randomized_halving import RandomizedHalving

ALL = (Closure, Consistent, Elimination, Halving, Memorizer, RandomizedHalving)

__all__ = ["Closure", "Consistent", "Elimination", "Halving", "Memorizer", "RandomizedHalving"]
