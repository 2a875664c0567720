"""Exponents: weights that are powers of one factor, kept as small integers.

A step up or down is an addition, exact however long the game. One byte serves an attribute until some exponent reaches
127 or -127; then all of them widen to two bytes, at 32767 to four. A score sums float64 powers from a table, so only
sums are rounded, never weights. A power below 2^-1075 is 0 in the table, as correct rounding has it; its exponent
counts on, so the weight comes back when it should. The lowest integer of each type stands for the weight 0.

An exponent moves by whole steps, so attributes are 0 or 1, or -1 too where the learner says so; float weights, for
which `real` attributes are allowed, move by any power.

>>> make_powers(2.0, size=1)[128 - 2 : 128 + 4]
array([0.25, 0.5 , 1.  , 2.  , 4.  , 8.  ])
>>> widen(np.array([1, -128], np.int8))
array([     1, -32768], dtype=int16)
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value, rule

ROOM = {1: 2**7 - 1, 2: 2**15 - 1, 4: 2**31 - 1, 8: 2**31 - 1}  # the largest exponent, by the bytes of a weight
WIDER = {1: np.int16, 2: np.int32}
LONGEST = 2**20  # a table's half, at most: 16 megabytes in all


def find_reach(factor: float) -> int:
    """How far from 0 an exponent must be for its power, or the power's inverse, to be 0; at most LONGEST."""
    return min(math.ceil(746 / math.log(factor)) + 1, LONGEST)  # exp(-746) is 0


@lru_cache(maxsize=32)
def make_powers(factor: float, size: int, odd: bool = False) -> Array:
    """factor^k, or if `odd` factor^k - factor^-k, for k from -half to half - 1; the first entry is 0.

    Exponents of one or two bytes find all their powers; those of four all that are not 0 or infinite.
    """
    half = ROOM[size] + 1 if size <= 2 else find_reach(factor) if size == 4 else 1
    exponents = np.arange(-half, half, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        powers = np.power(factor, exponents)
        if odd:
            powers -= np.power(factor, -exponents)  # at k and -k exact negatives, so that they cancel
    powers[0] = 0.0
    powers.flags.writeable = False
    return powers


@lru_cache
def find_exponent(value: float, factor: float) -> int | None:
    """The exponent of a number that is exactly a power of the factor; None of any other."""
    exponent = round(math.log(value) / math.log(factor))
    return exponent if abs(exponent) <= 2048 and Fraction(factor) ** exponent == Fraction(value) else None


@rule
def read_power(powers: Array, exponent: Any) -> Any:
    """The weight that an exponent within the table stands for."""
    return powers[U(np.int64(exponent) + (np.int64(powers.size) >> 1))]


@rule
def read_power_or_zero(powers: Array, exponent: Any) -> Any:
    """The weight that any exponent stands for: 0 below the table."""
    place = np.int64(exponent) + (np.int64(powers.size) >> 1)
    return powers[U(place if place > 0 else np.int64(0))]


@rule
def sign_beyond(exponent: Any, largest: Any) -> Any:
    """Below 0 if an exponent is larger than the largest so far; so is the `|` of many, if one of them is."""
    return (largest - exponent) | (largest + exponent)


@rule
def find_largest(weights: Array, bias: Array, indices: Any, a: Any, b: Any, dead: Any) -> Any:
    """The largest exponent in a row or of the constant attribute."""
    largest = np.int64(0)
    for exponent in bias:
        largest = max(largest, abs(np.int64(exponent)))
    for k in range(a, b):
        exponent = weights[read_attribute(indices, k, a)]
        if exponent != dead:
            largest = max(largest, abs(np.int64(exponent)))
    return largest


def widen(exponents: Array) -> Array:
    """The same exponents in the next type; the lowest integer, which stands for the weight 0, stays the lowest."""
    wide: Array = exponents.astype(WIDER[exponents.itemsize])
    wide[exponents == -1 - ROOM[exponents.itemsize]] = -1 - ROOM[wide.itemsize]
    return wide


@rule
def is_legal(value: Any, least: Any, real: Any) -> Any:
    """Whether an attribute may have this value: 0, 1, the least one, and what lies between if `real`."""
    return (value == 1) | (value == 0) | (value == least) | (real & (least < value) & (value < 1))


@array_rule
def are_legal(values: Any, length: Any, params: Any) -> Any:
    """Whether attributes may have all values of a row."""
    k = 0
    while k < length and is_legal(read_value(values, k), params.least, params.real):
        k += 1
    return k == length


@kernel
def inspect(values: Array, a: int, b: int, least: float, real: bool) -> Any:
    """The first of the entries a to b that no attribute may have, or b; and whether all of them are 1."""
    ones = 0
    for value in values[a:b]:  # a loop of its own: it is all that most streams need, and simple enough for vectors
        ones += 1 if value == 1 else 0
    bad = b if ones == b - a else a
    while bad < b and is_legal(values[bad], least, real):
        bad += 1
    return bad, ones == b - a


def find_largest_exponent(exponents: Array) -> int:
    """The exponent furthest from 0; the lowest integer, which stands for the weight 0, is none."""
    living = exponents[exponents != -1 - ROOM[exponents.itemsize]]
    return max(-int(living.min(initial=0)), int(living.max(initial=0)))


def read_weights(kept: Array, base: float) -> Array:
    """Weights as floats: as they are, or the powers that their exponents stand for, those that are gone being 0."""
    weights = kept.astype(np.float64)
    if kept.dtype.kind == "f":
        return weights
    gone = -1 - ROOM[kept.itemsize]
    return np.where(kept == gone, 0.0, base ** np.maximum(weights, gone + 1))
