"""Littlestone: online learning with a guarantee. The public names, each imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from littlestone import concepts, environments, learners
from littlestone.learners import conversions

if TYPE_CHECKING:
    from littlestone.base.assumptions import Assumptions
    from littlestone.base.bound import Bound, Certificate
    from littlestone.base.environment import Environment
    from littlestone.base.features import Crossed, Hashed, Indexed, Named, TfIdf, Words
    from littlestone.base.learner import Learner
    from littlestone.base.number_assumptions import NumberAssumptions
    from littlestone.certificates.risk import Risk, risk
    from littlestone.certificates.stopping import Stopping
    from littlestone.concepts import *  # noqa: F403
    from littlestone.concepts.dimension import littlestone_dimension, margin_dimension, vc_dimension
    from littlestone.concepts.tree import Tree
    from littlestone.concepts.worst_case import WorstCase, worst_case
    from littlestone.environments import *  # noqa: F403
    from littlestone.environments.queries import Oracle, identify, identify_sparse
    from littlestone.game.certify import certify
    from littlestone.game.combination import Combination, combine
    from littlestone.game.exchangeability import Drift, drift
    from littlestone.game.game import Game
    from littlestone.game.late_labels import LateGame, play_late
    from littlestone.game.league.league import League
    from littlestone.game.league.members import LeagueMember
    from littlestone.game.ledger import Ledger
    from littlestone.game.model import load
    from littlestone.game.play import play
    from littlestone.game.played_rounds import Round
    from littlestone.game.player import Player
    from littlestone.game.racing import Race, race
    from littlestone.game.snapshots import Snapshots, keep_snapshots
    from littlestone.game.sources import read
    from littlestone.game.verify import verify
    from littlestone.guarantees.assumptions import estimate
    from littlestone.guarantees.floors import Floor, floor
    from littlestone.guarantees.online_to_pac import Pac, pac
    from littlestone.guarantees.planner import Plan, plan
    from littlestone.guarantees.separation import Separation, separable
    from littlestone.learners import *  # noqa: F403
    from littlestone.learners.conversions import *  # noqa: F403
    from littlestone.learners.conversions.pool import Pool
    from littlestone.learners.experts.losses import Absolute, Brier, Custom, Log, Pinball, Square, ZeroOne
    from littlestone.learners.shared.kernel_functions import GaussianKernel, LinearKernel, PolynomialKernel
    from littlestone.readers.reading import Reading
    from littlestone.readers.snow import write_snow

__version__ = "0.1.0"

_HOMES = {  # the public names, by the module that has them
    "base.bound": ["Bound", "Certificate"],
    "game.certify": ["certify"],
    "game.late_labels": ["LateGame", "play_late"],
    "game.combination": ["Combination", "combine"],
    "concepts": concepts.__all__,
    "learners.conversions": conversions.__all__,
    "concepts.dimension": ["littlestone_dimension", "margin_dimension", "vc_dimension"],
    "learners.shared.kernel_functions": ["GaussianKernel", "LinearKernel", "PolynomialKernel"],
    "base.environment": ["Environment"],
    "environments": environments.__all__,
    "base.features": ["Crossed", "Hashed", "Indexed", "Named", "TfIdf", "Words"],
    "game.game": ["Game"],
    "game.played_rounds": ["Round"],
    "game.play": ["play"],
    "base.assumptions": ["Assumptions"],
    "base.number_assumptions": ["NumberAssumptions"],
    "guarantees.assumptions": ["estimate"],
    "game.exchangeability": ["Drift", "drift"],
    "guarantees.floors": ["Floor", "floor"],
    "guarantees.online_to_pac": ["Pac", "pac"],
    "guarantees.planner": ["Plan", "plan"],
    "certificates.risk": ["Risk", "risk"],
    "guarantees.separation": ["Separation", "separable"],
    "certificates.stopping": ["Stopping"],
    "base.learner": ["Learner"],
    "learners": learners.__all__,
    "game.league.league": ["League"],
    "game.league.members": ["LeagueMember"],
    "game.ledger": ["Ledger"],
    "learners.experts.losses": ["Absolute", "Brier", "Custom", "Log", "Pinball", "Square", "ZeroOne"],
    "concepts.worst_case": ["WorstCase", "worst_case"],
    "game.model": ["load"],
    "game.player": ["Player"],
    "learners.conversions.pool": ["Pool"],
    "game.snapshots": ["Snapshots", "keep_snapshots"],
    "environments.queries": ["Oracle", "identify", "identify_sparse"],
    "game.racing": ["Race", "race"],
    "game.sources": ["read"],
    "readers.reading": ["Reading"],
    "readers.snow": ["write_snow"],
    "concepts.tree": ["Tree"],
    "game.verify": ["verify"],
}
_ROOMS = {name: name for name in ("cluster", "laws", "plot", "river", "sklearn")}
_MODULES = _ROOMS | {"errors": "base.errors", "learner": "base.learner"}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"littlestone.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"littlestone.{_MODULES[name]}")
    raise AttributeError(f"module 'littlestone' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
