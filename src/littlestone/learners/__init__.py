"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.aggressive_perceptron import AggressivePerceptron
from littlestone.learners.averaged_perceptron import AveragedPerceptron
from littlestone.learners.halving import Halving
from littlestone.learners.passive_aggressive import PassiveAggressive
from littlestone.learners.perceptron import Perceptron

ALL = (
    AggressivePerceptron,
    AveragedPerceptron,
    Halving,
    PassiveAggressive,
    Perceptron,
)

__all__ = [
    "AggressivePerceptron",
    "AveragedPerceptron",
    "Halving",
    "PassiveAggressive",
    "Perceptron",
]
