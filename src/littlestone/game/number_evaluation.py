"""Number evaluation: progressive validation of predicted numbers, each judged before its label was seen.

It watches a game, as `Evaluation` does for classes, and keeps the mean absolute error, the root of the mean square,
the share of the labels' variance that is explained, and the pinball loss, of all rounds and of the latest. Beside them
stand those of a constant guess: the mean of the labels before, and their median, found anew after 1, 2, 4, ... 16,384,
32,768, ... rounds in a sample of evenly spaced ones; and those of the last label repeated. The first round is not
judged: no label was known before it, and a guess of 0 of labels around 1000 would outweigh all others.

>>> from littlestone import Recorded, Ridge, play
>>> seen = NumberEvaluation()
>>> rows = [[float(t % 5)] for t in range(100)]
>>> game = play(Ridge(), Recorded(rows, [2 * x for (x,) in rows]), watch=seen.watch)
>>> seen.rounds, seen.errors().absolute < 0.4 < seen.constant_absolute
(100, True)
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.game.evaluation import WINDOW, find_next_fit

SAMPLE = 2**12  # labels of which a median is taken
POINTS = 256  # of the curve at most

ERROR, SQUARE, SHORT, LABEL, LABEL_SQUARE, MEAN_SQUARE, MEDIAN_ABSOLUTE = range(7)  # the sums that are kept


class Errors(NamedTuple):
    """What predictions came to."""

    absolute: float  # the mean absolute error
    root_square: float  # the root of the mean square error
    explained: float | None  # R^2; None where all labels are the same
    pinball: float  # the mean pinball loss


class NumberEvaluation:
    """What the rounds of a game with numbers as labels came to.

    Args:
        quantile: Of the pinball loss.
        blind: Whether the first round is guessed before any label is known, so that it is not judged.
    """

    def __init__(self, quantile: float = 0.5, blind: bool = True) -> None:
        self.quantile = quantile
        self.blind = blind
        self.rounds = 0
        self.judged = 0  # rounds that the errors are of
        self._sums: Array = np.zeros(7)
        self._origin = self._median = 0.0  # the first label, from which all are measured; the last median
        self._latest: Array = np.zeros((2, 0))  # labels less predictions, and labels from the origin
        self._sample: Array = np.zeros(0)
        self._every = 1  # of how many labels one is in the sample
        self._curve: Array = np.zeros((3, 0))  # numbers of rounds, evenly spaced, and the errors and squares up to each
        self._spacing = 1
        self._last = 0.0
        self._repeated: list[float] | None = [0.0, 0.0]  # the sums of errors and squares of repeating the last label

    def watch(self, game: Any, guesses: Array, labels: Array, *others: Any) -> None:
        """Take up rounds that were just played."""
        self.add(guesses, labels)

    def add(self, guesses: Array, labels: Array) -> None:
        """Take up rounds by their predictions and labels."""
        if not self.rounds and len(labels):
            self._origin = float(labels[0])
        if len(labels) and self._repeated is not None:
            before = labels[0] if self.blind and not self.rounds else self._last
            apart = np.abs(np.diff(labels, prepend=before))
            sums = zip(self._repeated, (apart, apart**2), strict=True)  # one by one, however the rounds come
            self._repeated = [float(np.cumsum(np.append(total, part))[-1]) for total, part in sums]
            self._last = float(labels[-1])
        done = 0
        while done < len(labels):
            end = min(len(labels), done + find_next_fit(self.rounds) - self.rounds)
            self._add_piece(labels[done:end] - guesses[done:end], labels[done:end] - self._origin)
            done = end
            if find_next_fit(self.rounds - 1) == self.rounds:
                self._median = float(np.median(self._sample))

    def _add_piece(self, short: Array, labels: Array) -> None:
        """Take up rounds between which no median is found; `labels` are measured from the origin."""
        numbers = self.rounds + np.arange(len(labels))
        means = np.cumsum(np.append(self._sums[LABEL], labels))[:-1] / np.maximum(numbers, 1)
        lost = np.where(short > 0, self.quantile * short, (self.quantile - 1) * short)
        missed = labels - means if self.rounds else np.full(1, self._origin)  # the first round is a piece of its own
        apart = np.abs(labels - self._median) if self.rounds else np.abs(missed)
        first = int(self.blind and not self.rounds)
        if first:
            short, lost, missed, apart = np.zeros((4, 1))
        parts = [np.abs(short), short**2, lost, labels, labels**2, missed**2, apart]
        each = np.concatenate([self._sums[:, None], np.stack(parts)], axis=1)
        sums = np.cumsum(each, axis=1)  # one by one, however the rounds come
        self._sums = sums[:, -1]
        self._draw(numbers + 1, sums[:, 1:])
        self._latest = np.concatenate([self._latest, np.stack([short, labels])[:, first:]], axis=1)[:, -WINDOW:]
        self._sample = np.concatenate([self._sample, labels[numbers % self._every == 0]])
        while len(self._sample) > SAMPLE:
            self._sample, self._every = self._sample[::2], 2 * self._every
        self.rounds += len(labels)
        self.judged += len(labels) - first

    def _draw(self, numbers: Array, sums: Array) -> None:
        """Add to the curve the rounds of these numbers that are on it, in half as many points when it is full."""
        taken = numbers % self._spacing == 0
        new = np.stack([numbers[taken], sums[ERROR, taken], sums[SQUARE, taken]])
        self._curve = np.concatenate([self._curve, new], axis=1)
        while self._curve.shape[1] >= POINTS:
            self._curve, self._spacing = self._curve[:, 1::2], 2 * self._spacing

    @property
    def curve(self) -> dict[str, list[Any]]:
        """The sums of absolute errors and of squares up to some rounds, evenly spaced but for the last one."""
        (rounds, absolute, square), last = self._curve, [self.rounds] * (self.rounds % self._spacing != 0)
        return {
            "rounds": [*rounds.astype(int).tolist(), *last],
            "absolute": absolute.tolist() + [float(self._sums[ERROR])] * len(last),
            "square": square.tolist() + [float(self._sums[SQUARE])] * len(last),
        }

    def errors(self, latest: bool = False) -> Errors:
        """What the predictions of all rounds came to, or of the latest ones."""
        if latest:
            short, labels = self._latest
            lost = np.where(short > 0, self.quantile * short, (self.quantile - 1) * short)
            rounds = len(short)
            absolute = np.abs(short).sum()
            square = (short**2).sum()
            pinball = lost.sum()
            spread = float(((labels - labels.mean()) ** 2).sum()) if rounds else 0.0
        else:
            rounds, (absolute, square, pinball) = self.judged, self._sums[:LABEL]
            spread = float(self._sums[LABEL_SQUARE] - self._sums[LABEL] ** 2 / max(1, rounds))
        count = max(1, rounds)
        explained = 1 - float(square) / spread if spread > 0 else None
        return Errors(float(absolute) / count, float(np.sqrt(square / count)), explained, float(pinball) / count)

    @property
    def constant_absolute(self) -> float:
        """The mean absolute error of guessing the median of the labels before."""
        return float(self._sums[MEDIAN_ABSOLUTE]) / max(1, self.judged)

    @property
    def constant_root_square(self) -> float:
        """The root of the mean square error of guessing the mean of the labels before."""
        return float(np.sqrt(self._sums[MEAN_SQUARE] / max(1, self.judged)))

    @property
    def repeated(self) -> dict[str, float] | None:
        """The errors of repeating the last label; None where a run did not count them."""
        if self._repeated is None:
            return None
        absolute, square = (total / max(1, self.judged) for total in self._repeated)
        return {"mae": absolute, "rmse": float(np.sqrt(square))}

    def summarize(self, names: Any = None) -> dict[str, Any]:
        """What it comes to, as JSON shows it."""
        return {
            "rounds": self.rounds,
            "judged": self.judged,
            **_list_errors(self.errors()),
            "quantile": self.quantile,
            "recent": _list_errors(self.errors(latest=True)),
            "constant": {"mae": self.constant_absolute, "rmse": self.constant_root_square},
            "repeated": self.repeated,
            "curve": self.curve,
        }

    def to_record(self, whole: bool = True) -> dict[str, Any]:
        """Everything, as JSON keeps it; `from_record` takes it up again."""
        arrays = {"sums": self._sums, "latest": self._latest, "sample": self._sample, "curve": self._curve}
        numbers = {"rounds": self.rounds, "every": self._every, "origin": self._origin, "median": self._median}
        numbers |= {"spacing": self._spacing, "last": self._last, "blind": self.blind, "judged": self.judged}
        return (
            {"quantile": self.quantile, "repeated": self._repeated}
            | numbers
            | {name: array.tolist() for name, array in arrays.items()}
        )

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The evaluation that was written down as a record."""
        one = cls(record["quantile"], record.get("blind", False))  # runs of old judged the first round too
        names = ("rounds", "every", "origin", "median", "spacing")
        one.rounds, one._every, one._origin, one._median, one._spacing = (record[name] for name in names)
        one.judged = record.get("judged", one.rounds)
        arrays = (np.array(record[name], float) for name in ("sums", "latest", "sample", "curve"))
        one._sums, one._latest, one._sample, one._curve = arrays
        one._last, one._repeated = record.get("last", 0.0), record.get("repeated")  # runs before did not count these
        return one


def _list_errors(errors: Errors) -> dict[str, Any]:
    """Errors by the names that users know."""
    return dict(zip(("mae", "rmse", "r2", "pinball"), errors, strict=True))
