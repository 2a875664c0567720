"""Certificates of `Tracking`: fixed share over copies of a learner, checked as a game of expert advice.

The copies are experts, and the theorem is about any experts: what they guessed in each round is handed to the checker,
as the forecasts of other experts are. Who was followed, what that cost and what the theorem allows is worked out here:
shares in floats, whose rounding `NEAR` allows for, logarithms between decimals, and mistakes along the schedule as
whole numbers.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.coins import draw_bits
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.intervals import Enclosing
from littlestone.certificates.check.report import ReplayCounts, Report, accept, require_words

THEOREM = "Fixed share over restarted copies (Herbster and Warmuth 1998)"
NEAR = 1e-9  # what lies so near to an edge may have been decided by rounding


class CopiesPlayed(NamedTuple):
    """What each copy guessed in each round, and what the labels were, as class numbers."""

    guesses: Array
    labels: Array
    periods: tuple[int, ...]  # after how many rounds each copy but the last starts anew
    surprise: bool  # whether no guess can have meant the first label


@dataclass
class SharesFollowed(ReplayCounts):
    """The expected mistakes of a run of fixed share, and between which ends the coins leave those it made."""

    expected: float = 0.0


def check_tracking(certificate: Certificate, played: CopiesPlayed) -> Report:
    """Check what a certificate says of fixed share over these copies."""
    about = certificate.learner
    rounds = len(played.labels)
    bound = certificate.bound
    rate = about["rate"]
    switching = about["switching"]
    seed = about.get("seed", 0)
    sound = {type(rate), type(switching)} <= {int, float} and type(seed) is int
    require(sound and 0 < rate <= 600 and 0 < switching < 1, f"no learner has parameters {about}", NotCertified)
    require_words(certificate.witness, ("schedule", "switches", "mistakes along the schedule"))
    errors = played.guesses != played.labels[:, None]
    path = _follow_schedule(certificate.witness, rounds, played.periods)
    along = int(errors[np.arange(rounds), path].sum())
    switches = int(np.count_nonzero(np.diff(path)))
    numbers = (certificate.witness["mistakes along the schedule"], certificate.witness["switches"])
    require(numbers == (along, switches), f"the schedule makes {along} mistakes, {switches} switches", NotCertified)
    found = _follow_shares(errors, float(rate), float(switching), seed & (2**63 - 1), played.surprise)
    _check_counts(certificate, rounds, found)
    promise = f"a schedule of copies with {switches} switches makes {along} mistakes"
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREM, promise, "expected mistakes", "expectation", False)
    require(words == expected, f"its words are {expected}, not {words}", NotCertified)
    reals = Enclosing(40)
    step = Fraction(rate)
    leave = Fraction(switching)
    parts = [(switches + 1, Fraction(errors.shape[1])), (switches, 1 / leave), (rounds - 1 - switches, 1 / (1 - leave))]
    depth = reals.total(times * reals.ln(part) for times, part in parts)
    most = Fraction((depth / step).high) + along + step * rounds / 8
    enough = type(bound) in (int, Fraction) and bound >= most
    enough = enough and (certificate.version is None or bound <= most * (1 + Fraction(1, 2**30)))
    require(enough, f"the schedule gives {float(most):.12g}, not {float(bound):.12g}", NotCertified)
    return accept(certificate)


def _follow_schedule(witness: Any, rounds: int, periods: tuple[int, ...]) -> Array:
    """The copy that the witness follows in each round."""
    names = [*(f"afresh every {period}" for period in periods), "never afresh"]
    firsts = [first - 1 for first, _ in witness["schedule"]]
    path = np.zeros(rounds, np.int64)
    rising = firsts[:1] == [0] and all(a < b for a, b in pairwise([*firsts, rounds]))
    require(rising and all(type(first) is int for first in firsts), "a schedule starts in round 1", NotCertified)
    for first, (_, name) in zip(firsts, witness["schedule"], strict=True):
        path[first:] = names.index(name)
    return path


def _follow_shares(errors: Array, rate: float, switching: float, seed: int, surprise: bool) -> SharesFollowed:
    """Fixed share from the first round on: copies are drawn by their shares, which mistakes divide by exp(rate)."""
    copies = errors.shape[1]
    shares = np.full(copies, 1 / copies)
    found = SharesFollowed()
    for t, wrong in enumerate(errors):
        edge = (draw_bits(seed, t) >> 11) / 2**53
        ends = np.cumsum(shares)
        possible = {bool(wrong[min(int(np.searchsorted(ends, edge + e, "right")), copies - 1)]) for e in (-NEAR, NEAR)}
        possible = {True} if surprise and t == 0 else possible
        found.count(True in possible, len(possible) == 1)
        found.expected += float(shares @ wrong)
        shares = shares * np.where(wrong, exp(-rate), 1.0)
        shares = shares / shares.sum() * (1 - switching) + switching / copies
    return found


def _check_counts(certificate: Certificate, rounds: int, found: SharesFollowed) -> None:
    """Refuse counts that are not those of the run, and rounds that are said not to teach."""
    count = certificate.count
    near = type(count) in (int, float, Fraction) and abs(float(count or 0) - found.expected) <= NEAR * (rounds + 1)
    require(near, f"{found.expected:.12g} mistakes are expected, not {count}", NotCertified)
    found.check_mistakes(certificate.mistakes)
    every = (certificate.updated, certificate.updates, certificate.marks) == (tuple(range(rounds)), rounds, ())
    require(every, "every round teaches", NotCertified)
