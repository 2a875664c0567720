"""Games of votes counted again in whole numbers and fractions, nothing rounded.

A vote is 0, 1 or None for an expert that sleeps. An expert's weight is a power of the penalty; whether 1 has more of
it is decided by powers kept to 128 binary places, with a bound of their error, and by fractions where that is not
enough. What is counted: mistakes, or the exact expected number of them, and what each expert lost and shared asleep.
"""

from collections.abc import Sequence
from fractions import Fraction
from operator import add
from typing import NamedTuple

from littlestone.base.errors import NotCertified, require

PLACES = 128
LONGEST = 12_000  # bits of a denominator, which Python still writes out
NEAR = Fraction(1, 2**30)  # a coin so near its edge may have been decided by the rounding of the run

Gaps = list[tuple[int | None, int]]  # what each expert awake says, and by how much its charge exceeds the least


class VoteRule(NamedTuple):
    """How votes are weighed: `majority`, `leader`, `random leader`, or `draw` (an expert drawn by weight).

    `fallback` is a majority of those without a charge while there is one, asleep or awake, and of all from then on.
    """

    kind: str
    penalty: Fraction = Fraction(0)

    @property
    def tosses(self) -> bool:
        """Whether a coin decides."""
        return self.kind in ("draw", "random leader")


HALVING = VoteRule("majority")


class VoteCount(NamedTuple):
    """The learner's loss, what each expert lost and was charged asleep, and the guesses.

    `unsure` are the rounds whose coin the rounding of a run may have decided.
    """

    total: Fraction
    losses: list[int]
    asleep: list[int]
    guesses: list[int]
    unsure: list[int]


def count_votes(
    rule: VoteRule, rows: Sequence[Sequence[int | None]], truth: Sequence[int], coins: Sequence[Fraction]
) -> VoteCount:
    """Play rounds of votes; a coin in [0, 1) for each, where coins are tossed."""
    experts = len(rows[0]) if rows else 0
    losses = [0] * experts
    asleep = [0] * experts
    powers = [1 << PLACES]
    total = Fraction(0)
    guesses = list[int]()
    unsure = list[int]()
    for t, (row, y) in enumerate(zip(rows, truth, strict=True)):
        awake = [k for k, vote in enumerate(row) if vote is not None]
        require(bool(awake), f"every expert sleeps in round {t}", NotCertified)
        require(not rule.tosses or len(awake) == experts, f"an expert sleeps in round {t}", NotCertified)
        least = min(losses[k] + asleep[k] for k in awake)
        gaps = [(row[k], losses[k] + asleep[k] - least) for k in awake]
        if rule.tosses:
            share = _find_share(rule, gaps)
            cost = share if y == 0 else 1 - share
            guess, near = _toss(rule, gaps, share, coins[t])
            unsure += [t] if near else []
        else:
            perfect = rule.kind == "fallback" and 0 in map(add, losses, asleep)
            guess = _elect(HALVING, gaps, [1]) if perfect else _elect(rule, gaps, powers)
            cost = Fraction(guess != y)
        total += cost
        require(total.denominator.bit_length() <= LONGEST, "the fraction is too long to write down", NotCertified)
        guesses.append(guess)
        for k, vote in enumerate(row):
            losses[k] += vote is not None and vote != y
            asleep[k] += vote is None and guess != y
    return VoteCount(total, losses, asleep, guesses, unsure)


def _find_share(rule: VoteRule, gaps: Gaps) -> Fraction:
    """The chance of saying 1."""
    leading = Fraction(0) if rule.kind == "random leader" else rule.penalty
    weights = [leading**gap for _, gap in gaps]
    ones = sum((w for (vote, _), w in zip(gaps, weights, strict=True) if vote), Fraction(0))
    return ones / sum(weights, Fraction(0))


def _toss(rule: VoteRule, gaps: Gaps, share: Fraction, coin: Fraction) -> tuple[int, bool]:
    """What the coin says, and whether rounding may have decided it."""
    if rule.kind == "random leader":
        leaders = [vote for vote, gap in gaps if gap == 0]
        return int(leaders[int(float(coin) * len(leaders))] == 1), False
    return int(coin < share), abs(coin - share) <= NEAR and 0 < share < 1


def _elect(rule: VoteRule, gaps: Gaps, powers: list[int]) -> int:
    """Whether 1 has more weight, or what the first leader says."""
    if rule.kind == "leader":
        return int(next(vote for vote, gap in gaps if gap == 0) == 1)
    leads: dict[int, int] = {}
    for vote, gap in gaps:
        leads[gap] = leads.get(gap, 0) + (1 if vote else -1)
    while len(powers) <= max(leads):  # each is too small by at most as many units as its exponent
        powers.append(powers[-1] * rule.penalty.numerator // rule.penalty.denominator)
    value = sum(lead * powers[gap] for gap, lead in leads.items())
    if abs(value) > sum(abs(lead) * gap for gap, lead in leads.items()):
        return int(value > 0)
    exact = sum((lead * rule.penalty**gap for gap, lead in leads.items()), Fraction(0))
    return int(exact > 0)
