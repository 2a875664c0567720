"""The command `race`: every learner suited to the data, side by side, in one reading."""

from functools import partial
from typing import Any

import click

from littlestone.cli import MANY_CLASSES, DataOptions, echo_json, takes_json, takes_options
from littlestone.cli.listing_options import LearnerOption
from littlestone.game.names import abbreviate, build_learner, spell


@click.command()
@click.argument("data", nargs=-1, required=True)
@click.option(
    "--learner",
    "named",
    multiple=True,
    metavar="NAME",
    cls=LearnerOption,
    help="Only these, such as winnow:promotion=1.5.",
)
@click.option(
    "--task", type=click.Choice(["classification", "regression"]), help="What labels are; guessed if not said."
)
@click.option("--many-classes", is_flag=True, help=MANY_CLASSES)
@click.option("--seed", type=int, default=0, show_default=True, help="For coins.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the mistakes over time here (PNG, SVG or PDF).")
@takes_options(DataOptions)
@takes_json
def race(
    data: tuple[str, ...],
    named: tuple[str, ...],
    task: Any,
    many_classes: bool,
    seed: int,
    plot: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Race learners on DATA: every round is judged before it is learned, by each of them.

    The names in the last column can be typed after --learner. The line at the end is that of a league: the
    mixture of what all of them said, in the games that they played.

    \b
    littlestone race rows.svm
    littlestone race messages.txt --learner winnow --learner perceptron:margin=1
    """
    from littlestone.base.errors import require
    from littlestone.base.files import require_outputs
    from littlestone.game.racing import choose_learners
    from littlestone.game.racing import race as run

    require_outputs({"--plot": plot}, data)
    reads = DataOptions.of(options)
    stream = reads.open(data)
    features = partial(reads.make_features, stream)
    learners = [build_learner(one) for one in named] or choose_learners(stream, features(), task)
    stream.many_classes = many_classes or any(learner.numeric for learner in learners)
    found = run(stream, learners, seed, features, task)
    if stream.skipped.words:
        told = f"{stream.skipped.words:,} cells in columns of numbers hold words, and count as missing"
        click.echo(f"littlestone: {told}", err=True)
    numeric = any(game.player.learner.numeric for game in found.games)
    if numeric and not named and task is None:
        told = "the labels are numbers of many values, so learners that predict numbers race (--task regression)"
        click.echo(f"littlestone: {told}; --task classification races the others", err=True)
    if plot:
        require(not numeric, "--plot draws mistakes: numbers are predicted here; learn --report draws their errors")
        from littlestone.plot import mistakes, save

        save(mistakes(found.games, names=[_name_learner(game) for game in found.games]).figure, plot, 150)
    if as_json:
        record = {"data": str(stream), "learners": [_make_record(entry) for entry in found.entries]}
        echo_json(record | ({} if found.mixed is None else {"league": _make_league_record(found)}))
        return
    click.echo(f"{stream}\n\n{found.format(_name_learner)}")


def _make_league_record(found: Any) -> dict[str, Any]:
    league = found.mixed.league
    seconds = found.mixed.seconds + found.seconds
    counts = {name: getattr(league, name) for name in ("rounds", "mistakes", "log_loss", "coins")}
    return counts | {"seconds": seconds, "members": [one._asdict() for one in league.standings()]}


def _name_learner(game: Any) -> str:
    """What is typed after `--learner` for the one that played; what Python has where words do not do."""
    once = "" if getattr(game.player.features, "counts", True) else " --binarize"
    return (spell(game.player.learner) or abbreviate(game.player.learner)) + once


def _make_record(entry: Any) -> dict[str, Any]:
    game = entry.game
    errors = entry.errors
    judged = {"log_loss": entry.log_loss} if errors is None else {"rmse": errors.root_square, "mae": errors.absolute}
    return judged | {
        "learner": str(game.player.learner),
        "typed": spell(game.player.learner),
        "binarized": not getattr(game.player.features, "counts", True),
        "rounds": game.rounds,
        "mistakes": game.judged.mistakes,
        "mistakes_of": "what was played" if game.served is None else "what was served",
        "mistakes_played": game.mistakes,
        "updates": game.updates,
        "mistake_rate": game.judged.mistakes / max(1, game.rounds),
        "seconds": entry.seconds,
        "problem": None if entry.problem is None else str(entry.problem),
    }
