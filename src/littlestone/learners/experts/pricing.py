"""Pricing: what a forecast loses, in compiled loops, for every loss that has a code."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import kernel, rule

# codes that compiled loops read
ZERO_ONE = 0.0
ABSOLUTE = 1.0
SQUARE = 2.0
LOG = 3.0
PINBALL = 4.0
CUSTOM = 5.0


@rule
def price_pinball(short: Any, quantile: Any) -> Any:
    """What a forecast pays that falls `short` of the outcome, or exceeds it where that is negative."""
    return quantile * short if short > 0 else (quantile - 1) * short


@rule
def price(code: Any, forecast: Any, outcome: Any, shape: Any) -> Any:
    """The loss of one forecast by the loss of this code; exact for fractions, but for the logarithm."""
    if code == ZERO_ONE:
        return 1.0 if forecast != outcome else 0.0
    if code == ABSOLUTE:
        return abs(forecast - outcome)
    if code == SQUARE:
        return (forecast - outcome) * (forecast - outcome) * shape
    if code == LOG:
        return -np.log(forecast if outcome == 1.0 else 1.0 - forecast)
    return price_pinball(outcome - forecast, shape) if code == PINBALL else 0.0  # the user's own is not known here


@rule
def price_group(code: Any, forecasts: Array, at: Any, size: Any, outcome: Any, shape: Any, out: Array) -> None:
    """Write the losses of forecasts from `at` on; one plain loop for each loss, so that each is vectorised."""
    if code == ABSOLUTE:
        for k in range(size):
            out[k] = abs(forecasts[at + k] - outcome)
    elif code == SQUARE:
        for k in range(size):
            out[k] = (forecasts[at + k] - outcome) * (forecasts[at + k] - outcome) * shape
    elif code == PINBALL:
        for k in range(size):
            out[k] = price_pinball(outcome - forecasts[at + k], shape)
    else:
        for k in range(size):
            out[k] = price(code, forecasts[at + k], outcome, shape)


@kernel
def tabulate(code: float, forecasts: Array, outcomes: Array, shape: float, out: Array) -> None:
    """Write the loss of every forecast that was made."""
    for t in range(outcomes.size):
        for k in range(forecasts.shape[1]):
            if forecasts[t, k] == forecasts[t, k]:
                out[t, k] = price(code, forecasts[t, k], outcomes[t], shape)
