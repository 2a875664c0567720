"""Mixtures for log-loss, played again in their own floats: `AdaGrad`, `Coin`, `Aioli` and `Logistic`.

Two classes share a unit, which says how likely class 1 is; more have one each, "this class or not", and what is said
is over the sum of what is said of the classes met. The unit of two classes becomes, when a third one comes, that of
class 1, and mirrored that of class 0. A round whose class was not met before gives it one chance in as many as there
were rounds, this one included.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_members import (
    MemberSettings,
    MixedUnits,
    RowAtHand,
    add_carefully,
    find_root,
    learn_first_order,
    learn_newton,
    look_ahead,
    rescale,
    score_first_order,
)
from littlestone.compiled import exponential, kernel, logarithm, long_rule

LEAST = 1e-300  # a chance below this is charged as this
WIDEST = 4096  # attributes of Aioli's matrix
NAMES = ("AdaGrad", "Coin", "Aioli", "Logistic")


class MixtureRun(NamedTuple):
    """What a run did."""

    settings: MemberSettings
    units: MixedUnits  # at the end
    scores: Array  # rounds, units, Newton members; NaN before a unit starts
    starts: list[int]  # the round with which each unit starts
    news: list[int]  # the rounds, from 1, whose class was not met before; those declared, or the first two, are
    wrong: Array  # whether the guess of each round was

    @property
    def made(self) -> float:
        """The log-loss."""
        return float(self.units.losses[0, 0] + self.units.losses[0, 1])

    @property
    def expected(self) -> float:
        """The mistakes that guessing by the chances makes on average."""
        return float(self.units.losses[1, 0] + self.units.losses[1, 1])


def read_settings(about: Mapping[str, Any]) -> tuple[MemberSettings, Any]:
    """The settings of a learner by its description, and the type of the numbers that it keeps."""
    limit = WIDEST if about["name"] == "Aioli" else about.get("second_order", 0)
    rates, wealths, kappas = (
        np.array(about.get(f"{part}s", [about[part]] if part in about else []), np.float64)
        for part in ("rate", "wealth", "kappa")
    )
    flags = bool(about["guard"]), bool(about.get("share", True)), bool(about["bias"])
    ridge = float(about.get("ridge", 1.0))
    settings = MemberSettings(rates, wealths, kappas if limit else kappas[:0], ridge, limit, *flags)
    return settings, np.float32 if about.get("precision", 64) == 32 else np.float64


def replay_mixture(about: Mapping[str, Any], chunks: Iterable[ArrangedChunk], declared: int) -> MixtureRun:
    """Play rounds again; `declared` classes are met before the first."""
    settings, real = read_settings(about)
    classes = max(2, declared)
    units = _start_units(settings, real, 1 if classes == 2 else classes, 16, 0)
    units.counts[:] = 0, classes, 1, len(settings.kappas) > 0
    units.sizes[0] = 1.0
    starts, news, scores, wrong = [0] * len(units.weights), list[int](), list[Array](), [np.zeros(0, bool)]
    for chunk in chunks:
        units = _make_room(units, settings, chunk)
        for part in _cut_at_new_classes(chunk, int(units.counts[1])):
            if len(part.codes) and part.codes[0] >= units.counts[1]:
                units = _add_units(units, settings, int(part.codes[0]) + 1)
                starts = [*([0, 0] if len(starts) == 1 else starts)]
                starts += [part.first] * (len(units.weights) - len(starts))
                news.append(part.first + 1)
            hand = _make_hand(units, int(np.diff(part.indptr).max(initial=0)))
            said = np.full((len(part.codes), len(units.weights), len(settings.kappas)), np.nan)
            guessed = np.zeros(len(part.codes), np.int64)
            play_rounds(units, part[1:], hand, settings, said, guessed)
            scores.append(said)
            wrong.append(guessed != part.codes)
    return MixtureRun(settings, units, _join_scores(scores, len(units.weights)), starts, news, np.concatenate(wrong))


def _join_scores(parts: list[Array], units: int) -> Array:
    """The scores of all rounds; those of the one unit of two classes are class 1's, and negated class 0's."""
    filled = []
    for part in parts:
        wide = np.concatenate((-part, part), axis=1) if part.shape[1] == 1 < units else part
        filled.append(np.pad(wide, ((0, 0), (0, units - wide.shape[1]), (0, 0)), constant_values=np.nan))
    return np.concatenate(filled) if filled else np.zeros((0, units, 0))


def _start_units(known: MemberSettings, real: Any, units: int, rows: int, attributes: int) -> MixedUnits:
    """Units that have learned nothing."""
    first, coins, newton = len(known.rates) + len(known.wealths), len(known.wealths), len(known.kappas)
    side, members = min(rows, known.limit), first + newton
    wealths = np.tile(known.wealths, (units, rows, 1)).astype(real)
    return MixedUnits(
        np.zeros(attributes, np.int64), np.zeros(rows), np.zeros((units, rows, first), real),
        np.zeros((units, rows, first), real), wealths, np.zeros((units, rows, coins)),
        np.full((units, members), 1.0 / members), np.zeros((units, newton, side)),
        np.tile(np.eye(side) / known.ridge, (units, newton, 1, 1)), np.zeros((units, newton, side)),
        np.zeros((units, members, 3)), np.zeros((2, 2)), np.zeros(4, np.int64),
    )  # fmt: skip


def _copy_units(old: MixedUnits, new: MixedUnits, pairs: list[tuple[int, int, int]]) -> MixedUnits:
    """The new units with what the old ones learned; pairs are of an old unit, a new one, and the sign of its sums."""
    met, side = len(old.sizes), old.centres.shape[2]
    new.sizes[:met] = old.sizes
    new.places[: len(old.places)] = old.places
    for source, target, sign in pairs:
        new.sums[target, :met] = sign * old.sums[source]
        for name in ("squares", "wealths", "bets"):
            getattr(new, name)[target, :met] = getattr(old, name)[source]
        new.weights[target], new.charges[target] = old.weights[source], old.charges[source]
        new.centres[target, :, :side] = sign * old.centres[source]
        new.inverses[target, :, :side, :side] = old.inverses[source]
    return new._replace(losses=old.losses, counts=old.counts)


def _make_room(units: MixedUnits, known: MemberSettings, chunk: ArrangedChunk) -> MixedUnits:
    """The same units with room for the attributes of some rounds."""
    width = max(len(units.places), int(chunk.columns.max(initial=-1)) + 1)
    fresh = np.unique(chunk.columns[chunk.values != 0])
    seen = fresh[fresh < len(units.places)]
    rows = int(units.counts[2]) + len(fresh) - int(np.count_nonzero(units.places[seen]))
    if rows <= len(units.sizes) and width == len(units.places):
        return units
    new = _start_units(known, units.sums.dtype, len(units.weights), max(rows, len(units.sizes)), width)
    return _copy_units(units, new, [(unit, unit, 1) for unit in range(len(units.weights))])


def _add_units(units: MixedUnits, known: MemberSettings, classes: int) -> MixedUnits:
    """The same units and those of new classes."""
    new = _start_units(known, units.sums.dtype, classes, len(units.sizes), len(units.places))
    old = len(units.weights)
    mirrored = [(0, 1, 1), (0, 0, -1)]
    return _copy_units(units, new, mirrored if old == 1 else [(unit, unit, 1) for unit in range(old)])


def _cut_at_new_classes(chunk: ArrangedChunk, classes: int) -> list[ArrangedChunk]:
    """Rounds cut before each new class."""
    highest = np.maximum.accumulate(np.concatenate(([classes - 1], chunk.codes)))
    new = np.flatnonzero(highest[1:] > highest[:-1]).tolist()
    ends = [0, *(t for t in new if t), len(chunk.codes)]
    return [
        ArrangedChunk(chunk.first + a, chunk.indptr[a : b + 1], chunk.columns, chunk.values, chunk.codes[a:b])
        for a, b in pairwise(ends)
    ]


def _make_hand(units: MixedUnits, longest: int) -> RowAtHand:
    """Room for a row."""
    members, newton = units.weights.shape, units.centres.shape[:2]
    entries = np.zeros(longest + 1, np.int64), np.zeros(longest + 1), np.zeros(longest + 1)
    found = (np.zeros(shape) for shape in (members, members, members, newton, newton, members[:1], members[:1]))
    return RowAtHand(*entries, *found)


@long_rule
def read_row(units: Any, chunk: Any, t: int, hand: Any, known: Any) -> Any:
    """Write the entries of a round that are not 0, the constant first, in rows; how many, and whether a size grew.

    Newton members end with the round that has too many attributes for them.
    """
    indptr, columns, values, _ = chunk
    counts, count, new = units.counts, 0, 0
    for k in range(indptr[t], indptr[t + 1]):
        new += 1 if values[k] != 0 and units.places[columns[k]] == 0 else 0
    if counts[2] + new > known.limit:
        counts[3] = 0
    if known.constant:
        hand.rows[0], hand.values[0], hand.shrinks[0], count = 0, 1.0, 1.0, 1
    grown = False
    for k in range(indptr[t], indptr[t + 1]):
        value = np.float64(values[k])
        if value != 0:
            if units.places[columns[k]] == 0:
                units.places[columns[k]] = counts[2]
                counts[2] += 1
            row = units.places[columns[k]]
            value, shrink = fit_value(units.sizes, row, value, known.guard)
            hand.rows[count], hand.values[count], hand.shrinks[count] = row, value / units.sizes[row], shrink
            grown = grown or shrink != 1.0
            count += 1
    return count, grown


@long_rule
def fit_value(sizes: Array, row: int, value: float, guard: bool) -> Any:
    """Let the size of a row grow to a value, which the guard cuts first; the value, and the old size over the new."""
    largest = sizes[row]
    if guard and largest > 0:
        value = min(max(value, -2.0 * largest), 2.0 * largest)
    if abs(value) <= largest:
        return value, 1.0
    sizes[row] = abs(value)
    return value, (largest / abs(value) if largest > 0 else 1.0)


@long_rule
def shrink_rows(units: Any, hand: Any, count: int, known: Any) -> Any:
    """Put what was learned about attributes into units of their new sizes."""
    for j in range(count):
        row, factor = hand.rows[j], hand.shrinks[j]
        if factor != 1.0:
            for unit in range(units.weights.shape[0]):
                for k in range(units.sums.shape[2]):
                    units.sums[unit, row, k] = np.float64(units.sums[unit, row, k]) * factor
                    units.squares[unit, row, k] = np.float64(units.squares[unit, row, k]) * (factor * factor)
                for k in range(known.kappas.size if units.counts[3] else 0):
                    rescale(units, unit, k, row, factor, known.ridge)


@long_rule
def say(units: Any, unit: int, hand: Any, count: int, known: Any) -> Any:
    """Write what the members of a unit say, and what the mixture says."""
    score_first_order(units, unit, hand, count, known)
    first = known.rates.size + known.wealths.size
    active = first + (known.kappas.size if units.counts[3] else 0)
    for k in range(active - first):
        look_ahead(units, unit, k, hand, count)
        hand.scores[unit, first + k] = find_root(hand.ahead[unit, k], hand.spread[unit, k])
    total, yes, no = 0.0, 0.0, 0.0
    for k in range(active):
        total += units.weights[unit, k]
    for k in range(active):
        score = min(max(hand.scores[unit, k], -700.0), 700.0)
        rest = exponential(-abs(score))
        large = 1.0 / (1.0 + rest)
        hand.high[unit, k], hand.low[unit, k] = (large, rest * large) if score >= 0 else (rest * large, large)
        part = units.weights[unit, k] / total
        yes += part * hand.high[unit, k]
        no += part * hand.low[unit, k]
    hand.yes[unit], hand.no[unit] = yes, no


@long_rule
def learn(units: Any, unit: int, hand: Any, count: int, target: bool, known: Any) -> Any:
    """Weigh the members of a unit anew, and teach them."""
    first = known.rates.size + known.wealths.size
    members = first + known.kappas.size
    active = members if units.counts[3] else first
    shared = 1.0 / (units.counts[0] + 1.0) if known.share and active > 1 else 0.0
    total, weights = 0.0, units.weights[unit]
    for k in range(active):
        weights[k] *= max(hand.high[unit, k] if target else hand.low[unit, k], LEAST)
        total += weights[k]
    for k in range(members):
        weights[k] = (1.0 - shared) * (weights[k] / total) + shared / active if k < active else 0.0
    learn_first_order(units, unit, hand, count, target, known)
    for k in range(active - first):
        learn_newton(units, unit, k, hand, target, known)


@kernel
def play_rounds(units: Any, chunk: Any, hand: Any, known: Any, scores: Array, guesses: Array) -> None:
    """Play rounds, of which only the first may have a new class."""
    codes, counts, first = chunk[3], units.counts, known.rates.size + known.wealths.size
    many = units.weights.shape[0]
    for t in range(codes.size):
        count, grown = read_row(units, chunk, t, hand, known)
        if grown:
            shrink_rows(units, hand, count, known)
        met, code = counts[1], codes[t]
        counts[0] += 1
        counts[1] = max(met, code + 1)
        total, best = 0.0, 0
        for unit in range(many):
            say(units, unit, hand, count, known)
            for k in range(known.kappas.size if counts[3] else 0):
                scores[t, unit, k] = hand.scores[unit, first + k]
        for c in range(met if many > 1 else 0):
            total += hand.yes[c]
            best = c if hand.yes[c] > hand.yes[best] else best
        if many == 1:
            guesses[t] = 1 if hand.yes[0] > hand.no[0] else 0
            chance = hand.yes[0] if code == 1 else hand.no[0]
        else:
            guesses[t] = best
            chance = hand.yes[code] / total if code < met else 1.0 / counts[0]
        add_carefully(units.losses[0], -logarithm(max(chance, LEAST)))
        add_carefully(units.losses[1], 1.0 - chance)
        for unit in range(many):
            learn(units, unit, hand, count, code == (1 if many == 1 else unit), known)
