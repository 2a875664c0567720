"""Rank counts: how well chances of class 1 rank the rounds, exactly for as many as a million.

The chances of the first 10^6 rounds are kept, and the area under the curve is that of their ranks, ties counting half.
The next round sorts them into 2,048 bins of as many rounds each, into which all others are counted: from then on rounds
of one bin count as ties, and the area is an estimate. The record of a run that may go on keeps all chances; that of one
that is over those of up to 4,096 rounds, else the bins.
Chances that differ by less than 2^-40 count as equal, since those of class 0 are known by their complements.

>>> ranks = RankCounts()
>>> ranks.add(np.array([0.9, 0.2, 0.6, 0.6]), np.array([True, False, True, False]))
>>> ranks.auc, ranks.estimated
(0.875, False)
"""

from base64 import b64decode, b64encode
from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadModel, require

EXACT = 10**6  # rounds whose chances are kept
KEPT = 2**12  # rounds whose chances a record keeps
BINS = 2**11
GRAIN = 2.0**40


class RankCounts:
    """The chances of class 1 that rounds were given, one by one or in bins."""

    def __init__(self) -> None:
        self._parts: list[tuple[Array, Array]] = []  # chances and labels, while they are kept
        self._rounds = 0
        self.edges: Array | None = None  # where bins begin, but for the first; None: all chances are kept
        self.counts: Array = np.zeros((2, 0), np.int64)  # of each label, rounds by bin

    @property
    def estimated(self) -> bool:
        """Whether rounds are counted in bins, so that the area is an estimate."""
        return self.edges is not None

    def add(self, chances: Array, came: Array) -> None:
        """Take up rounds, with the chance that class 1 was given and whether it came."""
        chances = np.round(chances * GRAIN) / GRAIN
        if self.edges is None:
            room = EXACT - self._rounds
            self._parts.append((chances[:room], came[:room].astype(bool)))
            self._rounds += len(self._parts[-1][0])
            chances = chances[room:]
            came = came[room:]
            if not len(chances):
                return
            self.edges, self.counts = _sort_in_bins(*self._collect())
            self._parts = []
        self.counts += _count(self.edges, chances, came)

    def _collect(self) -> tuple[Array, Array]:
        """All chances that are kept, and their labels, as one array each."""
        if len(self._parts) != 1:
            empty: list[tuple[Array, Array]] = [(np.zeros(0), np.zeros(0, bool))]
            chances, came = zip(*(self._parts or empty), strict=True)
            self._parts = [(np.concatenate(chances), np.concatenate(came))]
        return self._parts[0]

    @property
    def auc(self) -> float | None:
        """The chance that a round of class 1 was given more than one of class 0; None without both."""
        counts = self.counts
        if self.edges is None:
            chances, came = self._collect()
            groups, places = np.unique(chances, return_inverse=True)
            counts = np.bincount(came * len(groups) + places, minlength=2 * len(groups)).reshape(2, -1)
        negative, positive = counts.astype(float)
        if not (negative.sum() and positive.sum()):
            return None
        below = np.concatenate([[0.0], np.cumsum(negative)[:-1]])
        return float((positive * (below + negative / 2)).sum() / (negative.sum() * positive.sum()))

    def to_record(self, whole: bool = True) -> dict[str, Any]:
        """What JSON keeps: all chances while there are, or with `whole=False` bins of those of many rounds."""
        if self.edges is None and (whole or self._rounds <= KEPT):
            chances, came = self._collect()
            parts = {"chances": chances.astype("<f8"), "came": np.packbits(came)}
            return {"rounds": self._rounds} | {name: b64encode(part.tobytes()).decode() for name, part in parts.items()}
        edges = self.edges
        counts = self.counts
        if edges is None:
            edges, counts = _sort_in_bins(*self._collect())
        return {"edges": edges.tolist(), "counts": counts.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The counts that were written down as a record."""
        one = cls()
        if "chances" in record:
            rounds = record["rounds"]
            chances = np.frombuffer(b64decode(record["chances"]), "<f8")
            came = np.unpackbits(np.frombuffer(b64decode(record["came"]), np.uint8), count=rounds)
            require(len(chances) == rounds, "a record of chances has as many as rounds", BadModel)
            one.add(chances.astype(float), came.astype(bool))
        else:
            one.edges, one.counts = np.array(record["edges"], float), np.array(record["counts"], np.int64)
        return one


def _sort_in_bins(chances: Array, came: Array) -> tuple[Array, Array]:
    """Where bins of about as many rounds each begin, and the rounds of each label in them."""
    ordered = np.sort(chances)
    edges: Array = np.unique(ordered[np.arange(1, BINS) * len(ordered) // BINS])
    return edges, _count(edges, chances, came)


def _count(edges: Array, chances: Array, came: Array) -> Array:
    """Of each label, the rounds in each bin."""
    places = np.searchsorted(edges, chances, "right")
    bins = len(edges) + 1
    return np.bincount((came > 0) * bins + places, minlength=2 * bins).reshape(2, bins)
