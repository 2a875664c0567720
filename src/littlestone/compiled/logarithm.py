"""The natural logarithm by additions, products and a quotient, so that it is the same number everywhere."""

from typing import Any

import numpy as np

from littlestone.compiled.bits import bits_to_float, float_to_bits
from littlestone.compiled.decorators import rule

ROOT_HALF = np.int64(0x3FE6A09E667F3BCD)  # the bits of the square root of a half


@rule
def logarithm(x: Any) -> Any:
    """Return ln x to about two units in the last place, for normal x > 0.

    x = 2^n m with m from the root of a half to the root of two, and ln m = 2 atanh(s), s = (m - 1) / (m + 1), by its
    series: |s| is below 0.1716, and what is left out is below 2^-55. ln 2 comes in two parts.
    """
    bits = float_to_bits(np.float64(x))
    n = (bits - ROOT_HALF) >> np.int64(52)
    m = bits_to_float(bits - (n << np.int64(52)))
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    series = 1.0 / 21.0
    series = series * z + 1.0 / 19.0
    series = series * z + 1.0 / 17.0
    series = series * z + 1.0 / 15.0
    series = series * z + 1.0 / 13.0
    series = series * z + 1.0 / 11.0
    series = series * z + 1.0 / 9.0
    series = series * z + 1.0 / 7.0
    series = series * z + 1.0 / 5.0
    series = series * z + 1.0 / 3.0
    whole = np.float64(n)
    return whole * 0.6931471803691238 + (2.0 * s + (2.0 * s * z * series + whole * 1.9082149292705877e-10))
