"""Tasks: whether the labels of data are classes or numbers to be predicted, and which learner is played then."""

from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import click
import numpy as np

from littlestone.base.errors import LittlestoneError, require
from littlestone.base.files import is_special
from littlestone.cli.commands.resume import RunCounts
from littlestone.game.number_evaluation import NumberEvaluation
from littlestone.game.player import Player
from littlestone.game.regressor import FEW, LOOKED_AT, are_numbers, choose_regressor
from littlestone.learners import AveragedPerceptron, Network


def build_asked(options: Any, stream: Any) -> Any:
    """The learner for what was asked, or for what the first labels are; None: the player's own choice."""
    from littlestone.cli.names import build_learner

    if options.learner is not None:
        learner = build_learner(options.learner, options.settings)
        require_task(options.task, learner)
        return learner
    look = options.task == "regression" or (options.task is None and not options.settings)
    numbers, attributes = look_ahead(options, stream) if look else (False, -1)
    if options.task == "regression" and options.settings:
        return build_learner("ridge", options.settings)
    if options.task == "regression" or numbers:
        learner = choose_regressor(attributes if attributes >= 0 else FEW + 1)
        if options.task is None and not options.quiet:
            told = f"the labels are numbers of many values, which {type(learner).__name__} predicts (--task regression)"
            click.echo(f"littlestone: {told}; --task classification learns them as classes", err=True)
        return learner
    return build_learner("logistic", options.settings) if options.settings else None


def start_player(options: Any, stream: Any) -> Player:
    """A player that has learned nothing yet.

    An averaged perceptron becomes a network of its kind, which has played the same game, when a third class comes.
    """
    learner, classes = build_asked(options, stream), stream.classes()
    widens = learner is not None and learner == AveragedPerceptron()
    named = Network(learner) if widens and len(classes) > 2 else learner
    player = Player(named, options.make_features(stream), classes, options.seed)
    player.widens = widens and named is learner
    return player


def require_task(task: str | None, learner: Any) -> None:
    """Refuse a task that is not the learner's."""
    own = "regression" if learner.numeric else "classification"
    require(task in (None, own), f"{learner} is for {own}: leave out --task {task}, or take another learner")


def start_counts(options: Any, learner: Any) -> RunCounts:
    """What a run counts at first: errors where numbers are predicted, which refuses what counts mistakes."""
    if not learner.numeric:
        return RunCounts()
    for name in ("mistakes", "until_error", "snapshots", "check_order"):
        told = f"--{name.replace('_', '-')} counts mistakes: numbers are predicted here"
        require(not getattr(options, name), told)
    quantile = learner.quantile if getattr(learner, "criterion", "") == "pinball" else 0.5
    return RunCounts(NumberEvaluation(quantile), NumberEvaluation(quantile, blind=False))


def look_ahead(options: Any, stream: Any) -> tuple[bool, int]:
    """Look at the first rows of files on disk.

    Returns:
        Whether their labels are numbers of many values.
        How many attributes these rows have in all, which is counted where they may be asked for numbers; else -1.
    """
    local = [part.path for part in stream.files]
    if any(path is None or is_special(path) for path in local):
        return False, -1
    with suppress(LittlestoneError):
        first = stream.look()
        if first is not None:
            numbers = are_numbers(first.labels[:LOOKED_AT].tolist())
            return numbers, count_attributes(options, stream) if numbers or options.task == "regression" else -1
    return False, -1


def count_attributes(options: Any, stream: Any) -> int:
    """How many attributes the first rows have; -1 if there are none."""
    with closing(replace(options, cache=False).open(options.data, quiet=True).chunks()) as rows:
        first = next((chunk for chunk in rows if len(chunk)), None)
        if first is None:
            return -1
        seen = options.make_features(stream).read_chunk(first)
        indices = getattr(seen, "indices", None)
        return int(getattr(seen, "width", 0) if indices is None else len(np.unique(indices)))
