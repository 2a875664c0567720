"""Adapter: what the regressors for scikit-learn and River share, and which learner predicts numbers by default.

>>> choose_regressor(20), choose_regressor(2**18)
(Ridge(ridge=0.1, bias=1.0, guard=False), CoinRegression(criterion='huber', ...))
"""

import copy
import math
from typing import Any

from littlestone.base.errors import require
from littlestone.base.features import Features, Indexed
from littlestone.base.learner import Learner
from littlestone.game.player import Player
from littlestone.learners import CoinRegression, Ridge

FEW = 128  # attributes up to which a matrix of them is kept by default
LOOKED_AT = 1000  # rounds whose labels are looked at
# different labels beyond which they are numbers: if some are no whole numbers; if all are
FRACTIONS = 20
WHOLE = 100


def choose_regressor(attributes: int) -> Learner:
    """The learner for this number of attributes, where the user names none."""
    return Ridge() if attributes <= FEW else CoinRegression("huber")


def make_regressor(learner: Any, features: Features) -> Player:
    """Make a player of a learner, which must predict numbers from rows."""
    told = f"learner must be one that predicts numbers from rows of attributes, such as Ridge(), got {learner!r}"
    rows = isinstance(learner, Learner) and learner.numeric and isinstance(learner.features(), Indexed)
    require(rows, told)
    return Player(copy.deepcopy(learner), features)


def are_numbers(labels: list[Any]) -> bool:
    """Whether labels are numbers of many values, and not one for each row as numbers of rows are."""
    try:
        values = [float(label) for label in labels]
    except (TypeError, ValueError):
        return False
    different = len(set(values))
    if not all(map(math.isfinite, values)):
        return False
    if any(value != int(value) for value in values):
        return different > FRACTIONS
    return WHOLE < different < len(values)
