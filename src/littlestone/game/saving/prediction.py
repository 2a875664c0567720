"""What is left of a player that only predicts: its plane in float32, and the histogram that gives probabilities."""

import copy
from typing import Any

import numpy as np

from littlestone.base.errors import BadModel, require
from littlestone.base.learner import Learner, Size, State
from littlestone.base.row_table import RowTable
from littlestone.base.traits import Plane, list_weights
from littlestone.game.player import Player
from littlestone.learners import Network, Perceptron, Winnow
from littlestone.learners.conversions.predict_only import PredictOnly
from littlestone.learners.shared.linear import Calibrated, Linear


def keep_prediction(player: Player) -> Player:
    """A player that predicts as this one does, up to the digits of float32, and refuses to learn."""
    learner: Any = player.learner
    if isinstance(learner, PredictOnly):
        return player
    state, variant = player.state, getattr(learner, "variant", None)
    inner = variant if isinstance(variant, Learner) else learner
    network = isinstance(learner, Network) and learner.unit is not None
    kept = network or (isinstance(inner, Calibrated) and isinstance(learner, Plane))
    require(
        kept, f"predict_only keeps the weights of linear learners and their networks: save {learner} whole", BadModel
    )
    assert player.size is not None
    size = player.size._replace(real=np.float32)
    unit = Perceptron(bias=1.0, tie="plus" if _takes_ties(inner) else "strict")
    found = PredictOnly(Network(unit) if network else unit)
    other = Player(found, copy.deepcopy(player.features), seed=player.seed)
    other.labels, other._declared, other.size = player.labels.copy(), player._declared, size
    other.schema = player.schema
    other.restore(_make_state(found, size, learner, state), player._rounds, player._mistakes, player.seed)
    return other


def _takes_ties(learner: Any) -> bool:
    """Whether a score of zero is served as the positive class."""
    if isinstance(learner, Linear):
        return bool(not learner.averaged and learner.params.tie > 0)
    return isinstance(learner, Winnow) and not learner.strict_gt


def _make_state(found: PredictOnly, size: Size, learner: Any, state: State) -> State:
    """The state of the learner that predicts."""
    listed, kept = list_weights(learner, state), found.start(size, 0)
    if isinstance(kept.weights, RowTable) and listed.attributes is not None:
        blocks = np.zeros((len(listed.weights), len(kept.bias)), kept.bias.dtype)
        blocks[:, : listed.weights.shape[1]] = listed.weights
        kept = kept._replace(weights=RowTable.from_blocks(size.attributes, listed.attributes, blocks))
    else:
        weights, ours = listed.spread(size.attributes)[0], kept.weights.reshape(-1, len(kept.bias))
        ours[: len(weights), : weights.shape[-1]] = weights[: len(ours)]
    kept.bias[: len(listed.constants)] = listed.constants
    kept.counts[:2], kept.scores[:] = state.counts[:2], state.scores
    return kept
