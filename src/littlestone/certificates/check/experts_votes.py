"""Ballots: games of votes counted again in whole numbers and fractions, nothing rounded.

A vote is 0, 1 or None for an expert that sleeps. An expert's weight is a power of the penalty; whether 1 has more of
it is decided by powers kept to 128 binary places, with a bound of their error, and by fractions where that is not
enough. What is counted: mistakes, or the exact expected number of them, and what each expert lost and shared asleep.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from littlestone.base.errors import NotCertified, require

PLACES = 128
LONGEST = 12_000  # bits of a denominator, which Python still writes out
NEAR = Fraction(1, 2**30)  # a coin so near its edge may have been decided by the rounding of the run

Votes = Sequence[int | None]


class Vote(NamedTuple):
    """How votes are weighed: `majority`, `leader`, `random leader`, or `draw` (an expert drawn by weight)."""

    kind: str
    penalty: Fraction = Fraction(0)


class Ballots(NamedTuple):
    """What came out; `unsure` are the rounds whose coin the rounding of a run may have decided."""

    total: Fraction
    losses: list[int]
    asleep: list[int]
    guesses: list[int]
    unsure: list[int]


def ballots(vote: Vote, rows: Sequence[Votes], truth: Sequence[int], coins: Sequence[Fraction]) -> Ballots:
    """Play rounds of votes; a coin in [0, 1) for each, where coins are tossed."""
    experts = len(rows[0]) if rows else 0
    losses, asleep, powers = [0] * experts, [0] * experts, [1 << PLACES]
    total, guesses, unsure = Fraction(0), list[int](), list[int]()
    for t, (row, y) in enumerate(zip(rows, truth, strict=True)):
        awake = [k for k, said in enumerate(row) if said is not None]
        require(bool(awake), f"every expert sleeps in round {t}", NotCertified)
        tosses = vote.kind in ("draw", "random leader")
        require(not tosses or len(awake) == experts, f"somebody sleeps in round {t}", NotCertified)
        charges = [losses[k] + asleep[k] for k in awake]
        least = min(charges)
        says = [(row[k], charge - least) for k, charge in zip(awake, charges, strict=True)]
        if tosses:
            share = _share(vote, says)
            cost = share if y == 0 else 1 - share
            guess, near = _tossed(vote, says, share, coins[t])
            unsure += [t] if near else []
        else:
            guess = _elected(vote, says, powers)
            cost = Fraction(guess != y)
        total += cost
        require(total.denominator.bit_length() <= LONGEST, "the fraction is too long to write down", NotCertified)
        guesses.append(guess)
        for k, said in enumerate(row):
            losses[k] += said is not None and said != y
            asleep[k] += said is None and guess != y
    return Ballots(total, losses, asleep, guesses, unsure)


def _share(vote: Vote, says: list[tuple[int | None, int]]) -> Fraction:
    """The chance of saying 1."""
    if vote.kind == "random leader":
        leaders = [said for said, gap in says if gap == 0]
        return Fraction(sum(said == 1 for said in leaders), len(leaders))
    weights = [vote.penalty**gap for _, gap in says]
    ones = sum((w for (said, _), w in zip(says, weights, strict=True) if said), Fraction(0))
    return ones / sum(weights, Fraction(0))


def _tossed(vote: Vote, says: list[tuple[int | None, int]], share: Fraction, coin: Fraction) -> tuple[int, bool]:
    """What the coin says, and whether rounding may have decided it."""
    if vote.kind == "random leader":
        leaders = [said for said, gap in says if gap == 0]
        return int(leaders[int(float(coin) * len(leaders))] == 1), False
    return int(coin < share), abs(coin - share) <= NEAR and 0 < share < 1


def _elected(vote: Vote, says: list[tuple[int | None, int]], powers: list[int]) -> int:
    """Whether 1 has more weight, or what the first leader says."""
    if vote.kind == "leader":
        return int(next(said for said, gap in says if gap == 0) == 1)
    leads: dict[int, int] = {}
    for said, gap in says:
        leads[gap] = leads.get(gap, 0) + (1 if said else -1)
    while len(powers) <= max(leads):  # each is too small by at most as many units as its exponent
        powers.append(powers[-1] * vote.penalty.numerator // vote.penalty.denominator)
    value = sum(lead * powers[gap] for gap, lead in leads.items())
    if abs(value) > sum(abs(lead) * gap for gap, lead in leads.items()):
        return int(value > 0)
    exact = sum((lead * vote.penalty**gap for gap, lead in leads.items()), Fraction(0))
    return int(exact > 0)
