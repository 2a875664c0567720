"""Losses: what a forecast costs once the outcome is known, each with its declared range.

Forecasts and outcomes lie in [low, high]; the loss is then at most `top`. Anything outside is refused, never clipped.
A `mixable` loss has a rate at which Vovk's aggregating algorithm regrets at most ln N / rate whatever happens.

>>> Square()(0.75, 1), Brier()(0.75, 1), Pinball(0.9, high=10)(4, 6)
(0.0625, 0.125, 1.8)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, ClassVar, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadLabel, require
from littlestone.compiled import kernel, rule

ZERO_ONE, ABSOLUTE, SQUARE, LOG, PINBALL, CUSTOM = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0  # codes that compiled loops read


@rule
def pinball(short: Any, quantile: Any) -> Any:
    """What a forecast pays that falls short by so much (negative: that exceeds)."""
    return quantile * short if short > 0 else (quantile - 1.0) * short


@rule
def paid(code: Any, forecast: Any, outcome: Any, shape: Any) -> Any:
    """The loss of one forecast."""
    if code == ZERO_ONE:
        return 1.0 if forecast != outcome else 0.0
    if code == ABSOLUTE:
        return abs(forecast - outcome)
    if code == SQUARE:
        return (forecast - outcome) * (forecast - outcome) * shape
    if code == LOG:
        return -np.log(forecast if outcome == 1.0 else 1.0 - forecast)
    return pinball(outcome - forecast, shape) if code == PINBALL else 0.0  # the user's own is not known here


@rule
def pay(code: Any, forecasts: Array, at: Any, size: Any, outcome: Any, shape: Any, out: Array) -> None:
    """The losses of a block of forecasts from `at` on; one plain loop for each loss, so that each is vectorised."""
    if code == ABSOLUTE:
        for k in range(size):
            out[k] = abs(forecasts[at + k] - outcome)
    elif code == SQUARE:
        for k in range(size):
            out[k] = (forecasts[at + k] - outcome) * (forecasts[at + k] - outcome) * shape
    elif code == PINBALL:
        for k in range(size):
            out[k] = pinball(outcome - forecasts[at + k], shape)
    else:
        for k in range(size):
            out[k] = paid(code, forecasts[at + k], outcome, shape)


@kernel
def tabulate(code: float, forecasts: Array, outcomes: Array, shape: float, out: Array) -> None:
    """The loss of every forecast that was made."""
    for t in range(outcomes.size):
        for k in range(forecasts.shape[1]):
            if forecasts[t, k] == forecasts[t, k]:
                out[t, k] = paid(code, forecasts[t, k], outcomes[t], shape)


class Loss(ABC):
    """A loss with its range. Subclasses are frozen dataclasses; `code` and `shape` are what compiled loops read."""

    code: ClassVar[float] = CUSTOM  # the user's own function: loops are told what each forecast costs
    convex: ClassVar[bool] = True  # whether the loss of a mean forecast is at most the mean of the losses
    binary: ClassVar[bool] = False  # whether outcomes are 0 and 1
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
        return float(paid(self.code, float(forecast), float(outcome), self.shape))

    def leading(self, outcomes: Array) -> int:
        """How many leading outcomes are in the range; BadLabel if not even the first is."""
        if self.binary:
            inside, allowed = (outcomes == 0) | (outcomes == 1), "0 or 1"
        else:
            inside, allowed = (outcomes >= self.low) & (outcomes <= self.high), f"in [{self.low}, {self.high}]"
        if inside.all():
            return len(outcomes)
        first = int(np.argmin(inside))
        require(first > 0, f"an outcome for {self} must be {allowed}, got {outcomes[0]}", BadLabel)
        return first

    def table(self, forecasts: Array, outcomes: Array) -> Array:
        """The loss of every forecast, a row for each round; NaN where an expert sleeps."""
        if self.code == CUSTOM:
            costs, _ = self.priced(forecasts, outcomes)
            return np.where(forecasts == forecasts, costs, np.nan)
        costs = np.full(forecasts.shape, np.nan)
        tabulate(self.code, forecasts.astype(np.float64), outcomes.astype(np.float64), self.shape, costs)
        return costs

    def priced(self, forecasts: Array, outcomes: Array) -> tuple[Array, int]:
        """What the forecasts of leading rounds lose, one call at a time (0 asleep), and how many rounds that is.

        It stops before a round with a loss outside the declared range; if that is the first, its error is raised.
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

    def _ranged(self) -> None:
        finite = isfinite(self.low) and isfinite(self.high)
        require(finite and self.low < self.high, f"a range needs low < high, got [{self.low}, {self.high}]")


@final
@dataclass(frozen=True, slots=True)
class ZeroOne(Loss):
    """1 for a forecast that differs from the outcome, which is 0 or 1; not convex, so experts are drawn."""

    code: ClassVar[float] = ZERO_ONE
    convex: ClassVar[bool] = False
    binary: ClassVar[bool] = True
    low: float = field(default=0.0, init=False)
    high: float = field(default=1.0, init=False)

    @property
    def top(self) -> float:
        return 1.0


@final
@dataclass(frozen=True, slots=True)
class Absolute(Loss):
    """|forecast - outcome|."""

    code: ClassVar[float] = ABSOLUTE
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        self._ranged()

    @property
    def top(self) -> float:
        return float(self.high - self.low)


@final
@dataclass(frozen=True, slots=True)
class Square(Loss):
    """(forecast - outcome)^2, mixable at 2 / (high - low)^2."""

    code: ClassVar[float] = SQUARE
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        self._ranged()

    @property
    def top(self) -> float:
        return float(self.high - self.low) ** 2

    @property
    def mixable(self) -> float:
        return 2 / self.top


@final
@dataclass(frozen=True, slots=True)
class Brier(Loss):
    """The Brier score of a probability of two outcomes: (p - y)^2 + ((1-p) - (1-y))^2 = 2 (p - y)^2; mixable at 1."""

    code: ClassVar[float] = SQUARE
    binary: ClassVar[bool] = True
    low: float = field(default=0.0, init=False)
    high: float = field(default=1.0, init=False)

    @property
    def shape(self) -> float:
        return 2.0

    @property
    def top(self) -> float:
        return 2.0

    @property
    def mixable(self) -> float:
        return 1.0


@final
@dataclass(frozen=True, slots=True)
class Log(Loss):
    """Minus the logarithm of the probability given to the outcome, which must not be 0 or 1; mixable at 1."""

    code: ClassVar[float] = LOG
    binary: ClassVar[bool] = True
    low: float = field(default=5e-324, init=False)
    high: float = field(default=1 - 2.0**-53, init=False)

    @property
    def top(self) -> float:
        return inf

    @property
    def mixable(self) -> float:
        return 1.0


@final
@dataclass(frozen=True, slots=True)
class Pinball(Loss):
    """The loss that a quantile minimises: quantile times what it falls short, (1 - quantile) times what it exceeds."""

    code: ClassVar[float] = PINBALL
    quantile: float = 0.5
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        self._ranged()
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
    """Any function of forecast and outcome whose values stay in [0, top]; `averages` declares it convex."""

    function: Callable[[float, float], float]
    top: float = 1.0
    low: float = -1e300
    high: float = 1e300
    averages: bool = False

    def __post_init__(self) -> None:
        self._ranged()
        require(0 < self.top < inf, f"top, the largest loss, must be positive and finite, got {self.top}")

    @property
    def convex(self) -> bool:  # type: ignore[override]
        return self.averages

    def __call__(self, forecast: float, outcome: float, /) -> float:
        value = float(self.function(float(forecast), float(outcome)))
        message = (
            f"the loss {self.function} declares values in [0, {self.top}] but gave {value} for forecast {forecast}"
        )
        require(0 <= value <= self.top, f"{message} and outcome {outcome}", BadLabel)
        return value


NAMED: dict[str, type[Loss]] = {
    "zero-one": ZeroOne, "absolute": Absolute, "square": Square, "brier": Brier, "log": Log, "pinball": Pinball,
}  # fmt: skip
