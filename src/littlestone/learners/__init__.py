"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.halving import Halving
from littlestone.learners.perceptron import Perceptron

ALL = (Halving, Perceptron)

__all__ = ["Halving", "Perceptron"]
