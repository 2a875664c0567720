"""Mixture: one player made of the players of several shards.

Shards may meet different classes, in another order, and different attributes. Classes are numbered as the first shard
met them, then the next one's new ones; what a shard lacks counts as zero. The result does not depend on which shard was
played first.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Crossed, Hashed, Indexed, Words
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.base.mixing import Mix, StateSum
from littlestone.base.row_table import spread_weights
from littlestone.game.player import Player
from littlestone.learners.network import Network, widen_to_network
from littlestone.learners.shared.additive import Weights


class Share(NamedTuple):
    """What some shards ended with: a player, its share, and for several shards the sum of their states."""

    player: Player
    share: float
    total: StateSum | None = None


def require_mixable(player: Player) -> None:
    """Refuse a learner whose states do not mix, and features that shards would number differently."""
    if player.learner.mixing() is None:
        raise BadParameter(
            f"states of {player.learner} do not mix: shards take Perceptron, AveragedPerceptron, PassiveAggressive, "
            "a Network of these, or BalancedWinnow with a factor or a margin"
        )
    reads: Any = player.features
    inner = reads.features if isinstance(reads, Words | Crossed) else reads
    order = f"{type(inner).__name__} numbers attributes in the order it meets them, which differs from shard to shard"
    require(isinstance(inner, Indexed | Hashed), f"{order}: use features=Hashed(bits), on the command line --bits")


def join_shares(one: Share | None, other: Share | None) -> Share | None:
    """Make one share of two; None is a shard that took no part."""
    if one is None or other is None:
        return other if one is None else one
    left = one.player
    right = other.player
    labels = left.labels.copy()
    order = renumber_labels(labels, right.labels, UNLIMITED if left.widens else left.learner.limit())
    wide = len(labels) > left.learner.limit() or left.learner != right.learner
    first, second = (_sum_states(share, wide).pad_classes(len(labels)) for share in (one, other))
    part = _find_mix(left).add_sums(first, second.renumber_classes(order))
    if part.columns > 1:
        part.counts[2] = len(labels)  # a class that one shard alone has met is met
    left.labels, left.features = labels, max((left.features, right.features), key=lambda reads: reads.width)
    attributes = max(left._size.attributes, right._size.attributes)
    left.size = left._size._replace(attributes=attributes, classes=max(left._size.classes, len(labels)))
    left.restore(None, 0, 0, left.seed)  # what it had learned is in the part
    return Share(left, part.share, part)


def finish_pass(start: Player, share: Share, rounds: int, mistakes: int) -> Player:
    """Make the player that all shards of a pass come to, with the rounds and mistakes of the pass added to its tally.

    The player of a single shard is returned as it is.
    """
    player = share.player
    tally = start.tally
    if share.total is None:
        return player
    size = player._size
    if start.size is None:
        state = player.learner.start(size, start.seed)
    elif start.learner != player.learner:
        _, state = widen_to_network(start.learner, start.state, start.size)
    else:
        state = start.state
    mixed = _find_mix(player).mix_sum(player.learner.grow(state, size), share.total)
    player.restore(player.learner.grow(mixed, size), tally.rounds + rounds, tally.mistakes + mistakes, start.seed)
    return player


def renumber_labels(labels: Labels, theirs: Labels, limit: int) -> Array:
    """Find the number in `labels` of each class that `theirs` numbers; classes that are new to `labels` are added."""
    found = {c: labels.encode_one(name, limit) for c, name in enumerate(theirs.names) if name is not None}
    for name in theirs.aliases():
        labels.encode_one(name, limit)
    known = range(max(len(labels), len(theirs)))
    free = iter(sorted(set(known) - set(found.values())))
    return np.array([found[c] if c in found else next(free) for c in known])


def _sum_states(share: Share, wide: bool) -> StateSum:
    """Return the sum of a share's states; `wide` makes it one of a network, after a third class turned up."""
    player = share.player
    part = _find_mix(player).weigh(player.state, share.share) if share.total is None else share.total
    if not wide or isinstance(player.learner, Network):
        return part
    weights, bias = (
        np.stack([part.arrays[name], part.arrays[f"played {name}"]], axis=1).ravel() for name in ("weights", "bias")
    )
    state = Weights(weights, bias, part.counts, part.scores)
    player.learner, blocks = widen_to_network(player.learner, state, player._size._replace(real=np.float64))
    player.widens, arrays, blocks = False, {}, spread_weights(blocks)
    for name in ("weights", "bias"):
        both = getattr(blocks, name).reshape(-1, 2, len(blocks.bias) // 2)
        arrays[name], arrays[f"played {name}"] = both[:, 0], both[:, 1]
    return part._replace(arrays=arrays, counts=blocks.counts, scores=blocks.scores)


def _find_mix(player: Player) -> Mix:
    mix = player.learner.mixing()
    assert mix is not None, "the learner was looked at before the first pass"
    return mix
