"""What forecasts lose, in fractions where the loss is one, and between two decimals where it is not.

>>> read_loss("Pinball(quantile=0.5, low=0.0, high=10.0)").price(Fraction(4), Fraction(6))
Fraction(1, 1)
"""

import ast
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.intervals import ZERO, Interval

FIELDS = {name: {"low", "high"} for name in ("ZeroOne", "Brier", "Log", "Absolute", "Square")}
FIELDS["Pinball"] = {"low", "high", "quantile"}
UNIT = {"ZeroOne", "Brier"}  # losses whose range cannot be chosen
BINARY = {"ZeroOne", "Brier", "Log"}


class CheckedLoss(NamedTuple):
    """A loss by its name and numbers; `own` is the user's function, with the largest value it declares."""

    name: str
    low: Fraction
    high: Fraction
    quantile: Fraction = Fraction(1, 2)
    own: Callable[[float, float], float] | None = None
    most: Fraction = Fraction(1)

    @property
    def top(self) -> Fraction:
        """The largest loss."""
        width = self.high - self.low
        if self.name == "Pinball":
            return max(self.quantile, 1 - self.quantile) * width
        tops = {"ZeroOne": Fraction(1), "Absolute": width, "Square": width**2, "Brier": Fraction(2)}
        return self.most if self.own is not None else tops[self.name]

    @property
    def steepness(self) -> Fraction:
        """The factor of the square, for losses that are squares."""
        return Fraction(2) if self.name == "Brier" else Fraction(1)

    @property
    def mixable(self) -> Fraction:
        """The largest rate at which Vovk's algorithm may mix."""
        require(self.name in ("Square", "Brier", "Log"), f"{self.name} is not mixable", NotCertified)
        return 2 / self.top if self.name == "Square" else Fraction(1)

    @property
    def convex(self) -> bool:
        return self.own is None and self.name != "ZeroOne"

    def price(self, forecast: Fraction, outcome: Fraction) -> Fraction:
        """What a forecast loses."""
        short = outcome - forecast
        if self.own is not None:
            lost = Fraction(self.own(float(forecast), float(outcome)))
            require(0 <= lost <= self.most, f"the loss gave {float(lost)}", NotCertified)
            return lost
        if self.name == "ZeroOne":
            return Fraction(short != 0)
        if self.name == "Absolute":
            return abs(short)
        if self.name == "Pinball":
            return self.quantile * short if short > 0 else (self.quantile - 1) * short
        return self.steepness * short**2

    def enclose(self, guess: Interval, outcome: Fraction) -> Interval:
        """What a guess between two decimals loses, by a loss that falls up to the outcome and rises from there."""
        reals = guess.reals
        if self.name == "Log":
            return -reals.ln(guess if outcome == 1 else 1 - guess)
        ends = [self._enclose_at(Interval(end, end, reals), outcome) for end in (guess.low, guess.high)]
        y = reals.of(outcome)
        low = ZERO if guess.low <= y.high and y.low <= guess.high else min(end.low for end in ends)
        return Interval(low, max(end.high for end in ends), reals)

    def _enclose_at(self, guess: Interval, outcome: Fraction) -> Interval:
        """What a guess that is a point, up to rounding, loses by a loss other than Log."""
        short = outcome - guess
        # one of them is 0, but for rounding
        under = short.positive_part
        over = (-short).positive_part
        if self.name in ("Square", "Brier"):
            return self.steepness * (under + over) * (under + over)
        return self.quantile * under + (1 - self.quantile) * over if self.name == "Pinball" else under + over


def read_loss(text: Any) -> CheckedLoss:
    """The loss that a certificate writes as its constructor call."""
    require(type(text) is str and len(text) < 1000, "a loss must be named", NotCertified)
    try:
        call = ast.parse(text, mode="eval").body
    except SyntaxError:
        raise NotCertified(f"{text} is known to the learner only: pass it") from None
    sound = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args
    require(sound, f"{text!r} names no loss", NotCertified)
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    name = call.func.id
    given = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
    numbers = all(type(value) in (int, float) and isfinite(value) for value in given.values())
    known = name in FIELDS and set(given) == FIELDS[name] and numbers
    require(known, f"{text!r} is not a loss that can be checked", NotCertified)
    parts = {str(key): Fraction(value) for key, value in given.items()}
    require(parts["low"] < parts["high"], f"{text!r} has no range", NotCertified)
    require(
        name not in UNIT or [parts["low"], parts["high"]] == [Fraction(0), Fraction(1)],
        f"the range of {name} is [0, 1]",
        NotCertified,
    )
    require(0 < parts.get("quantile", Fraction(1, 2)) < 1, "a quantile lies between 0 and 1", NotCertified)
    return CheckedLoss(name, parts["low"], parts["high"], parts.get("quantile", Fraction(1, 2)))
