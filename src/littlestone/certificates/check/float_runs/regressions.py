"""Learners that predict numbers, played again in their own floats: `Ridge` and `CoinRegression`.

Labels are over a power of two, that of the first that is not 0. Those of a `Ridge` with a constant are counted from the
first one, whose round is lost whole. Values are over the largest sizes that their attributes have had, the constant is
row 0, and all numbers are float64, one operation after another. Beside what a run keeps stands what a theorem charges.
"""

from collections.abc import Callable, Iterable, Mapping
from math import frexp, fsum
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_members import (
    RICHEST,
    add_carefully,
    find_bet,
    look_ahead,
    rescale,
    step_along,
)
from littlestone.certificates.check.float_runs.mixture_rounds import read_row
from littlestone.compiled import kernel, logarithm, long_rule, rule

SQUARE, ABSOLUTE, PINBALL, HUBER = range(4)
CRITERIA = ("square", "absolute", "pinball", "huber")
WIDEST = 4096  # attributes of a matrix
MOST, REACH = 2.0**900, 2.0**400  # the size of a label, and over the unit of the labels, up to which it is taken

Read = Callable[[], Iterable[ArrangedChunk]]


class NumberSettings(NamedTuple):
    """What is known of a learner before the first round."""

    criterion: int
    guard: bool
    constant: bool
    limit: int
    ridge: float
    quantile: float
    width: float
    wealth: float


class NumberUnits(NamedTuple):
    """What a run keeps, by row; there is one unit of one member."""

    places: Array  # of each attribute its row; 0: it was not met
    sizes: Array  # the largest value of each row
    sums: Array  # 1, rows, 1: of the steps
    squares: Array  # the same of their squares
    wealths: Array  # rows
    purses: Array  # rows: the wealth at first; 0: there was none yet
    centres: Array  # 1, 1, rows
    inverses: Array  # 1, 1, rows, rows
    along: Array  # 1, 1, rows
    losses: Array  # the loss: a sum, and what rounding took from it
    charges: Array  # what Ridge is charged, and the logarithms of 1 + q: a sum, what rounding took, the sum of sizes
    largest: Array  # of a label so far
    counts: Array  # rounds, 0, rows met, 0


class Hand(NamedTuple):
    """A row over the largest sizes, and what Ridge expects of it."""

    rows: Array
    values: Array
    shrinks: Array
    ahead: Array
    spread: Array


class NumberRun(NamedTuple):
    """What a run did."""

    settings: NumberSettings
    units: NumberUnits
    unit: float  # of the labels; 1 if all are 0
    origin: float  # from which labels are counted, in that unit

    def scale(self, value: float) -> float:
        """A loss in units of the labels' as it is."""
        for _ in range(2 if self.settings.criterion == SQUARE else 1):
            value *= self.unit
        require(np.isfinite(value), "these labels are too large for a sum of losses", NotCertified)
        return value

    @property
    def made(self) -> float:
        """The loss."""
        return self.scale(fsum(self.units.losses))

    def read_labels(self, labels: Array) -> Array:
        """Labels in their unit, from their origin."""
        return labels / self.unit - self.origin


def read_number_settings(about: Mapping[str, Any]) -> NumberSettings:
    """The settings of a learner by its description."""
    flags = bool(about["guard"]), bool(about["bias"])
    if about["name"] == "Ridge":
        return NumberSettings(SQUARE, *flags, WIDEST, float(about["ridge"]), 0.5, 1.0, 0.0)
    known = (float(about[name]) for name in ("quantile", "width", "wealth"))
    return NumberSettings(CRITERIA.index(about["criterion"]), *flags, 2**62, 1.0, *known)


def replay_numbers(about: Mapping[str, Any], read: Read) -> NumberRun:
    """Play rounds again; `read` gives them from the first one on, as often as it is called."""
    settings = read_number_settings(about)
    met, unit, origin, started = np.zeros(0, bool), 0.0, 0.0, False
    for chunk in read():
        used = chunk.columns[chunk.values != 0]
        met = np.pad(met, (0, max(0, int(used.max(initial=-1)) + 1 - len(met))))
        met[used] = True
        if not started and len(chunk.codes):
            origin, started = float(chunk.codes[0]), True
        if not unit and chunk.codes.any():
            unit = max(2.0 ** (frexp(abs(chunk.codes[chunk.codes != 0][0]))[1] - 1), 2.0**-1022)
        far = bool((np.abs(chunk.codes) > min(MOST, (unit or 1.0) * REACH)).any())
        require(not far, "a label is larger than labels may be beside the first one", NotCertified)
    rows, unit = 1 + int(np.count_nonzero(met)), unit or 1.0
    require(rows <= settings.limit, f"{rows} attributes are too many for a matrix", NotCertified)
    run = NumberRun(settings, _start(settings, rows, len(met)), unit, origin / unit if settings.constant else 0.0)
    for chunk in read():
        longest = int(np.diff(chunk.indptr).max(initial=0)) + 1
        hand = Hand(np.zeros(longest, np.int64), *np.zeros((2, longest)), *np.zeros((2, 1, 1)))
        play_numbers(run.units, (*chunk[1:4], run.read_labels(chunk.codes)), hand, settings, run.origin)
    return run


def _start(settings: NumberSettings, rows: int, attributes: int) -> NumberUnits:
    """Before the first round."""
    side = rows if settings.criterion == SQUARE else 0
    sizes, sums, squares = np.zeros(rows), np.zeros((1, rows, 1)), np.zeros((1, rows, 1))
    sizes[0] = 1.0
    bets = np.zeros(attributes, np.int64), sizes, sums, squares, np.zeros(rows), np.zeros(rows)
    newton = np.zeros((1, 1, side)), np.eye(side)[None, None] / settings.ridge, np.zeros((1, 1, side))
    return NumberUnits(*bets, *newton, np.zeros(2), np.zeros((2, 3)), np.zeros(1), np.array([0, 0, 1, 0]))


@rule
def price_number(short: float, reach: float, known: Any) -> Any:
    """The loss of a prediction that falls `short` of its label."""
    if known.criterion == SQUARE:
        return short * short
    if known.criterion == PINBALL:
        return known.quantile * short if short > 0 else (known.quantile - 1) * short
    if known.criterion == HUBER:
        return short * short / (2.0 * reach) if abs(short) < reach else abs(short) - 0.5 * reach
    return abs(short)


@rule
def find_slope(short: float, reach: float, known: Any) -> Any:
    """Minus the slope of that loss, at most 1 in size."""
    if known.criterion == PINBALL:
        return known.quantile if short > 0 else known.quantile - 1.0 if short < 0 else 0.0
    if known.criterion == HUBER and abs(short) < reach:
        return short / reach
    return 1.0 if short > 0 else -1.0 if short < 0 else 0.0


@long_rule
def learn_squares(units: Any, hand: Any, y: float, said: float, first: float) -> Any:
    """Teach Ridge, and charge it; `first` is the square of the first label, in its round."""
    ahead, spread = hand.ahead[0, 0], hand.spread[0, 0]
    below = 1.0 + spread
    gain, taken = y * y * spread / below + first, spread * said * said if first == 0 else 0.0
    add_carefully(units.charges[0], gain - taken)
    units.charges[0, 2] += gain + taken
    add_carefully(units.charges[1], logarithm(below))
    units.charges[1, 2] += logarithm(below) + 1.0
    step_along(units, 0, 0, (y - ahead) / below, 1.0 / below)


@long_rule
def learn_bets(units: Any, hand: Any, count: int, pull: float, wealth: float) -> Any:
    """Let bets win or lose; attributes that are new get a wealth."""
    for j in range(count):
        row = hand.rows[j]
        if units.purses[row] == 0:
            units.purses[row] = units.wealths[row] = wealth
        step = pull * hand.values[j]
        kept = units.wealths[row] * (1.0 + step * find_bet(units, 0, row, 0))
        units.wealths[row] = min(max(kept, 1.0 / RICHEST), RICHEST)
        units.sums[0, row, 0] += step
        units.squares[0, row, 0] += step * step


@kernel
def play_numbers(units: Any, chunk: Any, hand: Any, known: Any, origin: float) -> None:
    """Play some rounds."""
    labels = chunk[3]
    for t in range(labels.size):
        count, grown = read_row(units, chunk, t, hand, known)
        for j in range(count if grown else 0):
            row, factor = hand.rows[j], hand.shrinks[j]
            if factor != 1.0 and known.criterion == SQUARE:
                rescale(units, 0, 0, row, factor, known.ridge)
            elif factor != 1.0:
                units.sums[0, row, 0] *= factor
                units.squares[0, row, 0] *= factor * factor
        y, said, first = labels[t], 0.0, 0.0
        if known.criterion == SQUARE:
            look_ahead(units, 0, 0, hand, count)
            said = hand.ahead[0, 0] / (1.0 + hand.spread[0, 0])
        else:
            for j in range(count):
                row = hand.rows[j]
                said += find_bet(units, 0, row, 0) * units.wealths[row] * hand.values[j]
        if units.counts[0] == 0 and origin != 0:
            said, first = said - origin, origin * origin
        units.counts[0] += 1
        units.largest[0] = max(units.largest[0], abs(y))
        reach = known.width * units.largest[0]
        add_carefully(units.losses, price_number(y - said, reach, known))
        if known.criterion == SQUARE:
            learn_squares(units, hand, y, said, first)
        elif units.largest[0] > 0:
            learn_bets(units, hand, count, find_slope(y - said, reach, known), known.wealth * units.largest[0])
