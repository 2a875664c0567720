"""Learners that predict numbers, played again in their own floats: `Ridge` and `CoinRegression`.

Labels are over a power of two, that of the first that is not 0. With a constant they are counted from that of the first
round that counts, which is lost whole. Values are over the largest sizes that their attributes have had, the constant
is row 0, and all numbers are float64, one operation after another. A round of weight c is played once, one of more than
1 as often as c rounded up, each time with its part of c. Beside what a run keeps stands what a theorem charges.
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
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk, count_plays
from littlestone.certificates.check.float_runs.mixture_rounds import read_row
from littlestone.compiled import kernel, logarithm, long_rule, rule

SQUARE, ABSOLUTE, PINBALL, HUBER = range(4)
CRITERIA = ("square", "absolute", "pinball", "huber")
WIDEST = 4096  # attributes of a matrix
# the size of a label, and over the unit of the labels, up to which it is taken
MOST = 2.0**900
REACH = 2.0**400

Read = Callable[[], Iterable[ArrangedChunk | WeighedChunk]]


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
    start: int  # the first round that counts
    first: float  # how much it counts in its first play

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

    def read_labels(self, chunk: ArrangedChunk | WeighedChunk) -> Array:
        """Labels in their unit, from their origin, which is 0 before the first round that counts."""
        counted = np.arange(len(chunk.codes)) >= self.start - chunk.first
        return chunk.codes / self.unit - np.where(counted, self.origin, 0.0)


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
    met = np.zeros(0, bool)
    unit = 0.0
    origin = 0.0
    start = -1
    first = 0.0
    rounds = 0
    for chunk in map(WeighedChunk.of, read()):
        used = chunk.columns[chunk.values != 0]
        met = np.pad(met, (0, max(0, int(used.max(initial=-1)) + 1 - len(met))))
        met[used] = True
        if start < 0 and chunk.weights.any():
            t = int(np.flatnonzero(chunk.weights)[0])
            start = chunk.first + t
            origin = float(chunk.codes[t])
            first = float(chunk.weights[t] / count_plays(chunk.weights[t : t + 1])[0])
        if not unit and chunk.codes.any():
            unit = max(2.0 ** (frexp(abs(chunk.codes[chunk.codes != 0][0]))[1] - 1), 2.0**-1022)
        far = bool((np.abs(chunk.codes) > min(MOST, (unit or 1.0) * REACH)).any())
        require(not far, "a label is larger than labels may be beside the first one", NotCertified)
        rounds += len(chunk.codes)
    rows = 1 + int(np.count_nonzero(met))
    unit = unit or 1.0
    start = start if start >= 0 else rounds
    require(rows <= settings.limit, f"{rows} attributes are too many for a matrix", NotCertified)
    origin = origin / unit if settings.constant else 0.0
    run = NumberRun(settings, _start(settings, rows, len(met)), unit, origin, start, first)
    for chunk in map(WeighedChunk.of, read()):
        longest = int(np.diff(chunk.indptr).max(initial=0)) + 1
        hand = Hand(np.zeros(longest, np.int64), *np.zeros((2, longest)), *np.zeros((2, 1, 1)))
        told = (*chunk[1:4], run.read_labels(chunk), chunk.weights, count_plays(chunk.weights))
        play_numbers(run.units, told, hand, settings, run.origin, start - chunk.first)
    return run


def _start(settings: NumberSettings, rows: int, attributes: int) -> NumberUnits:
    """Before the first round."""
    side = rows if settings.criterion == SQUARE else 0
    sizes = np.zeros(rows)
    sums = np.zeros((1, rows, 1))
    squares = np.zeros((1, rows, 1))
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
def learn_squares(units: Any, hand: Any, y: float, said: float, first: float, c: float) -> Any:
    """Teach Ridge, and charge it; `first` is the square of the first label, in its round, and c what it counts."""
    ahead = hand.ahead[0, 0]
    spread = hand.spread[0, 0]
    below = 1.0 + c * spread
    far = y - ahead
    gain = y * y * spread / below + first
    taken = spread * said * said if first == 0 else 0.0
    logs = logarithm(below)
    if c != 1.0:
        gain = c * (y - said) * (y - said)
        taken = c * far * far / below
        most = spread * (c + (1.0 - c) * (1.0 - c) / (2.0 - c + spread)) / below  # of the charge, over c y^2
        logs = c * max(logs, most)
    add_carefully(units.charges[0], gain - taken)
    units.charges[0, 2] += gain + taken
    add_carefully(units.charges[1], logs)
    units.charges[1, 2] += logs + 1.0
    step_along(units, 0, 0, c * far / below, c / below)


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


@long_rule
def say_number(units: Any, hand: Any, count: int, known: Any) -> Any:
    """What is said of the row at hand, from the origin of the labels."""
    said = 0.0
    if known.criterion == SQUARE:
        look_ahead(units, 0, 0, hand, count)
        return hand.ahead[0, 0] / (1.0 + hand.spread[0, 0])
    for j in range(count):
        row = hand.rows[j]
        said += find_bet(units, 0, row, 0) * units.wealths[row] * hand.values[j]
    return said


@kernel
def play_numbers(units: Any, chunk: Any, hand: Any, known: Any, origin: float, start: int) -> None:
    """Play some rounds, of which round `start` is the first that counts."""
    labels = chunk[3]
    weights = chunk[4]
    plays = chunk[5]
    for t in range(labels.size):
        count, grown = read_row(units, chunk, t, hand, known)
        for j in range(count if grown else 0):
            row = hand.rows[j]
            factor = hand.shrinks[j]
            if factor != 1.0 and known.criterion == SQUARE:
                rescale(units, 0, 0, row, factor, known.ridge)
            elif factor != 1.0:
                units.sums[0, row, 0] *= factor
                units.squares[0, row, 0] *= factor * factor
        y = labels[t]
        c = weights[t] / plays[t]
        units.counts[0] += 1
        units.largest[0] = max(units.largest[0], abs(y))
        reach = known.width * units.largest[0]
        for again in range(plays[t]):
            said = say_number(units, hand, count, known)
            first = 0.0
            if again == 0 and t == start and origin != 0:
                said = said - origin
                first = origin * origin
            short = y - said
            lost = c * short * short if known.criterion == SQUARE else c * price_number(short, reach, known)
            add_carefully(units.losses, lost)
            if known.criterion == SQUARE:
                learn_squares(units, hand, y, said, first, c)
            elif units.largest[0] > 0:
                learn_bets(units, hand, count, c * find_slope(short, reach, known), known.wealth * units.largest[0])
