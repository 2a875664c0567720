"""Votes: the compiled rounds of a weighted majority, weights being powers of one penalty.

Every expert has an integer number of marks, and a vote of weight penalty^marks. Weights are looked up in a table of
signed powers, relative to the fewest marks a round ago, and the marks of a round are given in the same pass over the
experts that counts the votes of the next. Where the count is so close that rounding could decide, equal weights on both
sides are cancelled as integers first: a tie is a tie.
"""

from fractions import Fraction
from functools import cache
from math import log2
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, kernel, rule
from littlestone.learners.experts.pools import EXPERTS, ONE, ROUNDS, ZERO, RoundArrays

GROUP = U(1024)  # experts whose votes are looked up at once
# further places in `counts`
MISTAKES = 2
LOW = 3
FEWEST = 4
UNDECIDED = -1  # a vote that only exact arithmetic can decide


class Marks(NamedTuple):
    """Each expert's `marks`, and how many of them were `shared` asleep.

    `counts`: rounds, experts, mistakes, the marks that the next weights are relative to, the fewest marks.
    """

    marks: Array
    shared: Array
    counts: Array


class Votes(NamedTuple):
    """The votes of one round, which start at `row`; `clean` ones are known to be 0 and 1."""

    x: Array
    row: Any
    clean: Any


class Count(NamedTuple):
    """The count of a round: memory for the `places` of a group in the table of powers, and the `ballot`.

    `ballot`: weight for 1 minus weight for 0, and how many experts vote 0 or 1.
    """

    table: Array
    places: Array
    ballot: Array


@cache
def prepare(penalty: float | Fraction) -> tuple[Array, float, int]:
    """What the loop reads of a penalty.

    Returns:
        A table of minus and plus penalty^k by turns, down to 2^-120, and a zero at the end; the penalty as a float; and
        how many binary places it has, 64 standing for too many.
    """
    real = float(penalty)
    exact = Fraction(penalty).denominator
    length = 2 if real == 0 else max(2, int(-120 / log2(real)) + 1)
    powers = real ** np.arange(length, dtype=np.float64)
    table = np.concatenate((np.stack((-powers, powers), axis=1).ravel(), np.zeros(1)))
    return table, real, min(exact.bit_length() - 1, 64) if exact & (exact - 1) == 0 else 64


@rule
def count_group(count: Any, votes: Any, marks: Array, low: Any, first: Any, size: Any) -> None:
    """Add the votes of a group of experts to the ballot."""
    x = votes.x
    at = votes.row + first
    table = count.table
    places = count.places
    ballot = count.ballot
    sleeper = np.int32(table.size - 1)
    top = np.int32(sleeper // 2 - 1)
    low = np.int32(low)
    legal = size if votes.clean else ZERO
    for k in range(size):
        says = np.int32(1) if x[at + k] == 1 else np.int32(0)
        place = np.int32(min(np.int32(marks[first + k] - low), top) * np.int32(2) + says)
        places[k] = place if x[at + k] == x[at + k] else sleeper
    for k in range(ZERO if votes.clean else size):
        legal += ONE if (x[at + k] == 0) | (x[at + k] == 1) else ZERO
    # four sums fix the order of addition at full speed
    s0 = 0.0
    s1 = 0.0
    s2 = 0.0
    s3 = 0.0
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
def decide(marks: Array, votes: Any, experts: Any, difference: Any, penalty: Any, bits: Any) -> Any:
    """1 if 1 has more weight, 0 if not, or UNDECIDED.

    Where rounding could decide, equal weights of both sides are cancelled as integers; what is left is a polynomial in
    the penalty, with an error bound. It is exact where the penalty has so few binary places that nothing is rounded.
    """
    if abs(difference) > 2.0**-52 * experts * experts:
        return 1 if difference > 0 else 0
    x = votes.x
    row = votes.row
    low: Any = np.int64(2**31)
    high: Any = np.int64(0)
    for k in range(experts):
        if x[row + k] == x[row + k]:
            low = min(low, np.int64(marks[k]))
            high = max(high, np.int64(marks[k]))
    ahead = np.zeros(max(high - low, 0) + 1, np.int64)
    for k in range(experts):
        if x[row + k] == x[row + k]:
            ahead[marks[k] - low] += 1 if x[row + k] == 1 else -1
    value = 0.0
    size = 0.0
    places = 0
    for k in range(ahead.size):
        lead = ahead[ahead.size - 1 - k]
        places = places + bits if places > 0 or lead != 0 else 0
        value = value * penalty + lead
        size = size * penalty + abs(lead)
    if size == 0 or abs(value) > 2.0**-50 * ahead.size * size or (places <= 40 and experts < 2048):
        return 1 if value > 0 else 0
    return UNDECIDED


@kernel
def replay(
    marks: Array, shared: Array, counts: Array, forecasts: Array, costs: Array, outcomes: Array, guesses: Array,
    charges: Array, weights: Array, learning: Any, clean: Any, table: Array, penalty: float, bits: int, vote: int,
) -> Any:  # fmt: skip
    """Play rounds up to one that is refused, and return how many were played.

    A flat entry point: the arrays of `Marks` and of `RoundArrays`, the table of powers, the penalty and its `bits`
    after the binary point. If only exact arithmetic can decide the next vote, minus one minus the number of rounds
    played is returned; called again from that round on, the loop is given that `vote` (UNDECIDED: none is given). The
    marks of a round are given in the same pass that counts the votes of the next.
    """
    rounds = outcomes.size
    experts = U(forecasts.size // rounds)
    row = ZERO
    after = ZERO
    count = Count(table, np.zeros(GROUP, np.int32), np.zeros(2))
    ballot = count.ballot
    for k in range(U(counts[EXPERTS]), experts):  # late experts have the marks of the mistakes they missed
        marks[k] = shared[k] = counts[MISTAKES]
        counts[LOW] = min(counts[LOW], counts[MISTAKES])  # marks below it have no place in the table
        counts[FEWEST] = min(counts[FEWEST], counts[MISTAKES])
    counts[EXPERTS] = max(counts[EXPERTS], np.int64(experts))
    y = outcomes[0]
    mistake = False
    fewest = np.int32(counts[FEWEST])
    for t in range(rounds + 1):  # give the marks of round t - 1, count the votes of round t
        ballot[0], ballot[1] = 0.0, 0.0
        reference = np.int32(counts[LOW])
        least = np.int32(2**31 - 1)
        row = after
        after = U(min(t, rounds - 1)) * experts
        votes = Votes(forecasts, after, clean)
        for first in range(ZERO, experts, GROUP):
            size = min(GROUP, experts - first)
            if t > 0:
                for k in range(size):
                    said = forecasts[row + first + k]
                    wrong = (said != y) & (mistake | (said == said))
                    now = np.int32(marks[first + k] + (np.int32(1) if wrong else np.int32(0)))
                    marks[first + k] = now
                    least = min(least, now)
            if t < rounds:
                count_group(count, votes, marks, reference, first, size)
        if t > 0:
            fewest = least
        counts[FEWEST] = fewest
        if t == rounds:
            return rounds
        if ballot[1] < experts:
            asleep = ZERO
            for k in range(experts):
                asleep += ONE if forecasts[after + k] != forecasts[after + k] else ZERO
            if asleep == experts or ballot[1] + asleep < experts:
                return t
        guess = vote if t == 0 and vote >= 0 else decide(marks, votes, experts, ballot[0], penalty, bits)
        if guess < 0:
            return -1 - t
        guesses[t] = guess
        if weights.size:
            show_weights(marks, votes, experts, penalty, weights)
        if not learning:
            return 1
        y = outcomes[t]
        mistake = guess != y
        if charges.size:
            charges[t] = 1.0 if mistake else 0.0
        if mistake and ballot[1] < experts:
            for k in range(experts):
                shared[k] += 0 if forecasts[after + k] == forecasts[after + k] else 1
        counts[ROUNDS] += 1
        counts[MISTAKES] += 1 if mistake else 0
        counts[LOW] = fewest
    return rounds


@rule
def show_weights(marks: Array, votes: Any, experts: Any, penalty: Any, weights: Array) -> None:
    """Write the share of each expert in a round, those asleep having none."""
    x = votes.x
    row = votes.row
    lead = np.int64(2**31)
    total = 0.0
    for k in range(experts):
        lead = min(lead, np.int64(marks[k])) if x[row + k] == x[row + k] else lead
    for k in range(experts):
        share = penalty ** np.float64(marks[k] - lead) if x[row + k] == x[row + k] else 0.0
        weights[row + k] = share
        total += share
    for k in range(experts):
        weights[row + k] /= total


def decide_exactly(marks: Array, votes: Array, penalty: Fraction) -> int:
    """Whether 1 has more weight, in exact arithmetic."""
    awake = votes == votes
    gaps = (marks[: len(votes)] - marks[: len(votes)][awake].min())[awake]
    signs = np.where(votes[awake] == 1, 1, -1)
    ahead = np.bincount(gaps[signs > 0], minlength=int(gaps.max()) + 1)
    ahead = ahead - np.bincount(gaps[signs < 0], minlength=len(ahead))
    value = Fraction(0)
    for lead in reversed(ahead.tolist()):
        value = value * penalty + lead
    return int(value > 0)


def play_votes(penalty: float | Fraction, state: Marks, rounds: RoundArrays) -> int:
    """Play rounds up to one that is refused, and return how many were played.

    The compiled loop is given the votes that only exact arithmetic can decide.
    """
    played = 0
    vote = UNDECIDED
    rest = rounds
    while (done := int(replay(*state, *rest, *prepare(penalty), vote))) < 0:
        played += -1 - done
        rest = rounds.cut(played, len(rounds.outcomes))
        vote = decide_exactly(state.marks, rest.cut(0, 1).forecasts, Fraction(penalty))
    return played + done
