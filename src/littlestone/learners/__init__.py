"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.arow import Arow
from littlestone.learners.ellipsoid import Ellipsoid
from littlestone.learners.halving import Halving
from littlestone.learners.kernel_perceptron import (
    GaussianKernel,
    KernelPerceptron,
    LinearKernel,
    PolynomialKernel,
)
from littlestone.learners.p_norm_perceptron import PNormPerceptron
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.second_order_perceptron import SecondOrderPerceptron
from littlestone.learners.voted_perceptron import VotedPerceptron

ALL = (Arow, Ellipsoid, Halving, KernelPerceptron, PNormPerceptron, Perceptron, SecondOrderPerceptron, VotedPerceptron)

__all__ = [
    "Arow",
    "Ellipsoid",
    "GaussianKernel",
    "Halving",
    "KernelPerceptron",
    "LinearKernel",
    "PNormPerceptron",
    "Perceptron",
    "PolynomialKernel",
    "SecondOrderPerceptron",
    "VotedPerceptron",
]
