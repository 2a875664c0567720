"""Winnow and Balanced Winnow, played again in their own floats, all of them float64.

Weights follow from whole exponents k: b^k as the machine's library rounds it, or for Balanced Winnow a^k minus a^-k,
each rounded so. A score is summed from the weight of the constant attribute on, one term w_i x_i after another; what
each addition rounds away is summed beside (Knuth's two-sum) and added at the end.

The run sums so only where a plain sum of n terms lies within (n + 4) 2^-52 of itself of a level, or for Balanced
Winnow within (n + 4)^2 2^-52 of its largest weight. Beyond that both sums are on the same side of it: no addition is
off by more than 2^-53 of its result.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.additive import Parameters
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatCounts, FloatRun
from littlestone.compiled import kernel

GONE = -(2**62)  # stands for the exponent of a weight of 0
LEAST = 2.0**-14  # the least margin of a phase


def round_power(base: float, exponent: int) -> float:
    """A power in floats, as this machine's library rounds it: at most by one in the last place."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.power(base, np.array([float(exponent)]))[0])


class Levels(NamedTuple):
    """What scores are compared with, and what a score that is equal to a level does."""

    below: float  # negatives teach above it
    middle: float  # the guess is positive above it
    above: float  # positives teach below it
    ties: tuple[bool, bool, bool]  # negatives teach, the guess is positive, positives teach


@dataclass
class FloatPowers:
    """Exponents by attribute, that of the constant attribute, and the weights that they stand for."""

    base: float
    odd: bool  # whether a weight is b^k - b^-k
    bias: bool = False
    lowest: int = GONE + 1
    eliminate: bool = False
    exponents: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    floats: Array = field(default_factory=lambda: np.zeros(0))
    constant: int = 0
    known: dict[int, float] = field(default_factory=dict)

    def read(self, exponent: int) -> float:
        """The weight that an exponent stands for."""
        if exponent not in self.known:
            weight = 0.0 if exponent == GONE else round_power(self.base, exponent)
            self.known[exponent] = weight - round_power(self.base, -exponent) if self.odd else weight
        return self.known[exponent]

    def lengthen(self, size: int) -> None:
        """Start the weights of new attributes, with exponent 0."""
        more = max(0, size - len(self.exponents))
        self.exponents = np.concatenate((self.exponents, np.zeros(more, np.int64)))
        self.floats = np.concatenate((self.floats, np.full(more, self.read(0))))

    def move(self, columns: Array, values: Array, step: int) -> None:
        """Move the exponents of a row by step times the value; a weight that is gone stays so."""
        columns = columns[values != 0]
        values = values[values != 0]
        before = self.exponents[columns]
        after = np.maximum(before + step * values.astype(np.int64), self.lowest)
        after[(before == GONE) | (self.eliminate and step < 0)] = GONE
        self.exponents[columns], self.floats[columns] = after, [self.read(k) for k in after.tolist()]
        self.constant += step * self.bias


@kernel
def find_next_step(weights: Array, constant: float, levels: Any, chunk: Any, t: int, guesses: Array) -> Any:
    """The next round of a chunk from t on that teaches; `guesses` are written up to it."""
    _, indptr, columns, values, codes = chunk
    below, middle, above, (down, says, up) = levels
    while t < codes.size:
        score = constant
        rest = 0.0
        for k in range(indptr[t], indptr[t + 1]):
            term = weights[columns[k]] * values[k]
            after = score + term
            part = after - score
            rest += (score - (after - part)) + (term - part)
            score = after
        score += rest
        guesses[t] = 1 if score > middle or (score == middle and says) else 0
        if codes[t]:
            teaches = score < above or (score == above and up)
        else:
            teaches = score > below or (score == below and down)
        if teaches:
            return t
        t += 1
    return t


def replay_winnow(about: Parameters, rows: ArrangedRows) -> FloatRun:
    """Play the run of Winnow again."""
    promotion, threshold, margin = (float(about[name]) for name in ("promotion", "threshold", "margin"))
    strict = bool(about["strict_gt"])
    least = float(about["floor"])
    levels = Levels(threshold - margin, threshold, threshold + margin, (not strict, not strict, strict))
    lowest = round(log(least) / log(promotion)) if least else GONE + 1
    weights = FloatPowers(promotion, odd=False, lowest=lowest, eliminate=bool(about["eliminate"]))
    return _play(lambda phase: weights, lambda phase: inf, levels, rows)


def replay_balanced_winnow(about: Parameters, rows: ArrangedRows) -> FloatRun:
    """Play the run of Balanced Winnow again.

    With neither factor nor margin it plays in phases, the j-th for the margin d = 2^-j: one ends, and all exponents are
    0 again, after the update that makes its updates more than 2 / d^2 times ln 2n, n being its highest attribute.
    """
    factor, margin, bias = about["factor"], about["margin"], bool(about["bias"])

    def find_margin(phase: int) -> float:
        return max(2.0**-phase, LEAST) if margin is None else float(margin)

    def start(phase: int) -> FloatPowers:
        d = find_margin(phase)
        return FloatPowers(sqrt((1 + d) / (1 - d)) if factor is None else float(factor), odd=True, bias=bias)

    def find_patience(phase: int) -> float:
        return 2 / find_margin(phase) ** 2 if factor is None and margin is None else inf

    levels = Levels(0.0, 0.0, 0.0, (True, False, True))
    return _play(start, find_patience, levels, rows)


def _play(
    start: Callable[[int], FloatPowers], find_patience: Callable[[int], float], levels: Levels, rows: ArrangedRows
) -> FloatRun:
    """Play all rounds, with the weights and the patience of each phase, numbered from 1."""
    counts = FloatCounts(rows)
    phase = 1
    since = 0
    highest = 0
    weights = start(phase)
    for chunk in rows.read(np.float64):
        weights.lengthen(int(chunk.columns.max(initial=-1)) + 1)
        guesses = np.zeros(len(chunk.codes), np.int64)
        t = 0
        while True:
            constant = weights.read(weights.constant) * weights.bias
            t = find_next_step(weights.floats, constant, levels, chunk, t, guesses)
            if t == len(chunk.codes):
                break
            columns, values = chunk.row(t)
            weights.move(columns, values, 1 if chunk.codes[t] else -1)
            counts.note_update(chunk.first + t)
            since = since + 1
            highest = max(highest, int(columns[values != 0].max(initial=-1)) + 1)
            if since > find_patience(phase) * log(2.0 * max(highest + weights.bias, 1)):
                many = len(weights.exponents)
                phase = phase + 1
                since = 0
                highest = 0
                weights = start(phase)
                weights.lengthen(many)
            t += 1
        counts.note_guesses(chunk, guesses)
    return counts.conclude()
