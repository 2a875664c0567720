"""Moving means: what shares and losses of one pass say about the hypotheses that made them, at every round at once.

Rounds are drawn independently from one source, each is judged before it is learned, and the hypothesis may change with
every round. An interval holds the average, over the rounds counted, of the hypotheses' own chances or expected losses.

Shares (theorem 1 of `risk.py`, both sides). Among rounds that are counted for a reason known before the event, it has
in each the chance r_t of the hypothesis at hand: recall counts the rounds of a class, precision those with a guess.
With M events in m rounds, sum over j of p_j e^(l_j M) (1 + r (e^(l_j) - 1))^(-m) < 1 / d for all m at once, with
probability at least 1 - d, r being the average: the lower side, by the same proof, as ln(1 + r c) is concave in r.

F1 = 2 P R / (P + R) rises with precision P and recall R: a quarter of d for each of their four ends.

Losses in [0, b]. Let x_t be the loss over b, x'_t = (x_1 + ... + x_(t-1) + 1/4) / t, V the sum of (x_t - x'_t)^2 and
u_t the expectation of x_t before round t. For l_j in (0, 1), with probability at least 1 - d for all m at once,

    sum over j of p_j exp(l_j G - (-ln(1 - l_j) - l_j) V) < 1 / d,    G = the sum of (u_t - x_t),

and the same with x_t - u_t in place of u_t - x_t.

Proof. exp(l s + (ln(1 - l) + l) s^2) <= 1 + l s for s >= -1. With s = x' - x its expectation is at most
1 + l (x' - u) <= exp(l (x' - u)), so that exp(l (u - x) - ... V) is a supermartingale; Ville's inequality.

S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon. Time-uniform, nonparametric, nonasymptotic confidence sequences.
Annals of Statistics 49:1055-1080, 2021.

Of the area under the curve of a pass no interval is known: scores of different hypotheses cannot be compared.

>>> low, high = bound_share(155, 1000, 0.02)
>>> round(low, 4), round(high, 4)
(0.112, 0.2055)
"""

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.risk import RATES, SHARES, SURE, measure_evidence

LARGEST_LOSS = math.log(1000)  # of a log-loss that is bounded: what is larger is charged as this
SLOPES = tuple(0.75 * 2.0**-j for j in range(20))


def bound_share(events: int, rounds: int, missing: float) -> tuple[float, float]:
    """Between what the average chance lies of what happened in some of the rounds, but with probability `missing`."""
    allowed = math.log(2 / missing) + SURE
    share = events / max(rounds, 1)
    high = _climb(lambda r: measure_evidence(rounds, events, r), share, 1.0, allowed)
    return 1 - _climb(lambda r: _measure_lower(rounds, events, 1 - r), 1 - share, 1.0, allowed), high


def bound_f1(right: int, guessed: int, came: int, missing: float) -> tuple[float, float]:
    """Between what the F1 of the average precision and the average recall lies."""
    precision = bound_share(right, guessed, missing / 2)
    recall = bound_share(right, came, missing / 2)
    low, high = (2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precision, recall, strict=True))
    return low, high


def _measure_lower(rounds: int, events: int, average: float) -> float:
    """The logarithm of the martingale of the lower side if the average chance were this small."""
    parts = []
    for rate, share in zip(RATES, SHARES, strict=True):
        growth = rate + math.log(average + (1 - average) * math.exp(-rate))  # ln(1 + r (e^l - 1))
        parts.append(math.log(share) + rate * events - rounds * growth)
    return _add_logarithms(parts)


def _add_logarithms(parts: list[float]) -> float:
    top = max(parts)
    return top + math.log(math.fsum(math.exp(part - top) for part in parts))


def _climb(evidence: Callable[[float], float], low: float, high: float, allowed: float) -> float:
    """The least number up to `high`, rounded up, from which on evidence, which rises, is no longer allowed."""
    if evidence(high) < allowed:
        return high
    while high - low > 1e-13 + 1e-9 * abs(high):
        middle = (low + high) / 2
        low, high = (middle, high) if evidence(middle) < allowed else (low, middle)
    return high


class LossSums:
    """The sums over rounds from which the mean of losses from 0 to `largest` is bounded."""

    def __init__(self, largest: float) -> None:
        self.largest = largest
        self.rounds = 0
        # of x, and of (x - x')^2
        self.total = 0.0
        self.squares = 0.0

    @property
    def mean(self) -> float:
        return self.largest * self.total / max(1, self.rounds)

    def add(self, losses: Array) -> None:
        """Take up rounds; what is larger than the largest loss counts as that. One by one, however rounds come."""
        x = np.clip(losses, 0.0, self.largest) / self.largest
        totals = np.cumsum(np.append(self.total, x))
        expected = (totals[:-1] + 0.25) / (self.rounds + 1 + np.arange(len(x)))
        self.squares = float(np.cumsum(np.append(self.squares, (x - expected) ** 2))[-1])
        self.total, self.rounds = float(totals[-1]), self.rounds + len(x)

    def bound(self, missing: float) -> tuple[float, float]:
        """Between what the average of the expected losses lies, but with probability `missing`."""
        allowed = math.log(2 / missing) + SURE

        def measure(excess: float) -> float:
            return _add_logarithms(
                [
                    -math.log(len(SLOPES)) + slope * excess + (math.log1p(-slope) + slope) * self.squares
                    for slope in SLOPES
                ]
            )

        reach = _climb(measure, 0.0, float(max(1, self.rounds)), allowed)
        ends = [(self.total + side * reach) / max(1, self.rounds) for side in (-1, 1)]
        return self.largest * max(0.0, ends[0]), self.largest * min(1.0, ends[1])

    def to_record(self) -> list[Any]:
        return [self.rounds, self.total, self.squares]

    @classmethod
    def from_record(cls, largest: float, record: list[Any]) -> Self:
        """The sums that were written down as a record."""
        one = cls(largest)
        one.rounds, one.total, one.squares = record
        return one
