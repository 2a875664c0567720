"""Numbers for people, rounded so that what is printed is true: counts down, bounds and probabilities up.

>>> format_up(Fraction(13, 12)), format_down(Fraction(13, 12)), format_percent(Fraction(1, 3))
('1.0834', '1.0833', '33.4 %')
"""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

Number = int | Fraction | float
WHOLE = ("mistakes", "updates")  # what is counted in whole rounds


def format_up(value: Number, digits: int = 5) -> str:
    """A number for people that is no smaller: whole if it is whole, otherwise with a few digits. For bounds."""
    return _format(value, digits, ROUND_CEILING)


def format_down(value: Number, digits: int = 5) -> str:
    """A number for people that is no larger: whole if it is whole, otherwise with a few digits. For counts."""
    return _format(value, digits, ROUND_FLOOR)


def format_most(value: Number, counts: str) -> str:
    """The most that a bound allows, for people: whole where what it counts is, otherwise rounded up."""
    return f"{math.floor(value):,}" if counts in WHOLE else format_up(value)


def compare(counted: Number, counts: str, bound: Number, digits: int = 5) -> str:
    """What was counted beside its bound, in as few digits from `digits` on as show which is larger.

    The count is rounded down and the bound up, so that what is printed is true of the numbers themselves.
    """
    for more in range(digits, 60):
        below = format_down(counted, more)
        above = format_up(bound, more)
        if (counted <= bound) == (Fraction(below) <= Fraction(above)):
            break
    return f"{below} {counts} <= {above}"


def _format(value: Number, digits: int, rounding: str) -> str:
    if not isinstance(value, int | Fraction) and not math.isfinite(value):
        return str(float(value))
    exact = Fraction(value)
    large = 10**21
    if abs(exact) < large and (exact.denominator == 1 or abs(exact) >= 10**digits):
        return str(math.ceil(exact) if rounding == ROUND_CEILING else math.floor(exact))
    short = Context(prec=digits, rounding=rounding).divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return f"{short.normalize():f}" if -5 < short.adjusted() < 21 else f"{short.normalize():e}"


def format_percent(value: Fraction | float) -> str:
    """Write a probability for people, rounded up to two significant digits, and to a tenth from 10 % on."""
    hundredfold = Fraction(value) * 100
    if not hundredfold:
        return "0 %"
    scale = Fraction(10) ** max(1 - math.floor(math.log10(hundredfold)), 1)
    return f"{float(math.ceil(hundredfold * scale) / scale):g} %"


def format_confidence(confidence: float) -> str:
    """Write a confidence for people, with all its digits: 0.9999999 is not 100 %."""
    return f"{format_down(100 * Fraction(repr(float(confidence))), 17)} %"
