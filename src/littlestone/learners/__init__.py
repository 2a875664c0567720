"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`.

Each is imported when it is first asked for, so that whoever needs one does not wait for the others.
"""

from typing import TYPE_CHECKING

from littlestone.base.lazy import lazily

if TYPE_CHECKING:
    from littlestone.base.learner import Learner
    from littlestone.learners.ada_hedge import AdaHedge
    from littlestone.learners.aggregating import Aggregating
    from littlestone.learners.aggressive_perceptron import AggressivePerceptron
    from littlestone.learners.arow import Arow
    from littlestone.learners.averaged_perceptron import AveragedPerceptron
    from littlestone.learners.balanced_winnow import BalancedWinnow
    from littlestone.learners.closure import Closure
    from littlestone.learners.consistent import Consistent
    from littlestone.learners.elimination import Elimination
    from littlestone.learners.ellipsoid import Ellipsoid
    from littlestone.learners.fixed_share import FixedShare
    from littlestone.learners.follow_the_leader import FollowTheLeader
    from littlestone.learners.halving import Halving
    from littlestone.learners.hedge import Hedge
    from littlestone.learners.improved_majority import ImprovedMajority
    from littlestone.learners.kernel_perceptron import KernelPerceptron
    from littlestone.learners.memorizer import Memorizer
    from littlestone.learners.naive_bayes import NaiveBayes
    from littlestone.learners.network import Network
    from littlestone.learners.p_norm_perceptron import PNormPerceptron
    from littlestone.learners.passive_aggressive import PassiveAggressive
    from littlestone.learners.perceptron import Perceptron
    from littlestone.learners.randomized_halving import RandomizedHalving
    from littlestone.learners.randomized_weighted_majority import RandomizedWeightedMajority
    from littlestone.learners.second_order_perceptron import SecondOrderPerceptron
    from littlestone.learners.standard_optimal import StandardOptimal
    from littlestone.learners.voted_perceptron import VotedPerceptron
    from littlestone.learners.weighted_majority import WeightedMajority
    from littlestone.learners.winnow import Winnow

    ALL: tuple[type[Learner], ...]

__all__ = [
    "AdaHedge",
    "Aggregating",
    "AggressivePerceptron",
    "Arow",
    "AveragedPerceptron",
    "BalancedWinnow",
    "Closure",
    "Consistent",
    "Elimination",
    "Ellipsoid",
    "FixedShare",
    "FollowTheLeader",
    "Halving",
    "Hedge",
    "ImprovedMajority",
    "KernelPerceptron",
    "Memorizer",
    "NaiveBayes",
    "Network",
    "PNormPerceptron",
    "PassiveAggressive",
    "Perceptron",
    "RandomizedHalving",
    "RandomizedWeightedMajority",
    "SecondOrderPerceptron",
    "StandardOptimal",
    "VotedPerceptron",
    "WeightedMajority",
    "Winnow",
]

__getattr__ = lazily(
    "littlestone.learners",
    {
        "AdaHedge": "ada_hedge",
        "Aggregating": "aggregating",
        "AggressivePerceptron": "aggressive_perceptron",
        "Arow": "arow",
        "AveragedPerceptron": "averaged_perceptron",
        "BalancedWinnow": "balanced_winnow",
        "Closure": "closure",
        "Consistent": "consistent",
        "Elimination": "elimination",
        "Ellipsoid": "ellipsoid",
        "FixedShare": "fixed_share",
        "FollowTheLeader": "follow_the_leader",
        "Halving": "halving",
        "Hedge": "hedge",
        "ImprovedMajority": "improved_majority",
        "KernelPerceptron": "kernel_perceptron",
        "Memorizer": "memorizer",
        "NaiveBayes": "naive_bayes",
        "Network": "network",
        "PNormPerceptron": "p_norm_perceptron",
        "PassiveAggressive": "passive_aggressive",
        "Perceptron": "perceptron",
        "RandomizedHalving": "randomized_halving",
        "RandomizedWeightedMajority": "randomized_weighted_majority",
        "SecondOrderPerceptron": "second_order_perceptron",
        "StandardOptimal": "standard_optimal",
        "VotedPerceptron": "voted_perceptron",
        "WeightedMajority": "weighted_majority",
        "Winnow": "winnow",
    },
    __all__,
)
