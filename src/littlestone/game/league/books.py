"""Books: what a league has learned about its members, as arrays, and the room that one round is worked out in."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array

KINDS = ("score", "scores", "label", "probability", "chance")  # what a member says, by the numbers below
SCORE, SCORES, LABEL, PROBABILITY, CHANCE = range(5)
SLOPES = 10  # readings of a score, and of scores of classes, besides a table
EXPERTS = (SLOPES + 1, SLOPES + 1, 1, SLOPES + 2, 1)  # readings of a member, by what it says
# of the table of a score; of each guess in the table of scores of classes
CELLS = 32
OCTAVES = 8
ROUNDS, CHARGED, MET, MISTAKES, COINS, FIRST = range(6)  # what `counts` holds; FIRST: the round before the phase
FOLD = 32  # charged rounds whose chances are multiplied before a logarithm is taken: 10^-6 to the 32nd is a float
BALANCE, FOLLOWED, STOOD, GAP, LOSS, CARRY = range(6)  # what `sums` holds


class Books(NamedTuple):
    """What a league has learned: N readings of n members, R levels, K classes."""

    weights: Any  # levels by readings
    levels: Any  # how much each level weighs
    sizes: Any  # members by two: the sum of sizes of scores, and how many there were
    cells: Any  # members by CELLS by 2: labels counted for each cell of a score
    classes: Any  # members by K * OCTAVES by K: labels counted for each guess and octave of its lead
    labels: Any  # how often each class came
    spent: Any  # readings: their loss since they joined, up to the last round that is a multiple of FOLD
    pending: Any  # readings: the product of the chances that they gave the labels of the rounds after it
    wrong: Any  # members: wrong guesses since this phase of the account began
    apart: Any  # members by two: rounds of this phase in which it alone was wrong, or the largest chance alone
    missed: Any  # members: wrong guesses since they joined, and rounds that they slept
    counts: Any
    sums: Any

    @classmethod
    def start(cls, kinds: Array, levels: int, classes: int) -> "Books":
        """The books before the first round."""
        n = len(kinds)
        readings = count_readings(kinds)
        counts = np.zeros(6, np.int64)
        counts[MET] = classes  # two at least, as for a lone player: class 0 is guessed before any has come
        return cls(
            np.full((levels, readings), 1.0 / max(readings, 1)),
            np.full(levels, 1.0 / levels),
            np.zeros((n, 2)),
            np.zeros((n, CELLS, 2)),
            np.zeros((n, classes * OCTAVES, classes)),
            np.zeros(classes),
            np.zeros(readings),
            np.ones(readings),
            np.zeros(n),
            np.zeros((n, 2)),
            np.zeros((n, 2), np.int64),
            counts,
            np.zeros(6),
        )

    @property
    def losses(self) -> Array:
        """Of each reading, the log-loss since it joined."""
        return np.asarray(self.spent - np.log(self.pending))

    def widen(self, classes: int) -> "Books":
        """The books with room for more classes."""
        old = len(self.labels)
        if classes <= old:
            return self
        tables = np.zeros((len(self.classes), classes * OCTAVES, classes))
        tables[:, : old * OCTAVES, :old] = self.classes
        return self._replace(classes=tables, labels=np.pad(self.labels, (0, classes - old)))

    def admit(self, kinds: Array) -> "Books":
        """The books with more members at the end, whose account starts afresh."""
        new = Books.start(kinds, len(self.levels), len(self.labels))
        n = len(new.wrong) + len(self.wrong)
        joined = self.weights.shape[1] + new.weights.shape[1]
        weights = np.hstack([self.weights, np.zeros_like(new.weights)])
        if self.counts[CHARGED] == 0:
            weights[:] = 1.0 / joined
        names = ("sizes", "cells", "classes", "spent", "pending", "missed")
        parts: dict[str, Any] = {name: np.concatenate([getattr(self, name), getattr(new, name)]) for name in names}
        counts = self.counts.copy()
        sums = self.sums.copy()
        counts[FIRST], sums[: GAP + 1] = counts[ROUNDS], 0.0
        return self._replace(
            weights=weights, wrong=np.zeros(n), apart=np.zeros((n, 2)), counts=counts, sums=sums, **parts
        )


class Layout(NamedTuple):
    """Which member says what, and where: numbers for each member."""

    kinds: Any
    columns: Any  # the first row of what it says
    readings: Any  # its first reading; one more at the end: how many there are

    @classmethod
    def of(cls, kinds: Array, classes: int) -> "Layout":
        """The layout of what members say of `classes` classes."""
        widths = np.where((kinds == SCORES) | (kinds == PROBABILITY) | (kinds == CHANCE), classes, 1)
        readings = np.array(EXPERTS, np.int64)[kinds] if len(kinds) else np.zeros(0, np.int64)
        return cls(kinds, np.cumsum(np.append(0, widths)), np.cumsum(np.append(0, readings)))


class Rules(NamedTuple):
    """How weights are shared and guesses chosen: `rates` of the levels, 0 standing for 1/t."""

    rates: Any
    still: bool  # whether the mixture never shares
    most: float  # the largest importance
    seed: int
    follows: bool = True  # whether a member that is clearly ahead of the largest chance is followed


class RoundBench(NamedTuple):
    """The room that one round is worked out in."""

    chances: Any  # classes by readings; 0 of those that sleep
    awake: Any  # members
    stirred: Any  # readings: 1 for one that is awake, 0 for one that sleeps
    guesses: Any  # of members
    places: Any  # members: the cell of its table; -1: none
    shared: Any  # levels by readings: weights after the share
    told: Any  # levels by classes: what each level says
    said: Any  # of each class: what is served
    scores: Any  # of each class, for one member
    levels: Any  # how much each level weighs after the share
    draws: Any  # members: their part of the account's guess
    ones: Any  # readings: 1, to add them up

    @classmethod
    def of(cls, books: Books) -> "RoundBench":
        """Room for members and classes such as these."""
        (levels, readings), n, k = books.weights.shape, len(books.wrong), len(books.labels)
        awake = (np.zeros(n, np.bool_), np.zeros(readings))
        counted = (np.zeros(n, np.int64), np.zeros(n, np.int64))
        more = np.zeros((levels, readings)), np.zeros((levels, k)), np.zeros(k), np.zeros(k), np.zeros(levels)
        return cls(np.zeros((k, readings)), *awake, *counted, *more, np.zeros(n), np.ones(readings))


class Told(NamedTuple):
    """What is written of each round."""

    guesses: Any  # the class that was served; -1 where none was known
    chances: Any  # of the label, as it was served; NaN where the round is not charged
    flags: Any  # 1 for a coin, 0 for a deterministic guess
    level: Any  # the chance of the label by the first level, which sleepers are charged
    panel: Any  # the chance of the label by each reading, NaN for one that sleeps; without rows if it is not wanted
    right: Any  # members: whether each guessed the label; without rows if it is not wanted
    history: Any  # members: how much each weighs after every round that is a multiple of `stride`
    stride: int

    @classmethod
    def of(cls, rounds: int, books: Books, stride: int = 1, panel: bool = False) -> "Told":
        """Room for rounds, with the panel of all readings if it is wanted."""
        kept = rounds if panel else 0
        numbers = np.full(rounds, -1, np.int32), np.full(rounds, np.nan), np.zeros(rounds, np.uint8)
        return cls(
            *numbers,
            np.full(rounds, np.nan),
            np.full((kept, books.weights.shape[1]), np.nan),
            np.zeros((kept, len(books.wrong)), np.uint8),
            np.zeros((rounds // stride + 1, len(books.wrong))),
            stride,
        )

    @classmethod
    def join(cls, parts: list["Told"]) -> "Told":
        """What was written of rounds that follow one another."""
        if len(parts) == 1:
            return parts[0]
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields[:-1]
        }
        return parts[0]._replace(**arrays)


def weigh_members(books: Books, layout: Layout) -> Array:
    """How much each member weighs: its readings, over all levels."""
    readings = books.levels @ books.weights
    return np.array([readings[a:b].sum() for a, b in pairwise(layout.readings.tolist())])


def count_readings(kinds: Array) -> int:
    """How many readings are made of what members of these kinds say."""
    return int(sum(EXPERTS[kind] for kind in kinds.tolist()))
