"""Mixing: how the states of several shards become one, and which theorem survives it.

Iterative parameter mixing: in pass p every shard j starts from the same weights v, plays its own rows, makes k_j
updates and ends at w_j; the next pass starts from the mixture, the sum of m_j w_j with m_j >= 0 that add up to 1. It is
*not* the game of the concatenated stream. What is bounded is K, the sum over passes of the mixed counts m_j k_j.

Theorem (McDonald, Hall and Mann 2010, for the Perceptron). If some u has u.z >= g > 0 on every update round of every
shard, and |z| <= R there, then K <= R^2 |u|^2 / g^2. Proof. A shard's updates add at least k_j g to u.v and at most k_j
R^2 to |v|^2. So u.v >= K g after the last pass, u.v being linear; and |v|^2 <= R^2 K, since a square of a mean is at
most the mean of the squares. Cauchy and Schwarz. Margins, shortfalls and the losses of PassiveAggressive (whose |v -
u|^2 falls, and is convex) pass through in the same way. Over J shards mixed evenly K is a J-th of the updates of a
pass, so that the updates themselves may be J times as many as the bound.

Exponents of Balanced Winnow are mixed as they are, which is the geometric mean of weights: ln W of the mixture is at
most the mean of the shards' (Hoelder), and u.k is linear. They are rounded to whole numbers, which can change ln W by
h / 2 and h u.k by as much in every mixture, so that with h = ln(factor) and after P passes

    K <= (ln(2n) + h P) / (h d - ln cosh h).

An averaged learner's mixture averages the weights of all rounds of the latest pass on all shards, each round once:
before, the shards knew less of one another, and in the first pass nothing. From T rounds, weights w and running sums a
(see `learners/shared/additive.py`) the sum of the weights played is T w - a; what a pass adds to it is summed over
shards.

Sums are in float64 along a fixed tree, so that the result depends on the shards and their order alone, not on which
machine was first. The mixture of one state is that state, to the bit.

R. McDonald, K. Hall and G. Mann. Distributed training strategies for the structured perceptron. NAACL-HLT 2010.

>>> join_along_tree(lambda a, b: f"({a} {b})", "abcdefg")
'(((a b) (c d)) ((e f) g))'
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.row_table import spread_weights

Weighting = Literal["uniform", "updates"]
LANE = 8  # classes come in multiples of this


class JoinTree:
    """Joins things that come in order along a fixed binary tree, each pair as soon as both are there.

    Args:
        join: Makes one thing of two, the earlier one first.
    """

    def __init__(self, join: Callable[[Any, Any], Any]) -> None:
        self._join = join
        self._waiting: list[tuple[int, Any]] = []  # the number of things joined, a power of two, and what they make

    def add(self, thing: Any) -> None:
        """Take the next thing."""
        size = 1
        while self._waiting and self._waiting[-1][0] == size:
            _, left = self._waiting.pop()
            thing = self._join(left, thing)
            size = 2 * size
        self._waiting.append((size, thing))

    def finish(self) -> Any:
        """Join all that were added and return what they make; None if there were none."""
        while len(self._waiting) > 1:
            (_, right), (size, left) = self._waiting.pop(), self._waiting.pop()
            self._waiting.append((size, self._join(left, right)))
        return self._waiting[0][1] if self._waiting else None


def join_along_tree(join: Callable[[Any, Any], Any], things: Iterable[Any]) -> Any:
    """Join all things along the fixed tree and return what they make; None if there are none."""
    whole = JoinTree(join)
    for thing in things:
        whole.add(thing)
    return whole.finish()


class StateSum(NamedTuple):
    """What states of some shards add up to, each multiplied by its share.

    `arrays` have a column for each class, or one column for two classes. Those called `weights` and `bias` hold share
    times weight; for averaged learners, `played weights` and `played bias` hold the sums of weights over rounds.
    """

    shards: int
    share: float
    arrays: dict[str, Array]
    counts: Array
    scores: Array
    kind: Any  # the type of the weights

    @property
    def columns(self) -> int:
        return int(self.arrays["weights"].shape[1])

    def pad_classes(self, classes: int) -> "StateSum":
        """Add columns of zeros for more classes, up to a multiple of `LANE`; a single column stays."""
        more = -(-classes // LANE) * LANE - self.columns
        if self.columns == 1 or more <= 0:
            return self
        return self._replace(arrays={name: np.pad(array, ((0, 0), (0, more))) for name, array in self.arrays.items()})

    def renumber_classes(self, order: Array) -> "StateSum":
        """Give class c the number order[c]: move its column, or change the sign where one column holds two classes."""
        if self.columns > 1:
            place = np.arange(self.columns)
            place[order] = np.arange(len(order))
            return self._replace(arrays={name: array[:, place] for name, array in self.arrays.items()})
        if list(order[:2]) != [1, 0]:
            return self
        half = self.scores.shape[1] // 2
        scores = np.roll(self.scores[::-1], half, axis=1)
        scores[:, 0], scores[:, half] = scores[:, 0] + scores[:, half], 0  # a score of zero has no sign
        return self._replace(arrays={name: -array for name, array in self.arrays.items()}, scores=scores)


@dataclass(frozen=True)
class Mix:
    """How states of one kind of learner are mixed.

    Args:
        stride: Numbers kept for each weight: 1, or 2 where each has a running sum beside it.
        exponents: Whether weights are whole exponents, which are rounded after mixing.
    """

    stride: int = 1
    exponents: bool = False

    @property
    def summed_places(self) -> list[int]:
        """The places of the counts that add up over shards: rounds, updates, and updates since weights were fresh."""
        return [0, 1, 3] if self.exponents else [0, 1]

    def weigh(self, state: Any, share: float = 1.0) -> StateSum:
        """Multiply one state by its share, ready to be added to others."""
        state = spread_weights(state)
        arrays = {}
        for name in ("weights", "bias"):
            columns = 1 if self.exponents else len(state.bias) // self.stride
            kept = getattr(state, name).reshape(-1, self.stride, columns)
            arrays[name] = np.multiply(kept[:, 0], share, dtype=np.float64)
            if self.stride == 2:
                played = np.multiply(kept[:, 0], float(state.counts[0]), dtype=np.float64)
                played -= kept[:, 1]
                arrays[f"played {name}"] = played
        return StateSum(1, share, arrays, state.counts, state.scores, state.weights.dtype)

    def add_sums(self, one: StateSum, other: StateSum) -> StateSum:
        """Add two sums and return the result, in the arrays of the first one where they can be written to."""
        arrays = {name: _add_arrays(array, other.arrays[name]) for name, array in one.arrays.items()}
        counts = np.maximum(one.counts, other.counts)  # classes met, the largest exponent
        counts[self.summed_places] = one.counts[self.summed_places] + other.counts[self.summed_places]
        scores = one.scores + other.scores
        kind = np.promote_types(one.kind, other.kind)
        return StateSum(one.shards + other.shards, one.share + other.share, arrays, counts, scores, kind)

    def mix_sum(self, start: Any, part: StateSum) -> Any:
        """Divide a sum of states that all started at `start` by their shares: the mixed state, with all counts."""
        start = spread_weights(start)
        begun = self.weigh(start)
        more = part.shards - 1
        counts = part.counts.copy()
        counts[self.summed_places] -= more * start.counts[self.summed_places]
        rounds = float(counts[0])
        times = float(counts[0]) / max(1.0, float(counts[0] - start.counts[0]))
        mixed = {}
        for name in ("weights", "bias"):
            total = part.arrays[name]
            now = total / part.share if part.share > 0 else _add_arrays(np.zeros_like(total), begun.arrays[name])
            kept = np.empty((len(now), self.stride, now.shape[1]), part.kind)
            kept[:, 0] = np.rint(now) if self.exponents else now
            if self.stride == 2:  # each sum holds that of the start; all rounds count as those of this pass did
                past = f"played {name}"
                kept[:, 1] = rounds * now - times * _add_arrays(part.arrays[past], -part.shards * begun.arrays[past])
            mixed[name] = kept.ravel()
        return start._replace(**mixed, counts=counts, scores=part.scores - more * start.scores)


ADDITIVE, AVERAGED, EXPONENTS = Mix(), Mix(stride=2), Mix(exponents=True)


def _add_arrays(one: Array, other: Array) -> Array:
    """Add two arrays, each with zeros for what it lacks; into the first, if it is as large and can be written to."""
    if one.shape == other.shape:
        return np.add(one, other, out=one if one.flags.writeable else None)
    total = np.zeros(np.maximum(one.shape, other.shape))
    for part in (one, other):
        total[tuple(map(slice, part.shape))] += part
    return total
