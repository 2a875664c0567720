"""Floors under leagues, checked: what no choice of members, and no fixed mixture of their readings, can go below.

    choices    A rule that follows the guess of one member in each round errs where all of them do.
    mixtures   With shares v of the readings that add up to 1, m_t = sum_e v_e p_e,t, and any other shares w, the loss
               F(w) = -sum_t ln sum_e w_e p_e,t is convex, so that F(w) >= F(v) - (max_e sum_t p_e,t / m_t - T), and it
               is at least 0.

Rounds are those that are charged. A reading that sleeps is charged what the first level of the mixture gave the label.
Chances are floats, whole multiples of 2^-80; sums of quotients are made in whole numbers, each rounded up to 2^-64.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.intervals import Enclosing
from littlestone.certificates.check.league import STEP, LeaguePlayed, multiply_numbers, take_logarithm
from littlestone.certificates.check.report import Report, accept, require_words

CHOICES = "rounds in which all members are wrong"
MIXTURES = "a mixture's loss is convex in its shares"
PROMISES = {
    CHOICES: "the guess of one member is followed in each round, which may be another one every time",
    MIXTURES: "shares of the readings are fixed for all rounds; one that sleeps says what the first level does",
}
COUNTS = {CHOICES: "forced mistakes", MIXTURES: "forced log-loss"}
BITS = 20  # of a share
# bits after the point
CHANCE = 80
QUOTIENT = 64


def count_forced(played: LeaguePlayed) -> tuple[int, int]:
    """The rounds in which every member is wrong, and the mistakes of the best of those there from the start."""
    members = [members for _, members in played.phases]
    wrong = played.right == 0
    first = wrong[:, : members[0]]
    return int(np.count_nonzero(wrong.all(axis=1))), int(first.sum(axis=0).min())


def bracket_mixture(played: LeaguePlayed, shares: list[int]) -> tuple[Fraction, Fraction]:
    """What no fixed mixture of the readings loses less than, rounded down, and what these shares lose, rounded up."""
    reals = Enclosing(40)
    rows = np.where(np.isnan(played.panel), played.level[:, None], played.panel)[played.charged]
    mixed = list[int]()
    quotients = [0] * rows.shape[1]
    used = [(e, share) for e, share in enumerate(shares) if share]
    for row in rows.tolist():
        numbers = [int(math.ldexp(chance, CHANCE)) for chance in row]  # exact: chances are at least 10^-6
        middle = sum(share * numbers[e] for e, share in used)  # times 2^-(CHANCE + BITS)
        mixed.append(middle)
        for e, number in enumerate(numbers):
            quotients[e] -= -(number << (QUOTIENT + BITS)) // middle
    product = multiply_numbers(mixed)
    loss = -take_logarithm(reals, product, len(mixed) * (CHANCE + BITS))
    most = Fraction(max(quotients), 1 << QUOTIENT) - len(mixed)
    least = max(Fraction(loss.low) - most, Fraction(0))  # no chance exceeds 1
    return Fraction(math.floor(least * STEP), STEP), Fraction(math.ceil(Fraction(loss.high) * STEP), STEP)


def check_league_floor(certificate: Certificate, played: LeaguePlayed, known: dict[str, str]) -> Report:
    """Check a claim about what a league's members cannot go below."""
    theorem = certificate.theorem
    witness = certificate.witness
    require(theorem in COUNTS, f"there is no floor by {theorem!r}", NotCertified)
    require(played.importance is None, "floors are about rounds of equal importance", NotCertified)
    require(bool(played.charged.any()), "no round is charged", NotCertified)
    words: tuple[Any, ...] = (certificate.promise, certificate.counts, certificate.scope)
    require(words == (PROMISES[theorem], COUNTS[theorem], "sequence"), "its words are others", NotCertified)
    if theorem == CHOICES:
        require_words(witness, known)
        found: tuple[Any, ...] = count_forced(played)
    else:
        require_words(witness, (*known, "shares"))
        shares = witness["shares"]
        whole = type(shares) is list and all(type(share) is int and share >= 0 for share in shares)
        whole = whole and len(shares) == played.panel.shape[1] and sum(shares) == 1 << BITS
        require(whole, f"each reading has a share, whole numbers that add up to 2^{BITS}", NotCertified)
        found = bracket_mixture(played, shares)
    told = (certificate.count, certificate.bound)
    same = told == found and all(type(one) is type(two) for one, two in zip(told, found, strict=True))
    require(same, f"the floor is {found[0]} and {found[1]} is known, not {told}", NotCertified)
    return accept(certificate)
