"""The command `race`: every learner suited to the data, side by side, in one reading."""

from functools import partial
from typing import Any

import click

from littlestone.cli import DataOptions, echo_json, takes_json, takes_options
from littlestone.cli.listing_options import LearnerOption
from littlestone.cli.names import abbreviate, build_learner, spell


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
@click.option("--seed", type=int, default=0, show_default=True, help="For coins.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the mistakes over time here (PNG, SVG or PDF).")
@takes_options(DataOptions)
@takes_json
def race(
    data: tuple[str, ...], named: tuple[str, ...], seed: int, plot: str | None, as_json: bool, **options: Any
) -> None:
    """Race learners on DATA: every round is judged before it is learned, by each of them.

    What stands in the last column can be typed after --learner.

    \b
    littlestone race rows.svm
    littlestone race messages.txt --learner winnow --learner perceptron:margin=1
    """
    from littlestone.base.files import require_outputs
    from littlestone.game.racing import race as run

    require_outputs({"--plot": plot}, data)
    reads = DataOptions.of(options)
    stream = reads.open(data)
    features = partial(reads.make_features, stream)
    found = run(stream, [build_learner(one) for one in named] or None, seed, features)
    if plot:
        from littlestone.plot import mistakes

        mistakes(found.games, names=[_name_learner(game) for game in found.games]).figure.savefig(plot, dpi=150)
    if as_json:
        echo_json({"data": str(stream), "learners": [_make_record(entry) for entry in found.entries]})
        return
    click.echo(f"{stream}\n\n{found.format(_name_learner)}")


def _name_learner(game: Any) -> str:
    """What is typed after `--learner` for the one that played; what Python has where words do not do."""
    return spell(game.player.learner) or abbreviate(game.player.learner)


def _make_record(entry: Any) -> dict[str, Any]:
    game = entry.game
    return {
        "learner": str(game.player.learner),
        "typed": spell(game.player.learner),
        "rounds": game.rounds,
        "mistakes": game.judged.mistakes,
        "mistakes_of": "what was played" if game.served is None else "what was served",
        "mistakes_played": game.mistakes,
        "updates": game.updates,
        "mistake_rate": game.judged.mistakes / max(1, game.rounds),
        "seconds": entry.seconds,
        "problem": None if entry.problem is None else str(entry.problem),
    }
