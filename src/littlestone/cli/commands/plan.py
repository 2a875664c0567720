"""The command `plan`: which learner to use and what it promises, before the first round."""

import sys
from typing import Any

import click

from littlestone.cli.commands.data import json_option, opened, reads_data


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
@reads_data
@json_option
def plan(
    data: str | None, attributes: int | None, relevant: int, margin: float | None, noise: float, drift: int,
    examples: int | None, active: int | None, steps: float, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Every learner's guarantee under the same assumptions, and one recommendation.

    \b
    littlestone plan --attributes 10000 --relevant 5
    littlestone plan --attributes 10000 --relevant 5 --margin 0.1 --active 50
    littlestone plan --from DATA
    """
    from littlestone.base.errors import BadParameter, LittlestoneError
    from littlestone.guarantees.assumptions import estimate
    from littlestone.guarantees.planner import plan as planned

    try:
        if data is not None:
            guessed = estimate(opened([data], given), examples=examples)
            found = planned(attributes, assumptions=guessed, steps=steps)
        else:
            found = planned(attributes, relevant, margin, noise, drift, examples, active, steps)
    except LittlestoneError as problem:
        click.echo(f"littlestone plan: {problem}", err=True)
        sys.exit(2 if isinstance(problem, BadParameter) else 1)
    click.echo(found.to_json() if as_json else str(found))
