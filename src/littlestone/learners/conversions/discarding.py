"""Discarding: a learner that keeps weights of at most `keep` attributes, however many there are.

Attributes without a weight count nothing. Those of a row are admitted when it teaches: by a Perceptron in every update,
by Winnow in a promotion only, with the weight 1. If there is no room, the attributes of least weight that are not in
the row leave (`by="weight"`), or those seen least since they were admitted (`by="seen"`). One that left and comes back
starts anew.

Theorem (Winnow with promotion 2 and threshold t). Let the labels be the OR of k attributes, and let attributes be
admitted N times in all, and relevant ones leave D times. Then

    promotions u <= (k + D) (1 + ceil(lg t)),   demotions v < 2 N / t + 2 u:

what was wrongly discarded costs no more than to be learned again. Proof. In a promotion some relevant attribute is
active: it is admitted, or its weight doubles. It only rises while it is kept, and not once it has reached t: ceil(lg t)
times after each of at most k + D admissions. The sum of the kept weights grows by 1 at each admission and by less than
t at each promotion, falls by at least t / 2 at each demotion, and stays positive; what leaves takes its weight along.

Theorem (Perceptron of rate 1 without margin). Let some u have y u.x >= g and |x| <= R on every update round, and let C
be the sum of |u_i w_i| over the weights that left. With r = R |u| / g,

    updates <= ((r + sqrt(r^2 + 4 C / g)) / 2)^2.

Proof. As for shortfalls (`perceptron.py`): u.w is at least k g - C after k updates, and what leaves makes |w| shorter.
`state.lost` is the sum of |w_i|, by which C <= max |u_i| times it.

A. Blum. Learning Boolean functions in an infinite attribute space. Machine Learning 9:373-386, 1992. A. Carlson, C.
Cumby, J. Rosen and D. Roth. The SNoW learning architecture. University of Illinois, 1999.

>>> from littlestone import Perceptron, Recorded, play
>>> rows = Recorded([{9: 1}, {70: 1}, {500: 1}, {9: 1}], [True, True, True, True])
>>> game = play(Discarding(Perceptron(bias=0), keep=2), rows)
>>> game.player.state.attributes, game.player.state.lost
(array([ 9, 70]), array([2.]))
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.errors import BadInstance, require, require_count
from littlestone.base.features import Indexed
from littlestone.base.learner import Size, State
from littlestone.base.theorem import Takes
from littlestone.base.traits import Plane, RowLearner
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.shared.wrapped import WrappedScores
from littlestone.learners.winnow import Winnow

NONE = -1  # the attribute of a slot that is free
ADMITTED, LEFT, WIDTH = range(3)  # places in `counts`


class Kept(NamedTuple):
    """The inner learner's state over slots, and which attribute has each of the first `keep` slots.

    The other slots hold what a Perceptron admits in a round, and are 0 between rounds. `seen` counts the rounds of each
    kept attribute; `counts` are admissions, attributes that left, and one more than the highest met.
    """

    inner: State
    attributes: Array
    seen: Array
    counts: Array
    lost: Array  # the sizes of the weights that left, summed


@final
@dataclass(frozen=True)
class Discarding(WrappedScores, Plane, RowLearner):
    """A learner that keeps weights of a limited number of attributes.

    Args:
        learner: The learner inside: a Winnow that is told its threshold, or a Perceptron.
        keep: How many attributes have weights, >= 1, and how many a row may have at most.
        by: Which attributes leave: those of least "weight", or those "seen" least.
    """

    learner: Perceptron | Winnow
    keep: int
    by: Literal["weight", "seen"] = "weight"

    def __post_init__(self) -> None:
        require_count(1, keep=self.keep)
        require(self.by in ("weight", "seen"), f'by must be "weight" or "seen", got {self.by!r}')
        known = isinstance(self.learner, Perceptron | Winnow)
        require(known, f"what may be discarded is known of Perceptron and Winnow, got {type(self.learner).__name__}")
        open_threshold = getattr(self.learner, "threshold", 0) is None
        require(not open_threshold, "the number of attributes is open, so Winnow(threshold=...) must be given")

    def start(self, size: Size, seed: int = 0) -> Kept:
        inner = self.learner.start(self._size(size), seed)
        attributes = np.full(self.keep, NONE)
        seen = np.zeros(self.keep, np.int64)
        return Kept(inner, attributes, seen, np.array([0, 0, size.attributes]), np.zeros(1))

    def grow(self, state: Kept, size: Size) -> Kept:
        counts = state.counts.copy()
        counts[WIDTH] = max(counts[WIDTH], size.attributes)
        return state._replace(inner=self.learner.grow(state.inner, self._size(size)), counts=counts)

    def full(self, state: Kept, x: Row) -> bool:
        return bool(self.learner.full(state.inner, x))  # which does not look at x, so that none is refused here

    def unwrap(self, state: Kept) -> State:
        return state.inner

    def rewrite(self, state: Kept, x: Row) -> Row:
        """The row over slots; attributes that are not kept have those after the first `keep`, or none with Winnow."""
        row = self._read_row(x)
        slots = self._find_slots(state, row)
        order = np.argsort(slots)
        if isinstance(self.learner, Winnow):
            order = order[slots[order] < self.keep]
        return Row(slots[order].astype(np.int32), None if row.values is None else row.values[order])

    def update(self, state: Kept, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Kept, x: Row, y: int) -> int:
        row = self._read_row(x)
        before = self.moves(state)
        guess = int(self.learner.round(state.inner, self.rewrite(state, x), y))
        slots = self._find_slots(state, row)
        state.seen[slots[slots < self.keep]] += 1
        if self.moves(state) > before and (y or isinstance(self.learner, Perceptron)):
            self._admit(state, row, slots)
        return guess

    def _admit(self, state: Kept, row: Row, slots: Array) -> None:
        """Give the attributes of a row that have none a slot each: a free one, or that of one that leaves."""
        assert row.indices is not None
        new = np.flatnonzero(slots >= self.keep)
        weights = np.abs(self.learner.plane(state.inner)[0][: self.keep, 0])
        keys = (state.seen, weights) if self.by == "weight" else (weights, state.seen)
        order = np.lexsort((*keys, state.attributes != NONE))  # free slots first; a tie goes to the first slot
        chosen = order[~np.isin(order, slots)][: len(new)]
        leaving = chosen[state.attributes[chosen] != NONE]
        state.lost[0] += weights[leaving].sum()
        state.counts[[ADMITTED, LEFT]] += len(new), len(leaving)
        state.attributes[chosen], state.seen[chosen] = row.indices[new], 1
        state.inner.weights[chosen] = state.inner.weights[slots[new]]
        state.inner.weights[slots[new]] = self.learner.start(Size(1)).weights[0]

    def plane(self, state: Kept) -> tuple[Array, Array]:
        known, constants = self.learner.plane(state.inner)
        weights = np.zeros((int(state.counts[WIDTH]), 1))
        used = state.attributes != NONE
        weights[state.attributes[used]] = known[: self.keep][used]
        return weights, constants

    def features(self) -> Indexed:
        return Indexed()

    def takes(self) -> Takes:
        return self.learner.takes()._replace(importance=False)

    def lacks_theorem(self) -> str:
        return "what leaves takes its weight along, and which rules could have been learned depends on what left"

    def check_state(self, state: Kept, size: Size) -> bool:
        used = state.attributes[state.attributes != NONE]
        known = len(set(used.tolist())) == len(used) and bool((used >= 0).all() and (used < size.attributes).all())
        counted = state.counts[WIDTH] == size.attributes and bool((state.seen >= 0).all()) and state.lost[0] >= 0
        return known and bool(counted) and self.learner.check_state(state.inner, self._size(size))

    def is_affordable(self, room: int) -> bool:
        """Whether a model from a file may have this number of slots."""
        return 16 * self.keep <= room

    def _size(self, size: Size) -> Size:
        return Size(2 * self.keep, 2, size.real)

    def _read_row(self, x: Row) -> Row:
        """The row with the attributes listed that are not 0."""
        row = x.to_sparse()
        if row.values is not None and row.indices is not None and not row.values.all():
            row = Row(row.indices[row.values != 0], row.values[row.values != 0])
        if isinstance(self.learner, Winnow) and row.values is not None:  # which is not shown those that are not kept
            legal = (row.values > 0) & (row.values <= 1) if self.learner.real else row.values == 1
            if not legal.all():
                self.learner.refuse(row)
        many = f"this learner keeps {self.keep} attributes and takes rows of no more, got {row.length}: raise keep"
        require(row.length <= self.keep, many, BadInstance)
        return row

    def _find_slots(self, state: Kept, row: Row) -> Array:
        """The slot of each attribute of a row; those that are not kept have one after the other from `keep` on."""
        assert row.indices is not None
        order = np.argsort(state.attributes, kind="stable")
        places = np.minimum(np.searchsorted(state.attributes, row.indices, sorter=order), self.keep - 1)
        slots = order[places]
        absent = state.attributes[slots] != row.indices
        slots[absent] = self.keep + np.arange(np.count_nonzero(absent))
        return np.asarray(slots)
