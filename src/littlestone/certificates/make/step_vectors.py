"""Step vectors: the steps of an additive learner as rows z, which its theorems speak of.

A row is y x with its constant attribute, or in a network x in the block of the right class and -x in that of its rival.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.theorem import StepRule
from littlestone.certificates.make.margins import ONE, Rows
from littlestone.certificates.make.steps import Steps
from littlestone.compiled import U, kernel, read_attribute

BITS = 20  # of a witness's largest entry


class Dyadic(NamedTuple):
    """A vector of whole numbers times 2^exponent."""

    numerators: Array
    exponent: int

    @property
    def floats(self) -> Array:
        """The same numbers as floats, exactly."""
        return np.ldexp(self.numerators.astype(np.float64), self.exponent)

    @property
    def short(self) -> Array:
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

    @classmethod
    def of(cls, steps: Steps, rule: StepRule, constant: float) -> Self:
        """The vectors of some steps; `constant` is the bias in the floating type of the weights."""
        copies = steps.marks if rule.copies else np.ones(len(steps.rounds))
        if not rule.network:
            met = np.zeros(int(steps.indices.max(initial=-1)) + 2, bool)
            met[0] = constant != 0 and len(copies) > 0
            mark_met(steps.indices, met)
            indptr = np.concatenate(([0], np.cumsum(steps.counts + (constant != 0))))
            places, keys = (np.cumsum(met) - 1).astype(np.int32), np.flatnonzero(met)
            real = steps.values.dtype if float(np.float32(constant)) == constant else np.float64
            columns, values = np.zeros(indptr[-1], np.int32), np.zeros(indptr[-1], real)
            fill_signed_rows(indptr, steps.indices, steps.values, steps.classes, places, constant, columns, values)
            return cls(Rows(indptr, columns, values, len(keys), copies), np.zeros(len(keys), np.int64), keys - 1)
        indptr, attributes, values, row = _add_constant(steps, constant)
        span = int(attributes.max(initial=-1)) + 2
        rival = steps.marks.astype(np.int64) - 1
        blocks = np.concatenate((steps.classes.astype(np.int64)[row], rival[row]))
        order = np.argsort(np.concatenate((row, row)), kind="stable")
        keys, columns = _compress(blocks * span + np.concatenate((attributes, attributes)) + 1)
        rows = Rows(2 * indptr, columns[order], np.concatenate((values, -values))[order], len(keys), copies)
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
        y, taken, first = 1.0 if classes[t] > 0 else -1.0, U(shift * (t + 1)), U(indptr[t])
        if shift:
            columns[first], out[first] = places[0], y * constant
        for k in range(first + U(shift), U(indptr[t + 1])):
            columns[k] = places[read_attribute(indices, k - taken, 0) + ONE]
            out[k] = y * values[k - taken]


def _add_constant(steps: Steps, constant: float) -> tuple[Array, Array, Array, Array]:
    """Row pointers, attributes and values of the steps, the constant attribute first, and each entry's row."""
    counts = steps.counts + (1 if constant else 0)
    indptr = np.concatenate(([0], np.cumsum(counts)))
    attributes, values = np.full(indptr[-1], -1), np.full(indptr[-1], constant)
    given = np.ones(indptr[-1], bool)
    if constant:
        given[indptr[:-1]] = False
    attributes[given], values[given] = steps.indices, steps.values
    return indptr, attributes, values, np.repeat(np.arange(len(counts)), counts)


def _compress(keys: Array) -> tuple[Array, Array]:
    """The keys that occur, in order, and the place of each key among them."""
    met = np.zeros(int(keys.max(initial=-1)) + 1, bool)
    met[keys] = True
    return np.flatnonzero(met), (np.cumsum(met) - 1)[keys]
