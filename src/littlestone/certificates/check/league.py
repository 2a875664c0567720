"""Certificates of leagues: what is served against a reading of a member, and the account of mistakes.

The members' forecasts are handed to this check, as those of other experts are; what was served is worked out from them
once more. The claim about log-loss is one about two products of floats, whole numbers times powers of two, and is
checked in integers: P <= F Q, where P is what a reading gave the labels, Q what was served, and F = N R q^2 with two
levels, N q with one, N if nothing is shared. The claim about mistakes is checked with roots and logarithms between
decimals. The account of coins is worked out in floats, whose rounding `NEAR` allows for.
"""

import hashlib
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.intervals import Enclosing, Interval
from littlestone.certificates.check.report import Report, accept, is_same_json, require_words

LOSS = "League, on every stretch of rounds (Adamskiy, Koolen, Chernov and Vovk 2012)"
MISTAKES = "League, the account of its guesses with AdaHedge (de Rooij and others 2014)"
NEAR = 1e-9  # relative: what floats may differ by from floats worked out in another order
LEADING = 256  # bits of a product that its logarithm is taken of
STEP = 2**60  # ends of intervals are rounded outwards to multiples of 1 / STEP


class LeaguePlayed(NamedTuple):
    """What a league did, round by round."""

    panel: Array  # the chance that each reading gave the label, NaN for one that sleeps
    served: Array  # the chance that was served to it, NaN where the round is not charged
    level: Array  # that of the first level, which sleepers are charged
    right: Array  # whether each member guessed the label
    wrong: Array  # whether the league did not
    flags: Array  # whether a coin chose the guess
    importance: Array | None
    joined: tuple[int, ...]  # of each reading, the rounds before it came
    phases: tuple[tuple[int, int], ...]  # the first round of each phase of the account, from 0, and its members
    rates: tuple[float, ...]  # of the levels besides the first
    still: bool
    most: float

    @property
    def charged(self) -> Array:
        """Which rounds move weights."""
        return ~np.isnan(self.served)


def hash_floats(*arrays: Array) -> str:
    """A fingerprint of numbers, NaN always the same."""
    digest = hashlib.sha256()
    for array in arrays:
        numbers = np.where(np.isnan(array), np.nan, array) if array.dtype.kind == "f" else array
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(numbers, "<f8" if array.dtype.kind == "f" else "<i8").tobytes())
    return digest.hexdigest()


def hash_panel(panel: Array, names: list[str]) -> str:
    """A fingerprint of what all readings gave the labels, and of whose readings they are."""
    return hashlib.sha256("\n".join([hash_floats(panel), *names]).encode()).hexdigest()


class LossStretch(NamedTuple):
    """A claim about log-loss: the ends, in nats, of what was served and of what is allowed."""

    served: Interval
    allowed: Interval
    holds: bool


def measure_stretch(played: LeaguePlayed, first: int, last: int, reading: int) -> LossStretch:
    """Compare what was served in the rounds from `first` up to, not including, `last` with one reading."""
    here = np.zeros(len(played.served), bool)
    here[first:last] = True
    here &= played.charged
    theirs = played.panel[:, reading]
    if not played.rates:
        here &= ~np.isnan(theirs)  # one level promises nothing about rounds in which it sleeps
    theirs = np.where(np.isnan(theirs), played.level, theirs)
    end = int(np.count_nonzero(played.charged[:last]))
    readings = played.panel.shape[1]
    if played.still:
        require(first == 0, "a league that shares nothing promises from the first round on", NotCertified)
        factor = readings
    else:
        levels = 1 + len(played.rates)
        factor = readings * levels * end**2 if played.rates else readings * end
    reals = Enclosing(40)
    factor = max(factor, 1)
    if played.importance is not None:
        weights = [Fraction(weight) for weight in played.importance[here].tolist()]
        made, loss = (_add_logarithms(reals, weights, part[here]) for part in (played.served, theirs))
        allowed = loss + Fraction(played.most) * reals.ln(factor)
        return LossStretch(made, allowed, made.high <= allowed.low)
    served, bits = _multiply(played.served[here])
    best, more = _multiply(theirs[here])
    shift = max(bits, more)
    holds = best << (shift - more) <= factor * (served << (shift - bits))
    allowed = -take_logarithm(reals, best, more) + reals.ln(factor)
    return LossStretch(-take_logarithm(reals, served, bits), allowed, holds)


def _multiply(chances: Array) -> tuple[int, int]:
    """The product of floats in (0, 1], as a whole number and how many times it must be halved."""
    pairs = [chance.as_integer_ratio() for chance in chances.tolist()]
    return multiply_numbers([top for top, _ in pairs]), sum(bottom.bit_length() - 1 for _, bottom in pairs)


def multiply_numbers(numbers: list[int]) -> int:
    """The product of whole numbers, neighbours first."""
    while len(numbers) > 1:
        odd = numbers[-1:] if len(numbers) % 2 else []
        numbers = [a * b for a, b in zip(numbers[::2], numbers[1::2], strict=False)] + odd
    return numbers[0] if numbers else 1


def take_logarithm(reals: Enclosing, number: int, bits: int) -> Interval:
    """The logarithm of number / 2^bits, by its leading bits."""
    cut = max(number.bit_length() - LEADING, 0)
    low = reals.ln(number >> cut)
    high = reals.ln((number >> cut) + (cut > 0))
    return Interval(low.low, high.high, reals) + (cut - bits) * reals.ln(2)


def _add_logarithms(reals: Enclosing, weights: Iterable[Fraction], chances: Array) -> Interval:
    """The sum of -weight ln chance."""
    parts = (weight * -reals.ln(Fraction(chance)) for weight, chance in zip(weights, chances.tolist(), strict=True))
    return reals.total(parts)


def round_ends(stretch: LossStretch) -> tuple[Fraction, Fraction]:
    """The least that was served and the most that is allowed, as short fractions."""
    low = Fraction(stretch.served.low)
    high = Fraction(stretch.allowed.high)
    return Fraction(math.floor(low * STEP), STEP), Fraction(math.ceil(high * STEP), STEP)


class AccountPhase(NamedTuple):
    """A phase of the account, between two newcomers."""

    first: int  # from 0
    last: int  # the first round after it
    members: int
    best: int  # the member of fewest mistakes
    mistakes: int  # of that member
    stood: float  # the league's, in expectation where a coin was thrown
    gap: float
    bound: int
    close: int  # the bound with the gap that was seen


def follow_account(played: LeaguePlayed) -> list[AccountPhase]:
    """Work out the account of every phase once more, and refuse coins that it does not ask for."""
    ends = [first for first, _ in played.phases[1:]] + [len(played.wrong)]
    phases = [(first, last, n) for (first, n), last in zip(played.phases, ends, strict=True) if last > first]
    return [_follow_phase(played, first, last, n) for first, last, n in phases]


def _follow_phase(played: LeaguePlayed, first: int, last: int, members: int) -> AccountPhase:
    wrong = (played.right[first:last, :members] == 0).astype(np.float64)
    variety = math.log(members)
    losses = np.zeros(members)
    gap = 0.0
    balance = 0.0
    stood = 0.0
    flags = played.flags[first:last].tolist()
    missed = played.wrong[first:last].tolist()
    for t, row in enumerate(wrong):
        least = float(losses.min())
        allowed = math.sqrt(least * variety) + variety + 2
        rate = variety / gap if gap > 0 else 0.0
        shares = np.exp(-rate * (losses - least)) if gap > 0 else (losses == least).astype(float)
        shares /= shares.sum()
        followed = float(shares @ row)
        losses += row
        kept = float(shares @ np.exp(-rate * row))
        mixed = followed if kept == 0 else -math.log(kept) / rate if rate > 0 else float(losses.min()) - least
        gap += max(followed - mixed, 0.0)
        near = abs(balance + 1 - allowed) <= NEAR * (first + t + 1)
        due = near or bool(flags[t]) == (balance + 1 > allowed)
        require(due, f"no coin belongs to round {first + t}", NotCertified)
        balance += 0.0 if flags[t] else missed[t] - followed
        stood += followed if flags[t] else missed[t]
    best = int(losses.argmin())
    bound, close = allow_mistakes(int(losses[best]), last - first, members, gap)
    return AccountPhase(first, last, members, best, int(losses[best]), stood, gap, bound, close)


def allow_mistakes(best: int, rounds: int, members: int, gap: float) -> tuple[int, int]:
    """The most mistakes of a league whose best member makes `best`: beforehand, and with the gap that was seen."""
    reals = Enclosing(40)
    variety = reals.ln(members)
    slack = reals.root(best * variety) + variety + 2
    regret = 2 * reals.root(Fraction(best * (rounds - best), max(rounds, 1)) * variety) + Fraction(16, 3) * variety + 2
    close = Fraction((slack + best).high) + 2 * Fraction(gap) * (1 + Fraction(NEAR))
    return math.floor((slack + regret + best).high), math.floor(close)


def check_league(certificate: Certificate, played: LeaguePlayed, names: list[str], forecasts: str | None) -> Report:
    """Check what a certificate says of a league that did this; `names` are those of the members of each reading."""
    _check_served(played)
    witness = certificate.witness
    wrong = int(np.count_nonzero(played.wrong))
    known = {"panel": hash_panel(played.panel, names), "served": hash_floats(played.served, played.level)}
    known |= {"guesses": hash_floats(played.wrong.astype(np.int64), played.flags.astype(np.int64))}
    known |= {} if forecasts is None else {"forecasts": forecasts}
    for name, found in known.items():
        told = f"the {name} of this run have the fingerprint {found[:12]}..., another one is claimed"
        require(isinstance(witness, dict) and witness.get(name) == found, told, NotCertified)
    charged = int(np.count_nonzero(played.charged))
    counts = (certificate.mistakes, certificate.updates, certificate.updated, certificate.marks, certificate.exact)
    expected = (wrong, charged, (), (), False)
    require(counts == expected, f"the run counts {expected}, not {counts}", NotCertified)
    if certificate.counts.startswith("forced"):
        from littlestone.certificates.check.league_floors import check_league_floor

        return check_league_floor(certificate, played, known)
    if certificate.counts == "log-loss":
        return _check_loss(certificate, played, names, known)
    return _check_mistakes(certificate, played, known)


def _check_served(played: LeaguePlayed) -> None:
    """Refuse chances that the mixture of these readings does not serve."""
    weights = np.full((1 + len(played.rates), 0), 0.0)
    levels = np.full(len(weights), 1 / len(weights))
    now = 0
    joined = np.array(played.joined)
    for t in np.flatnonzero(played.charged).tolist():
        now = now + 1
        here = int(np.count_nonzero(joined <= t))
        fresh = np.zeros((len(weights), here - weights.shape[1]))
        weights = np.hstack([weights, fresh]) if now > 1 else np.full((len(weights), here), 1 / here)
        if now > 1 and not played.still:
            shares = np.array([1 / now, *played.rates])[:, None]
            weights = (1 - shares) * weights + shares / here
            levels = (1 - 1 / now) * levels + 1 / now / len(levels)
        row = played.panel[t, :here]
        awake = ~np.isnan(row)
        said = weights[:, awake] @ row[awake] / weights[:, awake].sum(axis=1)
        served = float(levels @ said)
        same = abs(served - played.served[t]) <= NEAR * served and abs(said[0] - played.level[t]) <= NEAR * said[0]
        require(same, f"round {t} serves {served:.12g}, not {played.served[t]:.12g}", NotCertified)
        power = 1.0 if played.importance is None else float(played.importance[t]) / played.most
        factors = np.where(awake, np.where(awake, row, 1.0) / said[:, None], 1.0) ** power
        weights = weights * factors
        weights /= weights.sum(axis=1, keepdims=True)
        levels = levels * (said / served) ** power
        levels /= levels.sum()


def _check_loss(certificate: Certificate, played: LeaguePlayed, names: list[str], known: dict[str, str]) -> Report:
    """Check a claim about log-loss on a stretch of rounds."""
    witness = certificate.witness
    require_words(witness, (*known, "stretch", "readings", "levels", "member", "reading"))
    first, last = witness["stretch"]
    sound = type(first) is type(last) is int and 1 <= first <= last <= len(played.served)
    require(sound, f"no rounds from {first!r} to {last!r} are among {len(played.served)}", NotCertified)
    reading = witness["reading"]
    sound = type(reading) is int and 0 <= reading < len(names) and names[reading] == witness["member"]
    require(sound, f"reading {reading!r} is not one of {witness['member']!r}", NotCertified)
    require(played.joined[reading] < first, f"{witness['member']} was not there in round {first}", NotCertified)
    shape = [played.panel.shape[1], 1 + len(played.rates)]
    told = [witness["readings"], witness["levels"]]
    require(is_same_json(told, shape), f"there are {shape} readings and levels, not {told}", NotCertified)
    stretch = measure_stretch(played, first - 1, last, reading)
    require(stretch.holds, "more was lost than the theorem allows", NotCertified)
    words = (certificate.theorem, certificate.promise, certificate.scope, certificate.count, certificate.bound)
    expected = (LOSS, describe_promise(witness["member"], first, last), "sequence", *round_ends(stretch))
    same = words == expected and float not in (type(certificate.count), type(certificate.bound))
    require(same, f"its words are {expected}, not {words}", NotCertified)
    return accept(certificate)


def _check_mistakes(certificate: Certificate, played: LeaguePlayed, known: dict[str, str]) -> Report:
    """Check a claim about mistakes."""
    witness = certificate.witness
    phases = follow_account(played)
    require_words(witness, (*known, "phases"))
    told = describe_phases(phases)
    same = is_same_json(witness["phases"], told)
    require(same, f"the account has the phases {told}, not {witness['phases']}", NotCertified)
    coins = bool(played.flags.any())
    count = sum(phase.stood for phase in phases) if coins else int(np.count_nonzero(played.wrong))
    given = certificate.count
    bound = sum(phase.bound for phase in phases)
    near = type(given) in (int, float) and abs(float(given or 0) - count) <= NEAR * (len(played.wrong) + 1)
    require(near, f"{count} mistakes are counted, not {given}", NotCertified)
    kind, scope = ("expected mistakes", "expectation") if coins else ("mistakes", "sequence")
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.bound)
    expected = (MISTAKES, PROMISE, kind, scope, bound)
    same = words == expected and type(certificate.bound) is int
    require(same, f"its words are {expected}, not {words}", NotCertified)
    return accept(certificate)


PROMISE = "the best member of each phase makes the mistakes that the witness names"


def describe_promise(member: str, first: int, last: int) -> str:
    """What a claim about log-loss supposes."""
    return f"a reading of {member} loses what it does in rounds {first} to {last}"


def describe_phases(phases: list[AccountPhase]) -> list[list[int]]:
    """Of each phase its rounds, members, best member and its mistakes, and the bound with the gap that was seen."""
    return [[one.first + 1, one.last, one.members, one.best, one.mistakes, one.close] for one in phases]
