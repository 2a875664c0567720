"""Evaluation: progressive validation. Every round is judged by the guess given before its label was seen.

It watches a game (`play(..., watch=evaluation.watch)`) and keeps the confusion table, the last rounds, what guessing
one class throughout or the last label again would have come to, and the log-loss and the area under the curve of a
learner that gives chances, exact up to a million rounds (`rank_counts.py`). Where only scores of two classes are kept,
those two are estimates: the slope of the probabilities is fitted at rounds 1, 2, 4, ... 16,384, 32,768, ... to the
rounds before, and scores are counted in half octaves; where the learner serves what it plays, its state counts them,
all of the first 1,024 and then every sixteenth.

>>> from littlestone import Perceptron, Recorded, play
>>> seen = Evaluation()
>>> game = play(Perceptron(), Recorded([[1.0, 0], [0, 1]] * 3, ["yes", "no"] * 3), watch=seen.watch)
>>> seen.mistakes, seen.rounds, seen.tabulate(game.player.labels.names)[0]
(1, 6, {'class': 'yes', 'rounds': 3, 'precision': 0.75, 'recall': 1.0})
"""

from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.labels import Labels, find_counterpart
from littlestone.game.forecast_counts import ForecastCounts
from littlestone.learners.shared.linear import fit_slope
from littlestone.learners.shared.rounds import BINS

WINDOW = 1000  # of the latest rounds
MOST = 1000  # classes of which it is counted what was guessed for what; of more, what each of them came to
SPAN = 2**14  # rounds between fits of the slope, once there are as many

HALF = BINS // 2
SIZES = 2.0 ** ((np.arange(HALF) - BINS // 4) / 2 - 0.75)
SIZES[0] = 0.0
ROOT_HALF = np.sqrt(0.5)
SCORES = np.concatenate([-SIZES, SIZES])  # the score that a bin stands for


def find_next_fit(rounds: int) -> int:
    """The round at which the slope is fitted next: powers of two, then multiples of SPAN."""
    return (rounds // SPAN + 1) * SPAN if rounds >= SPAN else 1 << rounds.bit_length()


def find_bins(scores: Array) -> Array:
    """The bins of scores, as compiled loops find them one by one (`find_bin`)."""
    fractions, powers = np.frexp(np.abs(scores))
    halves = 2 * powers.astype(np.int64) + (fractions > ROOT_HALF) + BINS // 4
    return np.where(scores == 0, 0, np.clip(halves, 0, HALF - 1) + np.where(scores > 0, HALF, 0))


class Curve:
    """Mistakes after evenly spaced rounds: at most 1024 points, whatever the length and chunking of the game."""

    CAPACITY = 1024

    def __init__(self) -> None:
        self.every = 1
        self.rounds = 0
        self.mistakes = 0
        self._points: list[int] = []

    def extend(self, wrong: Any) -> None:
        """Add rounds, each a mistake or not."""
        totals = self.mistakes + np.cumsum(wrong)
        while len(totals):
            first = self.every - 1 - self.rounds % self.every
            taken = min(len(totals), first + 1 + (self.CAPACITY - len(self._points) - 1) * self.every)
            self._points.extend(totals[first : taken : self.every].tolist())
            self.rounds, self.mistakes = self.rounds + taken, int(totals[taken - 1])
            totals = totals[taken:]
            if len(self._points) == self.CAPACITY:
                self._points, self.every = self._points[1::2], 2 * self.every

    @property
    def points(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Round numbers and the mistakes up to each."""
        rounds = [self.every * (k + 1) for k in range(len(self._points))]
        last = [] if self.rounds == (rounds[-1] if rounds else 0) else [self.rounds]
        return np.array(rounds + last), np.array(self._points + [self.mistakes] * len(last))


class ClassCounts(NamedTuple):
    """Of each class, how often it came, how often it was guessed, and how often it was guessed when it came."""

    came: Array
    guessed: Array
    right: Array


class Evaluation:
    """What the rounds of a game came to, class by class."""

    def __init__(self) -> None:
        self.rounds = 0
        # Truth by guess, the last column for guesses of no class that has come; None once there are too many classes.
        self.confusion: Array | None = np.zeros((2, 3), np.int64)
        self._counts: Array = np.zeros((3, 0), np.int64)  # what `class_counts` has, once there is no confusion
        self.latest: Array = np.zeros(0, bool)
        self._scores: Array | None = None  # the histogram of scores, and what it was when the slope was last fitted
        self._since: Array | None = None
        # nothing is known yet: both classes are as likely
        self._slope = 0.0
        self._loss = 0.0
        self._judged = 0
        self.forecasts: ForecastCounts | None = None  # of a learner that gives chances
        self._unmet: list[tuple[Any, int]] = []  # guesses of classes that had not come: the name, and the label's class
        # mistakes of guessing the last label again, and that label
        self.repeated = 0
        self._last = -1

    @property
    def classes(self) -> int:
        """How many classes there may have been."""
        return self._counts.shape[1] if self.confusion is None else len(self.confusion)

    @property
    def class_counts(self) -> ClassCounts:
        """How often each class came and was guessed."""
        if self.confusion is None:
            return ClassCounts(*self._counts)
        table = self.confusion
        return ClassCounts(table.sum(axis=1), table[:, :-1].sum(axis=0), np.diag(table))

    @property
    def mistakes(self) -> int:
        return self.rounds - int(self.class_counts.right.sum())

    @property
    def rate(self) -> float:
        return self.mistakes / max(1, self.rounds)

    @property
    def recent(self) -> float:
        """The share of mistakes among the latest rounds."""
        return float(self.latest.mean()) if len(self.latest) else 0.0

    @property
    def constant(self) -> float:
        """The share of mistakes of guessing one class throughout: the one that came most often."""
        return 1 - int(self.class_counts.came.max(initial=0)) / max(1, self.rounds)

    @property
    def balanced_error(self) -> float:
        """The mean over classes of the share of their rounds that were mistakes."""
        came, _, right = self.class_counts
        met = came > 0
        recall = right[met] / came[met]
        return float(1 - recall.mean()) if len(recall) else 0.0

    def watch(
        self, game: Any, guesses: Array, codes: Array, scores: Any = None, chances: Any = None, sure: Any = None
    ) -> None:
        """Take up rounds that were just played, with the scores of their guesses where these were not played.

        `chances` are those that the labels were given, by a learner that says them, `sure` those of the guesses.
        """
        self.add(guesses, codes, game.player.labels)
        if chances is not None:
            self.forecasts = self.forecasts or ForecastCounts()
            self.forecasts.add(chances, codes, self.classes <= 2, None if sure is None else (sure, guesses))
        counted: Any = getattr(game.player.state, "scores", None)
        if game.player.learner.limit() == 2 and np.shape(counted) == (2, BINS):
            self._take_scores(np.asarray(counted), codes, scores)

    def add(self, guesses: Array, codes: Array, labels: Labels | None = None) -> None:
        """Take up rounds by their guesses and labels, as class numbers; -1 is a guess of a class that had not come yet.

        Given the labels, such a guess counts for the class that it named, if that one has come since.
        """
        if not len(codes):
            return
        for code in () if labels is None else codes[guesses < 0].tolist():
            assert labels is not None
            self._unmet.append((find_counterpart(labels.name(code)), code))
        self._widen(max(int(codes.max()), int(guesses.max())) + 1)
        if self.confusion is None:
            parts = (codes, guesses[guesses >= 0], codes[guesses == codes])
            for counts, numbers in zip(self._counts, parts, strict=True):
                np.add.at(counts, numbers, 1)
        else:
            classes = len(self.confusion)
            places = codes.astype(np.int64) * (classes + 1) + np.where(guesses < 0, classes, guesses)
            counted = np.bincount(places, minlength=classes * (classes + 1))
            self.confusion += counted.reshape(classes, classes + 1)
        self.rounds += len(codes)
        self._attribute(labels)
        self.repeated += int(np.count_nonzero(np.diff(codes, prepend=self._last)))
        self._last = int(codes[-1])
        self.latest = np.concatenate([self.latest, guesses[-WINDOW:] != codes[-WINDOW:]])[-WINDOW:]

    def _attribute(self, labels: Labels | None) -> None:
        """Count guesses of classes that had not come yet for those that have come by now, under the name guessed."""
        for name, code in () if labels is None else list(self._unmet):
            assert labels is not None
            found = None if name is None else labels.find(name)
            if found is not None:
                self._unmet.remove((name, code))
                self._widen(found + 1)
                if self.confusion is None:
                    self._counts[1, found] += 1
                else:
                    self.confusion[code, -1] -= 1
                    self.confusion[code, found] += 1

    def _widen(self, classes: int) -> None:
        """Make room for classes, at once for as many again where there are many."""
        old = self.classes
        if classes <= old:
            return
        if classes > MOST:
            wider = np.zeros((3, 1 << (classes - 1).bit_length()), np.int64)
            wider[:, :old] = self.class_counts
            self.confusion = None
            self._counts = wider
        elif self.confusion is not None:
            table = np.zeros((classes, classes + 1), np.int64)
            table[:old, :old], table[:old, -1] = self.confusion[:, :-1], self.confusion[:, -1]
            self.confusion = table

    def _take_scores(self, counted: Array, codes: Array, scores: Array | None) -> None:
        """Take up the histogram of scores played, or the scores served; fit the slope anew where it is due."""
        if self._since is None:
            self._since = np.zeros_like(counted)
        if scores is None:
            self._scores = counted.copy()
        else:
            losses = np.logaddexp(0, self._slope * np.where(codes > 0, -scores, scores))
            self._loss = float(np.cumsum(np.append(self._loss, losses))[-1])  # one by one, however the rounds come
            self._judged += len(scores)
            places = codes.astype(np.int64) * BINS + find_bins(scores)
            self._since = self._scores = self._since + np.bincount(places, minlength=2 * BINS).reshape(2, BINS)
        if find_next_fit(self.rounds - 1) == self.rounds:
            self._loss, self._judged = self._charge()
            known = counted.sum() > counted[:, 0].sum()  # a score of zero carries nothing
            self._since, self._slope = self._scores, fit_slope(counted) if known else 0.0

    def _charge(self) -> tuple[float, int]:
        """Charge the scores since the last fit by the slope fitted then.

        Returns:
            loss: The loss of all scores so far.
            scores: How many they are.
        """
        if self._scores is None or self._since is None or self.classes > 2:
            return 0.0, 0
        new = self._scores - self._since
        costs = np.logaddexp(0, self._slope * np.stack([SCORES, -SCORES]))  # of each score, if the label is 0 or 1
        return self._loss + float((new * costs).sum()), self._judged + int(new.sum())

    @property
    def log_loss(self) -> float | None:
        """The mean negative logarithm of the probability that the label had; None where there are none."""
        if self.forecasts is not None:
            return self.forecasts.log_loss
        loss, judged = self._charge()
        return loss / judged if judged else None

    @property
    def auc(self) -> float | None:
        """The chance that a round of class 1 scored above one of class 0; None where there are no scores."""
        if self.forecasts is not None:
            return self.forecasts.auc if self.classes <= 2 else None
        if self._scores is None or self.classes > 2 or not self._scores.sum(axis=1).all():
            return None
        order = np.concatenate([np.arange(HALF - 1, 0, -1), [0], np.arange(HALF, BINS)])
        negative, positive = self._scores[:, order].astype(float)
        below = np.concatenate([[0.0], np.cumsum(negative)[:-1]])
        return float((positive * (below + negative / 2)).sum() / (negative.sum() * positive.sum()))

    @property
    def auc_estimated(self) -> bool:
        """Whether the area under the curve comes from scores or chances that were counted in bins."""
        return self.forecasts is None or self.forecasts.ranks.estimated

    def tabulate(self, names: list[Any]) -> list[dict[str, Any]]:
        """Each class met: how often it came, and precision and recall; None where nothing was guessed or came."""
        came, guessed, right = self.class_counts
        return [
            {
                "class": name,
                "rounds": int(came[c]),
                "precision": float(right[c] / guessed[c]) if guessed[c] else None,
                "recall": float(right[c] / came[c]) if came[c] else None,
            }
            for c, name in enumerate(names[: len(came)])
            if name is not None
        ]

    def summarize(self, names: list[Any]) -> dict[str, Any]:
        """What it comes to, as JSON shows it; `names` are those of the classes."""
        return {
            "rounds": self.rounds,
            "mistakes": self.mistakes,
            "mistake_rate": self.rate,
            "recent_rate": self.recent,
            "constant_rate": self.constant,
            "repeated_rate": self.repeated / max(1, self.rounds),
            "balanced_error": self.balanced_error,
            "log_loss": self.log_loss,
            "auc": self.auc,
            "auc_estimated": self.auc is not None and self.auc_estimated,
            "estimated": self.forecasts is None,
            "calibration": self.forecasts.calibration if self.forecasts and self.classes <= 2 else None,
            "tenths": self.forecasts.list_tenths(self.classes) if self.forecasts else None,
            "classes": self.tabulate(names),
            "confusion": None if self.confusion is None else self.confusion.tolist(),
        }

    def to_record(self, whole: bool = True) -> dict[str, Any]:
        """Everything, as JSON keeps it; `from_record` takes it up again. With `whole=False` it may be an estimate."""
        return {
            "rounds": self.rounds,
            **({"counts": self._counts.tolist()} if self.confusion is None else {"confusion": self.confusion.tolist()}),
            "latest": "".join("x" if one else "." for one in self.latest),
            "scores": None if self._scores is None else self._scores.tolist(),
            "since": None if self._since is None else self._since.tolist(),
            "judged": [self._slope, self._loss, self._judged],
            "repeated": [self.repeated, self._last],
            "unmet": [list(one) for one in self._unmet],
            "forecasts": None if self.forecasts is None else self.forecasts.to_record(whole),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The evaluation that was written down as a record."""
        one = cls()
        one.rounds = record["rounds"]
        if "counts" in record:
            one.confusion, one._counts = None, np.array(record["counts"], np.int64)
        else:
            one.confusion = np.array(record["confusion"], np.int64)
        one.latest = np.array([mark == "x" for mark in record["latest"]], bool)
        one._scores, one._since = (
            None if record[name] is None else np.array(record[name], np.int64) for name in ("scores", "since")
        )
        one._slope, one._loss, one._judged = record["judged"]
        one.repeated, one._last = record.get("repeated", (0, -1))
        one._unmet = [(name, code) for name, code in record.get("unmet", ())]
        if record.get("forecasts"):
            one.forecasts = ForecastCounts.from_record(record["forecasts"])
        return one
