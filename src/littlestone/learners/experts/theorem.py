"""What the theorem of a learner from advice is about, and the bound of weighted majority in exact arithmetic."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import floor
from typing import Literal, NamedTuple


class AdviceTheorem(NamedTuple):
    """What the theorem of a learner from advice is about.

    Args:
        name: What the theorem is called, with its authors.
        counts: What it bounds.
        tosses: Whether the learner tosses coins, so that the theorem is about the expectation over them.
        sleepers: What the proof charges an expert that sleeps. "mix loss": its share of the weight stays, so that the
            proof holds over the rounds it is awake. "mistakes": those of the learner, so that both sides of the theorem
            have them. "no late ones": experts may sleep but not join late. "none": they may do neither.
        schedule: Whether the learner is compared with any sequence of experts instead of one expert.
    """

    name: str
    counts: Literal["mistakes", "expected mistakes", "loss"]
    tosses: bool = False
    sleepers: Literal["mix loss", "mistakes", "no late ones", "none"] = "mix loss"
    schedule: bool = False

    @property
    def scope(self) -> Literal["sequence", "expectation"]:
        """What a certificate of it is true of."""
        return "expectation" if self.tosses else "sequence"

    @property
    def promise(self) -> str:
        """What a certificate of it says of its witness."""
        if self.schedule:
            return "the experts that are named, each from its round on, lost together what is stated"
        return "the expert that is named lost, and was charged asleep, what is stated"


def count_allowed(experts: int, penalty: Fraction, marks: int) -> int:
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

    def take_log(value: Fraction) -> Decimal:
        return context.divide(Decimal(value.numerator), Decimal(value.denominator)).ln(context)

    top = marks * take_log(1 / penalty) + take_log(Fraction(experts))
    return floor(context.divide(top * (1 + sign * shift), take_log(2 / (1 + penalty))))
