"""Steps: the rounds that moved a learner's state, which are all that its theorems look at, and their rows z.

A row is y x with its constant attribute, or in a network x in the block of the right class and -x in that of its rival.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, State
from littlestone.base.printed_numbers import Number
from littlestone.base.theorem import StepRule, Theorem
from littlestone.certificates.digest import add_constant, list_entries
from littlestone.certificates.make.margins import ONE, Rows
from littlestone.compiled import U, kernel, read_attribute

BITS = 20  # of a witness's largest entry


class Steps(NamedTuple):
    """The rounds that moved a state: numbers, classes, marks, and their rows as counts, attributes and values."""

    rounds: Array
    classes: Array
    marks: Array
    counts: Array
    indices: Array
    values: Array
    idle_mistakes: int  # mistakes on rounds that moved nothing
    importance: Array | None = None  # how much each round counts; None: once

    @classmethod
    def empty(cls) -> Self:
        """No steps at all."""
        none = np.zeros(0, np.int64)
        return cls(none, none, np.zeros(0), none, none.astype(np.int32), np.zeros(0, np.float32), 0)

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """The steps of several stretches of rounds, one after another."""
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields[:6]}
        weighed = any(part.importance is not None for part in parts)
        each = [np.ones(len(part.rounds)) if part.importance is None else part.importance for part in parts]
        idle = sum(part.idle_mistakes for part in parts)
        return cls(**arrays, idle_mistakes=idle, importance=np.concatenate(each) if weighed else None)

    def select(self, which: Array) -> "Steps":
        """Some of the steps, by number."""
        kept = np.isin(np.repeat(np.arange(len(self.rounds)), self.counts), which)
        rounds, classes, marks, counts = (getattr(self, name)[which] for name in self._fields[:4])
        importance = None if self.importance is None else self.importance[which]
        entries = self.indices[kept], self.values[kept]
        return Steps(rounds, classes, marks, counts, *entries, self.idle_mistakes, importance)


class TracedRun(NamedTuple):
    """A run to be certified: the learner, its state and tally after it, and the rounds that moved the state."""

    learner: Learner
    state: State
    tally: Tally
    steps: Steps
    real: Any  # the floating type of the weights
    classes: int
    wanted: str | None  # part of the name of the only theorem that will do
    sweeps: int  # passes over the steps that the search for a witness may take
    declared: int = 0  # classes that were known before the first round

    def list_theorems(self) -> list[Theorem]:
        """The learner's theorems that were asked for: by name, or all that are sharp."""
        theorems = self.learner.theorems()
        if self.wanted is None:
            return [theorem for theorem in theorems if theorem.sharp]
        return [theorem for theorem in theorems if self.wanted.lower() in theorem.name.lower()]

    def choose(self, choices: Iterable[Any], why: str) -> Any:
        """The choice of the least bound whose theorem was asked for, the first of equal ones; refused without any."""
        wanted = (self.wanted or "").lower()
        suited = [choice for choice in choices if wanted in choice.theorem.name.lower()]
        asked = f"no theorem like {self.wanted!r} applies" if self.wanted else "no theorem applies"
        require(bool(suited), f"{asked} to {type(self.learner).__name__} here: {why}", NotCertified)
        return min(suited, key=lambda choice: choice.bound)

    def certify(self, theorem: Theorem, bound: Number, witness: dict[str, Any], **further: Any) -> Certificate:
        """A certificate about this sequence of rounds; `further` fields differ from their defaults."""
        words = theorem[:2]
        counts = (self.tally.mistakes, self.tally.updates)
        return Certificate(*words, theorem.counts, *counts, bound, witness, scope="sequence", **further)


class StepChoice(NamedTuple):
    """A theorem, the bound that it gives, and the witness: a vector and its margin."""

    theorem: Theorem
    bound: int
    u: "Dyadic"
    margin: float


def refuse_importance(chunk: Chunk) -> None:
    """Refuse rounds with weights of their own: a step of another length is another learner's."""
    plain = not isinstance(chunk, Examples) or chunk.importance is None
    require(
        plain,
        "no certificate of this learner covers rounds of unequal importance: certify rounds without weights",
        NotCertified,
    )


def collect_steps(chunk: Chunk, guesses: Array, marks: Array, first: int, weighed: bool = False) -> Steps:
    """The rounds of a chunk whose marks are positive; `first` is the number of the chunk's first round.

    Rounds of unequal importance are refused unless they may be weighed.
    """
    which = np.flatnonzero(marks > 0)
    idle = int(np.count_nonzero((guesses != chunk.labels) & (marks <= 0)))
    if not weighed:
        refuse_importance(chunk)
    importance = getattr(chunk, "importance", None)
    importance = None if importance is None else np.asarray(importance, np.float64)[which]
    if isinstance(chunk, Examples):
        counts, indices, values = list_entries(chunk, which)
    else:
        counts = np.zeros(len(which), np.int64)
        indices = np.zeros(0, np.int32)
        values = np.zeros(0)
    return Steps(first + which, chunk.labels[which], marks[which], counts, indices, values, idle, importance)


class Dyadic(NamedTuple):
    """A vector of whole numbers times 2^exponent."""

    numerators: Array
    exponent: int

    @property
    def floats(self) -> Array:
        """The same numbers as floats, exactly."""
        return np.ldexp(self.numerators.astype(np.float64), self.exponent)

    @property
    def short_floats(self) -> Array:
        """The same numbers, exactly, as short floats if these can hold them: half as much memory to look through."""
        floats = self.floats
        halved = floats.astype(np.float32) if abs(self.exponent) < 100 else floats
        return halved if np.array_equal(halved, floats) else floats

    @property
    def norm(self) -> Fraction:
        """The squared length, exactly."""
        squares = self.numerators.astype(np.int64) ** 2  # below 2^41, so that a million of them add up exactly
        parts = (int(squares[first : first + 2**20].sum()) for first in range(0, len(squares), 2**20))
        return Fraction(sum(parts)) * Fraction(4) ** self.exponent


def round_dyadic(u: Array, bits: int = BITS) -> Dyadic:
    """The vector rounded so that its largest entry has `bits` bits."""
    exponent = frexp(float(np.abs(u).max(initial=0.0)))[1] - bits
    return Dyadic(np.rint(np.ldexp(u, -exponent)).astype(np.int64), exponent)


@dataclass(frozen=True, slots=True, eq=False)
class StepVectors:
    """Rows z over the columns that occur, and which attribute of which class each column is (-1: the constant)."""

    rows: Rows
    classes: Array
    attributes: Array

    def describe(self, u: Dyadic) -> dict[str, list[int]]:
        """A vector over the columns by its entries that are not 0; attribute -1 is the constant."""
        (used,) = np.nonzero(u.numerators)
        return {"attributes": self.attributes[used].tolist(), "numerators": u.numerators[used].tolist()}

    @classmethod
    def of(cls, steps: Steps, rule: StepRule, constant: float) -> Self:
        """The vectors of some steps; `constant` is the bias in the floating type of the weights."""
        copies = steps.marks if rule.copies else np.ones(len(steps.rounds))
        if not rule.network:
            met = np.zeros(int(steps.indices.max(initial=-1)) + 2, bool)
            met[0] = constant != 0 and len(copies) > 0
            mark_met(steps.indices, met)
            indptr = np.concatenate(([0], np.cumsum(steps.counts + (constant != 0))))
            places = (np.cumsum(met) - 1).astype(np.int32)
            keys = np.flatnonzero(met)
            real = steps.values.dtype if float(np.float32(constant)) == constant else np.float64
            columns = np.zeros(indptr[-1], np.int32)
            values = np.zeros(indptr[-1], real)
            fill_signed_rows(indptr, steps.indices, steps.values, steps.classes, places, constant, columns, values)
            return cls(Rows(indptr, columns, values, len(keys), copies), np.zeros(len(keys), np.int64), keys - 1)
        indptr, columns, values = add_constant(steps.counts, steps.indices, steps.values, constant)
        row = np.repeat(np.arange(len(copies)), np.diff(indptr))
        span = int(columns.max(initial=0)) + 1
        rival = steps.marks.astype(np.int64) - 1
        blocks = np.concatenate((steps.classes.astype(np.int64)[row], rival[row]))
        order = np.argsort(np.concatenate((row, row)), kind="stable")
        every = blocks * span + np.concatenate((columns, columns))
        met = np.zeros(int(every.max(initial=-1)) + 1, bool)
        met[every] = True
        keys = np.flatnonzero(met)
        places = (np.cumsum(met) - 1)[every[order]]
        rows = Rows(2 * indptr, places, np.concatenate((values, -values))[order], len(keys), copies)
        return cls(rows, keys // span, keys % span - 1)


@kernel
def mark_met(indices: Array, met: Array) -> Any:
    """Note which attributes occur; place 0 is the constant's."""
    for k in range(indices.size):
        met[read_attribute(indices, k, 0) + ONE] = True


@kernel
def fill_signed_rows(
    indptr: Array,
    indices: Array,
    values: Array,
    classes: Array,
    places: Array,
    constant: float,
    columns: Array,
    out: Array,
) -> Any:
    """Write rows y x, the constant attribute first, over the columns that occur; a flat entry from Python."""
    shift = 1 if constant != 0 else 0
    for t in range(classes.size):
        y = 1.0 if classes[t] > 0 else -1.0
        taken = U(shift * (t + 1))
        first = U(indptr[t])
        if shift:
            columns[first], out[first] = places[0], y * constant
        for k in range(first + U(shift), U(indptr[t + 1])):
            columns[k] = places[read_attribute(indices, k - taken, 0) + ONE]
            out[k] = y * values[k - taken]
