"""What a check that found nothing wrong has to report."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from littlestone.base.bound import Certificate, Number
from littlestone.base.errors import NotCertified, require

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
        exact: Whether all of it was computed exactly; otherwise it is true up to the rounding of the run.
        differing: The numbers of the rounds that floats decided otherwise than exact arithmetic does.
    """

    theorem: str
    counts: str
    counted: Number
    bound: Number
    rounds: int
    exact: bool
    differing: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        how = "exactly" if self.exact else "up to the rounding of the run"
        counted, bound = _format(self.counted, ROUND_HALF_EVEN), _format(self.bound, ROUND_CEILING)
        text = f"{counted} {self.counts} <= {bound} verified over {self.rounds} rounds, {how} ({self.theorem})"
        return text + (f"; rounding decided rounds {list(self.differing)}" if self.differing else "")


def accept(certificate: Certificate, differing: Iterable[int] = ()) -> Report:
    """The report on a certificate whose every word was checked; refused if it counts more than its bound."""
    counted, bound = certificate.counted, certificate.bound
    require(counted <= bound, f"{counted} exceeds the bound {bound}", NotCertified)
    words = (certificate.theorem, certificate.counts, counted, bound, certificate.rounds, certificate.exact)
    return Report(*words, tuple(differing))


def _format(value: Number, rounding: str) -> str:
    """A number for people: whole or a short fraction as it is, any other one rounded to some digits."""
    fraction = Fraction(value)
    if fraction.denominator <= SHORT:
        return str(fraction)
    digits = Context(prec=max(DIGITS, len(str(int(fraction)))), rounding=rounding)
    return str(digits.divide(Decimal(fraction.numerator), Decimal(fraction.denominator)))
