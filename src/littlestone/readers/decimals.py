"""Numbers: decimal text to floats, eight digits at a time, rounded as exact arithmetic rounds.

A number is a sign, digits with at most one point among them, and an exponent; the first 18 digits that matter become a
whole number, the rest a power of ten. Its float is right unless it falls next to the middle between two floats, or out
of the ordinary range: those few are left to exact arithmetic.

>>> round_exactly("16777217", np.float32), round_exactly("16777217.0000000000000000001", np.float32)
(16777216.0, 16777218.0)
"""

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import (
    U,
    count_trailing_zeros,
    float_to_bits,
    late_kernel,
    load_word,
    long_rule,
    multiply_words,
    rule,
)

NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
DECIMAL = re.compile(NUMBER)
ONE, EIGHT = U(1), U(8)
PLUS = 43
MINUS = 45
POINT = 46
NOUGHT = 48
COLON = 58
POWERS = 10.0 ** np.arange(23)  # exact
TENS = np.array([10**k for k in range(9)], np.uint64)
ROOM_FOR_EIGHT, ROOM_FOR_ONE = U(10**10), U(10**17)  # below these, eight digits more, or one, keep it under 10^18
# of the bits that a float64 has beyond a float32
MIDDLE = 1 << 28
BELOW = (1 << 29) - 1
NEAR = 128
# from BEYOND on, float32 has only infinity
SMALLEST = 2.0**-126
BEYOND = 2.0**128 - 2.0**103
LARGEST = 2.0**128
HIGH, SIX, LOW = U(0xF0F0F0F0F0F0F0F0), U(0x0606060606060606), U(0x0F0F0F0F0F0F0F0F)
THREES, PAIRS = U(0x3333333333333333), U(0x000000FF000000FF)
HUNDREDS, UNITS = U(0x000F424000000064), U(0x0000271000000001)


@rule
def count_digits(word: Any) -> Any:
    """How many of eight bytes, from the first on, are digits."""
    return count_trailing_zeros(((word & HIGH) | (((word + SIX) & HIGH) >> U(4))) ^ THREES) >> U(3)


@rule
def are_digits(word: Any) -> Any:
    """Whether eight bytes are digits."""
    return (word & HIGH) | (((word + SIX) & HIGH) >> U(4)) == THREES


@rule
def spell(word: Any) -> Any:
    """The number that eight bytes spell, digits or zeros."""
    word = word & LOW
    word = word * U(10) + (word >> EIGHT)
    return (multiply_words(word & PAIRS, HUNDREDS) + multiply_words((word >> U(16)) & PAIRS, UNITS)) >> U(32)


@rule
def spell_leading(word: Any, count: Any) -> Any:
    """The number that the first `count` bytes spell, 1 to 8 digits."""
    return spell(word << (U(64) - (count << U(3))))


@long_rule
def append_digits(data: Any, at: Any, mantissa: Any) -> Any:
    """Append the digits from `at` on: the new mantissa, digits taken, digits dropped, whether those matter, the end."""
    taken = np.int64(0)
    dropped = np.int64(0)
    inexact = False
    while True:
        word = load_word(data, at)
        count = count_digits(word)
        if count == U(0):
            break
        if mantissa < ROOM_FOR_EIGHT:
            mantissa = mantissa * TENS[count] + spell_leading(word, count)
            taken += np.int64(count)
        else:
            for k in range(np.int64(count)):
                digit = U(data[at + U(k)]) - U(NOUGHT)
                if mantissa < ROOM_FOR_ONE:
                    mantissa = mantissa * U(10) + digit
                    taken += 1
                else:
                    dropped += 1
                    inexact = inexact or digit != U(0)
        at += count
        if count < EIGHT:
            break
    return mantissa, taken, dropped, inexact, at


@long_rule
def read_decimal(data: Any, at: Any) -> Any:
    """The number at `at`: whether negative, mantissa, power of ten, its end (`at`: there is none), whether cut."""
    at, begin = U(at), U(at)
    negative = data[at] == MINUS
    if negative or data[at] == PLUS:
        at += ONE
    mantissa, taken, power, inexact, at = append_digits(data, at, U(0))
    digits = taken + power
    if data[at] == POINT:
        mantissa, more, dropped, lost, at = append_digits(data, at + ONE, mantissa)
        power -= more
        digits += more + dropped
        inexact = inexact or lost
    if digits == 0:
        return negative, mantissa, 0, begin, False
    if data[at] | 32 == 101:  # e
        mark = at + ONE
        down = data[mark] == MINUS
        if down or data[mark] == PLUS:
            mark += ONE
        exponent, taken, dropped, _, end = append_digits(data, mark, U(0))
        if end > mark:
            exponent = U(1 << 20) if dropped > 0 or exponent > U(1 << 20) else exponent
            power += -np.int64(exponent) if down else np.int64(exponent)
            at = end
    return negative, mantissa, power, at, inexact


@rule
def is_far(value: Any) -> Any:
    """Whether a float64 is too far from the middle between two float32 to be rounded to the wrong one."""
    return U((float_to_bits(value) + (NEAR - MIDDLE)) & BELOW) > U(2 * NEAR)


@rule
def round_single(mantissa: Any, power: Any) -> Any:
    """The float32 nearest to mantissa times a power of ten, as a float64, and whether that is beyond doubt."""
    value = np.float64(np.int64(mantissa))
    if mantissa == U(0) or power < -66:
        return 0.0, True
    if power > 66:
        return np.inf, True
    while power < 0:
        step = min(-power, 22)
        value /= POWERS[step]
        power += step
    while power > 0:
        step = min(power, 22)
        value *= POWERS[step]
        power -= step
    return (np.inf if value > BEYOND else value), is_far(value) and value > SMALLEST


@rule
def round_double(mantissa: Any, power: Any, inexact: Any) -> Any:
    """The float64 nearest to mantissa times a power of ten, and whether that is beyond doubt."""
    value = np.float64(np.int64(mantissa))
    if mantissa == U(0):
        return 0.0, True
    if inexact or mantissa > U(1 << 53) or power < -22 or power > 22:
        return value, False
    return (value / POWERS[-power] if power < 0 else value * POWERS[power]), True


@late_kernel(lambda *rest: 1)
def read_float(data: Any, at: Any, wide: Any) -> Any:
    """The float64 (`wide`) or float32 at `at`, whether it is beyond doubt, and where it ends; `at`: there is none."""
    negative, mantissa, power, after, inexact = read_decimal(data, at)
    value, sure = round_double(mantissa, power, inexact) if wide else round_single(mantissa, power)
    return -value if negative else value, sure, after


@rule
def decide(value: Any, sure: Any, at: Any, doubts: Any, doubtful: Any, solved: Any) -> Any:
    """A number that is sure, or the next of those `solved`; otherwise its place is noted. And how many doubts."""
    if sure:
        return value, doubts
    if doubts < doubtful.size:
        doubtful[doubts] = np.int64(at)
    return (solved[doubts] if doubts < solved.size else 0.0), doubts + 1


def solve_exactly(data: Array, places: Array, real: Any) -> Array:
    """The numbers at these places by exact arithmetic: of type `real` after a colon, and float64 elsewhere."""
    found = []
    for at in places.tolist():
        size = 64
        number = None
        while number is None or (number.end() == size and at + size < len(data)):
            size *= 4
            number = DECIMAL.match(data[at : at + size].tobytes())
            assert number is not None, "a number in doubt is a number"
        found.append(round_exactly(number.group().decode(), real if at and data[at - 1] == COLON else np.float64))
    return np.array(found)


def round_exactly(text: str, real: Any) -> float:
    """The float nearest to a decimal number, ties to even; infinity beyond the range."""
    value = float(text)
    if real is np.float64:
        return value
    with np.errstate(over="ignore"):
        near = np.float32(value)
        other = np.nextafter(near, np.float32(math.copysign(math.inf, value - float(near))))
    low, high = (min(max(float(end), -LARGEST), LARGEST) for end in sorted((near, other)))
    if value != (low + high) / 2 or low == high:
        return float(near)  # rounded twice, but the first rounding did not cross the middle
    where = Decimal(text).compare(Decimal(value))
    ends = low, float(near), high
    return ends[1 + int(where)] if abs(ends[1 + int(where)]) < LARGEST else math.copysign(math.inf, value)
