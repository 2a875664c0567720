"""Averages: the score of the average of all weights played, beside that of the weights that play, in one loop.

An averaged learner keeps a number a beside each weight w; after T rounds its average is w - a / T. The score that plays
is summed in the type of the weights, in four parts; that of the average in float64, since the average is a difference
of large numbers, and one entry after another.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import array_rule, prefetch, read_attribute, read_value, sum_pairs
from littlestone.learners.shared.rounds import AHEAD, FOUR, ONE, THREE, TWO


@array_rule
def average(weights: Array, i: Any, share: Any) -> Any:
    """The average of the weight at place i; `share` is 1 / T."""
    return np.float64(weights[i]) - np.float64(weights[i + ONE]) * share


@array_rule
def score_both(weights: Array, bias: Any, beside: Any, row: Any, last: Any, share: Any, constant: Any) -> Any:
    """Score a row by the weights and by their average.

    Returns:
        The sum of weight times value, without the bias, as `dot` sums it.
        The score of the average, with its bias.
    """
    indices, values, a, b = row
    score = (np.float64(bias) - np.float64(beside) * share) * constant
    fours = a + ((b - a) & ~THREE)
    ahead = b < last
    s0, s1, s2, s3, score, done = sum_pairs(weights, indices, values, a, fours - a, share, score)
    for k in range(a + done, fours, FOUR):
        if ahead:
            prefetch(weights, np.int64(TWO * read_attribute(indices, k + AHEAD, a)))
            prefetch(weights, np.int64(TWO * read_attribute(indices, k + AHEAD + ONE, a)))
            prefetch(weights, np.int64(TWO * read_attribute(indices, k + AHEAD + TWO, a)))
            prefetch(weights, np.int64(TWO * read_attribute(indices, k + AHEAD + THREE, a)))
        i0 = TWO * read_attribute(indices, k, a)
        x0 = read_value(values, k)
        i1 = TWO * read_attribute(indices, k + ONE, a)
        x1 = read_value(values, k + ONE)
        i2 = TWO * read_attribute(indices, k + TWO, a)
        x2 = read_value(values, k + TWO)
        i3 = TWO * read_attribute(indices, k + THREE, a)
        x3 = read_value(values, k + THREE)
        s0 = s0 + weights[i0] * x0
        score = score + average(weights, i0, share) * np.float64(x0)
        s1 = s1 + weights[i1] * x1
        score = score + average(weights, i1, share) * np.float64(x1)
        s2 = s2 + weights[i2] * x2
        score = score + average(weights, i2, share) * np.float64(x2)
        s3 = s3 + weights[i3] * x3
        score = score + average(weights, i3, share) * np.float64(x3)
    for k in range(fours, b):
        i0 = TWO * read_attribute(indices, k, a)
        x0 = read_value(values, k)
        s0 = s0 + weights[i0] * x0
        score = score + average(weights, i0, share) * np.float64(x0)
    return (s0 + s1) + (s2 + s3), score
