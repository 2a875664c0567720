"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.halving import Halving

ALL = (Halving,)

__all__ = ["Halving"]
