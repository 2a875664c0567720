"""Littlestone: online learning with a guarantee. The public names, each imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.bound import Bound, Certificate
    from littlestone.concepts import Parities, Thresholds
    from littlestone.environment import Environment
    from littlestone.environments import Bisection, Recorded
    from littlestone.features import Indexed, Named
    from littlestone.game import Game, Round, play
    from littlestone.learner import Learner
    from littlestone.learners import (
        AggressivePerceptron,
        AveragedPerceptron,
        Halving,
        PassiveAggressive,
        Perceptron,
    )
    from littlestone.player import Player

__version__ = "0.1.0"

_HOMES = {
    "bound": ("Bound", "Certificate"),
    "concepts": ("Parities", "Thresholds"),
    "environment": ("Environment",),
    "environments": ("Bisection", "Recorded"),
    "game": ("Game", "Round", "play"),
    "learner": ("Learner",),
    "features": ("Indexed", "Named"),
    "learners": ("AggressivePerceptron", "AveragedPerceptron", "Halving", "PassiveAggressive", "Perceptron"),
    "player": ("Player",),
}
_MODULES = ("concepts", "environments", "errors", "learner", "learners")  # reached as littlestone.errors and so on
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
