"""Passes over shards, played again in their own floats.

In every pass each shard is played from the same weights. What they end with is multiplied by the shard's count, 1 or
its updates, in float64; the products are added along a tree, divided by the sum of all counts and rounded to the type
of the weights. If that sum is 0 the weights stay what they were, and those of a single shard are taken as they are.

The tree joins places 0 and 1, 2 and 3, and so on, then what these pairs make in the same way, until one sum is left. A
place without a shard adds nothing, and what would be joined with it stays as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.labels import Labels
from littlestone.certificates.check.float_runs.additive import Parameters, replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatRun, FloatState
from littlestone.certificates.check.float_runs.network import replay_network


class FloatShard(NamedTuple):
    """The rounds of a shard, its place in the tree, and the number in the whole run of each class it numbers."""

    rows: ArrangedRows
    place: int
    order: list[int]


def replay_passes(about: Parameters, shards: Sequence[FloatShard], labels: Labels) -> FloatRun | None:
    """Play all passes again, their rounds numbered through; None if a shard cannot be played so.

    After the first pass every shard knows all `labels` and numbers them as the whole run does.
    """
    replay = replay_network if about["name"] == "Network" else replay_unit
    start = None
    by_updates = about["mixing"]["weights"] == "updates"
    mistakes = 0
    updated = list[int]()
    marks = list[int]()
    first = 0
    for _ in range(about["mixing"]["passes"]):
        ends = list[FloatState]()
        counts = list[int]()
        for shard in shards:
            run = replay(about, shard.rows, start)
            if run is None or run.end is None:
                return None
            mistakes += run.mistakes
            updated += [first + t for t in run.updated]
            marks += run.marks
            ends.append(run.end)
            counts.append(len(run.updated) if by_updates else 1)
            first += shard.rows.rounds
        start = mix(start, ends, counts, shards, len(labels))
        known = labels.copy()
        same = list(range(len(labels)))
        shards = [FloatShard(rows._replace(labels=known, surprise=False), place, same) for rows, place, _ in shards]
    return FloatRun(mistakes, tuple(updated), tuple(marks), end=start)


def mix(
    start: FloatState | None,
    ends: Sequence[FloatState],
    counts: Sequence[int],
    shards: Sequence[FloatShard],
    classes: int,
) -> FloatState | None:
    """The weights that a pass comes to, by the class numbers of the whole run."""
    if len(ends) == 1:
        return ends[0]
    if sum(counts) == 0:
        return start
    real = ends[0].weights.dtype
    tall = 1 + max(len(end.weights) for end in ends)
    products = dict[int, Array]()
    for end, count, shard in zip(ends, counts, shards, strict=True):
        rows = np.concatenate((end.bias.reshape(1, *end.weights.shape[1:]), end.weights))  # the constant first
        product = np.multiply(rows, float(count), dtype=np.float64)
        if product.ndim == 1:  # one column tells two classes apart: with their numbers exchanged it has the other sign
            renumbered = np.zeros(tall)
            renumbered[: len(product)] = -product if shard.order[:2] == [1, 0] else product
        else:
            renumbered = np.zeros((tall, classes))
            renumbered[: len(product), shard.order] = product
        products[shard.place] = renumbered
    mean = (add_along_tree(products) / float(sum(counts))).astype(real)
    return FloatState(mean[1:], np.atleast_1d(mean[0]))


def add_along_tree(parts: dict[int, Array]) -> Array:
    """The sum of arrays at their places.

    >>> float(add_along_tree({place: np.float64(part) for place, part in enumerate((1.0, 2.0**-53, 2.0**-53))}))
    1.0
    >>> float(add_along_tree({place: np.float64(part) for place, part in enumerate((2.0**-53, 2.0**-53, 1.0))})) - 1
    2.220446049250313e-16
    """
    while len(parts) > 1:
        joined = dict[int, Array]()
        for place in sorted(parts):
            joined[place // 2] = joined[place // 2] + parts[place] if place // 2 in joined else parts[place]
        parts = joined
    return next(iter(parts.values()))
