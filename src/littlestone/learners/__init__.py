"""Learners, one algorithm a file, under its name in the literature; laws and command line read `ALL`.

Each is imported when it is first asked for. A learner defined elsewhere is made known by `register`: then races,
plans and model files know it too.
"""

from typing import TYPE_CHECKING, TypeVar

from littlestone.base.errors import BadParameter
from littlestone.base.lazy import import_lazily, snake

if TYPE_CHECKING:
    from littlestone.base.learner import Learner
    from littlestone.learners.ada_grad import AdaGrad
    from littlestone.learners.ada_hedge import AdaHedge
    from littlestone.learners.aggregating import Aggregating
    from littlestone.learners.aggressive_perceptron import AggressivePerceptron
    from littlestone.learners.aioli import Aioli
    from littlestone.learners.alma import Alma
    from littlestone.learners.arow import Arow
    from littlestone.learners.averaged_perceptron import AveragedPerceptron
    from littlestone.learners.balanced_winnow import BalancedWinnow
    from littlestone.learners.closure import Closure
    from littlestone.learners.coin import Coin
    from littlestone.learners.coin_regression import CoinRegression
    from littlestone.learners.consistent import Consistent
    from littlestone.learners.diagonal_second_order import DiagonalSecondOrder
    from littlestone.learners.elimination import Elimination
    from littlestone.learners.ellipsoid import Ellipsoid
    from littlestone.learners.fallback_halving import FallbackHalving
    from littlestone.learners.fixed_share import FixedShare
    from littlestone.learners.follow_the_leader import FollowTheLeader
    from littlestone.learners.forgetron import Forgetron
    from littlestone.learners.halving import Halving
    from littlestone.learners.hedge import Hedge
    from littlestone.learners.improved_majority import ImprovedMajority
    from littlestone.learners.kernel_perceptron import KernelPerceptron
    from littlestone.learners.logistic import Logistic
    from littlestone.learners.memorizer import Memorizer
    from littlestone.learners.naive_bayes import NaiveBayes
    from littlestone.learners.network import Network
    from littlestone.learners.never_miss import NeverMiss
    from littlestone.learners.p_norm_perceptron import PNormPerceptron
    from littlestone.learners.passive_aggressive import PassiveAggressive
    from littlestone.learners.perceptron import Perceptron
    from littlestone.learners.randomized_halving import RandomizedHalving
    from littlestone.learners.randomized_weighted_majority import RandomizedWeightedMajority
    from littlestone.learners.ridge import Ridge
    from littlestone.learners.romma import Romma
    from littlestone.learners.second_order_perceptron import SecondOrderPerceptron
    from littlestone.learners.selective_sampling import SelectiveSampling
    from littlestone.learners.shifting_perceptron import ShiftingPerceptron
    from littlestone.learners.standard_optimal import StandardOptimal
    from littlestone.learners.voted_perceptron import VotedPerceptron
    from littlestone.learners.weighted_majority import WeightedMajority
    from littlestone.learners.winnow import Winnow

    ALL: tuple[type[Learner], ...]

__all__ = [
    "AdaGrad", "AdaHedge", "Aggregating", "AggressivePerceptron", "Aioli", "Alma", "Arow", "AveragedPerceptron",
    "BalancedWinnow", "Closure", "Coin", "CoinRegression", "Consistent", "DiagonalSecondOrder", "Elimination",
    "Ellipsoid", "FallbackHalving", "FixedShare", "FollowTheLeader", "Forgetron", "Halving", "Hedge",
    "ImprovedMajority", "KernelPerceptron", "Logistic", "Memorizer", "NaiveBayes", "Network", "NeverMiss",
    "PNormPerceptron", "PassiveAggressive", "Perceptron", "RandomizedHalving", "RandomizedWeightedMajority", "Ridge",
    "Romma", "SecondOrderPerceptron", "SelectiveSampling", "ShiftingPerceptron", "StandardOptimal", "VotedPerceptron",
    "WeightedMajority", "Winnow",
]  # fmt: skip

__getattr__ = import_lazily("littlestone.learners", {name: snake(name) for name in __all__}, __all__)

K = TypeVar("K", bound="type[Learner]")
_registered: "dict[str, type[Learner]]" = {}


def register(kind: K) -> K:
    """Make a learner of one's own known by its name; also a decorator.

    Model files may then name it, so a process that loads one must register the same class first.
    """
    if kind.__name__ in __all__:
        raise BadParameter(f"{kind.__name__} is the name of one of Littlestone's learners")
    _registered[kind.__name__] = kind
    return kind


def find_registered(name: str) -> "type[Learner] | None":
    """The learner that was registered under a name, None if there is none."""
    return _registered.get(name)


def list_learners() -> "tuple[type[Learner], ...]":
    """Littlestone's own learners, those that convert others, and those that were registered."""
    from littlestone.learners import ALL, conversions
    from littlestone.learners.conversions.pool import Pool

    return (*ALL, *conversions.ALL, Pool, *_registered.values())
