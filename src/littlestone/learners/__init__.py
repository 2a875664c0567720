"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.aggressive_perceptron import AggressivePerceptron
from littlestone.learners.averaged_perceptron import AveragedPerceptron
from littlestone.learners.balanced_winnow import BalancedWinnow
from littlestone.learners.halving import Halving
from littlestone.learners.passive_aggressive import PassiveAggressive
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.winnow import Winnow

ALL = (
    AggressivePerceptron,
    AveragedPerceptron,
    BalancedWinnow,
    Halving,
    PassiveAggressive,
    Perceptron,
    Winnow,
)

__all__ = [
    "AggressivePerceptron",
    "AveragedPerceptron",
    "BalancedWinnow",
    "Halving",
    "PassiveAggressive",
    "Perceptron",
    "Winnow",
]
