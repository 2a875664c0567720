"""Snow: a sparse network of linear units, one for each target, each with a rule, attributes and margin of its own.

Target c is class c. Its unit learns this class against all others by its own rule: Winnow, Perceptron, naive Bayes or
any learner of two classes with a score; a margin of the rule is a thick separator, and `Discarding` bounds the memory
of a unit. A target looks at all attributes or at some, and other targets may be attributes of it: 1 where that target,
before the label is seen, says yes. The target of the highest score is guessed, a tie going to the class met
first. SNoW compares sigmoids of scores, 1 / (1 + e^-s): they increase, so the winner is the same. Attributes and
targets may turn up at any time; a target met late starts where its rule starts.

No theorem bounds the mistakes of the winner among units of different rules, whose scores have different scales. Each
unit that listens to no other plays its own game, to the bit: the rounds of its class against all others, over its
attributes. The first two targets and those declared beforehand play from the first round on, any other one from the
round in which its class is met; it is no candidate in that round. What its rule's theorem says of that game holds for
the unit. A round in which every unit is right and no score is 0 is won by the right target, unless the round's class
is met for the first time and was not declared, so

    mistakes of the network <= mistakes of all units, summed, + rounds with a score of 0 + classes not declared.

Proof. In any other round the right target is a candidate, its score is above 0, and all others are below 0.

A. Carlson, C. Cumby, J. Rosen and D. Roth. The SNoW learning architecture. University of Illinois, 1999. D. Roth.
Learning to resolve natural language ambiguities: a unified approach. AAAI 1998.

>>> from littlestone import NaiveBayes, Perceptron, Recorded, Winnow, play
>>> stream = Recorded([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 3, ["red", "green", "blue"] * 3)
>>> game = play(Snow((Winnow(threshold=1.5), Perceptron(), NaiveBayes())), stream)
>>> game.mistakes, game.player.predict([0, 0, 1])
(3, 'blue')
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import LittlestoneError, TooLarge, require
from littlestone.base.learner import UNLIMITED, Learner, Size, copy_state
from littlestone.base.telling import list_sayings, make_room, say, tell
from littlestone.base.theorem import Takes
from littlestone.base.traits import (
    Plane,
    Probabilities,
    RowLearner,
    Scores,
    ask_takes,
    offers,
    require_plane,
)
from littlestone.learners.conversions.linked_rows import Link, order_targets
from littlestone.learners.shared.inside import expect_rows

ROUNDS, UPDATES, CLASSES, ATTRIBUTES = range(4)  # places in `counts`


class Targets(NamedTuple):
    """The units' states by target; `counts` are rounds, rounds in which some unit moved, targets met, attributes."""

    units: tuple[Any, ...]
    counts: Array


@final
@dataclass(frozen=True)
class Snow(Learner, RowLearner, Scores, Probabilities, Plane):
    """A network of targets, each with a unit that has a rule and attributes of its own.

    Args:
        rules: The rule of each target, in the order of the classes, such as (Winnow(threshold=4.0), Perceptron());
            the last one serves all further targets.
        attributes: The attributes that each target looks at, in the same order; None, or none listed: all.
        listens: The targets whose answers are attributes of each target, in the same order.
    """

    rules: tuple[Learner, ...]
    attributes: tuple[tuple[int, ...] | None, ...] = ()
    listens: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        require(len(self.rules) > 0, "rules must be one learner at least, such as (Perceptron(),)")
        for rule in self.rules:
            scored = offers(rule, Scores) and rule.limit() in (2, UNLIMITED) and not rule.numeric
            scored = scored and list_sayings(rule)[0].kind in ("score", "scores")
            kind = type(rule).__name__
            require(scored, f"a rule is a learner of two classes with a score such as Perceptron(), got {kind}")
        for listed in (*(known for known in self.attributes if known is not None), *self.listens):
            good = len(set(listed)) == len(listed) and min(listed, default=0) >= 0
            require(good, f"attributes and targets are numbers from 0 on, each listed once, got {listed}")
        known = all(target < len(self.listens) for heard in self.listens for target in heard)
        require(known, f"targets listen to targets that are listed too, got {self.listens}")
        turns = order_targets(self.listens) is None
        require(not turns, f"targets must not listen to one another in turn, got {self.listens}")

    def rule(self, target: int) -> Any:
        """The learner of a target's unit."""
        return self.rules[min(target, len(self.rules) - 1)]

    def link(self, target: int) -> Link:
        """What a target is linked to."""
        known = self.attributes[target] if target < len(self.attributes) else None
        return Link(known, self.listens[target] if target < len(self.listens) else ())

    @cached_property
    def _heard(self) -> frozenset[int]:
        return frozenset(target for heard in self.listens for target in heard)

    @property
    def names_attributes(self) -> bool:  # type: ignore[override]
        return any(known is not None for known in self.attributes)

    def limit(self) -> int:
        return UNLIMITED

    def start(self, size: Size, seed: int = 0) -> Targets:
        units = tuple(self._start_unit(c, size, seed) for c in range(size.classes))
        return Targets(units, np.array([0, 0, size.classes, size.attributes]))

    def grow(self, state: Targets, size: Size) -> Targets:
        units = [self.rule(c).grow(unit, self._size_unit(c, size)) for c, unit in enumerate(state.units)]
        units += [self._start_unit(c, size, 0) for c in range(len(units), size.classes)]
        counts = state.counts.copy()
        counts[ATTRIBUTES] = max(counts[ATTRIBUTES], size.attributes)
        return Targets(tuple(units), counts)

    def full(self, state: Targets, x: Any) -> bool:
        return any(self.rule(c).full(unit, x) for c, unit in enumerate(state.units))

    def predict(self, state: Targets, x: Row) -> int:
        return int(np.argmax(self.score(state, x)))

    def score(self, state: Targets, x: Row) -> Array:
        """The scores of the targets met so far."""
        return np.asarray(self.scores(state, Examples.row(x, 0))[0])

    def scores(self, state: Targets, chunk: Chunk) -> Array:
        parts = self._view(state, chunk)
        return np.array([_read_score(self.rule(c), say(self.rule(c), state.units[c], part, 2)) for c, part in parts]).T

    def probability(self, state: Targets, x: Row) -> Array:
        """The soft maximum of the scores; no calibration is claimed, the less so where rules differ."""
        return np.asarray(self.probabilities(state, Examples.row(x, 0))[0])

    def probabilities(self, state: Targets, chunk: Chunk) -> Array:
        scores = self.scores(state, chunk)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def plane(self, state: Targets) -> tuple[Array, Array]:
        if self._heard:
            raise NotImplementedError("what targets that listen to others say is not a sum over attributes alone")
        count = int(state.counts[ATTRIBUTES])
        met = int(state.counts[CLASSES])
        weights = np.zeros((count, met))
        constants = np.zeros(met)
        for c in range(met):
            known, constant = require_plane(self.rule(c)).plane(state.units[c])
            listed = self.link(c).attributes
            places = np.arange(count) if listed is None else np.array(sorted(listed), np.int64)
            column = known[:, -1] - (known[:, 0] if known.shape[1] == 2 else 0)
            inside = places < count
            weights[places[inside], c] = column[: len(places)][inside]
            constants[c] = constant[-1] - (constant[0] if len(constant) == 2 else 0)
        return weights, constants

    def update(self, state: Targets, x: Row, y: int, guess: int) -> None:
        self.round(state, x, y)

    def round(self, state: Targets, x: Row, y: int) -> int:
        guesses = np.zeros(1, np.int32)
        require(self.replay(state, Examples.row(x, y), guesses) == 1, f"{self} has no room for this round", TooLarge)
        return int(guesses[0])

    def replay(self, state: Targets, chunk: Chunk, guesses: Array) -> int:
        return self._play(state, expect_rows(self, chunk), guesses, np.zeros(len(chunk)))

    def trace(self, state: Targets, chunk: Chunk, guesses: Array, marks: Array) -> int:
        return self._play(state, expect_rows(self, chunk), guesses, marks)

    def _play(self, state: Targets, rows: Examples, guesses: Array, marks: Array) -> int:
        """Let every unit play on a copy, and learn only those leading rounds that all of them take."""
        told = np.full((len(state.units), len(rows)), -np.inf)
        begins = self._find_begins(state, rows)
        said = np.zeros((len(rows), max(len(state.units), len(self.listens))), np.int32)
        parts = dict[int, Examples]()
        for c in self._order(len(state.units)):
            first = int(begins[c])
            rule = self.rule(c)
            link = self.link(c)
            part = link.select(rows[first:], said[first:, list(link.targets)])
            parts[c] = part = part.with_labels((rows.labels[first:] == c).astype(np.int32))
            if not len(part):
                continue
            room = make_room(rule, 2, len(part))
            answers = np.zeros(len(part), np.int32)
            try:
                done = tell(rule, copy_state(state.units[c]), part, answers, room)
            except LittlestoneError:
                if first == 0:
                    raise
                done = 0
            if done < len(part):
                return self._play(state, rows[: first + done], guesses, marks) if first + done else 0
            late = int(c >= state.counts[CLASSES])  # it is no candidate in the round it is met
            told[c, first + late :] = _read_score(rule, room)[late:]
            said[first:, c] = answers
        for c, part in parts.items():
            if len(part):
                moved = np.zeros(len(part))
                here = marks[len(rows) - len(part) : len(rows)]
                self.rule(c).trace(state.units[c], part, np.zeros(len(part), np.int32), moved)
                here[moved > 0] = 1
        guesses[: len(rows)] = np.argmax(told, axis=0)
        state.counts[ROUNDS] += len(rows)
        state.counts[UPDATES] += np.count_nonzero(marks[: len(rows)])
        state.counts[CLASSES] = max(int(state.counts[CLASSES]), int(rows.labels.max(initial=-1)) + 1)
        return len(rows)

    def moves(self, state: Targets) -> int:
        return int(state.counts[UPDATES])

    def takes(self) -> Takes:
        each = [ask_takes(rule) for rule in self.rules]
        return Takes(*(all(getattr(one, name) for one in each) for name in ("fractions", "negative", "importance")))

    def lacks_theorem(self) -> str:
        return "scores of different rules have different scales; each unit's own theorem holds for its own target"

    def check_state(self, state: Targets, size: Size) -> bool:
        rounds, updates, met, width = state.counts.tolist()
        sound = 0 <= updates <= rounds and 2 <= met <= size.classes == len(state.units) and width == size.attributes
        pairs = enumerate(state.units)
        return sound and all(self.rule(c).check_state(unit, self._size_unit(c, size)) for c, unit in pairs)

    def _start_unit(self, target: int, size: Size, seed: int) -> Any:
        return self.rule(target).start(self._size_unit(target, size), seed)

    def _size_unit(self, target: int, size: Size) -> Size:
        return size._replace(attributes=self.link(target).count(size.attributes), classes=2)

    def _order(self, targets: int) -> list[int]:
        """The targets, each after those that it listens to."""
        order = order_targets(self.listens)
        assert order is not None
        return [c for c in order if c < targets] + list(range(len(order), targets))

    def _find_begins(self, state: Targets, rows: Examples) -> Array:
        """The round from which on each unit is taught: the first, or that in which its class is met."""
        highest = np.maximum.accumulate(np.append(rows.labels, -1))
        met = int(state.counts[CLASSES])
        begins = np.searchsorted(highest[:-1], np.arange(len(state.units)))
        return np.where(np.arange(len(state.units)) < met, 0, begins)

    def _view(self, state: Targets, chunk: Chunk) -> list[tuple[int, Examples]]:
        """Each target met so far and the rows as it sees them."""
        rows = expect_rows(self, chunk)
        met = int(state.counts[CLASSES])
        parts = dict[int, Examples]()
        said = np.zeros((len(rows), max(met, len(self.listens))), np.int32)
        for c in self._order(met):
            link = self.link(c)
            parts[c] = part = link.select(rows, said[:, list(link.targets)])
            if c in self._heard:
                said[:, c] = [self.rule(c).predict(state.units[c], part[t]) for t in range(len(part))]
        return sorted(parts.items())


def _read_score(rule: Any, said: Array) -> Array:
    """How much a unit is for its target in each round, by what its rule said: one score, or one for each class."""
    return np.asarray(said[1] - said[0] if list_sayings(rule)[0].kind == "scores" else said[0])
