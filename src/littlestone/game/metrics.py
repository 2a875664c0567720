"""Metrics: what the guesses of a game came to, class by class, with intervals.

The rounds are played once more from the first one on, and every guess is judged before its label is learned. What is
judged is what was served, or what was played where that was not counted. An interval holds the true share with the
stated confidence if rounds are independent: Wilson's for shares, Hanley and McNeil's for the area under the curve, and
one by the means of up to 64 stretches of the game for the log-loss.

>>> from littlestone import Perceptron, Recorded, play
>>> found = play(Perceptron(), Recorded([[1.0, 0], [0, 1]] * 30, ["yes", "no"] * 30)).metrics
>>> found.error.value, round(found.error.high, 3), found.confusion.tolist()
(0.03333333333333333, 0.114, [[29, 0, 1], [1, 29, 0]])
>>> found.classes[0].label, found.classes[0].recall.value
('yes', 0.9666666666666667)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.environment import take_rounds
from littlestone.base.errors import BadParameter, require
from littlestone.game.certify import start_player
from littlestone.game.evaluation import Evaluation, find_next_fit
from littlestone.game.game import Game, keep_tally, play_events, start_game
from littlestone.game.played_rounds import PlayedRounds

STRETCHES = 64  # of a game, whose means tell how much the log-loss varies
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """An estimate, and between what the true value lies."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


class ClassMetrics(NamedTuple):
    """How often a class came, and how it was guessed; None where it was not guessed or did not come."""

    label: Any
    rounds: int
    precision: Estimate | None
    recall: Estimate | None


class CalibrationBin(NamedTuple):
    """Rounds whose chance of class 1 lay in one tenth: the mean chance, and how often class 1 came."""

    rounds: int
    said: float
    came: Estimate


@dataclass(frozen=True)
class Metrics:
    """What the guesses of a game came to.

    Args:
        rounds: How many rounds were judged.
        mistakes: How many of their guesses were wrong.
        judged: "served" or "played": whose guesses they are.
        error: The share of mistakes.
        labels: The classes in the order of `confusion`.
        confusion: Truth by guess, the last column for guesses before any class was known; None of over 1,000 classes.
        classes: Each class by itself.
        log_loss: The mean negative logarithm of the probability that the label was given; None where there is none.
        auc: Of two classes, the chance that a round of class 1 scored above one of class 0; None without scores.
        estimated: Whether log-loss and AUC come from scores counted in bins, not from chances that the learner said.
        calibration: What was said and what came, by tenths of the chance of class 1; empty where no chance was said.
        rolling: Rounds, and the share of mistakes since the one before: the error over time.
    """

    rounds: int
    mistakes: int
    judged: str
    error: Estimate
    labels: tuple[Any, ...]
    confusion: Array | None
    classes: tuple[ClassMetrics, ...]
    log_loss: Estimate | None
    auc: Estimate | None
    estimated: bool
    calibration: tuple[CalibrationBin, ...]
    rolling: tuple[Array, Array]

    def __str__(self) -> str:
        lines = [f"error {self.error} of {self.rounds:,} guesses {self.judged}"]
        lines += [f"log-loss {self.log_loss}"] if self.log_loss else []
        lines += [f"AUC {self.auc}"] if self.auc else []
        for one in self.classes:
            lines.append(f"{one.label}: {one.rounds:,} rounds, precision {one.precision}, recall {one.recall}")
        return "\n".join(lines)


def measure(game: Game, confidence: float = CONFIDENCE) -> Metrics:
    """Judge the guesses of a game; its rounds must be known, and its player must not have played before."""
    require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
    stream, learner = game.find_stream(), game.player.learner
    require(not learner.numeric, f"{learner} predicts numbers: there are no classes to judge by")
    require(not game.before.rounds, "this player had played before: play a new one to judge its guesses")
    if stream is None:
        raise BadParameter("the rounds of this game are not known: play(..., transcript=True) takes them down")
    again, seen, losses = start_game(start_player(game.player, stream), stream), Evaluation(), list[float]()
    step, before = max(1, game.rounds // STRETCHES), (0.0, 0)

    def follow(number: int) -> int:
        return min((number // step + 1) * step, number + find_next_fit(seen.rounds) - seen.rounds)

    with keep_tally(again):
        for event in play_events(again, take_rounds(stream.chunks(), game.rounds), follow):
            if not isinstance(event, PlayedRounds) or not len(event.labels):
                continue
            answers = event.guesses if game.served is None or event.served is None else event.served
            seen.watch(again, answers, event.labels, event.scores, event.chances)
            after = _sum_losses(seen)
            if seen.rounds % step == 0 and after[1] > before[1]:
                losses.append((after[0] - before[0]) / (after[1] - before[1]))
                before = after
    same = (seen.rounds, seen.mistakes) == (game.rounds, game.judged.mistakes)
    require(same, "the rounds that were read again are not those that were played: has the file changed?")
    return _collect(game, seen, losses, NormalDist().inv_cdf(0.5 + confidence / 2))


def _sum_losses(seen: Evaluation) -> tuple[float, int]:
    """The sum of log-losses so far, and of how many rounds."""
    return (seen.forecasts.loss, seen.forecasts.rounds) if seen.forecasts is not None else seen._charge()


def _collect(game: Game, seen: Evaluation, losses: list[float], width: float) -> Metrics:
    """The metrics of an evaluation; `width` is how many standard errors an interval reaches to either side."""
    names = game.player.labels.names
    came, guessed, right = seen.class_counts
    classes = tuple(
        ClassMetrics(name, int(came[c]), *(find_share(int(right[c]), int(n[c]), width) for n in (guessed, came)))
        for c, name in enumerate(names[: len(came)])
        if name is not None
    )
    rounds, mistakes = game.judged.points
    error, spans = find_share(seen.mistakes, seen.rounds, width), np.diff(rounds, prepend=0)
    bins = () if seen.forecasts is None or seen.classes > 2 else _list_bins(seen.forecasts._tenths.T, width)
    return Metrics(
        seen.rounds,
        seen.mistakes,
        "played" if game.served is None else "served",
        error or Estimate(0.0, 0.0, 1.0),
        tuple(names),
        seen.confusion,
        classes,
        _find_mean(seen.log_loss, losses, width),
        _find_auc(seen.auc, came, width),
        seen.forecasts is None,
        bins,
        (rounds, np.diff(mistakes, prepend=0) / np.maximum(spans, 1)),
    )


def find_share(part: int, whole: int, width: float) -> Estimate | None:
    """A share with Wilson's interval; None of nothing."""
    if not whole:
        return None
    share, square = part / whole, width**2
    centre = (share + square / (2 * whole)) / (1 + square / whole)
    reach = width / (1 + square / whole) * sqrt(share * (1 - share) / whole + square / (4 * whole**2))
    return Estimate(share, min(share, max(0.0, centre - reach)), max(share, min(1.0, centre + reach)))


def _find_mean(value: float | None, means: list[float], width: float) -> Estimate | None:
    """A mean with the interval that the means of stretches give."""
    if value is None:
        return None
    reach = width * float(np.std(means, ddof=1)) / sqrt(len(means)) if len(means) > 1 else float("inf")
    return Estimate(value, max(0.0, value - reach), value + reach)


def _find_auc(value: float | None, came: Array, width: float) -> Estimate | None:
    """An area under the curve with the interval of Hanley and McNeil (1982)."""
    if value is None:
        return None
    negative, positive = int(came[0]), int(came[1])
    above, below = value / (2 - value), 2 * value**2 / (1 + value)
    spread = value * (1 - value) + (positive - 1) * (above - value**2) + (negative - 1) * (below - value**2)
    reach = width * sqrt(max(0.0, spread) / (positive * negative))
    return Estimate(value, max(0.0, value - reach), min(1.0, value + reach))


def _list_bins(tenths: Iterable[Any], width: float) -> tuple[CalibrationBin, ...]:
    """The tenths of chances that held rounds."""
    bins = []
    for rounds, said, came in tenths:
        share = find_share(int(came), int(rounds), width)
        if share is not None:
            bins.append(CalibrationBin(int(rounds), float(said / rounds), share))
    return tuple(bins)
