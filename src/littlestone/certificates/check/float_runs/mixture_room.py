"""Room for mixtures that are played again: for units, attributes and classes as they come, and rounds with weights."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_members import MemberSettings, MixedUnits, RowAtHand

MOST_PLAYS = 1 << 27  # of a whole run: rounds that count more than once are played several times


class WeighedChunk(NamedTuple):
    """Some rounds as compiled loops read them, and how much each counts."""

    first: int
    indptr: Array
    columns: Array
    values: Array
    codes: Array
    weights: Array

    @classmethod
    def of(cls, chunk: "ArrangedChunk | WeighedChunk") -> "WeighedChunk":
        """Rounds with their weights; each counts once if they have none."""
        return chunk if isinstance(chunk, WeighedChunk) else cls(*chunk, np.ones(len(chunk.codes)))


def count_plays(weights: Array) -> Array:
    """How often each round is played: once, and one of a weight above 1 as often as that weight, rounded up."""
    sound = bool((np.isfinite(weights) & (weights >= 0)).all()) and float(weights.sum()) <= MOST_PLAYS
    require(sound, f"rounds count at least 0 times, and {MOST_PLAYS:,} times in all at most", NotCertified)
    return np.where(weights > 1, np.ceil(weights), 1.0).astype(np.int64)


def start_units(known: MemberSettings, real: Any, units: int, rows: int, attributes: int) -> MixedUnits:
    """Units that have learned nothing."""
    first = len(known.rates) + len(known.wealths)
    coins = len(known.wealths)
    newton = len(known.kappas)
    side = min(rows, known.limit)
    members = first + newton
    wealths = np.tile(known.wealths, (units, rows, 1)).astype(real)
    return MixedUnits(
        np.zeros(attributes, np.int64), np.zeros(rows), np.zeros((units, rows, first), real),
        np.zeros((units, rows, first), real), wealths, np.zeros((units, rows, coins)),
        np.full((units, members), 1.0 / members), np.zeros((units, newton, side)),
        np.tile(np.eye(side) / known.ridge, (units, newton, 1, 1)), np.zeros((units, newton, side)),
        np.zeros((units, members, 3)), np.zeros((2, 2)), np.zeros(4, np.int64),
    )  # fmt: skip


def copy_units(old: MixedUnits, new: MixedUnits, pairs: list[tuple[int, int, int]]) -> MixedUnits:
    """The new units with what the old ones learned; pairs are of an old unit, a new one, and the sign of its sums."""
    met = len(old.sizes)
    side = old.centres.shape[2]
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


def make_room(units: MixedUnits, known: MemberSettings, chunk: WeighedChunk) -> MixedUnits:
    """The same units with room for the attributes of some rounds."""
    width = max(len(units.places), int(chunk.columns.max(initial=-1)) + 1)
    fresh = np.unique(chunk.columns[chunk.values != 0])
    seen = fresh[fresh < len(units.places)]
    rows = int(units.counts[2]) + len(fresh) - int(np.count_nonzero(units.places[seen]))
    if rows <= len(units.sizes) and width == len(units.places):
        return units
    new = start_units(known, units.sums.dtype, len(units.weights), max(rows, len(units.sizes)), width)
    return copy_units(units, new, [(unit, unit, 1) for unit in range(len(units.weights))])


def add_units(units: MixedUnits, known: MemberSettings, classes: int) -> MixedUnits:
    """The same units and those of new classes."""
    new = start_units(known, units.sums.dtype, classes, len(units.sizes), len(units.places))
    old = len(units.weights)
    mirrored = [(0, 1, 1), (0, 0, -1)]
    return copy_units(units, new, mirrored if old == 1 else [(unit, unit, 1) for unit in range(old)])


def cut_at_new_classes(chunk: WeighedChunk, classes: int) -> list[WeighedChunk]:
    """Rounds cut before each new class."""
    highest = np.maximum.accumulate(np.concatenate(([classes - 1], chunk.codes)))
    new = np.flatnonzero(highest[1:] > highest[:-1]).tolist()
    ends = [0, *(t for t in new if t), len(chunk.codes)]
    return [
        WeighedChunk(
            chunk.first + a,
            chunk.indptr[a : b + 1],
            chunk.columns,
            chunk.values,
            chunk.codes[a:b],
            chunk.weights[a:b],
        )
        for a, b in pairwise(ends)
    ]


def make_hand(units: MixedUnits, longest: int) -> RowAtHand:
    """Room for a row."""
    members = units.weights.shape
    newton = units.centres.shape[:2]
    entries = np.zeros(longest + 1, np.int64), np.zeros(longest + 1), np.zeros(longest + 1)
    found = (np.zeros(shape) for shape in (members, members, members, newton, newton, members[:1], members[:1]))
    return RowAtHand(*entries, *found)
