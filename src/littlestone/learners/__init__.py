"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.arow import Arow
from littlestone.learners.ellipsoid import Ellipsoid
from littlestone.learners.halving import Halving
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.second_order_perceptron import SecondOrderPerceptron

ALL = (Arow, Ellipsoid, Halving, Perceptron, SecondOrderPerceptron)

__all__ = ["Arow", "Ellipsoid", "Halving", "Perceptron", "SecondOrderPerceptron"]
