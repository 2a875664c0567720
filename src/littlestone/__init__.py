"""Littlestone: online learning with a guarantee. The public names, each imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.advice.losses import Absolute, Brier, Custom, Log, Pinball, Square, ZeroOne
    from littlestone.bound import Bound, Certificate
    from littlestone.certificates.certifier import certify
    from littlestone.combination import Combination, combine
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
    from littlestone.conversions import Conservative, Duplicated, Interactions, Restarting, Tracking
    from littlestone.dimension import littlestone_dimension, vc_dimension
    from littlestone.dual import GaussianKernel, LinearKernel, PolynomialKernel
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
        Panel,
        RandomExperts,
        Recorded,
        Teacher,
    )
    from littlestone.features import Crossed, Hashed, Indexed, Named, Words
    from littlestone.game import Game, Round, play
    from littlestone.guarantees.assumptions import Assumptions, estimate
    from littlestone.guarantees.exchangeability import Drift, drift
    from littlestone.guarantees.online_to_pac import Pac, pac
    from littlestone.guarantees.planner import Plan, plan
    from littlestone.guarantees.risks import Risk, risk
    from littlestone.guarantees.separation import Separation, separable
    from littlestone.guarantees.stopping import Stopping
    from littlestone.learner import Learner
    from littlestone.learners import (
        AdaHedge,
        Aggregating,
        AggressivePerceptron,
        Arow,
        AveragedPerceptron,
        BalancedWinnow,
        Closure,
        Consistent,
        Elimination,
        Ellipsoid,
        FixedShare,
        FollowTheLeader,
        Halving,
        Hedge,
        ImprovedMajority,
        KernelPerceptron,
        Memorizer,
        NaiveBayes,
        Network,
        PassiveAggressive,
        Perceptron,
        PNormPerceptron,
        RandomizedHalving,
        RandomizedWeightedMajority,
        SecondOrderPerceptron,
        StandardOptimal,
        VotedPerceptron,
        WeightedMajority,
        Winnow,
    )
    from littlestone.ledger import Ledger
    from littlestone.minimax import WorstCase, worst_case
    from littlestone.model import load
    from littlestone.player import Player
    from littlestone.pool import Pool
    from littlestone.queries import Oracle, identify, identify_sparse
    from littlestone.reading import Reading, read
    from littlestone.tree import Tree
    from littlestone.verification.verifier import verify

__version__ = "0.1.0"

_HOMES = {
    "bound": (
        "Bound",
        "Certificate",
    ),
    "certificates.certifier": ("certify",),
    "combination": (
        "Combination",
        "combine",
    ),
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
    "conversions": (
        "Conservative",
        "Duplicated",
        "Interactions",
        "Restarting",
        "Tracking",
    ),
    "dimension": (
        "littlestone_dimension",
        "vc_dimension",
    ),
    "dual": (
        "GaussianKernel",
        "LinearKernel",
        "PolynomialKernel",
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
        "Panel",
        "RandomExperts",
        "Recorded",
        "Teacher",
    ),
    "features": (
        "Crossed",
        "Hashed",
        "Indexed",
        "Named",
        "Words",
    ),
    "game": (
        "Game",
        "Round",
        "play",
    ),
    "guarantees.assumptions": ("Assumptions", "estimate"),
    "guarantees.exchangeability": ("Drift", "drift"),
    "guarantees.online_to_pac": ("Pac", "pac"),
    "guarantees.planner": ("Plan", "plan"),
    "guarantees.risks": ("Risk", "risk"),
    "guarantees.separation": ("Separation", "separable"),
    "guarantees.stopping": ("Stopping",),
    "learner": ("Learner",),
    "learners": (
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
    ),
    "ledger": ("Ledger",),
    "advice.losses": (
        "Absolute",
        "Brier",
        "Custom",
        "Log",
        "Pinball",
        "Square",
        "ZeroOne",
    ),
    "minimax": (
        "WorstCase",
        "worst_case",
    ),
    "model": ("load",),
    "player": ("Player",),
    "pool": ("Pool",),
    "queries": (
        "Oracle",
        "identify",
        "identify_sparse",
    ),
    "reading": (
        "Reading",
        "read",
    ),
    "tree": ("Tree",),
    "verification.verifier": ("verify",),
}
_MODULES = ("cluster", "concepts", "environments", "errors", "laws", "learner", "learners", "plot", "river", "sklearn")
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
