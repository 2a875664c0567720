"""Votes: the compiled rounds of a weighted majority, weights being powers of one penalty.

Every expert has an integer number of marks, and a vote of weight penalty^marks. Weights are looked up in a table of
signed powers, relative to the fewest marks a round ago, and the marks of a round are given in the same pass over the
pool that counts the votes of the next. Where the count is so close that rounding could decide, equal weights on both
sides are cancelled as integers first: a tie is a tie.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache
from math import floor, log2
from typing import Any, NamedTuple

import numpy as np

from littlestone.examples import Array
from littlestone.kernel import kernel, rule

BLOCK = 1024  # experts whose votes are looked up at once
ROUNDS, EXPERTS, MISTAKES, LOW, FEWEST = 0, 1, 2, 3, 4  # places in `counts`
STEEPEST = 0.9999  # beyond, the table of powers would outgrow the caches


class Marks(NamedTuple):
    """Each expert's `marks`, and how many of them were `shared` asleep.

    `counts`: rounds, experts, mistakes, the marks that the next weights are relative to, the fewest marks.
    """

    marks: Array
    shared: Array
    counts: Array


@cache
def signed_powers(penalty: float) -> Array:
    """Minus and plus penalty^k by turns, down to 2^-120, and a zero at the end."""
    length = 2 if penalty == 0 else max(2, int(-120 / log2(penalty)) + 1)
    powers = penalty ** np.arange(length, dtype=np.float64)
    return np.concatenate((np.stack((-powers, powers), axis=1).ravel(), np.zeros(1)))


@rule
def count(marks: Array, low: Any, x: Array, table: Array, places: Array, ballot: Array) -> None:
    """Add a block of votes to the ballot: weight for 1 minus weight for 0, experts awake, votes refused."""
    nobody = np.int32(table.size - 1)
    top, low = np.int32(nobody // 2 - 1), np.int32(low)
    awake, refused = 0, 0
    for k in range(x.size):
        says = np.int32(1) if x[k] == 1 else np.int32(0)
        place = np.int32(min(np.int32(marks[k] - low), top) * np.int32(2) + says)
        places[k] = place if x[k] == x[k] else nobody
    for k in range(x.size):
        awake += 1 if x[k] == x[k] else 0
        refused += 1 if (x[k] == x[k]) & (x[k] != 0) & (x[k] != 1) else 0
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # four sums fix the order of addition at full speed
    fours = x.size - x.size % 4
    for k in range(0, fours, 4):
        i = np.uint64(k)
        s0 += table[np.uint64(np.uint32(places[i]))]
        s1 += table[np.uint64(np.uint32(places[i + np.uint64(1)]))]
        s2 += table[np.uint64(np.uint32(places[i + np.uint64(2)]))]
        s3 += table[np.uint64(np.uint32(places[i + np.uint64(3)]))]
    for k in range(fours, x.size):
        s0 += table[places[k]]
    ballot[0] += (s0 + s1) + (s2 + s3)
    ballot[1] += awake
    ballot[2] += refused


@rule
def decide(marks: Array, x: Array, difference: Any, penalty: Any) -> Any:
    """Whether 1 has more weight. Where rounding could decide, equal weights of both sides are cancelled first."""
    if abs(difference) > 2.0**-52 * x.size * x.size:
        return difference > 0
    low: Any = np.int64(2**31)
    high: Any = np.int64(0)
    for k in range(x.size):
        if x[k] == x[k]:
            low, high = min(low, np.int64(marks[k])), max(high, np.int64(marks[k]))
    ahead = np.zeros(max(high - low, 0) + 1, np.int64)
    for k in range(x.size):
        if x[k] == x[k]:
            ahead[marks[k] - low] += 1 if x[k] == 1 else -1
    value = 0.0
    for k in range(ahead.size):
        value = value * penalty + ahead[ahead.size - 1 - k]
    return value > 0


@rule
def admit(marks: Array, shared: Array, counts: Array, experts: Any) -> None:
    """Let late experts in, with the marks of the mistakes they missed."""
    for k in range(counts[EXPERTS], experts):
        marks[k] = shared[k] = counts[MISTAKES]
    counts[EXPERTS] = max(counts[EXPERTS], experts)


@kernel
def predict(marks: Array, shared: Array, counts: Array, x: Array, table: Array, penalty: float) -> Any:
    """The vote of one round; -1 if nobody is awake."""
    if x.size > counts[EXPERTS]:
        marks, shared, counts = marks.copy(), shared.copy(), counts.copy()
        admit(marks, shared, counts, x.size)
    places, ballot = np.zeros(BLOCK, np.int32), np.zeros(3)
    for first in range(0, x.size, BLOCK):
        last = min(first + BLOCK, x.size)
        count(marks[first:last], counts[LOW], x[first:last], table, places, ballot)
    if ballot[1] == 0:
        return -1
    return 1 if decide(marks, x, ballot[0], penalty) else 0


@kernel
def replay(
    marks: Array, shared: Array, counts: Array, X: Array, outcomes: Array, guesses: Array, charges: Array, trace: Array,
    table: Array, penalty: float,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused; the marks of a round are fused with the count of the next."""
    experts = X.shape[1]
    places, ballot = np.zeros(BLOCK, np.int32), np.zeros(3)
    if outcomes.size == 0:
        return 0
    admit(marks, shared, counts, experts)
    for first in range(0, experts, BLOCK):
        last = min(first + BLOCK, experts)
        count(marks[first:last], counts[LOW], X[0][first:last], table, places, ballot)
    for t in range(outcomes.size):
        x, y = X[t], outcomes[t]
        if ballot[1] == 0 or ballot[2] > 0:
            return t
        guess = 1 if decide(marks, x, ballot[0], penalty) else 0
        guesses[t], mistake = guess, guess != y
        if charges.size:
            charges[t] = 1.0 if mistake else 0.0
        if trace.size:
            shares, least = trace[t * experts : (t + 1) * experts], np.int64(2**31)
            for k in range(experts):
                least = min(least, np.int64(marks[k])) if x[k] == x[k] else least
            for k in range(experts):
                shares[k] = penalty ** np.float64(marks[k] - least) if x[k] == x[k] else 0.0
            shares /= shares.sum()
        if mistake and ballot[1] < experts:
            for k in range(experts):
                shared[k] += 0 if x[k] == x[k] else 1
        ballot[:] = 0.0
        fewest = np.int32(2**31 - 1)
        for first in range(0, experts, BLOCK):
            last = min(first + BLOCK, experts)
            own, votes = marks[first:last], x[first:last]
            for k in range(votes.size):
                wrong = (votes[k] != y) & (mistake | (votes[k] == votes[k]))
                own[k] = np.int32(own[k] + (np.int32(1) if wrong else np.int32(0)))
                fewest = min(fewest, own[k])
            if t + 1 < outcomes.size:
                count(own, counts[FEWEST], X[t + 1][first:last], table, places, ballot)
        counts[ROUNDS] += 1
        counts[MISTAKES] += 1 if mistake else 0
        counts[LOW], counts[FEWEST] = counts[FEWEST], fewest
    return outcomes.size


def largest(experts: int, penalty: Fraction, marks: int) -> int:
    """The largest k with experts * ((1 + penalty) / 2)^k >= penalty^marks, exactly.

    Logarithms to 60 digits decide unless the answer is so near an integer that only powers of integers can.
    """
    if penalty == 0:
        return experts.bit_length() - 1
    low, high = (_estimate(experts, penalty, marks, rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))
    if low == high:
        return low
    kept = experts * ((1 + penalty) / 2) ** high >= penalty**marks
    return high if kept else low


def _estimate(experts: int, penalty: Fraction, marks: int, rounding: str) -> int:
    """The whole part of the real solution, its logarithms shifted so that it errs to one side."""
    context, shift = Context(prec=60, rounding=rounding), Decimal(1).scaleb(-50)
    sign = -1 if rounding == ROUND_FLOOR else 1

    def ln(value: Fraction) -> Decimal:
        return context.divide(Decimal(value.numerator), Decimal(value.denominator)).ln(context)

    top = marks * ln(1 / penalty) + ln(Fraction(experts))
    return floor(context.divide(top * (1 + sign * shift), ln(2 / (1 + penalty))))
