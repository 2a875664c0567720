"""Rounds inside compiled loops: the records that all families of learners read, and sums over the entries of a row."""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.domain import is_inside
from littlestone.base.features import measure_row
from littlestone.compiled import (
    U,
    array_rule,
    dense_dot,
    float_to_bits,
    is_dense,
    prefetch,
    read_attribute,
    read_value,
    rule,
)

ZERO, ONE, TWO, THREE, FOUR = U(0), U(1), U(2), U(3), U(4)
AHEAD = U(128)  # entries between asking for a weight and using it
FAR = U(1 << 19)  # weights beyond which asking ahead pays
LONG, PAGES = U(256), U(1536)  # entries of a dense row that is long, and those between asking and using in such rows
# what the `counts` of every state start with
ROUNDS = 0
UPDATES = 1
EARLY = 1024  # rounds whose scores all enter the histogram; later every sixteenth does
# the bits of a fraction, and those of the root of a half
MANTISSA = 2**52 - 1
ROOT = 0x6A09E667F3BCD
BINS = 128  # of a histogram of scores: half octaves from 2^-16 to 2^16, for each sign


class Rounds(NamedTuple):
    """The rounds of a chunk as compiled loops read them; row t has the entries from indptr[t] to indptr[t + 1]."""

    indptr: Any
    indices: Any  # the attribute of every entry; None: rows are dense
    values: Any  # None: every value is 1
    importance: Any  # how much each round counts; None: 1
    labels: Any

    @classmethod
    def of_one(cls, x: Row, label: int) -> Self:
        """The round of one row."""
        return cls(np.array([0, x.length]), x.indices, x.values, None, np.array([label], np.int32))

    def row(self, t: int) -> Row:
        """Row t."""
        a = self.indptr[t]
        b = self.indptr[t + 1]
        indices, values = (None if part is None else part[a:b] for part in (self.indices, self.values))
        return Row(indices, values)


def count_work(rounds: Rounds) -> int:
    """How much a loop over rounds has to do, in entries."""
    return int(2 * rounds.labels.size + rounds.indptr[-1] - rounds.indptr[0])


class Entries(NamedTuple):
    """One row inside a compiled loop: the entries from a to b of a chunk."""

    indices: Any
    values: Any
    a: Any
    b: Any


@rule
def make_round(indices: Any, values: Any, length: Any, importance: Any, label: Any) -> Any:
    """The rounds of a chunk that has only one."""
    return Rounds(np.array([0, length]), indices, values, importance, np.array([label], np.int32))


@array_rule
def find_entries(rounds: Any, t: Any) -> Any:
    """The entries of row t; only for light rules, which count no references to the arrays that it returns."""
    return Entries(rounds.indices, rounds.values, U(rounds.indptr[t]), U(rounds.indptr[t + 1]))


@rule
def is_listed(indices: Any, values: Any, length: Any, width: Any, domain: Any) -> Any:
    """Whether a row inside a domain lists attributes below `width` in order; a negative `width` asks not for order."""
    listed = width < 0 or 0 <= measure_row(indices, values, length) <= width
    return listed and is_inside(values, 0, length, domain[0], domain[1])


@array_rule
def find_lookahead(indptr: Array, weights: Array) -> Any:
    """The entry up to which weights are asked for ahead; 0 where they lie close anyway."""
    entries = U(indptr[indptr.size - 1])
    return entries - AHEAD - FOUR if U(weights.size) > FAR and entries > AHEAD + FOUR else ZERO


@rule
def find_bin(score: Any) -> Any:
    """The bin of a score: its sign, then its size in half octaves, read from the bits of the float without a call."""
    bits = float_to_bits(abs(np.float64(score)))
    half = 2 * ((bits >> 52) - 1022) + (1 if bits & MANTISSA > ROOT else 0)
    size = min(max(half + BINS // 4, 0), BINS // 2 - 1) if score != 0 else 0
    return size + (BINS // 2 if score > 0 else 0)


@rule
def read_weight(table: Any, weight: Any) -> Any:
    """A weight that is kept as it is used."""
    return weight


def make_sum_rule(read: Any) -> Any:
    """The rule that sums value times `read(table, weight)` over a row, in the type of the table.

    There are four partial sums, so that the order is fixed.
    """

    @array_rule
    def sum_row(weights: Array, table: Array, stride: Any, row: Any, last: Any) -> Any:
        indices, values, a, b = row
        real = table.dtype.type
        s0 = real(0)
        s1 = real(0)
        s2 = real(0)
        s3 = real(0)
        fours = a + ((b - a) & ~THREE)
        if b < last:
            for k in range(a, fours, FOUR):
                prefetch(weights, np.int64(stride * read_attribute(indices, k + AHEAD, a)))
                prefetch(weights, np.int64(stride * read_attribute(indices, k + AHEAD + ONE, a)))
                prefetch(weights, np.int64(stride * read_attribute(indices, k + AHEAD + TWO, a)))
                prefetch(weights, np.int64(stride * read_attribute(indices, k + AHEAD + THREE, a)))
                s0 += read(table, weights[stride * read_attribute(indices, k, a)]) * read_value(values, k)
                s1 += read(table, weights[stride * read_attribute(indices, k + ONE, a)]) * read_value(values, k + ONE)
                s2 += read(table, weights[stride * read_attribute(indices, k + TWO, a)]) * read_value(values, k + TWO)
                s3 += read(table, weights[stride * read_attribute(indices, k + THREE, a)]) * read_value(
                    values, k + THREE
                )
        else:
            for k in range(a, fours, FOUR):
                s0 += read(table, weights[stride * read_attribute(indices, k, a)]) * read_value(values, k)
                s1 += read(table, weights[stride * read_attribute(indices, k + ONE, a)]) * read_value(values, k + ONE)
                s2 += read(table, weights[stride * read_attribute(indices, k + TWO, a)]) * read_value(values, k + TWO)
                s3 += read(table, weights[stride * read_attribute(indices, k + THREE, a)]) * read_value(
                    values, k + THREE
                )
        for k in range(fours, b):
            s0 += read(table, weights[stride * read_attribute(indices, k, a)]) * read_value(values, k)
        return (s0 + s1) + (s2 + s3)

    return sum_row


sum_weights = make_sum_rule(read_weight)


@array_rule
def dot(weights: Array, stride: Any, row: Any, last: Any) -> Any:
    """The sum of weight times value over a row; weights up to entry `last` of the chunk are asked for ahead."""
    indices, values, a, b = row
    if is_dense(indices) and stride == ONE:
        if b - a >= LONG:  # what the hardware asks for ahead ends with a page
            prefetch(values, np.int64(a + PAGES))
        return weights.dtype.type(dense_dot(weights, values, a, b - a))
    return sum_weights(weights, weights, stride, row, last)
