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
(see `additive.py`) the sum of the weights played is T w - a; what a pass adds to it is added up over shards.

Sums are in float64 along a fixed tree, so that the result depends on the shards and their order alone, not on which
machine was first. The mixture of one state is that state, to the bit.

R. McDonald, K. Hall and G. Mann. Distributed training strategies for the structured perceptron. NAACL-HLT 2010.

>>> tree(lambda a, b: f"({a} {b})", "abcdefg")
'(((a b) (c d)) ((e f) g))'
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from littlestone.base.chunks import Array

Weighting = Literal["uniform", "updates"]
LANE = 8  # classes come in multiples of this


class Tree:
    """A fixed binary tree over things that come in order; each pair is joined as soon as both are there."""

    def __init__(self, join: Callable[[Any, Any], Any]) -> None:
        self._join = join
        self._waiting: list[tuple[int, Any]] = []  # how many things each stands for, a power of two, and what they make

    def add(self, thing: Any) -> None:
        size = 1
        while self._waiting and self._waiting[-1][0] == size:
            _, left = self._waiting.pop()
            thing, size = self._join(left, thing), 2 * size
        self._waiting.append((size, thing))

    def root(self) -> Any:
        """All of them joined; None if there were none."""
        while len(self._waiting) > 1:
            (_, right), (size, left) = self._waiting.pop(), self._waiting.pop()
            self._waiting.append((size, self._join(left, right)))
        return self._waiting[0][1] if self._waiting else None


def tree(join: Callable[[Any, Any], Any], things: Iterable[Any]) -> Any:
    """All things joined along the fixed tree."""
    whole = Tree(join)
    for thing in things:
        whole.add(thing)
    return whole.root()


class Part(NamedTuple):
    """What states of some shards add up to.

    `lanes` are rows of numbers with a column for each class, or one for two: of `weights` and `bias` share times
    weight, and where averages are reported of `played weights` and `played bias` the sums of weights over rounds.
    """

    shards: int
    share: float
    lanes: dict[str, Array]
    counts: Array
    scores: Array
    kind: Any  # the type of the weights

    @property
    def columns(self) -> int:
        return int(self.lanes["weights"].shape[1])

    def padded(self, classes: int) -> "Part":
        """The same with columns for more classes, if it has one for each: in multiples of `LANE`."""
        more = -(-classes // LANE) * LANE - self.columns
        if self.columns == 1 or more <= 0:
            return self
        return self._replace(lanes={name: np.pad(lane, ((0, 0), (0, more))) for name, lane in self.lanes.items()})

    def renumbered(self, order: Array) -> "Part":
        """The same game with class c called order[c]: other columns, or of two classes without them the other sign."""
        if self.columns > 1:
            place = np.arange(self.columns)
            place[order] = np.arange(len(order))
            return self._replace(lanes={name: lane[:, place] for name, lane in self.lanes.items()})
        if list(order[:2]) != [1, 0]:
            return self
        half = self.scores.shape[1] // 2
        scores = np.roll(self.scores[::-1], half, axis=1)
        scores[:, 0], scores[:, half] = scores[:, 0] + scores[:, half], 0  # a score of zero has no sign
        return self._replace(lanes={name: -lane for name, lane in self.lanes.items()}, scores=scores)


@dataclass(frozen=True)
class Mix:
    """How states combine: `stride` numbers for each weight (2: with a running sum), or whole exponents."""

    stride: int = 1
    exponents: bool = False

    @property
    def counted(self) -> list[int]:
        """Which of a state's counts add up over shards: rounds and updates, those since weights were fresh too."""
        return [0, 1, 3] if self.exponents else [0, 1]

    def part(self, state: Any, share: float = 1.0) -> Part:
        """One state, ready to be added."""
        lanes = {}
        for name in ("weights", "bias"):
            columns = 1 if self.exponents else len(state.bias) // self.stride
            kept = getattr(state, name).reshape(-1, self.stride, columns)
            lanes[name] = np.multiply(kept[:, 0], share, dtype=np.float64)
            if self.stride == 2:
                played = np.multiply(kept[:, 0], float(state.counts[0]), dtype=np.float64)
                played -= kept[:, 1]
                lanes[f"played {name}"] = played
        return Part(1, share, lanes, state.counts, state.scores, state.weights.dtype)

    def joined(self, one: Part, other: Part) -> Part:
        """Two parts added, into the first one where it can be written to."""
        lanes = {name: _sum(lane, other.lanes[name]) for name, lane in one.lanes.items()}
        counts = np.maximum(one.counts, other.counts)  # classes met, the largest exponent
        counts[self.counted] = one.counts[self.counted] + other.counts[self.counted]
        scores, kind = one.scores + other.scores, np.promote_types(one.kind, other.kind)
        return Part(one.shards + other.shards, one.share + other.share, lanes, counts, scores, kind)

    def whole(self, start: Any, part: Part) -> Any:
        """The mixture of states that all started at `start`; counts are all that was counted since, added to it."""
        begun, more, counts = self.part(start), part.shards - 1, part.counts.copy()
        counts[self.counted] -= more * start.counts[self.counted]
        rounds, times = float(counts[0]), float(counts[0]) / max(1.0, float(counts[0] - start.counts[0]))
        mixed = {}
        for name in ("weights", "bias"):
            total = part.lanes[name]
            now = total / part.share if part.share > 0 else _sum(np.zeros_like(total), begun.lanes[name])
            kept = np.empty((len(now), self.stride, now.shape[1]), part.kind)
            kept[:, 0] = np.rint(now) if self.exponents else now
            if self.stride == 2:  # each sum holds that of the start; all rounds count as those of this pass did
                past = f"played {name}"
                kept[:, 1] = rounds * now - times * _sum(part.lanes[past], -part.shards * begun.lanes[past])
            mixed[name] = kept.ravel()
        return start._replace(**mixed, counts=counts, scores=part.scores - more * start.scores)


ADDITIVE, AVERAGED, EXPONENTS = Mix(), Mix(stride=2), Mix(exponents=True)


def of(learner: Any) -> Mix | None:
    """How a learner's states mix; those of a network as its units' do, if they share one array of weights.

    Balanced Winnow in phases does not mix: shards would be in different phases, with different factors.
    """
    unit = getattr(learner, "learner", learner)
    if learner.mix is None or unit.mix is None:
        return None
    phased = unit.mix.exponents and (unit is not learner or unit.factor is unit.margin is None)
    return None if phased else unit.mix


def _sum(one: Array, other: Array) -> Array:
    """Two arrays added, the smaller one with zeros for what it lacks; in the place of the first, if that is ours."""
    if one.shape == other.shape:
        return np.add(one, other, out=one if one.flags.writeable else None)
    total = np.zeros(np.maximum(one.shape, other.shape))
    for part in (one, other):
        total[tuple(map(slice, part.shape))] += part
    return total
