"""Calibration: a histogram of the scores that labels were given, and the logistic curve that fits it.

Scores enter before their labels teach, so that the curve speaks of new rounds; no calibration is claimed.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import float_to_bits, rule

EARLY = 1024  # rounds whose scores all enter the histogram; later every sixteenth does
MANTISSA, ROOT = 2**52 - 1, 0x6A09E667F3BCD  # the bits of a fraction, and those of the root of a half
BINS = 128  # of a histogram of scores: half octaves from 2^-16 to 2^16, for each sign


@rule
def find_bin(score: Any) -> Any:
    """The bin of a score: its sign, then its size in half octaves, read from the bits of the float without a call."""
    bits = float_to_bits(abs(np.float64(score)))
    half = 2 * ((bits >> 52) - 1022) + (1 if bits & MANTISSA > ROOT else 0)
    size = min(max(half + BINS // 4, 0), BINS // 2 - 1) if score != 0 else 0
    return size + (BINS // 2 if score > 0 else 0)


def fit_slope(scores: Array) -> float:
    """The A > 0 for which 1 / (1 + exp(-A s)) gives the labels in a histogram of scores the highest likelihood.

    Every size of score that occurred counts one right and one wrong sign more, so that A stays finite. No calibration
    is claimed: the curve has one free number and the scores are of the hypotheses that played.
    """
    return _slope(scores.tobytes())


@lru_cache(maxsize=64)  # many rows are asked about between two changes of the histogram
def _slope(histogram: bytes) -> float:
    scores, half = np.frombuffer(histogram, np.int64).reshape(2, BINS), BINS // 2
    sizes = 2.0 ** ((np.arange(half) - BINS // 4) / 2 - 0.75)
    right = scores[1, half:] + scores[0, :half] + 1.0
    wrong = scores[0, half:] + scores[1, :half] + 1.0
    met = right + wrong > 2
    met[0] = False  # scores of zero, which say nothing of how far scores carry
    if not met.any():
        return 1.0
    sizes, right, wrong = sizes[met], right[met], wrong[met]
    low, high = 2.0**-40, 2.0**40  # the likelihood is concave in A: bisect its derivative on a logarithmic scale
    for _ in range(60):
        middle = math.sqrt(low * high)
        chance = 1 / (1 + np.exp(np.minimum(middle * sizes, 700)))  # of the wrong sign
        falling = (sizes * (right * chance - wrong * (1 - chance))).sum() < 0
        low, high = (low, middle) if falling else (middle, high)
    return math.sqrt(low * high)


def logistic(odds: Any) -> Array:
    """1 / (1 + e^-odds), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))
