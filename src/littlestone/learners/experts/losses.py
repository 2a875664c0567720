"""Losses: what a forecast costs once the outcome is known, each with its declared range.

Forecasts and outcomes lie in [low, high]; the loss is then at most `top`. Anything outside is refused, never clipped.
A `mixable` loss has a rate at which Vovk's aggregating algorithm regrets at most ln N / rate whatever happens.

>>> Square()(0.75, 1), Brier()(0.75, 1), Pinball(0.9, high=10)(4, 6)
(0.0625, 0.125, 1.8)
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from typing import ClassVar, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadLabel, require
from littlestone.base.parameters import Checked
from littlestone.learners.experts.pricing import ABSOLUTE, CUSTOM, LOG, PINBALL, SQUARE, ZERO_ONE, price, tabulate


class Loss(metaclass=Checked):
    """A loss with its range. Subclasses are frozen dataclasses; `code` and `shape` are what compiled loops read."""

    code: ClassVar[float] = CUSTOM  # the user's own function: loops are given what each forecast costs
    convex: ClassVar[bool] = True  # whether the loss of a mean forecast is at most the mean of the losses
    binary: ClassVar[bool] = False  # whether outcomes are 0 and 1
    rational: ClassVar[bool] = True  # whether `price_exactly` rounds nothing
    low: float
    high: float

    @property
    def shape(self) -> float:
        """The number that the rule reads beside forecast and outcome."""
        return 1.0

    @property
    @abstractmethod
    def top(self) -> float:
        """The largest loss; infinite for one without a bound."""

    @property
    def mixable(self) -> float:
        """The largest rate at which the loss is mixable; 0 for one that is not."""
        return 0.0

    def __call__(self, forecast: float, outcome: float, /) -> float:
        return float(price(self.code, float(forecast), float(outcome), self.shape))

    def price_exactly(self, forecast: Fraction, outcome: Fraction) -> Fraction:
        """The loss of one forecast by the same rule in fractions, or as a float gives it where the rule has none."""
        if self.code in (CUSTOM, LOG):
            return Fraction(self(float(forecast), float(outcome)))
        return Fraction(price(self.code, forecast, outcome, Fraction(self.shape)))

    def count_leading(self, outcomes: Array) -> int:
        """How many leading outcomes are in the range; BadLabel if not even the first is."""
        if self.binary:
            inside = (outcomes == 0) | (outcomes == 1)
            allowed = "0 or 1"
        else:
            inside = (outcomes >= self.low) & (outcomes <= self.high)
            allowed = f"in [{self.low}, {self.high}]"
        if inside.all():
            return len(outcomes)
        first = int(np.argmin(inside))
        require(first > 0, f"an outcome for {self} must be {allowed}, got {outcomes[0]}", BadLabel)
        return first

    def price_table(self, forecasts: Array, outcomes: Array) -> Array:
        """The loss of every forecast, a row for each round; NaN where an expert sleeps."""
        if self.code == CUSTOM:
            costs, _ = self.price_rounds(forecasts, outcomes)
            return np.where(forecasts == forecasts, costs, np.nan)
        costs = np.full(forecasts.shape, np.nan)
        tabulate(self.code, forecasts.astype(np.float64), outcomes.astype(np.float64), self.shape, costs)
        return costs

    def price_rounds(self, forecasts: Array, outcomes: Array) -> tuple[Array, int]:
        """Call the loss for every forecast, up to a round with a loss outside the declared range.

        If that is the first round, its error is raised.

        Returns:
            What the forecasts of the leading rounds lose, 0 where an expert sleeps, and the number of these rounds.
        """
        costs = np.zeros(forecasts.shape)
        for t in range(len(forecasts)):
            try:
                for k in np.flatnonzero(forecasts[t] == forecasts[t]):
                    costs[t, k] = self(forecasts[t, k], outcomes[t])
            except BadLabel:
                if t == 0:
                    raise
                return costs[:t], t
        return costs, len(forecasts)

    def __post_init__(self) -> None:
        finite = isfinite(self.low) and isfinite(self.high)
        require(finite and self.low < self.high, f"a range needs low < high, got [{self.low}, {self.high}]")


@final
@dataclass(frozen=True, slots=True)
class ZeroOne(Loss):
    """1 for a forecast that differs from the outcome, which is 0 or 1; not convex, so experts are drawn.

    It takes no parameters.
    """

    code: ClassVar[float] = ZERO_ONE
    convex: ClassVar[bool] = False
    binary: ClassVar[bool] = True
    top: ClassVar[float] = 1.0
    low: float = field(default=0.0, init=False)
    high: float = field(default=1.0, init=False)


@final
@dataclass(frozen=True, slots=True)
class Absolute(Loss):
    """|forecast - outcome|.

    Args:
        low: The smallest forecast and outcome allowed, finite. Anything below is refused.
        high: The largest one, finite, > low. The largest loss, and so the regret, grows with high - low.
    """

    code: ClassVar[float] = ABSOLUTE
    low: float = 0.0
    high: float = 1.0

    @property
    def top(self) -> float:
        return float(self.high - self.low)


@final
@dataclass(frozen=True, slots=True)
class Square(Loss):
    """(forecast - outcome)^2, mixable at 2 / (high - low)^2.

    Args:
        low: The smallest forecast and outcome allowed, finite. Anything below is refused.
        high: The largest one, finite, > low. The largest loss, and so the regret, grows with (high - low)^2.
    """

    code: ClassVar[float] = SQUARE
    low: float = 0.0
    high: float = 1.0

    @property
    def top(self) -> float:
        return float(self.high - self.low) ** 2

    @property
    def mixable(self) -> float:
        return 2 / self.top


@final
@dataclass(frozen=True, slots=True)
class Brier(Loss):
    """The Brier score of a probability of two outcomes: (p - y)^2 + ((1-p) - (1-y))^2 = 2 (p - y)^2; mixable at 1.

    It takes no parameters: forecasts lie in [0, 1], and outcomes are 0 and 1.
    """

    code: ClassVar[float] = SQUARE
    binary: ClassVar[bool] = True
    shape: ClassVar[float] = 2.0
    top: ClassVar[float] = 2.0
    mixable: ClassVar[float] = 1.0
    low: float = field(default=0.0, init=False)
    high: float = field(default=1.0, init=False)


@final
@dataclass(frozen=True, slots=True)
class Log(Loss):
    """Minus the logarithm of the probability given to the outcome, which must not be 0 or 1; mixable at 1.

    It takes no parameters: forecasts lie strictly between 0 and 1, and outcomes are 0 and 1.
    """

    code: ClassVar[float] = LOG
    binary: ClassVar[bool] = True
    rational: ClassVar[bool] = False
    top: ClassVar[float] = inf
    mixable: ClassVar[float] = 1.0
    low: float = field(default=5e-324, init=False)
    high: float = field(default=1 - 2.0**-53, init=False)


@final
@dataclass(frozen=True, slots=True)
class Pinball(Loss):
    """The loss that a quantile minimises: quantile times what it falls short, (1 - quantile) times what it exceeds.

    Args:
        quantile: Which quantile the forecasts are about, in (0, 1). Above 1/2, a forecast too low costs more.
        low: The smallest forecast and outcome allowed, finite. Anything below is refused.
        high: The largest one, finite, > low. The largest loss, and so the regret, grows with high - low.
    """

    code: ClassVar[float] = PINBALL
    quantile: float = 0.5
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        Loss.__post_init__(self)
        require(0 < self.quantile < 1, f"quantile must be in (0, 1), got {self.quantile}")

    @property
    def shape(self) -> float:
        return float(self.quantile)

    @property
    def top(self) -> float:
        return max(self.quantile, 1 - self.quantile) * float(self.high - self.low)


@final
@dataclass(frozen=True, slots=True)
class Custom(Loss):
    """Any function of forecast and outcome whose values stay in [0, top].

    Args:
        function: Called with forecast and outcome, both floats; returns the loss.
        top: The largest loss it gives, > 0 and finite. The regret grows with it; a larger loss is an error.
        low: The smallest forecast and outcome allowed, finite.
        high: The largest one, finite, > low.
        averages: True if the loss is convex in the forecast, so that it may be charged for a mean of forecasts. Else
            learners need draws=True.
    """

    function: Callable[[float, float], float]
    top: float = 1.0
    low: float = -1e300
    high: float = 1e300
    averages: bool = False

    def __post_init__(self) -> None:
        Loss.__post_init__(self)
        require(0 < self.top < inf, f"top, the largest loss, must be positive and finite, got {self.top}")

    @property
    def convex(self) -> bool:  # type: ignore[override]
        return self.averages

    def __call__(self, forecast: float, outcome: float, /) -> float:
        value = float(self.function(float(forecast), float(outcome)))
        declared = f"declares values in [0, {self.top}]"
        asked = f"forecast {forecast} and outcome {outcome}"
        require(0 <= value <= self.top, f"the loss {self.function} {declared} but gave {value} for {asked}", BadLabel)
        return value


NAMED: dict[str, type[Loss]] = {
    "zero-one": ZeroOne, "absolute": Absolute, "square": Square, "brier": Brier, "log": Log, "pinball": Pinball,
}  # fmt: skip
