"""What is left of a player that only predicts, in float32: its plane and the histogram that gives probabilities.

Of a mixture these are the numbers of all members: a value larger than any met changes how members weigh it, so that
each needs its sums and its squares.
"""

import copy
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.errors import BadModel, require
from littlestone.base.learner import Learner, Size, State
from littlestone.base.row_table import RowTable
from littlestone.base.traits import Plane, list_weights
from littlestone.game.player import Player
from littlestone.learners import Network, Perceptron, Winnow
from littlestone.learners.conversions.predict_only import PredictOnly, set_precision
from littlestone.learners.shared.forecast_learner import ForecastLearner
from littlestone.learners.shared.forecaster_state import MATRICES, MET, WANTED, Forecaster
from littlestone.learners.shared.linear import Calibrated, Linear


def keep_prediction(player: Player) -> Player:
    """A player that predicts as this one does, up to the digits of float32, and refuses to learn."""
    learner: Any = player.learner
    if isinstance(learner, PredictOnly):
        return player
    assert player.size is not None
    found = _choose_learner(learner)
    size = player.size
    mixture = isinstance(found.learner, ForecastLearner)
    if not mixture:
        size = size._replace(real=np.float32)
    other = Player(found, copy.deepcopy(player.features), seed=player.seed)
    other.labels = player.labels.copy()
    other._declared = player._declared
    other.size = size
    other.schema = player.schema
    make = _keep_members if mixture else _make_state
    other.restore(make(found, size, learner, player.state), player._rounds, player._mistakes, player.seed)
    return other


def _choose_learner(learner: Any) -> PredictOnly:
    """The learner that predicts as this one does."""
    if isinstance(learner, ForecastLearner):
        known: Any = learner
        return PredictOnly(replace(known, precision=32) if hasattr(known, "precision") else learner)
    variant = getattr(learner, "variant", None)
    inner = variant if isinstance(variant, Learner) else learner
    network = isinstance(learner, Network) and learner.unit is not None
    kept = network or (isinstance(inner, Calibrated) and isinstance(learner, Plane))
    told = "predict_only keeps the weights of linear learners, their networks and learners for log-loss"
    require(kept, f"{told}: save {learner} whole", BadModel)
    unit = Perceptron(bias=1.0, tie="plus" if _takes_ties(inner) else "strict")
    return PredictOnly(Network(unit) if network else unit)


def _keep_members(found: Any, size: Size, learner: Any, state: Forecaster) -> State:
    """The numbers of all members for the attributes met, and their weights; what they were charged is left out."""
    blocks = len(state.weights)
    met = int(state.counts[MET])
    old = learner.members
    new = found.learner.members
    kept = state.table.reshape(-1, old.stride(blocks))[:met]
    table = np.zeros((met, new.stride(blocks)), f"f{new.bytes}")
    table[:, : new.lead] = np.ascontiguousarray(kept[:, : old.lead]).view(table.dtype)
    wide = blocks * old.width
    table[:, new.lead : new.lead + wide] = kept[:, old.lead : old.lead + wide]
    side = met if state.counts[MATRICES] else 0
    counts = state.counts.copy()
    counts[WANTED] = 0
    centres = state.centres[:, :side]
    matrices = state.matrices[:, :side, :side]
    spent = np.zeros_like(state.spent)
    losses = np.zeros_like(state.losses)
    weights = state.weights.copy()
    labels = state.labels.copy()
    given = Forecaster(state.places.copy(), table.ravel(), weights, centres, matrices, spent, losses, labels, counts)
    return set_precision(given, np.float32)


def _takes_ties(learner: Any) -> bool:
    """Whether a score of zero is served as the positive class."""
    if isinstance(learner, Linear):
        return bool(not learner.averaged and learner.params.tie > 0)
    return isinstance(learner, Winnow) and not learner.strict_gt


def _make_state(found: PredictOnly, size: Size, learner: Any, state: State) -> State:
    """The state of the learner that predicts."""
    listed = list_weights(learner, state)
    kept = found.start(size, 0)
    if isinstance(kept.weights, RowTable) and listed.attributes is not None:
        blocks = np.zeros((len(listed.weights), len(kept.bias)), kept.bias.dtype)
        blocks[:, : listed.weights.shape[1]] = listed.weights
        kept = kept._replace(weights=RowTable.from_blocks(size.attributes, listed.attributes, blocks))
    else:
        weights = listed.spread(size.attributes)[0]
        ours = kept.weights.reshape(-1, len(kept.bias))
        ours[: len(weights), : weights.shape[-1]] = weights[: len(ours)]
    kept.bias[: len(listed.constants)] = listed.constants
    kept.counts[:2], kept.scores[:] = state.counts[:2], state.scores
    return kept
