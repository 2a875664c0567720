"""Littlestone: online learning with a guarantee. The public names, each imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.bound import Bound, Certificate
    from littlestone.certifier import certify
    from littlestone.concepts import (
        Concepts,
        Conjunctions,
        Disjunctions,
        Halfspaces,
        Intervals,
        Parities,
        Programs,
        Rectangles,
        Thresholds,
    )
    from littlestone.conversions import Conservative
    from littlestone.dimension import littlestone_dimension, vc_dimension
    from littlestone.environment import Environment
    from littlestone.environments import (
        BasisVectors,
        Bisection,
        ConstantExperts,
        Contrary,
        Drifting,
        DriftingAdversary,
        MistakeTree,
        Nature,
        Noisy,
        RandomExperts,
        Recorded,
        Teacher,
    )
    from littlestone.features import Indexed, Named
    from littlestone.game import Game, Round, play
    from littlestone.learner import Learner
    from littlestone.learners import (
        AggressivePerceptron,
        AveragedPerceptron,
        Closure,
        Consistent,
        Elimination,
        Halving,
        Memorizer,
        NaiveBayes,
        Network,
        PassiveAggressive,
        Perceptron,
        RandomizedHalving,
        StandardOptimal,
    )
    from littlestone.player import Player
    from littlestone.queries import Oracle, identify, identify_sparse
    from littlestone.verifier import verify
    from littlestone.worst_case import worst_case

__version__ = "0.1.0"

_HOMES = {
    "bound": (
        "Bound",
        "Certificate",
    ),
    "certifier": ("certify",),
    "concepts": (
        "Concepts",
        "Conjunctions",
        "Disjunctions",
        "Halfspaces",
        "Intervals",
        "Parities",
        "Programs",
        "Rectangles",
        "Thresholds",
    ),
    "conversions": ("Conservative",),
    "dimension": (
        "littlestone_dimension",
        "vc_dimension",
    ),
    "environment": ("Environment",),
    "environments": (
        "BasisVectors",
        "Bisection",
        "ConstantExperts",
        "Contrary",
        "Drifting",
        "DriftingAdversary",
        "MistakeTree",
        "Nature",
        "Noisy",
        "RandomExperts",
        "Recorded",
        "Teacher",
    ),
    "features": (
        "Indexed",
        "Named",
    ),
    "game": (
        "Game",
        "Round",
        "play",
    ),
    "learner": ("Learner",),
    "learners": (
        "AggressivePerceptron",
        "AveragedPerceptron",
        "Closure",
        "Consistent",
        "Elimination",
        "Halving",
        "Memorizer",
        "NaiveBayes",
        "Network",
        "PassiveAggressive",
        "Perceptron",
        "RandomizedHalving",
        "StandardOptimal",
    ),
    "player": ("Player",),
    "queries": (
        "Oracle",
        "identify",
        "identify_sparse",
    ),
    "verifier": ("verify",),
    "worst_case": ("worst_case",),
}
_MODULES = ("concepts", "environments", "errors", "laws", "learner", "learners")  # as littlestone.errors
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"littlestone.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"littlestone.{name}")
    raise AttributeError(f"module 'littlestone' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
