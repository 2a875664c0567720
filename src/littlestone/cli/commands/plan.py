"""The command `plan`: which learner to use and what it promises, before the first round."""

from typing import Any

import click

from littlestone.cli import DataOptions, exit_in_words, takes_json, takes_options

ASSUMED = ("attributes", "relevant", "margin", "noise", "drift", "examples", "active", "steps")


@click.command()
@click.option("--attributes", type=click.IntRange(min=1), help="How many attributes there are.")
@click.option("--relevant", type=click.IntRange(min=1), default=1, show_default=True, help="How many of them matter.")
@click.option("--margin", type=float, help="Of weights even over these; left out, a label is the OR of these.")
@click.option("--noise", type=float, default=0.0, show_default=True, help="The share of labels that are wrong.")
@click.option("--drift", type=click.IntRange(min=0), default=0, show_default=True, help="Variables that join later.")
@click.option("--examples", type=click.IntRange(min=1), help="How many rounds there will be.")
@click.option("--active", type=click.IntRange(min=1), help="How many attributes of a row are not 0 at most.")
@click.option("--steps", type=float, default=1e6, show_default=True, help="What a round may cost.")
@click.option("--from", "data", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="DATA",
              help="Estimate all this from the head of a file.")  # fmt: skip
@takes_options(DataOptions)
@takes_json
def plan(data: str | None, as_json: bool, **options: Any) -> None:
    """Every learner's guarantee under the same assumptions, and one recommendation.

    \b
    littlestone plan --attributes 10000 --relevant 5
    littlestone plan --attributes 10000 --relevant 5 --margin 0.1 --active 50
    littlestone plan --from DATA
    """
    from littlestone.guarantees.assumptions import estimate
    from littlestone.guarantees.planner import plan as make_plan

    with exit_in_words("littlestone plan"):
        if data is None:
            found = make_plan(**{name: options[name] for name in ASSUMED})
        else:
            estimated = estimate(DataOptions.of(options).open([data]), examples=options["examples"])
            found = make_plan(options["attributes"], assumptions=estimated, steps=options["steps"])
        click.echo(found.to_json() if as_json else str(found))
