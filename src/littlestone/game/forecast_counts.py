"""Forecast counts: what the chances came to that labels were given before they were seen.

>>> counts = ForecastCounts()
>>> counts.add(np.array([0.9, 0.8, 0.6, 0.3]), np.array([1, 0, 1, 0]))
>>> round(counts.log_loss, 4), counts.auc, round(counts.calibration, 4)
(0.5108, 0.75, 0.35)
"""

from typing import Any, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.moving_means import LARGEST_LOSS, LossSums
from littlestone.game.rank_counts import RankCounts

# of records of old: logarithms of odds of class 1, counted from -REACH to REACH
REACH = 32.0
BINS = 2048
LEAST = 1e-300  # a smaller chance is charged as this
TENTHS = 10  # intervals of equal length into which chances of class 1 are sorted


class ForecastCounts:
    """The log-loss of chances, and for two classes how well they rank the rounds and agree with what came."""

    def __init__(self) -> None:
        self.rounds = 0
        self.loss = 0.0
        self.charged: LossSums | None = LossSums(LARGEST_LOSS)  # the log-loss, of which intervals are known
        self.brier: LossSums | None = LossSums(1.0)  # of two classes; None: rounds were not counted from the first on
        self.ranks = RankCounts()  # of two classes
        self._tenths: Array = np.zeros((3, TENTHS))  # rounds, the sum of chances, and how often class 1 came
        self._guessed: Array = np.zeros(
            (3, TENTHS)
        )  # the same for the chances of guesses, and how often these were right

    def add(self, chances: Array, codes: Array, two: bool = True, guessed: tuple[Array, Array] | None = None) -> None:
        """Take up rounds, each with the chance that its label was given; `two` says whether there are two classes.

        `guessed` are the chances that guesses were given, and the guesses; -1 is none.
        """
        if guessed is not None:
            sure = guessed[0]
            known = guessed[1] >= 0
            _sort_in(self._guessed, sure[known], (guessed[1] == codes)[known])
        charged = np.maximum(chances, LEAST)
        self.loss = float(np.cumsum(np.append(self.loss, -np.log(charged)))[-1])  # one by one, however rounds come
        self.rounds += len(chances)
        if self.charged is not None:
            self.charged.add(-np.log(charged))
        if not two or not len(chances):
            self.brier = self.brier if two else None
            return
        if self.brier is not None:
            self.brier.add((1 - chances) ** 2)
        first = np.where(codes > 0, chances, 1 - chances)
        self.ranks.add(first, codes > 0)
        _sort_in(self._tenths, first, codes > 0)

    @property
    def log_loss(self) -> float:
        """The mean negative logarithm of the chance that the label was given."""
        return self.loss / max(1, self.rounds)

    @property
    def auc(self) -> float | None:
        """The chance that a round of class 1 was given a larger chance than one of class 0; None without both."""
        return self.ranks.auc

    @property
    def calibration(self) -> float | None:
        """How far chances of class 1 are from how often it came, on the mean over ten intervals of chances."""
        rounds, said, seen = self._tenths
        return float(np.abs(said - seen).sum() / rounds.sum()) if rounds.sum() else None

    def find_tenths(self, classes: int) -> Array:
        """Rounds, sums of chances, and how often it came, by tenths: of class 1, or of guesses if there are more."""
        return self._tenths if classes <= 2 else self._guessed

    def list_tenths(self, classes: int) -> list[dict[str, float]]:
        """Each tenth that held rounds: how many, the mean chance, and how often class 1 came, or a guess was right."""
        names = ("rounds", "said", "came")
        found = self.find_tenths(classes).T
        return [dict(zip(names, (int(n), said / n, came / n), strict=True)) for n, said, came in found if n]

    def to_record(self, whole: bool = True) -> dict[str, Any]:
        """Everything, as JSON keeps it; with `whole=False` the ranks of many rounds in bins."""
        sums = [one and one.to_record() for one in (self.charged, self.brier)]
        about = {"rounds": self.rounds, "loss": self.loss, "sums": sums}
        return about | {
            "ranks": self.ranks.to_record(whole),
            "tenths": self._tenths.tolist(),
            "guessed": self._guessed.tolist(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The counts that were written down as a record."""
        one = cls()
        one.rounds, one.loss = record["rounds"], record["loss"]
        charged, brier = record.get("sums", (None, None))  # records of old have none
        one.charged = charged and LossSums.from_record(LARGEST_LOSS, charged)
        one.brier = brier and LossSums.from_record(1.0, brier)
        one.ranks = RankCounts.from_record(record["ranks"]) if "ranks" in record else _read_odds(*record["odds"])
        one._tenths = np.array(record["tenths"], float)
        one._guessed = np.array(record.get("guessed", one._guessed), float)
        return one


def _read_odds(places: list[int], numbers: list[int]) -> RankCounts:
    """The ranks of a record of old, which counted logarithms of odds in bins."""
    ranks = RankCounts()
    ranks.edges = 1 / (1 + np.exp(REACH - np.arange(1, BINS) * (2 * REACH / BINS)))
    ranks.counts = np.zeros((2, BINS), np.int64)
    ranks.counts.ravel()[np.array(places, np.int64)] = numbers
    return ranks


def _sort_in(tenths: Array, chances: Array, came: Array) -> None:
    """Add rounds to the tenths of their chances, one by one, so that the sums are the same however rounds come."""
    places = np.minimum((chances * TENTHS).astype(np.int64), TENTHS - 1)
    for row, weights in zip(tenths, (np.ones(len(chances)), chances, came), strict=True):
        np.add.at(row, places, weights)
