"""Network: one linear unit for each class, all over the same attributes (the SNoW architecture).

The class whose unit scores highest is guessed, a tie going to the class met first. Attributes and classes may appear
at any time; a new one starts where the unit's rule starts. With `updates="winner"` a round teaches two units: when the
true class leads the best other class by no more than the rule's margin, the true class steps towards x and the other
away from it; diagonal AROW and the diagonal second-order
learner are such rules too, each class with numbers of its own beside its weights. With `updates="each"` every unit
learns its own class against all others by its own rule; such units may be any two-class learners with scores, Winnow
among them; additive ones run compiled for all classes at once.

Theorem (winner, Perceptron units; Crammer and Singer 2003). If vectors u_1..u_k have u_y.x - u_c.x >= g > 0 for every
c other than y on every update round, and |x| <= R there, then

    updates <= 2 R^2 (|u_1|^2 + ... + |u_k|^2) / g^2.

Proof. It is the Perceptron on the vector that holds x in block y and -x in the other class's block, of squared length
2 |x|^2, in the space of all classes' weights. So are the theorems of passive-aggressive units, with 2 R^2 in place of
R^2, a class that was never met before costing at most one mistake more. Theorem (each): every unit obeys the theorem of
its own learner.

A. Carlson, C. Cumby, J. Rosen and D. Roth. The SNoW learning architecture. University of Illinois, 1999. K. Crammer
and Y. Singer. Ultraconservative online algorithms for multiclass problems. Journal of Machine Learning Research
3:951-991, 2003.

>>> from littlestone import Perceptron, Recorded, play
>>> stream = Recorded([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 3, ["red", "green", "blue"] * 3)
>>> game = play(Network(Perceptron()), stream)
>>> game.mistakes, game.player.predict([0, 0, 1])
(3, 'blue')
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.domain import Domain
from littlestone.base.errors import require
from littlestone.base.learner import UNLIMITED, Learner, Size
from littlestone.base.mixing import ADDITIVE, LANE, Mix
from littlestone.base.theorem import StepRule, Takes, Theorem
from littlestone.base.traits import (
    ListedWeights,
    Plane,
    Probabilities,
    Scores,
    ask_takes,
    require_plane,
    require_probabilities,
)
from littlestone.learners.shared import network_rows
from littlestone.learners.shared.additive import Weights
from littlestone.learners.shared.inside import read_inside, read_rounds, refuse
from littlestone.learners.shared.linear import Calibrated, RowPlayer, fit_slope
from littlestone.learners.shared.network_loops import CLASSES, EACH, WINNER, Blocks, score_blocks
from littlestone.learners.shared.rounds import BINS, ROUNDS
from littlestone.learners.shared.separate_units import SeparateUnits
from littlestone.learners.shared.told_scores import TellsClasses

EVERY_UNIT = Theorem(
    "Network, every unit by its own theorem",
    "each unit has a witness of its own for its class against all others; bounds and steps add up",
    lambda bound, m: bool(m <= bound),  # asked about the sum of the units' bounds
    "units",
    "steps",
)


@final
@dataclass(frozen=True)
class Network(TellsClasses, RowPlayer, Scores, Probabilities, Plane):
    """One linear unit for each class; the class whose unit scores highest is guessed.

    Args:
        learner: The unit: a two-class learner with scores, such as Perceptron().
        updates: "winner" teaches the true class and its best rival; "each" teaches every unit its class against all
            others.
    """

    learner: Learner
    updates: Literal["winner", "each"] = "winner"
    mix: ClassVar[Mix | None] = ADDITIVE

    def __post_init__(self) -> None:
        kind = type(self.learner).__name__
        scored = isinstance(self.learner, Scores) and self.learner.limit() == 2
        require(scored, f"Network needs a two-class linear learner such as Perceptron(), got {kind}")
        require(self.updates in ("winner", "each"), f'updates must be "winner" or "each", got {self.updates!r}')
        shared = self.updates == "each" or self.unit is not None
        require(shared, f'a network of {kind} needs updates="each": only additive units share their steps')

    @cached_property
    def unit(self) -> Any:
        """The rule whose loops all units share; None if each unit has a state of its own."""
        found = self.learner if isinstance(self.learner, Calibrated) else getattr(self.learner, "variant", None)
        return found if isinstance(found, Calibrated) and hasattr(found, "units") else None

    def limit(self) -> int:
        return UNLIMITED

    def start(self, size: Size, seed: int = 0) -> Any:
        if self.unit is None:
            return SeparateUnits.of(self.learner, size, seed)
        block = self._count_block(size.classes)
        counts = np.array([0, 0, size.classes])
        real = getattr(self.unit, "real", size.real)
        weights = network_rows.start_weights(size.attributes, block, real)
        return Blocks(weights, np.zeros(block, real), counts, np.zeros((2, BINS), np.int64))

    def grow(self, state: Any, size: Size) -> Any:
        if self.unit is None:
            return state.grow(self.learner, size)
        return network_rows.grow_blocks(state, size.attributes, self._count_block(size.classes), self.unit.stride)

    def full(self, state: Any, x: Any) -> bool:
        if self.unit is not None:
            return network_rows.lacks_room(state, x)
        return any(self.learner.full(part, x) for part in getattr(state, "units", ()))

    def predict(self, state: Any, x: Row) -> int:
        met = int(state.counts[CLASSES])
        return int(np.argmax(self._apply_blocks(state, Examples.row(x, 0))[0, :met]))

    def round(self, state: Any, x: Row, y: int) -> int:
        if self.unit is None:
            guess = self.predict(state, x)
            state.update(self.learner, x, y)
            return guess
        domain, (params, mode), met = self.domain(state), self._rule, getattr(state.weights, "met", 0)
        row = (network_rows.number_row(state, x), x.values, x.length)
        guess = int(self.unit.units.round(*row, y, mode, *domain, *network_rows.open_blocks(state), *params))
        if guess < 0:
            network_rows.forget_row(state, met)
            refuse(domain, x)
        return guess

    def domain(self, state: Any) -> Domain:
        assert self.unit is not None
        allowed: Domain = self.unit.domain(network_rows.open_blocks(state))
        return allowed

    def replay(self, state: Any, chunk: Chunk, guesses: Array) -> int:
        if self.unit is None:
            return Learner.replay(self, state, chunk, guesses)
        return self._play(state, chunk, guesses)

    def _play(self, state: Any, chunk: Chunk, guesses: Array, *written: Array | None) -> int:
        """Play leading rounds; `written` are marks, what is served, and scores."""
        open_state = network_rows.open_blocks(state)
        rounds = network_rows.number_rounds(state, read_inside(self.unit, open_state, chunk))
        return int(self.unit.units.replay(open_state, rounds, guesses, *self._rule, *written))

    def serve(self, state: Any, chunk: Chunk, guesses: Array, served: Array) -> int:
        """The same rounds as `replay`; what is served is the guess by the averages of all units."""
        if self.unit is None or not self.serves_apart:
            return Learner.serve(self, state, chunk, guesses, served)
        return self._play(state, chunk, guesses, None, served)

    def replay_told(self, state: Any, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and the scores of all classes before each label."""
        return self._play(state, chunk, guesses, None, np.zeros((2, len(chunk))) if self.serves_apart else None, told)

    def trace(self, state: Any, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """The same rounds as `replay`; a winner's mark is one more than the class that was stepped away from.

        With updates="each" it is the sum of 2^c over the classes c whose units moved.
        """
        if self.unit is None:
            return Learner.trace(self, state, chunk, guesses, marks)
        return self._play(state, chunk, guesses, marks)

    @property
    def serves_apart(self) -> bool:  # type: ignore[override]
        return self.unit is not None and self.unit.averaged

    def score(self, state: Any, x: Row) -> Array:
        """One score for each class met so far, averaged where the units report averages."""
        return np.asarray(self.scores(state, Examples.row(x, 0))[0])

    def scores(self, state: Any, chunk: Chunk) -> Array:
        numbers = self._apply_blocks(state, chunk)
        met = int(state.counts[CLASSES])
        if self.unit is None or not self.unit.averaged:
            return numbers[:, :met]
        last, sums = numbers.reshape(len(chunk), 2, -1).astype(np.float64).swapaxes(0, 1)
        average: Array = last - sums / max(int(state.counts[ROUNDS]), 1)
        return average[:, :met]

    def plane(self, state: Any) -> tuple[Array, Array]:
        met = int(state.counts[CLASSES])
        require_plane(self.learner)
        if self.unit is None:
            units = [require_plane(self.learner).plane(unit) for unit in state.units[:met]]
            return np.hstack([kept for kept, _ in units]), np.hstack([constant for _, constant in units])
        return self.list_weights(state).spread(network_rows.count_attributes(state))

    def list_weights(self, state: Any) -> ListedWeights:
        if self.unit is None:
            return ListedWeights(None, *self.plane(state))
        require_plane(self.learner)
        parts = self.unit.stride
        share = self.unit.averaged / max(int(state.counts[ROUNDS]), 1)
        met, (attributes, blocks) = int(state.counts[CLASSES]), network_rows.list_rows(state, parts)
        constant = state.bias.astype(np.float64).reshape(parts, -1) * self.unit.params.constant
        weights = (blocks[:, 0] - share * blocks[:, -1])[:, :met]
        return ListedWeights(attributes, weights, (constant[0] - share * constant[-1])[:met])

    def readout(self, state: Any, x: Row) -> int:
        return int(np.argmax(self.score(state, x)))

    def readouts(self, state: Any, chunk: Chunk) -> Array:
        return np.asarray(self.scores(state, chunk).argmax(axis=1), np.int32)

    def probability(self, state: Any, x: Row) -> Array:
        """The chance of each class, by a soft maximum whose slope fits the leads seen before each label."""
        return np.asarray(self.probabilities(state, Examples.row(x, 0))[0])

    def probabilities(self, state: Any, chunk: Chunk) -> Array:
        if not isinstance(state, Blocks):
            met = state.units[: int(state.counts[CLASSES])]
            chances = np.array([require_probabilities(self.learner).probabilities(unit, chunk) for unit in met]).T
            return np.asarray(chances / chances.sum(axis=1, keepdims=True))
        scores = np.asarray(self.scores(state, chunk), np.float64)
        odds = np.exp(fit_slope(state.scores) * (scores - scores.max(axis=1, keepdims=True)))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _apply_blocks(self, state: Any, chunk: Chunk) -> Array:
        """Every column of the blocks applied to each row; of separate units, their scores."""
        if self.unit is None:
            return np.array([state.score(self.learner, chunk[t]) for t in range(len(chunk))])
        rounds = read_rounds(self.unit, chunk)
        out = np.zeros((len(chunk), len(state.bias)), state.bias.dtype)
        rounds = network_rows.find_rounds(state, rounds)
        state = network_rows.open_blocks(state)
        if self.unit.units.score is not None:
            self.unit.units.score(state, rounds, self.unit.params, out)
            return out
        indptr, indices, values, *_ = rounds
        score_blocks(state.weights, state.bias, indptr, indices, values, self.unit.params.constant, out)
        return out

    def _count_block(self, classes: int) -> int:
        assert self.unit is not None
        stride: int = self.unit.stride
        return stride * LANE * -(-classes // LANE)

    @cached_property
    def _rule(self) -> tuple[Any, float]:
        """The unit's parameters and the mode; a winner's step moves two units, so its direction is twice as long."""
        assert self.unit is not None
        params = self.unit.params
        return (params, EACH) if self.updates == "each" else (params._replace(times=2.0), WINNER)

    def mixing(self) -> Mix | None:
        """As its units do, if they share one array of weights."""
        unit = self.learner.mix
        return None if unit is None or unit.exponents else unit

    def takes(self) -> Takes:
        inner = ask_takes(self.learner)
        return inner._replace(importance=inner.importance and self.unit is not None)

    def step_rule(self) -> StepRule:
        """How its units step, seen from the space of all classes' weights."""
        assert self.unit is not None
        rule: StepRule = self.unit.step_rule()
        return rule._replace(network=True)

    def theorems(self) -> tuple[Theorem, ...]:
        if self.updates == "each":
            return (EVERY_UNIT,)
        return self.learner.theorems() if self.unit is not None else ()

    def check_state(self, state: Any, size: Size) -> bool:
        met = 2 <= state.counts[2] <= size.classes
        return met and all(self.learner.check_state(unit, size) for unit in getattr(state, "units", ()))


def widen_to_network(learner: Any, state: Weights, size: Size) -> tuple[Network, Blocks]:
    """The network that would have played the two-class learner's game, in the state it would be in now.

    A step of a network moves one unit towards x and the other away, so the units are w and -w, their gap 2 w.x: with
    a margin of zero every guess and every update is the same.
    """
    require(learner.params.enough == 0, "only a learner with a margin of zero plays the game of its network")
    network = Network(learner)
    parts = learner.stride
    blocks = network.start(size._replace(classes=2))
    blocks, met, known = network_rows.take_rows(blocks, state.weights.reshape(-1, parts))
    for ours, theirs in ((met, known), (blocks.bias, state.bias)):
        units = ours.reshape(-1, parts, len(blocks.bias) // parts)
        units[:, :, 1] = theirs.reshape(-1, parts)
        units[:, :, 0] -= units[:, :, 1]
    blocks.scores[1] = network_rows.fold_histogram(state.scores)
    blocks.counts[:2] = state.counts
    return network, blocks
