"""What the replay of a run counts, and what a check that found nothing wrong has to report."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.printed_numbers import Number
from littlestone.certificates.check.integer_rows import Stretch

SHORT = 1000  # denominators up to which a fraction is shown as such
DIGITS = 6  # of other numbers that are not whole


@dataclass(frozen=True, slots=True)
class Report:
    """What was verified. A report is always true in a condition: what does not hold raises `NotCertified`.

    Args:
        theorem: The theorem that gives the bound.
        counts: What it counts, such as "updates" or "expected mistakes".
        counted: How many of these the run made.
        bound: The most that the theorem allows on these rounds.
        rounds: How many rounds were read.
        exact: Whether the theorem was checked in exact arithmetic; otherwise it is true up to the rounding of the run.
        differing: The numbers of the rounds that floats decided otherwise than exact arithmetic does.
        possible: The fewest and the most mistakes that the rounding of the run leaves open; None: it rounds nothing.
        replayed: Whether the run was played again bit for bit, so that no other count would have been accepted.
        version: That of the certificate.
        given: Whose forecasts were taken as they were given, if any.
        confirmed: The members of a league whose scores were worked out by the rules of the check as well.
    """

    theorem: str
    counts: str
    counted: Number
    bound: Number
    rounds: int
    exact: bool
    differing: tuple[int, ...] = ()
    possible: tuple[int, int] | None = None
    replayed: bool = False
    version: int | None = VERSION
    given: str = ""
    confirmed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        counted = _format(self.counted, ROUND_FLOOR)
        bound = _format(self.bound, ROUND_CEILING)
        text = f"{counted} {self.counts} <= {bound} verified over {self.rounds} rounds, {self._say_how()}"
        text += f" ({self.theorem})"
        if self.differing:
            text += f"; rounding decided rounds {list(self.differing)}"
        if self.given:
            text += f"; of the forecasts that were given for {self.given}"
        if self.confirmed:
            text += f"; the check's own rules give the scores of {', '.join(self.confirmed)} to the bit"
        if self.version is None:
            within = "" if self.possible is None else ", within rounding"
            text += f"; it has no version, so it was read by the rules of its day{within}"
        return text

    def _say_how(self) -> str:
        """How it was verified, in words."""
        rounding = "up to the rounding of the run"
        certain = self.replayed or self.possible is None
        if self.exact and certain:
            return "exactly"
        if self.replayed:
            return f"the counts exactly, the theorem {rounding}"
        low, high = self.possible or (0, 0)
        return rounding + (f", which leaves {low} to {high} mistakes open" if low < high else "")


def accept(certificate: Certificate, differing: Iterable[int] = (), possible: tuple[int, int] | None = None) -> Report:
    """The report on a certificate whose every word was checked; refused if it counts more than its bound."""
    counted = certificate.counted
    bound = certificate.bound
    require(counted <= bound, f"{counted} exceeds the bound {bound}", NotCertified)
    words = (certificate.theorem, certificate.counts, counted, bound, certificate.rounds, certificate.exact)
    return Report(*words, tuple(differing), possible, version=certificate.version)


def is_same_json(told: Any, expected: Any) -> bool:
    """Whether two values have the same text in JSON: none has a float, or `true`, for a whole number."""
    return json.dumps(told, sort_keys=True) == json.dumps(expected, sort_keys=True)


def require_words(record: Any, known: Iterable[str], further: Iterable[str] = ()) -> None:
    """Refuse what is no record of the known words, or has any besides but the further ones: nothing checks them."""
    named = set(record) if type(record) is dict else set()
    needed = set(known)
    fits = type(record) is dict and needed <= named <= needed | set(further)
    require(fits, f"a record has the words {sorted(map(str, named))}, not {sorted(needed)}", NotCertified)


def _format(value: Number, rounding: str) -> str:
    """A number for people: whole or a short fraction as it is, any other one rounded to some digits."""
    fraction = Fraction(value)
    if fraction.denominator <= SHORT:
        return str(fraction)
    digits = Context(prec=max(DIGITS, len(str(int(fraction)))), rounding=rounding)
    return str(digits.divide(Decimal(fraction.numerator), Decimal(fraction.denominator)))


@dataclass
class ReplayCounts:
    """Counts of a replay; mistakes that the rounding of the run leaves open lie between `fewest` and `most`."""

    fewest: int = 0
    most: int = 0
    differing: list[int] = field(default_factory=list)  # rounds that the run decided otherwise than the replay

    @property
    def possible(self) -> tuple[int, int]:
        """The fewest and the most mistakes."""
        return self.fewest, self.most

    def count(self, wrong: bool, sure: bool) -> None:
        """Count a guess that was wrong, or may have been where that is not sure."""
        self.fewest += wrong and sure
        self.most += wrong or not sure

    def count_sure(self, part: Stretch, sure: Array, wrong: Array) -> list[int]:
        """Count the wrong guesses that are sure, and return the places of those rounds that are not.

        The first round of all never is: it may surprise.
        """
        sure[: int(part.first == 0)] = False
        many = int(np.count_nonzero(sure & wrong))
        self.fewest, self.most = self.fewest + many, self.most + many
        return np.flatnonzero(~sure).tolist()

    def decide(self, number: int, teaches: bool, listed: bool, near: bool, what: str, value: Any) -> None:
        """Refuse a round that is listed and must not teach, or the other way round, unless it is `near` to either.

        The refusal names the value, such as the agreement, that decides.
        """
        if teaches != listed:
            must = "must teach and is not listed" if teaches else "is listed and must not teach"
            short = isinstance(value, Fraction) and value.denominator < 1000
            shown = str(value) if short else f"{float(value):.6g}"
            require(near, f"round {number} {must}: its {what} is {shown}", NotCertified)
            self.differing.append(number)

    def check_mistakes(self, mistakes: Any) -> None:
        """Refuse a number of mistakes that the run cannot have made."""
        right = type(mistakes) is int and self.fewest <= mistakes <= self.most
        between = str(self.fewest) if self.fewest == self.most else f"{self.fewest} to {self.most}"
        require(right, f"the run makes {between} mistakes, not {mistakes}", NotCertified)

    def check_updates(self, certificate: Certificate, exact: bool = True) -> Report:
        """Refuse counts that are not those of the replay, and words that are not those of a theorem about updates."""
        listed = len(certificate.updated)
        bound = certificate.bound
        same = type(certificate.updates) is int and certificate.updates == listed
        require(same, f"{listed} updates are listed, not {certificate.updates}", NotCertified)
        self.check_mistakes(certificate.mistakes)
        words = (certificate.counts, certificate.count, certificate.scope, certificate.exact, certificate.marks)
        expected = ("updates", None, "sequence", exact, ())
        require(words == expected, f"its words are {words}, not those of a theorem about updates", NotCertified)
        require(type(bound) is int, f"the bound must be a whole number, got {bound!r}", NotCertified)
        return accept(certificate, self.differing, self.possible)
