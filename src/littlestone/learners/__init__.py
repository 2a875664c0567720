"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`."""

from littlestone.learners.ada_hedge import AdaHedge
from littlestone.learners.aggregating import Aggregating
from littlestone.learners.aggressive_perceptron import AggressivePerceptron
from littlestone.learners.averaged_perceptron import AveragedPerceptron
from littlestone.learners.fixed_share import FixedShare
from littlestone.learners.follow_the_leader import FollowTheLeader
from littlestone.learners.halving import Halving
from littlestone.learners.hedge import Hedge
from littlestone.learners.improved_majority import ImprovedMajority
from littlestone.learners.passive_aggressive import PassiveAggressive
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.randomized_weighted_majority import RandomizedWeightedMajority
from littlestone.learners.weighted_majority import WeightedMajority

ALL = (
    AdaHedge,
    Aggregating,
    AggressivePerceptron,
    AveragedPerceptron,
    FixedShare,
    FollowTheLeader,
    Halving,
    Hedge,
    ImprovedMajority,
    PassiveAggressive,
    Perceptron,
    RandomizedWeightedMajority,
    WeightedMajority,
)

__all__ = [
    "AdaHedge",
    "Aggregating",
    "AggressivePerceptron",
    "AveragedPerceptron",
    "FixedShare",
    "FollowTheLeader",
    "Halving",
    "Hedge",
    "ImprovedMajority",
    "PassiveAggressive",
    "Perceptron",
    "RandomizedWeightedMajority",
    "WeightedMajority",
]
