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

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel, rule

ZERO, ONE = U(0), U(1)
BLOCK = U(1024)  # experts whose votes are looked up at once
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
def count(
    marks: Array, low: Any, x: Array, row: Any, first: Any, size: Any, table: Array, places: Array, ballot: Array,
    clean: Any,
) -> None:  # fmt: skip
    """Add a block of votes to the ballot: weight for 1 minus weight for 0, and experts that vote 0 or 1."""
    nobody = np.int32(table.size - 1)
    top, low = np.int32(nobody // 2 - 1), np.int32(low)
    legal = size if clean else ZERO
    for k in range(size):
        says = np.int32(1) if x[row + first + k] == 1 else np.int32(0)
        place = np.int32(min(np.int32(marks[first + k] - low), top) * np.int32(2) + says)
        places[k] = place if x[row + first + k] == x[row + first + k] else nobody
    for k in range(ZERO if clean else size):
        legal += ONE if (x[row + first + k] == 0) | (x[row + first + k] == 1) else ZERO
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # four sums fix the order of addition at full speed
    fours = size & ~U(3)
    for k in range(ZERO, fours, U(4)):
        s0 += table[U(np.uint32(places[k]))]
        s1 += table[U(np.uint32(places[k + ONE]))]
        s2 += table[U(np.uint32(places[k + U(2)]))]
        s3 += table[U(np.uint32(places[k + U(3)]))]
    for k in range(fours, size):
        s0 += table[U(np.uint32(places[k]))]
    ballot[0] += (s0 + s1) + (s2 + s3)
    ballot[1] += legal


@rule
def decide(marks: Array, x: Array, row: Any, experts: Any, difference: Any, penalty: Any, bits: Any) -> Any:
    """1 if 1 has more weight, 0 if not, -1 if only exact arithmetic can tell.

    Where rounding could decide, equal weights of both sides are cancelled as integers; what is left is a polynomial in
    the penalty, with an error bound. It is exact where the penalty has so few binary places that nothing is rounded.
    """
    if abs(difference) > 2.0**-52 * experts * experts:
        return 1 if difference > 0 else 0
    low: Any = np.int64(2**31)
    high: Any = np.int64(0)
    for k in range(experts):
        if x[row + k] == x[row + k]:
            low, high = min(low, np.int64(marks[k])), max(high, np.int64(marks[k]))
    ahead = np.zeros(max(high - low, 0) + 1, np.int64)
    for k in range(experts):
        if x[row + k] == x[row + k]:
            ahead[marks[k] - low] += 1 if x[row + k] == 1 else -1
    value, size, places = 0.0, 0.0, 0
    for k in range(ahead.size):
        lead = ahead[ahead.size - 1 - k]
        places = places + bits if places > 0 or lead != 0 else 0
        value, size = value * penalty + lead, size * penalty + abs(lead)
    if size == 0 or abs(value) > 2.0**-50 * ahead.size * size or (places <= 40 and experts < 2048):
        return 1 if value > 0 else 0
    return -1


@kernel
def replay(
    marks: Array, shared: Array, counts: Array, x: Array, outcomes: Array, guesses: Array, charges: Array, trace: Array,
    table: Array, penalty: float, bits: int, told: int, learning: bool, clean: bool,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused; `x` holds the votes row by row. How many were played.

    If only exact arithmetic can decide the next vote, the answer is minus one minus that number; asked again from that
    round on, the loop is `told` the vote (-1: not told). The marks of a round are given in the same pass that counts
    the votes of the next. Without `learning` only the guess of the first round is written, and nothing else changes.
    """
    rounds = outcomes.size
    experts, row, after = U(x.size // rounds), ZERO, ZERO
    places, ballot = np.zeros(BLOCK, np.int32), np.zeros(2)
    for k in range(U(counts[EXPERTS]), experts):  # late experts have the marks of the mistakes they missed
        marks[k] = shared[k] = counts[MISTAKES]
        counts[LOW] = min(counts[LOW], counts[MISTAKES])  # marks below it have no place in the table
        counts[FEWEST] = min(counts[FEWEST], counts[MISTAKES])
    counts[EXPERTS] = max(counts[EXPERTS], np.int64(experts))
    y, mistake, fewest = outcomes[0], False, np.int32(counts[FEWEST])
    for t in range(rounds + 1):  # give the marks of round t - 1, count the votes of round t
        ballot[0], ballot[1] = 0.0, 0.0
        reference, least = np.int32(counts[LOW]), np.int32(2**31 - 1)
        row, after = after, U(min(t, rounds - 1)) * experts
        for first in range(ZERO, experts, BLOCK):
            size = min(BLOCK, experts - first)
            if t > 0:
                for k in range(size):
                    vote = x[row + first + k]
                    wrong = (vote != y) & (mistake | (vote == vote))
                    now = np.int32(marks[first + k] + (np.int32(1) if wrong else np.int32(0)))
                    marks[first + k] = now
                    least = min(least, now)
            if t < rounds:
                count(marks, reference, x, after, first, size, table, places, ballot, clean)
        if t > 0:
            fewest = least
        counts[FEWEST] = fewest
        if t == rounds:
            return rounds
        if ballot[1] < experts:
            asleep = ZERO
            for k in range(experts):
                asleep += ONE if x[after + k] != x[after + k] else ZERO
            if asleep == experts or ballot[1] + asleep < experts:
                return t
        guess = told if t == 0 and told >= 0 else decide(marks, x, after, experts, ballot[0], penalty, bits)
        if guess < 0:
            return -1 - t
        guesses[t] = guess
        if trace.size:
            lead = np.int64(2**31)
            for k in range(experts):
                lead = min(lead, np.int64(marks[k])) if x[after + k] == x[after + k] else lead
            total = 0.0
            for k in range(experts):
                share = penalty ** np.float64(marks[k] - lead) if x[after + k] == x[after + k] else 0.0
                trace[after + k] = share
                total += share
            for k in range(experts):
                trace[after + k] /= total
        if not learning:
            return 1
        y = outcomes[t]
        mistake = guess != y
        if charges.size:
            charges[t] = 1.0 if mistake else 0.0
        if mistake and ballot[1] < experts:
            for k in range(experts):
                shared[k] += 0 if x[after + k] == x[after + k] else 1
        counts[ROUNDS] += 1
        counts[MISTAKES] += 1 if mistake else 0
        counts[LOW] = fewest
    return rounds


def settled(marks: Array, votes: Array, penalty: Fraction) -> int:
    """Whether 1 has more weight, in exact arithmetic."""
    awake = votes == votes
    gaps, signs = (marks[: len(votes)] - marks[: len(votes)][awake].min())[awake], np.where(votes[awake] == 1, 1, -1)
    ahead = np.bincount(gaps[signs > 0], minlength=int(gaps.max()) + 1)
    ahead = ahead - np.bincount(gaps[signs < 0], minlength=len(ahead))
    value = Fraction(0)
    for lead in reversed(ahead.tolist()):
        value = value * penalty + lead
    return int(value > 0)


def binary_places(penalty: Fraction) -> int:
    """How many binary places the penalty has; 64 stands for too many."""
    exact = penalty.denominator & (penalty.denominator - 1) == 0
    return min(penalty.denominator.bit_length() - 1, 64) if exact else 64


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
