"""Metrics: what the guesses of a game came to, class by class, with intervals.

The rounds are played once more from the first one on, and every guess is judged before its label is learned. What is
judged is what was served, or what was played where that was not counted. If the rounds are drawn independently from
one source, each interval by itself holds with the stated confidence, at every round at once, what the hypotheses of the
pass come to on average (`certificates/moving_means.py`). There is none where the order of the labels speaks against it,
nor of the area under the curve, since scores of different hypotheses cannot be compared.

>>> import numpy as np
>>> from littlestone import Perceptron, Recorded, play
>>> labels = (np.random.default_rng(0).random(200) < 0.4).tolist()
>>> found = play(Perceptron(), Recorded([[y, 1 - y] for y in labels], labels)).metrics
>>> found.error.value, round(found.error.high, 3), found.confusion.tolist()
(0.005, 0.049, [[130, 0, 0], [1, 69, 0]])
>>> found.classes[0].label, round(found.classes[0].recall.value, 3)
(False, 1.0)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import BadParameter, require
from littlestone.base.printed_numbers import format_confidence
from littlestone.certificates.moving_means import LossSums, bound_f1, bound_share
from littlestone.game.evaluation import Evaluation, find_next_fit
from littlestone.game.game import Game, keep_tally, play_events, start_game
from littlestone.game.played_rounds import PlayedRounds

CONFIDENCE = 0.95
ASSUMED = "if the rounds were drawn independently from one source, each interval holds by itself with {} confidence"


class Estimate(NamedTuple):
    """A figure of these rounds, and between what it lies for the hypotheses on average; None: no interval is known."""

    value: float
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return f"{self.value:.4g}" + ("" if self.low is None else f" ({self.low:.4g} to {self.high:.4g})")


class ClassMetrics(NamedTuple):
    """How often a class came, and how it was guessed; None where it was not guessed or did not come."""

    label: Any
    rounds: int
    precision: Estimate | None
    recall: Estimate | None
    f1: Estimate | None


class CalibrationBin(NamedTuple):
    """Rounds whose chance lay in one tenth: the mean chance, and how often class 1 came, or the guess was right."""

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
        confusion: Truth by guess, the last column for guesses of no class that has come; None of over 1,000 classes.
        classes: Each class by itself.
        log_loss: The mean negative logarithm of the probability that the label was given, charged with at most ln 1000
            a round where there is an interval; None where there is none.
        brier: Of two classes, the mean square of 1 less that probability; None where no chance was said.
        auc: Of two classes, the chance that a round of class 1 scored above one of class 0; None without scores.
        estimated: Whether log-loss and AUC come from scores counted in bins, not from chances that the learner said.
        auc_estimated: Whether the AUC comes from bins: where the log-loss does, and beyond a million rounds.
        calibration: What was said and what came, by tenths of the chance of class 1, or where there are more than two
            classes of the chance of the guess; empty where no chance was said.
        rolling: Rounds, and the share of mistakes since the one before: the error over time.
        confidence: That of each interval.
        doubt: Why there are no intervals; None if nothing speaks against them.
    """

    rounds: int
    mistakes: int
    judged: str
    error: Estimate
    labels: tuple[Any, ...]
    confusion: Array | None
    classes: tuple[ClassMetrics, ...]
    log_loss: Estimate | None
    brier: Estimate | None
    auc: Estimate | None
    estimated: bool
    auc_estimated: bool
    calibration: tuple[CalibrationBin, ...]
    rolling: tuple[Array, Array]
    confidence: float
    doubt: str | None

    def __str__(self) -> str:
        lines = [f"error {self.error} of {self.rounds:,} guesses {self.judged}"]
        lines += [f"log-loss {self.log_loss}"] if self.log_loss else []
        lines += [f"Brier {self.brier}"] if self.brier else []
        about = " (estimated)" if self.auc_estimated else ""
        lines += [f"AUC {self.auc}{about}, of which no interval is known: hypotheses change"] if self.auc else []
        for one in self.classes:
            parts = f"precision {one.precision}, recall {one.recall}, F1 {one.f1}"
            lines.append(f"{one.label}: {one.rounds:,} rounds, {parts}")
        return "\n".join([*lines, self.doubt or ASSUMED.format(format_confidence(self.confidence))])


def measure(game: Game, confidence: float = CONFIDENCE) -> Metrics:
    """Judge the guesses of a game; its rounds must be known, and its player must not have played before."""
    require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
    stream = game.find_stream()
    learner = game.player.learner
    require(not learner.numeric, f"{learner} predicts numbers: there are no classes to judge by")
    require(not game.before.rounds, "this player had played before: play a new one to judge its guesses")
    if stream is None:
        raise BadParameter("the rounds of this game are not known: play(..., transcript=True) takes them down")
    from littlestone.game.certify import start_player  # which the figures of a run do not need

    again = start_game(start_player(game.player, stream), stream)
    seen = Evaluation()

    def follow(number: int) -> int:
        return number + find_next_fit(seen.rounds) - seen.rounds

    with keep_tally(again):
        for event in play_events(again, take_rounds(stream.chunks(), game.rounds), follow):
            if not isinstance(event, PlayedRounds) or not len(event.labels):
                continue
            answers = event.guesses if game.served is None or event.served is None else event.served
            seen.watch(again, event.judge(answers), event.labels, event.scores, event.chances, event.sure)
    same = (seen.rounds, seen.mistakes) == (game.rounds, game.judged.mistakes)
    require(same, "the rounds that were read again are not those that were played: has the file changed?")
    return _collect(game, seen, confidence)


def _collect(game: Game, seen: Evaluation, confidence: float) -> Metrics:
    """The metrics of an evaluation."""
    doubt = game.order.find_doubt() if isinstance(game.environment, Stream) else None
    missing = None if doubt else 1 - confidence
    names = game.player.labels.names
    forecasts = seen.forecasts
    rounds, mistakes = game.judged.points
    spans = np.diff(rounds, prepend=0)
    bins = () if forecasts is None else _list_bins(forecasts.find_tenths(seen.classes).T, missing)
    brier = forecasts.brier if forecasts is not None and seen.classes <= 2 else None
    return Metrics(
        seen.rounds,
        seen.mistakes,
        "played" if game.served is None else "served",
        find_share(seen.mistakes, seen.rounds, missing) or Estimate(0.0),
        tuple(names),
        seen.confusion,
        judge_classes(seen, names, missing),
        _find_mean(None if forecasts is None else forecasts.charged, seen.log_loss, missing),
        _find_mean(brier, None, missing),
        None if seen.auc is None else Estimate(seen.auc),
        forecasts is None,
        seen.auc_estimated,
        bins,
        (rounds, np.diff(mistakes, prepend=0) / np.maximum(spans, 1)),
        confidence,
        doubt,
    )


def judge_classes(seen: Evaluation, names: list[Any], missing: float | None) -> tuple[ClassMetrics, ...]:
    """What each class that was met came to, its intervals failing with probability `missing`; None: without any."""
    came, guessed, right = seen.class_counts
    return tuple(
        _judge_class(name, int(came[c]), int(guessed[c]), int(right[c]), missing)
        for c, name in enumerate(names[: len(came)])
        if name is not None
    )


def _judge_class(name: Any, came: int, guessed: int, right: int, missing: float | None) -> ClassMetrics:
    """What a class came to."""
    f1 = None
    if came + guessed:
        ends = (None, None) if missing is None or not came * guessed else bound_f1(right, guessed, came, missing)
        f1 = Estimate(2 * right / (came + guessed), *ends)
    return ClassMetrics(name, came, find_share(right, guessed, missing), find_share(right, came, missing), f1)


def find_share(part: int, whole: int, missing: float | None) -> Estimate | None:
    """A share with its interval, which fails with probability `missing`, if there is one; None of nothing."""
    if not whole:
        return None
    return Estimate(part / whole, *((None, None) if missing is None else bound_share(part, whole, missing)))


def _find_mean(sums: LossSums | None, value: float | None, missing: float | None) -> Estimate | None:
    """The mean of losses with its interval; without sums over rounds the value alone."""
    if sums is None or not sums.rounds:
        return None if value is None else Estimate(value)
    return Estimate(sums.mean, *((None, None) if missing is None else sums.bound(missing)))


def _list_bins(tenths: Iterable[Any], missing: float | None) -> tuple[CalibrationBin, ...]:
    """The tenths of chances that held rounds."""
    bins = []
    for rounds, said, came in tenths:
        share = find_share(int(came), int(rounds), missing)
        if share is not None:
            bins.append(CalibrationBin(int(rounds), float(said / rounds), share))
    return tuple(bins)
