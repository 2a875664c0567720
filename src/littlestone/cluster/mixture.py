"""Shares: what players of several shards ended with, and the one player that they come to.

Shards may meet different classes, in another order, and different attributes: classes are numbered as the first shard
met them, then the next one's new ones; what a shard lacks counts as zero. Nothing here depends on who played when.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Crossed, Hashed, Indexed, Words
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED, Size
from littlestone.base.mixing import Mix, Part, of
from littlestone.game.player import Player
from littlestone.learners.network import Network, widened
from littlestone.learners.shared.linear import Weights


class Share(NamedTuple):
    """What some shards ended with: a player, and once it stands for several what their states add up to."""

    player: Player
    share: float
    part: Part | None = None


def require_mixable(player: Player) -> None:
    """Refuse a learner whose states do not mix, and features that shards would number differently."""
    if of(player.learner) is None:
        raise BadParameter(
            f"states of {player.learner} do not mix: shards take Perceptron, AveragedPerceptron, PassiveAggressive, "
            "a Network of these, or BalancedWinnow with a factor or a margin"
        )
    reads: Any = player.features
    inner = reads.features if isinstance(reads, Words | Crossed) else reads
    order = f"{type(inner).__name__} numbers attributes in the order it meets them, which differs from shard to shard"
    require(isinstance(inner, Indexed | Hashed), f"{order}: use features=Hashed(bits), on the command line --bits")


def joined(one: Share | None, other: Share | None) -> Share | None:
    """Two shares as one; None is a shard that took no part."""
    if one is None or other is None:
        return other if one is None else one
    left, right = one.player, other.player
    labels = left.labels.copy()
    order = renumbering(labels, right.labels, UNLIMITED if left.widens else left.learner.limit())
    wide = len(labels) > left.learner.limit() or left.learner != right.learner
    first, second = (_part(share, wide).padded(len(labels)) for share in (one, other))
    part = _mix(left).joined(first, second.renumbered(order))
    if part.columns > 1:
        part.counts[2] = len(labels)  # a class that one shard alone has met is met
    left.labels, left.features = labels, max((left.features, right.features), key=lambda reads: reads.width)
    attributes = max(_size(left).attributes, _size(right).attributes)
    left.size = _size(left)._replace(attributes=attributes, classes=max(_size(left).classes, len(labels)))
    left.restore(None, 0, 0, left.seed)  # what it had learned is in the part
    return Share(left, part.share, part)


def settled(start: Player, share: Share, rounds: int, mistakes: int) -> Player:
    """The player that all shards of a pass come to, so many rounds and mistakes later: of one shard, its own."""
    player, tally = share.player, start.tally
    if share.part is None:
        return player
    size = _size(player)
    if start.size is None:
        state = player.learner.start(size, start.seed)
    elif start.learner != player.learner:
        _, state = widened(start.learner, start.state, start.size)
    else:
        state = start.state
    mixed = _mix(player).whole(player.learner.grow(state, size), share.part)
    player.restore(player.learner.grow(mixed, size), tally.rounds + rounds, tally.mistakes + mistakes, start.seed)
    return player


def renumbering(labels: Labels, theirs: Labels, limit: int) -> Array:
    """The number here of each class there, of all that are known to either; new ones are added here."""
    found = {c: labels.number(name, limit) for c, name in enumerate(theirs.names) if name is not None}
    for name in theirs.others():
        labels.number(name, limit)
    known = range(max(len(labels), len(theirs)))
    free = iter(sorted(set(known) - set(found.values())))
    return np.array([found[c] if c in found else next(free) for c in known])


def _part(share: Share, wide: bool) -> Part:
    """The share as a part; a `wide` one of a player that nobody gave a learner, after a third class turned up."""
    player = share.player
    part = _mix(player).part(player.state, share.share) if share.part is None else share.part
    if not wide or isinstance(player.learner, Network):
        return part
    weights, bias = (
        np.stack([part.lanes[name], part.lanes[f"played {name}"]], axis=1).ravel() for name in ("weights", "bias")
    )
    state = Weights(weights, bias, part.counts, part.scores)
    player.learner, blocks = widened(player.learner, state, _size(player)._replace(real=np.float64))
    player.widens, lanes = False, {}
    for name in ("weights", "bias"):
        both = getattr(blocks, name).reshape(-1, 2, len(blocks.bias) // 2)
        lanes[name], lanes[f"played {name}"] = both[:, 0], both[:, 1]
    return part._replace(lanes=lanes, counts=blocks.counts, scores=blocks.scores)


def _mix(player: Player) -> Mix:
    mix = of(player.learner)
    assert mix is not None, "the learner was looked at before the first pass"
    return mix


def _size(player: Player) -> Size:
    assert player.size is not None, "the player has played"
    return player.size
