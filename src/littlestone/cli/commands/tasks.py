"""Tasks: whether the labels of data are classes or numbers to be predicted, and which learner is played then."""

from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import click
import numpy as np

from littlestone.base.chunks import Chunk
from littlestone.base.errors import BadParameter, LittlestoneError, require
from littlestone.base.files import is_special
from littlestone.cli.commands.resume import RunCounts
from littlestone.game.number_evaluation import NumberEvaluation
from littlestone.game.player import Player
from littlestone.game.regressor import FEW, LOOKED_AT, are_numbers, choose_regressor
from littlestone.learners import Arow, AveragedPerceptron, Network
from littlestone.learners.shared.second_order import MATRIX_RACES


def build_asked(options: Any, stream: Any) -> Any:
    """The learner for what was asked, or for what the first labels are; None: the player's own choice."""
    from littlestone.game.names import build_learner

    if options.learner is not None:
        learner = build_learner(options.learner, options.settings)
        require_task(options.task, learner)
        return fit_rows(learner, options, stream)
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


def fit_rows(learner: Any, options: Any, stream: Any) -> Any:
    """The learner that was asked for as the first rows need it, which is said.

    AROW keeps only a diagonal where rows are wide, as in a race, unless it was asked for its whole matrix. A learner
    that tells two classes apart becomes a network where there are more; an averaged perceptron does so as it plays.
    """
    from littlestone.game.names import build_learner, read_python

    typed = read_python(options.learner)
    settings = list(options.settings)
    words = list[str]()
    unit = learner.learner if isinstance(learner, Network) else learner
    first = look_at_rows(stream)
    if first is None:
        return learner
    asked = "diagonal" in typed or any(setting.startswith("diagonal") for setting in settings)
    if isinstance(unit, Arow) and not asked and (many := count_attributes(options, stream)) > MATRIX_RACES:
        settings.append("diagonal=true")
        learner = build_learner(typed, settings)
        all_of_it = f"--learner {typed}{',' if ':' in typed.removeprefix('network:') else ':'}diagonal=false"
        told = f"of {many:,} features Arow keeps only the diagonal of its matrix"
        words.append(f"{told}; {all_of_it} keeps all of it, more slowly")
    classes = len(set(first.labels.tolist()) | set(stream.classes()))
    numbers = are_numbers(first.labels[:LOOKED_AT].tolist())
    if classes > 2 == learner.limit() and learner != AveragedPerceptron() and not numbers:
        with suppress(BadParameter):  # networks are made of some learners only
            learner = build_learner(f"network:{typed}", settings)
            words.append(f"the first rows have {classes:,} classes: a network of it plays, --learner network:{typed}")
    for told in words if not options.quiet else ():
        click.echo(f"littlestone: {told}", err=True)
    return learner


def start_player(options: Any, stream: Any) -> Player:
    """A player that has learned nothing yet.

    An averaged perceptron becomes a network of its kind, which has played the same game, when a third class comes.
    """
    learner = build_asked(options, stream)
    classes = stream.classes()
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
    first = look_at_rows(stream)
    if first is None:
        return False, -1
    with suppress(LittlestoneError):
        numbers = are_numbers(first.labels[:LOOKED_AT].tolist())
        return numbers, count_attributes(options, stream) if numbers or options.task == "regression" else -1
    return False, -1


def look_at_rows(stream: Any) -> Chunk | None:
    """The first rows of files on disk; None if there are none, or if they can be read only once."""
    if any(part.path is None or is_special(part.path) for part in stream.files):
        return None
    with suppress(LittlestoneError):
        return stream.look()  # type: ignore[no-any-return]
    return None


def count_attributes(options: Any, stream: Any) -> int:
    """How many attributes the first rows have; -1 if there are none."""
    with closing(replace(options, cache=False).open(options.data, quiet=True).chunks()) as rows:
        first = next((chunk for chunk in rows if len(chunk)), None)
        if first is None:
            return -1
        seen = options.make_features(stream).read_chunk(first)
        indices = getattr(seen, "indices", None)
        return int(getattr(seen, "width", 0) if indices is None else len(np.unique(indices)))
