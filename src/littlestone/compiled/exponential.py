"""The exponential function as rules without branches, so that loops over them become vectors; the same everywhere."""

from fractions import Fraction
from math import floor, fsum, isfinite, isinf, isnan, isqrt, ldexp
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from littlestone.compiled.bits import bits_to_float, float_to_bits
from littlestone.compiled.decorators import in_plain_python, rule


@intrinsic
def _fma_compiled(typingctx: Any, a: Any, b: Any, c: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


SPLITTER = 2.0**27 + 1  # multiplying by it takes a float64 apart into two halves of its digits


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a b + c rounded once: one instruction where the processor has it, and the same number where it has not."""
    a = float(a)
    b = float(b)
    c = float(c)
    product = a * b
    if not (1e-250 < abs(product) < 1e250 and abs(a) < 1e250 and abs(b) < 1e250 and abs(c) < 1e250):
        return np.float64(_fma_of_fractions(a, b, c))
    # what rounding took from the product, exactly, after Dekker (1971)
    first = SPLITTER * a
    second = SPLITTER * b
    a_high = first - (first - a)
    b_high = second - (second - b)
    a_low = a - a_high
    b_low = b - b_high
    rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return np.float64(fsum((product, rest, c)))


def _fma_of_fractions(a: float, b: float, c: float) -> float:
    """The same for numbers of any size, slowly."""
    try:
        return float(Fraction(a) * Fraction(b) + Fraction(c))
    except (ValueError, OverflowError):  # not finite, or beyond what a float holds
        return c if isinf(c) and isfinite(a) and isfinite(b) else a * b + c


@overload(fma, jit_options={"forceinline": True})
def _fma(a: Any, b: Any, c: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(a: Any, b: Any, c: Any) -> Any:
        return _fma_compiled(a, b, c)

    return compiled


ROUNDER = 1.5 * 2.0**52  # adding it leaves a number rounded to an integer, in the low bits of the sum


SERIES = [1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0]
SERIES += [1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]


def find_exponential(x: Any) -> float:
    """The same as `exponential` in plain Python, with what all steps of the series share done once.

    Each step is an `fma`, of which the terms are so large that products below its range leave them as they are. The
    first part of ln 2 has so few digits that a product with it is exact.
    """
    if isnan(x):
        return float(x)
    x = min(max(float(x), -700.0), 700.0)
    turns = x * 1.4426950408889634
    n = floor(turns + 0.5)
    if abs(turns + 0.5 - n) < 1e-6 or abs(turns - 0.5 - n) < 1e-6:  # so near to the middle that rounding matters
        n = int(fma(x, 1.4426950408889634, ROUNDER) - ROUNDER)
    r = float(fma(n, -1.9082149292705877e-10, n * -0.6931471803691238 + x)) if n else x
    first = SPLITTER * r
    high = first - (first - r)
    low = r - high
    series = 1.0 / 479001600.0
    for term in SERIES:
        product = series * r
        first = SPLITTER * series
        up = first - (first - series)
        down = series - up
        series = fsum((product, down * low - (((product - up * high) - down * high) - up * low), term))
    return ldexp(series, n)


@in_plain_python(find_exponential)
@rule
def exponential(x: Any) -> Any:
    """Return e^x to about one unit in the last place, for x clamped to [-700, 700], without a branch or a call.

    x = n ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts so that r is as exact as x; e^r by its Taylor series, whose
    remainder r^13 / 13! is below 2^-52; 2^n by writing n into the exponent's bits.
    """
    x = min(max(x, -700.0), 700.0)
    shifted = fma(x, 1.4426950408889634, ROUNDER)
    n = shifted - ROUNDER
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, x))
    series = fma(1.0 / 479001600.0, r, 1.0 / 39916800.0)
    series = fma(series, r, 1.0 / 3628800.0)
    series = fma(series, r, 1.0 / 362880.0)
    series = fma(series, r, 1.0 / 40320.0)
    series = fma(series, r, 1.0 / 5040.0)
    series = fma(series, r, 1.0 / 720.0)
    series = fma(series, r, 1.0 / 120.0)
    series = fma(series, r, 1.0 / 24.0)
    series = fma(series, r, 1.0 / 6.0)
    series = fma(series, r, 0.5)
    series = fma(series, r, 1.0)
    series = fma(series, r, 1.0)
    return series * bits_to_float((float_to_bits(shifted) + np.int64(1023)) << np.int64(52))


def _list_powers() -> tuple[Any, Any]:
    """Compute 2^(i / 128) for i from 0 to 127 as floats, and by what share of it each is too small."""
    bits = 240
    root = 2 << bits
    for _ in range(7):
        root = isqrt(root << bits)
    powers = [1 << bits]
    for _ in range(127):
        powers.append(powers[-1] * root >> bits)
    floats = [power / (1 << bits) for power in powers]
    shares = [
        float(Fraction(power, 1 << bits) / Fraction(near) - 1) for power, near in zip(powers, floats, strict=True)
    ]
    return np.array(floats), np.array(shares)


POWERS, SHARES = _list_powers()


@rule
def round_exponential(x: Any) -> Any:
    """Return e^x for x <= 0, rounded to the nearest float but for a few in a thousand.

    x = k ln 2 / 128 + r with |r| <= ln 2 / 256, ln 2 in two parts and r as a sum of two floats; e^r by its Taylor
    series up to r^6, 2^(k / 128) from a table and by the exponent's bits. What is below 2^-1022 is rounded twice, and
    from about -745.13 on it is 0.
    """
    x = max(x, -746.0)
    shifted = fma(x, 1.4426950408889634 * 128.0, ROUNDER)
    k = float_to_bits(shifted) - float_to_bits(ROUNDER)
    turns = shifted - ROUNDER
    high = fma(turns, -0.6931471803691238 / 128.0, x)
    r = fma(turns, -1.9082149292705877e-10 / 128.0, high)
    rest = fma(turns, -1.9082149292705877e-10 / 128.0, high - r)
    series = fma(1.0 / 720.0, r, 1.0 / 120.0)
    series = fma(series, r, 1.0 / 24.0)
    series = fma(series, r, 1.0 / 6.0)
    series = fma(series, r, 0.5)
    more = r + fma(series, r * r, rest + SHARES[k & 127])
    power = bits_to_float(float_to_bits(POWERS[k & 127]) + (((k >> 7) + 64) << 52))
    return fma(power, more, power) * 2.0**-64
